# SPDX-License-Identifier: GPL-3.0-or-later
"""What evaluations on virtual nodes share: commands that may fail, results kept as JSON files, and one
machine for all."""
import contextlib
import fcntl
import json
import os
import subprocess
import time


def read(path):
    """What a file has, or None where there is none, or what it tells of failed."""
    if not path.exists():
        return None
    found = json.loads(path.read_text(encoding="utf-8"))
    return None if "failed" in found else found


def keep(path, what):
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(what, indent=1) + "\n", encoding="utf-8")
    partial.rename(path)


def last_words(text):
    """The last line that is no hint."""
    lines = [line for line in text.strip().splitlines() if not line.startswith("hint:")]
    return lines[-1] if lines else "no word"


def line_of_json(text):
    """The last line that is an object: what programs of apps/ and skeletons print."""
    lines = [line for line in text.splitlines() if line.startswith("{") and line.endswith("}")]
    return json.loads(lines[-1])


@contextlib.contextmanager
def alone():
    """As long as the lock is held, whoever wants the machine to itself has to wait; others who
    measure in a lab of their own do not."""
    path = os.environ.get("RUNCAST_LOCK")
    if not path:
        yield
        return
    with open(path, "a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        yield


class Failure(Exception):
    """Of a command; the text says what it was."""


def call(command, work, seconds, given=None):
    """The output of a command in the directory `work`; one that takes too long ends with all its
    children.  `given`: its standard input."""
    words = ["timeout", "-k", "10", str(seconds)] + [str(word) for word in command]
    done = subprocess.run(words, cwd=work, input=given,
                          stdin=None if given else subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)
    if done.returncode:
        why = f"no end after {seconds} s" if done.returncode in (124, 137) else \
            f"status {done.returncode}: {last_words(done.stderr or done.stdout)}"
        raise Failure(f"{' '.join(words[5:8])}: {why}")
    return done.stdout


RUN_SECONDS = 1800  # the longest that anything of these may take


class Kept:
    """The program under test, and where results are kept."""

    def __init__(self, program, work):
        self.program, self.work = program, work
        work.mkdir(parents=True, exist_ok=True)

    def call(self, *words, seconds=RUN_SECONDS):
        return call([self.program, *words], self.work, seconds)

    def json(self, *words):
        return json.loads(self.call(*words, "--json"))

    @contextlib.contextmanager
    def nodes(self, lab, count, cpu, link, *more):
        """A lab of virtual nodes, and the platform file that tells of it; on the cores of
        $RUNCAST_CORES alone, where that is set."""
        subprocess.run([self.program, "lab", "down", "--lab", lab], check=False,
                       capture_output=True)
        cores = ["taskset", "-c", os.environ["RUNCAST_CORES"]] if "RUNCAST_CORES" in os.environ \
            else []
        call([*cores, self.program, "lab", "up", "--lab", lab, "--nodes", count, "--cpu-share", cpu,
              "--link-rate", link, *more], self.work, 60)
        path = self.work / "lab.yaml"
        path.write_text(
            f"name: lab\nclusters:\n  - name: lab\n    hosts: {lab}[1-{count}]\n"
            f"    cores: 1\n    networks:\n      - {{name: link, bandwidth: {link}, latency: 50us}}\n",
            encoding="utf-8")
        try:
            time.sleep(0.5)
            yield path
        finally:
            self.call("lab", "down", "--lab", lab)

    def lab_run(self, lab, nodes, app, *words):
        """Seconds that a program of apps/ takes there."""
        told = line_of_json(self.call("lab", "mpirun", "--lab", lab, "-p", nodes,
                                      self.program.parent / "apps" / "openmpi" / app, *words))
        if told["check"] != "ok":
            raise Failure(f"{app}: wrong result")
        return told["seconds"]

    def attempt(self, path, do):
        """What is kept there, or what `do` gives, which is kept then; a failure is, too."""
        found = read(path)
        if found is not None:
            return found
        try:
            with alone():
                found = do()
            print(f"{path.stem}: {found.get('seconds', 0):.4g} s", flush=True)
        except (Failure, ValueError, KeyError, IndexError, TypeError) as failure:
            found = {"failed": str(failure) or type(failure).__name__}
            print(f"{path.stem}: FAILED: {found['failed']}", flush=True)
        keep(path, found)
        return read(path)
