# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/evaluation/schedule.md, schedule.csv and its figures."""
import statistics

import plotting
import schedule_metrics
from pages import show, table
from running import read
from schedule_cases import (AGREEMENT, BEHIND, CLOSED, CLUSTERS, EVERY, LASTING, LENGTHS, POLICIES,
                            PROGRAMS, RECORDED_EVERY, SAMPLE, SHOWN, VARIABILITY)

INTRODUCTION = """# How well work is divided

    make evaluate PART=schedule

writes this page.

It repeats the experiments of chapter 5 of J. M. Schopf, "Performance prediction and scheduling for parallel
applications on multi-user clusters" (dissertation, UC San Diego, 1998), with `sor`, `ga` and `nbody` of `apps/` on
simulated clusters of four hosts: two fast and two slow ones with the speeds of its PCL cluster (`sor`, `ga`), and four
alike (`nbody`). Runs divided by `mean`, under a high variability, last about as long as its own (33, 66 and 60 s).
`sor` and `nbody` wait {often} times in a run; `ga` waits {once} times, and policies are told that it waits once.

Every policy of `runcast split` divides each run, from samples of the day before, one every {sample} s. All meet the
same load: the seconds are those of the same start. Loads are
- drawn: levels that last 30 to 300 s or 10 to 60 s, on all hosts within one mode (low), on all in five modes (high), or
  on one fast and one slow host in five modes (mixed);
- recorded: what four servers used, a value a minute (`evaluate/data`), on the calmer two of them, on all four, and on
  the other two, where a use of 0.2 counts as one competing process.

*hindsight* is the best division had one known what came; *oracle* is a division by somebody who knows how the load is
drawn, what the levels are now and since when, but not what will be drawn: as good as it gets.
"""


class Page:
    """What was found, and the demands on it."""

    def __init__(self, bench):
        self.work, self.demands = bench.work, []
        self.program = bench.program.parent / "evaluate-schedule"
        self.cases = {}
        for app in PROGRAMS:
            for variability in VARIABILITY:
                for lasting in [*LASTING, "recorded"]:
                    case = read(bench.work / f"case-{app}-{variability}-{lasting}.json")
                    if case:
                        self.cases[app, variability, lasting] = schedule_metrics.sum_up(case, self.program)
                    else:
                        self.demand(f"{app}, {variability}, {lasting}", "missing", False)

    def demand(self, what, found, holds):
        self.demands.append((what, found, holds))


def percent(share, digits=0):
    return "" if share is None else f"{100 * share:.{digits}f} %"


# ---- agreement ----

def agreement(page):
    rows = []
    for app in PROGRAMS:
        found = read(page.work / f"agreement-{app}.json")
        if not found:
            page.demand(f"{app}: following runs agrees with simulating them", "missing", False)
            continue
        errors = [row["followed"] / row["simulated"] - 1 for row in found["rows"]]
        sizes = sorted(abs(error) for error in errors)
        rows.append([app, str(len(errors)), percent(statistics.fmean(errors), 2),
                     percent(statistics.fmean(sizes), 2), percent(sizes[-1], 2)])
        page.demand(f"{app}: following runs agrees with simulating them within {AGREEMENT:.0%}",
                    f"{percent(sizes[-1], 1)} at worst of {len(sizes)}", sizes[-1] <= AGREEMENT)
    return ["## Following runs instead of simulating them\n",
            "Runs are followed iteration by iteration along the loads of their hosts "
            "(`evaluate/schedule_follow.h`), which takes\na fraction of a millisecond. So that this may "
            "stand for simulating every message, some of them were simulated too,\nwith `runcast lab "
            "sim` and the programs' own `--split`, under the same loads from the same starts:\n",
            table(["program", "runs", "mean difference", "mean, either way", "worst"], rows)]


# ---- all cases ----

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
            page.demand(f"{name}: optimal closes at least {CLOSED[lasting]:.0%} of the gap",
                        f"{percent(closed['optimal'])} (oracle: {percent(closed['oracle'])})",
                        closed["optimal"] >= CLOSED[lasting])
        page.demand(f"{name}: optimal is at most {BEHIND:.0%} behind the best simple policy, at the "
                    "upper end",
                    f"{100 * (apart + half):+.2f} % ({found['best']})", apart + half <= BEHIND)
    return ["## All cases\n",
            "Seconds on average by `mean` and in hindsight, how much of the gap between the two each "
            "policy closes, and how far\n`optimal` is behind the best of the simple ones (that with the "
            "least mean in this case), with the 95 % interval of the\npaired differences.\n",
            table(["case", "mean", "hindsight", *SHOWN[1:-1], "best simple", "optimal behind it"], rows),
            plots["closed"]]


def metrics(page):
    parts = ["## As Tables 5.4 to 5.16\n",
             f"Mean and standard deviation of all runs, in seconds. *Window* and *Compare* are of "
             f"runs in turn, each by the next policy,\nas the dissertation's: every {EVERY} s under "
             f"drawn loads, every {RECORDED_EVERY} s under recorded ones. A window is as wide as "
             "there\nare policies.\n"]
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
    return ["## Runs that last longer\n",
            "`sor` under the high variability, with more iterations. The longer a run lasts compared with "
            "the levels, the less\nof the gap can be closed by anybody: the oracle's column is the "
            "limit.\n",
            table(["levels last, iterations", "mean", "hindsight", "last", "forecast", "optimal",
                   "oracle"], rows), plots.get("lengths", "")]


# ---- figures and table ----

def draw_closed(page, path):
    """Of each case, what three policies close, as dots in a row."""
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
        "set xlabel 'part of the gap from mean to hindsight that is closed, in percent'\n"
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
    plots = plotting.draw_all({"closed": ("What is closed of the gap", "schedule-closed.svg",
                                          lambda path: draw_closed(page, path))}, pages)
    if plots["closed"]:
        plotting.shorten(pages / "schedule-closed.svg")
    parts = [*agreement(page), *summary(page, plots), *lengths(page, plots), *metrics(page)]
    rows = [[what, found, "yes" if holds else "**no**"] for what, found, holds in page.demands]
    iterations = [str(what["iterations"] * what["phases"]) for what in PROGRAMS.values() if what["coupling"] == "tight"]
    text = "\n".join([INTRODUCTION.format(often=" and ".join(iterations), sample=SAMPLE,
                                          once=PROGRAMS["ga"]["iterations"]),
                      "## What must hold\n", table(["demand", "found", "holds"], rows), *parts])
    (pages / "schedule.md").write_text(text, encoding="utf-8")
    write_csv(page, pages / "schedule.csv")
    for what, found, holds in page.demands:
        if not holds:
            print(f"does not hold: {what}: {found}")
    return 0 if all(holds for *_, holds in page.demands) else 1
