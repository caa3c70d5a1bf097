# SPDX-License-Identifier: GPL-3.0-or-later
"""What evaluate/slowdown measures: experiments of Figueira and Berman (2001), sections 4 to 6."""
import os
import typing

# Shares of cores and iterations are multiplied by it: 0.1 tries everything on a tenth of a core.
SCALE = float(os.environ.get("RUNCAST_SCALE", "1"))
WORD = 4  # bytes; the paper does not tell

# ---- two nodes: local slowdown, cycles, communication ----

PAIR_CPU = 0.9 * SCALE
PAIR_LINK = "400Mbit"
SERIAL = ("sor", 400, max(1, round(27000 * SCALE)))  # program, size, iterations: some 4 s
SHORT_SERIAL = ("sor", 400, max(1, round(13000 * SCALE)))  # some 2 s, for `cycles`

# Table 7: of each competitor, the part of the time that it communicates and its burst (messages,
# words); then the paper's average error in percent.
TABLE_7 = [
    ([(0.24, 1000, 2000)], 5),
    ([(0.49, 2000, 1000)], 9),
    ([(0.58, 1000, 3000)], 9),
    ([(0.44, 5000, 1000)], 7),
    ([(0.15, 5000, 100)], 8),
    ([(0.14, 100, 5000)], 3),
    ([(0.49, 2000, 1000), (0.49, 2000, 1000)], 6),
    ([(0.15, 5000, 100), (0.14, 100, 5000)], 8),
    ([(0.38, 1000, 2000), (0.15, 5000, 100)], 13),
    ([(0.48, 1000, 2000), (0.48, 1000, 2000)], 3),
    ([(0.48, 1000, 2000), (0.21, 5000, 100)], 18),
    ([(0.58, 1000, 3000), (0.32, 1000, 1000)], 15),
    ([(0.49, 2000, 1000), (0.49, 2000, 1000), (0.49, 2000, 1000)], 6),
    ([(0.58, 1000, 3000), (0.32, 1000, 1000), (0.49, 2000, 1000)], 22),
]
LOCAL_MEAN = 8  # percent, at most

# Section 4.3: cycles in parts of the dedicated run, and the paper's error.
CYCLES = {"short": (0.1, 5), "long": (2.5, 17)}
CYCLE_MIX = 0.45  # the part that the competitor communicates
CYCLE_RUNS = 2  # times the repeats

# Table 8: messages, sizes in words, and the paper's errors at 1.19, 2.32 and 3.44 of 6.21 Mwords/s.
# Its sizes go up in steps of 100; large bursts do so in larger steps here.
TABLE_8 = [
    (100, list(range(100, 1001, 100)), [368, 151, 78]),
    (100, list(range(1000, 3001, 250)), [16, 51, 23]),
    (1000, list(range(100, 1001, 100)), [81, 42, 33]),
    (1000, [1000, 2000, 3000], [14, 4, 2]),
    (5000, list(range(100, 1001, 300)), [57, 20, 16]),
    (5000, [1000, 3000], [10, 3, 2]),
]
UNTAILORED = (1024, 1024)  # messages, words: the benchmark of section 5
# How many streams, each of STREAM_PART of the link, compete: they leave about as much as the
# paper's 1.19, 2.32 and 3.44 are of 6.21.
LEVELS = {"high": 5, "middle": 4, "low": 3}
STREAM_PART = 0.16
COMM_MEAN = 10

# ---- four nodes: aggregate slowdown ----

NODES = 4
NODE_CPU = 0.4 * SCALE
FAST_CPU, SLOW_CPU = 0.6 * SCALE, 0.2 * SCALE  # of two nodes each, as near as can be to the
NODE_LINK = "none"                             # weights 3.07 and 1 of Table 13

# Size and iterations of some 3 s on four nodes of 0.4.  They compute for some 30 ms and more
# between messages, but for lu, whose wavefront has many small ones, and the coarse levels of mg.
APPS = {
    "sor": (6000, 43),
    "mg": (8192, 3),
    "matmul": (1280, 3),
    "ga": (4000, 32),
    "jacobi3d": (320, 55),
    "lu": (160, 5),
}
SPLIT = ["sor", "mg", "matmul", "ga"]  # those whose work can be split by --split
WHOLE = ["jacobi3d", "lu"]  # those whose work cannot
FEW = ["sor", "matmul"]  # for the splits of Tables 13 to 15, which take long ...
FEW_PART = 0.4           # ... of so much of the work


def parts(*numbers):
    return [each / sum(numbers) for each in numbers]


class Case(typing.NamedTuple):
    """An experiment of section 6.3.  Nodes count from 1."""
    where: str         # in the paper
    slowdown: float    # that the paper reckons; None: it does not
    nodes: str         # even, or uneven: the first two are the fast ones
    policy: str        # load: by what nodes can do at the time; constraint: as `work` says
    apps: list
    work: list         # parts of each node; None: by the policy; [] is all alike
    dedicated: list    # of the run without competitors, likewise
    parallel: list     # competitors with a rank on each of some nodes, which compute all the time
    coupled: list      # likewise, with as much to do on each, who wait for one another
    serial: list       # nodes of competitors that compute by themselves


CASES = {
    "load-1": Case("Fig. 14, exp 1", 4 / 3, "even", "load", SPLIT, None, None, [[1, 2]], [], []),
    "load-2": Case("Fig. 14, exp 2", 4 / (7 / 3), "even", "load", SPLIT, None, None, [[1, 2]], [],
                   [3, 3]),
    "uniform-1": Case("Fig. 12, without Y and Z", None, "even", "constraint", WHOLE, [], [],
                      [[1, 2]], [], []),
    "uniform-2": Case("Fig. 12", 3, "even", "constraint", WHOLE, [], [], [[2, 3]], [], [1, 1]),
    "table-12": Case("Fig. 15, Table 12", 3, "even", "constraint", SPLIT, parts(3, 2, 3, 4), [],
                     [[2, 3]], [], [1, 1]),
    "load-uneven": Case("Fig. 16", 1.18, "uneven", "load", SPLIT, None, None, [[3, 4]], [], []),
    "table-14": Case("Fig. 17, exp 1, Table 14", 2, "uneven", "constraint", FEW, parts(1, 2, 2, 1),
                     parts(1, 2, 1, 2), [[3, 4]], [], []),
    "table-15": Case("Fig. 17, exp 2, Table 15", 2.45, "uneven", "constraint", FEW,
                     parts(15, 15, 15, 10), parts(1, 2, 1, 2), [[3, 4]], [[3, 2]], [1, 1, 1]),
}
AGGREGATE_MEAN, AGGREGATE_WORST = 8, 15
ONLY = os.environ.get("RUNCAST_CASES", "").split() or list(CASES)  # that are measured
