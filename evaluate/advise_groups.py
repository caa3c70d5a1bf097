# SPDX-License-Identifier: GPL-3.0-or-later
"""What is lost by choosing sizes and processes by prediction rather than in hindsight.

usage: advise_groups.py PROGRAM [TESTS]

Table 5 of H. A. Sanjay and S. Vadhiyar, "Performance modeling of parallel applications for grid
scheduling" (2008), for all seven programs on the simulated 8-processor cluster under random load:
runs are those of evaluate/regress, and so are predictions, under the load that the run met, as in
the paper, and from the load before its start.  Problem sizes are grouped so that times on 8 idle
processors, by the model, differ by at most 50 s within a group; in each group, the run with the
least predicted time is compared with that of the least actual time.  Each run meets a load of its
own, which one who has only seen what was before cannot know.  Runs are kept as evaluate/regress
does ($RUNCAST_EVALUATE).
"""
import contextlib
import csv
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from regress_rows import APPS, TESTS, row_name  # noqa: E402
from regress_runs import begin, command, do_row  # noqa: E402

CLUSTER, LOAD = "intel", "random"
WITHIN = 50  # seconds
WAYS = {"known": "load known", "forecast": "load forecast"}


def predict(program, work, app):
    """The test runs, with what was foretold of each."""
    # As of a recorded load: what an oracle would say is not asked here.
    words = command(program, work, app, CLUSTER, LOAD)[:-1] + ["recorded"]
    out = subprocess.run(list(map(str, words)), check=True, capture_output=True, text=True).stdout
    return [{key: float(row[key]) for key in ("n", "p", "seconds", *WAYS)}
            for row in csv.DictReader(out.splitlines())]


def idle_times(program, work, app, sizes):
    """Of each size, on 8 idle processors."""
    table = "n,p,cpu,bw\n" + "".join(f"{n:.17g},8,1,12500000\n" for n in sizes)
    train = work / "rows" / row_name(app, CLUSTER, LOAD) / "train.csv"
    store = work / f"train-{app}.db"
    store.unlink(missing_ok=True)
    subprocess.run([program, "runs", "import", train, "--db", store], check=True,
                   stdout=subprocess.DEVNULL)
    out = subprocess.run([program, "predict", "--app", app, "--csv", "-", "--db", store],
                         input=table, check=True, capture_output=True, text=True).stdout
    return {float(row["n"]): float(row["predicted"]) for row in csv.DictReader(out.splitlines())}


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


def losses(program, work, app):
    """Of each way to predict, what each group loses, in percent."""
    runs = predict(program, work, app)
    idle = idle_times(program, work, app, sorted({run["n"] for run in runs}))
    several = [members for members in groups(runs, idle) if len(members) > 1]
    return {way: [100 * (min(members, key=lambda run: run[way])["seconds"] /
                         min(run["seconds"] for run in members) - 1) for members in several]
            for way in WAYS}


def show(name, lost):
    cells = [name, str(len(lost["known"]))]
    for way in WAYS:
        cells += [str(sum(loss == 0 for loss in lost[way])),
                  f"{sum(lost[way]) / len(lost[way]):.2f} %", f"{max(lost[way]):.2f} %"]
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    tests = int(sys.argv[2]) if len(sys.argv) > 2 else TESTS
    work = pathlib.Path(os.environ.get("RUNCAST_EVALUATE", program.parent / "evaluate" / "regress"))
    everything = {way: [] for way in WAYS}
    begin(work)
    print("| program | groups |" + "".join(f" {name}: best | on average | at worst |"
                                           for name in WAYS.values()))
    print("| --- |" + " --- |" * (1 + 3 * len(WAYS)), flush=True)
    for app in APPS:  # all of them first: runs of one leave samples that forecasts for others use
        if not (work / "rows" / row_name(app, CLUSTER, LOAD) / "test.csv").exists():
            with contextlib.redirect_stdout(sys.stderr):
                do_row(program, work, app, CLUSTER, LOAD, tests)
    for app in APPS:
        lost = losses(program, work, app)
        for way in WAYS:
            everything[way] += lost[way]
        show(app, lost)
    show("all", everything)


main()
