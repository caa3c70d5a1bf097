# SPDX-License-Identifier: GPL-3.0-or-later
"""Virtual nodes, programs and competitors in them, and results kept as JSON files."""
import contextlib
import json
import os
import signal
import subprocess
import sys
import time

from running import Failure, call, keep, last_words, line_of_json, read
from slowdown_cases import NODE_CPU, NODE_LINK, NODES, PAIR_CPU, PAIR_LINK, WORD

LAB = os.environ.get("RUNCAST_LAB", "evs")
RUN_SECONDS = 300  # the longest that anything may take
SETTLE = 1.0       # seconds until competitors stand
TROUBLE = (Failure, ValueError, KeyError, IndexError, TypeError, OSError,
           subprocess.TimeoutExpired)


def node(number):
    return f"{LAB}{number}"


class Bench:
    """The program under test, where results are kept, and how often things are repeated."""

    def __init__(self, program, work, repeats):
        self.program, self.work, self.repeats = program, work, repeats
        self.apps = program.parent / "apps" / "openmpi"
        self.db = work / "runcast.db"
        work.mkdir(parents=True, exist_ok=True)

    # ---- commands ----

    def call(self, command, seconds=RUN_SECONDS, given=None):
        return call(command, self.work, seconds, given)

    def slowdown(self, *words):
        """The JSON of a prediction."""
        return json.loads(self.call([self.program, "slowdown", *words, "--json"], 60))

    def lab(self, *words):
        return self.call([self.program, "lab", *words], 60)

    def within(self, number, *words):
        """The words that run something in a node."""
        return [str(word) for word in (self.program, "lab", "exec", node(number), *words)]

    # ---- nodes ----

    @contextlib.contextmanager
    def nodes(self, count, cpu, link):
        subprocess.run([self.program, "lab", "down", "--lab", LAB], check=False,
                       capture_output=True)
        try:
            self.lab("up", "--lab", LAB, "--nodes", count, "--cpu-share", f"{cpu:.4g}", "--link-rate", link)
            time.sleep(0.2)
            yield
        finally:
            self.lab("down", "--lab", LAB)

    def pair(self):
        """Two nodes, on a core each."""
        return self.nodes(2, PAIR_CPU, PAIR_LINK)

    def four(self):
        return self.nodes(NODES, NODE_CPU, NODE_LINK)

    def cores(self):
        """The core of each node of the lab."""
        told = json.loads(self.lab("status", "--lab", LAB, "--json"))["labs"][0]
        return [each["core"] for each in told["nodes"]]

    # ---- programs ----

    def mpirun(self, app, size, iterations, where, split=None):
        """The words that run it with a rank on each of the nodes `where`."""
        words = [self.program, "lab", "mpirun", "--lab", LAB, "-p", len(where), "--hosts",
                 ",".join(node(each) for each in where), self.apps / app, "--size", size,
                 "--iterations", iterations]
        return words + (["--split", ",".join(f"{part:.6f}" for part in split)] if split else [])

    def run_app(self, *words):
        """Its time by its own clock; as mpirun()."""
        told = line_of_json(self.call(self.mpirun(*words)))
        if told["check"] != "ok":
            raise Failure(f"{words[0]}: wrong result")
        return told["seconds"]

    def run_recorded(self, *words):
        """Seconds of the whole program, and of each rank those that it computed, by the clock and
        of CPU time; as mpirun()."""
        directory = self.work / "recording"
        told = line_of_json(self.call([self.program, "trace", "record", "--force", "--quiet", "-o", directory,
                                       "--", *self.mpirun(*words)]))
        if told["check"] != "ok":
            raise Failure(f"{words[0]}: wrong result")
        trace = json.loads(self.call([self.program, "trace", "info", directory, "--json"]))
        return {"seconds": trace["time_s"], "loop": told["seconds"],
                "computing": [each["computing_s"] for each in trace["ranks"]],
                "cpu": [each["cpu_s"] for each in trace["ranks"]]}

    def run_serial(self, app, size, iterations, number=1):
        """On a node, in one process without a launcher: seconds by its own clock, and of CPU time.
        A machine whose cores change their speed changes both alike, and what others take from
        the program only the first."""
        told = self.call(self.within(
            number, "bash", "-c", 'TIMEFORMAT="CPU %U %S"; { time "$@"; } 2>&1', "serial",
            self.apps / app, "--size", size, "--iterations", iterations))
        used = [line.split()[1:] for line in told.splitlines() if line.startswith("CPU ")]
        return {"seconds": line_of_json(told)["seconds"], "cpu": sum(map(float, used[-1]))}

    def generator(self, mix, seed, number=1, to=2):
        """The words of a contention generator: `mix` has options of 'load mix'."""
        options = [str(word) for name, value in mix.items()
                   for word in ([f"--{name}"] if value is True else [f"--{name}", value])]
        return self.within(number, self.program, "load", "mix", *options, "--seed", seed, "--connect",
                           node(to), "--launcher", f"{self.program} lab exec", "--runcast-path",
                           self.program, "--json", "--duration", "forever")

    @contextlib.contextmanager
    def beside(self, commands, settle=SETTLE):
        """Runs commands meanwhile; gives a list that has what they printed once they have ended."""
        started, told = [], []
        try:
            for command in commands:
                started.append(subprocess.Popen(
                    [str(word) for word in command], cwd=self.work, stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                    start_new_session=True))
            time.sleep(settle)
            for each in started:
                if each.poll() is not None:
                    raise Failure(f"a competitor ended: {last_words(each.stderr.read())}")
            yield told
        finally:
            for each in started:
                each.terminate()
            for each in started:
                told.append(self.end(each))

    @staticmethod
    def end(process):
        """What it printed; it was asked to end before."""
        try:
            return process.communicate(timeout=20)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return process.communicate()[0]

    @staticmethod
    def mix_reports(told, seconds=0):
        """Of generators: what their only processes say of themselves.  They must have been at it
        for so many seconds at least: one that came late was no competitor."""
        if not all(told):
            raise Failure("a generator had not begun")
        reports = [json.loads(text) for text in told]
        if min(report["duration_s"] for report in reports) < seconds:
            raise Failure("a generator began too late")
        return [report["processes"][0] for report in reports]

    # ---- keeping ----

    def done(self, *path):
        return read(self.work.joinpath(*path[:-1], f"{path[-1]}.json"))

    def attempt(self, path, do):
        """Does what is not done yet and keeps its result, or why there is none.  `path` is a list
        of names."""
        if self.done(*path) is not None:
            return
        label = ", ".join(path)
        try:
            result = do()
            numbers = ", ".join(f"{name} {value:.4g}" for name, value in result.items()
                                if isinstance(value, float))
            print(f"{label}: {numbers or 'done'}", flush=True)
        except TROUBLE as failure:
            result = {"failed": str(failure) or type(failure).__name__}
            print(f"{label}: FAILED: {result['failed']}", file=sys.stderr, flush=True)
        keep(self.work.joinpath(*path[:-1], f"{path[-1]}.json"), result)

    @contextlib.contextmanager
    def guarded(self, label):
        """What fails in here, such as a competitor that does not start, does not end the rest."""
        try:
            yield
        except TROUBLE as failure:
            print(f"{label}: FAILED: {failure}", file=sys.stderr, flush=True)

    def todo(self, paths):
        """Those that are not done."""
        return [path for path in paths if self.done(*path) is None]


def burst_bytes(messages, words):
    return messages * words * WORD
