// Runs programs that sign, a case a line, on the clock of the case: `time` is the case's own. The programs are written beside this file as
// functions, by `run-go.mjs`. Prints a line for each case.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	realTime "time"
)

type clock struct {
	RFC3339 string
	Second  realTime.Duration
	moments []int64
}

var time = clock{RFC3339: realTime.RFC3339, Second: realTime.Second}

func (clock) Now() realTime.Time {
	now := time.moments[0]
	if len(time.moments) > 1 {
		time.moments = time.moments[1:]
	}
	return realTime.Unix(now, 0)
}

// built makes the values as a program has them that declared a struct for them: members in their order, whole numbers as int64.
func built(decoder *json.Decoder) any {
	token, err := decoder.Token()
	check(err)
	switch token {
	case json.Delim('['):
		items := []any{}
		for decoder.More() {
			items = append(items, built(decoder))
		}
		decoder.Token()
		return items
	case json.Delim('{'):
		fields, values := []reflect.StructField{}, []any{}
		for decoder.More() {
			name, _ := decoder.Token()
			tag := reflect.StructTag("json:" + strconv.Quote(name.(string)))
			fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", len(fields)), Type: reflect.TypeOf((*any)(nil)).Elem(), Tag: tag})
			values = append(values, built(decoder))
		}
		decoder.Token()
		made := reflect.New(reflect.StructOf(fields)).Elem()
		for at, value := range values {
			if value != nil {
				made.Field(at).Set(reflect.ValueOf(value))
			}
		}
		return made.Interface()
	}
	return plain(token)
}

func plain(value any) any {
	switch one := value.(type) {
	case json.Number:
		if whole, err := one.Int64(); err == nil {
			return whole
		}
		float, err := one.Float64()
		check(err)
		return float
	case []any:
		for at := range one {
			one[at] = plain(one[at])
		}
	case map[string]any:
		for name := range one {
			one[name] = plain(one[name])
		}
	}
	return value
}

func decoderOf(text string) *json.Decoder {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	return decoder
}

// fill sets what a program declared, by the names of its fields.
func fill(data any, body []byte) {
	members := map[string]any{}
	check(decoderOf(string(body)).Decode(&members))
	made := reflect.ValueOf(data).Elem()
	if made.Kind() == reflect.Map {
		made.Set(reflect.ValueOf(plain(members)).Convert(made.Type()))
		return
	}
	set(made, members)
}

func set(field reflect.Value, value any) {
	text := fmt.Sprint(value)
	switch field.Kind() {
	case reflect.String:
		field.SetString(text)
	case reflect.Bool:
		field.SetBool(value.(bool))
	case reflect.Int64:
		whole, err := strconv.ParseInt(text, 10, 64)
		check(err)
		field.SetInt(whole)
	case reflect.Float64:
		float, err := strconv.ParseFloat(text, 64)
		check(err)
		field.SetFloat(float)
	case reflect.Struct:
		for name, member := range value.(map[string]any) {
			if member != nil {
				set(field.FieldByName(strings.ToUpper(name[:1])+name[1:]), member)
			}
		}
	case reflect.Slice:
		items := value.([]any)
		field.Set(reflect.MakeSlice(field.Type(), len(items), len(items)))
		for at, item := range items {
			set(field.Index(at), item)
		}
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

type given struct {
	At, Platform, PartnerID int
	Key, Zone, Action       string
	Data                    *string
	Clock                   []int64
}

type answer struct {
	Hash  []byte `json:"hash,omitempty"`
	Time  string `json:"time,omitempty"`
	Error string `json:"error,omitempty"`
}

func run(one given) (made answer) {
	defer func() {
		if problem := recover(); problem != nil {
			made = answer{Error: fmt.Sprint(problem)}
		}
	}()
	time.moments = one.Clock
	zone, err := realTime.LoadLocation(one.Zone)
	check(err)
	realTime.Local = zone
	os.Setenv("PRIVATE_KEY", one.Key)
	var data any
	text := ""
	if one.Data != nil {
		text = *one.Data
		data = built(decoderOf(text))
	}
	hash, written := programs[one.At](data, []byte(text), one.Action, one.Platform, one.PartnerID)
	return answer{Hash: []byte(hash), Time: written}
}

func main() {
	input := json.NewDecoder(os.Stdin)
	for input.More() {
		var one given
		check(input.Decode(&one))
		json.NewEncoder(os.Stdout).Encode(run(one))
	}
}
