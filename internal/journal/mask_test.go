package journal

import (
	"strings"
	"testing"
)

func TestMask(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"go test ./...", "go test ./..."},
		{"mysql --password hunter2 db", "mysql --password *** db"},
		{"mysql --password=hunter2 db", "mysql --password=*** db"},
		{`x --password "two words" y`, `x --password "***" y`},
		{"x --db-password\thunter2", "x --db-password\t***"},
		{"TOKEN=hunter2 make", "TOKEN=*** make"},
		{"export GITHUB_TOKEN='hun ter2'; ls", "export GITHUB_TOKEN='***'; ls"},
		{`NPM_TOKEN="a\"b" npm publish`, `NPM_TOKEN="***" npm publish`},
		{"PGPASSWORD=hunter2 psql -h db", "PGPASSWORD=*** psql -h db"},
		{"MYSQL_PWD=hunter2 mysql", "MYSQL_PWD=*** mysql"},
		{"DB_PASS=hunter2 run", "DB_PASS=*** run"},
		{"AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG aws s3 ls", "AWS_SECRET_ACCESS_KEY=*** aws s3 ls"},
		{"aws configure set aws_access_key_id AKIAIOSFODNN7EXAMPLE", "aws configure set aws_access_key_id AKIA***"},
		{"curl -H 'Authorization: Bearer abc.def' https://x", "curl -H 'Authorization: ***' https://x"},
		{`curl -H "Authorization: Basic dXNlcjpwYXNz" https://x`, `curl -H "Authorization: ***" https://x`},
		{"Authorization: token abc\nAccept: */*", "Authorization: ***\nAccept: */*"},
		{`curl -H "X-Api-Key: abc" x`, `curl -H "X-Api-Key: ***" x`},
		{`curl -H "Cookie: a=b; c=d" x`, `curl -H "Cookie: ***" x`},
		{`echo '{"password":"hunter2","user":"a"}'`, `echo '{"password":"***","user":"a"}'`},
		{`echo '{"api_key": "hunter2"}'`, `echo '{"api_key": "***"}'`},
		{"curl -u user:hunter2 https://x", "curl -u user:*** https://x"},
		{"curl --user 'user:hunter2' https://x", "curl --user 'user:***' https://x"},
		{"git clone https://user:hunter2@host/x.git", "git clone https://user:***@host/x.git"},
		{"git clone https://averylongsecrettoken@host/x", "git clone https://***@host/x"},
		{"git clone ssh://git@host/x", "git clone ssh://git@host/x"},
		{"psql postgres://u:p@ss@h:5432/db", "psql postgres://u:***@h:5432/db"},
		{"psql postgres://u:p/ss@h/db", "psql postgres://u:***@h/db"},
		{"curl http://localhost:8080/a@b", "curl http://localhost:8080/a@b"},
		{"curl 'https://x/?token=abc&page=2'", "curl 'https://x/?token=***&page=2'"},
		{"echo sk-proj-abcdefghijkl", "echo sk-***"},
		{"echo ghp_0123456789abcdef x", "echo ghp_*** x"},
		{"x=github_pat_11ABC_def", "x=github_pat_***"},
		{"glpat-abcdefgh", "glpat-***"},
		{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "eyJ***"},
		{"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----"},
		{"-----BEGIN PRIVATE KEY-----\nMIIE", "-----BEGIN PRIVATE KEY-----***"},
		{"-----BEGIN CERTIFICATE-----\nMIIE", "-----BEGIN CERTIFICATE-----\nMIIE"},
		{"mysql -phunter2 db", "mysql -p*** db"},
		{"cd x && mysql -u root -phunter2 db", "cd x && mysql -u root -p*** db"},
		{"sshpass -p hunter2 ssh h", "sshpass -p *** ssh h"},
		{"docker login -u me -p hunter2", "docker login -u me -p ***"},
		// What only looks like it.
		{"mkdir -p src/a && cp -p a b", "mkdir -p src/a && cp -p a b"},
		{"grep -rn password src", "grep -rn password src"},
		{"PWD=/x pwd", "PWD=/x pwd"},
		{"cat src/token.go auth/password_test.go", "cat src/token.go auth/password_test.go"},
		{"task-list-of-something", "task-list-of-something"},
		{"docker login --password-stdin reg", "docker login --password-stdin reg"},
		{"sort --key 2 f", "sort --key 2 f"},
		{"echo author: me", "echo author: me"},
		{"git log --author=me", "git log --author=me"},
		{"docker run -p 8080:80 -u 1000:1000 x", "docker run -p 8080:80 -u 1000:1000 x"},
		{"mysql -p db < dump.sql", "mysql -p db < dump.sql"},
		{"mkdir -p mysql && cp -p a zip", "mkdir -p mysql && cp -p a zip"},
		{"git config user.name me", "git config user.name me"},
		{"kubectl create secret generic s", "kubectl create secret generic s"},
		{"kubectl create token sa", "kubectl create token sa"},
		{"git commit -m 'set the token of the parser' src/a.go", "git commit -m 'set the token of the parser' src/a.go"},
		{"set -x; cat token.go", "set -x; cat token.go"},
		{"echo x > a.go | tee b.go", "echo x > a.go | tee b.go"},
		{"git checkout 3f2a9c1e7b4d8065a1c2e3f40512b6c7d8e9fa0b -- .", "git checkout 3f2a9c1e7b4d8065a1c2e3f40512b6c7d8e9fa0b -- ."},
		{"mbgate clear --session 6d06b814-0d77-449f-833c-d95f9060f114", "mbgate clear --session 6d06b814-0d77-449f-833c-d95f9060f114"},
		{"go test -run TestUTF8ToUTF16AndBackAgain ./x", "go test -run TestUTF8ToUTF16AndBackAgain ./x"},
		{"rm -rf src/HTTPServerV2Handler_test.go", "rm -rf src/HTTPServerV2Handler_test.go"},
		{"sed -i 's/PRIMARY_KEY=id/PRIMARY_KEY=x/' a.sql", "sed -i 's/PRIMARY_KEY=id/PRIMARY_KEY=x/' a.sql"},
		{"func sign() signature { return signature = f(x) }", "func sign() signature { return signature = f(x) }"},
		{"unzip -o a.zip -d out", "unzip -o a.zip -d out"},
		{"curl -X PUT -sSLo out.bin https://h/x", "curl -X PUT -sSLo out.bin https://h/x"},
	} {
		if got := Mask(c.in); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.in, got, c.want)
		}
		if got := Mask(Mask(c.in)); got != c.want {
			t.Errorf("%q: masked again: %q", c.in, got)
		}
	}
}

// A secret at the end of what is looked at, or after long masked ones, does not show in part.
func TestExcerptHidesWhatItCuts(t *testing.T) {
	for n := 1900; n < 2060; n++ {
		in := "TOKEN=" + strings.Repeat("a", n) + " https://user:hunter2hunter2@host ghp_hunter2hunter2"
		if got := Excerpt(in); strings.Contains(got, "hunt") || strings.Contains(got, "aaa") {
			t.Fatalf("%d: %q", n, got)
		}
	}
	for n := range 220 {
		if got := Excerpt(strings.Repeat("x", n) + " --password hunter2hunter2"); strings.Contains(got, "hu") {
			t.Fatalf("%d: %q", n, got)
		}
	}
}

// FuzzMask: a secret in a place where secrets stand never shows, whatever stands around it.
func FuzzMask(f *testing.F) {
	f.Add("curl ", " | sh", 0)
	f.Add("A='", "'", 3)
	f.Add(`{"a":"b",`, "}", 5)
	const secret = "Zq7hunter2Zq7hunter2"
	places := []string{
		" --password " + secret + " ", " TOKEN=" + secret + " ", "\nAuthorization: Bearer " + secret + "\n", " sk-" + secret + " ",
		" ghp_" + secret + " ", ` "api_key": "` + secret + `" `, " https://u:" + secret + "@host/ ", "\n-----BEGIN PRIVATE KEY-----" + secret + "-----END",
		" DB_PASSWORD='" + secret + "' ",
	}
	f.Fuzz(func(t *testing.T, before, after string, place int) {
		in := before + places[uint(place)%uint(len(places))] + after
		if strings.Contains(before, secret[:6]) || strings.Contains(after, secret[:6]) || strings.ContainsAny(before, `"'\`) {
			return
		}
		if got := Mask(in); strings.Contains(got, secret[:6]) {
			t.Fatalf("%q shows in %q", in, got)
		}
		_ = Excerpt(in)
	})
}
