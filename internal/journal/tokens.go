package journal

import "strings"

// tokens are secrets that are known by how they begin. The number is how many characters of a token must follow: few
// where nothing else begins so.
func tokens() []struct {
	prefix string
	least  int
} {
	return []struct {
		prefix string
		least  int
	}{
		{"sk-", 8},         // OpenAI, Anthropic, OpenRouter
		{"sk_live_", 4},    // Stripe
		{"sk_test_", 4},    //
		{"rk_live_", 4},    //
		{"rk_test_", 4},    //
		{"whsec_", 8},      //
		{"xai-", 20},       // xAI
		{"gsk_", 20},       // Groq
		{"r8_", 20},        // Replicate
		{"pplx-", 20},      // Perplexity
		{"ghp_", 4},        // GitHub: personal, OAuth, user, server, refresh, fine-grained
		{"gho_", 4},        //
		{"ghu_", 4},        //
		{"ghs_", 4},        //
		{"ghr_", 4},        //
		{"github_pat_", 4}, //
		{"glpat-", 4},      // GitLab: personal, runner, deploy, pipeline, feed, agent, job, SCIM
		{"glrt-", 8},       //
		{"gldt-", 8},       //
		{"glptt-", 8},      //
		{"glft-", 8},       //
		{"glagent-", 8},    //
		{"glcbt-", 8},      //
		{"glsoat-", 8},     //
		{"xoxa-", 4},       // Slack
		{"xoxb-", 4},       //
		{"xoxc-", 4},       //
		{"xoxd-", 4},       //
		{"xoxe-", 4},       //
		{"xoxe.", 4},       //
		{"xoxp-", 4},       //
		{"xoxr-", 4},       //
		{"xoxs-", 4},       //
		{"xapp-", 4},       //
		{"AKIA", 12},       // AWS: key ids, long-lived and temporary; Bedrock
		{"ASIA", 12},       //
		{"ABSK", 20},       //
		{"AIza", 20},       // Google
		{"ya29.", 8},       //
		{"GOCSPX-", 8},     //
		{"hf_", 12},        // Hugging Face
		{"npm_", 12},       // npm
		{"pypi-", 12},      // PyPI
		{"rubygems_", 12},  // RubyGems
		{"oy2", 40},        // NuGet
		{"dckr_pat_", 8},   // Docker Hub
		{"dop_v1_", 8},     // DigitalOcean
		{"doo_v1_", 8},     //
		{"SG.", 16},        // SendGrid
		{"SK", 32},         // Twilio
		{"shpat_", 8},      // Shopify
		{"shpss_", 8},      //
		{"hvs.", 8},        // Vault
		{"hvb.", 8},        //
		{"dp.pt.", 8},      // Doppler
		{"dp.st.", 8},      //
		{"dapi", 32},       // Databricks
		{"ATATT3", 12},     // Atlassian
		{"lin_api_", 8},    // Linear
		{"ntn_", 16},       // Notion
		{"secret_", 40},    //
		{"figd_", 8},       // Figma
		{"glsa_", 8},       // Grafana
		{"glc_", 16},       //
		{"PMAK-", 8},       // Postman
		{"NRAK-", 8},       // New Relic
		{"sntrys_", 8},     // Sentry
		{"eyJ", 20},        // JSON web tokens
		{"AGE-SECRET-KEY-", 4},
		{"hooks.slack.com/services/", 4},
		{"hooks.slack.com/workflows/", 4},
		{"discord.com/api/webhooks/", 4},
		{"discordapp.com/api/webhooks/", 4},
	}
}

// maskTokens masks the tokens of the table, and with random what looks like drawn by lot.
func maskTokens(text string, random bool) string {
	table := tokens()
	var b strings.Builder
	last := 0
scan:
	for i := 0; i < len(text); i++ {
		if i > 0 && alnum(text[i-1]) && !escaped(text, i) {
			continue
		}
		for _, t := range table {
			if t.prefix[0] != text[i] || !strings.HasPrefix(text[i:], t.prefix) {
				continue
			}
			j := i + len(t.prefix)
			end := j
			for end < len(text) && (alnum(text[end]) || strings.IndexByte("_-.+/=", text[end]) >= 0) {
				end++
			}
			if end-j >= t.least {
				b.WriteString(text[last:j] + mask)
				last, i = end, end-1
				continue scan
			}
		}
		end := i
		for end < len(text) && (alnum(text[end]) || text[end] == '_' || text[end] == '-') {
			end++
		}
		if random && drawn(text[i:end]) {
			b.WriteString(text[last:i] + mask)
			last, i = end, end-1
		}
	}
	b.WriteString(text[last:])
	return b.String()
}

// escaped reports whether a word begins at i behind \n, \t and the like, whose letter is none of it.
func escaped(text string, i int) bool { return i > 1 && text[i-2] == '\\' }

// drawn reports whether a word looks like drawn by lot from letters and digits: long, and its neighbours of a different
// kind (upper case, lower case, digit) more often than in any name that people give. Of letters and digits drawn evenly,
// 62 % of the neighbours differ; of names in camel case 30 to 48 %. A word of lower case or hexadecimal digits alone is
// none: so are the names of commits and sessions.
func drawn(word string) bool {
	if len(word) < 20 {
		return false
	}
	var kinds [3]int
	changes, before, letters := 0, -1, 0
	for i := range len(word) {
		kind := 0
		switch c := word[i]; {
		case c >= '0' && c <= '9':
		case c >= 'a' && c <= 'z':
			kind = 1
		case c >= 'A' && c <= 'Z':
			kind = 2
		default:
			before = -1
			continue
		}
		kinds[kind]++
		letters++
		if before >= 0 && kind != before {
			changes++
		}
		before = kind
	}
	return kinds[0] >= 3 && kinds[1] >= 3 && kinds[2] >= 3 && changes*2 >= letters
}
