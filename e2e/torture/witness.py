"""A provider that writes down what reaches it, for tests that compare it with a history.

Arguments: the server's certificate and key (PEM files) and the folder of its record. It prints its port and then a line
for each request that has come. The record holds a line for each request, on the disk before the response begins:
{"mark", "body" (base64), "response" (base64; null where none is given)}.
What it does is said by the mark in the request, `mark-BEHAVIOUR-NUMBER`; nothing here is shared with Croupier.
"""

import base64
import json
import os
import re
import ssl
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

certificate, key, folder = sys.argv[1:4]
record = open(os.path.join(folder, "received.jsonl"), "ab", buffering=0)
writing = threading.Lock()
released = threading.Event()


def write(entry):
    with writing:
        record.write(json.dumps(entry).encode() + b"\n")
        os.fsync(record.fileno())
        print(entry["mark"], flush=True)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        found = re.search(rb"mark-([a-z]+)-[0-9a-z-]+", body)
        mark = found.group(0).decode() if found else ""
        behaviour = found.group(1).decode() if found else "now"
        response = None
        if behaviour not in ("silent", "closed"):
            response = json.dumps({"code": 0, "message": "OK", "data": {"mark": mark}}).encode()
        encoded = None if response is None else base64.b64encode(response).decode()
        write({"mark": mark, "body": base64.b64encode(body).decode(), "response": encoded})
        if behaviour == "closed":
            self.close_connection = True
            self.connection.close()
            return
        if behaviour == "silent":
            time.sleep(3600)
        if behaviour == "late":
            time.sleep(0.3)
        if behaviour == "large":
            response = response[:-1] + b" " * 300_000 + b"}"
        try:
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(response)))
            self.end_headers()
            self.wfile.write(response)
        except OSError:
            self.close_connection = True

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, *_):
        pass  # A client that was killed in the middle of a sentence.


server = Server(("127.0.0.1", 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print(server.server_address[1], flush=True)
server.serve_forever()
