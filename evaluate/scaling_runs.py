# SPDX-License-Identifier: GPL-3.0-or-later
"""Small runs, predictions from them, and the large runs."""
import json
import os
import shlex
import statistics

from running import Kept
from scaling_cases import (APPS, CELL, LAB_CASES, LAB_CPU, LAB_LINK, LAB_NODES, LAB_REPEATS,
                           LAB_SMALL, LARGE, PER_HOST)

LAB = os.environ.get("RUNCAST_LAB", "evc")


class Bench(Kept):
    """The clusters of the large runs."""

    def __init__(self, program, root, work):
        super().__init__(program, work)
        self.apps = program.parent / "apps"
        self.white_rose = root / "examples" / "white-rose.yaml"

    # ---- simulated clusters ----

    def placed(self):
        """The platform of the paper, with the processes per host that its memory figures imply."""
        path = self.work / "white-rose.yaml"
        text = self.white_rose.read_text(encoding="utf-8")
        path.write_text(text.replace("    cores: 2\n",
                                     "    cores: 2\n    placement:\n      per_host: 1\n"),
                        encoding="utf-8")
        return path

    def large(self):
        path = self.work / "large.yaml"
        path.write_text(
            "name: large\nclusters:\n  - name: L\n"
            f"    hosts: l[0001-{LARGE['hosts']}]\n    cores: {LARGE['cores']}\n"
            f"    speed: {LARGE['speed']}\n    memory: 16GiB\n    networks:\n"
            f"      - {{name: net, bandwidth: {LARGE['bandwidth']}, "
            f"latency: {LARGE['latency']}}}\n", encoding="utf-8")
        return path

    def command(self, app, platform, network):
        return shlex.join([str(self.program), "lab", "sim", "--platform-file", str(platform),
                           "--network", network, "--hosts", "{hosts}", "--per-host", "{per_host}",
                           "-p", "{p}", "--no-store", "--json", str(self.apps / "smpi" / app),
                           "--rows", "{rows}", "--size", "{cols}", "--iterations",
                           str(APPS[app])])

    def predict(self, app, platform, target, network, further, *fit):
        """Makes the small runs, fits a model to them, and predicts.  Simulated runs are always equal: one
        of each is enough, and has no noise."""
        db = ["--db", self.work / f"{app}.db"]
        common = ["--app", app, "--platform-file", platform, "--network", network, *target,
                  "--bytes-per-cell", CELL[app], *db]
        self.call("scale", "measure", *common, "--repeat", 1, "--time-source", "program", "--no-copies",
                  "--command", self.command(app, platform, network), *fit)
        fitted = self.json("scale", "fit", *common, "--repeat", 1, "--noise", "0%", "--plan-only", *fit)
        predicted = self.json("scale", "predict", *common, "--force", *further, *fit)
        return {"seconds": predicted["point_s"], "value": predicted["time"], "predicted": predicted,
                "fit": fitted}

    def simulate(self, app, platform, network, hosts, procs, rows, cols, split=None):
        words = ["lab", "sim", "--platform-file", platform, "--network", network, "--hosts", hosts,
                 "-p", procs, "--no-store", self.apps / "smpi" / app, "--rows", rows, "--size",
                 cols, "--iterations", APPS[app]]
        if split:
            words += ["--split", ",".join(f"{part:.17g}" for part in split)]
        place = words.index("--no-store")
        told = json.loads(self.call(*words[:place], "--json", *words[place:]))
        return told | {"seconds": told["time_s"]}

    # ---- virtual nodes ----

    def lab_case(self, app):
        """Small and large runs take turns, so both run on the same machine state."""
        rows, cols, iterations = LAB_CASES[app]
        with self.nodes(LAB, LAB_NODES, LAB_CPU, LAB_LINK) as platform:
            common = ["--app", app, "--platform-file", platform, "--size", f"{rows}x{cols}", "--procs",
                      LAB_NODES, "--db", self.work / "lab.db"]
            small = ["--small-procs", LAB_SMALL]
            command = shlex.join([
                str(self.program), "lab", "mpirun", "--lab", LAB, "-p", "{p}",
                str(self.apps / "openmpi" / app), "--rows", "{rows}", "--size", "{cols}",
                "--iterations", str(iterations)])
            measured = []
            for turn in range(1, LAB_REPEATS + 1):
                self.call("scale", "measure", *common, *small, "--repeat", turn, "--time-source",
                          "program", "--command", command)
                measured.append(self.lab_run(LAB, LAB_NODES, app, "--rows", rows, "--size", cols,
                                             "--iterations", iterations))
            fitted = self.json("scale", "fit", *common, *small, "--repeat", LAB_REPEATS)
            predicted = self.json("scale", "predict", *common)
        return {"seconds": predicted["point_s"], "value": predicted["time"],
                "predicted": predicted, "fit": fitted, "measured": statistics.median(measured), "all": measured}


def hosts_of(cluster, procs):
    """Hosts for so many processes, with the slower ones of A, as in the paper."""
    count = -(-procs // PER_HOST[cluster])
    return f"a[{129 - count:03d}-128]" if cluster == "A" else f"b[01-{count:02d}]"


def split_of(procs, shares):
    """The part of the rows of each process, from the shares of the clusters."""
    total = sum(shares.values())
    return [shares[cluster] / total / count for cluster, count in procs.items()
            for _ in range(count)]


def large_key(app, block, procs):
    return f"{app}-large-{block[0]}x{block[1]}-{procs}"
