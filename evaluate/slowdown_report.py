# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/evaluation/slowdown.md from what evaluate/slowdown has measured."""
import json

from pages import mean, show, table
from slowdown_cases import (AGGREGATE_MEAN, AGGREGATE_WORST, CASES, COMM_MEAN, CYCLES, FAST_CPU,
                            LEVELS, LOCAL_MEAN, NODE_CPU, NODES, PAIR_CPU, PAIR_LINK,
                            SERIAL, SLOW_CPU, TABLE_7, TABLE_8, WORD)
from slowdown_results import Results, size_of

COVERED = 0.7  # of the runs, at least, in the interval of 90 %


def sign(number):
    return "" if number is None else f"{number:+.1f}"


class Page:
    """Tables and demands; each row is reckoned once."""

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
        """Mean size of the errors of all rows, and the worst; None where there are none."""
        found = [told[model][1] for _, _, told in self.local[kind] if model in told]
        found = [abs(each) for each in found if each is not None]
        return (mean(found), max(found), len(found)) if found else None

    def local_table(self, kind):
        rows = []
        for row, measured, told in self.local[kind]:
            mixes, paper = TABLE_7[row - 1]
            numbers = [[show(told[model][0], 2), sign(told[model][1])] if model in told else
                       ["", ""] for model in ("paper", "queue")]
            rows.append([", ".join(f"{100 * part:.0f} %" for part, _, _ in mixes),
                         ", ".join(f"{messages} / {words}" for _, messages, words in mixes),
                         show(self.results.local_raw(row, kind), 2), show(measured, 2), *numbers[0],
                         *numbers[1], str(paper)])
        means = [self.local_error(kind, model) for model in ("paper", "queue")]
        means = [show(each[0]) if each else "" for each in means]
        rows.append(["**mean size**", "", "", "", "", means[0], "", means[1],
                     show(mean([paper for _, paper in TABLE_7]))])
        return table(["communicating", "bursts", "by seconds", "measured", "Eq. 2", "error, %",
                      "queue", "error, %", "paper's error, %"], rows)

    def observed_table(self):
        rows = []
        for row, measured, told in self.local["observed"]:
            texts = self.results.competitors(row, "observed")
            if texts is None or not told:
                continue
            mixes, _ = TABLE_7[row - 1]
            rows.append([", ".join(f"{100 * part:.0f} %" for part, _, _ in mixes),
                         "; ".join(text.split(",")[0] for text in texts), show(measured, 2),
                         show(told["paper"][0], 2), sign(told["paper"][1]),
                         show(told["queue"][0], 2), sign(told["queue"][1])])
        return table(["communicating", "observed", "measured", "Eq. 2", "error, %", "queue",
                      "error, %"], rows) if rows else "Not measured yet.\n"

    def delay_table(self):
        rows = []
        for count in (1, 2, 3):
            told = self.results.bench.done("calibrate", f"delay-{count}")
            if told:
                rows.append([str(count), show(told["delay"], 3),
                             show(told["bandwidth"] / WORD / 1e6, 2), show(told["cpu"], 3)])
        return table(["communicating", "delay", "Mwords/s each", "CPU time of theirs, of a core"],
                     rows) if rows else "Not measured yet.\n"

    def curve_table(self):
        """The points of Figure 2."""
        told = self.results.bench.done("calibrate", "platform")
        rows = [[str(point["communicating"]), show(point["bandwidth"] / WORD / 1e6, 2),
                 show(point["delay"], 3)] for point in (told or {}).get("points", [])]
        return table(["communicating", "k, Mwords/s", "delay"], rows) if rows else \
            "Not measured yet.\n"

    # ---- cycles ----

    def cycle_table(self):
        rows = []
        for which, facts in self.cycles.items():
            if facts:
                rows.append([which, show(facts["cycle"], 2), show(facts["alone"], 2),
                             f"{min(facts['runs']):.2f} to {max(facts['runs']):.2f}",
                             show(facts["point"], 2), show(facts["error"]),
                             f"{facts['lo']:.2f} to {facts['hi']:.2f}",
                             f"{facts['covered']} of {len(facts['runs'])}",
                             str(CYCLES[which][1])])
        return table(["cycles", "cycle, s", "run alone, s", "runs beside it, s", "Eq. 2, s",
                      "error, %", "90 % of `slowdown predict`, s", "runs in it",
                      "paper's error, %"], rows) if rows else "Not measured yet.\n"

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
        return table(["bursts", "1024 x 1024 gets, Mwords/s", "slowdown, measured",
                      "by 1024 x 1024", "error, %", "error, tailored, %", "paper's error, %"], rows)

    # ---- aggregate ----

    def aggregate_table(self, policy):
        rows = []
        for row in self.aggregate[policy]:
            case = CASES[row.name]
            rows.append([case.where, row.app, show(row.alone, 2), show(row.raw, 2),
                         show(row.measured, 2), show(row.predicted, 2), sign(row.error),
                         show(case.slowdown, 2)])
        rows.append(["**mean size**", "", "", "", "", "",
                     show(size_of([row.error for row in self.aggregate[policy]])), ""])
        return table(["as in", "program", "dedicated, s", "by seconds alone", "measured",
                      "predicted", "error, %", "paper's factor"], rows)

    # ---- what must hold ----

    def judge_local(self):
        for model, text in [("paper", "Eq. 2"), ("queue", "the queue")]:
            found = self.local_error("work", model)
            yield (f"local slowdown by {text}: mean error at most {LOCAL_MEAN} % (paper: 9 %)",
                   f"{found[0]:.1f} %; worst {found[1]:.1f} % (paper: 22 %), {found[2]} of "
                   f"{len(TABLE_7)} mixes" if found else None,
                   found is not None and found[0] <= LOCAL_MEAN and found[2] == len(TABLE_7))

    def judge_cycles(self):
        for which, facts in self.cycles.items():
            yield (f"{which} cycles: at least {100 * COVERED:.0f} % of the runs in the interval of "
                   "90 %",
                   f"{facts['covered']} of {len(facts['runs'])}" if facts else None,
                   facts is not None and facts["covered"] >= COVERED * len(facts["runs"]))
        short, long = self.cycles["short"], self.cycles["long"]
        if short and long:
            widths = [each["hi"] - each["lo"] for each in (short, long)]
            yield ("the interval is wider where cycles are long",
                   f"{widths[1]:.2f} s against {widths[0]:.2f} s", widths[1] > widths[0])

    def judge_comm(self):
        found = [facts["tailored"] for _, _, facts in self.comm if facts]
        over = sum(each > COMM_MEAN for each in found)
        yield (f"communication slowdown, tailored bursts: every row at most {COMM_MEAN} %",
               f"worst row {max(found):.1f} %, mean {mean(found):.1f} %; {over} of "
               f"{len(self.comm)} rows are above" if found else None,
               len(found) == len(self.comm) and over == 0)

    def judge_aggregate(self):
        for policy, rows in self.aggregate.items():
            found = [(abs(row.error), row.app, CASES[row.name].where) for row in rows
                     if row.error is not None]
            average, worst = mean([each[0] for each in found]), max(found, default=None)
            whole = len(found) == len(rows)
            yield (f"aggregate slowdown, {policy}: mean error at most {AGGREGATE_MEAN} %",
                   f"{average:.1f} %, {len(found)} of {len(rows)} cases" if found else None,
                   whole and average <= AGGREGATE_MEAN)
            yield (f"aggregate slowdown, {policy}: never beyond {AGGREGATE_WORST} %",
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


TEXT = """# How well slowdown factors predict

    make evaluate PART=slowdown

writes this page.

It repeats the experiments of S. M. Figueira and F. Berman, "A slowdown model for applications executing on
time-shared clusters of workstations" (2001), on virtual nodes (`docs/explanation/virtual-nodes.md`), with the paper's figures
beside ours. Errors are (predicted − measured) / measured, in percent; each figure is from the medians of
{repeats}. Words have {word} bytes, which the paper does not tell.

## What must hold

{demands}
## Local slowdown: Table 7

`{app}` alone on a node of {pair_cpu:.2g} of a core, and beside one to three generators (`runcast load mix`) that compute
there and send bursts to the other node, through links of {pair_link}; both in turns. The cores of a shared machine
change their speed from one run to the next, by up to a quarter here, and with it the CPU time that the same work takes.
What is measured is therefore the program's seconds for each second of its CPU time, beside others by alone; the column
before it is by seconds alone, with all that noise. `runcast slowdown local`
is told the shares that each generator had when it was alone, and one number for the delay by those who
communicate, {delay}, as the paper does for this table (0.25 there). It was measured beside generators
that only communicate:

{delays}
How it grows with the bandwidth (the points of Figure 2), as `runcast slowdown calibrate` found in the same lab:

{curves}
Generators **with work to do** (`--work`), as the paper's: each cycle computes for a fixed CPU time and sends one
burst. With one of them, Eq. 2 and the queue agree. With several, two things happen that Eq. 2 leaves out: while
two compute, both take longer, and while two communicate, both take longer, since they share a link. The
first makes them compute for a larger part of the time than when they are alone, the second for a smaller one. The queue
is told of both (`--shared-link`).

{local_work}
**Steady** generators hold their shares of the time however much they are slowed down (one run each). They
do not make good for what they could not compute, which Eq. 2 takes them to do; the queue is told that they are steady.

{local_steady}
With the shares that `runcast slowdown observe` found in some seconds, nothing being declared:

{local_observed}
## Cycles against the run: Figures 5 and 6

One competitor that communicates for 45 % of its time, with cycles that are short and long against the run.

{cycles}
## Communication slowdown: Table 8

A burst of messages from one node to the other, and a word back, alone and beside streams (`runcast load net`) that send a
message of 4000 bytes every half millisecond each. Factors by Eq. 3 (`runcast slowdown comm`): from the rate of the
benchmark of 1024 messages of 1024 words, and from that of a burst like the program's own. Means over
the message sizes of a row.

{comm}
## Aggregate slowdown: section 6.3

Programs of `apps/` on {nodes} nodes without limits of links: {node_cpu:.2g} of a core each, or, where the paper has two Alphas and
two RS-6000s, {fast:.2g} and {slow:.2g}. Competitors are a parallel program (`ep`) on two nodes, serial ones
(`runcast load cpu`), and in Table 15 a pair of processes that wait for one another. `jacobi3d` and `lu` cannot be split
in other than equal parts. The programs compute for some 30 ms and more between messages, but for `lu`, which has many small
ones whatever its size, and the coarse levels of `mg`.

Each run without competitors comes right before the one with them, and both are recorded (`runcast trace`). What is
measured is the time of the whole program, from `MPI_Init` to `MPI_Finalize`, for each second of CPU time that all
of the work would take the rank that computes longest, beside competitors by alone; the column before it is by seconds
alone, with all changes of the machine's own speed.

Work split by what nodes can do at the time, w / sd (Eq. 5):

{load}
Work split by anything else (Eqs. 8 to 12):

{constraint}{failed}"""


def write(bench, folder):
    """1 where a demand is missed."""
    page = Page(Results(bench))
    demands = list(page.demands())
    failed = "".join(failures(bench))
    delay = page.results.delay
    text = TEXT.format(
        repeats=bench.repeats, word=WORD, app=SERIAL[0], pair_cpu=PAIR_CPU, pair_link=PAIR_LINK,
        delay="not measured yet" if delay is None else f"{delay:.3f}",
        demands=table(["demand", "found", "holds"],
                      [[what, found or "not measured yet", "yes" if holds else "**no**"]
                       for what, found, holds in demands]),
        delays=page.delay_table(), curves=page.curve_table(), local_work=page.local_table("work"),
        local_steady=page.local_table("steady"), local_observed=page.observed_table(),
        cycles=page.cycle_table(), comm=page.comm_table(), nodes=NODES,
        node_cpu=NODE_CPU, fast=FAST_CPU, slow=SLOW_CPU, load=page.aggregate_table("load"),
        constraint=page.aggregate_table("constraint"),
        failed=f"\n## What failed\n\n{failed}" if failed else "")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "slowdown.md").write_text(text, encoding="utf-8")
    for what, found, holds in demands:
        if not holds:
            print(f"missed: {what}: {found or 'not measured'}")
    return 0 if all(holds for _, _, holds in demands) else 1
