package shell

import (
	"strconv"
	"strings"
)

// ansiC decodes the escapes of $'…'.
func ansiC(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'a', 'b', 'f', 'v', 'e', 'E':
			b.WriteByte(' ')
		case 'x', 'u', 'U':
			digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
			n, used := number(s[i+1:], 16, digits)
			i += used
			if c == 'x' {
				b.WriteByte(byte(n))
			} else {
				b.WriteRune(rune(n))
			}
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n, used := number(s[i:], 8, 3)
			i += used - 1
			b.WriteByte(byte(n))
		case 'c':
			i++
		default:
			if strings.IndexByte(`\'"?`, c) < 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		}
	}
	return b.String()
}

func number(s string, base, most int) (int, int) {
	used := 0
	for used < len(s) && used < most {
		if _, err := strconv.ParseUint(s[used:used+1], base, 8); err != nil {
			break
		}
		used++
	}
	n, _ := strconv.ParseUint(s[:used], base, 32)
	return int(n), used
}
