package journal

// noWait: Windows has neither FIFOs in folders nor links that everybody can make.
const noWait = 0
