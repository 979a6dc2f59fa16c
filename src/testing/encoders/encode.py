"""Writes JSON texts, one a line on standard input, again in each way in which people use Python: "line TAB way TAB base64"."""

import base64
import json
import sys
import urllib.parse

WAYS = {
    "default": json.dumps,
    "compact": lambda value: json.dumps(value, separators=(",", ":")),
    "not ascii": lambda value: json.dumps(value, ensure_ascii=False),
    "compact, not ascii": lambda value: json.dumps(value, separators=(",", ":"), ensure_ascii=False),
    "sorted": lambda value: json.dumps(value, sort_keys=True),
    "compact, sorted": lambda value: json.dumps(value, separators=(",", ":"), sort_keys=True),
    "indent 2": lambda value: json.dumps(value, indent=2),
    "indent 4": lambda value: json.dumps(value, indent=4),
    "str": str,
    "str with other quotes": lambda value: str(value).replace("'", '"'),
    "urlencode": urllib.parse.urlencode,
    "twice": lambda value: json.dumps(json.dumps(value, separators=(",", ":"))),
}

for line, text in enumerate(sys.stdin.buffer.read().decode().split("\n")[:-1]):
    for way, encode in WAYS.items():
        print(line, way, base64.b64encode(encode(json.loads(text)).encode()).decode(), sep="\t")
