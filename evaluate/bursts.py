#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The ping-pong of Figueira and Berman (2001), section 5: so many messages of so many bytes one way,
and a word back.

usage: evaluate/bursts.py receive              tells its port on standard output
       evaluate/bursts.py send HOST PORT       reads lines of MESSAGES BYTES TIMES from standard
                                               input, and answers each with the seconds of each
                                               burst, as a list in JSON

All bursts go over one connection, one after the other, as those of an MPI program do.
"""
import json
import socket
import struct
import sys
import time

ORDER = struct.Struct("!QQ")  # messages, bytes of each
WORD = b"word"
PIECE = 1 << 18


def read(connection, size):
    """-1 where the connection ended."""
    while size > 0:
        got = len(connection.recv(min(size, PIECE)))
        if not got:
            return -1
        size -= got
    return 0


def receive():
    with socket.create_server(("", 0), family=socket.AF_INET) as server:
        print(server.getsockname()[1], flush=True)
        server.settimeout(60)
        connection, _ = server.accept()
    with connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while True:
            order = connection.recv(ORDER.size, socket.MSG_WAITALL)
            if len(order) < ORDER.size:
                return
            messages, size = ORDER.unpack(order)
            if read(connection, messages * size):
                return
            connection.sendall(WORD)


def burst(connection, messages, message):
    """Its seconds."""
    send = connection.sendall
    began = time.perf_counter()
    send(ORDER.pack(messages, len(message)))
    for _ in range(messages):
        send(message)
    if len(connection.recv(len(WORD), socket.MSG_WAITALL)) < len(WORD):
        raise ConnectionError("the receiver went away")
    return time.perf_counter() - began


def send(host, port):
    with socket.create_connection((host, port), timeout=60) as connection:
        connection.settimeout(None)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for line in sys.stdin:
            messages, size, times = [int(word) for word in line.split()]
            message = b"x" * size
            print(json.dumps([burst(connection, messages, message) for _ in range(times)]),
                  flush=True)


def main():
    if sys.argv[1:] == ["receive"]:
        receive()
    elif len(sys.argv) == 4 and sys.argv[1] == "send":
        send(sys.argv[2], int(sys.argv[3]))
    else:
        sys.exit(__doc__)


main()
