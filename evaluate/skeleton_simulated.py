# SPDX-License-Identifier: GPL-3.0-or-later
"""The same on a simulated cluster (docs/sim.md), where a second run gives the same to the last bit.

Results are kept in the directory `simulated` of the evaluation, as those of the lab are in its own.
"""
import shutil

import skeleton_report
from pages import mean
from running import alone, line_of_json
from skeleton_cases import APPS, LINK, NODES, SCENARIO_NAMES, SCENARIOS
from skeleton_runs import Evaluation

MEAN = 4  # percent, at most
SPEED, LATENCY = "1Gf", "50us"
PLATFORM = f"""name: simulated
clusters:
  - name: node
    hosts: node[1-{NODES}]
    cores: 1
    memory: 1GiB
    speed: {SPEED}
    networks:
      - name: ethernet
        bandwidth: {LINK}
        latency: {LATENCY}
"""
COMPILE = ["smpicc", "-O2", "-Wall", "-Wextra"]


def load_text(busy, slow):
    """A load file: half of each busy node, and a tenth of each slow link."""
    entries = [(node, "cpu", "half.csv") for node in busy] + \
        [(node, "link", "tenth.csv") for node in slow]
    if not entries:
        return "kind: none\n"
    return "kind: replay\nreplay:\n" + "".join(
        f"  - file: {file}\n    what: {what}\n    hosts: node{node}\n    beyond: hold\n"
        for node, what, file in entries)


class Simulation(Evaluation):
    """Once each: repeats would be the same."""

    def __init__(self, evaluation):
        super().__init__(evaluation.program, evaluation.work / "simulated", evaluation.apps,
                         evaluation.sizes, evaluation.scenarios, 1)

    def write_files(self):
        (self.work / "platform.yaml").write_text(PLATFORM, encoding="utf-8")
        for name, value in [("half", 0.5), ("tenth", 0.1)]:
            text = f"t,value\n0,{value}\n1,{value}\n"
            (self.work / f"{name}.csv").write_text(text, encoding="utf-8")
        for scenario, nodes in SCENARIOS.items():
            (self.work / f"{scenario}.yaml").write_text(load_text(*nodes), encoding="utf-8")

    def simulator(self, scenario, *words):
        return [self.program, "lab", "sim", "--no-store", "--json", "--platform", "platform.yaml",
                "--load", f"{scenario}.yaml", "--start", "1h", "--procs", NODES, "--", *words]

    def simulate_app(self, app, scenario, recording):
        """Its time is that between MPI_Init and MPI_Finalize, as recorded."""
        size, iterations = APPS[app][0]
        recording.parent.mkdir(parents=True, exist_ok=True)
        self.call([self.program, "trace", "--quiet", "--force", "-o", recording, "--",
                   *self.simulator(scenario, self.program.parent / "apps" / "smpi" / app,
                                   "--size", size, "--iterations", iterations)])
        shown = line_of_json(self.call([self.program, "skeleton", "show", "--json", recording])
                             .replace("\n", ""))
        return {"seconds": shown["seconds"], "size": size, "iterations": iterations,
                "asked": APPS[app][0]}

    def record_one(self, app):
        return self.simulate_app(app, "dedicated", self.work / app / "recording")

    def build_one(self, app, size):
        return self.build_with(COMPILE, app, size)

    def simulate(self, app, scenario, what):
        """`what`: program, or the length of a skeleton."""
        if what != "program":
            told = self.call(self.simulator(scenario, self.work / app / f"skeleton-{what}"))
            return {"seconds": line_of_json(told.replace("\n", ""))["seconds"]}
        scratch = self.work / app / "scratch"
        try:
            return self.simulate_app(app, scenario, scratch)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def simulate_all(self):
        for app in self.apps:
            with alone():
                self.attempt(self.work / app / "record.json", f"{app}, recorded in simulation",
                             lambda app=app: self.record_one(app))
        self.build()
        for app in self.apps:
            with alone():
                self.simulate_one(app)

    def simulate_one(self, app):
        for scenario in self.scenarios:
            for what in ["program"] + self.built(app):
                self.attempt(self.work / app / "runs" / scenario / f"1-{what}.json",
                             f"{app}, {scenario}, {what}, simulated",
                             lambda what=what, scenario=scenario:
                             self.simulate(app, scenario, what))


def run(evaluation):
    simulation = Simulation(evaluation)
    simulation.write_files()
    simulation.simulate_all()


TITLE = "On a simulated cluster"
PAGE = f"\n## {TITLE}\n" + """
Programs and skeletons on {nodes} hosts of {speed}lop/s with links of {link} and {latency}, simulated by SimGrid's SMPI
(`docs/sim.md`), in the scenarios of section 5.3: programs are recorded there, skeletons built of that, and both run. Busy hosts
have half of their speed, slow links a tenth of theirs. Nothing else happens there, and a second
run gives the same numbers to the last bit, so that what is left are the errors of skeletons themselves.
{left_out}
{demands}{refused}
Means over the scenarios; a star stands where the skeleton is said to be too short:

{apps}
By length:

{by_size}
{warnings}
By scenario, with the longest skeleton of each program:

{scenarios}
How many times longer the programs took than with nothing else on the hosts:

{slowdowns}"""


def judge(results):
    """The demand, for each length and for all together."""
    every = []
    for size in results.sizes:
        found = results.errors(size)
        every += found
        if found:
            yield f"skeletons of {size} s", found
    if every:
        yield "all skeletons", every


def verdicts(results):
    for name, found in judge(results):
        average = mean([each[0] for each in found])
        worst, app, scenario = max(found)
        yield (f"simulated, {name}: mean error at most {MEAN} %",
               f"{average:.2f} %; worst {worst:.1f} % ({app}, {SCENARIO_NAMES[scenario]})",
               average <= MEAN)


def section(evaluation):
    """The section of the page, and what must hold; nothing where nothing was simulated."""
    simulation = Simulation(evaluation)
    results = skeleton_report.Results(simulation)
    if not results.apps:
        return "", []
    held = list(verdicts(results))
    left_out = "" if not results.left_out else \
        f"\nNot simulated: {', '.join(results.left_out)}.\n"
    refused = "".join(skeleton_report.refusals(results))
    text = PAGE.format(
        nodes=NODES, speed=SPEED, link=LINK, latency=LATENCY, left_out=left_out,
        demands=skeleton_report.demand_table(held),
        refused="\nRefused, and not counted:\n\n" + refused + "\n" if refused else "\n", apps=skeleton_report.app_table(results),
        by_size=skeleton_report.size_table(results),
        warnings=skeleton_report.warning_table(results),
        scenarios=skeleton_report.scenario_table(results),
        slowdowns=skeleton_report.slowdown_table(results))
    return text, held
