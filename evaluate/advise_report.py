# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/evaluation/advise.md."""
import statistics

from advise_cases import (CHOICES, HOSTS, MOST_EXCEEDED, MOST_LOST, MOST_RATIO, MOST_REGRET,
                          MOST_SECONDS, RISK, TASKS, TESTS, TIME_LIMITS, WAYS, WORST_LOST)
from pages import mean, show, table
from regress_rows import APPS, TRAINED_ON
from running import read

PAGE = """# Evaluation of advice

    make evaluate PART=advise

writes this page. It evaluates the choices and time limits of `runcast advise` in cases in which the run times of all
choices are known:

- Hosts have the load `random` ([simulated clusters](../guides/simulated-clusters.md)): each load level lasts 1 to 10
  minutes.
- A run takes W / (p cpu) + W p / 200 seconds, where cpu is the lowest CPU availability among its hosts at each moment.
- The model was fitted to 60 runs with other sizes and loads. The times of these runs, and of the runs for the time
  limits, have 2 % noise.
- Each case has its own loads and a day of samples, one every 10 s.
- The *oracle* knows the program and the distribution of the loads, but not the load levels that will be drawn.

## Criteria

{criteria}
## Choices

The tables show the regret: how much longer a run takes on the chosen hosts than on those that are best in hindsight.
"Highest availability now" assumes that loads stay as they are. "First hosts" are the first four hosts, or all eight if
any number is allowed. Even the oracle has a large regret, since the end of a load level cannot be predicted.{longest}

{choices}
## Time limits

The risk is {risk}. "Samples" is the quantile of 1000 Monte Carlo samples. "Past accuracy" also uses the track record of
the earlier cases: none for the first case, all others for the last. [How advice is
made](../explanation/advice.md#time-limit) describes the method. The cases with W = 100 s and seed 1 were used to
develop it. The other three tables were computed afterwards.

{samples}
{time_limits}
## Sizes and processes chosen by prediction

This section repeats Table 5 of H. A. Sanjay and S. Vadhiyar, "Performance modeling of parallel applications for grid
scheduling" (2008), for all seven programs. Each program has {trained} training runs and {tests} test runs on the
simulated cluster `intel` of 8 hosts, under the load `random` (as in [the evaluation of regression](regress.md)). Sizes
form a group if the model predicts dedicated run times on 8 hosts that differ by at most 50 s. In each group, the run
with the shortest predicted time is compared with the run with the shortest measured time. The paper reports a loss of
1 % on average and 8 % at worst, for molecular dynamics only. It does not state how much was known about the load.

{groups}
{chosen}Each test run starts at a different time, so the load can rise during the run with the shortest predicted time.
There are so few groups that single ones determine the result. Forecasts also depend on the samples in the database,
which all programs share here. In an earlier evaluation, which used only the samples from before the runs of the other
programs, fft had no loss.

## Response time

`runcast advise` compares all numbers of processes on platforms whose hosts each have a day of samples, one every 10 s.
It runs several times on a database that already contains the model (`bench/advise.py`). The table shows the elapsed
time, the CPU time, and the number of cores that other processes used. In the first three evaluations, other processes
used both cores. With 1024 hosts, the command then took 1.92, 1.24 and 1.63 s (medians of 5), and used 0.86, 0.84 and
0.84 s of CPU time.

{speed}"""
NOTHING = "No measurements.\n"
RISK_TEXT = f"{100 * RISK:g} %"


class Page:
    """Measurements, and the criteria for them."""

    def __init__(self, bench):
        self.criteria = []
        self.time_limits = self.read_all("time limits, W = {0[0]} s, seed {0[1]}", TIME_LIMITS,
                                       lambda key: bench.time_limit_path(*key))
        self.choices = self.read_all("choices, W = {0} s", CHOICES, bench.choice_path)
        self.groups = self.read_all("sizes and processes of {0}", APPS, bench.groups_path)
        self.speed = self.read_all("time of an answer", [HOSTS],
                                   lambda _: bench.speed_path()).get(HOSTS)

    def read_all(self, name, keys, path_of):
        """The measurements of each; a missing one is a criterion that is not met."""
        found = {key: kept for key in keys if (kept := read(path_of(key)))}
        for key in keys:
            if key not in found:
                self.criterion(f"{name.format(key)}: measured", "missing", False)
        return found

    def criterion(self, what, found, met):
        self.criteria.append((what, found, met))

    def lost(self, way):
        return [loss for kept in self.groups.values() for loss in kept["lost"][way]]


def percent(share, digits=2):
    return f"{100 * share:.{digits}f} %"


def one(rows, **wanted):
    """The row that has these."""
    return next(row for row in rows if all(row[key] == value for key, value in wanted.items()))


# ---- choices ----

def regrets(rows, task, chooser):
    """Its own, and the oracle's."""
    return [one(rows, choice=task, by=by)["longer"] for by in (chooser, "oracle")]


def by_theirs(ours, theirs):
    return f"{ours / theirs:.3f}" if theirs > 0 else f"{percent(ours)} against none"


def check_choices(page):
    if not page.choices:
        return
    for task in TASKS:
        found = [regrets(kept["rows"], task, "advise") for kept in page.choices.values()]
        page.criterion(f"{task}: regret at most {MOST_REGRET} times the oracle's",
                    f"{', '.join(by_theirs(*each) for each in found)} "
                    f"(W of {', '.join(map(str, page.choices))} s)",
                    all(ours <= MOST_REGRET * theirs for ours, theirs in found))


def choice_tables(page):
    parts = []
    for seconds, kept in page.choices.items():
        rows = [[row["choice"], row["by"], percent(row["longer"]),
                 by_theirs(*regrets(kept["rows"], row["choice"], row["by"])),
                 percent(row["error"]) if row["error"] is not None else ""]
                for row in kept["rows"]]
        parts += [f"W = {seconds} s, {kept['rows'][0]['cases']} cases:\n",
                  table(["choice", "chosen by", "regret",
                         "ratio to the oracle's", "standard error of the difference"], rows)]
    return "\n".join(parts) or NOTHING


def longest_runs(page):
    """Regrets of runs that are long compared with the levels."""
    kept = page.choices.get(CHOICES[-1])
    if not kept:
        return ""
    ours, now = (percent(one(kept["rows"], choice=TASKS[0], by=by)["longer"], 1)
                 for by in ("advise", "highest availability now"))
    return (f" For runs that are long compared with the load\nlevels (W = {CHOICES[-1]} s), the present load "
            f"predicts little: the regret is {now} with the 4 hosts that have the highest\navailability, and "
            f"{ours} with those that `advise` chooses.")


# ---- time limits ----

LEARNT = "samples and past accuracy"


def exceeded(rows, way):
    """In percent, at most in any row."""
    return max(100 * row["exceeded"] / row["cases"] for row in rows if row["by"] == way)


def check_time_limits(page):
    rows = [row for kept in page.time_limits.values() for row in kept["rows"]]
    learnt = [row for row in rows if row["by"] == LEARNT]
    if not learnt:
        return
    # Both are whole numbers: 20 of 1000 is 2 %, and not above it.
    page.criterion(f"a time limit at {RISK_TEXT} risk is exceeded in at most {MOST_EXCEEDED} % of "
                f"{learnt[0]['cases']} cases",
                f"at most {exceeded(rows, LEARNT):.1f} % in each of {len(learnt)} rows",
                all(100 * row["exceeded"] <= MOST_EXCEEDED * row["cases"] for row in learnt))
    most = max(by_oracle(kept["rows"], row) for kept in page.time_limits.values()
               for row in kept["rows"] if row["by"] == LEARNT)
    page.criterion(f"its ratio to the run time is at most {MOST_RATIO} times the oracle's",
                f"at most {most:.3f} in each of {len(learnt)} rows", most <= MOST_RATIO)


def by_oracle(rows, row):
    return row["ratio"] / one(rows, hosts=row["hosts"], by="oracle")["ratio"]


def time_limit_tables(page):
    parts = []
    for (seconds, seed), kept in page.time_limits.items():
        rows = [[str(row["hosts"]), row["by"], percent(row["exceeded"] / row["cases"]),
                 show(row["ratio"], 3), show(by_oracle(kept["rows"], row), 3)]
                for row in kept["rows"]]
        parts += [f"W = {seconds} s, seed {seed}, {kept['rows'][0]['cases']} cases for each "
                  "number of hosts:\n",
                  table(["hosts", "time limit by", "exceeded", "time limit / run time",
                         "ratio to the oracle's"], rows)]
    return "\n".join(parts) or NOTHING


def samples_alone(page):
    """The effect of past accuracy, for each W."""
    parts = []
    for seconds in sorted({seconds for seconds, _ in page.time_limits}):
        rows = [row for key, kept in page.time_limits.items() if key[0] == seconds
                for row in kept["rows"]]
        parts.append([f"{seconds} s", f"{exceeded(rows, 'samples'):.1f} %",
                      f"{exceeded(rows, LEARNT):.1f} %"])
    return ("Runs can be short compared with the 10 s between samples. The table shows the largest "
            "share of cases that exceed\nthe time limit, over the rows of the tables below:\n\n" +
            table(["W", "without past accuracy", "with past accuracy"], parts)) if parts else ""


# ---- sizes and processes ----

def check_groups(page):
    for way, name in WAYS.items():
        lost = page.lost(way)
        if lost:
            page.criterion(f"Table 5, {name}: loss at most {MOST_LOST} % on average and {WORST_LOST} % "
                        "at worst",
                        f"{mean(lost):.2f} % and {max(lost):.2f} %, of {len(lost)} groups",
                        mean(lost) <= MOST_LOST and max(lost) <= WORST_LOST)


def group_table(page):
    rows, everything = [], {way: page.lost(way) for way in WAYS}
    if not page.groups:
        return NOTHING
    for name, lost in [*((app, kept["lost"]) for app, kept in page.groups.items()),
                       ("all", everything)]:
        cells = [name, str(len(lost["known"]))]
        for way in WAYS:
            cells += [str(lost[way].count(0)), f"{mean(lost[way]):.2f} %",
                      f"{max(lost[way]):.2f} %"] if lost[way] else [""] * 3
        rows.append(cells)
    return table(["program", "groups", *(word for name in WAYS.values()
                                         for word in (f"{name}: right", "on average", "at worst"))],
                 rows)


def chosen_right(page):
    known, forecast = (page.lost(way) for way in WAYS)
    return (f"With the known load, the choice is right in {known.count(0)} of {len(known)} "
            f"groups; with the forecast load, in {forecast.count(0)}.\n") if known else ""


# ---- speed ----

def check_speed(page):
    if not page.speed:
        return
    passed = one(page.speed["each"], hosts=HOSTS)["passed"]
    page.criterion(f"`advise` over {HOSTS} hosts and all numbers of processes: under {MOST_SECONDS} s",
                f"{statistics.median(passed):.2f} s, the median of {len(passed)} "
                f"({min(passed):.2f} to {max(passed):.2f} s)",
                statistics.median(passed) < MOST_SECONDS)


def speed_table(page):
    if not page.speed:
        return NOTHING
    rows = [[str(row["hosts"]), *(f"{number:.3f} s" for number in (
                 statistics.median(row["passed"]), min(row["passed"]), max(row["passed"]),
                 statistics.median(row["cpu"]))),
             f"{statistics.median(row['others']):.1f} of {page.speed['cores']}"]
            for row in page.speed["each"]]
    return table(["hosts", "elapsed, median", "least", "most", "CPU time, median",
                  "cores of other processes, median"], rows)


# ---- the page ----

def write(bench, pages):
    page = Page(bench)
    for check in (check_choices, check_time_limits, check_groups, check_speed):
        check(page)
    pages.mkdir(parents=True, exist_ok=True)
    rows = [[what, found, "yes" if met else "**no**"] for what, found, met in page.criteria]
    text = PAGE.format(
        criteria=table(["criterion", "result", "met"], rows), longest=longest_runs(page),
        choices=choice_tables(page), risk=RISK_TEXT, samples=samples_alone(page),
        time_limits=time_limit_tables(page), trained=sum(TRAINED_ON.values()), tests=TESTS,
        groups=group_table(page), chosen=chosen_right(page), speed=speed_table(page))
    (pages / "advise.md").write_text(text, encoding="utf-8")
    for what, found, met in page.criteria:
        print(f"{'met' if met else 'NOT MET'}: {what}: {found}")
    return 0 if all(met for *_, met in page.criteria) else 1
