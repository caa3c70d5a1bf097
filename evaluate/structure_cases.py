# SPDX-License-Identifier: GPL-3.0-or-later
"""Platforms, programs, problem sizes and loads of evaluate/structure."""

# Hosts of each platform of examples/, in the order of the dissertation, and further options of
# `lab sim`.  The Linux cluster's speed is that of Table 3.17, 0.1997 us for a multiplication.
PLATFORMS = {
    "pcl": (["thing1", "thing2", "lorax", "picard"], []),
    "linux": ([f"linux{i}" for i in range(1, 5)], ["--default-speed", "5.008Mf"]),
    "alpha": ([f"alpha{i}" for i in range(1, 9)], []),
    "intel": ([f"intel{i:02d}" for i in range(1, 9)], []),  # written by regress_runs.py
}

# Dedicated: the dissertation's figure of each program on each platform, its error in percent, the
# range of problem sizes there (the medial one is what was benchmarked), and iterations.
DEDICATED = {
    ("ga", "pcl"): ("3.4", 7.7, [200, 400, 800, 1200, 1600, 2000], 1600, 5),
    ("ga", "linux"): ("3.5", 8.5, [1000, 2000, 3000, 5000, 6500, 8000], 5000, 2),
    ("ga", "alpha"): ("3.6", 6.5, [625, 1250, 2500, 3750, 5000], 2500, 2),
    ("sor", "pcl"): ("3.8", 5, [500, 1000, 1500, 2000, 3000, 4000], 2000, 10),
    ("sor", "linux"): ("3.9", 4, [500, 1000, 1500, 2000, 3000, 4000], 2000, 10),
    ("sor", "alpha"): ("3.10", 6.5, [500, 1000, 1500, 2000, 3000, 4000], 2000, 10),
    ("nbody", "pcl"): ("3.12", 9, [250, 500, 750, 1000, 1500, 2000, 3000], 1500, 5),
    ("nbody", "linux"): ("3.13", 17, [1000, 2000, 4000, 6000, 8000], 4000, 3),
    ("hitemp", "linux"): ("3.14", 3, [50, 100, 200, 300, 400], 300, 1),
    ("hitemp", "pcl"): ("3.15", 4, [50, 100, 200, 300, 400], 300, 1),
    ("lu", "linux"): ("3.16", 15, [12, 20, 30, 40, 50, 60], 30, 5),
    ("lu", "pcl"): ("3.17", 10, [12, 20, 30, 40, 50, 60], 30, 5),
    ("sp", "alpha"): ("3.18", 7.5, [16, 24, 32, 48, 64], 32, 5),
    ("ep", "alpha"): ("3.19", 8, [16, 18, 20, 22, 24, 26], 22, 1),
    ("ep", "linux"): ("3.20", 3, [16, 18, 20, 22, 24, 26], 22, 1),
}
ALPHA_OF = {"sp": 4}  # hosts of the Alpha Farm, if not all eight

# Alternatives of the tasks: by benchmark, by operation counts, and the first without communication.
COMPUTING = {
    "ga": ["Slave"], "sor": ["RedComp", "BlackComp"], "nbody": ["Slave"], "hitemp": ["CompJob"],
    "lu": ["Point1"], "sp": ["Comp"], "ep": ["Comp"], "ssor": ["Comp"],
}
COMMUNICATING = {
    "ga": ["Scatter", "Gather"], "sor": ["RedComm[h]", "BlackComm[h]"],
    "nbody": ["Scatter", "Gather"], "hitemp": ["Fetch[h]"], "lu": ["Face[h]", "Edge[h]"],
    "sp": ["Faces[h]", "Ends[h]"], "ep": [], "ssor": ["Exchange[h]"],
}
NO_OPCOUNT = {"hitemp"}

# Under load: size and iterations, for some minutes on the idle PCL cluster.
LOADED = {"sor": (1500, 16), "ga": (800, 8), "nbody": (1000, 36), "lu": (30, 30)}
LOAD_PLATFORM = "pcl"
# calm: one mode, in which processors stay (section 4.B.3: temporal locality); steps: few modes that
# last much longer than the windows of the dissertation; modal and bursty: as `lab sim` has them.
LOADS = {
    "calm": """kind: modal
cpu:
  levels: [0.94]
  dwell: 10s..60s
  again: 0
  spread: 0.04
link:
  levels: [0.9]
  dwell: 10s..60s
  again: 0
  spread: 0.08
""",
    "modal": None,
    "bursty": None,
    "steps": """kind: modal
cpu:
  levels: [0.95, 0.9, 0.8]
  dwell: 5min..30min
  again: 0
  spread: 0.03
link:
  levels: [0.95]
""",
}
EARLIER = 100  # runs that predictions learn from
JUDGED = 27    # runs that are then predicted, as many as the dissertation's
EVERY = "10s"
HISTORY = "4h"
LEVEL = 0.9

# How the processors are described: the dissertation's two, two more of the last five minutes, and
# the forecast.
KINDS = {
    "normal": ("from series cpu last 5min as normal", ["--rules", "dissertation"]),
    "interval": ("from series cpu last 5min as interval", ["--as", "interval"]),
    "histogram": ("from series cpu last 5min as histogram", []),
    "sample": ("from series cpu last 5min", []),
    "forecast": ("from forecast cpu", []),
    "learning": ("from forecast cpu", ["--learn"]),
}

# The comparison with regression: ssor on the Intel cluster of evaluate/regress, under its loads.
SSOR = {"cluster": "intel", "loads": ["random", "servers"], "judged": 100}
# Available bandwidth is an input of the model, too, as in the paper.
LINKS = """input free[h] "available bytes per second" {clause}
input wire[h] "bytes per second of the link" from platform bandwidth
    accuracy 0.1%
input link[h] = free[h] / wire[h]
"""

# On virtual nodes: sizes, the medial one, and iterations, of some tenths of a second to some 15 s.
LAB_NODES = 4
LAB_CPU, LAB_LINK, LAB_BURST = "0.2", "100Mbit", "1600B"
LAB_CASES = {"sor": ([500, 1000, 1500, 2000, 3000], 2000, 300),
             "nbody": ([1000, 2000, 3000, 4000, 6000], 4000, 20)}
LAB_REPEATS = 5  # the median is used
