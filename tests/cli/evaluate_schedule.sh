#!/bin/bash
# The program that compares policies of split under loads.
. "$(dirname "$0")/harness.sh"

cat > levels.yaml << 'END'
kind: modal
cpu:
  levels: [0.9, 0.5, 0.3]
  dwell: 30s..300s
  again: 0
  spread: 0.05
link:
  levels: [1]
END
try() {
    "$EVALUATE_SCHEDULE" hosts=a,b speeds=2e6,1e6 units=300 operations=5000 iterations=10 \
        coupling=tight first=30000 past=20000 draws=100 "$@"
}

begin 'wrong arguments are refused'
misused "$EVALUATE_SCHEDULE"
complains 'something is missing'
misused try loads=levels.yaml,levels.yaml steps=3
complains "unknown setting 'steps'"
misused try loads=levels.yaml,nowhere.yaml

begin 'a given division is simulated'
# 10 iterations of 200 x 5000 operations on each million of a second
ok try loads=none,none split=200,100 messages=0.25
is "$(cat out)" '30000.000,given,7.500000,200,100'
ok try loads=none,none split=100,200
is "$(cat out)" '30000.000,given,10.000000,100,200'

begin 'every policy divides the same runs, and none beats hindsight'
ok try loads=levels.yaml,levels.yaml runs=5 every=120
is "$(python3 - << 'END'
import csv
runs = {}
for start, policy, seconds, *units in csv.reader(open("out", encoding="utf-8")):
    runs.setdefault(start, {})[policy] = float(seconds)
    assert abs(sum(map(float, units)) - 300) < 1e-3, units
print(len(runs), sorted(runs["30000.000"]),
      all(min(each.values()) == each["hindsight"] for each in runs.values()))
END
)" "5 ['95tf', 'forecast', 'hindsight', 'last', 'mean', 'optimal', 'oracle', 'vtf'] True"
cp out first
ok try loads=levels.yaml,levels.yaml runs=5 every=120
is "$(cmp out first)" ''

begin 'recorded loads have no oracle'
awk 'BEGIN { print "t,value"; for (i = 0; i < 1000; i++) print 60 * i "," 0.3 + i % 7 / 10 }' > load.csv
ok try loads=replay:load.csv,replay:load.csv
is "$(grep -c oracle out)" 0
is "$(grep -c optimal out)" 1

begin 'Window and Compare are those of the library'
printf '0 38.5\n1 32.8\n2 34.6\n0 34\n1 33.9\n2 34.7\n' > runs.txt
metrics() { "$EVALUATE_SCHEDULE" metrics=3 < "$1"; }
ok metrics runs.txt
is "$(tr '\n' ';' < out)" '4;0 0 1 0;4 2 0 0;0 0 0 1;'
printf '3 1\n' > bad.txt
misused metrics bad.txt
complains 'unknown policy'

finish
