package arch

// rule is what holds for one package, by its path below the module; a path that ends in /... is everything below it.
type rule struct {
	path string
	// rank orders the packages: a package imports only packages of a lower rank.
	rank int
	// pure packages compute: they see no file, no environment, no clock and no network.
	pure bool
}

// packages is every package that exists. A new package has to be given its place here.
var packages = []rule{
	{path: "internal/event", rank: 0, pure: true},
	{path: "internal/jsonscan", rank: 0, pure: true},
	{path: "internal/prompt", rank: 0, pure: true},
	{path: "internal/place", rank: 1, pure: true},
	{path: "internal/transcript", rank: 1, pure: true},
	{path: "internal/anchor", rank: 2, pure: true},
	{path: "internal/risk/reason", rank: 2, pure: true},
	{path: "internal/risk/patch", rank: 2, pure: true},
	{path: "internal/risk/script", rank: 2, pure: true},
	{path: "internal/risk/shell", rank: 3, pure: true},
	{path: "internal/risk", rank: 4, pure: true},
	{path: "internal/capsule", rank: 5, pure: true},
	{path: "internal/bank", rank: 4, pure: true},
	{path: "internal/layout", rank: 5, pure: true},
	{path: "internal/gate", rank: 6, pure: true},

	// The skin: what turns bytes, files and people into values and back. These packages do not know each other.
	{path: "internal/rawfile", rank: 7},
	{path: "internal/config", rank: 8},
	{path: "internal/journal", rank: 8},
	{path: "internal/project", rank: 8},
	{path: "internal/settings", rank: 8},
	{path: "internal/state", rank: 8},
	{path: "internal/stdin", rank: 8},
	{path: "internal/wire", rank: 8},

	// What is known of each agent, built of the mechanisms in wire and settings.
	{path: "internal/agents", rank: 9},

	// Words for people are also said about the configuration and the log.
	{path: "internal/render", rank: 9},

	// What the two largest commands do.
	{path: "internal/sandbox", rank: 10},
	{path: "internal/install", rank: 10},
	{path: "internal/audit", rank: 10},
	{path: "internal/doctor", rank: 11},

	{path: "cmd/mbgate", rank: 12},

	{path: "internal/arch", rank: 99},
	{path: "internal/live/...", rank: 99},
	{path: "internal/state/gen", rank: 99},
	{path: "scripts/...", rank: 99},
}

// helpers are packages for tests only: any test may import them, no program does.
var helpers = []string{"internal/place/placetest"}

// impure are the packages that a pure package does not import; a path that ends in /... is everything below it.
var impure = []string{
	"os", "os/...", "io/fs", "io/ioutil", "path/filepath", "net", "net/...", "syscall", "log", "log/...",
	"crypto/rand", "math/rand", "math/rand/v2", "runtime", "golang.org/x/sys/...", "golang.org/x/term",
	"mvdan.cc/sh/v3/interp",
}

// clock are the functions of package time that read the clock or wait.
var clock = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

// kept are imports that cost start-up or carry global state, and the packages that may have them.
var kept = []struct {
	path     string
	packages []string
	why      string
}{
	{"github.com/spf13/cobra/...", []string{"cmd/mbgate", "scripts/..."}, "commands live in the outer skin"},
	{
		"github.com/charmbracelet/lipgloss/...",
		[]string{"cmd/mbgate", "internal/render"},
		"only people are shown colours",
	},
	{"github.com/adrg/xdg", []string{"internal/state"}, "it reads the environment in its init"},
	{
		"github.com/gofrs/flock",
		[]string{"internal/install", "internal/live/..."},
		"a hook locks by package rawfile",
	},
	{"github.com/pelletier/go-toml/...", []string{"internal/config"}, "only the configuration is TOML"},
	{
		"mvdan.cc/sh/v3/...",
		[]string{"internal/risk/shell", "internal/risk/script", "internal/settings"},
		"only the risk of a command parses shell, and who looks for our own command lines",
	},
	{"github.com/tailscale/hujson", []string{"internal/settings"}, "only agents' own configuration is edited in place"},
	{"os/exec", []string{"cmd/mbgate", "internal/install", "internal/doctor", "internal/sandbox", "scripts/...", "internal/live/..."}, "a hook starts no child process"},
	{"text/template", nil, "it is 1.5 MB of binary, and of start-up where one is parsed"},
	{"html/template", nil, "it is 1.5 MB of binary, and of start-up where one is parsed"},
	{"net/http", []string{"internal/live/..."}, "mbgate uses no network; the model that tests script does"},
}

// maxMap is how many rows a map at package level may have: it is filled at start-up, in every hook, while an array or
// a switch is laid out by the compiler.
const maxMap = 50

// maxFunction is how many lines a function may have, and minComment how many a package comment must have.
const (
	maxFunction = 120
	minComment  = 3
)

// calls are the functions that may be called while package variables are set up, since they cost next to nothing.
var calls = []string{"errors.New", "sync.OnceValue", "sync.OnceValues", "sync.OnceFunc", "strings.NewReplacer"}

// stateful are types whose variables are changed by using them.
var stateful = []string{"sync.*", "sync/atomic.*"}

// routines are the packages that may start goroutines, with the reason.
var routines = map[string]string{
	"internal/stdin":    "where standard input takes no deadline, the one that reads is left behind; it does nothing else",
	"cmd/mbgate":        "watching for people; the hook's path has none",
	"scripts/...":       "no part of the program",
	"internal/state":    "flock takes no time limit: a goroutine waits for a lock that another process holds, and does nothing else",
	"internal/live/...": "no part of the program",
}

// allowed are single findings that stand, by "path: finding", with the reason.
var allowed = map[string]string{}
