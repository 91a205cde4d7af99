package prompt

// bankNames are the memory bank's names, as a regular expression.
const bankNames = `memory[ _-]?bank(?:/[\w./-]*)?|(?:\./)?memory\.md|记忆库|记忆银行`

// Rows of English words, for the request to write the memory bank.
const (
	// writeVerbs write something into it; of directVerbs it can be the object.
	writeVerbs  = "write record add save store note put log document append update capture remember extend amend correct edit refresh"
	directVerbs = "write update extend amend correct edit refresh"

	negations = "not no never without dont cannot avoid stop nothing nobody neither nor instead unless"
	// questionStarts begin a question that has no mark; behind doubts nothing is an order any more.
	questionStarts = "should shall do does did is are was were can could would will what why how where who which have has might whether"
	doubts         = "if how why what whether explain describe might could example says said wrote try tries tried tomorrow later"

	// leads stand in front of an order and change nothing about it.
	leads = ": please now also ok okay yes yep sure good great fine right perfect thanks just first finally next afterwards kindly " +
		"go ahead you can may should must need to want i i'd i'll like would we us let let's remember make sure after that when once done " +
		"finished well alright"
	determiners = "the our this my your its a an project project's repo's whole entire shared existing"
	// notObjects say that the memory bank is not what is written.
	notObjects = "then read reads reading look see check compare link links refer go according similar like from says " +
		"writes saves adds stores writing saving adding storing updating recording"
	// follows can stand behind the name where the memory bank itself is meant.
	follows = ", please now too also as again when once after before then and so for with about that under by at accordingly today first file folder but"
)

// The same in Chinese, as regular expressions and lists.
const (
	chineseVerbs = `写|记录|更新|保存|补充|记|存|加|添加|追加|同步|整理|沉淀`
	chineseInto  = `(?:到|进|入|至|在)?(?:项目的?|我们的?|当前的?|一下|下)*`
	chineseLeads = `[:：]|请|麻烦|帮我|帮忙|帮|你|您|可以|好的|好|行|嗯|对|现在|然后|再|并且|并|同时|最后|接着|也|都|先|就|直接|需要|应该|特别|要|记得|顺便|` +
		`[^会已正能是被让使用函方程]{0,10}后|[把将].{1,40}?|(?:这|那|以上|上述|上面|刚才|该)[^会已正能是了被让使用函方程]{0,16}?`
	chineseNegations = "不别勿没无未禁莫甭"
	chineseDoubts    = "吗 么 呢 是否 能否 可否 如何 哪 为何 如果 假如 倘若 除非"
)

// chineseNoNegations are words that hold the character of a negation and are none.
var chineseNoNegations = []string{"特别", "", "分别", "", "区别", "", "类别", "", "级别", "", "不错", "", "没问题", ""}

// settling are phrases that settle something.
const settling = "decided|we will use|we'll use|let's use|let's go with|we go with|from now on|going forward|convention|agreed on|settled on|" +
	"决定|约定|选型|今后|以后都|从现在起|统一用|统一使用|定下来"

// topics are phrases that ask about something that a memory bank answers.
var topics = [...]struct {
	topic   Topic
	phrases string
}{
	{Decisions, "why did we|why do we use|why are we using|did we decide|we decided earlier|was decided|earlier decision|earlier decisions|previous decision|" +
		"previous decisions|decided before|为什么选|为什么用|为什么当时|之前的决定|之前决定|以前的决定|当初为"},
	{Technology, "tech stack|technology stack|technologies|which framework|what framework|which database|what database|which library|what library|" +
		"which language|技术栈|技术选型|什么技术|什么框架|哪个框架|什么数据库|哪个数据库|什么语言"},
	{Background, "what is this project|what does this project|about this project|project about|purpose of the project|purpose of this project|background of|" +
		"project background|project overview|overview of the project|项目背景|项目是做什么|项目是干什么|项目介绍|项目概况|介绍一下项目|介绍一下这个项目"},
}
