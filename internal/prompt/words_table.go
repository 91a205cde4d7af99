package prompt

// bankNames are the memory bank's names, as a regular expression.
const bankNames = `memory[ _-]?bank(?:/[\w./-]*)?|(?:[\w./-]*/)?memory\.md|记忆库|记忆银行`

// Rows of English words, for the request to write the memory bank.
const (
	// writeVerbs write something into it; of directVerbs it can be the object.
	writeVerbs  = "write record add save store note put log document append update capture remember extend amend correct edit refresh"
	directVerbs = "write update extend amend correct edit refresh"

	negations = "not no never without dont cannot avoid stop nothing nobody neither nor instead unless"
	// questionStarts begin a question that has no mark; behind doubts nothing is an order any more.
	questionStarts = "should shall do does did is are was were can could would will what why how where who which have has might whether"
	doubts         = "if how why what whether explain describe might could example says said wrote try tries tried"

	// leads stand in front of an order and change nothing about it.
	leads = "please now also ok okay yes yep sure good great fine right perfect thanks just first finally next afterwards kindly " +
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
	chineseLeads = `请|麻烦|帮我|帮忙|帮|你|您|可以|好的|好|行|嗯|对|现在|然后|再|并且|并|同时|最后|接着|也|都|先|就|直接|需要|应该|特别|要|记得|顺便|` +
		`[^会已正能是被让使用函方程]{0,10}后|[把将].{1,40}?|(?:这|那|以上|上述|上面|刚才|该)[^会已正能是了被让使用函方程]{0,16}?`
	chineseNegations = "不别勿没无未禁莫甭"
	chineseDoubts    = "吗 么 呢 是否 能否 可否 如何 哪 为何 如果 假如 倘若 除非"
)

// chineseNoNegations are words that hold the character of a negation and are none.
var chineseNoNegations = []string{"特别", "", "分别", "", "区别", "", "类别", "", "级别", "", "不错", "", "没问题", ""}
