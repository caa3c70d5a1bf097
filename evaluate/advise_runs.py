# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the measurements of docs/evaluation/advise.md."""
import csv
import json
import subprocess
import sys
import time

import advise_groups
from advise_cases import CASES, CHOICES, CHOICE_CASES, HOSTS, RISK, TIME_LIMITS
from regress_rows import APPS
from running import Failure, Kept, call, read

LONGEST = 7200  # seconds that one of these may take

TIME_LIMIT_NUMBERS = {"hosts": int, "cases": int, "exceeded": int, "ratio": float}
CHOICE_NUMBERS = {"cases": int, "longer": float,
                  "error": lambda text: float(text) if text else None}


class Bench(Kept):
    """The programs that try advice, and their results, which are stored by the number of cases: a
    few cases never replace many."""

    def __init__(self, program, root, work):
        super().__init__(program, work)
        self.root, self.simulated = root, work / "simulated"

    def time_limit_path(self, seconds, seed):
        return self.work / f"time-limit-{seconds}-{seed}-{CASES}.json"

    def choice_path(self, seconds):
        return self.work / f"choice-{seconds}-{CHOICE_CASES}.json"

    def groups_path(self, app):
        return self.work / f"groups-{app}.json"

    def speed_path(self):
        return self.work / "speed.json"

    def attempt(self, path, do):
        """With the seconds that it took."""
        begun = time.monotonic()
        return super().attempt(path, lambda: do() | {"seconds": time.monotonic() - begun})

    def try_advice(self, numbers, *words):
        """Rows of evaluate-advise."""
        out = call([self.program.parent / "evaluate-advise", *words], self.work, LONGEST)
        return {"rows": [{key: numbers.get(key, str)(value) for key, value in row.items()}
                         for row in csv.DictReader(out.splitlines())]}

    def run_time_limits(self):
        for seconds, seed in TIME_LIMITS:
            self.attempt(self.time_limit_path(seconds, seed),
                         lambda: self.try_advice(TIME_LIMIT_NUMBERS, "time-limit", CASES, seconds, RISK,
                                                 seed))

    def run_choices(self):
        for seconds in CHOICES:
            self.attempt(self.choice_path(seconds),
                         lambda: self.try_advice(CHOICE_NUMBERS, "choose", CHOICE_CASES, seconds))

    def simulate_runs(self):
        subprocess.run([self.root / "tools" / "build-apps", self.program.parent / "apps"],
                       check=True, stdout=sys.stderr)
        for app in APPS:
            self.attempt(self.work / f"simulated-{app}.json",
                         lambda: advise_groups.simulate(self.program, self.simulated, app))

    def compare_groups(self, app):
        # Runs of one program leave samples that forecasts for others use.
        missing = [each for each in APPS if not read(self.work / f"simulated-{each}.json")]
        if missing:
            raise Failure(f"no simulated runs of {', '.join(missing)}")
        return advise_groups.compare(self.program, self.simulated, app)

    def run_groups(self):
        self.simulate_runs()
        for app in APPS:
            self.attempt(self.groups_path(app), lambda: self.compare_groups(app))

    def time_advice(self):
        return json.loads(call([sys.executable, self.root / "bench" / "advise.py", self.program,
                                HOSTS, "--json"], self.work, LONGEST))

    def run_speed(self):
        self.attempt(self.speed_path(), self.time_advice)
