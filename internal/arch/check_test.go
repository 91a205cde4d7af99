package arch

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"
)

const module = "github.com/mbgate/mbgate/"

// source is one package: its path below the module, and the text of its files by name.
type source struct {
	path  string
	files map[string]string
}

// tree reads every package below the module's root, the tests left out.
func tree(root fs.FS) ([]source, error) {
	byPath := map[string]*source{}
	err := fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || name == "vendor" || p != "." && name[0] == '.'):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(root, p)
		dir := path.Dir(p)
		if byPath[dir] == nil {
			byPath[dir] = &source{dir, map[string]string{}}
		}
		byPath[dir].files[p] = string(text)
		return err
	})
	var all []source
	for _, s := range byPath {
		all = append(all, *s)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].path < all[j].path })
	return all, err
}

// below reports whether a path is pattern, or lies below it where the pattern ends in /...
func below(p, pattern string) bool {
	dir, tree := strings.CutSuffix(pattern, "/...")
	return p == dir || tree && strings.HasPrefix(p, dir+"/")
}

func anyBelow(p string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return below(p, pattern) })
}

func placeOf(p string) (rule, bool) {
	i := slices.IndexFunc(packages, func(r rule) bool { return below(p, r.path) })
	if i < 0 {
		return rule{}, false
	}
	return packages[i], true
}

// checker goes through one package.
type checker struct {
	rule     rule
	path     string
	files    []*ast.File
	set      *token.FileSet
	info     *types.Info
	findings []string
}

// check is what is wrong with a package, each finding as "file:line: what". Names are resolved with go/types; what it
// cannot import it does without, since only the scopes are needed.
func check(s source) []string {
	c := checker{path: s.path, set: token.NewFileSet(), info: &types.Info{
		Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
	}}
	names := make([]string, 0, len(s.files))
	for name := range s.files {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		f, err := parser.ParseFile(c.set, name, s.files[name], parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return []string{err.Error()}
		}
		c.files = append(c.files, f)
	}
	conf := types.Config{Importer: noImporter{}, Error: func(error) {}, IgnoreFuncBodies: false}
	conf.Check(module+s.path, c.set, c.files, c.info) //nolint:errcheck // the packages it misses are errors, too

	var known bool
	if c.rule, known = placeOf(s.path); !known && !slices.Contains(helpers, s.path) {
		c.report(c.files[0].Package, "package %s has no place in the table; give it one", s.path)
	}
	program := known && c.rule.rank < 99
	c.comment()
	for _, f := range c.files {
		c.imports(f, known)
		c.lengths(f)
		if c.rule.pure {
			c.clock(f)
		}
		if program {
			c.functions(f)
			c.variables(f)
		}
	}
	if program {
		c.writes()
	}
	return c.findings
}

type noImporter struct{}

func (noImporter) Import(string) (*types.Package, error) { return nil, errors.New("not imported") }

func (c *checker) report(at token.Pos, format string, args ...any) {
	p := c.set.Position(at)
	c.findings = append(c.findings, fmt.Sprintf("%s:%d: %s", p.Filename, p.Line, fmt.Sprintf(format, args...)))
}

// imports checks the direction of the packages, the purity of the core and where expensive packages stay.
func (c *checker) imports(f *ast.File, known bool) {
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			c.report(spec.Pos(), "bad import %s", spec.Path.Value)
			continue
		}
		if c.rule.pure && anyBelow(p, impure) {
			c.report(spec.Pos(), "pure package %s imports %s", c.path, p)
		}
		for _, k := range kept {
			if below(p, k.path) && !anyBelow(c.path, k.packages) {
				c.report(spec.Pos(), "%s imports %s: %s", c.path, p, k.why)
			}
		}
		local, inside := strings.CutPrefix(p, module)
		if !inside || !known {
			continue
		}
		other, exists := placeOf(local)
		switch {
		case slices.Contains(helpers, local):
			c.report(spec.Pos(), "%s imports %s, which is for tests", c.path, local)
		case exists && other.rank >= c.rule.rank && c.rule.rank < 99:
			c.report(spec.Pos(), "%s (rank %d) imports %s (rank %d)", c.path, c.rule.rank, local, other.rank)
		}
	}
}

// clock finds the functions of package time that a pure package must not use, whatever name it is imported by.
func (c *checker) clock(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && slices.Contains(clock, s.Sel.Name) && c.packageOf(s.X) == "time" {
			c.report(s.Pos(), "pure package %s uses time.%s", c.path, s.Sel.Name)
		}
		return true
	})
}

// packageOf is the path of the package that an expression names, "" if it names none.
func (c *checker) packageOf(x ast.Expr) string {
	id, ok := x.(*ast.Ident)
	if !ok {
		return ""
	}
	if p, ok := c.info.Uses[id].(*types.PkgName); ok {
		return p.Imported().Path()
	}
	return ""
}

// comment checks that one of the files says what the package is for.
func (c *checker) comment() {
	lines := 0
	for _, f := range c.files {
		if f.Doc != nil {
			lines = max(lines, strings.Count(strings.TrimSpace(f.Doc.Text()), "\n")+1)
		}
	}
	if lines < minComment {
		c.report(c.files[0].Package, "%s has a package comment of %d lines; %d say what it is, what it may import and where to start", c.path, lines, minComment)
	}
}

// lengths finds functions that are too long, tables left out: what is generated, what lies in a file of tables, and a
// function that does nothing but return a literal.
func (c *checker) lengths(f *ast.File) {
	if ast.IsGenerated(f) || strings.HasSuffix(c.set.Position(f.Package).Filename, "_table.go") {
		return
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || returnsLiteral(fn.Body) {
			continue
		}
		if n := c.set.Position(fn.End()).Line - c.set.Position(fn.Pos()).Line + 1; n > maxFunction {
			c.report(fn.Pos(), "%s has more than %d lines", fn.Name.Name, maxFunction)
		}
	}
}

func returnsLiteral(body *ast.BlockStmt) bool {
	if len(body.List) != 1 {
		return false
	}
	r, ok := body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return false
	}
	_, ok = r.Results[0].(*ast.CompositeLit)
	return ok
}

// functions finds init functions and goroutines.
func (c *checker) functions(f *ast.File) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
			c.report(fn.Pos(), "%s has an init function, which every hook runs", c.path)
		}
	}
	for where := range routines {
		if below(c.path, where) {
			return
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if g, ok := n.(*ast.GoStmt); ok {
			c.report(g.Pos(), "%s starts a goroutine: a panic in it ends the process with status 2, a refusal", c.path)
		}
		return true
	})
}

// variables checks how package variables are set up: they hold a value that the compiler lays out. One without a value
// waits to be assigned, so is global state; a call is start-up of every hook.
func (c *checker) variables(f *ast.File) {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			spec := s.(*ast.ValueSpec)
			blank := !slices.ContainsFunc(spec.Names, func(n *ast.Ident) bool { return n.Name != "_" })
			if blank {
				continue
			}
			name := spec.Names[0].Name
			if t := c.state(spec); t != "" {
				c.report(spec.Pos(), "%s is global state of type %s", name, t)
			}
			if len(spec.Values) == 0 && !embedded(g, spec) {
				c.report(spec.Pos(), "%s is global state: a variable without a value", name)
			}
			for _, v := range spec.Values {
				c.value(name, v)
			}
		}
	}
}

// embedded reports whether a variable gets its value from a file when it is compiled, as text of the binary.
func embedded(g *ast.GenDecl, spec *ast.ValueSpec) bool {
	for _, group := range []*ast.CommentGroup{g.Doc, spec.Doc} {
		if group == nil {
			continue
		}
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:embed ") {
				return true
			}
		}
	}
	return false
}

// state is the type of a variable that is changed by using it, "" if it is not.
func (c *checker) state(spec *ast.ValueSpec) string {
	found := ""
	look := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if _, ok := n.(*ast.FuncLit); ok {
				return false
			}
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			p := c.packageOf(s.X)
			if slices.Contains(stateful, p+".*") && !slices.Contains(calls, p+"."+s.Sel.Name) {
				found = p + "." + s.Sel.Name
			}
			return true
		})
	}
	if spec.Type != nil {
		look(spec.Type)
	}
	for _, v := range spec.Values {
		look(v)
	}
	return found
}

// value checks the expression that a package variable is set up with.
func (c *checker) value(name string, v ast.Expr) {
	ast.Inspect(v, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CompositeLit:
			if _, ok := n.Type.(*ast.MapType); ok && len(n.Elts) > maxMap {
				c.report(n.Pos(), "%s is a map of %d rows, filled in every hook; %d are allowed", name, len(n.Elts), maxMap)
			}
		case *ast.CallExpr:
			if !c.callAllowed(n) {
				c.report(n.Pos(), "%s is set up by a call, made in every hook", name)
				return false
			}
		}
		return true
	})
}

func (c *checker) callAllowed(call *ast.CallExpr) bool {
	switch fn := call.Fun.(type) {
	case *ast.SelectorExpr:
		return slices.Contains(calls, c.packageOf(fn.X)+"."+fn.Sel.Name)
	case *ast.Ident:
		switch o := c.info.Uses[fn].(type) {
		case *types.TypeName: // a conversion
			return true
		case *types.Builtin:
			return o.Name() == "len"
		}
	case *ast.ArrayType, *ast.InterfaceType, *ast.ParenExpr, *ast.StarExpr:
		return true // conversions
	}
	return false
}

// writes finds every place that changes a package variable: an assignment to it, its elements or fields, a ++ or --,
// its address taken, or a builtin that changes what it is given.
func (c *checker) writes() {
	for _, f := range c.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok != token.DEFINE {
					for _, l := range n.Lhs {
						c.written(l)
					}
				}
			case *ast.RangeStmt:
				if n.Tok == token.ASSIGN {
					c.written(n.Key)
					c.written(n.Value)
				}
			case *ast.IncDecStmt:
				c.written(n.X)
			case *ast.UnaryExpr:
				// &table[i] of a row is how tables are read without copying; the address of the variable itself is
				// taken to change it.
				if id, ok := n.X.(*ast.Ident); ok && n.Op == token.AND {
					c.written(id)
				}
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && len(n.Args) > 0 {
					if b, ok := c.info.Uses[id].(*types.Builtin); ok && slices.Contains([]string{"delete", "clear", "copy", "append"}, b.Name()) {
						c.written(n.Args[0])
					}
				}
			}
			return true
		})
	}
}

// written reports the package variable that an expression changes, if it does.
func (c *checker) written(x ast.Expr) {
	for {
		switch e := x.(type) {
		case *ast.IndexExpr:
			x = e.X
		case *ast.SelectorExpr:
			x = e.X
		case *ast.StarExpr:
			x = e.X
		case *ast.ParenExpr:
			x = e.X
		case *ast.SliceExpr:
			x = e.X
		case *ast.Ident:
			if v, ok := c.info.Uses[e].(*types.Var); ok && v.Parent() != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
				c.report(x.Pos(), "%s is global state: it is changed here", e.Name)
			}
			return
		default:
			return
		}
	}
}

// root is the module, seen from this package's folder.
func root() fs.FS { return os.DirFS("../..") }
