#!/bin/bash
# The program that compares advice with an oracle's, and the page that evaluate/advise writes.
. "$(dirname "$0")/harness.sh"

export RUNCAST_EVALUATE=$WORK/kept RUNCAST_PAGES=$WORK/pages
evaluate() { "$SOURCE_ROOT/evaluate/advise" "$RUNCAST" "$@"; }

begin 'wrong arguments are refused'
misused "$EVALUATE_ADVISE"
complains 'usage: evaluate-advise'
misused "$EVALUATE_ADVISE" time-limit 10 100
complains 'usage: evaluate-advise'
misused "$EVALUATE_ADVISE" choose 0 100
complains "CASES: '0' is not a whole number"
misused "$EVALUATE_ADVISE" choose 1 10s
complains "SECONDS: '10s' is not a number"
misused "$EVALUATE_ADVISE" time-limit 1 100 1
complains "RISK: '1' is not a number above 0 and below 1"
misused "$EVALUATE_ADVISE" choose 1 100 x
complains "SEED: 'x' is not a whole number"
fails evaluate everything
complains 'usage: evaluate/advise'

begin 'time limits on 1 to 8 hosts'
ok "$EVALUATE_ADVISE" time-limit 3 100 0.01
is "$(cut -d, -f1-3 out)" 'hosts,by,cases
1,samples,3
1,samples and past accuracy,3
1,oracle,3
2,samples,3
2,samples and past accuracy,3
2,oracle,3
4,samples,3
4,samples and past accuracy,3
4,oracle,3
8,samples,3
8,samples and past accuracy,3
8,oracle,3'
is "$(awk -F, 'NR > 1 && ($4 < 0 || $4 > 3 || $5 <= 0)' out)" ''
cp out first
ok "$EVALUATE_ADVISE" time-limit 3 100 0.01 1
is "$(cmp out first)" ''
ok "$EVALUATE_ADVISE" time-limit 3 100 0.01 2
cmp -s out first && fault 'another seed gives the same'

begin 'hosts are chosen, and none are better than the best in hindsight'
ok "$EVALUATE_ADVISE" choose 2 100
is "$(cut -d, -f1-3 out)" 'choice,by,cases
4 of 8 hosts,advise,2
4 of 8 hosts,oracle,2
4 of 8 hosts,highest availability now,2
4 of 8 hosts,first hosts,2
any number of hosts,advise,2
any number of hosts,oracle,2
any number of hosts,highest availability now,2
any number of hosts,first hosts,2'
is "$(awk -F, 'NR > 1 && !($4 >= 0)' out)" ''

begin 'a few cases are measured, stored and reported; missing measurements are reported, too'
export RUNCAST_CASES=2
fails evaluate time-limits choices report
prints 'time-limit-300-2-2: '
prints 'sizes and processes of ssor: measured: missing'
prints 'time of an answer: measured: missing'
is "$(grep -c '^W = .* s, seed .*, 2 cases for each number of hosts:$' pages/advise.md)" 4
is "$(grep -c '^W = .* s, 1 cases:$' pages/advise.md)" 3
"$EVALUATE_ADVISE" time-limit 2 300 0.01 2 > told
is "$(awk -F, '$1 == 8 && $2 == "oracle" {
        printf "| 8 | oracle | %.2f %% | %.3f |", 50 * $4, $5 }' told)" \
    "$(tail -n +"$(grep -n 'W = 300 s, seed 2' pages/advise.md | cut -d: -f1)" pages/advise.md |
        grep -m1 '^| 8 | oracle' | sed 's/ 1.000 |$//')"

begin 'stored results are not computed again, and few cases do not replace many'
cp pages/advise.md first.md
fails evaluate time-limits choices report
is "$(grep -c '^time-limit-\|^choice-' out)" 0
is "$(cmp pages/advise.md first.md)" ''
RUNCAST_CASES=3 fails evaluate report
prints 'time limits, W = 100 s, seed 1: measured: missing'

begin 'failures are reported and tried again'
# Beside this program there is none that tries advice.
RUNCAST_EVALUATE=$WORK/failed fails "$SOURCE_ROOT/evaluate/advise" nowhere/runcast choices report
prints 'choice-200-1: FAILED: choose 1 200: status 127'
prints 'choices, W = 200 s: measured: missing'
RUNCAST_EVALUATE=$WORK/failed ok evaluate choices
prints 'choice-200-1: '

begin 'times of answers, on platforms of several sizes'
ok python3 -B "$SOURCE_ROOT/bench/advise.py" "$RUNCAST" 64 --json
is "$(json '[each["hosts"] for each in j["each"]], j["cores"] > 0')" '([1, 8, 64], True)'
is "$(json '{what: [len(each[what]) for each in j["each"]]
             for what in ("passed", "cpu", "others")}')" \
    "{'passed': [5, 5, 5], 'cpu': [5, 5, 5], 'others': [5, 5, 5]}"
is "$(json 'all(number > 0 for each in j["each"] for what in ("passed", "cpu")
                for number in each[what])')" True

# Made-up measurements, each just within its criterion; then each beyond it.
cat > within.py << 'END_PYTHON'
import json, pathlib, sys
kept = pathlib.Path("within")
kept.mkdir(exist_ok=True)
beyond = sys.argv[1] if len(sys.argv) > 1 else ""

def keep(name, what):
    (kept / f"{name}.json").write_text(json.dumps(what))

for seconds in (100, 300):
    for seed in (1, 2):
        last = (seconds, seed) == (300, 2)
        keep(f"time-limit-{seconds}-{seed}-1000", {"rows": [
            {"hosts": hosts, "by": by, "cases": 1000,
             "exceeded": 30 if by == "samples" else 21 if beyond == "exceeded" and last else 20,
             "ratio": 2.0 if by == "oracle" else 2.41 if beyond == "ratio" and last else 2.39}
            for hosts in (1, 2, 4, 8) for by in ("samples", "samples and past accuracy", "oracle")]})
for seconds in (200, 800, 1600):
    keep(f"choice-{seconds}-300", {"rows": [
        {"choice": task, "by": by, "cases": 300, "error": 0.01 if by == "advise" else None,
         "longer": 0.5 if by == "oracle" else
         0.576 if beyond == task and seconds == 800 else 0.574}
        for task in ("4 of 8 hosts", "any number of hosts")
        for by in ("advise", "oracle", "highest availability now", "first hosts")]})
for app in "eigen fft cg md poisson is ssor".split():
    lost = {way: [0, 0, 0, 8] for way in ("known", "forecast")}
    if app == "is" and beyond in ("average", "worst"):
        lost["forecast"] = [0, 0, 1, 8] if beyond == "average" else [0, 0, 0, 0, 0, 8.1]
    keep(f"groups-{app}", {"lost": lost})
keep("speed", {"cores": 2, "each": [
    {"hosts": hosts, "passed": [0.5, 0.9, 7, *([1.01, 1.2] if beyond == "speed" else [0.9, 0.6])],
     "cpu": [0.1] * 5, "others": [0.5] * 5} for hosts in (16, 128, 1024)]})
END_PYTHON
unset RUNCAST_CASES
export RUNCAST_EVALUATE=$WORK/within

begin 'all criteria are met'
ok python3 within.py
ok evaluate report
is "$(grep -c '^met: ' out)" 7
is "$(grep -c '| yes |$' pages/advise.md)" 7
prints 'at most 2.0 % in each of 16 rows'
prints '2.00 % and 8.00 %, of 28 groups'
prints '0.90 s, the median of 5 (0.50 to 7.00 s)'

# beyond WHAT CRITERION: WHAT is beyond its limit; CRITERION is the only one that is not met.
beyond() {
    ok python3 within.py "$1"
    fails evaluate report
    is "$(grep -c '^NOT MET' out)" 1 "$1"
    prints "NOT MET: $2"
    is "$(grep -c '\*\*no\*\*' pages/advise.md)" 1 "$1"
}
begin 'a result beyond its limit in one row is not met'
beyond exceeded 'a time limit at 1 % risk is exceeded'
beyond ratio 'its ratio to the run time'
beyond '4 of 8 hosts' '4 of 8 hosts: regret'
beyond 'any number of hosts' 'any number of hosts: regret'
beyond average 'Table 5, load forecast'
beyond worst 'Table 5, load forecast'
beyond speed "\`advise\` over 1024 hosts"

begin 'groups are of sizes with like times, and lose what another run would have saved'
is "$(cd "$SOURCE_ROOT/evaluate" && python3 -B - << 'END_PYTHON'
import advise_groups
idle = {1: 10, 2: 60, 3: 60.5, 4: 100, 5: 200}
runs = [{"n": n, "seconds": seconds, "known": known, "forecast": forecast}
        for n, seconds, known, forecast in
        ((2, 50, 50, 50), (1, 40, 41, 60), (4, 90, 90, 80), (3, 75, 70, 85), (5, 9, 9, 9))]
print([[run["n"] for run in members] for members in advise_groups.groups(runs, idle)])
print({way: [round(loss, 6) for loss in lost]
       for way, lost in advise_groups.losses(runs, idle).items()})
END_PYTHON
)" "[[1, 2], [3, 4], [5]]
{'known': [0.0, 0.0], 'forecast': [25.0, 20.0]}"

finish
