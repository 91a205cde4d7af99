package script

// nkind is the kind of a syntax node.
type nkind uint8

const (
	nUnit     nkind = iota // nothing, null, None
	nStr                   // text
	nNum                   // number as written
	nBool                  // true or false
	nInterp                // kids are joined to a string
	nName                  // a name, with its sigil where the language has one
	nAttr                  // kids[0].text
	nIndex                 // kids[0][kids[1]]; a slice has kids[1].kind == nSlice
	nSlice                 // kids are low and high, nUnit when left out
	nCall                  // kids[0](kids[1:]...), keys name the arguments
	nList                  // list, tuple, array
	nDict                  // kids are key, value, key, value …
	nBin                   // kids[0] text kids[1]
	nUn                    // text kids[0]
	nCond                  // kids[0] ? kids[1] : kids[2]
	nFunc                  // function: text name, keys parameters, kids[0] body
	nAssign                // kids[0] text kids[1], text is = or += …
	nBlock                 // statements
	nIf                    // kids[0] condition, the rest are branches of which at most one runs
	nFor                   // for kids[0] in kids[1]: kids[2]
	nWhile                 // while kids[0]: kids[1], kids[2] the step if any
	nTry                   // kids[0] body, the rest runs perhaps
	nReturn                // return kids[0]
	nJump                  // break, continue, next, last, redo
	nImport                // binds keys[0] to what text names
	nShell                 // kids[0] is a command; the value is its output
	nRegex                 // a regular expression or a substitution
	nReadline              // text is the handle
	nClass                 // text name, kids[0] body
	nComp                  // comprehension: kids target, iterable, element, condition
	nSpread                // *kids[0], ...kids[0]
	nPrint                 // text is the function, kids[0] the handle (nUnit: standard output), the rest is printed
)

// node is a syntax node. All languages share it: what the judgement needs is the same in all of them.
type node struct {
	kind nkind
	text string
	keys []string
	kids []*node
	pos  int
}

func (n *node) kid(i int) *node {
	if i < len(n.kids) {
		return n.kids[i]
	}
	return &node{}
}

// dotted is a name with its members as written (a.b.c), "" when the node is anything else or has too many of them to be
// a name that anyone assigns.
func (n *node) dotted() string {
	s := ""
	for range 8 {
		switch n.kind {
		case nName:
			return n.text + s
		case nAttr:
			s = "." + n.text + s
			n = n.kid(0)
		default:
			return ""
		}
	}
	return ""
}
