# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that are not of apps/, and those of apps/ under another MPI: whether they can be recorded,
give the same results then, and have skeletons that make the calls they should.

Four ranks share what cores there are, with nothing done about it: times are not compared here, but
shares of communication are, so that nothing else should run meanwhile.  Which ranks are on one core
is a matter of chance, and changes shares by ten points, so that each is the median of some runs.
"""
import os
import re
import shutil
import statistics

import skeleton_report
from pages import show, table
from running import Failure, alone, line_of_json
from skeleton_cases import APPS, NODES
from skeleton_runs import Evaluation, keep_median

RATIO = "5"
RUNS = 5
SHARE = 10  # points of the share of communication, at most
LAUNCH = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-np"],
          "mpich": ["mpirun.mpich", "-np"]}
WARNINGS = ["-O2", "-std=c11", "-Wall", "-Wextra", "-Werror"]

# Atoms of a melting crystal, as in the example `melt` that comes with LAMMPS.
MELT = """units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 10 0 10 0 10
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify every 20 delay 0 check no
fix 1 all nve
thermo 50
run 1000
"""
HPCC_INPUT = "/usr/share/doc/hpcc/examples/_hpccinf.txt"


class App:
    """A program of apps/: all that it tells must be the same, but for times."""

    def __init__(self, app, mpi):
        self.name, self.mpi, self.app = f"{app}, {mpi}", mpi, app

    def is_here(self, evaluation):
        return self.path(evaluation).exists() and bool(shutil.which(LAUNCH[self.mpi][0]))

    def path(self, evaluation):
        return evaluation.program.parent / "apps" / self.mpi / self.app

    def prepare(self, folder):
        """What it reads is put where it runs."""

    def command(self, evaluation):
        size, iterations = APPS[self.app][1]
        return [self.path(evaluation), "--size", size, "--iterations", iterations]

    def results(self, text, _folder):
        told = line_of_json(text)
        if told["check"] != "ok":
            raise Failure(f"{self.name}: wrong result")
        return {key: value for key, value in told.items() if "seconds" not in key}


class Lammps:
    """Molecular dynamics; its results are the energies that it prints."""
    name, mpi = "LAMMPS, melt", "openmpi"

    def is_here(self, _evaluation):
        return bool(shutil.which("lmp"))

    def prepare(self, folder):
        (folder / "in.melt").write_text(MELT, encoding="utf-8")

    def command(self, _evaluation):
        return ["lmp", "-in", "in.melt", "-log", "none"]

    def results(self, text, _folder):
        found = re.findall(r"^ +\d+ .*$", text, re.MULTILINE)
        if len(found) < 21:
            raise Failure("LAMMPS: no results")
        return {"lines": found[:21]}


class Hpcc:
    """The HPC challenge; its results are how many of its tests passed."""
    name, mpi = "HPCC", "openmpi"

    def is_here(self, _evaluation):
        return bool(shutil.which("hpcc")) and os.path.exists(HPCC_INPUT)

    def prepare(self, folder):
        shutil.copy(HPCC_INPUT, folder / "hpccinf.txt")
        (folder / "hpccoutf.txt").unlink(missing_ok=True)

    def command(self, _evaluation):
        return ["hpcc"]

    def results(self, _text, folder):
        text = (folder / "hpccoutf.txt").read_text(encoding="utf-8")
        found = {"passed": len(re.findall("passed|PASSED", text)),
                 "success": re.findall("^Success=.*$", text, re.MULTILINE)}
        if found["success"] != ["Success=1"]:
            raise Failure("HPCC: a test failed")
        return found


class Nas:
    """One of the NAS Parallel Benchmarks, as their own makefiles name it; its results are what it
    prints of its verification."""

    def __init__(self, program, mpi, directory):
        self.name, self.mpi = f"NAS {program.upper()}, {mpi}", mpi
        self.path = os.path.abspath(os.path.join(directory, f"{program}.x")) if directory else ""

    def is_here(self, _evaluation):
        return bool(shutil.which(self.path)) and bool(shutil.which(LAUNCH[self.mpi][0]))

    def prepare(self, folder):
        """It reads nothing."""

    def command(self, _evaluation):
        return [self.path]

    def results(self, text, _folder):
        found = [line for line in text.splitlines() if re.search("verif", line, re.IGNORECASE)]
        if not any(re.search(r"\bsuccessful", line, re.IGNORECASE) for line in found):
            raise Failure(f"{self.name}: wrong results")
        return {"lines": found}


NAS = [f"{name}.{size}" for size in "SW" for name in "bt cg ep ft is lu mg sp".split()]
CASES = ([App(app, "mpich") for app in APPS] + [Lammps(), Hpcc()] +
         [Nas(program, mpi, os.environ.get(f"RUNCAST_NAS_{mpi.upper()}", ""))
          for mpi in LAUNCH for program in NAS])


class Others(Evaluation):
    """Those that are here, each in a directory of its own."""

    def __init__(self, evaluation):
        super().__init__(evaluation.program, evaluation.work / "others", [], [RATIO], [], 1)
        self.cases = {case.name: case for case in CASES if case.is_here(self)}

    def folder(self, case):
        return self.work / re.sub("[^a-z]+", "-", case.name.lower())

    def launched(self, case, *words):
        return ["env", "-C", self.folder(case), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1",
                *LAUNCH[case.mpi], NODES, *words]

    def recorded(self, case, recording, *words):
        return self.call([self.program, "trace", "--quiet", "--force", "-o", recording, "--",
                          *self.launched(case, *words)])

    def record_case(self, case):
        """Without being recorded, and recorded: the same must come of it."""
        folder = self.folder(case)
        folder.mkdir(parents=True, exist_ok=True)
        case.prepare(folder)
        own = case.results(self.call(self.launched(case, *case.command(self))), folder)
        found = []
        for i in range(RUNS):
            recording = folder / f"recording-{i}"
            case.prepare(folder)
            told = self.recorded(case, recording, *case.command(self))
            if case.results(told, folder) != own:
                raise Failure(f"{case.name}: other results where it is recorded")
            self.call([self.program, "trace", "check", recording])
            found.append((self.info(recording), recording))
        return keep_median(found, folder / "recording") | {
            "share": statistics.median(each["share"] for each, _ in found)}

    def build_case(self, case):
        return self.build_with([f"mpicc.{case.mpi}", *WARNINGS], self.folder(case).name, RATIO,
                               "--ratio")

    def count_case(self, case):
        found = [self.count(self.folder(case).name, RATIO,
                            lambda *words: self.launched(case, *words)) for _ in range(RUNS)]
        return found[0] | {"communicating": statistics.median(each["communicating"]
                                                              for each in found)}

    def run_all(self):
        for case in self.cases.values():
            folder = self.folder(case)
            for name, do in [("info", self.record_case), (f"build-{RATIO}", self.build_case),
                             (f"counts-{RATIO}", self.count_case)]:
                with alone():
                    self.attempt(folder / f"{name}.json", f"{case.name}, {name}",
                                 lambda do=do, case=case: do(case))


class Results(skeleton_report.Results):
    """Calls and bytes of those that were run."""

    def __init__(self, others):  # pylint: disable=super-init-not-called
        self.work, self.sizes = others.work, [RATIO]
        self.folders = {name: others.folder(case).name for name, case in others.cases.items()}

    def shares(self, folder):
        info = skeleton_report.read(self.work / folder / "info.json")
        counts = skeleton_report.read(self.work / folder / f"counts-{RATIO}.json")
        return (100 * info["share"], 100 * counts["communicating"]) if info and counts else None


TITLE = "Other programs, and another MPI"
PAGE = f"\n## {TITLE}\n" + """
Programs of `apps/` under MPICH, programs of Debian's packages, and NAS Parallel Benchmarks of class S and W, which verify
themselves, where builds of them are at hand, on four ranks that share the cores of one machine. Each
was run by itself and recorded, with the same results; its skeleton with K = {ratio}, which compiles without a warning,
ran to its end. Shares of communication are medians of {runs} recordings and {runs} runs: which ranks come to share a core
changes them by ten points from run to run, and most where programs take some milliseconds. Where `build` warns that a
skeleton is too short there is a dagger (†). Calls and bytes are compared as above.

{demands}
{rows}{refused}"""


def judged(results):
    """The demands on shares, calls and bytes, over all that are not refused."""
    folders = {name: folder for name, folder in results.folders.items()
               if not results.refusal(folder)}
    shares = {name: results.shares(folder) for name, folder in folders.items()}
    for text, wanted in [("", False), (", where `build` warns that it is too short", True)]:
        found = [(abs(both[0] - both[1]), name) for name, both in shares.items()
                 if both and results.is_flagged(folders[name], RATIO) == wanted]
        if found:
            yield (f"others, share of communication within {SHARE} points{text}",
                   f"{max(found)[0]:.1f} ({max(found)[1]})", max(found)[0] <= SHARE)
    for text, rows_of in [("calls of each kind", results.calls),
                          ("bytes between each pair", results.bytes)]:
        found = []
        for name, folder in folders.items():
            worst, what, _, _ = results.worst_of(rows_of(folder, RATIO))
            if worst is not None:
                found.append((worst, f"{name}, {what}"))
        if found:
            yield (f"others, {text}, times K, within {skeleton_report.COUNTS} %",
                   f"{max(found)[0]:.1f} % ({max(found)[1]})",
                   max(found)[0] <= skeleton_report.COUNTS)


def rows(results):
    for name, folder in results.folders.items():
        shares = results.shares(folder)
        if not shares:
            continue
        calls = results.worst_of(results.calls(folder, RATIO))
        sent = results.worst_of(results.bytes(folder, RATIO))
        mark = (" *" if results.refusal(folder) else
                " †" if results.is_flagged(folder, RATIO) else "")
        yield [name + mark, show(shares[0]), show(shares[1]),
               f"{show(calls[0])} {calls[1]}", f"{calls[2]} of {calls[2] + calls[3]}",
               f"{show(sent[0])} {sent[1]}", f"{sent[2]} of {sent[2] + sent[3]}"]


def run(evaluation):
    Others(evaluation).run_all()


def section(evaluation):
    """The section of the page, and what must hold; nothing where nothing was run."""
    results = Results(Others(evaluation))
    found = list(rows(results))
    if not found:
        return "", []
    held = list(judged(results))
    refused = [f"- {name}: {results.refusal(folder).split(': ')[-1]}.\n"
               for name, folder in results.folders.items() if results.refusal(folder)]
    return PAGE.format(
        ratio=RATIO, runs=RUNS, demands=skeleton_report.demand_table(held),
        rows=table(["program", "communicates, %", "its skeleton, %", "calls: worst, %",
                    "kinds compared", "bytes: worst, %", "sums of bytes compared"], found),
        refused="\nRefused but for `--force` (a star above), and not counted:\n\n" +
        "".join(refused) if refused else ""), held
