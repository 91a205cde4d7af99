package render

import (
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
	"github.com/mbgate/mbgate/internal/gate"
	"github.com/mbgate/mbgate/internal/place/placetest"
	"github.com/mbgate/mbgate/internal/risk"
)

// The log holds no text of a command (SPEC §18): whatever an agent is given to keep secret, % here, is not in a record.
func TestLogHoldsNoCommandText(t *testing.T) {
	const word, two = "correct-Horse7battery", "correct-Horse7 battery9staple"
	w := risk.World{Files: placetest.New("/repo"), Root: "/repo", HasBank: true}
	for _, command := range []string{
		"PASSWORD=% ./run", "export PASSWORD=%", "env DB_PASSWORD='%' ./run", "set -x PGPASSWORD % ; psql", "set -gx API_TOKEN %; run",
		"password=%", "$env:API_KEY = \"%\"; run", "$Env:Token='%'", "set PASSWORD=%&& run", "PASS=% ./run", "MYSQL_PWD=% mysql", "REDISCLI_AUTH=% redis-cli",
		"SECRET_KEY_BASE=% rails s", "JWT_SECRET=% node x", "CLIENT_SECRET=% x", "ENCRYPTION_KEY=% x", "SSH_KEY_PASSPHRASE=% x", "OPENAI_API_KEY=% x", "ANTHROPIC_KEY=% x", "AWS_SECRET_ACCESS_KEY=% aws s3 ls",
		"AWS_SESSION_TOKEN=% aws s3 ls", "aws configure set aws_secret_access_key %", "aws configure set aws_session_token %", "npm config set //registry.example/:_authToken %", "npm config set //registry.example/:_authToken=%",
		"yarn config set npmAuthToken %", "pip config set global.password %", "git config user.password %", "git config --global github.token %", "gh secret set NAME --body %", "gh secret set NAME -b %", "gh secret set NAME -b'%'",
		"x --password %", "x --password=%", "x --password '%'", "x --password=\"%\"", "x -password %", "x --token %", "x --api-key=%", "x --client-secret %", "x --passphrase % -d f", "x --auth-token %", "x --access-token=%", "x --secret %", "x --pass % y", "x --pat %", "x --key-pass %",
		"mysql -u root -p% db", "mysql -uroot -p'%' db", "mysqldump -p\"%\" db", "/usr/bin/mysql -p% db", "sudo mysql -p% db", "sudo -u x mysql -p% db", "docker exec -it db mysql -uroot -p% -e 'select 1'", "kubectl exec db -- mysqldump -p% x", "time mariadb-dump -p% x", "FOO=1 mysql -p% x",
		"sshpass -p % ssh h", "sshpass -p% ssh h", "sshpass -p '%' ssh h", "sshpass -v -p % ssh h", "env X=1 sshpass -p % scp a b",
		"docker login -u me -p % reg", "docker login -u me -p'%' reg", "docker login --username me --password % reg", "podman login -u me -p % reg", "helm registry login -u me -p % r", "az login -u me -p %", "az login --service-principal -u id -p % --tenant t", "az acr login -n r -u me -p %",
		"oc login -u me -p %", "oc login --token=%", "skopeo copy --src-creds me:% a b", "skopeo copy --dest-creds=me:% a b", "redis-cli -a % ping", "redis-cli --pass % ping", "mongosh -u me -p % db", "mongo --username me --password % db", "sqlcmd -U sa -P % -Q x", "sqlplus me/%@db", "PGPASSWORD=% psql -h h", "psql 'host=h password=% user=x'", "psql postgresql://me:%@h/db",
		"ldapsearch -D cn=x -w % -b dc=y", "smbclient //h/s -U me%%" + "%", "rpcclient -U 'me%%" + "%' h", "snmpget -v3 -A % -X k h", "unzip -P % a.zip", "zip -P % a.zip f", "7z x -p% a.7z", "zip --password % a f", "openssl enc -aes-256-cbc -k % -in f", "openssl enc -pass pass:% -in f", "openssl rsa -passin pass:% -in k", "openssl pkcs12 -export -passout 'pass:%' -in k", "gpg --batch --passphrase % -d f", "ssh-keygen -t ed25519 -N % -f k", "ssh-keygen -p -P % -N '' -f k", "keytool -storepass % -list", "keytool -keypass % -list", "jarsigner -storepass % a b", "ansible-playbook -e 'db_password=%' p.yml", "ansible-playbook -e '{\"vault_token\": \"%\"}' p.yml", "htpasswd -b f me %", "htpasswd -nb me %", "curl --oauth2-bearer % u", "http --auth me:% u", "http -a me:% u", "xh -a me:% u", "wget --user=me --password=% u", "wget --http-password=% u", "wget --header 'X-Auth-Token: %' u", "net use x: \\\\h\\s % /user:me",
		"curl -u me:% https://h", "curl -ume:% https://h", "curl -u 'me:%' https://h", "curl -u \"me:%\" https://h", "curl -su me:% https://h", "curl -sSLu me:% https://h", "curl --user me:% h", "curl --user=me:% h", "curl -U me:% -x p h", "curl --proxy-user me:% h", "curl --pass % h", "curl -E cert.pem:% h", "curl --cert cert.pem:% h", "curl -d 'user=me&password=%' h", "curl -d '{\"user\":\"me\",\"password\":\"%\"}' h", "curl -d \"{\\\"password\\\":\\\"%\\\"}\" h", "curl --data-urlencode 'password=%' h", "curl -F password=% h", "curl -b 'sid=%' h", "curl --cookie 'session=%' h", "curl -b sid=% h",
		"curl -H 'Authorization: Bearer %' h", "curl -H \"Authorization: Bearer %\" h", "curl -H Authorization:\\ Bearer\\ % h", "curl -H'Authorization: Bearer %' h", "curl --header='Authorization: token %' h", "curl -H 'authorization: Basic %' h", "curl -H 'Authorization: %' h", "curl -H 'PRIVATE-TOKEN: %' h", "curl -H 'X-API-Key:%' h", "curl -H 'api-key: %' h", "curl -H \"x-auth: %\" h", "curl -H 'Cookie: a=b; sid=%' h", "curl -H 'Proxy-Authorization: Basic %' h", "curl -H 'DD-API-KEY: %' h", "curl -H 'X-Vault-Token: %' h", "curl -H 'X-Amz-Security-Token: %' h", "http h Authorization:'Bearer %'", "http h 'Authorization:Bearer %'", "Authorization: Bearer %", "Bearer %", "fetch(u, {headers: {Authorization: `Bearer %`}})", "requests.get(u, headers={'Authorization': 'Bearer %'})", "requests.get(u, auth=('me', '%'))", "connect(password='%')", "connect(host='h', passwd=\"%\")", "client = Client(api_key='%')", "new Client({apiKey: '%'})", "secret: %", "password: '%'", "echo 'password: %' >> f", "echo \"DB_PASSWORD=%\" >> .env", "echo '%' | docker login --password-stdin", "echo % | docker login -u me --password-stdin r", "echo % | sudo -S ls", "printf '%' | gh auth login --with-token", "docker login --password-stdin <<< '%'", "sudo -S ls <<<%", "echo 'me:%' | chpasswd", "echo 'me:%' | sudo chpasswd", "printf '%%s\\n' % | passwd --stdin me", "cat <<EOF > .env\nDB_PASSWORD=%\nEOF", "docker run -e POSTGRES_PASSWORD=% pg", "docker run --env API_TOKEN=% x", "docker build --build-arg NPM_TOKEN=% .", "kubectl create secret generic s --from-literal=key=%", "kubectl create secret generic s --from-literal key=%", "kubectl create secret docker-registry s --docker-password=%", "terraform apply -var db_password=%", "terraform apply -var='db_password=%'", "TF_VAR_secret=% terraform apply", "heroku config:set SECRET_KEY=%", "fly secrets set KEY=%", "vercel --token %", "vault login %", "vault kv put secret/x password=%", "vault kv put secret/x value=%", "git clone https://me:%@h/x", "git remote set-url origin https://oauth2:%@h/x.git", "git -c http.extraHeader='Authorization: Basic %' fetch", "git push ftp://me:%@h/x", "curl 'https://h/?access_token=%&x=1'", "curl 'https://h/?api_key=%'", "curl 'https://h/?sig=%'", "curl 'https://h/?X-Amz-Signature=%&x=1'", "curl 'https://h/?code=1&client_secret=%'", "amqp://me:%@h/", "redis://:%@h:6379/0", "mongodb+srv://me:%@h/db", "sqlserver://h;user=sa;password=%;x=1", "Server=h;User Id=sa;Password=%;", "Server=h;Uid=sa;Pwd=%;", "DefaultEndpointsProtocol=https;AccountName=n;AccountKey=%;EndpointSuffix=x", "SharedAccessKey=%", "machine h login me password %", "echo 'machine h login me password %' > ~/.netrc", "export FOO_KEY=%", "STRIPE_KEY=% x", "SSHPASS=% sshpass -e ssh h", "BORG_PASSPHRASE=% borg create r", "RESTIC_PASSWORD=% restic backup", "psexec \\\\h -u me -p % cmd", "security add-generic-password -a me -s x -w %", "op signin --raw <<< %", "nmcli dev wifi connect x password %", "wpa_passphrase net %", "vncpasswd -f <<< %", "rclone config create r s3 secret_access_key %", "rclone obscure %", "mc alias set a https://h id %", "s3cmd --secret_key=% ls", "cryptsetup luksOpen d n <<< %", "doctl auth init -t %", "doctl auth init --access-token %", "glab auth login --token %", "glab auth login -t %", "twine upload -u __token__ -p % dist/*", "cargo login %", "cargo publish --token %", "npm publish --otp=%", "nuget push p -k %", "nuget push p -ApiKey %", "dotnet nuget push p --api-key %", "gem push --key %", "poetry config pypi-token.pypi %", "poetry publish -u me -p %", "flyctl auth login -t %",
	} {
		for _, secret := range []string{word, two} {
			in := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(command, "%%", "\x00"), "%", secret), "\x00", "%")
			a := risk.Judge(event.Tool{Name: "Bash", Class: event.Shell, Command: in + " > out.txt; (("}, "/repo", w, risk.Rules{})
			b := risk.Judge(event.Tool{Name: "Bash", Class: event.Shell, Command: in + " > out.txt"}, "/repo", w, risk.Rules{})
			for _, a := range []risk.Assessment{a, b} {
				r := LogRecord(gate.Decision{Verdict: event.Block, Rule: gate.RuleRecovery, Assessment: a})
				if all := strings.Join([]string{r.Programs, r.Target, r.Reason}, "\n"); strings.Contains(all, secret) {
					t.Errorf("%s: the log has %q", in, all)
				}
			}
		}
	}
}
