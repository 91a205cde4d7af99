package script

// psRow is what cmdlets do to files. Names are in lower case, aliases of Windows PowerShell and of PowerShell 7 beside them.
type psRow struct {
	names string
	do    psAct
	// path are the parameters that hold the file, to those that hold where it goes; the first of each is positional.
	path, to string
}

// psAct is what a cmdlet does.
type psAct uint8

const (
	psQuiet   psAct = iota + 1 // computes, looks or prints
	psWrite                    // to path
	psAppend                   // to path
	psCreate                   // path, a file or a folder
	psDelete                   // path, with -Recurse all that lies in it
	psMove                     // path to to
	psCopy                     // path to to
	psRename                   // path to another name in its folder
	psRead                     // prints path
	psChdir                    // into path
	psEval                     // runs the text in path
	psProcess                  // runs the program in path with the words in to
	psOpaque                   // cannot be told
)

func psRows() []psRow {
	return []psRow{
		{"set-content sc", psWrite, "path literalpath", ""},
		{"out-file", psWrite, "filepath literalpath", ""},
		{"tee-object tee", psWrite, "filepath literalpath", ""},
		{"export-csv epcsv export-clixml", psWrite, "path literalpath", ""},
		{"start-transcript", psWrite, "path literalpath outputdirectory", ""},
		{"clear-content clc", psWrite, "path literalpath", ""},
		{"set-item si", psWrite, "path literalpath", ""},
		{"set-itemproperty sp clear-item cli set-acl unblock-file", psWrite, "path literalpath", ""},
		{"add-content ac", psAppend, "path literalpath", ""},
		{"new-item ni", psCreate, "path", ""},
		{"mkdir md", psCreate, "path", ""},
		{"new-temporaryfile", psQuiet, "", ""},
		{"remove-item ri rm rmdir del erase rd", psDelete, "path literalpath", ""},
		{"move-item mi move mv", psMove, "path literalpath", "destination"},
		{"copy-item cpi copy cp", psCopy, "path literalpath", "destination"},
		{"rename-item rni ren", psRename, "path literalpath", "newname"},
		{"expand-archive", psCopy, "path literalpath", "destinationpath"},
		{"compress-archive", psCopy, "path literalpath", "destinationpath"},
		{"invoke-webrequest iwr invoke-restmethod irm", psWrite, "outfile", ""},
		{"start-bitstransfer", psCopy, "source", "destination"},
		{"get-content gc cat type", psRead, "path literalpath", ""},
		{"set-location sl cd chdir push-location pushd", psChdir, "path literalpath", ""},
		{"pop-location popd", psChdir, "stackname", ""},
		{"invoke-expression iex", psEval, "command", ""},
		{"start-process saps start", psProcess, "filepath", "argumentlist args"},
		{"set-alias sal new-alias nal add-type new-object import-alias invoke-item ii invoke-history ihy r trace-command register-objectevent", psOpaque, "", ""},
		{"foreach-object foreach % where-object where ? invoke-command icm start-job sajb start-threadjob measure-command", psQuiet, "", ""},
		{"set-variable sv new-variable nv clear-variable clv remove-variable rv set-strictmode set-psdebug clear-host cls clear import-module ipmo remove-module add-member", psQuiet, "", ""},
		{"start-sleep sleep stop-job wait-job remove-job wait-process push-outputbinding set-psreadlineoption set-executionpolicy", psQuiet, "", ""},
		{"select gci dir ls gi gl pwd echo write sort group measure fl ft fw fc h history gm gcm gps ps gsv sls tee-variable oh rvpa gal gv gu iwmi compare diff", psQuiet, "", ""},
		{"import-csv ipcsv import-clixml import-powershelldatafile convert-path split-path join-path resolve-path", psQuiet, "", ""},
	}
}

// Verbs of cmdlets of no row: those that only look or compute, and the others, of which nothing can be told.
const (
	psLooks = " get test select sort measure format find compare group show write read convertto convertfrom convert resolve join split wait out where tee search "
	psActs  = " add approve assert backup block build checkpoint clear close complete compress confirm connect copy debug deny deploy disable " +
		"disconnect dismount edit enable enter exit expand export grant hide import initialize install invoke limit lock merge mount move new open " +
		"optimize ping pop protect publish push receive redo register remove rename repair request reset resize restart restore resume revoke save send " +
		"set skip start step stop submit suspend switch sync trace unblock undo uninstall unlock unprotect unpublish unregister update use watch "
)

// Parameters: those without a value, and those with one that is no file. One that is in neither makes the command unknown.
const (
	psSwitches = " recurse append asbytestream asjob async confirm debug directory force file hidden noclobber nonewline notypeinformation nonewwindow passthru raw readonly " +
		"system usebasicparsing usetransaction verbose wait noenumerate unique descending casesensitive quiet update container iutf followsymlink "
	psValues = " encoding value inputobject filter include exclude delimiter width depth erroraction ea warningaction wa informationaction " +
		"errorvariable outvariable ov outbuffer stream credential itemtype type name target first last skip totalcount head tail readcount uri method headers body " +
		"contenttype workingdirectory windowstyle verb compressionlevel stackname variable property expandproperty " +
		"redirectstandardinput timeoutsec useragent "
)

// psKeywords begin statements whose blocks are judged as if they ran.
const psKeywords = " if elseif else while for foreach do until switch try catch finally trap function filter param begin process end return throw class enum using data exit break continue "

// psTypes are .NET types whose static members change no file; of others nothing can be told.
const psTypes = " math system.math string system.string datetime guid convert environment regex int int32 long double bool array char console path system.io.path io.path " +
	"text.encoding system.text.encoding timespan version uri decimal byte pscustomobject ordered void hashtable xml object system.environment system.convert bitconverter "

// psMethods are methods of objects that change files, or run what cannot be seen.
const psMethods = " delete moveto copyto save saveas createtext appendtext openwrite writealltext invoke invokescript invokecommand invokereturnasis create replacewith "
