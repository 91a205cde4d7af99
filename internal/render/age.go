package render

import (
	"fmt"
	"time"
)

// age says how long ago something was, as people say it.
func age(at, now time.Time) string {
	if at.IsZero() {
		return "at an unknown time"
	}
	d := now.Sub(at)
	switch {
	case d < -time.Minute:
		return "in the future"
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	case d < 48*time.Hour:
		return "yesterday"
	}
	return plural(int(d.Hours()/24), "day") + " ago"
}
