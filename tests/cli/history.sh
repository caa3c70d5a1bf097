#!/bin/bash
# Predictions from a few runs.
# shellcheck source=tests/cli/harness.sh
. "$SOURCE_ROOT/tests/cli/harness.sh"

add() { # APP N P SECONDS [STATUS]
    printf 'app,n,p,seconds,state\n%s,%s,%s,%s,%s\n' "$1" "$2" "$3" "$4" "${5:-COMPLETED}" > run.csv
    ok "$RUNCAST" import run.csv
}
ask() { "$RUNCAST" predict --no-store "$@"; }
width() { json "j['interval_s']['high'] / j['interval_s']['low']"; }

begin 'one run is an answer'
add one 1000 4 12
ok ask --app one
prints 'one, size 1000, 4 processes: 1'
prints 'last time: 12 s (1 run of this configuration)'
ok ask --app one --json
is "$(json "j['method'], abs(j['predicted_s'] / 12 - 1) < 0.02, j['history']")" \
    "('history', True, {'run_count': 1, 'same_configuration_count': 1, 'last_s': 12, 'killed_run_count': 0, 'elsewhere': False})"
same=$(width)
ok ask --app one --size 2000 --procs 4
prints 'history: 1 run (none of this configuration)'
ok ask --app one --size 2000 --procs 4 --json
is "$(json "12 < j['predicted_s'] < 96, j['history']['last_s'], j['interval_s']['high'] / j['interval_s']['low'] > 2 * $same")" \
    '(True, None, True)'

begin 'a far too wide interval is refused, with the run to record before'
fails ask --app one --size 1e6 --procs 64
complains 'the runs do not show the run time: the ends of the 90 % interval differ by a factor of '
complains 'hint: record a run with --size 2000 --procs 8 first; --extrapolate predicts all the same'
ok ask --app one --size 1e6 --procs 64 --extrapolate

begin 'repeated runs narrow the interval, and killed runs are reported'
for seconds in 12.1 11.9 12.05; do
    add one 1000 4 $seconds
done
add one 1000 4 3 TIMEOUT
ok ask --app one --method history
prints 'last time: 12.1 s (4 runs of this configuration)'
prints 'killed runs: 1 (lower bound of the run time)'
ok ask --app one --method history --json
is "$(json "$same / 1.2 > j['interval_s']['high'] / j['interval_s']['low'] > 1.01, j['history']['killed_run_count']")" '(True, 1)'

begin 'runs that were killed at a longer time widen the interval'
for seconds in 10 10.4 9.9; do
    add cut 1000 4 $seconds
done
ok ask --app cut --method history --json
is "$(json "j['p95_s'] < 15")" True
add cut 1000 4 20 TIMEOUT
add cut 1000 4 21 TIMEOUT
ok ask --app cut --method history --json
is "$(json "j['predicted_s'] > 10.5, j['p95_s'] > 20, j['history']['killed_run_count']")" '(True, True, 2)'

ok ask --app cut --size 2000 --procs 4 --json
alone=$(json "j['p99_s']")
add cut 2000 4 0.5 TIMEOUT
ok ask --app cut --size 2000 --procs 4 --json
is "$(json "j['p99_s'] == $alone, j['history']['killed_run_count']")" '(True, 2)' 'a bound without a completed run'

begin 'runs on other platforms are used if there are no others'
ok ask --app one --size 1000 --procs 4 --platform elsewhere --method history
prints '; on other platforms)'

begin 'a run under load is converted to idle hosts, and to the forecast load'
printf 'app,n,p,seconds,cpu,hosts\nbusy,1000,1,20,0.5,h1\n' > busy.csv
ok "$RUNCAST" import busy.csv
ok ask --app busy --hosts h2 --json
is "$(json "10 < j['predicted_s'] < 14")" True 'idle hosts: 20 s times 0.5^0.75'
awk 'BEGIN { print "t,value"; for (i = 0; i < 400; i++) print 1794000000 + i * 10 ",0.5" }' > half.csv
ok "$RUNCAST" series import half.csv --host h1 --metric cpu
ok ask --app busy --at 1794004000
prints 'load: CPU availability 0.5 (forecast)'
ok ask --app busy --at 1794004000 --json
is "$(json "j['defaults'], 18 < j['predicted_s'] < 23")" "(['size', 'procs', 'hosts'], True)"

begin 'with enough runs, regression answers alone'
for n in 100 200 400 800 1600; do
    add many $n 1 "$n"
    add many $n 2 "$((n / 2)).5"
done
ok ask --app many --size 400 --procs 2 --json
is "$(json "j['method'], [m['reason'] for m in j['unavailable'] if m['method'] == 'history'], j['history']")" \
    "('regression', ['enough runs for regression'], None)"
ok ask --app many --size 400 --procs 2 --method history --json
is "$(json "j['method'], j['history']['run_count'], abs(j['predicted_s'] / 200 - 1) < 0.05")" "('history', 10, True)"
# Fewer runs: both.
for n in 100 200 400; do
    add some $n 1 "$n"
    add some $n 2 "$((n / 2)).5"
done
ok ask --app some --size 300 --procs 1 --json
is "$(json "j['method'], [m['method'] for m in j['methods']], 270 < j['predicted_s'] < 330")" \
    "('combined', ['regression', 'history'], True)"

begin 'history gives way to a structural model'
add two 1000 4 12
printf 'model two\ninput N from size\ninput P from processes\ntotal t = N / P * 50ms\n' > two.rcm
ok "$RUNCAST" model add two.rcm
ok ask --app two --size 1000 --procs 4 --json
is "$(json "j['method'], [m['reason'] for m in j['unavailable'] if m['method'] == 'history'], j['history']")" \
    "('structural', ['method structural has answered'], None)"

begin 'a far too wide interval is refused, whichever methods know the runs alone'
for seconds in 10 10.1 10.2 10.3 10.4; do
    add same 1 1 $seconds
done
fails ask --app same --size 1000 --procs 1
complains 'the runs do not show the run time'
fails ask --app same --size 1000 --procs 1 --hosts h1 --at 1794004000
complains 'the runs do not show the run time'
ok ask --app same --size 1000 --procs 1 --hosts h1 --at 1794004000 --extrapolate --json
is "$(json "sorted(m['method'] for m in j['methods'])")" "['history', 'regression', 'slowdown']"

begin 'no run, no answer'
fails ask --app none --size 1 --procs 1 --method history
complains "no completed run of 'none' in the database"
fails ask --app none --size 1 --procs 1
complains "no runs of 'none' in the database"

finish
