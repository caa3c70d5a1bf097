# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs, clusters and loads of the comparison of policies."""

# Clusters of four, as the dissertation's: two fast and two slow hosts (those of its PCL, but for
# their network, which is fast beside their processors), and four alike.
CLUSTERS = {
    "pcl": (["thing1", "thing2", "lorax", "picard"], [1.15e6, 1.15e6, 0.382e6, 0.363e6]),
    "linux": (["linux1", "linux2", "linux3", "linux4"], [1e6, 1e6, 1e6, 1e6]),
}
PLATFORM = """name: {name}
clusters:
  - name: {name}
    hosts: {hosts}
    cores: 1
    memory: 128MiB
    networks:
      - {{name: ethernet, bandwidth: 1Gbit, latency: 100us}}
    overrides:
{overrides}
"""

# What a program does in an iteration, as its source in apps/ counts it, for --size: operations for
# a unit of work and beside, in how many phases with a wait after each, and whether that is for its
# neighbours only.  Iterations are as many as make runs divided by `mean`, under a high variability,
# about as long as the dissertation's: sor 33 s (Table 5.4), ga 66 s (5.9), nbody 60 s (5.14).
CITIES = 100
PROGRAMS = {
    "sor": {"cluster": "pcl", "size": 500, "iterations": 19, "phases": 2, "operations": 6 * 500,
            "beside": 0, "neighbours": 1, "coupling": "tight"},
    "ga": {"cluster": "pcl", "size": 380, "iterations": 2, "phases": 1,
           "operations": 16.5 * CITIES + 16 * CITIES * (CITIES - 3) / 2, "beside": 0,
           "neighbours": 0, "coupling": "loose"},
    "nbody": {"cluster": "linux", "size": 500, "iterations": 18, "phases": 1,
              "operations": 14 * 500 + 21, "beside": 13 * 500, "neighbours": 0, "coupling": "tight"},
}

# Levels of availability: within one mode, or anywhere in several.  Which of the four hosts vary
# much: one fast and one slow in the mixed case.
LEVELS = {"calm": ("0.85, 0.95", 0.05), "wild": ("0.95, 0.75, 0.5, 0.33, 0.25", 0.05)}
VARIABILITY = {"low": ["calm"] * 4, "mixed": ["wild", "calm", "wild", "calm"], "high": ["wild"] * 4}
LASTING = {"long": ("30s", "300s"), "short": ("10s", "60s")}
DRAWN = """kind: modal
cpu:
  levels: [{levels}]
  dwell: {low}..{high}
  again: 0
  spread: {spread}
link:
  levels: [1]
  again: 0
  spread: 0
"""

# Recorded: what four servers used, a value a minute (evaluate/data).  Of the hosts that share one
# the second is a day further on.  In the high case the use of 0.2 counts as one competing process.
RECORDED = {
    "low": ({"m1_6": [0, 2], "m2_7": [1, 3]}, "used", 1),
    "mixed": ({"m1_6": [0], "m2_7": [2], "m3_3": [1], "m2_1": [3]}, "used", 1),
    "high": ({"m3_3": [0, 2], "m2_1": [1, 3]}, "queue", 0.2),
}
TRACK = """  - file: {file}
    column: {column}
    what: cpu
    hosts: "{hosts}"
    means: {means}
    full: {full}
    least: 0.1
    shift: 1d
    beyond: repeat
"""

# Worlds of drawn loads, and runs in each; starts are as far apart as runs in turn would be.
SEEDS, RUNS, EVERY = 6, 50, 120
RECORDED_RUNS, RECORDED_EVERY = 300, 560
FIRST = 90000  # after a day that is known
SAMPLE, PAST = 5, 86400
BLOCK = 10  # runs in a row that count as one for intervals, since neighbours meet the same load

SIMPLE = ["mean", "last", "forecast", "95tf", "vtf"]
POLICIES = SIMPLE + ["optimal"]
SHOWN = POLICIES + ["oracle", "hindsight"]
# Criteria: the least share of the gap from `mean` to hindsight that `optimal` closes, and the most by
# which it is slower than the best simple policy.
CLOSED = {"long": 0.6, "short": 0.2}
BEHIND = 0.01

# Lengths of runs, as multiples of the above, for sor under the high variability.
LENGTHS = [2, 4, 8]

# Simulated message by message, too: cases, policies, and runs of each.
SAMPLES = [("low", "long"), ("high", "long"), ("high", "short"), ("mixed", "recorded")]
SAMPLE_POLICIES = ["mean", "95tf", "optimal"]
SAMPLE_RUNS = 5
AGREEMENT = 0.02
