# SPDX-License-Identifier: GPL-3.0-or-later
"""The same on a simulated cluster, where a second run gives the same times to the last bit.

Results are in the directory `simulated` of the evaluation, in the same form as those of the lab.
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
    """A load file: half of the speed for busy nodes, a tenth of the bandwidth for slow links."""
    entries = [(node, "cpu", "half.csv") for node in busy] + \
        [(node, "link", "tenth.csv") for node in slow]
    if not entries:
        return "kind: none\n"
    return "kind: replay\nreplay:\n" + "".join(
        f"  - file: {file}\n    what: {what}\n    hosts: node{node}\n    beyond: hold\n"
        for node, what, file in entries)


class Simulation(Evaluation):
    """Runs everything once: repetitions would be equal."""

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
        return [self.program, "lab", "sim", "--no-store", "--json", "--platform-file", "platform.yaml",
                "--load", f"{scenario}.yaml", "--start", "1h", "--procs", NODES, "--", *words]

    def simulate_app(self, app, scenario, trace):
        """Traces a program; its time is that from MPI_Init to MPI_Finalize."""
        size, iterations = APPS[app][0]
        trace.parent.mkdir(parents=True, exist_ok=True)
        self.call([self.program, "trace", "record", "--quiet", "--force", "-o", trace, "--",
                   *self.simulator(scenario, self.program.parent / "apps" / "smpi" / app,
                                   "--size", size, "--iterations", iterations)])
        shown = line_of_json(self.call([self.program, "skeleton", "show", "--json", trace])
                             .replace("\n", ""))
        return {"seconds": shown["time_s"], "size": size, "iterations": iterations,
                "asked": APPS[app][0]}

    def trace_one(self, app):
        return self.simulate_app(app, "dedicated", self.work / app / "trace")

    def build_one(self, app, size):
        return self.build_with(COMPILE, app, size)

    def simulate(self, app, scenario, what):
        """`what`: program, or the length of a skeleton."""
        if what != "program":
            text = self.call(self.simulator(scenario, self.work / app / f"skeleton-{what}"))
            return {"seconds": line_of_json(text.replace("\n", ""))["time_s"]}
        scratch = self.work / app / "scratch"
        try:
            return self.simulate_app(app, scenario, scratch)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def simulate_all(self):
        for app in self.apps:
            with alone():
                self.attempt(self.work / app / "trace.json", f"{app}, traced in simulation",
                             lambda app=app: self.trace_one(app))
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


TITLE = "Simulated cluster"
PAGE = f"\n## {TITLE}\n" + """
Programs and skeletons run on a [simulated cluster](../guides/simulated-clusters.md) of {nodes} hosts of {speed} with links
of {link} and {latency}, in the scenarios of section 5.3. Programs are traced in the simulation, and skeletons are
built from these traces. Busy hosts have half of their speed, slow links a tenth of their bandwidth. Simulated runs have
no noise: a second run gives the same times to the last bit. All errors are those of the skeletons.
{left_out}
{requirements}{refused}
MAPE over the scenarios, in percent. A star marks skeletons that are too short:

{apps}
By length:

{by_size}
{warnings}
By scenario, APE of the longest skeleton of each program, in percent:

{scenarios}
Slowdown of the programs relative to idle hosts:

{slowdowns}"""


def judge(results):
    """The errors of each length, and of all lengths."""
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
        yield (f"simulated, {name}: MAPE at most {MEAN} %",
               f"{average:.2f} %; largest APE {worst:.1f} % ({app}, {SCENARIO_NAMES[scenario]})",
               average <= MEAN)


def section(evaluation):
    """The section of the page, and its verdicts; empty if nothing was simulated."""
    simulation = Simulation(evaluation)
    results = skeleton_report.Results(simulation)
    if not results.apps:
        return "", []
    judged = list(verdicts(results))
    left_out = "" if not results.left_out else \
        f"\nNot simulated: {', '.join(results.left_out)}.\n"
    refused = "".join(skeleton_report.refusals(results))
    text = PAGE.format(
        nodes=NODES, speed=SPEED.replace("Gf", " Gflop/s"), link=LINK.replace("Mbit", " Mbit/s"),
        latency=LATENCY.replace("us", " µs"), left_out=left_out,
        requirements=skeleton_report.requirement_table(judged),
        refused="\nRefused, and not counted:\n\n" + refused if refused else "",
        apps=skeleton_report.app_table(results),
        by_size=skeleton_report.size_table(results),
        warnings=skeleton_report.warning_table(results),
        scenarios=skeleton_report.scenario_table(results),
        slowdowns=skeleton_report.slowdown_table(results))
    return text, judged
