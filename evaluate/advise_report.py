# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/evaluation/advise.md."""
import statistics

from advise_cases import (CHOICES, HOSTS, MOST_EXCEEDED, MOST_LOST, MOST_RATIO, MOST_REGRET,
                          MOST_SECONDS, RISK, TASKS, TESTS, WALLTIMES, WAYS, WORST_LOST)
from pages import mean, show, table
from regress_rows import APPS, TRAINED_ON
from running import read

PAGE = """# How good the advice is

    make evaluate PART=advise

writes this page. What would have come of other choices is only seen where the truth is known: hosts have the load
`random` of `docs/reference/load-files.md`, levels that last for 1 to 10 minutes, the program takes W / (p cpu) + W p / 200 seconds at
each instant's least availability, and its model was fitted to 60 runs of other sizes and loads, whose times, as those
of all runs of wall times, have a noise of 2 %. Each case has loads of its own and a day of samples, one every 10 s. The
*oracle* knows the program, and how loads are drawn, though not what will be drawn.

## What must hold

{demands}
## Choices

How much longer a run takes than on the hosts that were best in hindsight. "Most at the moment" takes hosts as if their
load stayed; "the first" takes the first four hosts, or all eight. Regrets in themselves are large, since nobody knows
when a level ends.{longest}

{choices}
## Wall times

A risk of {risk}. "Draws" are the quantile of 1000 draws alone; the record is that of the cases before, from none to
all but the last. How the record is taken into account (`src/advise/place/time_limit.h`) was changed three times after seeing
tables: distances in lengths of the interval made wall times of 19 times the run's time for W = 100 s; then times by the
upper end of the interval made them up to a third longer than the oracle's, since one number widened all intervals, also
those that were right; and probabilities by the model, as they are used now, made them half as long again until they were
bounded by a tenth of the risk, which was set by the table of seed 1 for W = 100 s. The other three tables were made after
that, and nothing was changed since.

{draws}
{walltimes}
## Sizes and processes chosen by prediction

Table 5 of H. A. Sanjay and S. Vadhiyar, "Performance modeling of parallel applications for grid scheduling" (2008), for
all seven programs: {trained} training and {tests} test runs of each on the simulated cluster `intel` of 8 hosts, under
the load `random` (`docs/evaluation/regress.md`). Sizes whose times on 8 idle hosts, by the model, differ by at most 50 s
are a group; in each, the run with the least predicted time is compared with the one of the least actual time. The paper,
for molecular dynamics alone, has 1 % on average and 8 % at worst, and does not say how far the load was known.

{groups}
{chosen}Each test run starts at a moment of its own. Who has only seen what was before compares runs by loads that are still
to come, and loses where a run that was foreseen to be fastest met a worse one. Groups are few, so that single ones
decide; forecasts also depend on which samples are in the store: all programs share one here, and in an earlier round,
with those samples that were there before the runs of the other programs, fft lost nothing.

## How long an answer takes

`runcast advise` with all numbers of processes, on platforms of hosts with a day of samples each, one every 10 s, asked
several times in a row of a store that has the model (`bench/advise.py`): seconds that passed, those of a core, and how
many of the machine's cores others kept busy meanwhile, for which an answer has to wait. In the first three rounds that
were made for this page others kept the machine of two cores busy, too: answers for 1024 hosts took 1.92, 1.24 and 1.63 s
(medians of 5), of which 0.86, 0.84 and 0.84 s were of a core.

{speed}"""
NOTHING = "Nothing was measured.\n"
RISK_TEXT = f"{100 * RISK:g} %"


class Page:
    """What was found, and the demands on it."""

    def __init__(self, bench):
        self.demands = []
        self.walltimes = self.read_all("wall times, W = {0[0]} s, seed {0[1]}", WALLTIMES,
                                       lambda key: bench.walltime_path(*key))
        self.choices = self.read_all("choices, W = {0} s", CHOICES, bench.choice_path)
        self.groups = self.read_all("sizes and processes of {0}", APPS, bench.groups_path)
        self.speed = self.read_all("how long an answer takes", [HOSTS],
                                   lambda _: bench.speed_path()).get(HOSTS)

    def read_all(self, name, keys, path_of):
        """What is kept of each; what is not there is a demand that does not hold."""
        found = {key: kept for key in keys if (kept := read(path_of(key)))}
        for key in keys:
            if key not in found:
                self.demand(f"{name.format(key)}: measured", "missing", False)
        return found

    def demand(self, what, found, holds):
        self.demands.append((what, found, holds))

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


def demand_choices(page):
    if not page.choices:
        return
    for task in TASKS:
        found = [regrets(kept["rows"], task, "advise") for kept in page.choices.values()]
        page.demand(f"{task}: regret at most {MOST_REGRET} times the oracle's",
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
                  table(["choice", "chosen by", "longer than the best in hindsight",
                         "times the oracle's", "standard error of the difference"], rows)]
    return "\n".join(parts) or NOTHING


def longest_runs(page):
    """What comes of runs that are long as compared with the levels."""
    kept = page.choices.get(CHOICES[-1])
    if not kept:
        return ""
    ours, now = (percent(one(kept["rows"], choice=TASKS[0], by=by)["longer"], 1)
                 for by in ("advise", "most at the moment"))
    return (f" Where the run is long as compared with the levels (W of {CHOICES[-1]} s), what\n"
            "hosts do at the moment tells little: the 4 of 8 hosts that have most then take "
            f"{now} longer, and those of `advise`\n{ours}.")


# ---- wall times ----

LEARNT = "draws and record"


def exceeded(rows, way):
    """In percent, at most in any row."""
    return max(100 * row["exceeded"] / row["cases"] for row in rows if row["by"] == way)


def demand_walltimes(page):
    rows = [row for kept in page.walltimes.values() for row in kept["rows"]]
    learnt = [row for row in rows if row["by"] == LEARNT]
    if not learnt:
        return
    # Both are whole numbers: 20 of 1000 is 2 %, and not above it.
    page.demand(f"a wall time at {RISK_TEXT} risk is exceeded in at most {MOST_EXCEEDED} % of "
                f"{learnt[0]['cases']} cases",
                f"at most {exceeded(rows, LEARNT):.1f} % in each of {len(learnt)} rows",
                all(100 * row["exceeded"] <= MOST_EXCEEDED * row["cases"] for row in learnt))
    most = max(by_oracle(kept["rows"], row) for kept in page.walltimes.values()
               for row in kept["rows"] if row["by"] == LEARNT)
    page.demand(f"its ratio to the time taken is at most {MOST_RATIO} times the oracle's",
                f"at most {most:.3f} in each of {len(learnt)} rows", most <= MOST_RATIO)


def by_oracle(rows, row):
    return row["ratio"] / one(rows, hosts=row["hosts"], by="oracle")["ratio"]


def walltime_tables(page):
    parts = []
    for (seconds, seed), kept in page.walltimes.items():
        rows = [[str(row["hosts"]), row["by"], percent(row["exceeded"] / row["cases"]),
                 show(row["ratio"], 3), show(by_oracle(kept["rows"], row), 3)]
                for row in kept["rows"]]
        parts += [f"W = {seconds} s, seed {seed}, {kept['rows'][0]['cases']} cases for each "
                  "number of hosts:\n",
                  table(["hosts", "asked by", "exceeded", "asked over taken",
                         "times the oracle's"], rows)]
    return "\n".join(parts) or NOTHING


def draws_alone(page):
    """How much the record changes, for each W."""
    parts = []
    for seconds in sorted({seconds for seconds, _ in page.walltimes}):
        rows = [row for key, kept in page.walltimes.items() if key[0] == seconds
                for row in kept["rows"]]
        parts.append(f"for W = {seconds} s in {exceeded(rows, 'draws'):.1f} % of the cases, and with "
                     f"the record in {exceeded(rows, LEARNT):.1f} %")
    return ("Runs may be short as compared with the 10 s between samples. Draws alone are exceeded, in "
            "the worst row,\n" + ";\n".join(parts) + ".\n") if parts else ""


# ---- sizes and processes ----

def demand_groups(page):
    for way, name in WAYS.items():
        lost = page.lost(way)
        if lost:
            page.demand(f"Table 5, {name}: loss at most {MOST_LOST} % on average and {WORST_LOST} % "
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
                                         for word in (f"{name}: best", "on average", "at worst"))],
                 rows)


def chosen_right(page):
    known, forecast = (page.lost(way) for way in WAYS)
    return (f"Who knows the load that each run meets chooses right in {known.count(0)} of {len(known)} "
            f"groups, and who forecasts it in {forecast.count(0)}.\n") if known else ""


# ---- speed ----

def demand_speed(page):
    if not page.speed:
        return
    passed = one(page.speed["each"], hosts=HOSTS)["passed"]
    page.demand(f"`advise` over {HOSTS} hosts and all numbers of processes: under {MOST_SECONDS} s",
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
    return table(["hosts", "passed, median", "least", "most", "of a core, median",
                  "cores that others kept busy, median"], rows)


# ---- the page ----

def write(bench, pages):
    page = Page(bench)
    for demand in (demand_choices, demand_walltimes, demand_groups, demand_speed):
        demand(page)
    pages.mkdir(parents=True, exist_ok=True)
    rows = [[what, found, "yes" if holds else "**no**"] for what, found, holds in page.demands]
    text = PAGE.format(
        demands=table(["demand", "found", "holds"], rows), longest=longest_runs(page),
        choices=choice_tables(page), risk=RISK_TEXT, draws=draws_alone(page),
        walltimes=walltime_tables(page), trained=sum(TRAINED_ON.values()), tests=TESTS,
        groups=group_table(page), chosen=chosen_right(page), speed=speed_table(page))
    (pages / "advise.md").write_text(text, encoding="utf-8")
    for what, found, holds in page.demands:
        print(f"{'holds' if holds else 'DOES NOT HOLD'}: {what}: {found}")
    return 0 if all(holds for *_, holds in page.demands) else 1
