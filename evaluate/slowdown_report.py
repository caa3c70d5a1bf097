# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/evaluation/slowdown.md from the measurements of evaluate/slowdown."""
import json

from pages import mean, show, table
from slowdown_cases import (AGGREGATE_MEAN, AGGREGATE_WORST, CASES, COMM_MEAN, CYCLES, FAST_CPU,
                            LEVELS, LOCAL_MEAN, NODE_CPU, NODES, PAIR_CPU, PAIR_LINK,
                            SERIAL, SLOW_CPU, TABLE_7, TABLE_8, WORD)
from slowdown_results import Results, size_of

COVERED = 0.7  # least coverage of the 90 % prediction interval


def sign(number):
    return "" if number is None else f"{number:+.1f}"


class Page:
    """Tables and criteria; each row is computed once."""

    def __init__(self, results):
        self.results = results
        self.local = {kind: list(results.local_rows(kind))
                      for kind in ("work", "steady", "observed")}
        self.cycles = {which: results.cycle_facts(which) for which in CYCLES}
        self.comm = list(results.comm_rows())
        self.aggregate = {policy: list(results.aggregate_rows(policy))
                          for policy in ("load", "constraint")}

    # ---- local ----

    def local_error(self, kind, model):
        """MAPE of all rows, the largest APE and their number; None without rows."""
        found = [answer[model][1] for _, _, answer in self.local[kind] if model in answer]
        found = [abs(each) for each in found if each is not None]
        return (mean(found), max(found), len(found)) if found else None

    def local_table(self, kind):
        rows = []
        for row, measured, answer in self.local[kind]:
            mixes, paper = TABLE_7[row - 1]
            numbers = [[show(answer[model][0], 2), sign(answer[model][1])] if model in answer else
                       ["", ""] for model in ("paper", "queue")]
            rows.append([", ".join(f"{100 * part:.0f} %" for part, _, _ in mixes),
                         ", ".join(f"{messages} / {words}" for _, messages, words in mixes),
                         show(self.results.local_raw(row, kind), 2), show(measured, 2), *numbers[0],
                         *numbers[1], str(paper)])
        means = [self.local_error(kind, model) for model in ("paper", "queue")]
        means = [show(each[0]) if each else "" for each in means]
        rows.append(["**MAPE**", "", "", "", "", means[0], "", means[1],
                     show(mean([paper for _, paper in TABLE_7]))])
        return table(["communicating", "bursts", "by run time", "measured", "Eq. 2", "error, %",
                      "queueing model", "error, %", "paper's error, %"], rows)

    def observed_table(self):
        rows = []
        for row, measured, answer in self.local["observed"]:
            texts = self.results.competitors(row, "observed")
            if texts is None or not answer:
                continue
            mixes, _ = TABLE_7[row - 1]
            rows.append([", ".join(f"{100 * part:.0f} %" for part, _, _ in mixes),
                         "; ".join(text.split(",")[0] for text in texts), show(measured, 2),
                         show(answer["paper"][0], 2), sign(answer["paper"][1]),
                         show(answer["queue"][0], 2), sign(answer["queue"][1])])
        return table(["communicating", "observed", "measured", "Eq. 2", "error, %",
                      "queueing model", "error, %"], rows) if rows else "Not measured.\n"

    def delay_table(self):
        rows = []
        for count in (1, 2, 3):
            answer = self.results.bench.done("calibrate", f"delay-{count}")
            if answer:
                rows.append([str(count), show(answer["delay"], 3),
                             show(answer["bandwidth"] / WORD / 1e6, 2), show(answer["cpu"], 3)])
        return table(["communicating", "delay", "Mwords/s each", "their CPU time, of a core"],
                     rows) if rows else "Not measured.\n"

    def curve_table(self):
        """The points of Figure 2."""
        answer = self.results.bench.done("calibrate", "platform")
        rows = [[str(point["communicating"]), show(point["bandwidth_bytes_per_s"] / WORD / 1e6, 2),
                 show(point["delay"], 3)] for point in (answer or {}).get("delay_points", [])]
        return table(["communicating", "k, Mwords/s", "delay"], rows) if rows else \
            "Not measured.\n"

    # ---- cycles ----

    def cycle_table(self):
        rows = []
        for which, facts in self.cycles.items():
            if facts:
                rows.append([which, show(facts["cycle"], 2), show(facts["alone"], 2),
                             f"{min(facts['runs']):.2f} to {max(facts['runs']):.2f}",
                             show(facts["point"], 2), show(facts["error"]),
                             f"{facts['low']:.2f} to {facts['high']:.2f}",
                             f"{facts['covered']} of {len(facts['runs'])}",
                             str(CYCLES[which][1])])
        return table(["cycles", "cycle, s", "dedicated, s", "run times, s", "Eq. 2, s", "APE, %",
                      "90 % interval, s", "coverage", "paper's APE, %"], rows) if rows else "Not measured.\n"

    # ---- communication ----

    def comm_table(self):
        rows = []
        for row, level, facts in self.comm:
            messages, sizes, paper = TABLE_8[row]
            facts = facts or {}
            rows.append([f"{messages} / {sizes[0]} – {sizes[-1]}",
                         show(self.results.comm_rate(level), 2), show(facts.get("measured"), 2),
                         show(facts.get("plain"), 2), show(facts.get("untailored")),
                         show(facts.get("tailored")), str(paper[list(LEVELS).index(level)])])
        return table(["bursts", "rate of 1024 x 1024, Mwords/s", "measured slowdown",
                      "by 1024 x 1024", "APE, %", "APE, tailored, %", "paper's APE, %"], rows)

    # ---- aggregate ----

    def aggregate_table(self, policy):
        rows = []
        for row in self.aggregate[policy]:
            case = CASES[row.name]
            rows.append([case.where, row.app, show(row.alone, 2), show(row.raw, 2),
                         show(row.measured, 2), show(row.predicted, 2), sign(row.error),
                         show(case.slowdown, 2)])
        rows.append(["**MAPE**", "", "", "", "", "",
                     show(size_of([row.error for row in self.aggregate[policy]])), ""])
        return table(["as in", "program", "dedicated, s", "by run time", "measured",
                      "predicted", "error, %", "paper's factor"], rows)

    # ---- acceptance criteria ----

    def judge_local(self):
        for model, text in [("paper", "Eq. 2"), ("queue", "the queueing model")]:
            found = self.local_error("work", model)
            yield (f"local slowdown by {text}: MAPE at most {LOCAL_MEAN} % (paper: 9 %)",
                   f"{found[0]:.1f} %; worst {found[1]:.1f} % (paper: 22 %), {found[2]} of "
                   f"{len(TABLE_7)} mixes" if found else None,
                   found is not None and found[0] <= LOCAL_MEAN and found[2] == len(TABLE_7))

    def judge_cycles(self):
        for which, facts in self.cycles.items():
            yield (f"{which} cycles: coverage of the 90 % interval at least {100 * COVERED:.0f} %",
                   f"{facts['covered']} of {len(facts['runs'])}" if facts else None,
                   facts is not None and facts["covered"] >= COVERED * len(facts["runs"]))
        short, long = self.cycles["short"], self.cycles["long"]
        if short and long:
            widths = [each["high"] - each["low"] for each in (short, long)]
            yield ("the interval is wider with long cycles",
                   f"{widths[1]:.2f} s, and {widths[0]:.2f} s with short ones", widths[1] > widths[0])

    def judge_comm(self):
        found = [facts["tailored"] for _, _, facts in self.comm if facts]
        over = sum(each > COMM_MEAN for each in found)
        yield (f"slowdown of messages, tailored bursts: APE of every row at most {COMM_MEAN} %",
               f"worst row {max(found):.1f} %, mean {mean(found):.1f} %; {over} of "
               f"{len(self.comm)} rows above" if found else None,
               len(found) == len(self.comm) and over == 0)

    def judge_aggregate(self):
        for policy, rows in self.aggregate.items():
            found = [(abs(row.error), row.app, CASES[row.name].where) for row in rows
                     if row.error is not None]
            average, worst = mean([each[0] for each in found]), max(found, default=None)
            whole = len(found) == len(rows)
            yield (f"aggregate slowdown, policy {policy}: MAPE at most {AGGREGATE_MEAN} %",
                   f"{average:.1f} %, {len(found)} of {len(rows)} cases" if found else None,
                   whole and average <= AGGREGATE_MEAN)
            yield (f"aggregate slowdown, policy {policy}: APE at most {AGGREGATE_WORST} %",
                   f"{worst[0]:.1f} % ({worst[1]}, {worst[2]})" if found else None,
                   whole and worst[0] <= AGGREGATE_WORST)

    def demands(self):
        for judge in (self.judge_local, self.judge_cycles, self.judge_comm, self.judge_aggregate):
            yield from judge()


def failures(bench):
    for path in sorted(bench.work.glob("*/**/*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        if "failed" in found:
            yield f"- {path.relative_to(bench.work).with_suffix('')}: {found['failed']}\n"


TEXT = """# Accuracy of slowdown factors

    make evaluate PART=slowdown

writes this page.

It repeats the experiments of S. M. Figueira and F. Berman, "A slowdown model for applications executing on
time-shared clusters of workstations" (2001), on [virtual nodes](../explanation/virtual-nodes.md). Errors are
(predicted − measured) / measured, in percent. Each figure is from the medians of {repeats} runs. Words have {word}
bytes; the paper does not state their size.

## Acceptance criteria

{demands}
## Local slowdown: Table 7

`{app}` runs on a node of {pair_cpu:.2g} of a core, alternately alone and with one to three load generators (`runcast
load mix`). The generators compute on the same node and send bursts to a second node, over links of {pair_link}. On a
shared machine, the speed of the cores changes from one run to the next, here by up to a quarter, and the CPU time of
the same work changes with it. The measured slowdown is therefore a ratio of run times per CPU second of the program.
The column "by run time" is the plain ratio of run times, which includes all that noise.

The inputs of `runcast slowdown local` are the shares that each generator had when it ran alone on the node, and, as in
the paper, one delay for all communicating competitors: {delay} (0.25 in the paper). The delay was measured with
generators that only communicate:

{delays}
The delay as a function of the rate (Figure 2), measured by `runcast slowdown calibrate` on the same nodes:

{curves}
**Generators with fixed work** (`--fixed-work`), as in the paper, compute for a fixed CPU time and send one burst in
each cycle. With one generator, Eq. 2 and the queueing model agree. With several, Eq. 2 omits two effects: generators
that compute at the same time slow each other down, and so do generators that communicate at the same time, since they
share a link. The first effect increases the share of time in which they compute, and the second decreases it. The
queueing model includes both (`--shared-link`).

{local_work}
**Steady generators** maintain their shares of the time under contention. Eq. 2 assumes that generators catch up on
delayed work, but these do not. The queueing model uses the setting `steady` for them. Each row is from one run.

{local_steady}
With shares observed by `runcast slowdown observe` instead of declared shares:

{local_observed}
## Observed shares

`runcast slowdown observe` observed `runcast load mix` for 8 s on a node of 0.15 of a core and a link of 100 Mbit/s,
while other programs used the machine. This table was measured separately. The observed share of computing is 0.01 too
low on average, and differs from the setting of the load by at most 0.02.

| load: computing, communicating, cycle | observed | observed cycle |
| --- | --- | --- |
| 0.55, 0.45, 0.3 s | 0.54, 0.46 | 0.31 s |
| 0.4, 0.3, 1 s | 0.39, 0.30 | 1.1 s |
| 0.3, 0.7, 0.5 s | 0.28, 0.72 | 0.56 s |
| 0.1, 0.8, 50 ms | 0.10, 0.81 | - |
| 0.9, 0.05, 0.1 s | 0.90, 0.05 | 0.74 s (a burst of 64 ms is sent about as often) |

## Cycle lengths: Figures 5 and 6

One competitor communicates for 45 % of its time, with cycles that are short or long compared with the run.

{cycles}
## Slowdown of messages: Table 8

A program sends a burst of messages from one node to the other, which replies with one word. It runs alone and with
competing streams (`runcast load net`), each of which sends a message of 4000 bytes every half millisecond. Eq. 3
(`runcast slowdown comm`) gives two factors: one from the rate of a benchmark with 1024 messages of 1024 words, and one
("tailored") from the rate of a burst like the program's. Each row shows the mean over its message sizes.

{comm}
## Slowdown of parallel programs: section 6.3

Programs of `apps/` run on {nodes} nodes with unlimited links. Each node has {node_cpu:.2g} of a core. In cases for
which the paper uses two Alphas and two RS-6000s, two nodes have {fast:.2g} and two have {slow:.2g} of a core. The
competitors are a parallel program (`ep`) on two nodes, serial programs (`runcast load cpu`), and in Table 15 a pair of
processes that wait for each other. `jacobi3d` and `lu` can only be divided into equal parts. The programs compute for
about 30 ms or more between messages. The exceptions are `lu`, which sends many small messages at every size, and the
coarse levels of `mg`.

Each run with competitors directly follows the one without them, and both are traced (`runcast trace record`). For each
run, the time between `MPI_Init` and `MPI_Finalize` is divided by the CPU time that the rank that computes longest would
need for all of the work. The measured slowdown is the ratio of the two quotients. The column "by run time" is the plain
ratio of run times, which includes all changes of the machine's speed.

Work divided according to the speed of the nodes under load, w/sd (Eq. 5):

{load}
Work divided according to any other rule (Eqs. 8 to 12):

{constraint}{failed}"""


def write(bench, folder):
    """1 if a criterion is missed."""
    page = Page(Results(bench))
    demands = list(page.demands())
    failed = "".join(failures(bench))
    delay = page.results.delay
    text = TEXT.format(
        repeats=bench.repeats, word=WORD, app=SERIAL[0], pair_cpu=PAIR_CPU, pair_link=PAIR_LINK,
        delay="not measured" if delay is None else f"{delay:.3f}",
        demands=table(["criterion", "result", "met"],
                      [[what, found or "not measured", "yes" if holds else "**no**"]
                       for what, found, holds in demands]),
        delays=page.delay_table(), curves=page.curve_table(), local_work=page.local_table("work"),
        local_steady=page.local_table("steady"), local_observed=page.observed_table(),
        cycles=page.cycle_table(), comm=page.comm_table(), nodes=NODES,
        node_cpu=NODE_CPU, fast=FAST_CPU, slow=SLOW_CPU, load=page.aggregate_table("load"),
        constraint=page.aggregate_table("constraint"),
        failed=f"\n## Failures\n\n{failed}" if failed else "")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "slowdown.md").write_text(text, encoding="utf-8")
    for what, found, holds in demands:
        if not holds:
            print(f"missed: {what}: {found or 'not measured'}")
    return 0 if all(holds for _, _, holds in demands) else 1
