# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/evaluation/regress.md from the predictions of evaluate/regress."""
import csv
import shutil
import statistics
import subprocess

from regress_rows import DIRECT, DUAL, PORTED, TESTS, ported_name, row_name

ANSWERS = ["known", "forecast", "oracle", "last", "average"]
# Requirements.
KNOWN_MEAN, KNOWN_ROW = 5, 10
OVER_ORACLE, OVER_PLAIN = 1.25, 0.9
COVERED = (85, 95)


def read(path):
    """The predictions of a row: numbers by column, None where there is none."""
    if not path.exists():
        return []
    with open(path, encoding="utf-8") as file:
        return [{key: float(value) if value else None for key, value in row.items()}
                for row in csv.DictReader(file)]


def errors(runs, key):
    """Percentage errors."""
    return [100 * abs(run[key] - run["seconds"]) / run["seconds"]
            for run in runs if run[key] is not None]


def mean(numbers):
    return statistics.fmean(numbers) if numbers else None


def covered(runs, key):
    """The coverage of the intervals, in percent."""
    return mean([100.0 * (run[f"{key}_low"] <= run["seconds"] <= run[f"{key}_high"])
                 for run in runs if run[key] is not None])


def width(runs, key):
    """Of the intervals, in percent of the prediction."""
    return mean([100 * (run[f"{key}_high"] - run[f"{key}_low"]) / run[key]
                 for run in runs if run[key] is not None])


def show(number, digits=1):
    return "" if number is None else f"{number:.{digits}f}"


def mean_and_sd(runs, key):
    found = errors(runs, key)
    return f"{mean(found):.1f} ± {statistics.pstdev(found):.1f}" if found else ""


def parallel(runs):
    return [run for run in runs if run["p"] > 1]


def below(runs, key, most=30):
    return mean([100.0 * (error < most) for error in errors(runs, key)])


def table(head, rows):
    """In markdown; all columns but the first are numbers."""
    lines = ["| " + " | ".join(head) + " |",
             "| --- |" + " ---: |" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


class Row:
    """One row of a table of the paper, with its predictions."""

    def __init__(self, work, label, name, load, paper):
        self.label, self.load, self.paper = label, load, paper
        self.runs = read(work / "predictions" / f"{name}.csv")

    def error(self, key):
        return mean(errors(self.runs, key))


def all_rows(work):
    direct = [Row(work, f"{app}, {cluster}, {load}", row_name(app, cluster, load), load, figures)
              for app, cluster, load, *figures in DIRECT]
    ported = [Row(work, f"{app}, {a} {load} → {b} {target_load}",
                  ported_name(app, a, load, b, target_load), target_load, [figure])
              for app, a, load, b, target_load, figure in PORTED]
    dual = [Row(work, f"{app}, {load}", row_name(app, cluster, load), load, [])
            for app, cluster, load in DUAL]
    return direct, ported, dual


# ---- the tables ----

def known_table(rows):
    body = []
    for row in rows:
        single, single_sd, several, several_sd = row.paper
        body.append([row.label, f"{single} ± {single_sd}", mean_and_sd(row.runs, "single"),
                     f"{several} ± {several_sd}", mean_and_sd(row.runs, "multiple"),
                     mean_and_sd(parallel(row.runs), "multiple"), mean_and_sd(row.runs, "known"),
                     show(below(row.runs, "multiple"), 0), show(below(row.runs, "known"), 0)])
    return table(["program, cluster, load", "paper, single", "runcast, single",
                  "paper, several", "runcast, several", "... p ≥ 2", "default",
                  "several: APE < 30 %", "default: APE < 30 %"], body)


def ported_table(rows):
    return table(["program, from → to", "paper", "runcast, criterion paper", "default",
                  "paper: APE < 30 %", "default: APE < 30 %"],
                 [[row.label, str(row.paper[0]), mean_and_sd(row.runs, "single"),
                   mean_and_sd(row.runs, "known"), show(below(row.runs, "single"), 0),
                   show(below(row.runs, "known"), 0)] for row in rows])


def dual_table(rows):
    """By the number of processes: those that are alone on their host, and those that are not."""
    return table(["program, load", "p ≤ 8", "p > 8", "forecast, p ≤ 8", "forecast, p > 8"],
                 [[row.label] + [mean_and_sd([run for run in row.runs if (run["p"] > 8) == many], key)
                                 for key in ["known", "forecast"] for many in [False, True]]
                  for row in rows])


def ratio(row, key, others):
    plain = [row.error(other) for other in others]
    if row.error(key) is None or None in plain:
        return None
    return row.error(key) / min(plain)


def forecast_table(rows):
    return table(["row", "known load", "forecast", "oracle", "last", "average",
                  "forecast / oracle", "forecast / better of last, average", "APE < 30 %"],
                 [[row.label] + [show(row.error(key)) for key in ANSWERS] +
                  [show(ratio(row, "forecast", ["oracle"]), 2),
                   show(ratio(row, "forecast", ["last", "average"]), 2),
                   show(below(row.runs, "forecast"), 0)] for row in rows if row.load != "none"])


def interval_table(rows):
    body = []
    for load in ["random", "servers", "none"]:
        runs = [run for row in rows if row.load == load for run in row.runs]
        for key in ["known", "forecast", "oracle"]:
            if covered(runs, key) is not None:
                body.append([f"{load}: {key}", str(len(runs)), show(covered(runs, key)),
                             show(width(runs, key), 0)])
    return table(["load: prediction", "runs", "coverage, %", "mean width, % of the prediction"], body)


# ---- requirements ----

def demands(rows):
    """Requirements, results, and whether they are met."""
    known = [row.error("known") for row in rows]
    worst = max(rows, key=lambda row: row.error("known"))
    yield (f"known load: MAPE over the rows at most {KNOWN_MEAN} %", f"{mean(known):.2f} %",
           mean(known) <= KNOWN_MEAN)
    yield (f"known load: MAPE of each row at most {KNOWN_ROW} %",
           f"{max(known):.1f} % ({worst.label})", max(known) <= KNOWN_ROW)
    for key, others, most, text in [
            ("forecast", ["oracle"], OVER_ORACLE, "the oracle's, under random load"),
            ("forecast", ["last", "average"], OVER_PLAIN, "the better of last and average")]:
        found = [(ratio(row, key, others), row.label) for row in rows]
        found = [each for each in found if each[0] is not None]
        over = [each for each in found if each[0] > most]
        yield (f"forecasts: MAPE of each row at most {most} times {text}",
               f"{max(found)[0]:.2f} ({max(found)[1]}); {len(over)} of {len(found)} rows above",
               not over)
    for load in ["random", "servers"]:
        runs = [run for row in rows if row.load == load for run in row.runs]
        share = covered(runs, "forecast")
        yield (f"coverage of the 90 % intervals from {COVERED[0]} to {COVERED[1]} %, {load}",
               f"{share:.1f} %", COVERED[0] <= share <= COVERED[1])


# ---- plots ----

PLOT = """set terminal svg size 900,360 font 'sans,11' background 'white'
set output '{out}'
set datafile separator ','
set multiplot layout 1,2
set key top right
set xlabel 'test run, in order of time'
set ylabel 'percentage error'
set title 'in order of time'
set yrange [0:100]
plot '{data}' using 1:2 with lines lc rgb '#bbbbbb' title 'paper: single model', \\
     '' using 1:3 with lines lc rgb '#e08214' title 'paper: several', \\
     '' using 1:4 with lines lw 2 lc rgb '#2166ac' title 'default'
set xlabel 'problem size'
plot '{data}' using 5:($4 < 10 ? $6 : NaN) pt 7 ps .5 lc rgb '#1a9850' title 'below 10 %', \\
     '' using 5:($4 >= 10 && $4 < 30 ? $6 : NaN) pt 7 ps .5 lc rgb '#fdae61' title '10 to 30 %', \\
     '' using 5:($4 >= 30 ? $6 : NaN) pt 7 ps .5 lc rgb '#d73027' title 'above 30 %'
unset multiplot
"""


def plot(work, out):
    """As the paper's Figures 4 and 3; False where there is no gnuplot."""
    runs = read(work / "predictions" / f"{row_name('eigen', 'intel', 'random')}.csv")
    if not runs or not shutil.which("gnuplot"):
        return False
    data = work / "plot.csv"
    each = [errors(runs, key) for key in ["single", "multiple", "known"]]
    with open(data, "w", encoding="utf-8") as file:
        for i, run in enumerate(runs):
            file.write(f"{i + 1},{each[0][i]},{each[1][i]},{each[2][i]},{run['n']},{run['p']}\n")
    script = PLOT.format(out=out, data=data).replace(
        "set xlabel 'problem size'",
        "set xlabel 'problem size'\nset ylabel 'processes'\nset yrange [0:11]\nset xtics 1000\nset title 'default, by size and processes'")
    return subprocess.run(["gnuplot"], input=script, text=True, check=False).returncode == 0


# ---- the page ----

PAGE = """# Accuracy of regression models

    make evaluate PART=regress

This command writes this page. It repeats the experiments of H. A. Sanjay and S. Vadhiyar, "Performance modeling of
parallel applications for grid scheduling" (J. Parallel Distrib. Comput. 68, 2008): the rows of their Tables 3, 4
and 6, with the programs of `apps/` on [simulated clusters](../guides/simulated-clusters.md).
[Regression](../explanation/regression.md) describes the method.

- **Clusters** have the paper's number of processors (intel 8, amd 16, woodcrest 24, ibm 32), clock rate (one operation
  per cycle) and network (100 Mbit/s for intel and woodcrest, 1 Gbit/s for amd and ibm). Each processor is a host with
  its own link; see "Hosts with two cores" below. Memory is not simulated.
- **Loads**: `random` is the load of the paper's section 4.1, with parameters chosen for runcast; `servers` replaces the
  traces of the GrADS testbed with the load of four real servers over three days (`evaluate/data`); `none` is an idle
  cluster. Sensors sample every 10 s.
- **Training**: 60 runs (20, 20, 10 and 10 on 1, 2, 4 and 8 processes) with 30 sizes, the largest about 1.5 times the
  smallest. **Tests**: {tests} runs at later times, on 1 process up to all processors of the cluster. Half of the sizes
  are in the range of the training sizes, and half above it, up to twice its upper end.
- **Errors** are absolute percentage errors (APE): mean ± standard deviation, in percent. So each answer is the number
  with the least expected percentage error of its distribution; `runcast predict` reports the median.

The paper's figures are from real machines, and the paper does not state how much was known about the load. They are
shown for reference only.

## Requirements

{demands}
## Known load: Tables 3 and 4

"Single" and "several" use `--criterion paper`. "Single" is the best model after training. "Several" is the first model
of a list that is sorted again after each run. These models can have large errors on one process, since they are fitted
to runs on several processes and their coefficients can have either sign. "Default" is the model of the default
criterion, fitted to the 60 runs and not changed afterwards.

{known}
{plot}## Models ported to another cluster: Table 6

The models are fitted to all 180 runs on the first cluster. They are ported with eleven runs on each of the two
clusters, which are idle during these runs: one on one process and ten on two processes. The load is known.

{ported}
## Forecasts made at the start

Here, the same models of the default criterion use the load forecast at the start of the run. "Oracle" samples load
scenarios from the process that generates the load `random`, given the load levels at the start and how long they have
lasted: no forecast can do better except by luck. "Last" assumes that the last value of each host and link persists, and
"average" assumes the mean of the four hours before the start. Both use the load statistic of the model. The predicted
time is the one with the lowest expected absolute percentage error under the resulting distribution.

{forecasts}
## Hosts with two cores

The paper's amd and woodcrest clusters have two-core hosts. The table is for amd with eight such hosts. From the
ninth process on, two processes share a link. No training run shows this, so programs that send much data take longer
than any model fitted to these runs predicts. Train on as many processes as you will use.

{dual}
## Intervals

The table shows the coverage and the mean width of the 90 % prediction intervals.

{intervals}"""


def write(work, folder):
    """Writes the page; 0 where all that must hold does, and 1 otherwise."""
    direct, ported, dual = all_rows(work)
    missing = [row.label for row in direct + ported + dual if not row.runs]
    if missing:
        print("evaluate/regress: no predictions yet for " + "; ".join(missing))
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    verdicts = list(demands(direct + ported))
    picture = plot(work, folder / "regress-eigen.svg")
    text = PAGE.format(
        tests=TESTS,
        demands=table(["requirement", "found", "met"],
                      [[a, b, "yes" if c else "**no**"] for a, b, c in verdicts]),
        known=known_table(direct), ported=ported_table(ported),
        plot="![Errors of eigen on intel under random load, in order of time as in the paper's Figure "
             "4, and by size and processes as in its Figure 3](regress-eigen.svg)\n\n" if picture else "",
        dual=dual_table(dual), forecasts=forecast_table(direct + ported),
        intervals=interval_table(direct + ported))
    (folder / "regress.md").write_text(text, encoding="utf-8")
    print(text)
    return 0 if all(c for _, _, c in verdicts) else 1
