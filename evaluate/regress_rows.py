# SPDX-License-Identifier: GPL-3.0-or-later
"""What evaluate/regress tries: clusters, loads, programs, and the rows of the paper's tables.

The paper is H. A. Sanjay and S. Vadhiyar, "Performance modeling of parallel applications for grid
scheduling", J. Parallel Distrib. Comput. 68 (2008); clusters and programs are those of its
section 4.1, rows those of its Tables 3, 4 and 6.
"""
import random

# Processors, flop/s and network.  Each processor is a host of its own, with a link of its own: on
# hosts of two cores a program shares links from the ninth process on, which no run on up to eight
# processes, as the paper trains on, can tell.  `dual` is amd with such hosts, to see what it does.
CLUSTERS = {
    "intel": {"procs": 8, "speed": "2.8Gf", "bandwidth": "100Mbit", "latency": "70us"},
    "amd": {"procs": 16, "speed": "2.21Gf", "bandwidth": "1Gbit", "latency": "50us"},
    "woodcrest": {"procs": 24, "speed": "2Gf", "bandwidth": "100Mbit", "latency": "70us"},
    "ibm": {"procs": 32, "speed": "1.65Gf", "bandwidth": "1Gbit", "latency": "50us"},
    "dual": {"procs": 16, "cores": 2, "speed": "2.21Gf", "bandwidth": "1Gbit", "latency": "50us"},
}
TESTED_ON = {
    "intel": [1, 2, 4, 6, 8],
    "amd": [1, 2, 4, 8, 12, 16],
    "woodcrest": [1, 2, 4, 8, 16, 24],
    "ibm": [1, 2, 4, 8, 16, 32],
    "dual": [1, 2, 4, 8, 12, 16],
}
TESTS = 120  # runs a row, as many for each number of processes

# Columns of data/servers-*.csv, and how much further on in them the next host of a column is.
SERVERS = ["m1_6", "m2_1", "m2_7", "m3_3"]
SHIFT = "18h"

# The range of sizes that is trained on, of which the sizes are multiples of `unit`; tests go to
# twice its upper end.
APPS = {
    "eigen": {"sizes": (1800, 2700), "unit": 1, "iterations": 6},
    "fft": {"sizes": (1 << 22, 3 << 21), "unit": 1 << 15, "iterations": 40},
    "cg": {"sizes": (2000000, 3000000), "unit": 1000, "iterations": 250},
    "md": {"sizes": (12000, 18000), "unit": 1, "iterations": 150},
    "poisson": {"sizes": (20000, 30000), "unit": 1, "iterations": 300},
    "is": {"sizes": (120000000, 180000000), "unit": 100000, "iterations": 60},
    "ssor": {"sizes": (15000, 22000), "unit": 1, "iterations": 150},
}
TRAINED_ON = {1: 20, 2: 20, 4: 10, 8: 10}  # runs on so many processes
TRAINED_SIZES = 30

# Tables 3 and 4: program, cluster, load, and the paper's mean and standard deviation of the
# percentage error with a single model and with several.  Its load `grads` is `servers` here.
DIRECT = [
    ("eigen", "intel", "random", 25.41, 20.79, 22.47, 16.73),
    ("eigen", "intel", "servers", 40.5, 37.2, 27.93, 21.2),
    ("fft", "intel", "random", 31.16, 26.9, 25.16, 22.63),
    ("cg", "intel", "random", 22.2, 16.22, 20.82, 15.79),
    ("md", "intel", "random", 18.85, 13.66, 16.66, 14.30),
    ("md", "intel", "servers", 10.05, 7.47, 8.7, 7.67),
    ("poisson", "intel", "random", 31.62, 24.96, 27.86, 22.36),
    ("is", "intel", "random", 11.53, 9.01, 11.68, 9.38),
    ("is", "intel", "servers", 11.00, 14.8, 11.4, 15.59),
    ("ssor", "intel", "random", 22.98, 19.65, 16.22, 13.78),
    ("ssor", "intel", "servers", 10.5, 11.8, 9.69, 8.07),
    ("eigen", "amd", "random", 34.7, 23.2, 23.3, 19.6),
    ("eigen", "amd", "servers", 17.38, 14.96, 16.61, 11.30),
    ("md", "amd", "random", 23.7, 19.7, 25.05, 20.2),
    ("md", "amd", "servers", 12.06, 11.08, 13.09, 13.34),
    ("poisson", "amd", "servers", 14.47, 12.96, 15.95, 13.88),
    ("ssor", "amd", "servers", 35.25, 83.93, 13.49, 11.07),
    ("is", "amd", "servers", 32.02, 57.89, 13.88, 16.46),
    ("poisson", "woodcrest", "random", 37.41, 19.53, 28.78, 14.37),
    ("is", "woodcrest", "random", 38.24, 23.73, 27.7, 20.93),
]

# Not in the paper.
DUAL = [("eigen", "dual", "servers"), ("ssor", "dual", "servers"), ("is", "dual", "servers")]

# Table 6: program, reference cluster and its load, target cluster and its load, and the paper's
# mean percentage error.
PORTED = [
    ("eigen", "intel", "random", "ibm", "none", 18.53),
    ("eigen", "amd", "servers", "ibm", "none", 25.9),
    ("eigen", "intel", "random", "amd", "servers", 26.67),
    ("md", "intel", "servers", "ibm", "none", 23.04),
    ("md", "amd", "servers", "ibm", "none", 22.08),
    ("md", "intel", "servers", "amd", "random", 28.23),
    ("md", "amd", "servers", "intel", "servers", 18.68),
    ("ssor", "intel", "servers", "amd", "servers", 21.20),
    ("ssor", "amd", "servers", "intel", "servers", 22.55),
    ("is", "intel", "random", "ibm", "none", 25.70),
    ("is", "intel", "random", "amd", "servers", 26.06),
    ("is", "amd", "servers", "intel", "servers", 27.08),
]


def row_name(app, cluster, load):
    return f"{app}-{cluster}-{load}"


def whole_sizes(app, low, high, count, key):
    """`count` different sizes from `low` to `high`, the same for the same `key`."""
    unit = APPS[app]["unit"]
    return [unit * k for k in sorted(random.Random(key).sample(
        range(-(-low // unit), high // unit + 1), count))]


def training(app, cluster, load):
    """The runs to train on: a list of (processes, sizes)."""
    low, high = APPS[app]["sizes"]
    unit = APPS[app]["unit"]
    known = [unit * round((low + (high - low) * i / (TRAINED_SIZES - 1)) / unit)
             for i in range(TRAINED_SIZES)]
    draw = random.Random(f"train {app} {cluster} {load}")
    return [(p, sorted(draw.sample(known, count))) for p, count in TRAINED_ON.items()]


def testing(app, cluster, load, tests=TESTS):
    """The runs to predict: half of the sizes within the range that is trained on, half beyond."""
    low, high = APPS[app]["sizes"]
    count = tests // len(TESTED_ON[cluster])
    return [(p, whole_sizes(app, low, high, count // 2, f"in {app} {cluster} {load} {p}") +
             whole_sizes(app, high + 1, 2 * high, count - count // 2,
                         f"out {app} {cluster} {load} {p}"))
            for p in TESTED_ON[cluster]]


def dedicated(app):
    """Runs on an idle cluster, to port by: one on one process, ten on two."""
    low, high = APPS[app]["sizes"]
    unit = APPS[app]["unit"]
    return [(1, [unit * round((low + high) / 2 / unit)]),
            (2, whole_sizes(app, low, high, 10, f"dedicated {app}"))]


def ported_name(app, reference, load, target, target_load):
    return f"{app}-{reference}-{load}-to-{target}-{target_load}"
