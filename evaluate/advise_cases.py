# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of evaluate/advise, and limits of its criteria."""
import os

# Time limits and choices: W, the dedicated run time on one host, in seconds.
CASES = int(os.environ.get("RUNCAST_CASES", "1000"))
CHOICE_CASES = max(1, CASES * 3 // 10)
TIME_LIMITS = [(seconds, seed) for seconds in (100, 300) for seed in (1, 2)]
RISK = 0.01
CHOICES = [200, 800, 1600]
TASKS = ["4 of 8 hosts", "any number of hosts"]  # as evaluate/advise.c names them

# Sizes and processes: runs of each program that are compared.
TESTS = 60
WAYS = {"known": "load known", "forecast": "load forecast"}

# Speed: hosts, and as many numbers of processes.
HOSTS = 1024

MOST_REGRET = 1.15     # by the oracle's
MOST_EXCEEDED = 2      # percent of the cases
MOST_RATIO = 1.2       # by the oracle's
MOST_LOST, WORST_LOST = 2, 8  # percent, on average and at worst
MOST_SECONDS = 1
