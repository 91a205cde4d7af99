package main

import (
	"slices"
	"time"
)

// quantile is the value that a part q of the durations does not exceed (nearest rank); 0 for none.
func quantile(all []time.Duration, q float64) time.Duration {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	rank := int(q*float64(len(sorted))+0.999999) - 1
	return sorted[min(max(rank, 0), len(sorted)-1)]
}

func median(all []time.Duration) time.Duration { return quantile(all, 0.5) }
