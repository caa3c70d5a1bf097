# SPDX-License-Identifier: GPL-3.0-or-later
"""Measurements of evaluate/slowdown, and the predictions of runcast.  Errors are in percent of the
measured time.  None: not measured, or not predicted."""
import statistics
import sys
import typing

import slowdown_aggregate
import slowdown_local
from pages import mean
from slowdown_cases import CASES, CYCLE_MIX, CYCLE_RUNS, CYCLES, LEVELS, TABLE_7, TABLE_8
from slowdown_comm import UNTAILORED, burst_bytes
from slowdown_lab import TROUBLE


def error_of(predicted, measured):
    return None if predicted is None or measured is None else 100 * (predicted / measured - 1)


def size_of(errors):
    """The mean of the absolute errors."""
    return mean([None if each is None else abs(each) for each in errors])


def shares_text(compute, communicate, more=""):
    """For the option --competitor; measured shares may sum to a little over 1."""
    whole = max(1, compute + communicate)
    return f"{compute / whole:.5f}:{communicate / whole:.5f}{more}"


def by_work(run, split):
    """A parallel run's seconds, for each CPU second that all of the work would have taken the rank
    that computed longest, whose part of it is in `split`."""
    longest = run["computing"].index(max(run["computing"]))
    part = split[longest] if split else 1 / len(run["computing"])
    return run["seconds"] * part / run["cpu"][longest]


class Aggregate(typing.NamedTuple):
    """A program in a case of section 6.3."""
    name: str
    app: str
    alone: float = None      # seconds
    raw: float = None        # slowdown, by seconds alone
    measured: float = None   # the same by seconds for each CPU second of work
    predicted: float = None
    error: float = None


class Results:
    def __init__(self, bench):
        self.bench = bench
        self.delay = slowdown_local.delay_constant(bench)
        self.complaints = []

    def ask(self, *words):
        """A prediction, or None after a failure, which is reported once."""
        try:
            return self.bench.slowdown(*words)
        except TROUBLE as failure:
            if str(failure) not in self.complaints:
                self.complaints.append(str(failure))
                print(f"evaluate/slowdown: {failure}", file=sys.stderr)
            return None

    def turns(self, *path):
        found = [self.bench.done(*path, str(turn)) for turn in range(1, self.bench.repeats + 1)]
        return [each for each in found if each]

    def median(self, key, *path):
        found = [each[key] for each in self.turns(*path)]
        return statistics.median(found) if found else None

    # ---- local ----

    def competitors(self, row, kind):
        """Texts of --competitor: `work` and `steady` with the shares of generators alone on the node, or
        the `observed` ones."""
        if kind == "observed":
            seen = self.bench.done("local", "observed", slowdown_local.name_of(row), "1")
            return [each["competitor"] for each in seen["competitors"]] if seen else None
        found = []
        for mix in TABLE_7[row - 1][0]:
            alone = self.bench.done("calibrate", slowdown_local.mix_name(mix))
            if not alone:
                return None
            cycle = f",cycle={alone['cycle']:.4f}s"
            found.append(shares_text(1 - mix[0], mix[0], cycle + ",steady") if kind == "steady" else
                         shares_text(alone["compute"], alone["communicate"], cycle))
        return found

    def local_slowdown(self, row, kind):
        """Measured: the median, by seconds for each second of CPU time."""
        return self.median("ratio", "local", kind, slowdown_local.name_of(row))

    def local_raw(self, row, kind):
        """The same by seconds alone."""
        return self.median("raw", "local", kind, slowdown_local.name_of(row))

    def local_predicted(self, row, kind):
        """By each model; {} if there is none."""
        texts = self.competitors(row, kind)
        if texts is None or self.delay is None:
            return {}
        words = [word for text in texts for word in ("--competitor", text)]
        answer = self.ask("local", *words, "--delay", f"{self.delay:.5f}", "--shared-link")
        return {} if answer is None else {model: answer[model] for model in slowdown_local.MODELS}

    def local_rows(self, kind):
        """Of each row of Table 7: its number, measured, and by model predicted and error."""
        measured_as = "work" if kind == "observed" else kind
        for row in range(1, len(TABLE_7) + 1):
            measured = self.local_slowdown(row, measured_as)
            predicted = self.local_predicted(row, kind) if measured else {}
            yield row, measured, {model: (answer, error_of(answer, measured))
                                  for model, answer in predicted.items()}

    # ---- cycles ----

    def cycle_facts(self, which):
        """Runs, their prediction by Eq. 2, and the coverage of the interval."""
        alone = self.bench.done("cycles", "alone")
        runs = [self.bench.done("cycles", which, str(run))
                for run in range(1, CYCLE_RUNS * self.bench.repeats + 1)]
        runs = [each["seconds"] for each in runs if each]
        if not alone or not runs or self.delay is None:
            return None
        cycle = CYCLES[which][0] * alone["seconds"]
        text = shares_text(1 - CYCLE_MIX, CYCLE_MIX, f",cycle={cycle:.4f}s")
        answer = self.ask("predict", "--dedicated", f"{alone['seconds']:.6f}s", "--competitor", text,
                        "--delay", f"{self.delay:.5f}", "--level", "0.9")
        if answer is None:
            return None
        value, point = answer["time"]["interval_s"], answer["local"]["paper"] * alone["seconds"]
        return {"alone": alone["seconds"], "cycle": cycle, "runs": runs, "point": point,
                "error": size_of([error_of(point, run) for run in runs]), "low": value["low"],
                "high": value["high"],
                "covered": sum(value["low"] <= run <= value["high"] for run in runs)}

    # ---- communication ----

    def burst_seconds(self, level, key):
        found = [each["medians"][key] for each in self.turns("comm", level)]
        return statistics.median(found) if found else None

    def comm_slowdown(self, level, key, messages, words):
        """Eq. 3 by a benchmark: idle and current rates."""
        idle, now = self.burst_seconds("dedicated", key), self.burst_seconds(level, key)
        if not idle or not now:
            return None
        size = burst_bytes(messages, words)
        answer = self.ask("comm", "--idle-rate", f"{size / idle:.3f}B/s", "--current-rate",
                        f"{size / now:.3f}B/s")
        return answer["slowdown"]["mean"] if answer else None

    def comm_row(self, row, level):
        """Slowdown of the target and errors, means over the sizes: measured, by the benchmark of
        1024 x 1024, and by a burst like the target's."""
        messages, sizes, _ = TABLE_8[row]
        plain = self.comm_slowdown(level, f"{row} untailored", *UNTAILORED)
        measured, errors, tailored = [], [], []
        for words in sizes:
            alone = self.burst_seconds("dedicated", f"{row} target {words}")
            beside = self.burst_seconds(level, f"{row} target {words}")
            own = self.comm_slowdown(level, f"{row} benchmark {words}", messages, words)
            if None in (alone, beside, plain, own):
                return None
            measured.append(beside / alone)
            errors.append(error_of(alone * plain, beside))
            tailored.append(error_of(alone * own, beside))
        return {"measured": mean(measured), "plain": plain, "untailored": size_of(errors),
                "tailored": size_of(tailored)}

    def comm_rate(self, level):
        """The rate of the benchmark of 1024 x 1024, in Mwords/s."""
        found = [self.burst_seconds(level, f"{row} untailored") for row in range(len(TABLE_8))]
        found = [each for each in found if each]
        return UNTAILORED[0] * UNTAILORED[1] / statistics.median(found) / 1e6 if found else None

    def comm_rows(self):
        """(row, level, facts), in the order of the table."""
        for row in range(len(TABLE_8)):
            for level in LEVELS:
                yield row, level, self.comm_row(row, level)

    # ---- aggregate ----

    def aggregate_rows(self, policy):
        for name, case in CASES.items():
            for app in case.apps if case.policy == policy else []:
                turns = self.turns("aggregate", name, app)
                if not turns:
                    yield Aggregate(name, app)
                    continue
                alone = statistics.median(each["alone"]["seconds"] for each in turns)
                raw = statistics.median(each["beside"]["seconds"] / each["alone"]["seconds"]
                                        for each in turns)
                measured = statistics.median(by_work(each["beside"], each["split"]) /
                                             by_work(each["alone"], each["split_alone"])
                                             for each in turns)
                path = slowdown_aggregate.hosts_file(self.bench, name, app)
                answer = self.ask("aggregate", "--policy", policy, "--hosts-file", path)
                predicted = answer["slowdown"]["mean"] if answer else None
                yield Aggregate(name, app, alone, raw, measured, predicted,
                                error_of(predicted, measured))
