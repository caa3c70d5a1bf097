# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs programs and their skeletons on virtual nodes, and stores the results as JSON files."""
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

from running import Failure, alone, call, keep, line_of_json, read
from skeleton_cases import APPS, CPU, LINK, NODES, SCENARIOS, SLOW

LAB = os.environ.get("RUNCAST_LAB", "eva")
CORES = ["taskset", "-c", os.environ["RUNCAST_CORES"]] if "RUNCAST_CORES" in os.environ else []
TRACES = 3
LEAST, GOOD, MOST = 16, 20, 25  # seconds that a program takes on idle nodes
RUN_SECONDS = 900  # time limit of a command
COMPILE = ["mpicc.openmpi", "-O2", "-Wall", "-Wextra"]


def keep_median(found, path):
    """Of several pairs (figures, trace), sorts them by run time, moves the trace of the median run to
    `path`, and returns its figures."""
    found.sort(key=lambda each: each[0]["seconds"])
    figures, trace = found[len(found) // 2]
    shutil.rmtree(path, ignore_errors=True)
    trace.rename(path)
    return figures


class Evaluation:
    """The measurements, in a directory with a folder for each program."""

    def __init__(self, program, work, apps, sizes, scenarios, repeats):
        self.program, self.work = program, work
        self.apps, self.sizes, self.scenarios = apps, sizes, scenarios
        self.repeats = repeats
        self.parts = {"trace": self.trace, "build": self.build, "properties": self.properties,
                      "lab": self.lab_all}
        work.mkdir(parents=True, exist_ok=True)

    # ---- commands ----

    def call(self, command, seconds=RUN_SECONDS):
        return call(command, self.work, seconds)

    def lab(self, *words):
        return self.call([self.program, "lab", *words], 60)

    @contextlib.contextmanager
    def nodes(self, scenario):
        """The lab, set up for a scenario."""
        busy, slow = SCENARIOS[scenario]
        subprocess.run([self.program, "lab", "down", "--lab", LAB], check=False,
                       capture_output=True)
        self.call([*CORES, self.program, "lab", "up", "--lab", LAB, "--nodes", NODES, "--cpu-share", CPU,
                   "--link-rate", LINK], 60)
        competitors = []
        try:
            for node in slow:
                self.lab("set", f"{LAB}{node}", "--link-rate", SLOW)
            for node in busy:
                competitors.append(subprocess.Popen(
                    [self.program, "lab", "exec", f"{LAB}{node}", self.program, "load", "cpu",
                     "--duration", "forever"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL))
            time.sleep(1 if busy else 0.2)
            if any(each.poll() is not None for each in competitors):
                raise Failure("a competitor did not run")
            yield
        finally:
            for each in competitors:
                each.terminate()
                each.wait()
            self.lab("down", "--lab", LAB)

    def mpirun(self, *words):
        return [self.program, "lab", "mpirun", "--lab", LAB, "-p", NODES, *words]

    # ---- runs ----

    def trace_app(self, app, numbers, trace):
        """Traces a program; its time is that from MPI_Init to MPI_Finalize."""
        size, iterations = numbers
        trace.parent.mkdir(parents=True, exist_ok=True)
        printed = line_of_json(self.call(
            [self.program, "trace", "record", "--quiet", "--force", "-o", trace, "--",
             *self.mpirun(self.program.parent / "apps" / "openmpi" / app, "--size", size,
                          "--iterations", iterations)]))
        if printed["check"] != "ok":
            raise Failure(f"{app}: wrong result")
        shown = json.loads(self.call([self.program, "skeleton", "show", "--json", trace]))
        return {"seconds": shown["time_s"], "inner": printed["seconds"], "size": size,
                "iterations": iterations}

    def info(self, trace):
        """Calls by kind, bytes between ranks, and the communication share of a trace."""
        info = json.loads(self.call([self.program, "trace", "info", "--json", trace]))
        return {"seconds": info["time_s"], "share": info["total"]["communicating_fraction"],
                "calls": info["total"]["calls"], "kinds": info["total"]["kinds"], "links": info["links"]}

    def count(self, app, size, launched=None):
        """The calls of a skeleton, which it prints, and its bytes, from a trace of it."""
        launched = launched or self.mpirun
        scratch = self.work / app / "scratch"
        try:
            printed = line_of_json(self.call(
                [self.program, "trace", "record", "--quiet", "--force", "-o", scratch, "--",
                 *launched(self.work / app / f"skeleton-{size}", "--counts")]))
            return printed | {"info": self.info(scratch)}
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def used(self):
        """The time, and the CPU seconds of each node so far."""
        lab = json.loads(self.lab("status", "--lab", LAB, "--json"))["labs"][0]
        return time.monotonic(), [node["cpu_time_s"] for node in lab["nodes"]]

    def watched(self, app, what):
        """A run, with the smallest fraction of a core that a node had during it.  It is too small if
        other processes ran on the machine."""
        began, before = self.used()
        result = self.run(app, what)
        ended, after = self.used()
        return result | {"cpu": min((b - a) / (ended - began) for a, b in zip(before, after))}

    def timer(self):
        """The library that writes the time from MPI_Init to MPI_Finalize of a program."""
        made = self.work / f"between-{LAB}.so"
        if not made.exists():
            self.call(["mpicc.openmpi", "-O2", "-shared", "-fPIC", "-o", made,
                       pathlib.Path(__file__).with_name("between.c")], 60)
        return made

    def time_app(self, app, numbers):
        """Times a program without tracing, which takes time, mostly on nodes with a part of a core."""
        size, iterations = numbers
        path = self.work / app / f"between-{LAB}"
        printed = line_of_json(self.call(
            self.mpirun("env", f"LD_PRELOAD={self.timer()}", f"RUNCAST_BETWEEN={path}",
                        self.program.parent / "apps" / "openmpi" / app, "--size", size,
                        "--iterations", iterations)))
        if printed["check"] != "ok":
            raise Failure(f"{app}: wrong result")
        seconds = float(path.read_text())
        path.unlink()
        return {"seconds": seconds, "inner": printed["seconds"], "size": size,
                "iterations": iterations}

    def run(self, app, what):
        """`what`: program, small, or the length of a skeleton."""
        if what in ("program", "small"):
            traced = read(self.work / app / "trace.json")
            return self.time_app(app, APPS[app][1] if what == "small" else
                                 (traced["size"], traced["iterations"]))
        return line_of_json(self.call(self.mpirun(self.work / app / f"skeleton-{what}")))

    def attempt(self, path, label, do):
        """Does what is not done yet, and stores its result or its error."""
        if read(path) is not None:
            return
        try:
            result = do()
            print(f"{label}: {result.get('seconds', 0):.3f} s", flush=True)
        except (Failure, OSError, ValueError, KeyError, IndexError) as failure:
            result = {"failed": str(failure) or type(failure).__name__}
            print(f"{label}: FAILED: {result['failed']}", file=sys.stderr, flush=True)
        keep(path, result)

    # ---- parts ----

    def fitted(self, app):
        """Size and iterations for a run of GOOD seconds on this machine."""
        size, iterations = APPS[app][0]
        (self.work / app).mkdir(parents=True, exist_ok=True)
        seconds = self.time_app(app, (size, iterations))["seconds"]
        if LEAST <= seconds <= MOST:
            return size, iterations
        return size, max(1, round(iterations * GOOD / seconds))

    def trace_one(self, app):
        """Makes several traces and keeps the one with the median time: a skeleton of a run in a slow
        moment of the machine would compute too much."""
        folder = self.work / app
        numbers = self.fitted(app)
        found = []
        for i in range(TRACES):
            trace = folder / f"trace-{i}"
            found.append((self.trace_app(app, numbers, trace), trace))
        figures = keep_median(found, folder / "trace")
        return figures | {"asked": APPS[app][0], "all": [each[0]["seconds"] for each in found]}

    def trace(self):
        for app in self.apps:
            path = self.work / app / "trace.json"
            traced = read(path)
            if traced and tuple(traced.get("asked", ())) != APPS[app][0]:
                shutil.rmtree(path.parent)  # of another problem
            if read(path) is None:
                with alone(), self.nodes("dedicated"):
                    self.attempt(path, f"{app}, traced", lambda app=app: self.trace_one(app))

    def build_one(self, app, size):
        return self.build_with(COMPILE, app, size)

    def build_with(self, compiler, app, size, unit="--target-time"):
        """One that is refused is built with --force, and the reason is stored."""
        source = self.work / app / f"skeleton-{size}.c"
        command = [self.program, "skeleton", "build", "--json", unit, size, "-o", source,
                   self.work / app / "trace"]
        try:
            built = json.loads(self.call(command))
        except Failure as refused:
            built = json.loads(self.call(command + ["--force"])) | {"refused": str(refused)}
        self.call(compiler + ["-o", source.with_suffix(""), source, "-lm"], 300)
        return built

    def build(self):
        for app in self.apps:
            traced = read(self.work / app / "trace.json")
            for size in self.sizes if traced else []:
                if float(size) >= traced["seconds"]:
                    continue
                path = self.work / app / f"build-{size}.json"
                if read(path) is None:
                    with alone():
                        self.attempt(path, f"{app}, {size} s built",
                                     lambda app=app, size=size: self.build_one(app, size))

    def properties(self):
        """Calls, bytes and communication shares of programs and skeletons."""
        for app in self.apps:
            folder = self.work / app
            if read(folder / "trace.json") is None:
                continue
            self.attempt(folder / "info.json", f"{app}, counted",
                         lambda folder=folder: self.info(folder / "trace"))
            todo = [size for size in self.built(app)
                    if read(folder / f"counts-{size}.json") is None]
            if not todo:
                continue
            with alone(), self.nodes("dedicated"):
                for size in todo:
                    self.attempt(folder / f"counts-{size}.json", f"{app}, {size} s counted",
                                 lambda app=app, size=size: self.count(app, size))

    def built(self, app):
        return [size for size in self.sizes if read(self.work / app / f"build-{size}.json")]

    def lab_round(self, app, scenario, turn):
        """Runs program, small problem and skeletons, one after another, unless they are done."""
        folder = self.work / app / "runs" / scenario
        todo = [what for what in ["program", "small"] + self.built(app)
                if read(folder / f"{turn}-{what}.json") is None]
        if not todo:
            return
        with alone(), self.nodes(scenario):
            for what in todo:
                self.attempt(folder / f"{turn}-{what}.json", f"{app}, {scenario}, {turn}, {what}",
                             lambda what=what: self.watched(app, what))

    def lab_all(self):
        for turn in range(1, self.repeats + 1):
            for app in self.apps:
                if read(self.work / app / "trace.json") is None:
                    continue
                for scenario in self.scenarios:  # near each other in time
                    self.lab_round(app, scenario, turn)
