# SPDX-License-Identifier: GPL-3.0-or-later
"""What evaluate/skeleton measures: programs, lengths of skeletons, and scenarios."""

NODES = 4
LABS = ["eva", "evb"]  # both measure at the same time, different programs
CPU = "0.2"  # of a core, for each node: four nodes on each of two cores, and some reserve
LINK = "100Mbit"
SLOW = "10Mbit"

# Size and iterations of a problem of about 20 s on the nodes above (Evaluation.fitted() adapts the
# iterations to the machine), and of a small problem of some tenths of a second, which takes the
# place of the paper's class S.
APPS = {
    "cg": ((20000, 1200), (2000, 150)),
    "ehl": ((512, 70), (128, 10)),
    "eigen": ((1000, 6), (200, 5)),
    "ep": ((24, 28), (20, 24)),
    "fft": ((65536, 110), (4096, 50)),
    "ga": ((400, 320), (100, 50)),
    "hitemp": ((500, 5), (150, 1)),
    "is": ((400000, 375), (50000, 50)),
    "jacobi3d": ((160, 500), (40, 300)),
    "lu": ((64, 120), (16, 60)),
    "matmul": ((1000, 9), (250, 8)),
    "md": ((3000, 260), (600, 150)),
    "mg": ((1024, 270), (128, 40)),
    "nbody": ((4000, 54), (500, 20)),
    "poisson": ((2000, 1600), (400, 500)),
    "sor": ((2000, 870), (400, 300)),
    "sp": ((64, 350), (16, 100)),
    "ssor": ((2000, 570), (400, 200)),
}

SIZES = ["10", "5", "2", "1", "0.5"]

# The dedicated nodes, and the scenarios of section 5.3: (nodes with a competitor, nodes with a slow
# link).  A node has one processor here, so it gets one competitor.
SCENARIOS = {
    "dedicated": ([], []),
    "cpu-one": ([2], []),
    "cpu-all": ([1, 2, 3, 4], []),
    "link-one": ([], [2]),
    "link-all": ([], [1, 2, 3, 4]),
    "both": ([2], [2]),
}
SCENARIO_NAMES = {
    "dedicated": "dedicated",
    "cpu-one": "a competitor on one node",
    "cpu-all": "a competitor on each node",
    "link-one": "one link at 10 Mbit/s",
    "link-all": "all links at 10 Mbit/s",
    "both": "competitor and slow link on one node",
}
