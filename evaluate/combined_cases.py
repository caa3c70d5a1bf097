# SPDX-License-Identifier: GPL-3.0-or-later
"""The cases of evaluate/combined: programs, problem sizes and loads on the cluster of examples/pcl.yaml."""
from structure_cases import LOADS as ALL_LOADS

HOSTS = ["thing1", "thing2", "lorax", "picard"]
APPS = {"sor": 16, "ga": 8, "nbody": 36}  # with their iterations: some minutes on idle hosts
SIZES = {"sor": [1000, 1250, 1500, 1750, 2000], "ga": [400, 550, 700, 850, 1000],
         "nbody": [500, 700, 900, 1100, 1300]}
LOADS = {name: ALL_LOADS[name] for name in ("calm", "modal", "bursty")}
CASES = [(app, load) for load in LOADS for app in APPS]
REPEATS = 24   # runs of each size under each load
EARLIER = 40   # runs of a program to learn from
JUDGED = 80    # later runs, which are predicted
LEARNING = 10  # predictions with a run before any is recalibrated


def sweep_text(platform, load):
    apps = "".join(f"  - app: {app}\n    hosts: {','.join(HOSTS)}\n    sizes: {SIZES[app]}\n"
                   f"    arguments: [--iterations, {iterations}]\n"
                   for app, iterations in APPS.items())
    return (f"platform: {platform}\nloads: [{load + '.yaml' if LOADS[load] else load}]\n"
            f"seeds: [3]\nover: 28d\nrepeat: {REPEATS}\nevery: 10s\nhistory: 2h\napps:\n{apps}")
