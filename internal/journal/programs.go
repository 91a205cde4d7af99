package journal

// how tells where a secret stands that a program is given.
type how int

const (
	word     how = iota // the flag's word: -p SECRET, -p=SECRET, and for a flag of one letter -pSECRET
	attached            // only right behind the flag: -pSECRET, since -p SECRET is something else
	colon               // in the flag's word behind the first colon: -u user:SECRET
	percent             // in the flag's word behind the first percent sign: -U user%SECRET
)

type passes struct {
	programs string // with | between them
	flags    string // with blanks between them
	how      how
}

type gives struct {
	programs string
	at       int
}

// passing are options that carry a secret with certain programs only. A program of several words stands for its
// subcommand. A program is found wherever it stands in a command, since sudo, env, docker exec and many more run it.
func passing() []passes {
	return []passes{
		{"mysql|mysqldump|mysqladmin|mysqlimport|mysqlshow|mysqlsh|mycli|mariadb|mariadb-dump|mariadb-admin|mariadb-import", "-p", attached},
		{"7z|7za|7zz|7zr", "-p", attached},
		{"rar|unrar", "-p -hp", attached},
		{"sshpass", "-p", word},
		{"docker login|podman login|nerdctl login|buildah login|helm registry login|oras login|crane auth|cosign login|az|oc login", "-p", word},
		{"skopeo|podman|buildah", "--src-creds --dest-creds --creds", colon},
		{"twine|poetry publish|psexec|mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|winrs|plink|pscp|psftp", "-p -pw", word},
		{"redis-cli|valkey-cli", "-a --pass", word},
		{"sqlcmd|bcp|isql|osql|zip|unzip|zipcloak|ssh-keygen", "-P", word},
		{"ssh-keygen", "-N", word},
		{"ldapsearch|ldapadd|ldapmodify|ldapdelete|ldappasswd|ldapwhoami|security|ntlm_auth", "-w", word},
		{"smbclient|rpcclient|smbget|smbpasswd|net", "-U", percent},
		{"snmpget|snmpwalk|snmpset|snmpbulkwalk", "-A -X -c", word},
		{"openssl", "-k -K -pass -passin -passout", word},
		{"keytool|jarsigner", "-storepass -keypass -srcstorepass -deststorepass -new", word},
		{"curl", "-u --user -U --proxy-user -E --cert", colon},
		{"curl", "-b --cookie --oauth2-bearer --pass --proxy-pass --tlspassword", word},
		{"http|https|xh|xhs|httpie", "-a --auth", colon},
		{"gh secret set|gh variable set", "-b --body", word},
		{"glab auth|doctl auth|flyctl|fly|vercel|netlify|railway", "-t", word},
		{"nuget|dotnet nuget", "-k -ApiKey -apikey", word},
		{"gem", "-k --key", word},
		{"kubectl create secret|oc create secret", "--from-literal", word},
	}
}

// given are secrets that stand as an argument of their own. At counts from 0 and leaves
// flags out; -1 is the last one.
func given() []gives {
	return []gives{
		{"vault login|cargo login|rclone obscure|rclone reveal", 0},
		{"wpa_passphrase", 1},
		{"htpasswd|mc alias set|mc config host add", -1},
		{"net use", 2},
		{"sqlplus", 0},
	}
}

// listens are words of a command that reads a secret from its standard input. What echo and printf send it, and a
// here-string, is one.
func listens() []string {
	return []string{
		"--password-stdin", "--passphrase-stdin", "--with-token", "--token-stdin", "--api-key-stdin", "--pass-stdin", "--stdin", "--passphrase-fd",
		"chpasswd", "passwd", "smbpasswd", "vncpasswd", "cryptsetup", "sudo -S", "op signin", "gh secret", "vault login", "age-keygen", "ssh-add", "kinit", "su",
		"fly secrets", "wrangler secret", "gcloud secrets",
	}
}

// settings are words of a command that gives names their values, so that the name of a secret and a word is one.
func settings() []string {
	return []string{"config", "configure", "set", "set-option", "setx", "connect", "machine", "-x", "-gx", "-Ux", "put"}
}
