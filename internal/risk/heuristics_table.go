package risk

import "strings"

// meaningRow gives a list of words, separated by blanks, their meaning.
type meaningRow struct{ what, words string }

// argNames says what the arguments of tools mean. Names are compared without case, blanks, dashes and underscores, and
// without a number at their end: file_path, filePath and FilePath are filepath, old_str_1 is oldstr.
const argNames = "args"

// The one table of the heuristics (SPEC §3). In "args" a name has the first meaning that lists it; in "words" one word of a
// tool's name may have several.
func heuristicsTable(part string) []meaningRow {
	if part == argNames {
		return []meaningRow{
			{"path", `path paths file files filepath filepaths filename filenames filelist pathname fullpath abspath absolutepath absolutefilepath
				relpath relativepath relativefilepath relativeworkspacepath pathinproject projectfilepath notebook notebookpath targetfile
				targetfiles targetfilepath targetpath targetnotebook uri uris fileuri documenturi textdocument documentpath docpath notepath
				existingpath codefile scriptpath configpath localpath localfile localfilepath memoryfilename linkpath symlinkpath`},
			{"from", `sourcepath sourcefile sourcefilepath srcpath srcfile frompath fromfile oldpath oldfilepath oldfile originalpath inputpath
				inputfile inputfilepath olduri sourceuri`},
			{"to", `destinationpath destinationfile destpath destfile dstpath dstfile topath tofile newpath newfilepath newfile newuri destinationuri
				targetlocation`},
			{"out", `outputpath outputfile outputfilepath outfile outpath savepath saveto saveas downloadpath exportpath resultpath screenshotpath`},
			{"from?", `source sources src from old origin`},
			{"to?", `destination dest dst to target`},
			{"folder", `directory dir folder directorypath dirpath folderpath directoryname foldername`},
			{"newname", `newname newfilename newbasename`},
			{"edits", `edits edit editlist oldstring oldstr oldtext oldcode oldcontent newstring newstr newtext newcode newsource newcontent
				newcontents newbody codeedit codeedits replace replacement replacements replacewith searchreplace changes modifications
				inserttext insertline insertions textedits patches hunks chunks diffs filecontent filecontents filetext fileedits updatedcontent`},
			{"code", `code cellsource sourcecode pythoncode jscode javascriptcode`},
			{"language", `language lang runtime kernel interpreter`},
			{"content", `content contents text data body markdown blob bytes base64 lines`},
			{"list", `operations items entries requests`},
			{"patch", `patch patchtext diff difftext unifieddiff patchcontent`},
			{"command", `command commands cmd commandline shellcommand script`},
			{"action", `action operation op mode subcommand verb`},
			{"inner", `input args arguments params parameters toolinput toolargs payload`},
			{"tool", `tool toolname functionname`},
			// What names a repository that is kept elsewhere, or a version there.
			{"owner", `owner org organization`},
			{"repo", `repo reponame repository repourl repositoryurl giturl`},
			{"project", `projectid`},
			{"commit", `branch commitmessage message`},
			{"dry", `dryrun`},
		}
	}
	return []meaningRow{
		{"write", `write edit create append prepend insert replace update save put modify change overwrite rewrite upsert patch apply touch mkdir
			reformat refactor download export extract unzip undo revert restore rollback multiedit truncate wipe`},
		{"patch", `patch`},
		{"delete", `delete remove rm unlink trash erase rmdir del`},
		{"move", `move rename mv`},
		{"copy", `copy cp duplicate clone`},
		{"read", `read view cat show`},
		{"content", `content contents text source lines body`},
		{"list", `list ls tree dir`},
		{"search", `search find grep glob rg lookup query match locate`},
		{"look", `get fetch check describe inspect stat info explain review analyze analyse summarize validate verify lint diagnose compare count
			watch test measure resolve status is has head open load print display preview`},
		{"shell", `exec execute run command cmd launch`},
		{"terminal", `shell bash sh zsh fish terminal powershell pwsh console process repl tty`},
		{"git", `git`},
		{"worktree", `checkout switch stash merge rebase pull reset clean apply am cherry revert`},
		{"editor", `editor based`}, // str_replace_based_edit_tool
		{"fetch", `download export extract unzip clone checkout sync pull`},
		// What names of tools are about: files, things that are kept elsewhere, and things within files.
		{"files", `file files directory directories folder folders notebook notebooks path paths document documents lines`},
		{"elsewhere", `issue issues comment comments review reviews message messages mail email ticket tickets event events label labels milestone
			release gist card branch pull pr reaction task tasks todo todos user calendar channel record row table database db page`},
		{"inside", `symbol symbols variable function method class identifier`},
	}
}

// languages are those of package script, by the words that name them or what runs them. Of a shell's code nothing needs to
// be said, and it is called bash here.
func languages() []meaningRow {
	return []meaningRow{
		{"python", `python py ipython jupyter ide notebook kernel colab`},
		{"node", `node nodejs js javascript ts typescript deno bun`},
		{"ruby", `ruby rb`},
		{"perl", `perl`},
		{"php", `php`},
		{"lua", `lua`},
		{"powershell", `powershell pwsh`},
		{"bash", `bash sh shell zsh`},
	}
}

// What names a coding agent in the name of an MCP server or tool, and the arguments that hold a task for one.
const (
	agentWords = "agent subagent codex claude gemini qwen copilot opencode aider goose droid crush cline kimi"
	taskArgs   = "prompt task instruction instructions"
)

// meaning finds what a word of a part of the table means, "" if nothing.
func meaning(part, word string) string {
	for _, row := range heuristicsTable(part) {
		if holdsWord(row.words, word) {
			return row.what
		}
	}
	return ""
}

// hasWord reports whether one of the words of a name has one of the meanings.
func hasWord(words []string, meanings string) bool {
	for _, row := range heuristicsTable("words") {
		if !holdsWord(meanings, row.what) {
			continue
		}
		for _, w := range words {
			if holdsWord(row.words, w) {
				return true
			}
		}
	}
	return false
}

// chosenVerb is what a tool does by the first verb of its name; but what also changes something ("search and replace",
// "read_or_create") changes something.
func chosenVerb(words []string) string {
	verb, joined := "", false
	for _, w := range words {
		if w == "and" || w == "or" {
			joined = true
		}
		for _, v := range strings.Fields(verbs) {
			if !hasWord([]string{w}, v) {
				continue
			}
			if verb == "" || joined && changing(v) {
				verb = v
				joined = false
			}
			break
		}
	}
	return verb
}

// holdsWord reports whether a list of words separated by white space holds one.
func holdsWord(list, word string) bool {
	for i := 0; word != ""; {
		k := strings.Index(list[i:], word)
		if k < 0 {
			return false
		}
		start, end := i+k, i+k+len(word)
		if (start == 0 || isBlank(list[start-1])) && (end == len(list) || isBlank(list[end])) {
			return true
		}
		i = end
	}
	return false
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// flatten brings the name of an argument into the form of the table.
func flatten(name string) string {
	name = strings.ToLower(name)
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune("_- .", r) {
			return -1
		}
		return r
	}, name)
	if short := strings.TrimRight(name, "0123456789"); short != "" && short != "base" {
		name = short
	}
	return name
}

// nameWords splits a tool's name: camelCase, snake_case, kebab-case. Of "mcp__server__tool" only the tool counts, and
// of Gemini's "mcp_server_tool" not the first two words.
func nameWords(name string) []string {
	mcp := strings.HasPrefix(name, "mcp__")
	if i := strings.LastIndex(name, "__"); i >= 0 && i+2 < len(name) {
		name = name[i+2:]
	}
	var words []string
	start := 0
	cut := func(end int) {
		if w := strings.ToLower(name[start:end]); w != "" {
			words = append(words, w)
		}
		start = end
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case !isUpper(c) && !isLower(c) && (c < '0' || c > '9') && c < 0x80:
			cut(i)
			start = i + 1
		case isUpper(c) && i > start && (!isUpper(name[i-1]) || i+1 < len(name) && isLower(name[i+1])):
			cut(i) // fileSystem, FSFile
		}
	}
	cut(len(name))
	if !mcp && len(words) > 2 && words[0] == "mcp" {
		words = words[2:]
	}
	return words
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
