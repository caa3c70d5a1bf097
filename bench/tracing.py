#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what tracing costs whole programs, in pairs of runs of 10 s with and without tracing.

usage: tracing.py RUNCAST [APP...]    after `make apps`; default: all apps

ROUNDS (environment, default: 5) pairs of runs for each program, with two ranks (sp: one).  Machines
change their speed by more than tracing costs, so the requirement is for the median of all pairs, within
its standard error: at most 1 %."""
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

SECONDS = 10
MOST = 0.01
# Size and iterations of about a second, with two ranks.
APPS = {
    "cg": (20000, 250), "ehl": (512, 15), "eigen": (600, 4), "ep": (24, 6), "fft": (65536, 60),
    "ga": (400, 60), "is": (400000, 40), "jacobi3d": (128, 60), "lu": (64, 20), "matmul": (600, 6),
    "md": (3000, 40), "mg": (1024, 30), "nbody": (4000, 8), "poisson": (2000, 200),
    "sor": (2000, 120), "sp": (64, 40), "ssor": (2000, 80),
}
RANKS = {"sp": "1"}  # where two are not possible


def run(words):
    """Seconds of one run, as the program reports them."""
    answer = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            timeout=600, check=True)
    line = [line for line in answer.stdout.splitlines() if line.startswith("{")][-1]
    return json.loads(line)["seconds"]


def ratios(runcast, app, rounds, work):
    """Ratios of run times with and without tracing, in either order."""
    program = str(pathlib.Path(runcast).parent / "apps" / "openmpi" / app)
    size, iterations = APPS[app]
    bare = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-np", RANKS.get(app, "2"), program,
            "--size", str(size), "--iterations"]
    iterations = max(1, round(iterations * SECONDS / max(run(bare + [str(iterations)]), 1e-3)))
    bare.append(str(iterations))
    traced = [runcast, "trace", "record", "-f", "-q", "-o", f"{work}/{app}", "--"] + bare
    found = []
    for number in range(rounds):
        times = {}
        for each in (("with", traced), ("without", bare))[::1 if number % 2 else -1]:
            times[each[0]] = run(each[1])
        found.append(times["with"] / times["without"])
    return found


def main():
    runcast = str(pathlib.Path(sys.argv[1]).resolve())
    apps = sys.argv[2:] or list(APPS)
    rounds = int(os.environ.get("ROUNDS", "5"))
    every = []
    with tempfile.TemporaryDirectory() as work:
        for app in apps:
            found = ratios(runcast, app, rounds, work)
            every += found
            print(f"{app:10} traced / untraced: median {statistics.median(found):.4f}, "
                  f"from {min(found):.4f} to {max(found):.4f}", flush=True)
    logs = [math.log(each) for each in every]
    middle = statistics.median(logs)
    error = 1.25 * statistics.stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 else math.inf
    print(f"median of {len(every)} pairs: {math.expm1(middle):+.2%}, ± {error:.2%} "
          f"(at most {MOST:.0%})")
    sys.exit(math.expm1(middle - 2 * error) > MOST)


main()
