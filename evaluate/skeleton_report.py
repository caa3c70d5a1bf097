# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/evaluation/skeleton.md from the runs of evaluate/skeleton."""
import json
import re
import statistics
import textwrap

import skeleton_table
from pages import mean, show, table
from running import read
from skeleton_cases import APPS, CPU, LINK, SCENARIO_NAMES, SCENARIOS
from skeleton_plots import draw_all

SHARED = [each for each in SCENARIOS if each != "dedicated"]
# The requirements: percent, or points of a share.
MEAN_LONG, MEAN_SHORT, WORST, OF_BASELINE = 6, 8, 20, 0.5
SHARE_LONG, SHARE_SHORT = 5, 10
COUNTS, RARE = 5, 10
COUNT_HEAD = ["calls: largest APE, %", "kinds compared", "bytes: largest APE, %", "sums of bytes compared"]
COLLECTIVE = re.compile("bcast|gather|scatter|reduce|alltoall|scan", re.IGNORECASE)
# Calls that a program repeats until they find something.
ASKS = re.compile("MPI_(Test.*|Request_get_status|Im?probe)")


def is_long(size):
    return float(size) >= 2


class Results:
    """All measurements.  Errors are in percent of the measured time; None: not measured."""

    def __init__(self, evaluation, path=None):
        """`path`: of a table of runs that were made elsewhere, or earlier."""
        self.work, self.sizes, self.repeats = evaluation.work, evaluation.sizes, evaluation.repeats
        self.found = skeleton_table.joined(skeleton_table.load(path) if path else {},
                                           skeleton_table.runs_of(self.work))
        measured = [app for app in evaluation.apps
                    if self.seconds(app, "dedicated", "program") is not None]
        self.left_out = [app for app in APPS if app not in measured]
        # Users get no skeletons of these, so their errors are listed separately.
        self.refused = {app: self.refusal(app) for app in measured if self.refusal(app)}
        self.apps = [app for app in measured if app not in self.refused]

    def refusal(self, app):
        """Why 'skeleton build' builds one with --force only; None if it needs no --force."""
        found = [(self.build(app, size) or {}).get("refused") for size in self.sizes]
        return next((why for why in found if why), None)

    def turns(self):
        """The number of runs of each, least and most."""
        found = [len(self.runs(app, scenario, what)) for app in self.apps for scenario in SCENARIOS
                 for what in ["program"] + self.sizes]
        found = [each for each in found if each]
        return str(max(found)) if min(found) == max(found) else f"{min(found)} to {max(found)}"

    def runs(self, app, scenario, what):
        """By turn; the first ones if there are more than needed."""
        found = self.found.get((app, scenario, what), {})
        return {turn: found[turn] for turn in sorted(found)[:self.repeats]}

    def median(self, app, scenario, what, key):
        found = [run[key] for run in self.runs(app, scenario, what).values()]
        return statistics.median(found) if found else None

    def seconds(self, app, scenario, what):
        return self.median(app, scenario, what, "seconds")

    def build(self, app, size):
        return read(self.work / app / f"build-{size}.json")

    def slowdowns(self, app, scenario, what="program"):
        """The slowdown relative to the dedicated run, by turn."""
        there, alone = self.runs(app, scenario, what), self.runs(app, "dedicated", what)
        return {turn: there[turn]["seconds"] / alone[turn]["seconds"]
                for turn in there if turn in alone}

    def slowdown(self, app, scenario, what="program"):
        """The median slowdown over the turns."""
        found = self.slowdowns(app, scenario, what).values()
        return statistics.median(found) if found else None

    def error(self, app, scenario, what):
        """Of a prediction by a skeleton, or by the small problem: its run time in the scenario,
        multiplied by the measured ratio.  That is a comparison of slowdowns in the same turn, since
        turns may be of different machines.  The absolute value of the median over the turns."""
        true = self.slowdowns(app, scenario)
        found = [slowdown / true[turn]
                 for turn, slowdown in self.slowdowns(app, scenario, what).items() if turn in true]
        return 100 * abs(statistics.median(found) - 1) if found else None

    def average_error(self, app, scenario):
        """Of the prediction that every program has the average slowdown."""
        true = self.slowdown(app, scenario)
        average = mean([self.slowdown(other, scenario) for other in self.apps])
        return None if true is None or average is None else 100 * abs(average / true - 1)

    def app_error(self, app, size):
        return mean([self.error(app, scenario, size) for scenario in SHARED])

    def errors(self, what, scenarios=tuple(SHARED)):
        """(error, program, scenario) of all programs in some scenarios."""
        of = self.average_error if what == "average" else \
            lambda app, scenario: self.error(app, scenario, what)
        found = [(of(app, scenario), app, scenario) for app in self.apps for scenario in scenarios]
        return [each for each in found if each[0] is not None]

    def share(self, app, what):
        """Communication share of the dedicated run, in percent."""
        if what == "program":
            info = read(self.work / app / "info.json")
            return None if info is None else 100 * info["share"]
        found = self.median(app, "dedicated", what, "communicating")
        return None if found is None else 100 * found

    def longest(self, app):
        """The size of the longest skeleton that was built."""
        return next((size for size in self.sizes if self.build(app, size)), None)

    def is_flagged(self, app, size):
        """Whether `build` warned that it is shorter than the shortest good one, by more than the
        precision of its JSON; None if there is no skeleton."""
        build = self.build(app, size)
        return None if build is None else build["time_s"] < (1 - 1e-6) * build["shortest_good_s"]

    # ---- calls and bytes ----

    def calls(self, app, size):
        """For each kind of call: the calls of the program, those of the skeleton multiplied by K,
        and whether there are enough for a comparison."""
        info, build = read(self.work / app / "info.json"), self.build(app, size)
        counts = read(self.work / app / f"counts-{size}.json")
        if not (info and build and counts):
            return
        ratio = build["ratio"]
        for kind in info["kinds"]:
            made = counts["calls"].get(kind["call"], [0])[0]
            often = kind["calls"] / counts["ranks"] >= RARE * ratio and \
                not ASKS.fullmatch(kind["call"])
            yield kind["call"], kind["calls"], made * ratio, often

    def bytes(self, app, size):
        """The same for bytes from one rank to another."""
        info, build = read(self.work / app / "info.json"), self.build(app, size)
        counts = read(self.work / app / f"counts-{size}.json")
        if not (info and build and counts):
            return
        ratio = build["ratio"]
        traced = {(link["from"], link["to"]): link for link in counts["info"]["links"]}
        nothing = {"bytes": 0, "collective_bytes": 0}
        least = 0.01 * max(max(link["bytes"], link["collective_bytes"]) for link in info["links"])
        for link in info["links"]:
            pair = f"{link['from']} to {link['to']}"
            other = traced.get((link["from"], link["to"]), nothing)
            yield (pair, link["bytes"], ratio * other["bytes"],
                   link["messages"] >= RARE * ratio and link["bytes"] > least)
            yield (f"{pair}, collective", link["collective_bytes"],
                   ratio * other["collective_bytes"],
                   self.collectives_often(app, size) and link["collective_bytes"] > least)

    def collectives_often(self, app, size):
        """Whether nearly all bytes of collective calls belong to frequent kinds of calls."""
        often = {name for name, _, _, often in self.calls(app, size) if often}
        kinds = [kind for kind in read(self.work / app / "info.json")["kinds"]
                 if COLLECTIVE.search(kind["call"])]
        total = sum(kind["bytes"] for kind in kinds)
        return sum(kind["bytes"] for kind in kinds if kind["call"] in often) > 0.98 * total

    def worst_of(self, rows):
        """The largest APE of those that can be compared, its name, and how many were compared and
        left out."""
        rows = list(rows)
        found = [(100 * abs(there / true - 1), name) for name, true, there, often in rows
                 if often and true]
        worst = max(found, default=(None, ""))
        return worst[0], worst[1], len(found), len(rows) - len(found)


# ---- tables ----

def share_table(results):
    return table(["program", "traced run"] + [f"{size} s" for size in results.sizes],
                 [[app, show(results.share(app, "program"))] +
                  [show(results.share(app, size)) for size in results.sizes]
                  for app in results.apps])


def flagged(results, app, size):
    """An error, with a star if `build` warned that the skeleton is too short."""
    error = results.app_error(app, size)
    return show(error) + (" *" if error is not None and results.is_flagged(app, size) else "")


def app_table(results):
    rows = [[app] + [flagged(results, app, size) for size in results.sizes]
            for app in results.apps]
    rows.append(["**mean**"] + [show(mean([results.app_error(app, size) for app in results.apps]))
                                for size in results.sizes])
    return table(["program"] + [f"{size} s" for size in results.sizes], rows)


def shortest_table(results):
    rows = []
    for app in results.apps:
        size = results.longest(app)
        if size:
            short = [f"{each} s" for each in results.sizes if results.is_flagged(app, each)]
            rows.append([app, show(results.seconds(app, "dedicated", "program")),
                         f"{results.build(app, size)['shortest_good_s']:.3g}", ", ".join(short) or "none"])
    return table(["program", "run time, s", "shortest good skeleton, s", "too short"], rows)


def size_table(results):
    rows = []
    for size in results.sizes:
        found = results.errors(size)
        errors = [each[0] for each in found]
        if errors:
            worst = max(found)
            rows.append([f"{size} s", str(len(errors)), show(mean(errors)),
                         show(statistics.median(errors)),
                         f"{worst[0]:.1f} ({worst[1]}, {SCENARIO_NAMES[worst[2]]})",
                         str(sum(error > 10 for error in errors)),
                         str(sum(error > 20 for error in errors))])
    return table(["skeletons of", "cases", "MAPE, %", "median APE, %", "largest APE, %", "APE > 10 %",
                  "APE > 20 %"], rows)


def warning_table(results):
    rows = []
    for name, wanted in [("too short", True), ("others", False)]:
        errors = [error for size in results.sizes for error, app, _ in results.errors(size)
                  if results.is_flagged(app, size) is wanted]
        rows.append([name, str(len(errors)), show(mean(errors)), show(max(errors, default=None))])
    return table(["skeletons", "cases", "MAPE, %", "largest APE, %"], rows)


def scenario_table(results):
    rows = [[app] + [show(results.error(app, scenario, results.longest(app)))
                     for scenario in SHARED] for app in results.apps]
    rows.append(["**mean**"] + [show(mean([results.error(app, scenario, results.longest(app))
                                           for app in results.apps])) for scenario in SHARED])
    return table(["program"] + [SCENARIO_NAMES[each] for each in SHARED], rows)


def slowdown_table(results):
    rows = [[app, show(results.seconds(app, "dedicated", "program"))] +
            [show(results.slowdown(app, scenario), 2) for scenario in SHARED]
            for app in results.apps]
    return table(["program", "dedicated run time, s"] + [SCENARIO_NAMES[each] for each in SHARED], rows)


def spread(results, what, scenarios):
    errors = [each[0] for each in results.errors(what, scenarios)]
    return [show(min(errors)), show(mean(errors)), show(max(errors))] if errors else [""] * 3


def baseline_table(results):
    rows = []
    for name, what in [(f"skeletons of {size} s", size) for size in results.sizes] + \
            [("a small problem", "small"), ("the average slowdown", "average")]:
        rows.append([name] + spread(results, what, ["both"]) + spread(results, what, SHARED))
    return table(["prediction by", "smallest APE, %", "MAPE, %", "largest APE, %",
                  "all scenarios: smallest APE, %", "MAPE, %", "largest APE, %"], rows)


def property_table(results):
    rows = []
    for app in results.apps:
        for size in results.sizes:
            calls = results.worst_of(results.calls(app, size))
            sent = results.worst_of(results.bytes(app, size))
            if calls[2] + calls[3] == 0:
                continue
            rows.append([f"{app}, {size} s", f"{results.build(app, size)['ratio']:.4g}",
                         f"{show(calls[0])} {calls[1]}", f"{calls[2]} of {calls[2] + calls[3]}",
                         f"{show(sent[0])} {sent[1]}", f"{sent[2]} of {sent[2] + sent[3]}"])
    return table(["skeleton", "K", *COUNT_HEAD], rows)


# ---- requirements ----

def judge_errors(results):
    for size in results.sizes:
        found = results.errors(size)
        if not found:
            continue
        if is_long(size) or size == "0.5":
            most = MEAN_LONG if is_long(size) else MEAN_SHORT
            average = mean([each[0] for each in found])
            yield (f"skeletons of {size} s: MAPE at most {most} %", f"{average:.1f} %",
                   average <= most)
        worst, app, scenario = max(found)
        over = [each for each in found if each[0] > WORST]
        warned = sum(bool(results.is_flagged(each[1], size)) for each in over)
        yield (f"skeletons of {size} s: APE of every case at most {WORST} %",
               f"{worst:.1f} % ({app}, {SCENARIO_NAMES[scenario]}); {len(over)} of {len(found)} cases "
               f"above" + (f", {warned} of them with skeletons that are too short" if over else ""),
               worst <= WORST)


def judge_baselines(results):
    plain = [mean([each[0] for each in results.errors(what)]) for what in ("small", "average")]
    if None in plain:
        return
    for size in results.sizes:
        average = mean([each[0] for each in results.errors(size)])
        if average is not None:
            yield (f"skeletons of {size} s: MAPE under half of the better baseline's",
                   f"{average:.1f} %; baseline: {min(plain):.1f} %",
                   average < OF_BASELINE * min(plain))


def judge_shares(results):
    for text, wanted, most in [("2 s and more", True, SHARE_LONG), ("1 s and less", False,
                                                                     SHARE_SHORT)]:
        found = []
        for app in results.apps:
            for size in results.sizes:
                own, other = results.share(app, "program"), results.share(app, size)
                if is_long(size) == wanted and own is not None and other is not None:
                    found.append((abs(own - other), f"{app}, {size} s"))
        if found:
            over = sum(each[0] > most for each in found)
            yield (f"skeletons of {text}: communication share differs by at most {most} points",
                   f"{max(found)[0]:.1f} points ({max(found)[1]}); {over} of {len(found)} skeletons "
                   "above",
                   max(found)[0] <= most)


def judge_counts(results):
    for text, rows_of in [("calls of each kind", results.calls),
                          ("bytes between each pair of ranks", results.bytes)]:
        found = []
        for app in results.apps:
            for size in results.sizes:
                worst, name, _, _ = results.worst_of(rows_of(app, size))
                if worst is not None:
                    found.append((worst, f"{app}, {size} s, {name}"))
        if found:
            over = sum(each[0] > COUNTS for each in found)
            yield (f"{text}, multiplied by K: APE at most {COUNTS} %",
                   f"{max(found)[0]:.1f} % ({max(found)[1]}); {over} of {len(found)} skeletons above",
                   max(found)[0] <= COUNTS)


def requirements(results):
    for judge in [judge_errors, judge_baselines, judge_shares, judge_counts]:
        yield from judge(results)


def failures(evaluation):
    """The errors of all measurements that failed."""
    for path in sorted(evaluation.work.glob("*/**/*.json")):
        name = path.relative_to(evaluation.work)
        found = json.loads(path.read_text(encoding="utf-8")) if "trace" not in name.parts else {}
        if "failed" in found:
            yield f"{name.with_suffix('')}: {found['failed']}"


def refusals(results):
    """A line for each program whose skeletons 'skeleton build' builds with --force only."""
    for app, why in results.refused.items():
        errors = [(size, results.app_error(app, size)) for size in results.sizes]
        forced = ", ".join(f"{error:.0f} % ({size} s)" for size, error in errors
                           if error is not None)
        yield item(f"{app}: {why.split(': ')[-1]}." +
                   (f" MAPE with `--force`: {forced}." if forced else ""))


# ---- the page ----

TITLE = """# Accuracy of performance skeletons

    make evaluate PART=skeleton

writes this page.
"""
PAGE = TITLE + """
It repeats section 5 (Figures 2 to 7) of S. Sodhi, J. Subhlok and Q. Xu, "Performance Prediction with Skeletons"
(2008), with the programs of `apps/` instead of the NAS benchmarks, on four
[virtual nodes](../explanation/virtual-nodes.md) of {cpu} of a core each, with links of {link}. Two such labs run at
the same time, with different programs. [Performance skeletons](../explanation/skeletons.md) describes the method.

- **Programs** have as many iterations as take about 20 s on idle nodes. Each is traced three times there. Skeletons of
  {sizes} s are built from the trace with the median time. Turns of another day have new traces and
  skeletons.
- **Run time** is the time from `MPI_Init` to `MPI_Finalize`. Measured runs are not traced.
- **Scenarios** are the five of section 5.3. A node has one processor, so a busy node has one competitor
  (`runcast load cpu`). Slow links have 10 Mbit/s. "One node" and "one link" are those of the second node.
- **Prediction**: the run time of the skeleton in the scenario, multiplied by the ratio of the run times of program and
  skeleton on idle nodes.
- **Errors** are absolute percentage errors (APE) of predicted run times, in percent.
- **Turns**: program, small problem and skeletons run one after another, on idle nodes and then in each scenario. A
  prediction uses runs of one turn. Results are medians of {repeats} turns. [skeleton.csv](skeleton.csv) has all runs.
{left_out}
## Requirements

{requirements}
## Communication share: Figure 2

Time in MPI calls in percent of the run time, mean over the ranks, on idle nodes.

{shares}
{plot2}## Errors by program and length: Figure 3

MAPE over the five scenarios, in percent. A star marks skeletons that are too short (Figure 4).

{apps}
{plot3}Slowdown of the programs relative to idle nodes:

{slowdowns}
## The shortest good skeletons: Figure 4

A good skeleton has at least four iterations of the main loop. `runcast skeleton build` warns about skeletons that are
too short. The shortest run time is 0 if no loop takes half of the program's time.

{shortest}
{warnings}
## Errors by length: Figure 5

{by_size}
{plot5}## Errors by scenario: Figure 6

APE of the longest skeleton of each program, at most 10 s, in percent.

{scenarios}
{plot6}## Comparison with baselines: Figure 7

"A small problem" is the paper's class S: the same program with a small problem, which runs for some tenths of a second,
takes the place of the skeleton. "The average slowdown" assumes that every program slows down as much as all programs do
on average. The first columns are for the paper's scenario, a competitor and a slow link on one node. The others are for
all five scenarios.

{baselines}
{plot7}## Calls and bytes

The skeleton's calls of each kind, and its bytes from one rank to another, multiplied by K, are compared with those of
the program. Bytes of collective calls are taken from their arguments and compared separately. These are not compared:

- kinds of calls that a rank makes fewer than {rare} K times, and pairs of ranks with fewer messages: half a call of the
  skeleton is more than 5 % of them
- pairs of ranks with less than 1 % of the bytes of the busiest pair
- calls that test for completion or a message (`MPI_Test`, `MPI_Iprobe` and similar): their number depends on timing

{properties}{refused}"""


def item(text):
    """An item of a list, wrapped as the page is, but not between numbers and units."""
    lines = textwrap.fill(re.sub(r"(\d) (s\b|%)", "\\1\0\\2", text), 120, initial_indent="- ",
                          subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return lines.replace("\0", " ") + "\n"


def listed(words):
    return " and ".join([", ".join(words[:-1])] * (len(words) > 1) + words[-1:])


def requirement_table(verdicts):
    return table(["requirement", "result", "met"],
                 [[a, b, "yes" if c else "**no**"] for a, b, c in verdicts])


def lab_page(results, folder):
    """The page of the measurements on virtual nodes, and the verdicts on the requirements."""
    verdicts = list(requirements(results))
    left_out = "" if not results.left_out else \
        item(f"Not measured yet: {', '.join(results.left_out)}.")
    refused = "".join(refusals(results))
    text = PAGE.format(
        cpu=CPU, link=LINK.replace("Mbit", " Mbit/s"), sizes=listed(results.sizes), repeats=results.turns(), rare=RARE,
        left_out=left_out, requirements=requirement_table(verdicts),
        shares=share_table(results), apps=app_table(results), slowdowns=slowdown_table(results),
        shortest=shortest_table(results), warnings=warning_table(results),
        by_size=size_table(results), scenarios=scenario_table(results),
        baselines=baseline_table(results), properties=property_table(results),
        refused="\n## Refused programs\n\nNot counted above:\n\n" + refused if refused else "",
        **draw_all(results, folder, SHARED))
    return text, verdicts


def section_there(page, title):
    """A section of the existing page; empty if there is none."""
    there = page.read_text(encoding="utf-8") if page.exists() else ""
    begin = there.find(f"\n## {title}\n")
    end = there.find("\n## ", begin + 1)
    return there[begin:end if end >= 0 else None] if begin >= 0 else ""


def write(evaluation, folder, sections=()):
    """Writes the page, with further sections: their titles, texts and verdicts.  Sections without a
    text stay as they are on the page.  0 if all requirements are met, and 1 otherwise."""
    path = folder / "skeleton.csv"
    results = Results(evaluation, path)
    folder.mkdir(parents=True, exist_ok=True)
    if results.found:
        skeleton_table.save(path, results.found)
    text, verdicts = lab_page(results, folder) if results.apps else \
        (TITLE + "\nNothing has been measured on virtual nodes yet.\n", [])
    for title, more, judged in sections:
        text += more or section_there(folder / "skeleton.md", title)
        verdicts += judged
    if not verdicts:
        print("evaluate/skeleton: nothing has been measured yet")
        return 1
    failed = list(failures(evaluation))
    if failed:
        text += "\n## Failures\n\n" + "".join(item(each) for each in failed)
    (folder / "skeleton.md").write_text(text, encoding="utf-8")
    print(text)
    return 0 if all(c for _, _, c in verdicts) and not failed else 1
