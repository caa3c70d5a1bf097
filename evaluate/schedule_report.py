# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/evaluation/schedule.md, schedule.csv and its figures."""
import statistics

import plotting
import schedule_metrics
from pages import show, table
from running import read
from schedule_cases import (AGREEMENT, BEHIND, CLOSED, EVERY, LASTING, LENGTHS, POLICIES, PROGRAMS,
                            RECORDED_EVERY, SAMPLE, SHOWN, VARIABILITY)

INTRODUCTION = """# Evaluation of dividing work

    make evaluate PART=schedule

writes this page. It repeats the experiments of chapter 5 of J. M. Schopf, "Performance prediction and scheduling for
parallel applications on multi-user clusters" (dissertation, UC San Diego, 1998).

The programs are `sor`, `ga` and `nbody` of `apps/`, on simulated clusters of four hosts. `sor` and `ga` have two fast
and two slow hosts with the speeds of the PCL cluster of the dissertation; `nbody` has four equal ones. Under a high
variability and divided by `mean`, runs take about as long as in the dissertation (33, 66 and 60 s). In a run, processes
wait for one another {tight} times in `sor` and `nbody`, and {loose} times in `ga` (`--coupling loose`).

Every policy of `runcast split` divides each run, from samples of the day before, one every {sample} s. All policies have
the same starts and the same load. Loads are
- modal: levels of 30 to 300 s (long) or 10 to 60 s (short), on all hosts within one mode (low variability), on all in
  five modes (high), or on one fast and one slow host in five modes (mixed);
- recorded: the CPU use of four servers, a value a minute (`evaluate/data`), on the calmer two of them (low), on all
  four (mixed), and on the other two (high), where a use of 0.2 counts as one competing process.

*hindsight* is the best division for the load of the run. *oracle* is the division of an observer who knows the
distribution of the load, and the present levels and their age: no policy can be better on average.
"""


class Page:
    """Measurements, and the criteria for them."""

    def __init__(self, bench):
        self.work, self.criteria = bench.work, []
        self.program = bench.program.parent / "evaluate-schedule"
        self.cases = {}
        for app in PROGRAMS:
            for variability in VARIABILITY:
                for lasting in [*LASTING, "recorded"]:
                    case = read(bench.work / f"case-{app}-{variability}-{lasting}.json")
                    if case:
                        self.cases[app, variability, lasting] = schedule_metrics.sum_up(case, self.program)
                    else:
                        self.criterion(f"{app}, {variability}, {lasting}", "missing", False)

    def criterion(self, what, found, met):
        self.criteria.append((what, found, met))


def percent(share, digits=0):
    return "" if share is None else f"{100 * share:.{digits}f} %"


# ---- agreement ----

def agreement(page):
    rows = []
    for app in PROGRAMS:
        found = read(page.work / f"agreement-{app}.json")
        if not found:
            page.criterion(f"{app}: fast and full simulation agree", "missing", False)
            continue
        errors = [row["followed"] / row["simulated"] - 1 for row in found["rows"]]
        sizes = sorted(abs(error) for error in errors)
        rows.append([app, str(len(errors)), percent(statistics.fmean(errors), 2),
                     percent(statistics.fmean(sizes), 2), percent(sizes[-1], 2)])
        page.criterion(f"{app}: fast and full simulation agree within {AGREEMENT:.0%}",
                    f"{percent(sizes[-1], 1)} at worst of {len(sizes)}", sizes[-1] <= AGREEMENT)
    return ["## Fast simulation\n",
            "Runs are simulated iteration by iteration under the loads of their hosts "
            "(`evaluate/schedule_follow.h`), which takes\na fraction of a millisecond. To check this, some "
            "runs were also simulated message by message, with `runcast lab sim`\nand the `--split` of the "
            "programs, under the same loads from the same starts:\n",
            table(["program", "runs", "mean difference", "mean absolute difference", "largest"],
                  rows)]


# ---- all cases ----

def closed_range(page, policy, wanted):
    """The least and the largest share of the gap that a policy closes, in the cases `wanted`."""
    shares = [found["closed"][policy] for key, found in page.cases.items() if wanted(*key)]
    return f"{100 * min(shares):.0f} to {100 * max(shares):.0f} %" if shares else "-"


def outline(page):
    if not page.cases:
        return ""
    behind = max((100 * (found["closed"]["oracle"] - found["closed"]["optimal"])
                  for found in page.cases.values() if "oracle" in found["closed"]), default=0)
    rows = [[policy, *(closed_range(page, policy, wanted) for wanted in (
                lambda app, variability, lasting: lasting == "long",
                lambda app, variability, lasting: lasting == "short",
                lambda app, variability, lasting: lasting == "recorded",
                lambda app, variability, lasting: variability == "mixed",
                lambda app, variability, lasting: variability != "mixed"))] for policy in POLICIES[1:]]
    return ("The share of the gap between `mean` and `hindsight` that each policy closes:\n\n" +
            table(["policy", "long levels", "short levels", "recorded", "mixed variability",
                   "low or high variability"], rows) +
            f"\nThe oracle closes at most {behind:.0f} percentage points more than `optimal`. `last` is nearly as "
            "good where levels are\nlong compared with the run. The Tuning Factor (`95tf`, `vtf`) helps where "
            "some hosts vary and others do not: the\nstandard deviation of the last minutes shows that the load "
            "of a host changes, but not how it will change.\n")


def summary(page, plots):
    rows = []
    for (app, variability, lasting), found in page.cases.items():
        apart, half = found["behind"]
        name = f"{app}, {variability}, {lasting}"
        closed = found["closed"]
        rows.append([name, show(found["mean"]["mean"]), show(found["mean"]["hindsight"]),
                     *(percent(closed.get(policy)) for policy in SHOWN[1:-1]), found["best"],
                     f"{100 * apart:+.1f} ± {100 * half:.1f} %"])
        if lasting in CLOSED:
            page.criterion(f"{name}: optimal closes at least {CLOSED[lasting]:.0%} of the gap",
                        f"{percent(closed['optimal'])} (oracle: {percent(closed['oracle'])})",
                        closed["optimal"] >= CLOSED[lasting])
        page.criterion(f"{name}: optimal is at most {BEHIND:.0%} slower than the best simple policy "
                    "(upper bound of the interval)",
                    f"{100 * (apart + half):+.2f} % ({found['best']})", apart + half <= BEHIND)
    return ["## All cases\n", outline(page),
            "The mean run time in seconds by `mean` and by `hindsight`; the share of the gap between these "
            "two that each policy\ncloses; and how much slower `optimal` is than the best simple policy "
            "(that with the least mean in the case), with the\n95 % confidence interval of the paired "
            "differences.\n",
            table(["case", "mean", "hindsight", *SHOWN[1:-1], "best simple", "optimal slower by"], rows),
            plots["closed"]]


def metrics(page):
    parts = ["## Tables 5.4 to 5.16\n",
             f"Mean and standard deviation of all runs, in seconds. As in the dissertation, the metrics "
             f"*Window* and *Compare* are of\nconsecutive runs by alternating policies: every {EVERY} s "
             f"under modal loads, every {RECORDED_EVERY} s under recorded ones. A window\nhas one run of "
             "each policy.\n"]
    for (app, variability, lasting), found in page.cases.items():
        rows = [[policy, show(found["mean"][policy], 2), show(found["sd"][policy], 2),
                 *([str(found["wins"][policy]), *map(str, found["compare"][policy])]
                   if policy in POLICIES else [""] * 4)]
                for policy in SHOWN if policy in found["mean"]]
        parts += [f"### {app}, {variability} variability, {lasting}\n",
                  f"{found['runs']} runs each, {found['windows']} windows.\n",
                  table(["policy", "mean", "sd", "windows won", "better", "mixed", "worse"], rows)]
    return parts


def lengths(page, plots):
    rows = []
    for lasting in LASTING:
        for length in [1, *LENGTHS]:
            path = f"case-sor-high-{lasting}" if length == 1 else f"length-{lasting}-{length}"
            case = read(page.work / f"{path}.json")
            if not case:
                continue
            found = schedule_metrics.sum_up(case, page.program)
            rows.append([f"{' to '.join(LASTING[lasting])}, {length} times", show(found["mean"]["mean"]),
                         show(found["mean"]["hindsight"]),
                         *(percent(found["closed"][policy])
                           for policy in ("last", "forecast", "optimal", "oracle"))])
    return ["## Longer runs\n",
            "`sor` under the high variability, with more iterations. The longer a run is compared with the "
            "levels, the less of the\ngap can be closed: the oracle's column is the limit.\n",
            table(["levels, iterations", "mean", "hindsight", "last", "forecast", "optimal",
                   "oracle"], rows), plots.get("lengths", "")]


# ---- figures and table ----

def draw_closed(page, path):
    """Of each case, the closed gap of three policies, as dots in a row."""
    shown = [("last", "#e08214"), ("optimal", "#2166ac"), ("oracle", "#222222")]
    drawn = [(key, found) for key, found in page.cases.items() if key[2] != "recorded"]
    data, plots = "", []
    for policy, colour in shown:
        data += f"${policy} << END\n" + "".join(
            f"{100 * found['closed'][policy]:.4g} {len(drawn) - i}\n"
            for i, (_, found) in enumerate(drawn)) + "END\n"
        plots.append(f"${policy} using 1:2 with points pt {6 if policy == 'oracle' else 7} "
                     f"ps 0.8 lc rgb '{colour}' title '{policy}'")
    names = ", ".join(f"'{', '.join(key)}' {len(drawn) - i}" for i, (key, _) in enumerate(drawn))
    return plotting.run(
        plotting.TERMINAL.format(out=path, width=640, height=60 + 20 * len(drawn)) + data +
        "set grid xtics ytics lc rgb '#e4e4e4'\nset tics nomirror scale 0.5\nset border 3\n"
        f"set ytics ({names})\nset yrange [0.5:{len(drawn) + 0.5}]\n"
        "set xlabel 'share of the gap from mean to hindsight that is closed, in percent'\n"
        f"set key outside top center horizontal\nplot {', '.join(plots)}\n")


def write_csv(page, path):
    lines = ["app,variability,lasting,policy,runs,mean,sd,closed,windows,won,better,mixed,worse"]
    for key, found in page.cases.items():
        for policy in SHOWN:
            if policy in found["mean"]:
                turns = [found["windows"], found["wins"][policy], *found["compare"][policy]] \
                    if policy in POLICIES else [""] * 5
                lines.append(",".join(map(str, [
                    *key, policy, found["runs"], f"{found['mean'][policy]:.6g}",
                    f"{found['sd'][policy]:.6g}", f"{found['closed'][policy]:.4g}", *turns])))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write(bench, pages):
    page = Page(bench)
    pages.mkdir(parents=True, exist_ok=True)
    plots = plotting.draw_all({"closed": ("Share of the gap that is closed", "schedule-closed.svg",
                                          lambda path: draw_closed(page, path))}, pages)
    if plots["closed"]:
        plotting.shorten(pages / "schedule-closed.svg")
    parts = [*agreement(page), *summary(page, plots), *lengths(page, plots), *metrics(page)]
    rows = [[what, found, "yes" if met else "**no**"] for what, found, met in page.criteria]
    iterations = [str(what["iterations"] * what["phases"]) for what in PROGRAMS.values() if what["coupling"] == "tight"]
    text = "\n".join([INTRODUCTION.format(tight=" and ".join(iterations), sample=SAMPLE,
                                          loose=PROGRAMS["ga"]["iterations"]),
                      "## Criteria\n", table(["criterion", "result", "met"], rows), *parts])
    (pages / "schedule.md").write_text(text, encoding="utf-8")
    write_csv(page, pages / "schedule.csv")
    for what, found, met in page.criteria:
        if not met:
            print(f"NOT MET: {what}: {found}")
    return 0 if all(met for *_, met in page.criteria) else 1
