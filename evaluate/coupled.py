#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A parallel program of two processes that wait for one another, without polling: a competitor.

usage: evaluate/coupled.py receive             tells its port on standard output
       evaluate/coupled.py connect HOST PORT

Both compute for STEP seconds of CPU time, tell the other one, and wait for its word, until the
connection ends.  On a node that is faster the work is done earlier, and the rest is waiting.
"""
import socket
import sys
import time

STEP = 0.02


def step():
    end = time.process_time() + STEP
    while time.process_time() < end:
        pass


def work(connection):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    while True:
        step()
        connection.sendall(b"x")
        if not connection.recv(1):
            return


def main():
    if sys.argv[1:] == ["receive"]:
        with socket.create_server(("", 0)) as server:
            print(server.getsockname()[1], flush=True)
            server.settimeout(60)
            connection, _ = server.accept()
        connection.settimeout(None)
    elif len(sys.argv) == 4 and sys.argv[1] == "connect":
        connection = socket.create_connection((sys.argv[2], int(sys.argv[3])), timeout=60)
        connection.settimeout(None)
    else:
        sys.exit(__doc__)
    with connection:
        try:
            work(connection)
        except OSError:
            pass  # the other one was ended first


main()
