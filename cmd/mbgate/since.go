package main

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// sinceForms shows how a time is written.
const sinceForms = "90m, 2h, 3d, 1w, today, yesterday, 15:04, 2026-11-20, \"2026-11-20 15:04\", 2026-11-20T15:04:05Z"

// parseSince reads a time as journalctl and git do: a length of time before now (2h, 3d, 1d12h,
// also "2h ago"), the beginning of today or yesterday, a time of today, the beginning of a day, a day and a time, or RFC
// 3339. A time without a zone is in the zone of now.
func parseSince(value string, now time.Time) (time.Time, error) {
	v := strings.TrimSpace(value)
	day := func(t time.Time, back int) time.Time {
		return time.Date(t.Year(), t.Month(), t.Day()-back, 0, 0, 0, 0, t.Location())
	}
	switch strings.ToLower(v) {
	case "now":
		return now, nil
	case "today":
		return day(now, 0), nil
	case "yesterday":
		return day(now, 1), nil
	}
	if d, ok := parseAge(strings.TrimPrefix(strings.TrimSuffix(v, " ago"), "-")); ok {
		return now.Add(-d), nil
	}
	for _, layout := range []string{
		time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02",
	} {
		if t, err := time.ParseInLocation(layout, v, now.Location()); err == nil {
			return t, nil
		}
	}
	for _, layout := range []string{"15:04:05", "15:04"} {
		if t, err := time.Parse(layout, v); err == nil {
			return time.Date(now.Year(), now.Month(), now.Day(), t.Hour(), t.Minute(), t.Second(), 0, now.Location()), nil
		}
	}
	return time.Time{}, errors.New("it is not a time; write one like " + sinceForms)
}

// parseAge reads a length of time: numbers with w, d, h, m or s behind each.
func parseAge(v string) (time.Duration, bool) {
	units := map[byte]time.Duration{'w': 7 * 24 * time.Hour, 'd': 24 * time.Hour, 'h': time.Hour, 'm': time.Minute, 's': time.Second}
	var total time.Duration
	for rest := v; rest != ""; {
		n := 0
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		count, err := strconv.Atoi(rest[:n])
		if err != nil || n > 5 || n == len(rest) {
			return 0, false
		}
		unit, ok := units[rest[n]]
		if !ok {
			return 0, false
		}
		total += time.Duration(count) * unit
		rest = rest[n+1:]
	}
	return total, v != ""
}
