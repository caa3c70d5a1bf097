# SPDX-License-Identifier: GPL-3.0-or-later
"""What the runs of a case come to: means, the gap that is closed, and the dissertation's metrics."""
import math
import statistics

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


def windows(worlds):
    """In how many windows, as wide as there are policies, each was the fastest; and how many there
    are."""
    wins, count = dict.fromkeys(POLICIES, 0), 0
    for world in worlds:
        runs = in_turn(world)
        for i in range(len(runs) - len(POLICIES) + 1):
            window = runs[i:i + len(POLICIES)]
            least = min(seconds for _, seconds in window)
            count += 1
            for policy, seconds in window:
                wins[policy] += seconds == least
    return wins, count


def compare(worlds):
    """{policy: [better, mixed, worse]} than the runs before and after."""
    found = {policy: [0, 0, 0] for policy in POLICIES}
    for world in worlds:
        runs = in_turn(world)
        for (_, before), (policy, seconds), (_, after) in zip(runs, runs[1:], runs[2:]):
            verdict = 0 if seconds < min(before, after) else 2 if seconds > max(before, after) else 1
            found[policy][verdict] += 1
    return found


def student(freedom):
    """The 97.5 % quantile of Student's t, by Hill's expansion (exact to 0.1 % from 5 on)."""
    z = 1.959964
    return z + (z ** 3 + z) / (4 * freedom) + \
        (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2)


def behind(runs, policy, other):
    """How far behind a policy is on average, relatively, and the half width of its 95 % interval.
    Neighbouring runs meet the same load, so that blocks of them count as one."""
    apart = [a - b for a, b in zip(runs[policy], runs[other])]
    blocks = [statistics.fmean(apart[i:i + BLOCK]) for i in range(0, len(apart) - BLOCK + 1, BLOCK)]
    scale = statistics.fmean(runs[other])
    half = student(len(blocks) - 1) * statistics.stdev(blocks) / math.sqrt(len(blocks))
    return statistics.fmean(apart) / scale, half / scale


def sum_up(case):
    """Everything that a page tells of a case."""
    worlds = case["worlds"]
    runs = by_policy(worlds)
    means = {policy: statistics.fmean(seconds) for policy, seconds in runs.items()}
    best = min(SIMPLE, key=means.get)
    gap = means["mean"] - means["hindsight"]
    wins, count = windows(worlds)
    return {"runs": len(runs["mean"]), "mean": means,
            "sd": {policy: statistics.stdev(seconds) for policy, seconds in runs.items()},
            "closed": {policy: (means["mean"] - mean) / gap for policy, mean in means.items()},
            "best": best, "behind": behind(runs, "optimal", best), "windows": count, "wins": wins,
            "compare": compare(worlds)}
