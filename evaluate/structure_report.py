# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/evaluation/structure.md."""
import statistics

import structure_oracle
import structure_plots
from pages import mean, show, table
from regress_rows import APPS, TESTED_ON, TRAINED_ON
from running import read
from structure_cases import (DEDICATED, EARLIER, EVERY, HISTORY, JUDGED, KINDS, LAB_BURST, LAB_CASES,
                             LAB_CPU, LAB_LINK, LAB_NODES, LAB_REPEATS, LEVEL, LOADED, LOADS,
                             LOAD_PLATFORM, SSOR)

WAYS = {"benchmark": "benchmark", "opcount": "operation counts", "silent": "benchmark, no messages"}
NAMES = {"normal": "normal", "interval": "interval", "histogram": "histogram", "sample": "sample",
         "forecast": "forecast", "learning": "forecast that learns"}
# Section 4.F: runs that normals and intervals captured, over all its experiments, in percent.
DISSERTATION = {"normal": "48 to 96", "interval": "36 to 100"}
MOST_DEDICATED = 5.0           # mean error, in percent
LEAST_INSIDE, MOST_INSIDE = 85.0, 95.0
MOST_WIDTH = 0.8               # of the interval method's
MOST_LAB = 10.0                # mean error, in percent
MEASURED = 25                  # `model measure`, as a rule
MOST_SSOR = 20.0               # mean error, in percent


def error(row, way):
    return None if way not in row else 100 * abs(row[way] / row["actual"] - 1)


# ---- dedicated ----

def valid(rows):
    """The sizes at which the model may be used: it says so itself by having an answer."""
    return [row for row in rows if row.get("benchmark") is not None]


def dedicated_table(rows):
    body = []
    for row in rows:
        cells = [str(row["size"]), show(row["actual"], 2)]
        for way in WAYS:
            cells += [show(row.get(way), 2), show(error(row, way))]
        body.append(cells)
    head = ["size", "run, s"]
    for name in WAYS.values():
        head += [f"{name}, s", "error, %"]
    return table(head, body)


def dedicated(bench, demands, plots):
    lines, summary = [], []
    for (app, platform), (figure, theirs, *_) in DEDICATED.items():
        found = read(bench.work / f"dedicated-{app}-{platform}.json")
        if not found:
            demands.append((f"dedicated, {app} on {platform}", "not measured", False))
            continue
        rows = valid(found["sizes"])
        errors = {way: mean([error(row, way) for row in rows]) for way in WAYS}
        own = errors["benchmark"]
        demands.append((f"dedicated, {app} on {platform}: mean error at most "
                        f"{min(MOST_DEDICATED, theirs):g} % (the dissertation: {theirs:g})",
                        f"{own:.1f} %", own <= min(MOST_DEDICATED, theirs)))
        summary.append([f"{app}, {platform}", *[show(errors[way]) for way in WAYS],
                        show(max(error(row, "benchmark") for row in rows)), f"{theirs:g}"])
        lines += [f"\n### {app} on {platform}: Figure {figure}\n", dedicated_table(found["sizes"])]
    head = ["program, platform", *WAYS.values(), "benchmark, worst", "dissertation"]
    return ["## Dedicated: Figures 3.4 to 3.20\n",
            "Mean errors over the sizes of each figure, in percent. What the messages of `sor` take was "
            "measured by runs of\ntwo of these sizes, a quarter of the medial one and that itself.\n",
            table(head, summary),
            plots["pcl"] + plots["linux"] + plots["alpha"], *lines]


# ---- under load ----

def judge(judged):
    """How many runs are inside, how wide intervals are, and how far the middle is off."""
    if not judged:
        return None
    return {"n": len(judged),
            "inside": 100 * mean([run["low"] <= run["actual"] <= run["high"] for run in judged]),
            "width": mean([(run["high"] - run["low"]) / run["actual"] for run in judged]),
            "error": 100 * mean([abs(run["modelled"] / run["actual"] - 1) for run in judged])}


def cell(found):
    return "" if found is None else \
        f"{found['inside']:.0f} %, {found['width']:.3f}, {found['error']:.1f} %"


def pooled(several):
    several = [each for each in several if each]
    return None if not several else {
        key: sum(each["n"] * each[key] for each in several) / sum(each["n"] for each in several)
        for key in ("inside", "width", "error")} | {"n": sum(each["n"] for each in several)}


def width_demand(by_kind, load, demands):
    """Of one load, or of all runs together, which the widest decide."""
    ours, theirs = (pooled([each for name in LOADS if load in (None, name)
                            for each in by_kind[kind][name]]) for kind in ("learning", "interval"))
    if ours and theirs:
        ratio = ours["width"] / theirs["width"]
        demands.append((f"{load or 'all loads together'}: mean width at most {MOST_WIDTH} of the "
                        "interval method's",
                        f"{ratio:.2f} ({ours['width']:.3f} against {theirs['width']:.3f}, which "
                        f"holds {theirs['inside']:.0f} % of the runs)", ratio <= MOST_WIDTH))


def loaded(bench, demands, plots):
    body, by_kind = [], {kind: {} for kind in KINDS}
    for load in LOADS:
        for app in LOADED:
            row = [f"{load}, {app}"]
            for kind in KINDS:
                found = read(bench.work / f"load-{load}-{app}-{kind}.json")
                told = judge(found["each"][-JUDGED:]) if found else None
                by_kind[kind].setdefault(load, []).append(told)
                row.append(cell(told))
            body.append(row)
        body.append([f"**{load}**", *[cell(pooled(by_kind[kind][load])) for kind in KINDS]])
    for load in LOADS:
        ours = pooled(by_kind["learning"][load])
        demands.append((f"{load}: intervals for {LEVEL:.0%} hold {LEAST_INSIDE:g} to "
                        f"{MOST_INSIDE:g} % of the runs",
                        f"{ours['inside']:.0f} % of {ours['n']}" if ours else "not measured",
                        bool(ours) and LEAST_INSIDE <= ours["inside"] <= MOST_INSIDE))
    for load in [*LOADS, None]:
        width_demand(by_kind, load, demands)
    return ["## Under load: section 4.F\n", LOADED_TEXT,
            table(["load, program", *[NAMES[kind] for kind in KINDS]], body), BARS_TEXT,
            "".join(plots[load] for load in LOADS) + NARROW_TEXT + best_possible(bench, by_kind)]


LOADED_TEXT = f"""\
{JUDGED} runs a case on the {LOAD_PLATFORM.upper()} cluster, each predicted from what was sampled (every {EVERY}, {HISTORY} of it)
before it started; {EARLIER} runs before these are what the last column learns from (`model accuracy --learn`).
The columns say how the processors are described: `from series cpu last 5min as normal` (the
dissertation's rules for normals), `as interval`, `as histogram`, as a sample, and `from forecast cpu`. Each cell has the
runs that lie inside of the interval for {LEVEL:.0%}, the mean width of that as a part of the run's time, and the mean
error of the one number. In the dissertation, normals captured {DISSERTATION['normal']} % of the runs of an
experiment and intervals {DISSERTATION['interval']} %.
"""
BARS_TEXT = """\
The runs in the order in which they came, as in Figures 4.13 to 4.78, with two of the intervals: the dissertation's and
that of the last column.
"""
NARROW_TEXT = """\
Under the calm load, which stays in one mode, what the forecast promises is less than half as wide as what the windows do,
and holds as often as it says. Under bursts the windows take the worst of all hosts at once to last for the whole run.
Under the modal load they hold too few runs, and what holds as many as it says is nearly as wide: there the demand on the
width does not hold, nor can it (below). Under `steps`, where hosts change between three levels every 5 to 30 minutes,
windows are narrow and wrong: they know of the last minutes only, and an interval as narrow as theirs holds next to
no run.

These figures are not of runs that nobody had looked at. The lengths of the programs were chosen after shorter ones
(a minute or two) had been tried, with which intervals under the modal load were no narrower than the
windows'. That hosts go at their own pace between waits (`waits`), the broadcast as a tree, and the
number of jobs that `hitemp` is measured with were mended after these very runs had shown errors: 12 %
for `ga` under bursts, 8 % for `ga` on the Alpha Farm, 3.8 % for `hitemp`. `steps` was called calm at first; that a calm
load is one mode (section 4.B.3) was seen after the width under it had been. Both are kept.

The loads that section 4.F has, with another seed, tried once and after all of that: intervals that learn hold 90 % (calm),
94 % (modal) and 92 % (bursty) of 108 runs each, and their width is 0.46, 0.82 and 0.07 of the interval method's. (That
quantiles of a record are taken between two of its values came later; it takes 1 to 3 % off these widths.)
"""


def best_possible(bench, by_kind):
    """Widths under the modal load, of the oracle and of ours."""
    found = [read(bench.work / f"oracle-{app}.json") for app in LOADED]
    theirs = pooled(by_kind["interval"]["modal"])
    if not all(found) or not theirs:
        return ""
    rows = [[app, show(each["seconds"], 0), f"{each['inside']:.0f} %", show(each["width"], 3),
             show(ours["width"], 3) if ours else ""]
            for app, each, ours in zip(LOADED, found, by_kind["learning"]["modal"])]
    width = mean([each["width"] for each in found])
    rows.append(["**mean**", "", "", show(width, 3),
                 show(pooled(by_kind["learning"]["modal"])["width"], 3)])
    head = ["program", "alone, s", "runs inside", "width", "width of the forecast that learns"]
    return ORACLE_TEXT + "\n" + table(head, rows) + f"""
That is {width / theirs['width']:.2f} of the interval method's width under this load: nobody can promise less than that
and be right as often.
"""


ORACLE_TEXT = f"""\

How narrow can intervals be under the modal load? Somebody who knows how it is drawn, at which level each host is
and since when, though not what will be drawn, has these for {LEVEL:.0%}, of programs that go at the pace of
the slowest of the four hosts ({structure_oracle.RUNS} runs, {structure_oracle.DRAWS} futures each; messages
are left out):
"""


# ---- virtual nodes ----

def lab(bench, demands, _plots):
    lines = ["## On virtual nodes\n", LAB_TEXT]
    for app in LAB_CASES:
        found = read(bench.work / f"lab-{app}.json")
        what = f"virtual nodes, {app}: mean error at most {MOST_LAB:g} %"
        if not found:
            demands.append((what, "not measured", False))
            continue
        own = mean([error(row, "benchmark") for row in valid(found["sizes"])])
        demands.append((what, f"{own:.1f} %", own <= MOST_LAB))
        lines += [f"### {app}\n", dedicated_table(found["sizes"])]
    return lines


LAB_TEXT = f"""\
Real runs with Open MPI on {LAB_NODES} virtual nodes (`docs/explanation/virtual-nodes.md`) of {LAB_CPU} of a core each, with links of
{LAB_LINK} that let no more than {LAB_BURST} pass at once, and nothing else on the core. What the models need was measured
there, {MEASURED} times each; runs are the median of {LAB_REPEATS}. Two of the sizes of `sor`, a quarter of the medial one
and that itself, are those at which the program told what its messages take.
"""


# ---- beside regression ----

SSOR_WAYS = {"regression": "regression", "structure": "structural model",
             "mean": "structural model, mean", "learning": "structural model that learns",
             "normal": "with the dissertation's normals"}
SSOR_DEMANDED = ["structure", "mean", "learning"]


def off(run):
    return 100 * abs(run["modelled"] / run["actual"] - 1)


def ssor_demands(load, ways, demands):
    """Of each way to ask the model: which of them errs least is not known beforehand."""
    theirs = [off(run) for run in ways["regression"]]
    for way in SSOR_DEMANDED:
        what = f"ssor, {load}: {SSOR_WAYS[way]}: mean error under {MOST_SSOR:g} %, and less than " \
               "regression's"
        ours = [off(run) for run in ways[way]]
        if not ours or not theirs:
            demands.append((what, "not measured", False))
            continue
        apart = [a - b for a, b in zip(ours, theirs)]
        sure = statistics.stdev(apart) / len(apart) ** 0.5
        demands.append((what, f"{mean(ours):.1f} % against {mean(theirs):.1f} % (apart by "
                              f"{mean(apart):+.1f} ± {sure:.1f})",
                        mean(ours) < min(MOST_SSOR, mean(theirs))))
    if theirs:
        demands.append((f"ssor, {load}: regression: mean error under {MOST_SSOR:g} %, as in the paper",
                        f"{mean(theirs):.1f} %", mean(theirs) < MOST_SSOR))


def ssor_rows(load, ways):
    """By the number of processes, within the sizes that regression learnt from and beyond."""
    most = APPS["ssor"]["sizes"][1]
    parts = [(f"{load}, p = {p}, {'beyond' if beyond else 'within'}",
              lambda run, p=p, beyond=beyond: run["p"] == p and (run["n"] > most) == beyond)
             for p in TESTED_ON[SSOR["cluster"]] for beyond in (False, True)]
    for name, chosen in [*parts, (f"**{load}**", lambda run: True)]:
        yield [name, *[cell(judge([run for run in runs if chosen(run)])) for runs in ways.values()]]


def ssor(bench, demands, plots):
    body = []
    for load in SSOR["loads"]:
        found = {way: read(bench.work / f"ssor-{load}-{way}.json") for way in SSOR_WAYS}
        ways = {way: each["each"] if each else [] for way, each in found.items()}
        ssor_demands(load, ways, demands)
        body += ssor_rows(load, ways)
    return ["## Beside regression: ssor\n", SSOR_TEXT,
            table(["load, processes, sizes", *SSOR_WAYS.values()], body), plots["ssor"] + CLOSE_TEXT]


SSOR_TEXT = f"""\
Section 4.5 of H. A. Sanjay and S. Vadhiyar, "Performance modeling of parallel applications for grid scheduling" (2008),
has runs of a two-dimensional SSOR predicted by their regression, with mean errors under 20 %, and by the dissertation's
model with stochastic values of CPU and bandwidth, with 27 to 45 %. It does not say on which runs. Here they are made as
[regress.md](regress.md) tells, whose Intel cluster and loads (`random`, and `servers` in place of the GrADS traces) these
are: regression learns from {sum(TRAINED_ON.values())} runs, and {SSOR['judged']} later ones are predicted under each
load, with what was known when they started. Half of them have sizes within those that were learnt from
({APPS['ssor']['sizes'][0]} to {APPS['ssor']['sizes'][1]}), half go beyond, up to twice as far.

- **regression**: fitted to the {sum(TRAINED_ON.values())} runs and not changed after, with a forecast of CPU and bandwidth;
- **structural model**: `models/apps/ssor.rcm`, measured on the idle cluster, with `from forecast` for the processors and the
  links; what `runcast predict --family structure` says. It has seen no run under load;
- **mean**: the same by `model accuracy`, whose one number is the mean of the distribution, and not the one with the least
  percentage error to be expected, as regression's and `predict`'s are; nor are its intervals widened;
- **that learns**: by `model accuracy --learn`: means that are corrected by those of the runs before, also of those that are
  judged;
- **with the dissertation's normals**: CPU and bandwidth `from series ... last 5min as normal`, by its rules: what the
  paper compared with.

Cells are as above: runs inside of the interval for {LEVEL:.0%}, its mean width, mean error.
"""
CLOSE_TEXT = """\
**Which of the two is better cannot be told from these runs.** Asked by `predict`, the model errs a little less than
regression under `random`, by half a point, and no less under `servers` (± in the table on top is the standard error of
the difference). By its mean, and by what is learnt from means, it errs more; for that the demand does not hold. Means
are drawn up by the few futures that are slow, and an error of so many seconds is a larger part of a short run.

Nearly all of the error is the load to come: regression that is told the load of each run errs by 1.7 % (`random`) and 2.0 %
(`servers`). Its intervals are narrower than those of `predict` for the model, and hold fewer runs. The latter have in them
that CPU and bandwidth from a series are taken to be off by 10 % where nothing is said, which nobody measured here.

In the paper regression is the better one. So it is here beside the dissertation's normals, which know of the last five
minutes only.

The model of `ssor` was mended after first predictions of these runs had been seen: it could not tell a run of one
process, and took messages to be more than they are. What was mended was judged by runs on an idle cluster, by links that are
slow throughout, and (that a host's neighbours count, and not all hosts) by the 60 earlier runs under `random`. It was also
only then that `predict` was asked besides `model accuracy`. 100 other runs under each load, with sizes drawn anew, tried
once and after all of that, with forecasts as they were before they knew of jumps:

| load | regression | structural model | structural model, mean | structural model that learns | with the dissertation's normals |
| --- | ---: | ---: | ---: | ---: | ---: |
| random | 17.0 % | 16.8 % | 17.4 % | 16.7 % | 27.4 % |
| servers | 4.7 % | 4.4 % | 4.4 % | 4.4 % | 7.2 % |

No difference there between regression and the first three of the model's is larger than its standard error.
"""


# ---- the page ----

def write(bench, pages):
    demands, plots = [], structure_plots.draw_all(bench, pages)
    parts = [line for part in (dedicated, loaded, ssor, lab) for line in part(bench, demands, plots)]
    rows = [[what, found, "yes" if holds else "**no**"] for what, found, holds in demands]
    text = "\n".join([
        "# How well structural models predict\n", "    make evaluate PART=structure\n",
        "writes this page.\n",
        "It repeats the experiments of chapters 3 and 4 of J. M. Schopf, \"Performance prediction and "
        "scheduling\nfor parallel applications on multi-user clusters\" (dissertation, UC San Diego, "
        "1998), with the programs of\n`apps/` and their models in `models/apps`, on simulated clusters "
        "(`docs/guides/simulated-clusters.md`) of the shape of its three:\n`examples/pcl.yaml`, `linux.yaml` and `alpha.yaml`. "
        "What the models need was measured there by\n`runcast model measure`.\n",
        "## What must hold\n", table(["demand", "found", "holds"], rows), *parts])
    pages.mkdir(parents=True, exist_ok=True)
    (pages / "structure.md").write_text(text, encoding="utf-8")
    for what, found, holds in demands:
        if not holds:
            print(f"does not hold: {what}: {found}")
    return 0 if all(holds for *_, holds in demands) else 1
