"""Compares what a provider received with what a history says. It shares no code with Croupier and reads the file with
Python's own SQLite.

Arguments: the record of witness.py, what the programs told (JSON lines {"mark", "told", "id"}), and the histories, the newest
first: `history.sqlite` and what was copied of it before a round destroyed it. Prints a report as JSON. Every list in it but
`unknown` should be empty.
"""

import base64
import json
import re
import sqlite3
import sys
from collections import defaultdict

received_file, told_file, *histories = sys.argv[1:]
never_left = {"address", "dns", "connect", "tls"}


def lines(path):
    with open(path, "rb") as file:
        # The last line may be half written where its writer was killed: what it says did not happen before that.
        return [json.loads(line) for line in file.read().split(b"\n")[:-1] if line]


received = defaultdict(list)
for entry in lines(received_file):
    received[entry["mark"]].append(entry)

rows = {}
doubled = []
checks = []
for path in histories:
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    check = connection.execute("PRAGMA integrity_check").fetchone()[0]
    if check != "ok":
        checks.append(f"{path}: {check}")
    for identity, state, failure, request, response in connection.execute(
        "SELECT c.id, c.state, c.failure, q.body, r.body FROM calls c JOIN call_requests q ON q.call_id = c.id"
        " LEFT JOIN call_responses r ON r.call_id = c.id"
    ):
        found = re.search(rb"mark-[a-z]+-[0-9a-z-]+", request)
        if found is None:
            continue
        mark = found.group(0).decode()
        row = {"id": identity, "state": state, "failure": failure and json.loads(failure), "request": request, "response": response}
        if mark not in rows:
            rows[mark] = row
        elif path == histories[0]:
            doubled.append(mark)
    connection.close()

# What the programs told of a call that came back.
told = {entry["mark"]: entry for entry in lines(told_file)}

report = {
    "received": sum(map(len, received.values())),
    "recorded": len(rows),
    "answered": 0,
    "unknown": 0,
    "lost": [],
    "repeated": [],
    "false": [],
    "damaged": checks,
}

for mark, entries in received.items():
    if len(entries) > 1:
        report["repeated"].append(mark)
    row = rows.get(mark)
    if row is None:
        report["lost"].append(f"{mark}: received, and not in the history")
    elif row["request"] != base64.b64decode(entries[0]["body"]):
        report["false"].append(f"{mark}: the history has other bytes than were received")
report["repeated"] += [f"{mark}: two rows" for mark in doubled]

for mark, row in rows.items():
    came = mark in received
    phase = (row["failure"] or {}).get("phase")
    if row["state"] == "answered":
        report["answered"] += 1
        given = received[mark][0]["response"] if came else None
        if given is None:
            report["false"].append(f"{mark}: answered, and nothing was given")
        elif (row["response"] or b"").replace(b" ", b"") != base64.b64decode(given).replace(b" ", b""):
            report["false"].append(f"{mark}: other bytes than were given")
    elif came and phase in never_left:
        report["false"].append(f"{mark}: {row['state']} at {phase}, and it was received")
    elif came and (row["failure"] or {}).get("kind") == "timeout" and received[mark][0]["response"] is not None:
        # It was given within a third of a second: only a program that slept could miss it.
        report["false"].append(f"{mark}: timed out, and the response had come")
    elif row["state"] == "pending":
        report["false"].append(f"{mark}: pending, and nobody sends it")
    else:
        report["unknown"] += 1

for mark, entry in told.items():
    row = rows.get(mark)
    if entry["told"] == "refused":
        if mark in received:
            report["false"].append(f"{mark}: refused ({entry.get('message')}), and it was received")
    elif row is None:
        report["lost"].append(f"{mark}: told as {entry['told']}, and not in the history")
    elif entry["told"] != row["state"] and not (entry["told"] == "unrecorded" and row["state"] == "interrupted"):
        report["false"].append(f"{mark}: told as {entry['told']}, recorded as {row['state']}")

print(json.dumps(report))
