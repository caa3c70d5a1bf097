# SPDX-License-Identifier: GPL-3.0-or-later
"""Local slowdown of a serial program by generators on its node (section 4)."""
import json
import random
import statistics
import time

from running import Failure
from slowdown_cases import (CYCLE_MIX, CYCLE_RUNS, CYCLES, PAIR_CPU, SERIAL, SHORT_SERIAL, TABLE_7,
                            WORD)
from slowdown_lab import SETTLE, node

ALONE_SECONDS = 4  # that a generator is watched when it is alone
OBSERVE_SECONDS = 6
MODELS = ["paper", "queue"]
BULK = (1000, 1000)  # messages and words of those who only communicate


def name_of(row):
    """Of a row of Table 7, from 1; for files."""
    return f"{row:02d}"


def burst_options(messages, words):
    return {"messages": messages, "message": f"{words * WORD}B"}


def waiting(run):
    """Seconds for each second of CPU time."""
    return run["seconds"] / run["cpu"]


# ---- what is measured once ----

def watch_alone(bench, mix):
    """What a generator reports when nothing else is on its node."""
    with bench.beside([bench.generator(mix, 0)], ALONE_SECONDS) as told:
        pass
    return bench.mix_reports(told)[0]


def burst_alone(bench, messages, words):
    """Seconds of a burst when nothing else is there."""
    report = watch_alone(bench, {"fixed-work": True, "compute": 0, "cycle": "10ms",
                                 **burst_options(messages, words)})
    if not report["burst_count"]:
        raise Failure("no burst came through")
    return {"seconds": report["communicate_time_s"] / report["burst_count"],
            "cpu": report["used_fraction"], "rate": report["sent_bytes"] / report["communicate_time_s"]}


def mix_alone(bench, part, messages, words):
    """A generator as Table 7 has it, one burst in each cycle: the CPU time that it computes in a
    cycle is such that its burst is the wanted part of the time; then what it says of itself."""
    burst = bench.done("calibrate", f"burst-{messages}x{words}")
    if burst is None:
        raise Failure("its burst was not measured")
    cpu = burst["seconds"] * (1 - part) / part * PAIR_CPU
    mix = {"fixed-work": True, "compute": 1, "cycle": f"{cpu:.6f}s", **burst_options(messages, words)}
    report = watch_alone(bench, mix)
    return {"options": mix, "compute": report["compute_fraction"], "communicate": report["communicate_fraction"],
            "cycle": burst["seconds"] / part, "report": report}


def delay(bench, count):
    """The delay that so many who only communicate cause."""
    alone, beside = [], []
    mix = {"compute": 0, "communicate": 1, "cycle": "0.1s", **burst_options(*BULK)}
    for _ in range(3):
        alone.append(bench.run_serial(*SERIAL))
        with bench.beside([bench.generator(mix, i) for i in range(count)]) as told:
            beside.append(bench.run_serial(*SERIAL))
        reports = bench.mix_reports(told, beside[-1]["seconds"])
    return {"delay": statistics.median(waiting(each) for each in beside) /
                     statistics.median(waiting(each) for each in alone) - 1,
            "bandwidth": sum(each["sent_bytes"] / each["communicate_time_s"]
                             for each in reports) / count,
            "cpu": sum(each["used_fraction"] for each in reports), "alone": alone, "beside": beside}


def platform(bench):
    """The calibration by 'slowdown calibrate', stored in the database."""
    return json.loads(bench.call(
        [bench.program, "slowdown", "calibrate", "--hosts", f"{node(1)},{node(2)}", "--launcher",
         f"{bench.program} lab exec", "--runcast-path", bench.program, "--platform", "evaluate",
         "--measure", "delay", "--points", "6", "--rounds", "3", "--db", bench.db, "--json"], 600))


def calibrate(bench):
    bursts = sorted({(messages, words) for mixes, _ in TABLE_7 for _, messages, words in mixes})
    mixes = sorted({mix for mixes, _ in TABLE_7 for mix in mixes})
    work = [(["calibrate", f"burst-{messages}x{words}"],
             lambda messages=messages, words=words: burst_alone(bench, messages, words))
            for messages, words in bursts]
    work += [(["calibrate", mix_name(mix)], lambda mix=mix: mix_alone(bench, *mix))
             for mix in mixes]
    work += [(["calibrate", f"delay-{count}"], lambda count=count: delay(bench, count))
             for count in (1, 2, 3)]
    work += [(["calibrate", "platform"], lambda: platform(bench))]
    if bench.todo([path for path, _ in work]):
        with bench.pair():
            for path, do in work:
                bench.attempt(path, do)


def mix_name(mix):
    part, messages, words = mix
    return f"mix-{round(100 * part)}-{messages}x{words}"


def delay_constant(bench):
    """As section 4.2 does: one number, of one or more who communicate."""
    found = [bench.done("calibrate", f"delay-{count}") for count in (1, 2, 3)]
    found = [each["delay"] for each in found if each]
    return max(0, statistics.median(found)) if found else None


# ---- the mixes of Table 7 ----

def generators(bench, row, kind):
    """Options of the generators of a row: `work`, which have work to do, or `steady`."""
    found = []
    for mix in TABLE_7[row - 1][0]:
        alone = bench.done("calibrate", mix_name(mix))
        if alone is None:
            raise Failure("a generator was not measured alone")
        part, messages, words = mix
        found.append(alone["options"] if kind == "work" else
                     {"compute": 1 - part, "communicate": part, "cycle": f"{alone['cycle']:.6f}s",
                      **burst_options(messages, words)})
    return found


def contended(bench, row, kind, turn):
    """The program alone, and at once beside its competitors."""
    mixes = generators(bench, row, kind)
    alone = bench.run_serial(*SERIAL)
    commands = [bench.generator(mix, 100 * turn + i) for i, mix in enumerate(mixes)]
    with bench.beside(commands, SETTLE + random.random()) as told:
        beside = bench.run_serial(*SERIAL)
    return {"alone": alone, "beside": beside, "ratio": waiting(beside) / waiting(alone),
            "raw": beside["seconds"] / alone["seconds"],
            "reports": bench.mix_reports(told, beside["seconds"])}


def observe(bench, row):
    """The generators of a row by 'slowdown observe'."""
    mixes = generators(bench, row, "work")
    commands = [bench.generator(mix, i) for i, mix in enumerate(mixes)]
    with bench.beside(commands) as told:
        seen = json.loads(bench.call(bench.within(
            1, bench.program, "slowdown", "observe", "--duration", f"{OBSERVE_SECONDS}s",
            "--json")))
    return {"competitors": seen["competitors"], "reports": bench.mix_reports(told)}


def local(bench):
    rows = range(1, len(TABLE_7) + 1)
    for turn in range(1, bench.repeats + 1):
        kinds = ["work", "steady"] if turn == 1 else ["work"]
        paths = [["local", kind, name_of(row), str(turn)] for kind in kinds for row in rows]
        paths += [["local", "observed", name_of(row), "1"] for row in rows if turn == 1]
        if not bench.todo(paths):
            continue
        with bench.pair():
            for row in rows:
                if turn == 1:
                    bench.attempt(["local", "observed", name_of(row), "1"],
                                  lambda row=row: observe(bench, row))
                for kind in kinds:
                    bench.attempt(["local", kind, name_of(row), str(turn)],
                                  lambda row=row, kind=kind, turn=turn:
                                  contended(bench, row, kind, turn))


# ---- cycles that are short, and long, against the run (section 4.3) ----

def cycle_mix(bench, which):
    """Options of the competitor, and its cycle in seconds: bursts until its part is through."""
    seconds = CYCLES[which][0] * bench.done("cycles", "alone")["seconds"]
    cpu = seconds * (1 - CYCLE_MIX) * PAIR_CPU
    compute = cpu / (cpu + seconds * CYCLE_MIX)
    # 'load mix' goes by a core, the node has less of it: its cycle is the sum of both.
    return {"fixed-work": True, "compute": f"{compute:.6f}", "communicate": f"{1 - compute:.6f}",
            "cycle": f"{cpu + seconds * CYCLE_MIX:.6f}s", **burst_options(20, 1000)}, seconds


def alone_short(bench):
    found = [bench.run_serial(*SHORT_SERIAL) for _ in range(bench.repeats)]
    cpu = statistics.median(each["cpu"] for each in found)
    return {"seconds": cpu * statistics.median(waiting(each) for each in found), "cpu": cpu,
            "all": found}


def cycle_run(bench):
    time.sleep(random.random())
    run = bench.run_serial(*SHORT_SERIAL)
    return {"seconds": waiting(run) * bench.done("cycles", "alone")["cpu"], "run": run}


def cycles(bench):
    runs = range(1, CYCLE_RUNS * bench.repeats + 1)
    paths = {which: [["cycles", which, str(run)] for run in runs] for which in CYCLES}
    if not bench.todo([["cycles", "alone"], *paths["short"], *paths["long"]]):
        return
    with bench.pair():
        bench.attempt(["cycles", "alone"], lambda: alone_short(bench))
        if bench.done("cycles", "alone") is None:
            return
        for which in CYCLES:
            mix, seconds = cycle_mix(bench, which)
            if not bench.todo(paths[which]):
                continue
            with bench.beside([bench.generator(mix, 0)], SETTLE + seconds * random.random()):
                for path in paths[which]:
                    bench.attempt(path, lambda: cycle_run(bench))
