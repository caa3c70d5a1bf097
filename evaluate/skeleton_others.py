# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that are not in apps/, and those of apps/ under another MPI: they can be traced, give the
same results with tracing, and have skeletons that make the right calls.

Four ranks share the cores of the machine.  Run times are not compared, but communication shares are,
so the machine should be idle otherwise.  Shares change by ten points with the ranks that happen to
share a core, so each is the median of several runs.
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
SHARE = 10  # points of the communication share, at most
LAUNCH = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-np"],
          "mpich": ["mpirun.mpich", "-np"]}
WARNINGS = ["-O2", "-std=c11", "-Wall", "-Wextra", "-Werror"]

# A melting crystal, as in the example `melt` of LAMMPS.
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
    """A program of apps/: all that it prints must be the same, except for times."""

    def __init__(self, app, mpi):
        self.name, self.mpi, self.app = f"{app}, {mpi}", mpi, app

    def is_here(self, evaluation):
        return self.path(evaluation).exists() and bool(shutil.which(LAUNCH[self.mpi][0]))

    def path(self, evaluation):
        return evaluation.program.parent / "apps" / self.mpi / self.app

    def prepare(self, folder):
        """Makes its input files."""

    def command(self, evaluation):
        size, iterations = APPS[self.app][1]
        return [self.path(evaluation), "--size", size, "--iterations", iterations]

    def results(self, text, _folder):
        printed = line_of_json(text)
        if printed["check"] != "ok":
            raise Failure(f"{self.name}: wrong result")
        return {key: value for key, value in printed.items() if "seconds" not in key}


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
    """The HPC Challenge; its results are the numbers of tests that passed."""
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
    """One of the NAS Parallel Benchmarks, named as by its makefiles; its results are what its
    verification prints."""

    def __init__(self, program, mpi, directory):
        self.name, self.mpi = f"NAS {program.upper()}, {mpi}", mpi
        self.path = os.path.abspath(os.path.join(directory, f"{program}.x")) if directory else ""

    def is_here(self, _evaluation):
        return bool(shutil.which(self.path)) and bool(shutil.which(LAUNCH[self.mpi][0]))

    def prepare(self, folder):
        """It has no input files."""

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
    """The programs that are installed, each in its directory."""

    def __init__(self, evaluation):
        super().__init__(evaluation.program, evaluation.work / "others", [], [RATIO], [], 1)
        self.cases = {case.name: case for case in CASES if case.is_here(self)}

    def folder(self, case):
        return self.work / re.sub("[^a-z]+", "-", case.name.lower())

    def launched(self, case, *words):
        return ["env", "-C", self.folder(case), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1",
                *LAUNCH[case.mpi], NODES, *words]

    def traced(self, case, trace, *words):
        return self.call([self.program, "trace", "record", "--quiet", "--force", "-o", trace, "--",
                          *self.launched(case, *words)])

    def trace_case(self, case):
        """Runs it without and with tracing: the results must be equal."""
        folder = self.folder(case)
        folder.mkdir(parents=True, exist_ok=True)
        case.prepare(folder)
        untraced = case.results(self.call(self.launched(case, *case.command(self))), folder)
        found = []
        for i in range(RUNS):
            trace = folder / f"trace-{i}"
            case.prepare(folder)
            printed = self.traced(case, trace, *case.command(self))
            if case.results(printed, folder) != untraced:
                raise Failure(f"{case.name}: other results with tracing")
            self.call([self.program, "trace", "check", trace])
            found.append((self.info(trace), trace))
        return keep_median(found, folder / "trace") | {
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
            for name, do in [("info", self.trace_case), (f"build-{RATIO}", self.build_case),
                             (f"counts-{RATIO}", self.count_case)]:
                with alone():
                    self.attempt(folder / f"{name}.json", f"{case.name}, {name}",
                                 lambda do=do, case=case: do(case))


class Results(skeleton_report.Results):
    """Calls and bytes of the programs that were run."""

    def __init__(self, others):  # pylint: disable=super-init-not-called
        self.work, self.sizes = others.work, [RATIO]
        self.folders = {name: others.folder(case).name for name, case in others.cases.items()}

    def shares(self, folder):
        info = skeleton_report.read(self.work / folder / "info.json")
        counts = skeleton_report.read(self.work / folder / f"counts-{RATIO}.json")
        return (100 * info["share"], 100 * counts["communicating"]) if info and counts else None


TITLE = "Other programs and MPICH"
PAGE = f"\n## {TITLE}\n" + """
These are programs of `apps/` under MPICH, programs of Debian packages, and NAS Parallel Benchmarks of classes S and W,
which verify themselves. Those that are installed run on four ranks that share the cores of one machine. Each gives the
same results with and without tracing. Its skeleton with K = {ratio} compiles without warnings and runs to its end.

Communication shares are medians of {runs} traces and {runs} runs. They change by ten points from run to run, since
other ranks share a core, and by more if programs run for some milliseconds only. A dagger (†) marks skeletons that are
too short. Calls and bytes are compared as above.

{requirements}
{rows}{refused}"""


def judged(results):
    """The requirements on shares, calls and bytes, over all programs that are not refused."""
    folders = {name: folder for name, folder in results.folders.items()
               if not results.refusal(folder)}
    shares = {name: results.shares(folder) for name, folder in folders.items()}
    for text, wanted in [("skeletons without a warning", False),
                         ("skeletons that are too short", True)]:
        found = [(abs(both[0] - both[1]), name) for name, both in shares.items()
                 if both and results.is_flagged(folders[name], RATIO) == wanted]
        if found:
            yield (f"other programs, {text}: communication share differs by at most {SHARE} points",
                   f"{max(found)[0]:.1f} points ({max(found)[1]})", max(found)[0] <= SHARE)
    for text, rows_of in [("calls of each kind", results.calls),
                          ("bytes between each pair of ranks", results.bytes)]:
        found = []
        for name, folder in folders.items():
            worst, what, _, _ = results.worst_of(rows_of(folder, RATIO))
            if worst is not None:
                found.append((worst, f"{name}, {what}"))
        if found:
            yield (f"other programs, {text}, multiplied by K: APE at most {skeleton_report.COUNTS} %",
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
    """The section of the page, and its verdicts; empty if nothing was run."""
    results = Results(Others(evaluation))
    found = list(rows(results))
    if not found:
        return "", []
    verdicts = list(judged(results))
    refused = [skeleton_report.item(f"{name}: {results.refusal(folder).split(': ')[-1]}.")
               for name, folder in results.folders.items() if results.refusal(folder)]
    return PAGE.format(
        ratio=RATIO, runs=RUNS, requirements=skeleton_report.requirement_table(verdicts),
        rows=table(["program", "time in MPI calls, %", "skeleton, %", *skeleton_report.COUNT_HEAD], found),
        refused="\nRefused, built with `--force` (a star above), and not counted:\n\n" +
        "".join(refused) if refused else ""), verdicts
