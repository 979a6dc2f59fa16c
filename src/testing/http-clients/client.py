"""Asks as a backend in Python does: `client.py http|requests URL CA`, and prints what came."""

import http.client
import ssl
import sys
import urllib.parse

library, base, ca = sys.argv[1:]
JSON = b'{"action":"gameList"}'
KINDS = {"Content-Type": "application/json", "X-mixed-CASE": "\u00e9 a"}


def parts():
    yield JSON[:7]
    yield JSON[7:]


ASKED = [
    ("GET", "/sized?x=%20y&z", None, {}),
    ("POST", "/sized", JSON, KINDS),
    ("POST", "/chunked", parts, {}),
    ("HEAD", "/sized", None, {}),
    ("POST", "/sized?again", JSON, {**KINDS, "Expect": "100-continue"}),
    ("PUT", "/error", b"\xff\x00", {}),
    ("POST", "/nothing", b"", {}),
    ("POST", "/large", b"a/\xc3\xa9" * 300_000, {}),
    ("GET", "/end", None, {}),
    ("POST", "/sized", JSON, {"Connection": "close"}),
]


def tell(status, reason, headers, body):
    print(status, reason, headers, len(body), body[:50])


if library == "http":
    to = urllib.parse.urlsplit(base)
    context = ssl.create_default_context(cafile=ca)
    # As Python does by itself from 3.13 on.
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    connection = http.client.HTTPSConnection(to.hostname, to.port, context=context)
    for method, path, body, headers in ASKED:
        connection.request(method, path, body=body() if callable(body) else body, headers=headers)
        got = connection.getresponse()
        tell(got.status, got.reason, got.getheaders(), got.read())
else:
    import requests

    with requests.Session() as session:
        for method, path, body, headers in ASKED:
            kinds = {name: value.encode("latin-1") for name, value in headers.items()}
            got = session.request(method, base + path, data=body() if callable(body) else body, headers=kinds, verify=ca)
            tell(got.status_code, got.reason, got.raw.headers.items(), got.content)
