package prompt

// Words that set a bound on the work (SPEC C7), as regular expressions over a sentence in lower case.
const (
	// boundStarts set one where a clause begins; boundLeads are words that such a clause may begin with.
	boundLeads  = `and|but|please|just|also|then|so|ok|you|strictly|for now|where possible`
	boundStarts = `do not |don't |dont |never |no [a-z]|nothing (?:else|outside|but|beyond|more|less|longer|larger|newer|older|new|in )|avoid |keep |` +
		`leave .*\b(?:alone|untouched|unchanged|as|be|out)\b|stay (?:on|with|within|in|inside|below|under|away|out)\b|stick (?:to|with) |` +
		`always |only [a-z]|(?:make|be) sure |ensure |ask (?:me|us|before|first)|without (?:any|[a-z]+ing)\b|hands off|limit |refrain |` +
		`read[- ]only|preserve |must |(?:answer|reply|respond) (?:me )?in |(?:use|prefer|take|write) .*(?:, not |instead of|rather than)`
	// boundPhrases set one wherever they stand.
	boundPhrases = `must\b|mustn't\b|(?:has|have) to (?:be|stay|remain|keep|work|hold|pass|match|run|fit|support)\b|(?:may|shall) (?:not|never|only)\b|` +
		`should(?:n't| not| never| only| always) [a-z]|(?:not|n't) (?:be )?allowed|forbidden|prohibited|off[- ]limits|under no circumstances|no matter what|` +
		`from now on|at all times|throughout$|(?:ask|check with|confirm with|wait for) (?:me|us)\b|my (?:ok|okay|approval|permission|consent)\b|` +
		`before (?:you|[a-z]+ing) |until (?:i|we|i've|we've) |at most|at least|(?:no|not) (?:more|less|fewer|longer|larger|later) than|` +
		`(?:under|below|within|less than|fewer than|up to|maximum|minimum|max|min) \d|is the (?:minimum|maximum)|limited to|limit (?:it|this|them) to|` +
		`stays? (?:as|the same|unchanged|untouched)|remains? (?:as|the same|unchanged|untouched)|unchanged\b|untouched\b|important (?:that|to)\b|` +
		`(?:don't|do not) want (?:any|you|to see)|want you to (?:avoid|always|never|only|keep)|only(?: please| for now)?$|without (?:breaking|changing|touching|adding|using|any)\b|` +
		`you (?:cannot|can't|can only|are only)|stop and ask|one \w+ (?:per|at a time)\b`
	// noBounds hold words of the above and set none.
	noBounds = `don't (?:worry|hesitate|forget|know|mind|bother|understand|think|remember|see|you)|do not (?:hesitate|worry|forget|know)|never (?:mind|seen|said|knew)|` +
		`no (?:problem|worries|idea|ideas|rush|need|luck|clue|longer|one|offence|doubt|wonder)|always (?:nice|good|great|a)|only (?:one|two|three|some|a|the|when|if|on|in|after|happens|fails|see)\b|` +
		`must (?:have (?:been|[a-z]+ed|had|gone|got|come)|admit|say|confess)|there must be|(?:why|what|when|where|how|who) must|(?:users?|customers?|people|visitors?|i|we) must|` +
		`keep (?:going|in mind|up|me)|may not (?:be (?:the|a|an|right)|work|have)|make sure (?:i|we) understand|at (?:least|most) (?:now|it|that|i|we)\b`
)

// The same in Chinese.
const (
	// chineseBounds set one wherever they stand, chineseBoundStarts where a clause begins.
	chineseBounds = `不要|不许|不准|不得|不允许|不可以|不可(?:改|以|用|有|动|删)|不能(?:改|动|变|删|影响|超过|有|用|碰|出现|丢|失效|引入|依赖|破坏|低于|少于|多于|再|直接|修改|删除)|请勿|切勿|勿(?:动|改|删)|禁止|严禁|` +
		`千万|绝不|绝对不|决不|必须|务必|一定要|一定不|只能|只准|只许|仅限|仅能|确保|保证|保持|维持|原样|不变|一律|始终|严格|避免|` +
		`最多|至多|不超过|不多于|至少|不少于|不低于|上限|下限|控制在|限制在|限定|以内|最低支持|尽量(?:小|少|不)|别(?:碰|动|改|删|写|用|加|提交)|问我|我同意|我确认|我批准|经过我|征求我|从现在起|从现在开始|以后.*都|今后|每次.*都|不希望|不想(?:要|看到)|要可|要能`
	chineseBoundLeads  = `请|先|都|也|就|但|并且|而且|但是|千万|暂时|目前|本身`
	chineseBoundStarts = `别|勿|不(?:写|改|动|用|加|碰|引入|依赖|修改|删|跑|提交|推送)|只(?:改|用|读|写|动|看|升|打印|修改|处理|允许|输出|保留|提交|在)|仅(?:用|改|修改|使用|在)|保留|先(?:备份|问|写测试)`
	chineseNoBounds    = `不要紧|不要求|要不要|别的|别忘|别人|别名|别处|别急|别担心|特别|分别|区别|类别|级别|个别|识别|性别|必须说|必须承认|为什么必须|能不能|可不可以|不可以吗|不用(?:管|担心|读|看|了|急|客气|谢)|` +
		`只能在.*(?:运行|跑|用|出现|复现)|只在.*(?:出现|发生|复现|失败)|只有|只是|仅供|不能(?:用|正常)(?:了|使用|工作)?$|必须.*(?:麻烦|才能)`
)

// secrets find a password, a key or a token, as a regular expression.
const secrets = `(?i:pass(?:word|wd|phrase)|secret|token|api[ _-]?key|密码|口令|密钥|令牌)\s*(?:[:=：]\s*\S{6,}|(?:is|are|must be|should be|为|是)\s*\S*\d\S*)|` +
	`\b(?:sk|pk|rk)[-_][\w-]{12,}|\bgh[a-z]_\w{16,}|\bgithub_pat_\w+|\bglpat-[\w-]+|\bxox[a-z]-[\w-]+|\bAKIA[0-9A-Z]{12,}|\bAIza[\w-]{20,}|\beyJ[\w-]{10,}\.|` +
	`-----BEGIN|://[^/\s:@]+:[^/\s@]+@|\b[0-9a-fA-F]{32,}\b|\b(?:[A-Za-z_+]*\d){4}[\w+]{12,}`
