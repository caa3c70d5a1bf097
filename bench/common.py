"""What the benchmarks share: interleaved runs, medians and peak memory of child processes."""
import os
import statistics
import subprocess
import sys
import time


def run(command, stdin=None, stdout=subprocess.DEVNULL):
    """Runs a command to its end; returns seconds and the peak of its memory in MiB."""
    with open(stdin or os.devnull) as source:
        start = time.monotonic()
        child = subprocess.Popen(command, stdin=source, stdout=stdout)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"bench: {' '.join(map(str, command))} failed")
    return seconds, usage.ru_maxrss / 1024


def interleave(rounds, *steps):
    """Calls the steps in turn, `rounds` times over; returns the medians of their times, their
    largest memory, and the spread (max/min) of their times."""
    results = [[] for _ in steps]
    for _ in range(rounds):
        for kept, step in zip(results, steps):
            kept.append(step())
    return [(statistics.median(r[0] for r in kept), max(r[1] for r in kept),
             max(r[0] for r in kept) / min(r[0] for r in kept)) for kept in results]


def line(name, result, of=None):
    seconds, memory, spread = result
    ratio = f"   {seconds / of[0]:5.2f} times" if of else ""
    print(f"  {name:<46} {seconds:7.3f} s   {memory:6.1f} MiB   spread {spread:.2f}{ratio}")
