# SPDX-License-Identifier: GPL-3.0-or-later
"""Communication slowdown: bursts on a link that is shared (section 5).

What competes must be the same for every burst, also for one of 40 kB, which is through in a
millisecond.  Generators that compute and send in turns are not: a small burst meets either all of
them or none.  So it is streams that send a small message every half millisecond each, which all
bursts meet many of.  Benchmark and target bursts take turns, one by one, so that both see the same,
and are repeated the more often the shorter they are."""
import contextlib
import json
import pathlib
import statistics
import subprocess
import sys
import time

from running import Failure
from slowdown_cases import LEVELS, PAIR_LINK, STREAM_PART, TABLE_8, UNTAILORED, WORD
from slowdown_lab import SETTLE, burst_bytes, node

SCRIPT = pathlib.Path(__file__).resolve().parent / "bursts.py"
RATE = float(PAIR_LINK.removesuffix("Mbit")) * 1e6 / 8
AT_LEAST = 0.1  # seconds of bursts of each size in a turn, when the link is idle
MOST = 24        # bursts
FEW, LARGE = 3, 16_000_000  # bursts at least, of no more bytes
MESSAGE = "4000B"  # of the streams
ALL_LEVELS = ["dedicated", *LEVELS]


def times_of(messages, words):
    """How many bursts of each kind: those of some megabytes at times get twice the rate of others,
    so that one says little."""
    size = burst_bytes(messages, words)
    return max(FEW if size <= LARGE else 1, min(MOST, round(AT_LEAST * RATE / size)))


def plan():
    """All bursts of a turn: row of the table from 0, or "untailored" with it; words; which."""
    for row, (messages, sizes, _) in enumerate(TABLE_8):
        for words in sizes:
            for _ in range(times_of(messages, words)):
                yield row, messages, words, "benchmark"
                yield row, messages, words, "target"
        yield row, *UNTAILORED, "untailored"


@contextlib.contextmanager
def receiver(bench):
    """The port where one waits in the second node."""
    process = subprocess.Popen(bench.within(2, sys.executable, SCRIPT, "receive"), text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               start_new_session=True)
    try:
        yield int(process.stdout.readline())
    finally:
        process.terminate()
        process.wait()


def streams(bench, count):
    return [bench.within(1, bench.program, "load", "net", "--connect", node(2), "--launcher",
                         f"{bench.program} lab exec", "--runcast-path", bench.program, "--rate",
                         f"{STREAM_PART * RATE:.0f}B/s", "--message", MESSAGE, "--duration", "forever",
                         "--json") for _ in range(count)]


def rates(told):
    """Bytes a second of all streams."""
    return sum(json.loads(text)["streams"][0]["imposed_bytes_per_s"] for text in told)


def turn_of(bench, level):
    bursts = list(plan())
    lines = "".join(f"{messages} {words * WORD} 1\n" for _, messages, words, _ in bursts)
    with bench.beside(streams(bench, LEVELS.get(level, 0)), SETTLE) as told, \
            receiver(bench) as port:
        began = time.monotonic()
        answers = bench.call(bench.within(1, sys.executable, SCRIPT, "send", node(2), port),
                             given=lines).splitlines()
        took = time.monotonic() - began
    if len(answers) != len(bursts):
        raise Failure("bursts are missing")
    found = {}
    for (row, _, words, which), answer in zip(bursts, answers):
        key = f"{row} {which}" if which == "untailored" else f"{row} {which} {words}"
        found.setdefault(key, []).extend(json.loads(answer))
    return {"seconds": took, "streams": rates(told),
            "medians": {key: statistics.median(all_of) for key, all_of in found.items()}}


def comm(bench):
    for turn in range(1, bench.repeats + 1):
        paths = [["comm", level, str(turn)] for level in ALL_LEVELS]
        if not bench.todo(paths):
            continue
        with bench.pair():
            for path in paths:
                bench.attempt(path, lambda level=path[1]: turn_of(bench, level))
