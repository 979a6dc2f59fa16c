"""Runs programs that sign, a case a line, on the clock of the case: `datetime` and `time` are the case's own. Prints a line for each."""

import base64
import datetime as real_datetime
import hashlib
import hmac
import html
import json
import os
import re
import sys
import time as real_time
import types
import unicodedata
from urllib.parse import quote, quote_plus, unquote, unquote_plus, urlencode

clock = []


def moment():
    return clock.pop(0) if len(clock) > 1 else clock[0]


class datetime(real_datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(moment(), tz)


time = types.SimpleNamespace(time=lambda: float(moment()))


def run(case):
    clock[:] = case["clock"]
    os.environ["TZ"] = case["zone"]
    real_time.tzset()
    os.environ["PRIVATE_KEY"] = case["key"]
    parts = {
        "base64": base64, "datetime": datetime, "timezone": real_datetime.timezone, "time": time, "hashlib": hashlib, "hmac": hmac,
        "html": html, "json": json, "os": os, "re": re, "unicodedata": unicodedata, "quote": quote, "quote_plus": quote_plus,
        "unquote": unquote, "unquote_plus": unquote_plus, "urlencode": urlencode,
        "data": None if case["data"] is None else json.loads(case["data"]),
        "action": case["action"], "platform": case["platform"], "partner_id": case["partnerId"],
    }
    exec(case["program"], parts)
    text = parts["hash_text"]
    written = text.encode("latin-1" if len(text) == 32 else "utf-8")
    return {"hash": base64.b64encode(written).decode(), "time": parts["time_text"]}


for line in sys.stdin:
    try:
        print(json.dumps(run(json.loads(line))))
    except Exception as error:
        print(json.dumps({"error": repr(error)}))
