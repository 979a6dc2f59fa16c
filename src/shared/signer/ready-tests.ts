/** A file of a ready test, which reads `vectors.json` beside it. */
export interface ReadyTest {
  readonly name: string;
  readonly text: string;
}

const connect = 'Call your own code here. It returns the hash as you send it.';

const phpunit = `<?php
// Run: vendor/bin/phpunit SignerTest.php
use PHPUnit\\Framework\\Attributes\\DataProvider;
use PHPUnit\\Framework\\TestCase;

final class SignerTest extends TestCase
{
    // ${connect}
    // $data is null for an operation without data.
    private static function sign(string $privateKey, string $time, ?object $data): string
    {
        $json = $data === null ? '' : json_encode($data, JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
        return hash('sha256', $privateKey . $time . $json);
    }

    public static function vectors(): iterable
    {
        $file = json_decode(file_get_contents(__DIR__ . '/vectors.json'));
        foreach ($file->cases as $case) {
            yield $case->id => [$file->privateKey, $case->time, $case->data === null ? null : json_decode($case->data), $case->hash];
        }
    }

    /** @dataProvider vectors for PHPUnit 9, which does not read the attribute */
    #[DataProvider('vectors')]
    public function testHash(string $privateKey, string $time, ?object $data, string $hash): void
    {
        self::assertSame($hash, self::sign($privateKey, $time, $data));
    }
}
`;

const jest = `// Run: npx jest signer.test.js, or node --test signer.test.js
// In a package with "type": "module", name it signer.test.cjs.
const { createHash } = require('node:crypto');
const { privateKey, cases } = require('./vectors.json');

// ${connect}
// data is undefined for an operation without data.
function sign(privateKey, time, data) {
  const json = data === undefined ? '' : JSON.stringify(data)
    .replace(/[\\u0080-\\uffff]/g, (c) => '\\\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
  return createHash('sha256').update(privateKey + time + json, 'utf8').digest('hex');
}

const run = typeof test === 'function' ? test : require('node:test');
const { strictEqual } = require('node:assert');
for (const { id, time, data, hash } of cases) {
  run(id, () => strictEqual(sign(privateKey, time, data === null ? undefined : JSON.parse(data)), hash));
}
`;

const pytest = `# Run: pytest test_signer.py
import hashlib
import json
import pathlib

import pytest

FILE = json.loads(pathlib.Path(__file__).with_name('vectors.json').read_text(encoding='utf-8'))


# ${connect}
# data is None for an operation without data.
def sign(private_key, time, data):
    text = '' if data is None else json.dumps(data, separators=(',', ':'))
    return hashlib.sha256((private_key + time + text).encode('utf-8')).hexdigest()


@pytest.mark.parametrize('case', FILE['cases'], ids=lambda case: case['id'])
def test_hash(case):
    data = None if case['data'] is None else json.loads(case['data'])
    assert sign(FILE['privateKey'], case['time'], data) == case['hash']
`;

const junit = `// JUnit 5 with junit-jupiter-params and Jackson, Java 17 or newer. vectors.json is read from the working directory.
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SignerTest {
  static final ObjectMapper JSON = new ObjectMapper();

  // ${connect}
  // data is null for an operation without data.
  static String sign(String privateKey, String time, JsonNode data) throws Exception {
    StringBuilder text = new StringBuilder();
    if (data != null) {
      for (char c : JSON.writeValueAsString(data).toCharArray()) {
        text.append(c < 0x80 ? String.valueOf(c) : String.format("\\\\u%04x", (int) c));
      }
    }
    byte[] bytes = (privateKey + time + text).getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  static Stream<Arguments> vectors() throws Exception {
    JsonNode file = JSON.readTree(new File("vectors.json"));
    return StreamSupport.stream(file.get("cases").spliterator(), false)
        .map(one -> Arguments.of(one.get("id").asText(), file.get("privateKey").asText(), one));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("vectors")
  void hash(String id, String privateKey, JsonNode one) throws Exception {
    JsonNode data = one.get("data").isNull() ? null : JSON.readTree(one.get("data").asText());
    assertEquals(one.get("hash").asText(), sign(privateKey, one.get("time").asText(), data));
  }
}
`;

const go = `// Run: go test signer_test.go
package signer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf16"
)

// ${connect}
// data is empty for an operation without data; your own code uses a struct instead, which keeps the order of fields.
func sign(privateKey, time string, data json.RawMessage) string {
	text := ""
	if len(data) > 0 {
		var compact bytes.Buffer
		if err := json.Compact(&compact, data); err != nil {
			panic(err)
		}
		var escaped strings.Builder
		for _, r := range compact.String() {
			if r < 0x80 {
				escaped.WriteRune(r)
				continue
			}
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&escaped, "\\\\u%04x", unit)
			}
		}
		text = escaped.String()
	}
	sum := sha256.Sum256([]byte(privateKey + time + text))
	return hex.EncodeToString(sum[:])
}

func TestHash(t *testing.T) {
	content, err := os.ReadFile("vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		PrivateKey string
		Cases      []struct {
			ID, Time, Hash string
			Data           *string
		}
	}
	if err := json.Unmarshal(content, &file); err != nil {
		t.Fatal(err)
	}
	for _, one := range file.Cases {
		t.Run(one.ID, func(t *testing.T) {
			var data json.RawMessage
			if one.Data != nil {
				data = json.RawMessage(*one.Data)
			}
			if hash := sign(file.PrivateKey, one.Time, data); hash != one.Hash {
				t.Errorf("got %s, want %s", hash, one.Hash)
			}
		})
	}
}
`;

const xunit = `// xUnit, .NET 6 or newer. vectors.json is read from the folder of this file.
#nullable enable
using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using Xunit;

public class SignerTests
{
    // ${connect}
    // data is null for an operation without data.
    static string Sign(string privateKey, string time, JsonNode? data)
    {
        var options = new JsonSerializerOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };
        var json = data is null ? "" : data.ToJsonString(options);
        // .NET escapes some characters in uppercase, and leaves other non-ASCII characters as they are.
        var text = Regex.Replace(json, @"\\\\u[0-9A-F]{4}|\\\\.|[\\u0080-\\uffff]", match => match.Length switch
        {
            1 => "\\\\u" + ((int)match.Value[0]).ToString("x4"),
            6 => match.Value.ToLowerInvariant(),
            _ => match.Value,
        });
        var bytes = SHA256.HashData(Encoding.UTF8.GetBytes(privateKey + time + text));
        return Convert.ToHexString(bytes).ToLowerInvariant();
    }

    static string Folder([CallerFilePath] string file = "") => Path.GetDirectoryName(file)!;

    public static IEnumerable<object?[]> Vectors()
    {
        var file = JsonNode.Parse(File.ReadAllText(Path.Combine(Folder(), "vectors.json")))!;
        foreach (var one in file["cases"]!.AsArray())
            yield return new object?[] { (string?)one!["id"], (string?)file["privateKey"], (string?)one["time"], (string?)one["data"], (string?)one["hash"] };
    }

    [Theory]
    [MemberData(nameof(Vectors))]
    public void Hash(string id, string privateKey, string time, string? data, string hash)
    {
        var signed = Sign(privateKey, time, data is null ? null : JsonNode.Parse(data));
        Assert.True(hash == signed, $"{id}: got {signed}, want {hash}");
    }
}
`;

/** Tests for the users' own code in the frameworks that they have. Each begins with code that passes, for them to replace. */
export const readyTests: readonly ReadyTest[] = [
  { name: 'SignerTest.php', text: phpunit },
  { name: 'signer.test.js', text: jest },
  { name: 'test_signer.py', text: pytest },
  { name: 'SignerTest.java', text: junit },
  { name: 'signer_test.go', text: go },
  { name: 'SignerTests.cs', text: xunit },
];
