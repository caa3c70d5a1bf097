#!/usr/bin/env python3
"""Replaces an agent, whose protocol it follows, or does not.

usage: agent.py HOST PROGRAM monitor --agent --interval S [...]

It is called as a launcher.  The file HOST.conf in the current directory has its behaviour, as words
between blanks:

    ahead=S     its clock is ahead by S seconds
    step=N:S    after N samples its clock is set by S seconds
    delay=S     answers come S seconds late
    count=N     ends after N samples, with status 3 and a message on standard error
    silent=N    is silent after N samples
    garbage=N   writes N lines of nonsense after the first sample
    half=N      after N samples, half a line and the end
    flood       writes lines without end after the first sample
    banner      a login prints something first
    refuse      ends before it speaks
    stubborn    does not end with its input, nor by SIGTERM
    nolink      cannot probe links
    rate=R      its links give R bytes/s, and probes of less than 0.03 s have no result
    version=N   of the protocol

It writes a log HOST.log: 'start PID', 'called WORDS', 'sample N', 'listen ID', 'probe ID ...', 'end'."""
import json
import os
import select
import signal
import sys
import time

host = sys.argv[1]
every = float(sys.argv[sys.argv.index("--interval") + 1])
conf = {}
try:
    with open(host + ".conf") as file:
        for word in file.read().split():
            name, _, value = word.partition("=")
            conf[name] = value
except OSError:
    pass
logfile = os.open(host + ".log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
ahead = float(conf.get("ahead", 0))


def log(*words):
    os.write(logfile, (" ".join(map(str, words)) + "\n").encode())


def out(text):
    try:
        while text:
            text = text[os.write(1, text):]
    except BrokenPipeError:
        log("end")
        os._exit(0)


def say(value):
    out((json.dumps(value) + "\n").encode())


def now():
    return time.time() + ahead


def answer(line):
    words = line.split()
    if not words:
        return
    if words[0] == "clock":
        time.sleep(float(conf.get("delay", 0)))
        say({"clock": {"id": int(words[1]), "time": now()}})
    elif words[0] == "listen":
        log("listen", words[1], repr(time.time()))
        if "nolink" in conf:
            say({"error": {"id": int(words[1]), "text": "cannot listen"}})
        else:
            say({"listening": {"id": int(words[1]), "port": 4242, "key": "k" * 20}})
    elif words[0] == "probe":
        log("probe", *words[1:], repr(time.time()))
        time.sleep(0.1)
        log("probed", words[1], repr(time.time()))
        link = {"id": int(words[1]), "time": now(), "bandwidth": 1e7, "latency": 1e-4,
                "bytes": int(words[6]), "seconds": 0.1}
        if "rate" in conf:
            rate = float(conf["rate"])
            link["bandwidth"], link["wants"] = rate, 0.05 * rate
            if int(words[6]) < 0.03 * rate:
                del link["bandwidth"]
        say({"link": link})


def misbehave(sent):
    global ahead
    if "step" in conf and sent == int(conf["step"].split(":")[0]):
        ahead += float(conf["step"].split(":")[1])
    if "garbage" in conf and sent == 1:
        for i in range(int(conf["garbage"])):
            out(b"\xff\x00 nonsense {[ %d\n" % i)
    if "flood" in conf and sent == 1:
        while True:
            out(b'{"sample": {"time": 1}}\n' * 100)
    if "half" in conf and sent == int(conf["half"]):
        out(b'{"sample": {"time": 17')
        os._exit(0)
    if "count" in conf and sent == int(conf["count"]):
        os.write(2, b"agent: had enough\nhint: never mind\n")
        os._exit(3)


def main():
    log("start", os.getpid())
    log("called", *sys.argv[2:])
    if "refuse" in conf:
        os.write(2, b"connect to host: no route\n")
        os._exit(255)
    if "stubborn" in conf:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "banner" in conf:
        out(b"Welcome!\n\n")
    say({"hello": int(conf.get("version", 1)), "version": "0", "host": host, "cores": 2,
         "every": every})
    sent, next_at, pending = 0, time.monotonic(), b""
    while True:
        ready = select.select([0], [], [], max(0, next_at - time.monotonic()))[0]
        if ready:
            data = os.read(0, 4096)
            if not data:
                log("end")
                while "stubborn" in conf:
                    time.sleep(1)
                os._exit(0)
            if "silent" in conf and sent >= int(conf["silent"]):
                continue
            pending += data
            while b"\n" in pending:
                line, _, pending = pending.partition(b"\n")
                answer(line.decode())
        if time.monotonic() < next_at:
            continue
        next_at += every
        if "silent" in conf and sent >= int(conf["silent"]):
            continue
        sent += 1
        say({"sample": {"time": now(), "cpu": 0.5, "memory": 1 << 30, "load1": sent, "in": 0.0}})
        log("sample", sent, repr(time.time()))
        misbehave(sent)


main()
