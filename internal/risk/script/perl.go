package script

func (p *parser) perlUse(t token) (*node, bool) { return nil, false }
func (p *parser) perlFor() *node                { return nil }
