# SPDX-License-Identifier: GPL-3.0-or-later
"""The simulated runs of evaluate/regress: sweeps, stores and the tables of each row.

In the work directory: a platform file for each cluster, a store CLUSTER-LOAD.db for each world, and
rows/APP-CLUSTER-LOAD/ with train.csv and test.csv, dedicated.csv on idle clusters.
"""
import csv
import os
import pathlib
import subprocess

from regress_rows import (APPS, CLUSTERS, DIRECT, DUAL, PORTED, SERVERS, SHIFT, TESTS,
                          dedicated, row_name, testing, training)

DATA = pathlib.Path(__file__).resolve().parent / "data"
# Time of a world: trained on for two days from the second on, and tested, later, over three.
TRAIN = {"from": "1d", "over": "2d"}
TEST = {"from": "84h", "over": "3d"}
WORLD = 946684800.0  # when the time of a simulated world begins: 2000-01-01
TEST_BEGINS = WORLD + 84 * 3600
HISTORY = "4h"
KINDS = {"random": "random", "servers": "recorded", "none": "idle"}
BYTES = {"100Mbit": 12.5e6, "1Gbit": 125e6}


def write_new(path, text):
    """Writes a file unless it is there as it should be: sweeps know what is done by its content."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def hosts_of(cluster):
    of = CLUSTERS[cluster]
    return [f"{cluster}{i:02d}" for i in range(1, of["procs"] // of.get("cores", 1) + 1)]


def write_platforms(work):
    for name, of in CLUSTERS.items():
        cores = of.get("cores", 1)
        placement = "    placement: {order: spread}\n" if cores > 1 else ""
        write_new(work / f"{name}.yaml", f"""name: {name}
clusters:
  - name: {name}
    hosts: {name}[01-{len(hosts_of(name)):02d}]
    cores: {cores}
{placement}    speed: {of['speed']}
    networks:
      - {{name: ethernet, bandwidth: {of['bandwidth']}, latency: {of['latency']}}}
""")


def write_load(work, cluster):
    """Replayed servers: host k follows column k of the tables, and further hosts the same columns
    at other times."""
    lines = ["kind: replay", "replay:"]
    hosts = hosts_of(cluster)
    for what in ["cpu", "link"]:
        for k, column in enumerate(SERVERS):
            lines += [f"  - file: {DATA / f'servers-{what}.csv'}", f"    column: {column}",
                      f"    what: {what}", "    means: used", "    least: 0.05",
                      f"    hosts: {','.join(hosts[k::len(SERVERS)])}", f"    shift: {SHIFT}",
                      "    beyond: repeat"]
    write_new(work / f"servers-{cluster}.yaml", "\n".join(lines) + "\n")


def write_sweep(work, name, app, cluster, load, runs, when):
    iterations = APPS[app]["iterations"]
    lines = [f"platform: {cluster}.yaml",
             f"loads: [{f'servers-{cluster}.yaml' if load == 'servers' else load}]",
             f"from: {when['from']}", f"over: {when['over']}",
             f"history: {HISTORY if load != 'none' else '10min'}", "apps:"]
    for p, sizes in runs:
        lines += [f"  - app: {app}", f"    procs: [{p}]",
                  f"    sizes: [{', '.join(map(str, sizes))}]",
                  f"    arguments: [--iterations, {iterations}]"]
    path = work / "sweeps" / f"{name}.yaml"
    path.parent.mkdir(exist_ok=True)
    text = "\n".join(lines) + "\n"
    text = text.replace("platform: ", "platform: ../").replace("[servers-", "[../servers-")
    write_new(path, text)
    return path


def sweep(program, work, path, store):
    """Runs what is missing of a sweep."""
    command = [program, "lab", "sim", "--sweep", path, "--db", work / store]
    if "RUNCAST_JOBS" in os.environ:
        command += ["--jobs", os.environ["RUNCAST_JOBS"]]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def export(program, work, store, app, path, chosen):
    """Writes the runs of a store that are `chosen` (a function of a row), in order of time."""
    out = subprocess.run([program, "runs", "export", "--app", app, "--db", work / store],
                         check=True, capture_output=True, text=True).stdout
    reader = csv.DictReader(out.splitlines())
    rows = sorted((row for row in reader if chosen(row)), key=lambda row: float(row["start"]))
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    with open(partial, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, reader.fieldnames, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    partial.rename(path)
    return len(rows)


def do_row(program, work, app, cluster, load, tests=TESTS):
    name, store = row_name(app, cluster, load), f"{cluster}-{load}.db"
    if load == "servers":
        write_load(work, cluster)
    done = work / "rows" / name
    if load != "none":
        sweep(program, work, write_sweep(work, f"{name}-train", app, cluster, load,
                                         training(app, cluster, load), TRAIN), store)
        export(program, work, store, app, done / "train.csv",
               lambda row: float(row["start"]) < TEST_BEGINS)
    sweep(program, work, write_sweep(work, f"{name}-test", app, cluster, load,
                                     testing(app, cluster, load, tests), TEST), store)
    count = export(program, work, store, app, done / "test.csv",
                   lambda row: float(row["start"]) >= TEST_BEGINS)
    print(f"{name}: {count} test runs", flush=True)


def do_dedicated(program, work, app, cluster):
    name, store = row_name(app, cluster, "dedicated"), f"{cluster}-none.db"
    sweep(program, work,
          write_sweep(work, name, app, cluster, "none", dedicated(app), TRAIN), store)
    export(program, work, store, app, work / "rows" / name / "dedicated.csv",
           lambda row: float(row["start"]) < TEST_BEGINS)


def begin(work):
    work.mkdir(parents=True, exist_ok=True)
    write_platforms(work)


def simulate(program, work):
    begin(work)
    for app, cluster, load, *_ in DIRECT + DUAL:
        do_row(program, work, app, cluster, load)
    for app in sorted({row[0] for row in PORTED}):
        for cluster in sorted({c for row in PORTED if row[0] == app for c in (row[1], row[3])}):
            do_dedicated(program, work, app, cluster)
    for app in sorted({row[0] for row in PORTED if row[4] == "none"}):
        do_row(program, work, app, "ibm", "none")


def command(program, work, app, cluster, load):
    """What predicts the test runs of a program on a cluster."""
    return [program.parent / "evaluate-futures", work / f"{cluster}-{load}.db", app,
            repr(TEST_BEGINS), repr(BYTES[CLUSTERS[cluster]["bandwidth"]]), KINDS[load]]
