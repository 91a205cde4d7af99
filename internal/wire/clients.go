package wire

import "github.com/mbgate/mbgate/internal/event"

// Clients lists the clients that mbgate knows, with what each can do; the generic shape is the last one.
func Clients() []event.Client {
	table := adapters()
	out := make([]event.Client, len(table))
	for i, a := range table {
		out[i] = *a.client()
	}
	return out
}

// ClientByName is the client that --agent names, by its name or a shorter one ("claude"); false if there is none.
func ClientByName(name string) (event.Client, bool) {
	table := adapters()
	if i := byName(table, name); i >= 0 {
		return *table[i].client(), true
	}
	return event.Client{}, false
}
