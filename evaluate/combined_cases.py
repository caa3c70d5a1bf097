# SPDX-License-Identifier: GPL-3.0-or-later
"""The cases of evaluate/combined: programs and problem sizes on clusters of examples/, under loads."""
from structure_cases import LOADS as ALL_LOADS

# Hosts of each cluster, and the speed of the slowest, for which skeletons are built.
CLUSTERS = {
    "pcl": (["thing1", "thing2", "lorax", "picard"], "0.363Mf"),
    "alpha": ([f"alpha{i}" for i in range(1, 5)], "4.38Mf"),
    "grid": ([f"intel{i}" for i in range(1, 5)], "2.8Gf"),
}

# Iterations and sizes, for one to some minutes on idle hosts.
APPS = {
    ("sor", "pcl"): (40, [700, 1000, 1300]),
    ("ga", "pcl"): (16, [200, 350, 500]),
    ("nbody", "pcl"): (60, [400, 600, 900]),
    ("mg", "pcl"): (12, [512, 768, 1024]),
    ("poisson", "pcl"): (100, [512, 768, 1024]),
    ("sor", "alpha"): (20, [2000, 3000, 4000]),
    ("ga", "alpha"): (8, [1000, 1500, 2500]),
    ("nbody", "alpha"): (10, [2000, 3000, 4000]),
    ("mg", "alpha"): (12, [1024, 1536, 2048]),
    ("poisson", "alpha"): (40, [2048, 3072, 4096]),
    ("sor", "grid"): (60, [20000, 30000, 40000]),
    ("ga", "grid"): (8, [20000, 40000, 60000]),
    ("nbody", "grid"): (12, [20000, 30000, 40000]),
    ("mg", "grid"): (60, [4096, 5120, 6144]),
    ("poisson", "grid"): (800, [6144, 8192, 10240]),
}
PROGRAMS = list(dict.fromkeys(app for app, _ in APPS))
SIZES_PER_CASE = 3
LOADS = {name: ALL_LOADS[name] for name in ("calm", "modal", "bursty")}
# One load for each program on each cluster, so that each program and each cluster has all three.
CASES = [(app, cluster, list(LOADS)[(PROGRAMS.index(app) + list(CLUSTERS).index(cluster)) % 3])
         for cluster in CLUSTERS for app in PROGRAMS]

METHODS = ["regression", "slowdown", "scaling", "skeleton", "structural"]
MESHES = {"mg": "32", "poisson": "16"}  # programs for which scaling has models; bytes per cell
# Scaling is for hosts of one cluster, whose name this is; those of pcl are in two.
SCALED = {"alpha": "alpha", "grid": "intel"}
SMALL_PROCS = "2,3"

DEVELOPMENT = [3, 4]                              # seeds by which rules were chosen
FRESH = [2026111911, 2026111912, 2026111913]      # run once, when all rules were fixed
EARLIER = 20        # runs of a program to learn from
JUDGED = 24         # later runs, which are predicted
LEARNING = 10       # predictions with a run before any is recalibrated
PROBE_SECONDS = 5   # length of a skeleton on idle hosts
PROBE_LEAD = 30     # seconds from the start of a probe to that of the run


def sweep_text(platform, app, cluster, load, seed):
    iterations, sizes = APPS[app, cluster]
    repeat = -(-(EARLIER + JUDGED) // len(sizes))
    return (f"platform: {platform}\nloads: [{load + '.yaml' if LOADS[load] else load}]\n"
            f"seeds: [{seed}]\nover: 28d\nrepeat: {repeat}\nevery: 10s\nhistory: 2h\napps:\n"
            f"  - app: {app}\n    hosts: {','.join(CLUSTERS[cluster][0])}\n    sizes: {sizes}\n"
            f"    arguments: [--iterations, {iterations}]\n")
