package risk

import "strings"

// globGroup is what one group of globs stands for, in the word that a reason shows, and the globs themselves, separated
// by blanks. They are matched without regard to case, so they are written in lower case.
type globGroup struct{ what, globs string }

// AgentFiles says where coding agents are configured: by file and not by folder, since most of such a folder is a
// project's own prompts and skills. Globs are separated by blanks.
type AgentFiles struct {
	// Project are globs over canonical paths of a project (SPEC P4); DefaultSensitive takes them.
	Project string
	// Home are globs below the home folder. Those files lie outside of every project, and are high risk all the same (R6).
	Home string
	// Moved are the folders that environment variables put elsewhere.
	Moved []MovedFolder
}

// MovedFolder is an absolute folder that stands for Folder below the home folder, "" for the home folder itself. It may be a
// file, too.
type MovedFolder struct{ Path, Folder string }

// sensitiveGroups is the default list of SPEC §8, without the configuration of agents, which comes first. The order is that in
// which a path is named: an .env file in a folder auth/ is a secret first.
func sensitiveGroups() []globGroup {
	return []globGroup{
		{"git hooks and configuration", `
			**/.git/hooks/** **/.git/config **/.git/config.worktree **/.git/info/attributes **/.git/modules/**/hooks/** **/.git/modules/**/config
			**/.git/worktrees/*/config.worktree **/.githooks/** **/.husky/** **/.gitmodules **/lefthook*.yml **/lefthook*.yaml **/lefthook*.toml
			**/.lefthook*.yml **/.pre-commit-config.yaml **/.pre-commit-hooks.yaml **/.overcommit.yml`},
		{"secrets", `
			**/.env **/.env.* **/*.env **/.envrc **/.dev.vars **/.npmrc **/.yarnrc **/.yarnrc.yml **/.pypirc **/.netrc **/.htpasswd **/*.pem
			**/*.key **/*.p12 **/*.pfx **/*.jks **/*.keystore **/id_rsa* **/id_ed25519* **/secret/** **/secrets/** **/credential/**
			**/credentials/** **/secrets.y*ml **/secrets.json **/credentials.json **/credentials.y*ml **/.aws/** **/.ssh/** **/.gnupg/** **/.sops.yaml`},
		{"authentication and security", `
			**/auth/** **/authn/** **/authz/** **/authentication/** **/authorization/** **/oauth/** **/oauth2/** **/oidc/** **/sso/** **/saml/**
			**/jwt/** **/mfa/** **/2fa/** **/iam/** **/acl/** **/rbac/** **/login/** **/password/** **/passwords/** **/permission/**
			**/permissions/** **/security/** **/crypto/** **/encryption/** **/middleware/auth.*`},
		{"CI workflow", `
			**/.github/workflows/** **/.github/actions/** **/.github/dependabot.y*ml **/.github/codeowners **/codeowners **/.gitlab-ci*.y*ml
			**/.gitlab/ci/** **/.circleci/** **/.travis.y*ml **/jenkinsfile* **/azure-pipelines*.y*ml **/.azure-pipelines/** **/bitbucket-pipelines.y*ml
			**/.buildkite/** **/.drone.y*ml **/.woodpecker/** **/.woodpecker.y*ml **/.forgejo/workflows/** **/.gitea/workflows/** **/appveyor.y*ml
			**/.appveyor.y*ml **/.cirrus.y*ml **/.semaphore/** **/.teamcity/** **/cloudbuild.y*ml **/buildspec*.y*ml **/.goreleaser.y*ml`},
		{"container", `
			**/dockerfile **/dockerfile.* **/*.dockerfile **/containerfile **/containerfile.* **/.dockerignore **/docker-compose*.y*ml
			**/compose.y*ml **/compose.*.y*ml **/docker-bake.* **/docker/** **/.docker/** **/.devcontainer/** **/devcontainer.json **/.devcontainer.json`},
		{"infrastructure", `
			**/infra/** **/infrastructure/** **/terraform/** **/.terraform/** **/.terraform.lock.hcl **/*.tf **/*.tf.json **/*.tfvars
			**/*.tfstate **/*.hcl **/k8s/** **/kubernetes/** **/helm/** **/helmfile.y*ml **/chart.yaml **/chart.lock **/kustomization.y*ml
			**/kustomize/** **/argocd/** **/ansible/** **/ansible.cfg **/playbook*.y*ml **/puppet/** **/pulumi*.y*ml **/cloudformation/**
			**/serverless.y*ml **/skaffold.y*ml **/tiltfile **/vagrantfile **/*.nomad **/fly.toml **/vercel.json **/netlify.toml **/render.yaml
			**/procfile **/app.yaml **/wrangler.toml **/wrangler.json* **/cdk.json **/samconfig.toml **/firebase.json **/firestore.rules **/nginx.conf`},
		{"migration or schema", `
			**/migrations/** **/migration/** **/migrate/** **/alembic/** **/alembic.ini **/flyway/** **/liquibase/** **/schema.sql **/schema.rb
			**/structure.sql **/schema.prisma **/*.prisma **/schema.graphql **/schema.gql **/schema.json **/schema.ts **/schema.js
			**/schema.xml **/schema.y*ml **/*.schema.sql **/schemas.sql **/drizzle/** **/drizzle.config.* **/knexfile.* **/ormconfig.*`},
		{"manifest", `
			**/package.json **/pnpm-workspace.yaml **/lerna.json **/nx.json **/turbo.json **/rush.json **/deno.json **/deno.jsonc **/jsr.json **/bower.json
			**/bunfig.toml **/go.mod **/go.work **/cargo.toml **/rust-toolchain **/rust-toolchain.toml **/.cargo/config.toml **/.cargo/config
			**/pyproject.toml **/setup.py **/setup.cfg **/requirements*.txt **/requirements*.in **/constraints*.txt **/pipfile **/environment.y*ml
			**/tox.ini **/uv.toml **/pixi.toml **/gemfile **/*.gemspec **/composer.json **/pom.xml **/build.gradle **/build.gradle.kts
			**/settings.gradle **/settings.gradle.kts **/gradle.properties **/libs.versions.toml **/gradle-wrapper.properties **/build.sbt **/mix.exs **/rebar.config
			**/*.csproj **/*.fsproj **/*.vbproj **/*.sln **/*.slnx **/directory.*.props **/directory.*.targets **/packages.config **/nuget.config
			**/global.json **/paket.dependencies **/pubspec.yaml **/package.swift **/podfile **/cartfile **/*.podspec **/project.pbxproj
			**/stack.yaml **/cabal.project **/*.cabal **/dune-project **/*.opam **/deps.edn **/project.clj **/shard.yml **/build.zig.zon **/flake.nix
			**/shell.nix **/default.nix **/conanfile.* **/vcpkg.json **/meson.build **/cmakelists.txt **/module.bazel **/workspace.bazel`},
		{"lock file", `
			**/package-lock.json **/npm-shrinkwrap.json **/yarn.lock **/pnpm-lock.yaml **/bun.lock **/bun.lockb **/deno.lock **/go.sum **/go.work.sum
			**/cargo.lock **/poetry.lock **/pdm.lock **/uv.lock **/pixi.lock **/pipfile.lock **/conda-lock.y*ml **/gemfile.lock **/composer.lock
			**/gradle.lockfile **/mix.lock **/rebar.lock **/packages.lock.json **/paket.lock **/pubspec.lock **/package.resolved **/podfile.lock
			**/cartfile.resolved **/stack.yaml.lock **/cabal.project.freeze **/flake.lock **/conan.lock **/module.bazel.lock **/shard.lock **/renv.lock`},
		{"compiler or bundler configuration", `
			**/tsconfig*.json **/jsconfig*.json **/vite.config.* **/vitest.config.* **/webpack*.config.* **/webpack.*.js **/rollup*.config.* **/rspack.config.*
			**/rsbuild.config.* **/esbuild.config.* **/tsup.config.* **/parcel*.config.* **/.parcelrc **/babel.config.* **/.babelrc **/.babelrc.*
			**/.swcrc **/swc.config.* **/metro.config.* **/next.config.* **/nuxt.config.* **/svelte.config.* **/astro.config.* **/remix.config.*
			**/angular.json **/vue.config.* **/craco.config.* **/postcss.config.* **/tailwind.config.* **/biome.json* **/.browserslistrc
			**/gulpfile.* **/gruntfile.* **/build.rs **/build.zig **/.bazelrc **/buf.yaml **/buf.gen.yaml`},
	}
}

// DefaultSensitive are the globs of files whose change is high risk, over canonical paths, matched without regard to
// case (SPEC §8): those of agents' configuration, which are separated by blanks, and mbgate's own list. The caller may
// change the slice.
func DefaultSensitive(agents string) []string {
	all := make([]string, 0, 512) // every hook takes this list: one piece of memory instead of thirty
	for f := range strings.FieldsSeq(agents) {
		all = append(all, f)
	}
	for _, g := range sensitiveGroups() {
		for f := range strings.FieldsSeq(g.globs) {
			all = append(all, f)
		}
	}
	return all
}

// DefaultSafe are the globs of files whose change is low risk, over canonical paths (SPEC §8).
func DefaultSafe() []string {
	return []string{
		"memory-bank/details/progress.md",
		"memory-bank/details/learnings/**",
		"memory-bank/details/requirements/**",
		"memory-bank/details/**/index.md",
	}
}

// groupOf is the word for a glob of the default list; a glob of a project's own list stands for itself.
func groupOf(glob, agents string) string {
	for f := range strings.FieldsSeq(agents) {
		if f == glob {
			return agentConfiguration
		}
	}
	for _, g := range sensitiveGroups() {
		for f := range strings.FieldsSeq(g.globs) {
			if f == glob {
				return g.what
			}
		}
	}
	return "matches " + glob
}
