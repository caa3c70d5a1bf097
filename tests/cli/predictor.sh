#!/bin/bash
# The predictor: all methods are asked, and their answers are combined.
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"
# shellcheck source=scaling.sh
. "$(dirname "$0")/scaling.sh"

# What app.sh takes for a square mesh, with noise of a few percent: seconds N P I
seconds() {
    awk -v n="$1" -v p="$2" -v i="$3" 'BEGIN {
        work = n * n / p
        t = work * 1e-3 + (p > 1 ? 3 + 2 * log(p) / log(2) + work * 1e-4 : 0)
        printf "%.6g", t * (1 + 0.03 * sin(7.1 * i)) }'
}
# ask ARGUMENTS...: of 1024 x 1024 on 32 processes of cluster A
ask() { "$RUNCAST" predict --app grid --size 1024 --procs 32 --platform-file p.yaml --param rows=1024 "$@"; }
# method NAME EXPRESSION: of its object, as f
method() { json "[($2) for f in j['methods'] + j['unavailable'] if f['method'] == '$1'][0]"; }

begin 'the reason of an unavailable method is shown'
printf 'app,n,p,seconds\nother,1,1,1\n' > other.csv
ok "$RUNCAST" import other.csv
fails ask
complains "no runs of 'grid' in the database"
fails ask --explain
complains "no runs of 'grid' in the database"
for reason in "no runs of 'grid' in the database" "no structural model of 'grid'" \
    "no scaling model of 'grid' on 'two'" "no trace of 'grid' with size 1024 and 32 processes" \
    'no CPU samples of a01 in the last 7 days'; do
    tr -s ' \n' ' ' < out > flat
    grep -qF "$reason" flat || fault "no '$reason' in: $(cat flat)"
done
fails ask --method slowdown
complains 'no CPU samples of a01 in the last 7 days'
complains "hint: 'runcast monitor' stores samples"
fails ask --method skeleton
complains "hint: use 'runcast trace record -o DIR -- COMMAND', then 'runcast trace import DIR --app grid --size 1024'"
fails ask --method scaling
complains "hint: use 'runcast scale plan', 'measure' and 'fit'"
misused "$RUNCAST" predict --app grid --size 1024 --procs 32 --method scaling
complains '--method scaling needs --platform-file FILE'
for wrong in '--cpu 0.5' '--phases' '--criterion paper'; do
    # shellcheck disable=SC2086 # words
    misused ask --method scaling $wrong
done
misused ask --probe 'mpirun -np 2 skel'
complains 'needs {skeleton}'
misused ask --method regression --probe '{skeleton}'
misused "$RUNCAST" predict --app grid --input other.csv --explain

begin 'one method answers alone'
target=(--app grid --platform-file p.yaml --cluster A --size 1024 --procs 32)
ok scale measure "${target[@]}" --repeat 1 --time-source program --command './app.sh log {p} {rows} {cols} {hosts}'
ok scale fit "${target[@]}"
ok ask --method scaling --no-store --json
scaled=$(json "j['predicted_s']")
# 1024 * 1024 / 32 * 1.1e-3 + 3 + 2 * 5
is "$(json "abs(j['predicted_s'] / 49.0448 - 1) < 0.01 or j['predicted_s']")" True
is "$(json "j['method'], [f['method'] for f in j['methods']], j['load'], j['model']")" \
    "('scaling', ['scaling'], None, None)"
ok scale predict "${target[@]}" --json
is "$(json "abs(j['time']['mean_s'] / $scaled - 1) < 0.02")" True 'as scale predict says'
ok ask --method scaling --no-store
prints 'methods: scaling '

begin 'scaling follows the load of the hosts'
# Computation takes 1024 * 1024 / 32 ms = 32.77 s on idle hosts, communication 16.28 s.
constant() {
    awk -v value="$1" 'BEGIN { print "t,value"; for (i = 0; i < 400; i++) print 1794000000 + i * 10 "," value }' > constant.csv
    ok "$RUNCAST" series import constant.csv "${@:2}"
}
now=1794004000
for i in 01 02; do
    constant 0.5 --host b$i --metric cpu
done
constant 0.5 --host a01 --metric cpu
constant 6250000 --link a03:a04 --metric bandwidth # half of 100 Mbit/s
b=(--app grid --platform-file p.yaml --size 1024 --param rows=1024 --method scaling --at "$now" --no-store --json)
ok "$RUNCAST" predict "${b[@]}" --procs 32 --hosts 'a[01-32]'
is "$(json "abs(j['predicted_s'] / (2 * 32.768 + 2 * 16.2768) - 1) < 0.03 or j['predicted_s']")" True 'CPU and bandwidth'
is "$(json "1.8 < j['methods'][0]['interval_s']['low'] / $scaled < 2")" True
ok "$RUNCAST" predict "${b[@]}" --procs 16 --hosts 'a[05-20]'
idle=$(json "j['predicted_s']")
constant 0.5 --host a05 --metric cpu
ok "$RUNCAST" predict "${b[@]}" --procs 16 --hosts 'a[05-20]'
# 65.536 s of computation take 131.07 s
is "$(json "abs((j['predicted_s'] - $idle) / 65.536 - 1) < 0.05 or (j['predicted_s'], $idle)")" True 'CPU alone'
for host in a05 a01 b01 b02; do
    ok "$RUNCAST" series delete --host $host --metric cpu --yes
done
ok "$RUNCAST" series delete --link a03:a04 --metric bandwidth --yes

begin 'several answers are combined'
{
    echo 'app,platform,n,p,seconds,cpu,rows,start'
    i=0
    for n in 256 384 512 768 1024; do
        for p in 1 2 4 8 16; do
            i=$((i + 1))
            echo "grid,two,$n,$p,$(seconds $n $p $i),1,$n,$((1790000000 + i * 1000))"
        done
    done
} > runs.csv
ok "$RUNCAST" import runs.csv
printf 'model grid\ninput N from size\ninput P from processes\ninput rows = 1024\ntotal t = N * rows / P * 2.4ms\n' > grid.rcm
ok "$RUNCAST" model add grid.rcm
ok ask --no-store --json
is "$(json "j['method'], [f['method'] for f in j['methods']]")" \
    "('combined', ['regression', 'structural', 'scaling'])"
is "$(json "abs(sum(f['weight'] for f in j['methods']) - 1) < 1e-9 and j['recalibration'] is None")" True
is "$(json "min(f['interval_s']['low'] for f in j['methods']) <= j['interval_s']['low'] <= j['predicted_s'] <= j['interval_s']['high']")" True
is "$(method skeleton "'weight' in f, 'no trace' in f['reason'], 'trace import' in f['hint']")" \
    '(False, True, True)'
is "$(json "j['load']['source'], j['model']['run_count'] > 25, 'size_factor' in j['extrapolation'], j['id']")" \
    "('dedicated', True, True, None)"
ok ask --no-store
prints 'methods: regression '
prints ', structural 00:01:19 (weight '
ok ask --no-store --explain
is "$(awk '/^method / { on = 1 } on && NF > 4 { print $1 }' out | head -n 8 | tr '\n' ' ')" \
    'method regression structural scaling skeleton slowdown history combined '
for one in regression structural; do
    ok ask --method $one --no-store --json
    is "$(json "j['method'], len(j['methods']), j['methods'][0]['weight']")" "('$one', 1, 1)"
done
# options of regression select it
ok ask --cpu 0.5 --json
is "$(json "j['method'], j['load']['source'], j['id']")" "('regression', 'given', None)"
ok ask --criterion paper --no-store --json
is "$(json "j['method'], j['model']['criterion']")" "('regression', 'paper')"

begin 'past accuracy changes the weights'
start=1795000000
for i in {1..14}; do
    start=$((start + 1000))
    ok ask --at $start --json
    is "$(json "j['id'] is not None, len({f['id'] for f in j['methods']} | {j['id']})")" \
        '(True, 4)' 'all are stored'
    printf 'app,platform,n,p,seconds,start,rows\ngrid,two,1024,32,%s,%d,1024\n' \
        "$(seconds 1024 32 "$i")" $((start + 1)) > run.csv
    ok "$RUNCAST" import run.csv
done
ok ask --at $((start + 1000)) --no-store --json
is "$(json "[f['past_accuracy']['run_count'] for f in j['methods'] + j['unavailable']], j['past_coverage']['interval_count']")" \
    '([14, 14, 14, 0, 0, 0], 14)'
# structural predicts 1.6 times the run time; its factor corrects that
is "$(method structural "0.6 < f['factor'] < 0.65")" True
is "$(method structural "f['past_accuracy']['mape_fraction'] > 0.4")" True # it is corrected after ten runs
is "$(method scaling "f['past_accuracy']['mape_fraction'] < 0.04")" True
is "$(json "abs(j['predicted_s'] / 49 - 1) < 0.04 and j['interval_s']['high'] < 1.15 * j['interval_s']['low'] or j['predicted_s']")" True
is "$(json "j['recalibration']['run_count'], j['recalibration']['before']['predicted_s'] > 0")" '(14, True)'
is "$(json "0 < j['recalibration']['interval_scale'] < 1, j['recalibration']['low_shift_fraction']")" \
    '(True, 0)' 'all 14 were within the interval: it becomes narrower'
ok ask --at $((start + 1000)) --no-store --explain
prints 'recalibration: by 14 earlier runs; interval before: '
is "$(grep -cE '^past coverage: [0-9]+ of 14 intervals$' out)" 1
is "$(awk '$1 == "structural" { print $(NF - 3) }' out)" 0.625 'the factor'
# a question for an earlier time ignores later runs
ok ask --at 1795001000 --no-store --json
is "$(json "[f['past_accuracy']['run_count'] for f in j['methods'] + j['unavailable']], j['recalibration']")" '([0, 0, 0, 0, 0, 0], None)'
is "$(method structural "f['factor']")" 1

begin 'predict, its tables and advise give the same answer'
at=$((start + 1000))
for host in a01 a02 a03 a04; do
    awk -v at=$at 'BEGIN { print "t,value"; for (i = 400; i > 0; i--) print at - i * 10 "," 0.7 + 0.2 * sin(i / 9) }' > series.csv
    ok "$RUNCAST" series import series.csv --host $host --metric cpu
done
# answer_of FILE: the time and its interval, as short as tables have them
answer_of() { python3 -c "import json, sys; j = json.load(open(sys.argv[1]))
print(*('%.7g' % x for x in (j['predicted_s'], j['interval_s']['low'], j['interval_s']['high'])))" "$1"; }
# same_keys FILE FILE: which of these times are the same in both
same_keys() { python3 -c "import json, sys; one, other = (json.load(open(name)) for name in sys.argv[1:])
print(*(key for key in ('p50_s', 'mean_s') if '%.7g' % one[key] == '%.7g' % other[key]))" "$@"; }
for procs in 3 4; do
    hosts="a[01-0$procs]"
    ok "$RUNCAST" predict --app grid --size 1024 --procs $procs --platform-file p.yaml --hosts "$hosts" --param rows=1024 \
        --at $at --no-store --json
    is "$(json "j['method'], len(j['methods']) >= 3, j['load']['source']")" \
        "('combined', True, 'forecast')"
    is "$(json "j['recalibration'] is not None")" True
    predicted=$(answer_of out)
    cp out predict.json
    printf 'app,n,p,hosts,start,rows\ngrid,1024,%d,%s,%d,1024\n' $procs "$hosts" $at > row.csv
    ok "$RUNCAST" predict --app grid --platform-file p.yaml --input row.csv
    is "$(awk -F, 'NR == 2 { for (i = NF - 2; i <= NF; i++) printf "%.7g%s", $i, i < NF ? " " : "\n" }' out)" "$predicted" \
        "predict --input, $procs processes"
    ok "$RUNCAST" advise --app grid --size 1024 --procs $procs --platform-file p.yaml --hosts "$hosts" --param rows=1024 \
        --at $at --no-store --json
    python3 -c "import json; j = json.load(open('out'))
hosts = ['a%02d' % (i + 1) for i in range($procs)]
json.dump([c for c in j['shortlist'] if c['hosts'] == hosts][0], open('advised.json', 'w'))"
    is "$(answer_of advised.json)" "$predicted" "advise, $procs processes"
    is "$(same_keys predict.json advised.json)" "p50_s mean_s" "advise, $procs processes: further times"
done

begin 'weights go to the more accurate method'
# n / 100 seconds; the model is right for 1000 alone
printf 'model square\ninput N from size\ntotal t = N * N / 1e5\n' > square.rcm
ok "$RUNCAST" model add square.rcm
awk 'BEGIN { print "app,n,p,seconds,start"
    for (i = 0; i < 16; i++) { n = 400 + 100 * i
        printf "square,%d,1,%.6g,%d\n", n, n / 100 * (1 + 0.02 * sin(5.3 * i)), 1790000000 + i * 100 } }' > square.csv
ok "$RUNCAST" import square.csv
start=1795000000
for i in {1..12}; do
    start=$((start + 1000))
    n=$((i % 2 ? 700 : 1300))
    ok "$RUNCAST" predict --app square --size $n --procs 1 --at $start
    printf 'app,n,p,seconds,start\nsquare,%d,1,%s,%d\n' $n \
        "$(awk -v n=$n -v i="$i" 'BEGIN { printf "%.6g", n / 100 * (1 + 0.02 * sin(3.7 * i)) }')" \
        $((start + 1)) > run.csv
    ok "$RUNCAST" import run.csv
done
ok "$RUNCAST" predict --app square --size 1300 --procs 1 --at $((start + 1000)) --no-store --json
is "$(method regression "f['weight'] > 0.9 and f['past_accuracy']['mape_fraction'] < 0.05")" True
is "$(method structural "f['weight'] < 0.1 and f['past_accuracy']['mape_fraction'] > 0.25")" True
is "$(json "abs(j['predicted_s'] / 13 - 1) < 0.05 or j['predicted_s']")" True

begin 'accuracy shows combined predictions first, then each method'
ok "$RUNCAST" accuracy --app grid --json
is "$(json "j['method'], j['predictions']['run_count'], len({p['start'] for p in j['predictions']['each']})")" \
    "('combined', 14, 14)"
is "$(json "[(f['method'], f['run_count']) for f in j['methods']]")" \
    "[('regression', 14), ('structural', 14), ('scaling', 14)]"
ok "$RUNCAST" accuracy --app grid
prints 'Predictions: 14, all compared with a run'
is "$(awk '/^Predictions of these runs/ { on = 1 } on && NF > 5 && $1 != "method" && $1 != "Predictions" { print $1, $2 }' out | head -n 4 | tr '\n' ' ')" \
    'combined 14 regression 14 structural 14 scaling 14 '
ok "$RUNCAST" accuracy --app grid --method scaling --json
is "$(json "j['method'], j['predictions']['run_count'], j['predictions']['mape_fraction'] < 0.04")" "('scaling', 14, True)"
fails "$RUNCAST" accuracy --app grid --method skeleton
complains 'no run yet that skeleton predicted'
ok "$RUNCAST" db check

begin 'slowdown answers for monitored hosts'
printf 'app,n,p,seconds,cpu,start\nsolo,100,1,10,1,1790000000\nsolo,100,1,10.2,0.99,1790001000\n' > solo.csv
ok "$RUNCAST" import solo.csv
awk 'BEGIN { print "t,value"; for (i = 0; i < 400; i++) print i * 10 "," 0.5 }' > series.csv
ok "$RUNCAST" series import series.csv --host h1 --metric cpu --time-origin 2026-11-15
ok "$RUNCAST" predict --app solo --size 100 --procs 1 --hosts h1 --at 2026-11-15T01:06:40Z --method slowdown --json
# 10.1 s, with a competing process that computes all the time
is "$(json "abs(j['predicted_s'] / 20.2 - 1) < 0.05 or j['predicted_s']")" True
is "$(json "j['method'], j['hosts'], j['id'] is not None")" "('slowdown', ['h1'], True)"

begin 'slowdown needs the number of cores that several processes share'
fails "$RUNCAST" predict --app solo --size 100 --procs 2 --hosts h1 --at 2026-11-15T01:06:40Z --method slowdown
complains 'unknown number of cores of h1, which 2 processes share'
complains 'use --platform-file FILE'

begin 'a skeleton answers if it is run'
if ! command -v mpicc.openmpi > which || ! command -v mpirun.openmpi > which; then
    skip 'needs Open MPI'
else
    mpirun='mpirun.openmpi --allow-run-as-root --oversubscribe -np 2'
    ok mpicc.openmpi -O2 -o ahead "$SOURCE_ROOT/tests/cli/ahead_program.c"
    # shellcheck disable=SC2086 # words
    ok timeout 60 "$RUNCAST" trace record -o rec -- $mpirun ./ahead halo 400 10
    ok "$RUNCAST" trace import rec --app ahead --size 400
    probe=(--app ahead --size 400 --procs 2 --method skeleton)
    fails "$RUNCAST" predict "${probe[@]}"
    complains 'no measured skeleton of the trace in'
    ok timeout 60 "$RUNCAST" skeleton build rec --ratio 10 --force -o skel.c
    ok mpicc.openmpi -O2 -o skel skel.c -lm
    # shellcheck disable=SC2086 # words
    ok timeout 60 "$RUNCAST" skeleton measure rec ./skel --repeat 2 -- $mpirun ./skel
    fails "$RUNCAST" predict "${probe[@]}"
    complains 'no run of the skeleton on the hosts'
    complains "hint: use --probe 'mpirun -np 2 {skeleton}'"
    fails "$RUNCAST" predict --app ahead --size 500 --procs 2 --method skeleton
    complains "no trace of 'ahead' with size 500 and 2 processes"
    ok timeout 60 "$RUNCAST" predict "${probe[@]}" --probe "${mpirun/ 2/} {procs} {skeleton}" --json
    is "$(json "j['method'], j['predicted_s'] > 0 and j['interval_s']['low'] < j['predicted_s'] < j['interval_s']['high'], j['id'] is not None")" \
        "('skeleton', True, True)"
    is "$(json "j['probe']['skeleton'].endswith('/skel'), j['probe']['time_s'] > 0")" '(True, True)'
    # The run time is that of the whole command: a start-up of a second is part of it.
    is "$(json "0 < j['probe']['startup_time_s'] < j['predicted_s']")" True
    startup=$(json "j['probe']['startup_time_s']")
    ok timeout 60 "$RUNCAST" predict "${probe[@]}" --probe "sh -c 'sleep 1; ${mpirun/ 2/} 2 {skeleton}'" --no-store --json
    is "$(json "j['probe']['startup_time_s'] > max(1, $startup) and j['predicted_s'] > j['probe']['startup_time_s']")" True
    fails timeout 60 "$RUNCAST" predict "${probe[@]}" --probe 'sh -c "echo no; exit 3" {skeleton}'
    complains 'the command ended with status 3'
    # asked with all others, a probe that fails is noted
    printf 'app,n,p,seconds,start\nahead,400,1,9,1790000000\nahead,200,1,5,1790000100\nahead,100,1,3,1790000200\nahead,50,2,2,1790000300\n' > ahead.csv
    ok "$RUNCAST" import ahead.csv
    ok timeout 60 "$RUNCAST" predict --app ahead --size 400 --procs 2 --probe 'false {skeleton}' --no-store --extrapolate
    complains 'note: --probe had no effect: the command ended with status 1'
    ok timeout 60 "$RUNCAST" predict --app ahead --size 400 --procs 2 --probe "$mpirun {skeleton}" --json
    is "$(json "[f['method'] for f in j['methods']]")" "['regression', 'skeleton']"
    rm skel
    fails "$RUNCAST" predict "${probe[@]}"
    complains 'no measured skeleton of the trace in'
fi
nothing_left

finish
