"""Reads an envelope and prints how Python shows it in logs and dumps: a line for each form, its name and its text in base64."""

import base64
import csv
import dataclasses
import html
import io
import json
import logging
import pprint
import shlex
import sys
import urllib.parse

body = sys.stdin.buffer.read().decode()
value = json.loads(body)
logged = io.StringIO()
logging.basicConfig(stream=logged, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
logging.warning("sending %r", value)
record = logged.getvalue()
rows = io.StringIO()
csv.writer(rows).writerow(["2026-11-22T10:40:02Z", body])
envelope = dataclasses.make_dataclass("Envelope", list(value))(**value)

forms = {
    "repr of a dict": repr(value),
    "repr of the text": repr(body),
    "repr of bytes": repr(body.encode()),
    "repr of a dict with the text": repr({"url": "https://api.example/serviceApi.php", "body": body, "verify": True, "proxies": None}),
    "pprint": pprint.pformat(value, sort_dicts=False),
    "a dataclass": repr(envelope),
    "logging": record,
    "json.dumps of a record": json.dumps({"levelname": "ERROR", "message": "refused", "payload": body}),
    "json.dumps of objects": json.dumps({"levelname": "ERROR", "message": "refused", "payload": value}),
    "csv": rows.getvalue(),
    "html.escape": html.escape(body),
    "quote_plus": urllib.parse.urlencode({"body": body}),
    "base64 in lines": base64.encodebytes(body.encode()).decode(),
    "shlex.quote": "curl -X POST https://api.example/serviceApi.php -H 'Content-Type: application/json' --data-raw " + shlex.quote(body),
}
for name, text in forms.items():
    print(name, base64.b64encode(text.encode()).decode(), sep="\t")
