package main

import "os"

// unread: Windows tells of a closed pipe only when something is written to it.
func unread(*os.File) bool { return false }
