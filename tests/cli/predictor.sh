#!/bin/bash
# The one predictor: all methods are asked, and one answer comes of it.
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
ask() { "$RUNCAST" predict --app grid --size 1024 --procs 32 --platform p.yaml --param rows=1024 "$@"; }
# family NAME EXPRESSION: of its object, as f
family() { json "[($2) for f in j['families'] if f['family'] == '$1'][0]"; }

begin 'a family that cannot answer says what it lacks'
printf 'app,n,p,seconds\nother,1,1,1\n' > other.csv
ok "$RUNCAST" import other.csv
fails ask
complains "the store has no run of 'grid' to learn from"
fails ask --explain
complains "the store has no run of 'grid' to learn from"
for says in "the store has no run of 'grid' to learn from" "the store has no structural model of 'grid'" \
    "there is no scaling model of 'grid' on 'two'" "the store knows no recording of 'grid'" \
    'nobody has seen who else is busy on a01'; do
    tr -s ' \n' ' ' < out > flat
    grep -qF "$says" flat || fault "no '$says' in: $(cat flat)"
done
fails ask --family slowdown
complains 'nobody has seen who else is busy on a01'
complains "hint: 'runcast watch' and 'runcast sense' keep them"
fails ask --family skeleton
complains "hint: 'runcast trace -o DIR -- COMMAND' makes one"
fails ask --family scaling
complains "hint: 'runcast scale plan', 'measure' and 'fit' make one"
misused "$RUNCAST" predict --app grid --size 1024 --procs 32 --family scaling
complains '--family scaling wants --platform FILE.yaml'
for wrong in '--cpu 0.5' '--parts' '--criterion paper'; do
    # shellcheck disable=SC2086 # words
    misused ask --family scaling $wrong
done
misused ask --probe 'mpirun -np 2 skel'
complains 'with {skeleton}'
misused ask --family regression --probe '{skeleton}'
misused "$RUNCAST" predict --app grid --csv other.csv --explain

begin 'one family alone answers as ever'
target=(--app grid --platform p.yaml --cluster A --size 1024 --procs 32)
ok scale measure "${target[@]}" --repeats 1 --told --command './app.sh log {p} {rows} {cols} {hosts}'
ok scale fit "${target[@]}"
ok ask --family scaling --no-store --json
scaled=$(json "j['predicted']")
# 1024 * 1024 / 32 * 1.1e-3 + 3 + 2 * 5
is "$(json "abs(j['predicted'] / 49.0448 - 1) < 0.01 or j['predicted']")" True
is "$(json "j['family'], [f['family'] for f in j['families']], j['load'], j['model']")" \
    "('scaling', ['scaling'], None, None)"
ok scale predict "${target[@]}" --json
is "$(json "abs(j['seconds']['mean'] / $scaled - 1) < 0.02")" True 'as scale predict says'
ok ask --family scaling --no-store
prints 'from    scaling '

begin 'several answer together'
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
is "$(json "j['family'], [f['family'] for f in j['families'] if f['answered']]")" \
    "('door', ['regression', 'structure', 'scaling'])"
is "$(json "abs(sum(f['weight'] for f in j['families']) - 1) < 1e-9 and j['learnt'] is None")" True
is "$(json "min(f['lo90'] for f in j['families'] if f['answered']) <= j['lo90'] <= j['predicted'] <= j['hi90']")" True
is "$(family skeleton "f['answered'], f['weight'], 'no recording' in f['why'], 'trace keep' in f['hint']")" \
    '(False, 0, True, True)'
is "$(json "j['load']['source'], j['model']['runs'] > 25, 'n' in j['beyond'], j['id']")" \
    "('dedicated', True, True, None)"
ok ask --no-store
prints 'from    regression '
prints ', structure 1.311 min (weight '
ok ask --no-store --explain
is "$(awk '/^family/ { on = 1 } on && NF > 4 { print $1 }' out | head -n 7 | tr '\n' ' ')" \
    'family regression structure scaling skeleton slowdown together '
for one in regression structure; do
    ok ask --family $one --no-store --json
    is "$(json "j['family'], len(j['families']), j['families'][0]['weight']")" "('$one', 1, 1)"
done
# what is one family's goes to that family
ok ask --cpu 0.5 --json
is "$(json "j['family'], j['load']['source'], j['id']")" "('regression', 'given', None)"
ok ask --criterion paper --no-store --json
is "$(json "j['family'], j['model']['criterion']")" "('regression', 'paper')"

begin 'records move the weights'
start=1795000000
for i in {1..14}; do
    start=$((start + 1000))
    ok ask --at $start --json
    is "$(json "j['id'] is not None, len({f['id'] for f in j['families'] if f['answered']} | {j['id']})")" \
        '(True, 4)' 'all are kept'
    printf 'app,platform,n,p,seconds,start,rows\ngrid,two,1024,32,%s,%d,1024\n' \
        "$(seconds 1024 32 "$i")" $((start + 1)) > run.csv
    ok "$RUNCAST" import run.csv
done
ok ask --at $((start + 1000)) --no-store --json
is "$(json "[f['record']['runs'] for f in j['families']], j['history']['predictions']")" \
    '([14, 14, 14, 0, 0], 14)'
# structure says 1.6 times as much as comes; that is known by now, and mended
is "$(family structure "0.6 < f['factor'] < 0.65")" True
is "$(family structure "f['record']['error'] > 40")" True # it mends itself after ten of them
is "$(family scaling "f['record']['error'] < 4")" True
is "$(json "abs(j['predicted'] / 49 - 1) < 0.04 and j['hi90'] < 1.15 * j['lo90'] or j['predicted']")" True
is "$(json "j['learnt']['predictions'], j['learnt']['own']['predicted'] > 0")" '(14, True)'
ok ask --at $((start + 1000)) --no-store --explain
prints 'learnt  from 14 earlier runs: the interval would have held as it should, and stays as it is'
prints 'of 14 such intervals held their run'
is "$(awk '$1 == "structure" { print $(NF - 3) }' out)" 0.625 'the factor'
# what is asked of an earlier time knows nothing of later runs
ok ask --at 1795001000 --no-store --json
is "$(json "[f['record']['runs'] for f in j['families']], j['learnt']")" '([0, 0, 0, 0, 0], None)'
is "$(family structure "f['factor']")" 1

begin 'predict, its tables and advise answer the same question alike'
at=$((start + 1000))
for host in a01 a02 a03 a04; do
    awk -v at=$at 'BEGIN { print "t,value"; for (i = 400; i > 0; i--) print at - i * 10 "," 0.7 + 0.2 * sin(i / 9) }' > series.csv
    ok "$RUNCAST" series import series.csv --host $host --metric cpu
done
# numbers FILE EXPRESSION: predicted, lo90 and hi90 of an object, as short as tables have them
numbers() { python3 -c "import json, sys; j = json.load(open(sys.argv[1])); o = $2
print(*('%.7g' % o[k] for k in ('predicted', 'lo90', 'hi90')))" "$1"; }
for procs in 3 4; do
    hosts="a[01-0$procs]"
    ok "$RUNCAST" predict --app grid --size 1024 --procs $procs --platform p.yaml --hosts "$hosts" --param rows=1024 \
        --at $at --no-store --json
    is "$(json "j['family'], len([f for f in j['families'] if f['answered']]) >= 3, j['load']['source']")" \
        "('door', True, 'forecast')"
    is "$(json "j['learnt'] is not None")" True
    predicted=$(numbers out j)
    median=$(json "'%.7g' % j['quantiles']['50']")
    printf 'app,n,p,hosts,start,rows\ngrid,1024,%d,%s,%d,1024\n' $procs "$hosts" $at > row.csv
    ok "$RUNCAST" predict --app grid --platform p.yaml --csv row.csv
    is "$(awk -F, 'NR == 2 { for (i = NF - 2; i <= NF; i++) printf "%.7g%s", $i, i < NF ? " " : "\n" }' out)" "$predicted" \
        "predict --csv, $procs processes"
    ok "$RUNCAST" advise --app grid --size 1024 --procs $procs --platform-file p.yaml --hosts "$hosts" --param rows=1024 \
        --at $at --no-store --json
    json "'%.7g %.7g %.7g' % [(c['p50_s'], c['interval_s']['low'], c['interval_s']['high']) for c in j['shortlist']
        if c['hosts'] == ['a%02d' % (i + 1) for i in range($procs)]][0]" > advised
    is "$(cat advised)" "$median ${predicted#* }" "advise, $procs processes"
done

begin 'weights go to who errs less'
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
is "$(family regression "f['weight'] > 0.9 and f['record']['error'] < 5")" True
is "$(family structure "f['weight'] < 0.1 and f['record']['error'] > 25")" True
is "$(json "abs(j['predicted'] / 13 - 1) < 0.05 or j['predicted']")" True

begin 'accuracy tells of the joint answers first, and of each family below'
ok "$RUNCAST" accuracy --app grid --json
is "$(json "j['family'], j['foretold']['runs'], len({p['start'] for p in j['foretold']['predictions']})")" \
    "('door', 14, 14)"
is "$(json "[(f['family'], f['runs']) for f in j['families']]")" \
    "[('regression', 14), ('structure', 14), ('scaling', 14)]"
ok "$RUNCAST" accuracy --app grid
prints 'Predictions that were made: 14 have their run, 0 have not'
is "$(awk '/^What each family/ { on = 1 } on && NF > 5 && $1 != "family" && $1 != "What" { print $1, $2 }' out | head -n 4 | tr '\n' ' ')" \
    'together 14 regression 14 structure 14 scaling 14 '
ok "$RUNCAST" accuracy --app grid --family scaling --json
is "$(json "j['family'], j['foretold']['runs'], j['foretold']['mean'] < 4")" "('scaling', 14, True)"
fails "$RUNCAST" accuracy --app grid --family skeleton
complains 'no prediction by skeleton has its run yet'
ok "$RUNCAST" db check

begin 'slowdown answers where hosts were watched'
printf 'app,n,p,seconds,cpu,start\nsolo,100,1,10,1,1790000000\nsolo,100,1,10.2,0.99,1790001000\n' > solo.csv
ok "$RUNCAST" import solo.csv
awk 'BEGIN { print "t,value"; for (i = 0; i < 400; i++) print i * 10 "," 0.5 }' > series.csv
ok "$RUNCAST" series import series.csv --host h1 --metric cpu --start 2026-11-15
ok "$RUNCAST" predict --app solo --size 100 --procs 1 --hosts h1 --at 2026-11-15T01:06:40Z --family slowdown --json
# 10.1 s beside one that computes all the time
is "$(json "abs(j['predicted'] / 20.2 - 1) < 0.05 or j['predicted']")" True
is "$(json "j['family'], j['hosts'], j['id'] is not None")" "('slowdown', 'h1', True)"

begin 'slowdown wants to know how many cores several processes share'
fails "$RUNCAST" predict --app solo --size 100 --procs 2 --hosts h1 --at 2026-11-15T01:06:40Z --family slowdown
complains 'how many cores h1 has is not known, and 2 processes share them'
complains 'a platform file tells: --platform FILE.yaml'

begin 'a skeleton answers where it is run'
if ! command -v mpicc.openmpi > which || ! command -v mpirun.openmpi > which; then
    skip 'needs Open MPI'
else
    mpirun='mpirun.openmpi --allow-run-as-root --oversubscribe -np 2'
    ok mpicc.openmpi -O2 -o ahead "$SOURCE_ROOT/tests/cli/ahead_program.c"
    # shellcheck disable=SC2086 # words
    ok timeout 60 "$RUNCAST" trace -o rec -- $mpirun ./ahead halo 400 10
    ok "$RUNCAST" trace keep rec --app ahead --size 400
    probe=(--app ahead --size 400 --procs 2 --family skeleton)
    fails "$RUNCAST" predict "${probe[@]}"
    complains 'no skeleton of the recording in'
    ok timeout 60 "$RUNCAST" skeleton build rec --ratio 10 --force -o skel.c
    ok mpicc.openmpi -O2 -o skel skel.c -lm
    # shellcheck disable=SC2086 # words
    ok timeout 60 "$RUNCAST" skeleton measure rec ./skel --repeat 2 -- $mpirun ./skel
    fails "$RUNCAST" predict "${probe[@]}"
    complains 'it lacks a probe'
    complains "hint: --probe 'mpirun -np 2 {skeleton}' makes one"
    fails "$RUNCAST" predict --app ahead --size 500 --procs 2 --family skeleton
    complains "no recording of 'ahead' with n = 500 on 2 processes"
    ok timeout 60 "$RUNCAST" predict "${probe[@]}" --probe "${mpirun/ 2/} {procs} {skeleton}" --json
    is "$(json "j['family'], j['predicted'] > 0 and j['lo90'] < j['predicted'] < j['hi90'], j['id'] is not None")" \
        "('skeleton', True, True)"
    is "$(json "j['probe']['skeleton'].endswith('/skel'), j['probe']['seconds'] > 0")" '(True, True)'
    fails timeout 60 "$RUNCAST" predict "${probe[@]}" --probe 'sh -c "echo no; exit 3" {skeleton}'
    complains 'the command ended with status 3'
    # asked with all others, a probe that fails is noted
    printf 'app,n,p,seconds,start\nahead,400,1,9,1790000000\nahead,200,1,5,1790000100\nahead,100,1,3,1790000200\nahead,50,2,2,1790000300\n' > ahead.csv
    ok "$RUNCAST" import ahead.csv
    ok timeout 60 "$RUNCAST" predict --app ahead --size 400 --procs 2 --probe 'false {skeleton}' --no-store
    complains 'note: the skeleton does not answer: the command ended with status 1'
    ok timeout 60 "$RUNCAST" predict --app ahead --size 400 --procs 2 --probe "$mpirun {skeleton}" --json
    is "$(json "[f['family'] for f in j['families'] if f['answered']]")" "['regression', 'skeleton']"
    rm skel
    fails "$RUNCAST" predict "${probe[@]}"
    complains 'was measured, or it is gone'
fi
nothing_left

finish
