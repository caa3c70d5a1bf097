# SPDX-License-Identifier: GPL-3.0-or-later
"""The runs of evaluate/skeleton as a table in the repository, so that hours of measurement survive the
machine that they were made on.

A series of turns is named after the time at which its work directory was made.  A run of a program is
compared with its dedicated run of the same turn, so that turns of different machines fit together."""
import csv
import time

from running import keep, read

COLUMNS = ["series", "turn", "program", "scenario", "what", "seconds", "communicating", "cpu"]
NUMBERS = ["seconds", "communicating", "cpu"]


def series_of(work):
    """The name of the series in this directory, which begins with the first call."""
    path = work / "began.json"
    if read(path) is None:
        keep(path, {"began": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())})
    return read(path)["began"]


def runs_of(work):
    """All runs of a directory: (program, scenario, what) -> {(series, turn): run}."""
    found = {}
    for path in sorted(work.glob("*/runs/*/*.json")):
        run = read(path)
        if run is None:
            continue
        turn, what = path.stem.split("-", 1)
        of = found.setdefault((path.parents[2].name, path.parent.name, what), {})
        of[series_of(work), int(turn)] = {key: run.get(key) for key in NUMBERS}
    return found


def load(path):
    """The runs of a table, in the same form; empty if the table does not exist."""
    found = {}
    if not path.exists():
        return found
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            of = found.setdefault((row["program"], row["scenario"], row["what"]), {})
            of[row["series"], int(row["turn"])] = \
                {key: float(row[key]) if row[key] else None for key in NUMBERS}
    return found


def joined(*all_runs):
    found = {}
    for runs in all_runs:
        for case, of in runs.items():
            found.setdefault(case, {}).update(of)
    return found


def save(path, found):
    rows = [[*turn, *case, *["" if run[key] is None else f"{run[key]:.6g}" for key in NUMBERS]]
            for case, of in found.items() for turn, run in of.items()]
    partial = path.with_suffix(".partial")
    with open(partial, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(sorted(rows))
    partial.rename(path)
