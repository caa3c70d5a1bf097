# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of a case: means, the gap that is closed, and the metrics of the dissertation."""
import math
import statistics
import subprocess

from schedule_cases import BLOCK, POLICIES, SIMPLE


def by_policy(worlds):
    """{policy: seconds of all runs}, in the same order for all."""
    found = {}
    for world in worlds:
        for row in world:
            found.setdefault(row["policy"], []).append(row["seconds"])
    return found


def in_turn(world):
    """(policy, seconds) of runs as the dissertation made them: each by the next policy."""
    starts = {}
    for row in world:
        starts.setdefault(row["start"], {})[row["policy"]] = row["seconds"]
    return [(POLICIES[i % len(POLICIES)], runs[POLICIES[i % len(POLICIES)]])
            for i, (_, runs) in enumerate(sorted(starts.items()))]


def window_and_compare(program, worlds):
    """Window and Compare by the library: in how many windows each policy was the fastest, how many
    windows there are, and {policy: [better, mixed, worse]} than the runs before and after."""
    wins, count = dict.fromkeys(POLICIES, 0), 0
    compare = {policy: [0, 0, 0] for policy in POLICIES}
    for world in worlds:
        runs = "".join(f"{POLICIES.index(policy)} {seconds!r}\n" for policy, seconds in in_turn(world))
        lines = subprocess.run([program, f"metrics={len(POLICIES)}"], input=runs, check=True, text=True,
                               stdout=subprocess.PIPE).stdout.splitlines()
        count += int(lines[0])
        for policy, line in zip(POLICIES, lines[1:]):
            won, *verdicts = map(int, line.split())
            wins[policy] += won
            compare[policy] = [a + b for a, b in zip(compare[policy], verdicts)]
    return wins, count, compare


def student(freedom):
    """The 97.5 % quantile of Student's t, by Hill's expansion (exact to 0.1 % from 5 on)."""
    z = 1.959964
    return z + (z ** 3 + z) / (4 * freedom) + \
        (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2)


def behind(runs, policy, other):
    """By how much a policy is slower on average, relatively, and the half width of the 95 % interval.
    Neighbouring runs have the same load, so blocks of them count as one."""
    apart = [a - b for a, b in zip(runs[policy], runs[other])]
    blocks = [statistics.fmean(apart[i:i + BLOCK]) for i in range(0, len(apart) - BLOCK + 1, BLOCK)]
    scale = statistics.fmean(runs[other])
    half = student(len(blocks) - 1) * statistics.stdev(blocks) / math.sqrt(len(blocks))
    return statistics.fmean(apart) / scale, half / scale


def sum_up(case, program):
    """All results of a case; `program` is evaluate-schedule."""
    worlds = case["worlds"]
    runs = by_policy(worlds)
    means = {policy: statistics.fmean(seconds) for policy, seconds in runs.items()}
    best = min(SIMPLE, key=means.get)
    gap = means["mean"] - means["hindsight"]
    wins, count, compare = window_and_compare(program, worlds)
    return {"runs": len(runs["mean"]), "mean": means,
            "sd": {policy: statistics.stdev(seconds) for policy, seconds in runs.items()},
            "closed": {policy: (means["mean"] - mean) / gap for policy, mean in means.items()},
            "best": best, "behind": behind(runs, "optimal", best), "windows": count, "wins": wins,
            "compare": compare}
