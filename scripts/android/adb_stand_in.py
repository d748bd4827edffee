#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A device for adb_test.sh that is none: speaks adb's wire protocol on loopback, so that Debian's adb client talks to it.

    adb_stand_in.py --root=DIR [--path=DIR] [--unauthorized] [--room=BYTES] [--vanish-at=TEXT]
        [--vanish-after=BYTES] [--slow]

Prints its port, then serves until it is killed. Commands run in this machine's shell with PATH from --path (a device has its own
few) and the folder DIR for a home; paths are those of this machine. --room: what push may write before "no space left";
--vanish-at: the connection goes when a command holds TEXT and has run for a second; --vanish-after: when so much was pushed.
--slow: every 64 kB that are pushed take a second.

The protocol: 24-byte messages (command, two numbers, length, checksum, the command's complement) that open, feed and close streams;
in a stream of "shell,v2" packets of a byte that says what, a length and the data; in one of "sync:" requests of four letters. After
adb's protocol.txt and SYNC.TXT.
"""

import argparse
import contextlib
import os
import signal
import socket
import struct
import subprocess
import threading
import time

MAX_DATA = 65536
STDIN, STDOUT, STDERR, EXIT, CLOSE_STDIN = range(5)
PROCESSES = []


class Stream:
    """What one service of the device reads from and writes to."""

    def __init__(self, device, number, remote):
        self.device, self.number, self.remote = device, number, remote
        self.buffer, self.closed = b"", False
        self.changed = threading.Condition()
        self.may_write = threading.Semaphore(0)

    def feed(self, data):
        with self.changed:
            self.buffer += data
            self.changed.notify_all()

    def end(self):
        with self.changed:
            self.closed = True
            self.changed.notify_all()
        self.may_write.release()

    def read(self, n):
        with self.changed:
            self.changed.wait_for(lambda: len(self.buffer) >= n or self.closed)
            if len(self.buffer) < n:
                raise EOFError
            data, self.buffer = self.buffer[:n], self.buffer[n:]
            return data

    def write(self, data):
        for i in range(0, len(data), MAX_DATA):
            self.device.send(b"WRTE", self.number, self.remote, data[i : i + MAX_DATA])
            self.may_write.acquire()
            if self.closed:
                raise EOFError

    def close(self):
        self.device.send(b"CLSE", self.number, self.remote)


class Device:
    def __init__(self, connection, options):
        self.connection, self.options = connection, options
        self.streams, self.opened, self.sending, self.room = {}, 0, threading.Lock(), options.room
        self.pushed = 0
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, command, a, b, data=b""):
        word = struct.unpack("<I", command)[0]
        head = struct.pack("<6I", word, a, b, len(data), sum(data) & 0xFFFFFFFF, word ^ 0xFFFFFFFF)
        with self.sending, contextlib.suppress(OSError):
            self.connection.sendall(head + data)

    def receive(self, n):
        data = b""
        while len(data) < n:
            part = self.connection.recv(n - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def serve(self):
        try:
            while True:
                word, a, b, length = struct.unpack("<6I", self.receive(24))[:4]
                self.message(struct.pack("<I", word), a, b, self.receive(length))
        except (EOFError, OSError):
            for stream in list(self.streams.values()):
                stream.end()

    def message(self, command, a, b, data):
        if command == b"CNXN" and self.options.unauthorized:
            self.send(b"AUTH", 1, 0, os.urandom(20))
        elif command == b"CNXN":
            self.send(b"CNXN", 0x01000000, MAX_DATA, b"device::ro.product.model=stand_in;features=shell_v2,cmd")
        elif command == b"AUTH":
            self.send(b"AUTH", 1, 0, os.urandom(20))
        elif command == b"OPEN":
            self.open(a, data.rstrip(b"\0").decode())
        elif b in self.streams and command == b"OKAY":
            self.streams[b].may_write.release()
        elif b in self.streams and command == b"WRTE":
            self.streams[b].feed(data)
            self.send(b"OKAY", b, a)
        elif b in self.streams and command == b"CLSE":
            self.streams.pop(b).end()

    def open(self, remote, service):
        self.opened += 1  # no number is used twice: messages of a closed stream may still come
        number = self.opened
        stream = self.streams[number] = Stream(self, number, remote)
        serve = {"shell": self.shell, "sync": self.sync}.get(service.split(",")[0].split(":")[0])
        if not serve:
            self.send(b"CLSE", 0, remote)
            return
        self.send(b"OKAY", number, remote)
        threading.Thread(target=self.run, args=(serve, stream, service), daemon=True).start()

    def run(self, serve, stream, service):
        with contextlib.suppress(EOFError):
            serve(stream, service)
        stream.close()

    def shell(self, stream, service):
        command = service.split(":", 1)[1]
        packets = "v2" in service.split(":", 1)[0].split(",")
        if self.options.vanish_at and self.options.vanish_at in command:
            threading.Timer(1, self.connection.shutdown, [socket.SHUT_RDWR]).start()
        env = {**os.environ, "HOME": self.options.root, "PATH": self.options.path or os.environ["PATH"]}
        process = subprocess.Popen(
            [self.options.shell, "-c", command], cwd=self.options.root, env=env, start_new_session=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE if packets else subprocess.STDOUT)  # fmt: skip
        PROCESSES.append(process)

        def forward(pipe, kind):
            while data := os.read(pipe.fileno(), 4096):
                try:
                    stream.write(struct.pack("<BI", kind, len(data)) + data if packets else data)
                except EOFError:
                    return

        def listen():
            try:
                while packets:
                    kind, length = struct.unpack("<BI", stream.read(5))
                    data = stream.read(length)
                    if kind == STDIN:
                        process.stdin.write(data)
                        process.stdin.flush()
                    elif kind == CLOSE_STDIN:
                        process.stdin.close()
            except (EOFError, OSError, ValueError):
                pass

        threading.Thread(target=listen, daemon=True).start()
        readers = [threading.Thread(target=forward, args=a) for a in ((process.stdout, STDOUT), (process.stderr, STDERR)) if a[0]]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
        status = process.wait()
        if packets:
            stream.write(struct.pack("<BIB", EXIT, 1, status & 255 if status >= 0 else 128 - status))

    def sync(self, stream, _service):
        while True:
            request, length = struct.unpack("<4sI", stream.read(8))
            path = stream.read(length).decode()
            if request == b"QUIT":
                return
            {b"STAT": self.stat, b"SEND": self.store, b"RECV": self.fetch, b"LIST": self.list}[request](stream, path)

    @staticmethod
    def facts(path):
        try:
            s = os.lstat(path)
            return struct.pack("<3I", s.st_mode, s.st_size & 0xFFFFFFFF, int(s.st_mtime))
        except OSError:
            return bytes(12)

    def stat(self, stream, path):
        stream.write(b"STAT" + self.facts(path))

    def list(self, stream, path):
        for name in [".", "..", *os.listdir(path)]:
            raw = name.encode()
            stream.write(b"DENT" + self.facts(os.path.join(path, name)) + struct.pack("<I", len(raw)) + raw)
        stream.write(b"DONE" + bytes(16))

    def store(self, stream, target):
        path, _, mode = target.rpartition(",")
        failure, file = None, None
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            file = open(path, "wb")
        except OSError as error:
            failure = error.strerror
        while True:
            request, n = struct.unpack("<4sI", stream.read(8))
            if request == b"DONE":
                break
            data = stream.read(n)
            self.room = self.room and self.room - len(data)
            if self.room is not None and self.room < 0:
                failure = failure or "No space left on device"
            self.pushed += len(data)
            if self.options.slow:
                time.sleep(1)
            if self.options.vanish_after and self.pushed > self.options.vanish_after:
                self.connection.shutdown(socket.SHUT_RDWR)
            if file and not failure:
                file.write(data)
        if file:
            file.close()
            os.chmod(path, int(mode) & 0o777)
        if failure:
            text = failure.encode()
            stream.write(b"FAIL" + struct.pack("<I", len(text)) + text)
        else:
            stream.write(b"OKAY" + bytes(4))

    def fetch(self, stream, path):
        try:
            with open(path, "rb") as file:
                while data := file.read(MAX_DATA - 8):
                    stream.write(b"DATA" + struct.pack("<I", len(data)) + data)
            stream.write(b"DONE" + bytes(4))
        except OSError as error:
            text = error.strerror.encode()
            stream.write(b"FAIL" + struct.pack("<I", len(text)) + text)


def stop(*_):
    for process in PROCESSES:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    os._exit(0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    parser.add_argument("--path")
    parser.add_argument("--shell", default="/bin/sh")
    parser.add_argument("--unauthorized", action="store_true")
    parser.add_argument("--room", type=int)
    parser.add_argument("--vanish-at")
    parser.add_argument("--vanish-after", type=int)
    parser.add_argument("--slow", action="store_true")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, stop)
    server = socket.create_server(("127.0.0.1", 0))
    print(server.getsockname()[1], flush=True)
    while True:
        connection, _ = server.accept()
        threading.Thread(target=Device(connection, options).serve, daemon=True).start()


if __name__ == "__main__":
    main()
