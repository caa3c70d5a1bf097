# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the runs: by fast simulation (evaluate-schedule), and some of them message by message (lab
sim)."""
import csv
import io
import json

from running import Kept, call
from schedule_cases import (CLUSTERS, DRAWN, EVERY, FIRST, LASTING, LENGTHS, LEVELS, PAST, PLATFORM,
                            PROGRAMS, RECORDED, RECORDED_EVERY, RECORDED_RUNS, RUNS, SAMPLE,
                            SAMPLES, SAMPLE_POLICIES, SAMPLE_RUNS, SEEDS, TRACK, VARIABILITY)


def in_proportion(total, parts):
    """Whole numbers as the parts are, that sum to the total."""
    ends = [round(total * sum(parts[:i + 1]) / sum(parts)) for i in range(len(parts))]
    return [end - before for end, before in zip(ends, [0] + ends)]


class Bench(Kept):
    """The clusters, the loads and the programs."""

    def __init__(self, program, root, work):
        super().__init__(program, work)
        self.root = root

    # ---- what they run on ----

    def platform(self, cluster):
        hosts, speeds = CLUSTERS[cluster]
        path = self.work / f"{cluster}.yaml"
        overrides = "\n".join(f"      - {{hosts: {host}, speed: {speed / 1e6:g}Mf}}"
                              for host, speed in zip(hosts, speeds))
        path.write_text(PLATFORM.format(name=cluster, hosts=",".join(hosts), overrides=overrides),
                        encoding="utf-8")
        return path

    def drawn(self, kind, lasting):
        levels, spread = LEVELS[kind]
        low, high = LASTING[lasting]
        path = self.work / f"{kind}-{lasting}.yaml"
        path.write_text(DRAWN.format(levels=levels, spread=spread, low=low, high=high),
                        encoding="utf-8")
        return path

    def recorded(self, variability, hosts):
        columns, means, full = RECORDED[variability]
        path = self.work / f"recorded-{variability}-{hosts[0]}.yaml"
        path.write_text("kind: replay\nreplay:\n" + "".join(
            TRACK.format(file=self.root / "evaluate" / "data" / "servers-cpu.csv", column=column,
                         hosts=",".join(hosts[i] for i in which), means=means, full=full)
            for column, which in columns.items()), encoding="utf-8")
        return path

    def loads(self, variability, lasting, hosts):
        """One file for each host."""
        if lasting == "recorded":
            return [self.recorded(variability, hosts)] * len(hosts)
        return [self.drawn(kind, lasting) for kind in VARIABILITY[variability]]

    # ---- following ----

    def follow(self, app, loads, **settings):
        """Rows of start, policy, seconds and units, along the loads of the hosts."""
        what = PROGRAMS[app]
        hosts, speeds = CLUSTERS[what["cluster"]]
        words = {"hosts": ",".join(hosts), "speeds": ",".join(f"{speed:g}" for speed in speeds),
                 "loads": ",".join(str(load) for load in loads), "units": what["size"],
                 "sample": SAMPLE, "past": PAST, "first": FIRST}
        words |= {name: what[name] for name in ("neighbours", "coupling")}
        words |= {name: what[name] / what["phases"] for name in ("operations", "beside")}
        words |= {"iterations": what["iterations"] * what["phases"]} | settings
        out = call([self.program.parent / "evaluate-schedule",
                     *(f"{name}={value}" for name, value in words.items())], self.work, 7200)
        return [{"start": float(row[0]), "policy": row[1], "seconds": float(row[2]),
                 "units": [float(unit) for unit in row[3:]]} for row in csv.reader(io.StringIO(out))]

    def messages(self, app):
        """Their time in a phase, by one simulated run on idle hosts."""
        what = PROGRAMS[app]
        units = in_proportion(what["size"], CLUSTERS[what["cluster"]][1])
        silent = self.follow(app, ["none"] * len(units), split=",".join(map(str, units)))
        seconds = self.simulate(app, units)
        return {"seconds": seconds,
                "messages": (seconds - silent[0]["seconds"]) /
                            (what["iterations"] * what["phases"])}

    def case(self, app, variability, lasting, messages, length=1):
        """Runs of all policies: {"worlds": [rows of each seed]}."""
        what = PROGRAMS[app]
        loads = self.loads(variability, lasting, CLUSTERS[what["cluster"]][0])
        more = {"messages": messages, "iterations": what["iterations"] * what["phases"] * length}
        if lasting == "recorded":
            return {"worlds": [self.follow(app, loads, runs=RECORDED_RUNS, every=RECORDED_EVERY,
                                           first=PAST, **more)]}
        return {"worlds": [self.follow(app, loads, runs=RUNS, every=EVERY * max(1, length),
                                       seed=seed, **more) for seed in range(1, SEEDS + 1)]}

    # ---- message by message ----

    def simulate(self, app, units, load="none", start=FIRST):
        what = PROGRAMS[app]
        hosts = CLUSTERS[what["cluster"]][0]
        answer = json.loads(self.call(
            "lab", "sim", "--no-store", "--json", "--platform-file", self.platform(what["cluster"]),
            "--hosts", ",".join(hosts), "-p", len(hosts), "--load", load, "--start", f"{start:g}s",
            "--", app, "--size", what["size"], "--iterations", what["iterations"], "--split",
            ",".join(f"{unit:g}" for unit in units)))
        return answer["time_s"]

    def agreement(self, app, cases):
        """Some runs of the cases, by fast simulation and message by message."""
        rows = []
        for variability, lasting in SAMPLES:
            load = self.loads(variability, lasting, CLUSTERS[PROGRAMS[app]["cluster"]][0])[0]
            world = cases[app, variability, lasting]["worlds"][0]
            starts = sorted({row["start"] for row in world})
            for start in starts[::len(starts) // SAMPLE_RUNS][:SAMPLE_RUNS]:
                for row in world:
                    if row["start"] == start and row["policy"] in SAMPLE_POLICIES:
                        rows.append({"case": f"{variability} {lasting}", "followed": row["seconds"],
                                     "simulated": self.simulate(app, row["units"], load, start)})
        return {"rows": rows}

    # ---- all of it ----

    def all_cases(self):
        for app in PROGRAMS:
            found = self.attempt(self.work / f"messages-{app}.json", lambda: self.messages(app))
            for variability in VARIABILITY:
                for lasting in [*LASTING, "recorded"]:
                    yield app, variability, lasting, found["messages"] if found else None

    def run_cases(self):
        for app, variability, lasting, messages in self.all_cases():
            self.attempt(self.work / f"case-{app}-{variability}-{lasting}.json",
                         lambda: self.case(app, variability, lasting, messages))

    def run_lengths(self):
        messages = self.messages("sor")["messages"]
        for lasting in LASTING:
            for length in LENGTHS:
                self.attempt(self.work / f"length-{lasting}-{length}.json",
                             lambda: self.case("sor", "high", lasting, messages, length))
