package shell

import (
	"slices"
	"sort"
	"strings"
	"testing"
)

// TestPowerShell judges commands of PowerShell, which bash would read otherwise.
func TestPowerShell(t *testing.T) {
	tree := exampleTree()
	for _, c := range []struct{ command, want string }{
		{`Set-Content src/app.go x`, `create src/app.go`},
		{`set-content -Path a.txt -Value (Get-Date)`, `write a.txt`},
		{`"x" | Out-File -FilePath a.txt -Encoding utf8`, `write a.txt`},
		{`sc a.txt 'it''s'; ac b.txt y`, `append b.txt; write a.txt`},
		{`'x' > a.txt`, `write a.txt`},
		{`Get-ChildItem 2>$null`, `none`},
		{`git status *>&1 | Select-String foo`, `none`},
		{`dir >> dir\x.txt`, `append dir/x.txt`},
		{`New-Item -ItemType Directory -Path new/sub -Force | Out-Null`, `create new/sub`},
		{`ni new.txt`, `create new.txt`},
		{`Remove-Item a.txt, b.txt`, `delete a.txt; delete b.txt`},
		{`ri -Recurse -Force dir`, `delete dir/`},
		{`rm -r -fo dir`, `delete dir/`},
		{`Get-ChildItem *.txt | Remove-Item`, `unbounded`},
		{`Remove-Item a.txt -WhatIf`, `none`},
		{`Move-Item a.txt new.txt`, `move a.txt; create new.txt`},
		{`Copy-Item -Path a.txt -Destination b.txt`, `write b.txt`},
		{`Rename-Item dir/x.txt y.txt`, `move dir/x.txt; create dir/y.txt`},
		{`Invoke-WebRequest https://example.com -OutFile a.txt`, `write a.txt`},
		{`Invoke-WebRequest https://example.com`, `none`},
		{`cd src; Set-Content a.go x`, `write src/a.go`},
		{`cd $x; Set-Content a.go x`, `unbounded`},
		{`Set-Content $path x`, `unbounded`},
		{"Set-Content `\n  -Path a.txt `\n  -Value x", `write a.txt`},
		{`if (Test-Path a.txt) { Remove-Item a.txt } else { 'none' }`, `delete a.txt`},
		{`Get-ChildItem -Recurse | ForEach-Object { Set-Content $_.FullName x }`, `unbounded`},
		{`foreach ($f in 'a.txt') { ac b.txt $f }`, `append b.txt`},
		{`$x = Get-Content a.txt; Set-Content b.txt $x`, `write b.txt`},
		{"@'\nSet-Content a.txt x\n'@ | sc b.txt", `write b.txt`},
		{`Write-Output "deleted $(Remove-Item a.txt)"`, `delete a.txt`},
		{`# Set-Content a.txt`, `none`},
		{`Write-Host 'Set-Content a.txt x > b.txt'`, `none`},
		{`& "rm" a.txt`, `delete a.txt`},
		{`git checkout -- .`, `write ./`},
		{`sed -i s/a/b/ src\a.go`, `write src/a.go`},
		{`go test ./...; npm test`, `none`},
		// What is not known is never taken for harmless.
		{`[System.IO.File]::WriteAllText('a.txt', 'x')`, `unknown`},
		{`(Get-Item a.txt).Delete()`, `unknown`},
		{`gci | % Delete`, `unknown`},
		{`iex $code`, `unknown`},
		{`iex 'ri a.txt'`, `delete a.txt`},
		{`& $tool a.txt`, `unknown`},
		{`& { ri a.txt }`, `delete a.txt`},
		{`Update-Everything a.txt`, `unknown`},
		{`Stop-Process -Name node -Force; Stop-Process -Id 12`, `none`},
		{`Get-Process node | Stop-Process`, `unknown`},
		{`Stop-Process -Id (Get-Process node).Id`, `unknown`},
		{`Set-Content -Odd a.txt x`, `unknown; write a.txt`},
		{`Set-Alias x ri; x a.txt`, `unknown`},
		{`Start-Process git -ArgumentList 'checkout','--','.'`, `write ./`},
		{`Write-Host "open`, `unknown`},
		{`if ($true) { ri a.txt`, `delete a.txt; unknown`},
		// Reads.
		{`Get-Content a.txt`, `read a.txt full`},
		{`gc dir\x.txt`, `read dir/x.txt full`},
		{`cat a.txt b.txt`, `read a.txt full; read b.txt full`},
		{`Get-Content a.txt -TotalCount 2`, `read a.txt part`},
		{`Get-Content a.txt | Select-Object -First 2`, `read a.txt part`},
		{`Get-Content a.txt | Out-Host`, `read a.txt full`},
		{`Get-Content a.txt | Select-String x`, `none`},
		{`$x = gc a.txt`, `none`},
		{`gc a.txt > $null`, `none`},
		{`[math]::Round(1.5)`, `none`},
		{`$env:FOO = 'x'; Set-Item Env:BAR y`, `none`},
	} {
		parts := strings.Split(c.want, "; ")
		sort.Strings(parts)
		got := outcomeText(Judge(c.command, Env{Files: tree, Cwd: "/repo", Root: "/repo", Home: "/home/me", Language: "powershell"}))
		if want := strings.Join(parts, "; "); got != want {
			t.Errorf("%s\n  is   %s\n  want %s", c.command, got, want)
		}
	}
}

// FuzzPowerShell wants an end, and no text with a cmdlet that writes a named file taken for harmless where one precedes it.
func FuzzPowerShell(f *testing.F) {
	tree := exampleTree()
	for _, s := range []string{`"$(`, "@'\n", `& {`, `[a]::b(`, "`", `${`, `a | | b`, `2>`, `if (1) {`, `<# x`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1000 {
			return
		}
		rep := Judge("Set-Content a.txt x\n"+s, Env{Files: tree, Cwd: "/repo", Root: "/repo", Home: "/home/me", Language: "powershell"})
		if len(rep.Effects) == 0 && len(rep.Unknown) == 0 {
			t.Errorf("%q is harmless", s)
		}
		if slices.ContainsFunc(rep.Unknown, isFault) {
			t.Errorf("%q: %+v", s, rep.Unknown)
		}
	})
}
