package tmpdeps

import (
	_ "github.com/adrg/xdg"
	_ "github.com/bmatcuk/doublestar/v4"
	_ "github.com/charmbracelet/lipgloss"
	_ "github.com/gofrs/flock"
	_ "github.com/pelletier/go-toml/v2"
	_ "github.com/BurntSushi/toml"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/spf13/cobra"
	_ "github.com/spf13/cobra/doc"
	_ "golang.org/x/text/unicode/norm"
	_ "golang.org/x/term"
	_ "mvdan.cc/sh/v3/expand"
	_ "mvdan.cc/sh/v3/syntax"
)
