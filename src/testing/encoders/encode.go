// Writes JSON texts, one a line on standard input, again in each way in which people use Go: "line TAB way TAB base64".
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
)

// typed builds the value as a program has it that declared a struct for it: members in their order, whole numbers as int64.
func typed(decoder *json.Decoder, tag string) any {
	token, err := decoder.Token()
	check(err)
	switch one := token.(type) {
	case json.Delim:
		if one == '[' {
			return list(decoder, tag)
		}
		return object(decoder, tag)
	case json.Number:
		if whole, err := one.Int64(); err == nil {
			return whole
		}
		float, err := one.Float64()
		check(err)
		return float
	}
	return token
}

func list(decoder *json.Decoder, tag string) any {
	items := []any{}
	for decoder.More() {
		items = append(items, typed(decoder, tag))
	}
	_, err := decoder.Token()
	check(err)
	return items
}

func object(decoder *json.Decoder, tag string) any {
	fields := []reflect.StructField{}
	values := []any{}
	for decoder.More() {
		name, err := decoder.Token()
		check(err)
		value := typed(decoder, tag)
		kind := reflect.TypeOf(value)
		if kind == nil {
			kind = reflect.TypeOf((*any)(nil)).Elem()
		}
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("F%d", len(fields)),
			Type: kind,
			Tag:  reflect.StructTag(fmt.Sprintf(`json:"%s%s"`, name, tag)),
		})
		values = append(values, value)
	}
	_, err := decoder.Token()
	check(err)
	made := reflect.New(reflect.StructOf(fields)).Elem()
	for at, value := range values {
		if value != nil {
			made.Field(at).Set(reflect.ValueOf(value))
		}
	}
	return made.Interface()
}

func structOf(text, tag string) any {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	return typed(decoder, tag)
}

func mapOf(text string, numbers bool) any {
	var value any
	decoder := json.NewDecoder(strings.NewReader(text))
	if numbers {
		decoder.UseNumber()
	}
	check(decoder.Decode(&value))
	return value
}

func marshal(value any) []byte {
	text, err := json.Marshal(value)
	check(err)
	return text
}

func indent(value any, by string) []byte {
	text, err := json.MarshalIndent(value, "", by)
	check(err)
	return text
}

func encode(value any, html bool) []byte {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(html)
	check(encoder.Encode(value))
	return buffer.Bytes()
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	for line := 0; input.Scan(); line++ {
		text := input.Text()
		value := structOf(text, "")
		loose := mapOf(text, false)
		ways := []struct {
			way  string
			text []byte
		}{
			{"Marshal of a struct", marshal(value)},
			{"Marshal of a struct, omitempty", marshal(structOf(text, ",omitempty"))},
			{"Marshal of a map", marshal(loose)},
			{"Marshal of a map, UseNumber", marshal(mapOf(text, true))},
			{"Encoder", encode(value, true)},
			{"Encoder, SetEscapeHTML(false)", encode(value, false)},
			{"SetEscapeHTML(false), trimmed", bytes.TrimSpace(encode(value, false))},
			{"MarshalIndent", indent(value, "  ")},
			{"MarshalIndent with a tab", indent(value, "\t")},
			{"Marshal of []byte", bytes.Trim(marshal(bytes.TrimSpace(encode(value, false))), `"`)},
			{"Marshal of a string", marshal(string(marshal(value)))},
			{"Sprint of a map", []byte(fmt.Sprint(loose))},
		}
		for _, one := range ways {
			fmt.Printf("%d\t%s\t%s\n", line, one.way, base64.StdEncoding.EncodeToString(one.text))
		}
	}
}
