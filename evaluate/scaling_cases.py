# SPDX-License-Identifier: GPL-3.0-or-later
"""The cases of evaluate/scaling: Tables I to III of the paper, and larger ones."""

# Programs and their iterations.
APPS = {"mg": 10, "poisson": 100}
CELL = {"mg": 32, "poisson": 16}  # bytes: from Table I, and two arrays

PER_HOST = {"A": 1, "B": 4}  # implied by the memory that the paper gives

# Table, processes of each cluster, network, rows, columns; and what the paper measured and predicted.
# The meshes of Table III have one point more each way, which rows of cells do not have.
CASES = [
    ("I", {"A": 64}, "ethernet", 65536, 65536, 1703.9, 1715.7),
    ("I", {"A": 64}, "myrinet", 65536, 65536, 1014.9, 983.9),
    ("I", {"A": 64, "B": 32}, "ethernet", 65536, 65536, 1104.6, 1044.4),
    ("II", {"A": 32}, "ethernet", 32768, 32768, 776.7, 739.2),
    ("II", {"A": 32}, "myrinet", 32768, 32768, 628.3, 628.6),
    ("II", {"B": 32}, "ethernet", 32768, 32768, 444.4, 451.9),
    ("II", {"B": 32}, "myrinet", 32768, 32768, 281.0, 259.5),
    ("II", {"A": 32, "B": 32}, "ethernet", 65536, 65536, 1645.5, 1686.0),
    ("III", {"A": 64}, "myrinet", 8192, 16384, 1074.86, 1051.31),
    ("III", {"A": 128}, "myrinet", 16384, 16384, 1260.24, 1242.86),
    ("III", {"B": 64}, "myrinet", 8192, 16384, 908.44, 904.39),
    ("III", {"B": 128}, "myrinet", 16384, 16384, 1124.19, 1107.79),
]
DOES_NOT_FIT = ("I", {"B": 32}, "ethernet", 65536, 65536)

# The paper assumes that the link between clusters costs nothing ("none").
LINK = ["none", "measured"]

# A large cluster, on which processes have so many rows and columns each: those of Table I, and far
# less, where a part of mg that one process does for all is no longer small beside the rest.
LARGE = {"hosts": 4096, "cores": 1, "speed": "2.4Gf", "bandwidth": "1Gbit", "latency": "20us"}
LARGE_BLOCKS = [(1024, 65536), (256, 16384)]
LARGE_CHECKED = [512, 1024]
LARGE_TARGET = 4096

# In the lab.
LAB_NODES = 8
LAB_CPU, LAB_LINK = "0.2", "100Mbit"
LAB_SMALL = "2,4"
LAB_CASES = {"mg": (4096, 4096, 18), "poisson": (16000, 2000, 100)}  # rows, columns, iterations
LAB_REPEATS = 5


def name_of(procs):
    return " + ".join(f"{cluster}:{count}" for cluster, count in procs.items())
