package script

import "strings"

func node() dialect {
	return dialect{
		comments: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: `"'`, rich: "`", code: "${", sigils: "$#", regex: true, joins: "+", defines: "function",
	}
}

// nodeModule is the name that the table has for a module.
func nodeModule(m string) string {
	m = strings.TrimPrefix(m, "node:")
	switch m {
	case "fs/promises", "fs-extra", "graceful-fs", "fs-extra/esm":
		return "fs"
	case "path/posix":
		return "path"
	}
	return m
}
