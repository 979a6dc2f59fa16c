// Writes moments, in seconds since 1970, one a line, in the layouts that people use in Go: "line TAB layout TAB base64".
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"time"
)

func main() {
	layouts := []string{
		"02-01-2006 15:04:05", "02-01-2006 03:04:05", "01-02-2006 15:04:05", "2006-01-02 15:04:05", "02-Jan-2006 15:04:05",
		"dd-mm-yyyy hh:mm:ss", time.RFC3339,
	}
	input := bufio.NewScanner(os.Stdin)
	for line := 0; input.Scan(); line++ {
		seconds, err := strconv.ParseInt(input.Text(), 10, 64)
		if err != nil {
			panic(err)
		}
		moment := time.Unix(seconds, 0).UTC()
		write := func(way, text string) {
			fmt.Printf("%d\t%s\t%s\n", line, way, base64.StdEncoding.EncodeToString([]byte(text)))
		}
		for _, layout := range layouts {
			write(layout, moment.Format(layout))
		}
		write("String", moment.String())
		write("Unix", strconv.FormatInt(moment.Unix(), 10))
	}
}
