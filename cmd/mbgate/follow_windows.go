package main

import "os"

// readerGone: Windows tells of a closed pipe only when something is written to it.
func readerGone(*os.File) bool { return false }
