// Asks as a backend in Go does: `client.go URL CA`, and prints what came.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	base := os.Args[1]
	pem, err := os.ReadFile(os.Args[2])
	check(err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig:       &tls.Config{RootCAs: roots},
		ForceAttemptHTTP2:     true,
		ExpectContinueTimeout: time.Minute,
	}}
	text := `{"action":"gameList"}`
	ask := func(method, path string, body io.Reader, more ...string) {
		request, err := http.NewRequest(method, base+path, body)
		check(err)
		for at := 0; at < len(more); at += 2 {
			request.Header[more[at]] = []string{more[at+1]}
		}
		got, err := client.Do(request)
		check(err)
		bytes, err := io.ReadAll(got.Body)
		check(err)
		got.Body.Close()
		fmt.Println(got.Proto, got.Status, got.Header, got.Trailer, len(bytes), string(bytes[:min(50, len(bytes))]))
	}
	ask("GET", "/sized?x=%20y&z", nil)
	ask("POST", "/sized", strings.NewReader(text), "Content-Type", "application/json", "X-mixed-CASE", "\xe9 a")
	ask("POST", "/chunked", io.MultiReader(strings.NewReader(text)))
	ask("HEAD", "/sized", nil)
	ask("POST", "/early", strings.NewReader(text))
	ask("PUT", "/error", strings.NewReader("\xff\x00"))
	ask("POST", "/nothing", strings.NewReader(""))
	ask("POST", "/large", strings.NewReader(strings.Repeat("a/é", 300_000)), "Expect", "100-continue")
	ask("GET", "/end", nil)
	ask("POST", "/sized", strings.NewReader(text), "Connection", "close")
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}
