# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures inputs of models, makes the runs that they are compared with, and evaluates the models."""
import datetime
import json
import os
import shlex
import statistics

import structure_oracle
from running import RUN_SECONDS, Kept
from structure_cases import (ALPHA_OF, COMMUNICATING, COMPUTING, DEDICATED, EARLIER, EVERY, HISTORY,
                             JUDGED, KINDS, LAB_BURST, LAB_CASES, LAB_CPU, LAB_LINK, LAB_NODES,
                             LAB_REPEATS, LEVEL, LOADED, LOADS, LOAD_PLATFORM, NO_OPCOUNT,
                             PLATFORMS, SSOR)

LAB = os.environ.get("RUNCAST_LAB", "evd")


def compared(told):
    """The predictions of `model accuracy`, by their starts."""
    runs = [{"start": datetime.datetime.fromisoformat(run["start"]).timestamp(),
             "n": run["size"], "p": run["procs"], "actual": run["actual_s"],
             "modelled": run["predicted_s"], "low": run["interval_s"]["low"],
             "high": run["interval_s"]["high"]} for run in told["predictions"]]
    return sorted(runs, key=lambda run: run["start"])


class Bench(Kept):
    """The clusters, programs and models that are tried."""

    def __init__(self, program, root, work):
        super().__init__(program, work)
        self.root = root

    def platform(self, name):
        return self.work / "ssor" / "intel.yaml" if name == SSOR["cluster"] else \
            self.root / "examples" / f"{name}.yaml"

    def model(self, app):
        return self.root / "models" / "apps" / f"{app}.rcm"

    def hosts(self, app, platform):
        names = PLATFORMS[platform][0]
        return names[:ALPHA_OF.get(app, len(names))] if platform == "alpha" else names

    def shape(self, app, hosts):
        """Inputs that describe the layout of the ranks."""
        return ["--set", "px=4"] if app == "lu" and len(hosts) == 8 else []

    # ---- measuring ----

    def measure(self, app, platform, medial, iterations):
        """Measures the inputs of the model."""
        hosts = self.hosts(app, platform)
        simulated = [str(self.program), "lab", "sim", "--no-store", "--json", "--platform-file",
                     str(self.platform(platform)), *PLATFORMS[platform][1], "--hosts", "{hosts}",
                     "-p", "{p}", "--"]
        return self.json(
            "model", "measure", self.model(app), "--platform-file", self.platform(platform), "--hosts",
            ",".join(hosts), "--set", f"medial={medial}", "--set", f"iterations={iterations}",
            *self.shape(app, hosts), "--db", self.work / f"{platform}.db", "--repeat", "3",
            "--command", " ".join([*simulated, app, "--size", "{size}", "--iterations",
                                   "{iterations}"]),
            "--microbenchmark", " ".join([*simulated, "{program}"]))

    def measured(self, app, platform, iterations):
        """A file with the measured inputs."""
        path = self.work / f"{app}-measured.rcm"
        self.call("model", "measure", self.model(app), "--platform-file", self.platform(platform),
                  "--hosts", ",".join(self.hosts(app, platform)), "--set",
                  f"iterations={iterations}", "--db", self.work / f"{platform}.db", "--inputs",
                  "none", "--output", path)
        return path

    # ---- dedicated ----

    def silent(self, app):
        """A further file by which communication takes no time."""
        path = self.work / f"{app}-silent.rcm"
        lines = [f"component {task} by nothing = 0\nuse {task.split('[')[0]} by nothing\n"
                 for task in COMMUNICATING[app]]
        path.write_text("".join(lines) or "# it hardly communicates\n", encoding="utf-8")
        return path

    def alternatives(self, app):
        found = {"benchmark": [], "silent": ["--with", self.silent(app)]}
        for name, extra in found.items():
            for task in COMPUTING[app]:
                extra += ["--alternative", f"{task}=benchmark"]
        if app not in NO_OPCOUNT:
            found["opcount"] = [word for task in COMPUTING[app]
                                for word in ("--alternative", f"{task}=opcount")]
        return found

    def dedicated(self, app, platform):
        _, _, sizes, medial, iterations = DEDICATED[app, platform]
        hosts = self.hosts(app, platform)
        self.measure(app, platform, medial, iterations)
        found = {"sizes": []}
        for size in sizes:
            run = json.loads(self.call(
                "lab", "sim", "--no-store", "--json", "--platform-file", self.platform(platform),
                *PLATFORMS[platform][1], "--hosts", ",".join(hosts), "-p", len(hosts), "--", app,
                "--size", size, "--iterations", iterations))
            row = {"size": size, "actual": run["time_s"]}
            for alternative, extra in self.alternatives(app).items():
                told = self.json("model", "eval", self.model(app), "--platform-file",
                                 self.platform(platform), "--hosts", ",".join(hosts), "--set",
                                 f"N={size}", "--set", f"iterations={iterations}", "--set", "cpu=1",
                                 *self.shape(app, hosts), "--db", self.work / f"{platform}.db",
                                 *extra)
                row[alternative] = told["mean_s"]
            found["sizes"].append(row)
        return found

    # ---- under load ----

    def runs_under(self, load):
        """The runs of all programs under a load, in a database."""
        if LOADS[load]:
            (self.work / f"{load}.yaml").write_text(LOADS[load], encoding="utf-8")
        sweep = self.work / f"sweep-{load}.yaml"
        apps = "".join(
            f"  - app: {app}\n    hosts: {','.join(PLATFORMS[LOAD_PLATFORM][0])}\n"
            f"    sizes: [{size}]\n    arguments: [--iterations, {iterations}]\n"
            for app, (size, iterations) in LOADED.items())
        sweep.write_text(
            f"platform: {self.platform(LOAD_PLATFORM)}\n"
            f"loads: [{load + '.yaml' if LOADS[load] else load}]\nseeds: [1]\nover: 28d\n"
            f"repeat: {EARLIER + JUDGED}\nevery: {EVERY}\nhistory: {HISTORY}\napps:\n{apps}",
            encoding="utf-8")
        self.call("lab", "sim", "--sweep", sweep, "--db", self.work / f"load-{load}.db",
                  seconds=4 * RUN_SECONDS)
        return {"runs": len(LOADED) * (EARLIER + JUDGED)}

    def predictions(self, app, load, kind):
        """Predictions of each run under a load, with one description of the processors."""
        size, iterations = LOADED[app]
        hosts = self.hosts(app, LOAD_PLATFORM)
        clause, extra = KINDS[kind]
        measured = self.measured(app, LOAD_PLATFORM, iterations)
        fragment = self.work / f"{kind}.rcm"
        fragment.write_text(f"input cpu[h] {clause}\n", encoding="utf-8")
        told = self.json("model", "accuracy", self.model(app), "--with", measured, "--with",
                         fragment, "--platform-file", self.platform(LOAD_PLATFORM), "--hosts",
                         ",".join(hosts), "--size", size, "--level", LEVEL, "--samples", "1000",
                         *self.shape(app, hosts), *extra, "--db", self.work / f"load-{load}.db")
        return {"each": compared(told), "skipped": told["skipped"]}

    def oracle(self, app):
        """Intervals under the modal load, with its distribution known."""
        size, iterations = LOADED[app]
        platform = self.platform(LOAD_PLATFORM)
        shown = self.json("platform", "show", platform)
        speeds = [group["speed_per_core_flop_per_s"] for cluster in shown["clusters"]
                  for group in cluster["host_groups"] for _ in range(group["host_count"])]
        alone = self.json("model", "eval", self.model(app), "--platform-file", platform, "--set",
                          f"N={size}", "--set", f"iterations={iterations}", "--set", "cpu=1",
                          "--db", self.work / f"{LOAD_PLATFORM}.db")["mean_s"]
        return {"seconds": alone} | structure_oracle.judge(structure_oracle.MODAL, speeds, alone,
                                                           LEVEL)

    # ---- virtual nodes ----

    def lab_case(self, app):
        """Measures what a model needs on virtual nodes, then runs of all sizes, in turns."""
        sizes, medial, iterations = LAB_CASES[app]
        hosts = ",".join(f"{LAB}{i}" for i in range(1, LAB_NODES + 1))
        start = [str(self.program), "lab", "mpirun", "--lab", LAB, "--hosts", "{hosts}", "-p",
                 "{p}"]
        with self.nodes(LAB, LAB_NODES, LAB_CPU, LAB_LINK, "--link-burst", LAB_BURST) as platform:
            common = [self.model(app), "--platform-file", platform, "--hosts", hosts, "--set",
                      f"iterations={iterations}", "--db", self.work / "lab.db"]
            self.call("model", "measure", *common, "--set", f"medial={medial}", "--command",
                      shlex.join([*start, str(self.program.parent / "apps" / "openmpi" / app),
                                  "--size", "{size}", "--iterations", "{iterations}"]),
                      "--microbenchmark", shlex.join([*start, "{program}"]), seconds=2 * RUN_SECONDS)
            runs = [[self.lab_run(LAB, LAB_NODES, app, "--size", size, "--iterations", iterations)
                     for size in sizes] for _ in range(LAB_REPEATS)]
        found = {"sizes": []}
        for i, size in enumerate(sizes):
            row = {"size": size, "actual": statistics.median(turn[i] for turn in runs),
                   "all": [turn[i] for turn in runs]}
            for alternative, extra in self.alternatives(app).items():
                told = self.json("model", "eval", *common, "--set", f"N={size}", "--set", "cpu=1",
                                 *extra)
                row[alternative] = told["mean_s"]
            found["sizes"].append(row)
        return found
