package prompt

import (
	"regexp"
	"strings"
	"sync"
)

// A prompt of at least minPlan bytes with so many headings or numbered steps outside code is itself a plan.
const (
	minPlan      = 1000
	planHeadings = 2
	planSteps    = 3
)

// MaxPlan is how much of a plan is kept, in bytes (A7).
const MaxPlan = 64 << 10

var (
	planHeading = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^(?:#{1,6} \S|\*\*[^*\n]+\*\*:?$|[一二三四五六七八九十]+、|第[一二三四五六七八九十\d]+[步章节部阶])`)
	})
	planStep = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?mi)^\s*(?:\d{1,2}[.)、．]|step \d+|phase \d+|[-*] \[[ x]\])\s*\S`)
	})
)

// PlanOf is the plan that a prompt itself is, cut at MaxPlan; "" for a prompt that is none, and for one that looks like it holds a
// secret. words is what the person says before the plan begins; it is the whole of a prompt without a plan.
func PlanOf(text string) (plan, words string) {
	if len(text) < minPlan {
		return "", text
	}
	plan = firstBytes(text, MaxPlan)
	own := blank(plan)
	headings, steps := planHeading().FindAllStringIndex(own, planHeadings), planStep().FindAllStringIndex(own, planSteps)
	if len(headings) < planHeadings && len(steps) < planSteps {
		return "", text
	}
	words = plan
	for _, at := range append(headings, steps...) {
		words = words[:min(len(words), at[0])]
	}
	if HoldsSecret(plan) {
		return "", words
	}
	return strings.TrimRight(plan, "\n") + "\n", words
}
