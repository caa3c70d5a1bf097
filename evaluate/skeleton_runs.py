# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs programs and their skeletons on virtual nodes, and keeps what came of it as JSON files."""
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
RECORDINGS = 3
LEAST, GOOD, MOST = 16, 20, 25  # seconds that a program takes with nothing else on the nodes
RUN_SECONDS = 900  # the longest that anything may take
COMPILE = ["mpicc.openmpi", "-O2", "-Wall", "-Wextra"]


def keep_median(found, kept):
    """Of several recordings, pairs of what is told and where it is, keeps the one of median length;
    returns what is told of it.  They are in the order of their lengths then."""
    found.sort(key=lambda each: each[0]["seconds"])
    told, recording = found[len(found) // 2]
    shutil.rmtree(kept, ignore_errors=True)
    recording.rename(kept)
    return told


class Evaluation:
    """All that is measured, in a directory with one for each program."""

    def __init__(self, program, work, apps, sizes, scenarios, repeats):
        self.program, self.work = program, work
        self.apps, self.sizes, self.scenarios = apps, sizes, scenarios
        self.repeats = repeats
        self.parts = {"record": self.record, "build": self.build, "properties": self.properties,
                      "lab": self.lab_all}
        work.mkdir(parents=True, exist_ok=True)

    # ---- commands ----

    def call(self, command, seconds=RUN_SECONDS):
        return call(command, self.work, seconds)

    def lab(self, *words):
        return self.call([self.program, "lab", *words], 60)

    @contextlib.contextmanager
    def nodes(self, scenario):
        """The lab as a scenario has it."""
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

    # ---- what is run ----

    def run_app(self, app, numbers, recording):
        """A program, recorded; its time is that between MPI_Init and MPI_Finalize."""
        size, iterations = numbers
        recording.parent.mkdir(parents=True, exist_ok=True)
        told = line_of_json(self.call(
            [self.program, "trace", "record", "--quiet", "--force", "-o", recording, "--",
             *self.mpirun(self.program.parent / "apps" / "openmpi" / app, "--size", size,
                          "--iterations", iterations)]))
        if told["check"] != "ok":
            raise Failure(f"{app}: wrong result")
        shown = json.loads(self.call([self.program, "skeleton", "show", "--json", recording]))
        return {"seconds": shown["time_s"], "inner": told["seconds"], "size": size,
                "iterations": iterations}

    def info(self, recording):
        """Calls by kind, bytes between ranks, and the share of communication of a recording."""
        told = json.loads(self.call([self.program, "trace", "info", "--json", recording]))
        return {"seconds": told["time_s"], "share": told["total"]["communicating_fraction"],
                "calls": told["total"]["calls"], "kinds": told["total"]["kinds"], "links": told["links"]}

    def count(self, app, size, launched=None):
        """What a skeleton does: calls as it tells itself, bytes as a recording of it has them."""
        launched = launched or self.mpirun
        scratch = self.work / app / "scratch"
        try:
            told = line_of_json(self.call(
                [self.program, "trace", "record", "--quiet", "--force", "-o", scratch, "--",
                 *launched(self.work / app / f"skeleton-{size}", "--counts")]))
            return told | {"info": self.info(scratch)}
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def used(self):
        """CPU seconds of each node so far, and when that was."""
        told = json.loads(self.lab("status", "--lab", LAB, "--json"))["labs"][0]
        return time.monotonic(), [node["cpu_time_s"] for node in told["nodes"]]

    def watched(self, app, what):
        """A run, with the least part of a core that a node had meanwhile: where that is not what
        it should be, something else was on the machine."""
        began, before = self.used()
        result = self.run(app, what)
        ended, after = self.used()
        return result | {"cpu": min((b - a) / (ended - began) for a, b in zip(before, after))}

    def timer(self):
        """What tells the time between MPI_Init and MPI_Finalize, loaded into a program."""
        made = self.work / f"between-{LAB}.so"
        if not made.exists():
            self.call(["mpicc.openmpi", "-O2", "-shared", "-fPIC", "-o", made,
                       pathlib.Path(__file__).with_name("between.c")], 60)
        return made

    def time_app(self, app, numbers):
        """A program by itself: recording takes time, too, most where nodes have a part of a core."""
        size, iterations = numbers
        kept = self.work / app / f"between-{LAB}"
        told = line_of_json(self.call(
            self.mpirun("env", f"LD_PRELOAD={self.timer()}", f"RUNCAST_BETWEEN={kept}",
                        self.program.parent / "apps" / "openmpi" / app, "--size", size,
                        "--iterations", iterations)))
        if told["check"] != "ok":
            raise Failure(f"{app}: wrong result")
        seconds = float(kept.read_text())
        kept.unlink()
        return {"seconds": seconds, "inner": told["seconds"], "size": size,
                "iterations": iterations}

    def run(self, app, what):
        """`what`: program, small, or the length of a skeleton."""
        if what in ("program", "small"):
            recorded = read(self.work / app / "record.json")
            return self.time_app(app, APPS[app][1] if what == "small" else
                                 (recorded["size"], recorded["iterations"]))
        return line_of_json(self.call(self.mpirun(self.work / app / f"skeleton-{what}")))

    def attempt(self, path, label, do):
        """Does what is not done yet, and keeps its result, or why there is none."""
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
        """Size and iterations, so that it takes as long here as it should."""
        size, iterations = APPS[app][0]
        (self.work / app).mkdir(parents=True, exist_ok=True)
        seconds = self.time_app(app, (size, iterations))["seconds"]
        if LEAST <= seconds <= MOST:
            return size, iterations
        return size, max(1, round(iterations * GOOD / seconds))

    def record_one(self, app):
        """Several recordings, of which the one with the median time is kept: a machine may have a
        slow moment, and the skeleton would compute too much ever after."""
        folder = self.work / app
        numbers = self.fitted(app)
        found = []
        for i in range(RECORDINGS):
            recording = folder / f"recording-{i}"
            found.append((self.run_app(app, numbers, recording), recording))
        told = keep_median(found, folder / "recording")
        return told | {"asked": APPS[app][0], "all": [each[0]["seconds"] for each in found]}

    def record(self):
        for app in self.apps:
            path = self.work / app / "record.json"
            recorded = read(path)
            if recorded and tuple(recorded.get("asked", ())) != APPS[app][0]:
                shutil.rmtree(path.parent)  # of another problem
            if read(path) is None:
                with alone(), self.nodes("dedicated"):
                    self.attempt(path, f"{app}, recorded", lambda app=app: self.record_one(app))

    def build_one(self, app, size):
        return self.build_with(COMPILE, app, size)

    def build_with(self, compiler, app, size, unit="--target-time"):
        """One that is refused is built all the same, and the reason kept."""
        source = self.work / app / f"skeleton-{size}.c"
        command = [self.program, "skeleton", "build", "--json", unit, size, "-o", source,
                   self.work / app / "recording"]
        try:
            told = json.loads(self.call(command))
        except Failure as refused:
            told = json.loads(self.call(command + ["--force"])) | {"refused": str(refused)}
        self.call(compiler + ["-o", source.with_suffix(""), source, "-lm"], 300)
        return told

    def build(self):
        for app in self.apps:
            recorded = read(self.work / app / "record.json")
            for size in self.sizes if recorded else []:
                if float(size) >= recorded["seconds"]:
                    continue
                path = self.work / app / f"build-{size}.json"
                if read(path) is None:
                    with alone():
                        self.attempt(path, f"{app}, {size} s built",
                                     lambda app=app, size=size: self.build_one(app, size))

    def properties(self):
        """What recordings and skeletons did: calls, bytes and shares."""
        for app in self.apps:
            folder = self.work / app
            if read(folder / "record.json") is None:
                continue
            self.attempt(folder / "info.json", f"{app}, looked at",
                         lambda folder=folder: self.info(folder / "recording"))
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
        """Program, small problem and skeletons, one after the other, of which some may be done."""
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
                if read(self.work / app / "record.json") is None:
                    continue
                for scenario in self.scenarios:  # near each other in time
                    self.lab_round(app, scenario, turn)
