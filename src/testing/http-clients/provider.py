"""A provider that keeps the bytes of each connection as they came: `provider.py CERTIFICATE KEY` prints its port, and after each line on standard
input, once every connection has ended, a line of JSON with the base64 of what came on each since the last one."""

import base64
import contextlib
import json
import socket
import ssl
import sys
import threading

ANSWERS = {
    "/sized": [b'HTTP/1.1 200 Fine Then\r\nx-Mixed-CASE:  a  \r\nContent-Type: application/json\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\ncontent-LENGTH: 10\r\n\r\n{"code":0}'],
    "/chunked": [
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n\r\n5;x=1\r\n",
        b'{"cod\r\n5\r\ne":0}\r\n0\r',
        b"\nT: 1\r\n\r\n",
    ],
    "/early": [b"HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n", b'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{"code":8}'],
    "/error": [b"HTTP/1.1 500 Internal Server Error\r\nContent-Type: text/html; charset=latin-1\r\nContent-Length: 5\r\n\r\n<h\xe9>\n"],
    "/nothing": [b"HTTP/1.1 204 No Content\r\n\r\n"],
    "/large": [b"HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n", bytes(range(250)) * 12_000],
    "/end": [b'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"code":0}'],
}

came = []
threads = []
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(*sys.argv[1:3])


class Connection:
    def __init__(self, raw):
        self.raw = raw
        self.bytes = bytearray()
        self.at = 0

    def more(self):
        part = self.tls.recv(65_536)
        if part == b"":
            raise EOFError
        self.bytes += part

    def line(self):
        while True:
            end = self.bytes.find(b"\n", self.at)
            if end != -1:
                start, self.at = self.at, end + 1
                return bytes(self.bytes[start:end]).rstrip(b"\r")
            self.more()

    def skip(self, count):
        self.at += count
        while len(self.bytes) < self.at:
            self.more()

    def answer(self):
        """Reads one request and answers it. Returns whether another may follow."""
        method, target, version = self.line().decode("latin-1").split(" ")
        headers = {}
        while line := self.line():
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.strip().lower()] = value.strip().lower()
        if headers.get("expect") == "100-continue":
            self.tls.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        if headers.get("transfer-encoding") == "chunked":
            while size := int(self.line().split(b";")[0], 16):
                self.skip(size + 2)
            while self.line():
                pass
        else:
            self.skip(int(headers.get("content-length", "0")))
        path = target.split("?")[0]
        for part in ANSWERS[path]:
            self.tls.sendall(part.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" if method == "HEAD" else part)
        return path != "/end" and headers.get("connection") != "close" and version != "HTTP/1.0"

    def run(self):
        with context.wrap_socket(self.raw, server_side=True, do_handshake_on_connect=False) as self.tls:
            try:
                self.tls.do_handshake()
                while self.answer():
                    pass
                # Says the end without waiting for the client's own: some wait for that of the connection first.
                self.tls.setblocking(False)
                with contextlib.suppress(ssl.SSLWantReadError):
                    self.tls.unwrap()
                self.tls.shutdown(socket.SHUT_WR)
                self.tls.setblocking(True)
                while self.tls.recv(65_536):
                    pass
            except (EOFError, OSError):
                pass


def listen(server):
    while True:
        raw, _ = server.accept()
        connection = Connection(raw)
        came.append(connection)
        thread = threading.Thread(target=connection.run)
        threads.append(thread)
        thread.start()


with socket.create_server(("127.0.0.1", 0), backlog=200) as server:
    print(server.getsockname()[1], flush=True)
    threading.Thread(target=listen, args=(server,), daemon=True).start()
    for _ in sys.stdin:
        for thread in threads:
            thread.join()
        # One that nothing was sent on is a client's way to look which address answers.
        print(json.dumps([base64.b64encode(one.bytes).decode() for one in came if one.bytes]), flush=True)
        came.clear()
        threads.clear()
