"""Writes moments, in seconds since 1970, one a line, in the ways in which people use Python: "line TAB way TAB base64"."""

import base64
import datetime
import sys

FORMATS = ["%d-%m-%Y %H:%M:%S", "%Y-%m-%d %H:%M:%S", "%d-%m-%Y %I:%M:%S", "%d-%m-%Y %I:%M:%S %p", "%d-%m-%Y %H:%m:%S", "%d-%m-%y %H:%M:%S"]
WAYS = {
    **{form: lambda moment, form=form: moment.strftime(form) for form in FORMATS},
    "str": str,
    "str of a naive one": lambda moment: str(moment.replace(tzinfo=None)),
    "isoformat": lambda moment: moment.isoformat(),
    "isoformat of a naive one": lambda moment: moment.replace(tzinfo=None).isoformat(),
    "int of timestamp": lambda moment: str(int(moment.timestamp())),
    "timestamp": lambda moment: str(moment.timestamp()),
}

for line, text in enumerate(sys.stdin):
    moment = datetime.datetime.fromtimestamp(int(text), datetime.timezone.utc)
    for way, write in WAYS.items():
        print(line, way, base64.b64encode(write(moment).encode()).decode(), sep="\t")
