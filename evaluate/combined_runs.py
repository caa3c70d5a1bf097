# SPDX-License-Identifier: GPL-3.0-or-later
"""Models, skeletons, runs and predictions of evaluate/combined."""
import csv
import datetime
import io
import json
import shlex
import shutil
import subprocess
import threading

from combined_cases import (APPS, CLUSTERS, EARLIER, JUDGED, LOADS, MESHES, PROBE_LEAD,
                            PROBE_SECONDS, SCALED, SMALL_PROCS, sweep_text)
from running import RUN_SECONDS, Kept

CALENDAR = 946684800.0  # 2000-01-01, where the calendars of simulated loads begin
SIMULATED = CALENDAR + 3600  # traced runs are before, and simulated ones after that


def prediction_of(answer):
    return {"predicted": answer["predicted_s"], "low": answer["interval_s"]["low"],
            "high": answer["interval_s"]["high"]}


class Bench(Kept):
    """The clusters, their programs and their runs."""

    def __init__(self, program, root, work):
        super().__init__(program, work)
        self.root = root

    def platform(self, cluster):
        return self.root / "examples" / f"{cluster}.yaml"

    def load(self, name):
        """A load of `lab sim`, or a file that describes it."""
        if not LOADS[name]:
            return name
        path = self.work / f"{name}.yaml"
        if not path.exists():  # several cases may be under way
            partial = path.with_suffix(f".{threading.get_ident()}")
            partial.write_text(LOADS[name], encoding="utf-8")
            partial.rename(path)
        return path

    def simulator(self, cluster, *more):
        return [self.program, "lab", "sim", "--no-store", "--json", "--platform-file",
                self.platform(cluster), *more]

    def given(self, cluster):
        """The simulator for the commands of `model measure`."""
        return " ".join(str(word) for word in
                        self.simulator(cluster, "--hosts", "{hosts}", "-p", "{p}", "--"))

    # ---- what does not depend on the load ----

    def prepare(self, app, cluster):
        """A database with the models of a program on a cluster, and its traces with skeletons."""
        folder = self.work / "models" / f"{app}-{cluster}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.structural(app, cluster, folder)
        if app in MESHES and cluster in SCALED:
            for size in APPS[app, cluster][1]:
                self.scaling(app, cluster, size, folder)
        for size in APPS[app, cluster][1]:
            self.skeleton(app, cluster, size, folder)
        return {"app": app, "cluster": cluster}

    def structural(self, app, cluster, folder):
        """The structural model, with inputs from dedicated runs of one size."""
        iterations, sizes = APPS[app, cluster]
        hosts = CLUSTERS[cluster][0]
        model = self.root / "models" / "apps" / f"{app}.rcm"
        common = [model, "--platform-file", self.platform(cluster), "--hosts", ",".join(hosts),
                  "--set", f"iterations={iterations}", "--db", folder / "measured.db"]
        self.call("model", "measure", *common, "--set", f"medial={sizes[1]}", "--repeat", "3",
                  "--command", f"{self.given(cluster)} {app} --size {{size}} "
                  "--iterations {iterations}",
                  "--microbenchmark", f"{self.given(cluster)} {{program}}")
        self.call("model", "measure", *common, "--inputs", "none", "--output",
                  folder / "measured.rcm")
        self.call("model", "add", model, "--with", folder / "measured.rcm", "--db",
                  folder / "models.db")

    def scaling(self, app, cluster, size, folder):
        """A scaling model for meshes of one size.  The small runs are not left for regression."""
        hosts, db = CLUSTERS[cluster][0], folder / "models.db"
        simulated = self.simulator(cluster, "--hosts", "{hosts}", "-p", "{p}", "--", app, "--rows",
                                   "{rows}", "--size", "{cols}", "--iterations",
                                   APPS[app, cluster][0])
        common = ["--app", app, "--platform-file", self.platform(cluster), "--cluster",
                  SCALED[cluster], "--size", size, "--procs", len(hosts), "--small-procs",
                  SMALL_PROCS, "--bytes-per-cell", MESHES[app], "--repeat", 1, "--db", db]
        self.call("scale", "measure", *common, "--time-source", "program", "--no-copies",
                  "--command", shlex.join(str(word) for word in simulated))
        self.call("scale", "fit", *common, "--noise", "1%")
        self.call("runs", "delete", "--app", app, "--yes", "--db", db)

    def skeleton(self, app, cluster, size, folder):
        """A trace of an idle run, dated at the beginning of the calendar, and its skeleton."""
        hosts, speed = CLUSTERS[cluster]
        trace, skeleton = folder / f"trace-{size}", folder / f"{app}-{size}"
        simulator = self.simulator(cluster, "--hosts", ",".join(hosts), "-p", len(hosts), "--")
        self.call("trace", "record", "--quiet", "-o", trace, "--", *simulator, app, "--size", size,
                  "--iterations", APPS[app, cluster][0])
        about = json.loads((trace / "trace.json").read_text(encoding="utf-8"))
        about["began"] = CALENDAR + 60 * APPS[app, cluster][1].index(size)
        (trace / "trace.json").write_text(json.dumps(about), encoding="utf-8")
        source = skeleton.with_suffix(".c")
        self.call("skeleton", "build", trace, "--target-time", PROBE_SECONDS, "--core-speed", speed,
                  "--force", "-o", source)
        subprocess.run(["smpicc", "-O2", "-o", skeleton, source, "-lm"], check=True,
                       capture_output=True)
        self.call("skeleton", "measure", trace, skeleton, "--repeat", 1, "--", *simulator, skeleton)
        self.call("trace", "import", trace, "--app", app, "--platform", cluster, "--size", size,
                  "--param", f"iterations={APPS[app, cluster][0]}", "--db", folder / "models.db")

    # ---- runs and predictions ----

    def simulate(self, seed, app, cluster, load, db):
        """Runs of a program under a load, with the samples of the hours before each; their rows, by
        their starts.  The database has the samples, and no longer the runs."""
        self.load(load)
        sweep = self.work / f"sweep-{seed}-{app}-{cluster}.yaml"
        sweep.write_text(sweep_text(self.platform(cluster), app, cluster, load, seed),
                         encoding="utf-8")
        self.call("lab", "sim", "--sweep", sweep, "--db", db, "--jobs", 1, seconds=4 * RUN_SECONDS)
        rows = list(csv.DictReader(io.StringIO(
            self.call("runs", "export", "--app", app, "--since", SIMULATED, "--db", db))))
        self.call("runs", "delete", "--app", app, "--since", SIMULATED, "--yes", "--db", db)
        return sorted(rows, key=lambda row: float(row["start"]))

    def put(self, rows, db):
        """Imports runs."""
        path = db.with_suffix(".csv")
        with open(path, "w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, rows[0].keys())
            writer.writeheader()
            writer.writerows(rows)
        self.call("import", path, "--db", db)

    def probe(self, seed, cluster, load, start):
        """The command that runs a skeleton on the cluster just before the start of a run."""
        when = datetime.datetime.fromtimestamp(start - PROBE_LEAD, datetime.timezone.utc)
        return shlex.join(str(word) for word in self.simulator(
            cluster, "--hosts", "{hosts}", "-p", "{procs}", "--load", self.load(load), "--seed",
            seed, "--start", when.strftime("%Y-%m-%dT%H:%M:%SZ"), "--", "{skeleton}"))

    def answer(self, seed, app, cluster, load, row, db):
        return self.json("predict", "--app", app, "--size", row["n"],
                         "--procs", row["p"], "--hosts", ",".join(CLUSTERS[cluster][0]),
                         "--platform-file", self.platform(cluster), "--param",
                         f"iterations={APPS[app, cluster][0]}", "--at", row["start"], "--probe",
                         self.probe(seed, cluster, load, float(row["start"])), "--db", db)

    def predict(self, seed, app, cluster, load):
        """Every run after the first ones, with the prediction of each method and the combined one."""
        db = self.work / f"{seed}-{app}-{cluster}.db"
        for old in self.work.glob(f"{db.name}*"):
            old.unlink()
        shutil.copy(self.work / "models" / f"{app}-{cluster}" / "models.db", db)
        rows, each = self.simulate(seed, app, cluster, load, db), []
        self.put(rows[:EARLIER], db)
        for row in rows[EARLIER:EARLIER + JUDGED]:
            answer = self.answer(seed, app, cluster, load, row, db)
            recalibrated = answer["recalibration"]
            each.append({"n": float(row["n"]), "came": float(row["seconds"]),
                         "learnt": recalibrated["run_count"] if recalibrated else 0,
                         "combined": prediction_of(answer),
                         "methods": {one["method"]: {**prediction_of(one), "weight": one["weight"]}
                                     for one in answer["methods"]}})
            self.put([row], db)
        db.unlink()
        return {"each": each}
