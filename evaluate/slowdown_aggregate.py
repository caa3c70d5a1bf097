# SPDX-License-Identifier: GPL-3.0-or-later
"""Aggregate slowdown: parallel programs on four nodes with competitors on some (section 6.3)."""
import contextlib
import pathlib
import statistics
import subprocess
import sys
import time

from running import Failure
from slowdown_cases import (APPS, CASES, FAST_CPU, FEW_PART, NODES, ONLY, SCALE, SERIAL,
                            SLOW_CPU)
from slowdown_lab import node

SCRIPT = pathlib.Path(__file__).resolve().parent / "coupled.py"
START = 0.5  # seconds until serial competitors are at it
PARALLEL = 30  # seconds at most, until parallel ones are
WEIGHT_ROUNDS = 7
LONG = ("ep", 44, 1000)  # computes until it is ended


class Cluster:
    """The four nodes of the lab as a case counts them: place 1 and 2 are the fast ones, where they
    differ, and these are on different cores."""

    def __init__(self, bench, kind):
        self.bench, self.kind = bench, kind
        cores = bench.cores()
        first = [cores.index(core) + 1 for core in sorted(set(cores))]
        rest = [i for i in range(1, NODES + 1) if i not in first]
        self.order = (first + rest) if len(first) == 2 else list(range(1, NODES + 1))
        if kind == "uneven":
            for place, number in enumerate(self.order):  # slow ones first, which makes room
                if place >= 2:
                    bench.lab("set", node(number), "--cpu-share", f"{SLOW_CPU:.4g}")
            for number in self.order[:2]:
                bench.lab("set", node(number), "--cpu-share", f"{FAST_CPU:.4g}")
            time.sleep(0.5)

    def number(self, place):
        return self.order[place - 1]

    # ---- competitors ----

    def mpirun(self, places):
        return self.bench.mpirun(*LONG, [self.number(each) for each in places])

    def spinner(self, place):
        return self.bench.within(self.number(place), self.bench.program, "load", "cpu", "--duration",
                                 "forever")

    @contextlib.contextmanager
    def coupled(self, places):
        """A pair of processes that wait for one another."""
        started = []
        try:
            started.append(subprocess.Popen(
                self.bench.within(self.number(places[0]), sys.executable, SCRIPT, "receive"),
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                start_new_session=True))
            port = int(started[0].stdout.readline())
            started.append(subprocess.Popen(
                self.bench.within(self.number(places[1]), sys.executable, SCRIPT, "connect",
                                  node(self.number(places[0])), port),
                stdin=subprocess.DEVNULL, start_new_session=True))
            yield
        finally:
            for each in started:
                each.terminate()
                each.wait()

    @contextlib.contextmanager
    def competitors(self, case):
        with contextlib.ExitStack() as stack:
            for places in case.coupled:
                stack.enter_context(self.coupled(places))
            commands = [self.mpirun(places) for places in case.parallel]
            commands += [self.spinner(place) for place in case.serial]
            if commands:
                stack.enter_context(self.bench.beside(commands, START))
            await_ranks(sum(len(places) for places in case.parallel))
            yield

    # ---- the program ----

    def run(self, case, app, split):
        size, iterations = APPS[app]
        if split and max(split) - min(split) < 1e-6:
            split = []  # not all programs know other parts
        part = FEW_PART if case.nodes == "uneven" and case.policy == "constraint" else 1
        return self.bench.run_recorded(app, size, max(1, round(iterations * SCALE * part)),
                                       self.order, split or None)


def busy(name):
    """How many processes of that name have computed for a while."""
    found = 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, IndexError):
            head, fields = stat.read_text(encoding="utf-8").rsplit(")", 1)
            found += head.split("(", 1)[1] == name and int(fields.split()[11]) >= 5
    return found


def await_ranks(count):
    """Until that many ranks of parallel competitors compute."""
    end = time.monotonic() + PARALLEL
    while busy(LONG[0]) < count:
        if time.monotonic() > end:
            raise Failure("a parallel competitor did not begin")
        time.sleep(0.1)


# ---- how work is split ----

def weights(bench, kind):
    """Of the places, by the serial benchmark on each."""
    seconds = node_seconds(bench, kind)
    return [max(seconds) / each for each in seconds]


def node_seconds(bench, kind):
    if kind == "even":
        return [1.0] * NODES
    return bench.done("calibrate", "weights")["places"]


def load_of(case, speeds):
    """The local slowdown of each place: one more for each that computes there all the time."""
    found = [1.0] * NODES
    for places in case.parallel:
        for place in places:
            found[place - 1] += 1
    for place in case.serial:
        found[place - 1] += 1
    for places in case.coupled:  # as much work on each: the slowest computes all the time
        slowest = min(speeds[place - 1] for place in places)
        for place in places:
            found[place - 1] += slowest / speeds[place - 1]
    return found


def split_of(bench, case, dedicated):
    """Parts of the places: [] is all alike."""
    asked = case.dedicated if dedicated else case.work
    if asked is not None:
        return asked
    speeds = weights(bench, case.nodes)
    slowdowns = [1.0] * NODES if dedicated else load_of(case, speeds)
    able = [speed / slowdown for speed, slowdown in zip(speeds, slowdowns)]
    return [each / sum(able) for each in able]


def hosts_file(bench, name, app):
    """A case as a hosts file."""
    case = CASES[name]
    lines = ["hosts:"]
    work, alone = split_of(bench, case, False), split_of(bench, case, True)
    for i, seconds in enumerate(node_seconds(bench, case.nodes)):
        text = f"  - {{name: n{i + 1}, seconds: {seconds:.6g}"
        if case.policy == "constraint":
            text += f", work: {(work or [1 / NODES] * NODES)[i]:.9f}"
            text += f", dedicated: {(alone or [1 / NODES] * NODES)[i]:.9f}"
        lines.append(text + "}")
    competitors = [(places, "no") for places in case.parallel]
    competitors += [([place], "no") for place in case.serial]
    competitors += [(places, "yes") for places in case.coupled]
    lines.append("competitors:")
    for places, coupled in competitors:
        lines.append(f"  - {{shares: \"1\", hosts: [{', '.join(f'n{each}' for each in places)}]" +
                     (", coupled: yes}" if coupled == "yes" else "}"))
    path = bench.work / "aggregate" / name / f"{app}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


# ---- measuring ----

def measure_weights(bench):
    """Seconds of the serial benchmark on each place, for as much CPU time on each: medians of runs
    in turn."""
    cluster = Cluster(bench, "uneven")
    app, size, iterations = SERIAL
    rounds = [[bench.run_serial(app, size, max(1, iterations // 10), number)
               for number in cluster.order] for _ in range(WEIGHT_ROUNDS)]
    cpu = statistics.median(run["cpu"] for runs in rounds for run in runs)
    found = [cpu * statistics.median(run["seconds"] / run["cpu"] for run in place)
             for place in zip(*rounds)]
    return {"places": found, "fast": found[0], "slow": found[-1]}


def calibrate(bench):
    if bench.todo([["calibrate", "weights"]]):
        with bench.four():
            bench.attempt(["calibrate", "weights"], lambda: measure_weights(bench))


def aggregate(bench):
    for turn in range(1, bench.repeats + 1):
        for kind in ("even", "uneven"):
            if kind == "uneven" and bench.done("calibrate", "weights") is None:
                continue
            turn_of(bench, turn, kind)


def turn_of(bench, turn, kind):
    paths = {name: {app: ["aggregate", name, app, str(turn)] for app in CASES[name].apps}
             for name in ONLY if CASES[name].nodes == kind}
    if not bench.todo([path for apps in paths.values() for path in apps.values()]):
        return
    with bench.four():
        cluster = Cluster(bench, kind)
        for name, apps in paths.items():
            todo = {app: path for app, path in apps.items() if bench.done(*path) is None}
            if todo:
                with bench.guarded(f"aggregate, {name}"):
                    measure_case(bench, cluster, CASES[name], todo)


def measure_case(bench, cluster, case, todo):
    """Dedicated runs right before those beside competitors: the speed of the machine changes."""
    parts, split = split_of(bench, case, True), split_of(bench, case, False)
    alone = {app: cluster.run(case, app, parts) for app in todo}
    with cluster.competitors(case):
        for app, path in todo.items():
            bench.attempt(path, lambda app=app: {
                "alone": alone[app], "split_alone": parts,
                "beside": cluster.run(case, app, split), "split": split})
