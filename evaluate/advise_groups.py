# SPDX-License-Identifier: GPL-3.0-or-later
"""The loss of choosing sizes and processes by prediction rather than in hindsight.

Table 5 of H. A. Sanjay and S. Vadhiyar, "Performance modeling of parallel applications for grid
scheduling" (2008), for all seven programs on the simulated 8-processor cluster under random load:
runs and predictions are made as in evaluate/regress, under the load during the run and by forecasts
from the load before its start.  Problem sizes are grouped so that times on 8 idle processors,
by the model, differ by at most 50 s within a group; in each group, the run with the least predicted
time is compared with that of the least measured time.  Each run has its own load, which forecasts
cannot know.
"""
import contextlib
import csv
import subprocess
import sys

from advise_cases import TESTS, WAYS
from regress_rows import row_name
from regress_runs import begin, command, do_row
from running import Failure, call

CLUSTER, LOAD = "intel", "random"
WITHIN = 50  # seconds
LONGEST = 7200  # that a prediction of all runs of a program may take


def simulate(program, work, app):
    """Training and test runs, in a database that the programs share."""
    begin(work)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            do_row(program, work, app, CLUSTER, LOAD, TESTS)
    except subprocess.CalledProcessError as failure:
        raise Failure(f"runcast {failure.cmd[1]} {failure.cmd[2]}: status "
                      f"{failure.returncode}") from failure
    return {"tests": TESTS}


def predict(program, work, app):
    """The test runs, with their predictions."""
    # As for a recorded load: without an oracle.
    words = command(program, work, app, CLUSTER, LOAD)[:-1] + ["recorded"]
    return [{key: float(row[key]) for key in ("n", "p", "seconds", *WAYS)}
            for row in csv.DictReader(call(words, work, LONGEST).splitlines())]


def idle_times(program, work, app, sizes):
    """Of each size, on 8 idle processors."""
    table = "n,p,cpu,bw\n" + "".join(f"{n:.17g},8,1,12500000\n" for n in sizes)
    train = work / "rows" / row_name(app, CLUSTER, LOAD) / "train.csv"
    store = work / f"train-{app}.db"
    store.unlink(missing_ok=True)
    call([program, "import", train, "--db", store], work, LONGEST)
    out = call([program, "predict", "--app", app, "--input", "-", "--db", store], work, LONGEST,
               table)
    return {float(row["n"]): float(row["predicted_s"]) for row in csv.DictReader(out.splitlines())}


def groups(runs, idle):
    """Runs by size, as many sizes together as are within the limit."""
    members, first = [], None
    for run in sorted(runs, key=lambda run: idle[run["n"]]):
        if members and idle[run["n"]] - first > WITHIN:
            yield members
            members = []
        if not members:
            first = idle[run["n"]]
        members.append(run)
    yield members


def losses(runs, idle):
    """Of each way to predict, the loss of each group, in percent."""
    several = [members for members in groups(runs, idle) if len(members) > 1]
    return {way: [100 * (min(members, key=lambda run: run[way])["seconds"] /
                         min(run["seconds"] for run in members) - 1) for members in several]
            for way in WAYS}


def compare(program, work, app):
    runs = predict(program, work, app)
    sizes = sorted({run["n"] for run in runs})
    return {"lost": losses(runs, idle_times(program, work, app, sizes))}
