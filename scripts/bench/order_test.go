package main

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestOrder: every program runs once in a round, and the hooks in the order of their session.
func TestOrder(t *testing.T) {
	all := make([]row, 7)
	for _, i := range []int{2, 3, 5, 6} {
		all[i].hook = true
	}
	random := rand.New(rand.NewPCG(1, 2))
	places := map[int]bool{}
	for range 200 {
		got := order(random, all)
		places[slices.Index(got, 0)] = true
		if sorted := slices.Sorted(slices.Values(got)); !slices.Equal(sorted, []int{0, 1, 2, 3, 4, 5, 6}) {
			t.Fatalf("a round is %v", got)
		}
		if hooks := slices.DeleteFunc(got, func(i int) bool { return !all[i].hook }); !slices.IsSorted(hooks) {
			t.Fatalf("the hooks run as %v", hooks)
		}
	}
	if len(places) != len(all) {
		t.Errorf("the empty program only ran at the places %v", places)
	}
}
