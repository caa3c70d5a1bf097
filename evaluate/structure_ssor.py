# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of ssor, predicted by its structural model and by regression.

Section 4.5 of H. A. Sanjay and S. Vadhiyar, "Performance modeling of parallel applications for grid
scheduling" (2008).  Runs are made and drawn as evaluate/regress does it, and regression predicts
them as it does there; kept are lists of runs, with the ends of the 90 % interval.
"""
import csv
import subprocess

from regress_report import read as read_csv
from regress_rows import APPS, row_name
from regress_runs import TEST_BEGINS, begin, command, do_row
from running import RUN_SECONDS, Failure, call
from structure_cases import KINDS, LEVEL, LINKS, SSOR

APP = "ssor"
ITERATIONS = APPS[APP]["iterations"]
MEDIAL = sum(APPS[APP]["sizes"]) // 2


def folder(bench):
    return bench.work / "ssor"


def store(bench, load):
    return folder(bench) / f"{SSOR['cluster']}-{load}.db"


def runs(bench, load):
    """Those to learn from, and those to judge by, in one store."""
    begin(folder(bench))
    try:
        do_row(bench.program, folder(bench), APP, SSOR["cluster"], load, SSOR["judged"])
    except subprocess.CalledProcessError as failure:
        raise Failure(f"runs under {load}: status {failure.returncode}") from failure
    return {"runs": len(judged(bench, load))}


def judged(bench, load):
    name = row_name(APP, SSOR["cluster"], load)
    with open(folder(bench) / "rows" / name / "test.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def measure(bench):
    begin(folder(bench))
    bench.measure(APP, SSOR["cluster"], MEDIAL, ITERATIONS)
    return {}


def files(bench, kind):
    """What the model is read with: what was measured, and where the load is taken from."""
    clause, _ = KINDS[kind]
    path = folder(bench) / f"{kind}.rcm"
    path.write_text(f"input cpu[h] {clause}\n" +
                    LINKS.format(clause=clause.replace("cpu", "bandwidth")), encoding="utf-8")
    return ["--with", bench.measured(APP, SSOR["cluster"], ITERATIONS), "--with", path]


# ---- ways to predict ----

def regression(bench, load):
    """Fitted to the runs before, and not changed after."""
    path = folder(bench) / f"futures-{load}.csv"
    path.write_text(call(command(bench.program, folder(bench), APP, SSOR["cluster"], load),
                         bench.work, RUN_SECONDS), encoding="utf-8")
    return [{"start": row["start"], "n": row["n"], "p": row["p"], "actual": row["seconds"],
             "modelled": row["forecast"], "low": row["forecast_low"],
             "high": row["forecast_high"]} for row in read_csv(path)]


def structure(bench, load):
    """As one asks for it by the name of the program."""
    place = ["--db", store(bench, load)]
    bench.call("model", "add", bench.model(APP), *files(bench, "forecast"), *place)
    found = []
    for run in judged(bench, load):
        told = bench.json("predict", "--family", "structure", "--app", APP, "--size", run["n"],
                          "--procs", run["p"], "--hosts", run["hosts"], "--platform",
                          bench.platform(SSOR["cluster"]), "--param", f"iterations={ITERATIONS}",
                          "--at", run["start"], "--no-store", *place)
        found.append({"start": float(run["start"]), "n": float(run["n"]), "p": float(run["p"]),
                      "actual": float(run["seconds"]), "modelled": told["predicted"],
                      "low": told["lo90"], "high": told["hi90"]})
    return found


def by_accuracy(bench, load, kind):
    """With the means of distributions."""
    told = bench.json("model", "accuracy", bench.model(APP), *files(bench, kind), "--platform",
                      bench.platform(SSOR["cluster"]), "--level", LEVEL, "--draws", "1000",
                      *KINDS[kind][1], "--db", store(bench, load))
    if told["skipped"]:
        raise Failure(f"{told['skipped']} runs that the model cannot tell")
    keys = ("start", "n", "p", "actual", "modelled", "low", "high")
    return [{key: run[key] for key in keys}
            for run in sorted(told["each"], key=lambda run: run["start"])
            if run["start"] >= TEST_BEGINS]


WAYS = {
    "regression": regression,
    "structure": structure,
    "mean": lambda bench, load: by_accuracy(bench, load, "forecast"),
    "learning": lambda bench, load: by_accuracy(bench, load, "learning"),
    "normal": lambda bench, load: by_accuracy(bench, load, "normal"),
}


def predict(bench, load, way):
    found = WAYS[way](bench, load)
    if len(found) != len(judged(bench, load)):
        raise Failure(f"{len(found)} runs predicted of {len(judged(bench, load))}")
    return {"each": found}


def evaluate(bench):
    if bench.attempt(bench.work / "ssor-measured.json", lambda: measure(bench)) is None:
        return
    for load in SSOR["loads"]:
        if bench.attempt(bench.work / f"ssor-{load}.json", lambda: runs(bench, load)) is None:
            continue
        for way in WAYS:
            bench.attempt(bench.work / f"ssor-{load}-{way}.json",
                          lambda: predict(bench, load, way))
