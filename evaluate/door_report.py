# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/evaluation/door.md."""
from door_cases import APPS, CASES, EARLIER, JUDGED, LEARNING, LOADS, REPEATS, SIZES
from pages import mean, show, table
from running import read

MOST_ERROR = 1.05  # of the mixture, by that of the best single family in hindsight
LEAST_HELD, MOST_HELD = 87.0, 93.0


def error(said, came):
    return 100 * abs(said["predicted"] / came - 1)


def holds(said, came):
    return said["lo90"] <= came <= said["hi90"]


def names_of(each):
    """Families that have answered for every run."""
    return [name for name in each[0]["families"]
            if all(name in run["families"] for run in each)]


def judge(each):
    """Mean errors and shares of intervals that hold, in percent, of each family and of all."""
    found = {name: (mean([error(run["families"][name], run["came"]) for run in each]),
                    100 * mean([holds(run["families"][name], run["came"]) for run in each]),
                    mean([run["families"][name]["weight"] for run in each]))
             for name in names_of(each)}
    together = (mean([error(run["door"], run["came"]) for run in each]),
                100 * mean([holds(run["door"], run["came"]) for run in each]))
    return found, together


def demands_of(cases):
    """What must hold over all cases, and whether it does."""
    every = [run for each in cases.values() for run in each]
    learnt = [run for run in every if run["learnt"] >= LEARNING]
    best = mean([min(judge(each)[0].values())[0] for each in cases.values()
                 for _ in each])  # each case by as many runs as it has
    found, (together, held) = judge(every)
    held_learnt = 100 * mean([holds(run["door"], run["came"]) for run in learnt])
    single = min(found, key=lambda name: found[name][0])
    return [
        (f"mean error at most {MOST_ERROR} times that of the best single family, {single}",
         f"{together:.2f} % against {found[single][0]:.2f} %: "
         f"{together / found[single][0]:.2f} times", together <= MOST_ERROR * found[single][0]),
        (f"... and that of the best family of each case, in hindsight, at most {MOST_ERROR} times",
         f"{together:.2f} % against {best:.2f} %: {together / best:.2f} times",
         together <= MOST_ERROR * best),
        (f"intervals for 90 % hold {LEAST_HELD:.0f} to {MOST_HELD:.0f} % of the runs",
         f"{held:.1f} % of {len(every)}", LEAST_HELD <= held <= MOST_HELD),
        (f"... of those with {LEARNING} earlier ones at least",
         f"{held_learnt:.1f} % of {len(learnt)}", LEAST_HELD <= held_learnt <= MOST_HELD),
    ]


def case_rows(cases):
    for (app, load), each in cases.items():
        found, (together, held) = judge(each)
        best = min(found, key=lambda name: found[name][0])
        yield [f"{app}, {load}", str(len(each)),
               *(show(found.get(name, [None])[0]) for name in ("regression", "structure",
                                                                "slowdown")),
               show(together), show(together / found[best][0], 2),
               *(show(found.get(name, [None, None])[1], 0) for name in ("regression", "structure",
                                                                        "slowdown")),
               show(held, 0),
               *(show(found.get(name, [None] * 3)[2], 2) for name in ("regression", "structure",
                                                                      "slowdown"))]


HEAD = ["program, load", "runs", "regression, %", "structure, %", "slowdown, %", "together, %",
        "by the best", "regression holds, %", "structure holds, %", "slowdown holds, %",
        "together holds, %", "weight of regression", "of structure", "of slowdown"]

PAGE = """# How well all families predict together

    make evaluate PART=door

writes this page.

`runcast predict` asks every family of models that has what it needs, and joins their answers by how
earlier ones fared ([Predictions](../predict.md)). Here regression, structural models (`models/apps`, with
inputs that `runcast model measure` has measured) and slowdown factors are asked, on a simulated cluster of
the shape of `examples/pcl.yaml`, for {apps} of five sizes each, under three loads: {loads}. Of each
program there are {runs} runs under each load, at moments spread over 28 days. The first {earlier} are there to
learn from; each of the next {judged} is foretold at its start, from samples and runs of earlier times alone, and goes
into the store after that.

That corrections go only as far as they are beyond chance, and that ends move inward only with 19 runs or more, was decided
after a first round with 40 runs of each of these very cases, and how many runs are learnt from and judged was set
three times more. Then 93.5 % of the intervals held, and 94.0 % with another seed; that quantiles of the record are taken
between two of its values, and that regression is not multiplied, came after that. So did the speeds of hosts, by which
regression and slowdown factors go since, and what slowdown factors count for without a record. Until then, the joint
error was 8.07 % here, 1.02 times that of the best family, and 7.64 % with that other seed, 1.00 times. With the speeds it
is 7.42 % with the other seed, 0.97 times that of the best family and 1.00 times that of the best of each case, and 92.9 %
of the intervals hold. Two other ways to tell what runs without samples had of their hosts were tried on these seeds (one
on both; one on this one alone, with less weight of slowdown factors), and came to joint errors of 7.87 and 7.89 % here,
and 7.43 % there; what is taken now was not chosen by that. Not all single cases got better: of the 18 with both seeds,
the joint error is larger than before in four, by 0.4 % of the time at most, and that of regression in two, both of ga
with the other seed: 17.2 rather than 17.1 % under the modal load, and 7.1 rather than 5.8 % under the bursty one. A third
seed was tried once, before speeds counted: 1.05 times (8.36 against
7.93 %, which is just not within 1.05), 1.06 times, and 92.1 %.
Scaling and skeletons are not asked here.

## What must hold

{demands}
## Each case

Mean errors, in percent; how the joint error compares with the least of the families', which nobody knows
beforehand; how many of the 90 % intervals hold; and the weights, on average.

{cases}"""


def write(work, pages):
    cases = {case: found["each"] for case in CASES
             if (found := read(work / f"{case[0]}-{case[1]}.json"))}
    if not cases:
        print("nothing was predicted")
        return 1
    demands = demands_of(cases)
    missing = [f"{app} under {load}" for app, load in CASES if (app, load) not in cases]
    demands += [(f"{name} is evaluated", "it failed", False) for name in missing]
    pages.mkdir(parents=True, exist_ok=True)
    (pages / "door.md").write_text(PAGE.format(
        apps=", ".join(APPS), loads=", ".join(LOADS), earlier=EARLIER, judged=JUDGED,
        runs=REPEATS * len(SIZES["sor"]),
        demands=table(["demand", "found", "holds"],
                      [[what, found, "yes" if good else "**no**"] for what, found, good in demands]),
        cases=table(HEAD, list(case_rows(cases)))), encoding="utf-8")
    for what, found, good in demands:
        print(f"{'holds' if good else 'DOES NOT HOLD'}: {what}: {found}")
    return 0 if all(good for _, _, good in demands) else 1
