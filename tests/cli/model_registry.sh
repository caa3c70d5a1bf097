#!/bin/bash
# Structural models in the store, and predictions from them.
. "$(dirname "$0")/harness.sh"

# 12 s on a1, 24 s on a2 at N = 120 on two hosts, and what is set.
cat > sweep.rcm << 'END'
model sweep
input N from size
input P from processes
input iterations = 10
input setup "seconds before the first sweep"
input point[h] "seconds for a point" = table
    a1    20ms
    a2    40ms
    accuracy 10%
input cpu[h] from forecast cpu else 1
component Compute[h] by benchmark = N / P * point[h] / cpu[h]
    kind computation
component Set by hand = setup
total slowest = iterations * max(h in hosts: Compute[h]) + Set
hosts a1,a2
END

begin 'a model is kept with all of its files'
printf 'input setup = 5s\n    accuracy 0%%\n' > more.rcm
ok "$RUNCAST" model add sweep.rcm --with more.rcm
silent
prints 'added sweep as the structural model of sweep'
mv sweep.rcm moved.rcm
ok "$RUNCAST" predict --method structural --app sweep --size 120 --procs 2 --json --no-store
is "$(json "round(j['predicted_s'], 9), j['hosts'], j['model']['name'], j['model']['section']")" \
    "(29, ['a1', 'a2'], 'sweep', None)"
mv moved.rcm sweep.rcm

begin 'what was kept is given back'
ok "$RUNCAST" model show --app sweep --json
is "$(json "[(f['name'], f['text'] == open(f['name']).read()) for f in j['files']]")" \
    "[('sweep.rcm', True), ('more.rcm', True)]"
ok "$RUNCAST" model show --app sweep
is "$(cat out)" "$(echo '# ---- sweep.rcm ----'; cat sweep.rcm; printf '\n# ---- more.rcm ----\n'; cat more.rcm)"
ok "$RUNCAST" model add sweep.rcm --app alone
ok "$RUNCAST" model show --app alone
cmp -s out sweep.rcm || fault 'not as it was'
ok "$RUNCAST" model remove --app alone
fails "$RUNCAST" model show --app nobody
complains "no structural model of 'nobody'"
misused "$RUNCAST" model show
ok "$RUNCAST" model add sweep.rcm --with more.rcm
prints 'added sweep as the structural model of sweep; replaced sweep (added 20'
ok "$RUNCAST" model add sweep.rcm --with more.rcm --json
is "$(json "j['replaced']")" sweep

begin 'models are listed and removed'
ok "$RUNCAST" model list
prints 'sweep  any       sweep  sweep.rcm, ...'
ok "$RUNCAST" model add --app other sweep.rcm --json
is "$(json "j['app'], j['platform'], j['model'], j['file_count']")" "('other', None, 'sweep', 1)"
ok "$RUNCAST" model list --json
is "$(json "[(m['app'], m['platform'], m['model'], m['file_count']) for m in j['models']]")" \
    "[('other', None, 'sweep', 1), ('sweep', None, 'sweep', 2)]"
ok "$RUNCAST" model list --app other --json
is "$(json "len(j['models'])")" 1
ok "$RUNCAST" model remove --app other
prints 'removed 1 model of other'
fails "$RUNCAST" model remove --app other
complains 'no model of that app'
fails "$RUNCAST" predict --method structural --app other --size 120 --procs 2
complains "no structural model of 'other'"
complains "hint: add one with 'runcast model add --app other FILE.rcm'"
misused "$RUNCAST" model remove

begin 'a model with errors is refused, and no store is made for it'
sed 's/point\[h\] \/ cpu/pint[h] \/ cpu/' sweep.rcm > wrong.rcm
fails "$RUNCAST" model add wrong.rcm --db new.db
complains "wrong.rcm:11:45: unknown name 'pint'; did you mean 'point'?"
complains "hint: 'runcast model check' lists its errors"
[ ! -e new.db ] || fault 'a store was made'
fails "$RUNCAST" model add nowhere.rcm
misused "$RUNCAST" model add sweep.rcm --on there
fails "$RUNCAST" model list --db new.db
[ ! -e new.db ] || fault 'a store was made'

begin 'what is asked, and what is told'
ok "$RUNCAST" predict --method structural --app sweep --size 120 --procs 2 --no-store
prints 'sweep, size 120, 2 processes: 29 s (90 % interval: '
prints 'load: values in the model'
# a tenth for the points, and one for the availability, of which nothing is stated, and half of all
# as the load is not known
prints 'unknown load: 2 inputs with a default of the model'
prints 'model: sweep (expected APE 52 %)'
prints 'alternatives: total = slowest, Compute = benchmark, Set = hand'
complains "the database has no recent series 'cpu' for cpu[a1] and 1 more"
ok "$RUNCAST" predict --method structural --app sweep --size 120 --procs 2 --no-store --json
is "$(json "j['app'], j['method'], j['platform'], j['size'], j['procs'], j['params'], j['id']")" \
    "('sweep', 'structural', None, 120, 2, {}, None)"
is "$(json "j['interval_s']['low'] < 29 < j['interval_s']['high'] and abs(j['interval_s']['high'] - j['interval_s']['low'] - 29 * 0.2598 * 2 * 1.645) < 1.5")" True
is "$(json "[k for k in j if k[0] == 'p' and k[1].isdigit()]")" \
    "['p05_s', 'p10_s', 'p25_s', 'p50_s', 'p75_s', 'p90_s', 'p95_s', 'p99_s']"
is "$(json "j['p05_s'] < j['p50_s'] < j['p95_s'], j['past_coverage']")" \
    "(True, {'interval_count': 0, 'covered_count': 0})"
is "$(json "j['load']['source'], j['load']['assumed'], j['model']['alternatives']['Compute'], round(j['model']['expected_error_fraction'], 4)")" \
    "('stated', ['cpu[a1]', 'cpu[a2]'], 'benchmark', 0.5196)"
ok "$RUNCAST" predict --method structural --app sweep --size 120 --procs 2 --hosts a1 --no-store --json \
    --param iterations=20 --set setup=1s
is "$(json "round(j['predicted_s'], 9), j['hosts'], j['params']")" "(25, ['a1'], {'iterations': 20})"
ok "$RUNCAST" predict --method structural --app sweep --size 120 --procs 2 --no-store --plot answer.svg
[ -s answer.svg ] || fault 'nothing was drawn'

begin 'an answer is explained, and other alternatives are used'
ok "$RUNCAST" predict --method structural --app sweep --size 120 --procs 2 --no-store --explain
is "$(awk '$1 == "total" && $2 == 29 { print $NF }' out)" slowest
prints "'else' of the model; no series cpu"
is "$(awk '$1 == "cpu[h]" { print $4 }' out)" '(50'
ok "$RUNCAST" predict --method structural --app sweep --size 120 --procs 2 --no-store --explain --json
is "$(json "[p['name'] for p in j['components'][0]['components']], [i['name'] for i in j['inputs'] if 'else' in i['origin']]")" \
    "(['Compute', 'Set'], ['cpu'])"
printf 'component Compute[h] by guess = N / P * 1s\n    accuracy 300%%\n' > guess.rcm
printf 'profile\n    Set 1%%\n    Compute 99%%\n' >> guess.rcm
ok "$RUNCAST" model add sweep.rcm --with more.rcm --with guess.rcm --app ways
ok "$RUNCAST" predict --method structural --app ways --size 120 --procs 2 --json --alternative Compute=guess
is "$(json "j['model']['alternatives']['Compute'], j['predicted_s'] > 100, j['id']")" "('guess', True, None)"
ok "$RUNCAST" predict --method structural --app ways --size 120 --procs 2 --json --omit 2%
is "$(json "j['model']['omitted'], round(j['predicted_s']), j['id']")" "(['Set'], 24, None)"
fails "$RUNCAST" predict --method structural --app ways --size 120 --procs 2 --alternative Compute=gues
complains "'Compute' has no alternative 'gues'"
for wrong in '--alternative Compute=guess' '--omit 2%'; do
    # shellcheck disable=SC2086 # words
    misused "$RUNCAST" predict --app ways --size 120 --procs 2 $wrong
    complains '--alternative and --omit: only with --method structural, not combined'
done
# without --method, all of them are explained
ok "$RUNCAST" predict --app ways --size 120 --procs 2 --no-store --explain
is "$(awk '$1 == "structural" { print $2, $NF }' out)" '29 1.00'
prints "no runs of 'ways' in the database"
ok "$RUNCAST" model remove --app ways

begin 'what the model lacks is named'
ok "$RUNCAST" model add sweep.rcm
fails "$RUNCAST" predict --method structural --app sweep --size 120 --procs 2
complains 'predicting sweep: setup is not set'
complains 'hint: set it with --set setup=VALUE'
fails "$RUNCAST" predict --method structural --app sweep --size 120 --procs 2 --set setup=5 --hosts a1,a7
complains 'a7'
fails "$RUNCAST" predict --method structural --app sweep --size 120 --procs 2 --set setpu=5
complains 'setpu'
fails "$RUNCAST" predict --method structural --app sweep --size 120 --procs 2 --param setpu=5
complains "has no input for the parameter 'setpu'"
complains "hint: did you mean 'setup'?"
fails "$RUNCAST" predict --method structural --app sweep --size 120 --procs 2 --set 'setup=5 +'
complains 'setup=5 +'
is "$(grep -c '\^' err)" 1 'a caret'
for wrong in '--cpu 0.5' '--bandwidth 100Mbit' --phases '--criterion paper'; do
    # shellcheck disable=SC2086 # words
    misused "$RUNCAST" predict --method structural --app sweep --size 120 --procs 2 $wrong
done
misused "$RUNCAST" predict --method structural --app sweep --input x.csv
misused "$RUNCAST" predict --app sweep --size 120 --procs 2 --set setup=5
complains '--set: only with --method structural, not combined'
misused "$RUNCAST" predict --method scaling --app sweep --size 120 --procs 2

begin 'predictions are stored and compared with the run that followed'
start=1794700000
for i in 1 2 3; do
    ok "$RUNCAST" predict --method structural --app sweep --size 120 --procs 2 --set setup=5 \
        --at $((start + i * 100000)) --json
    is "$(json "j['id'] is not None")" True 'it is stored'
done
# a prediction for a given load is not stored
ok "$RUNCAST" predict --method structural --app sweep --size 120 --procs 2 --set setup=5 --set cpu=0.5 --json
is "$(json "j['id'], j['load']['source'], round(j['predicted_s'], 9)")" "(None, 'given', 53)"
fails "$RUNCAST" accuracy --app sweep --method structural
complains 'no run yet that a structural model predicted'
complains "hint: 'runcast model accuracy' compares a model with existing runs"
{
    echo 'app,n,p,seconds,hosts,start,setup'
    echo "sweep,120,2,29.5,a[1-2],$((start + 100010)),5"
    echo "sweep,120,2,58,a[1-2],$((start + 200010)),5"
    echo "sweep,120,2,29,a1,$((start + 300010)),5" # on other hosts
} > runs.csv
ok "$RUNCAST" import runs.csv
ok "$RUNCAST" accuracy --app sweep --method structural --json
is "$(json "j['method'], j['predictions']['run_count'], j['predictions']['waiting'], j['predictions']['coverage_fraction']")" \
    "('structural', 2, 1, 0.5)"
is "$(json "[(round(p['predicted_s'], 6), p['time_s']) for p in j['predictions']['each']]")" \
    '[(29, 29.5), (29, 58)]'
is "$(json "'structural' in j['no_replay']")" True
ok "$RUNCAST" accuracy --app sweep --method structural
prints 'Predictions: 3, 2 of them compared with a run'
prints 'Replay: none (structural models are not fitted to runs)'
ok "$RUNCAST" predict --method structural --app sweep --size 120 --procs 2 --set setup=5 --no-store
prints 'past coverage: 1 of 2 intervals'
# those of regression models are others
fails "$RUNCAST" accuracy --app sweep
complains 'hint: 2 predictions by structural models can be compared: use --method structural'
ok "$RUNCAST" accuracy --app sweep --method structural --plot errors.svg
[ -s errors.svg ] || fault 'nothing was drawn'
ok "$RUNCAST" model remove --app sweep
ok "$RUNCAST" accuracy --app sweep --method structural
ok "$RUNCAST" db check

begin 'a run belongs to a prediction for its own inputs alone'
ok "$RUNCAST" model add sweep.rcm --with more.rcm --app other
# joined WANTED COLUMNS VALUES ARGUMENTS...: how many predictions have a run after one with these
# arguments and a run with these parameters.
joined() {
    local wanted=$1 columns=$2 values=$3
    shift 3
    start=$((start + 100000))
    ok "$RUNCAST" predict --method structural --app other --size 120 --procs 2 --at $start "$@"
    printf 'app,n,p,seconds,start%s\nother,120,2,29,%s%s\n' "$columns" $((start + 1)) "$values" > run.csv
    ok "$RUNCAST" import run.csv
    run "$RUNCAST" accuracy --app other --method structural --json # it fails where there is none
    is "$([ -s out ] && json "j['predictions']['run_count']" || echo 0)" "$wanted" "$columns$values $*"
}
joined 0 ,iterations ,5                              # the model takes 10
joined 1 ,iterations ,10
joined 2 '' ''
joined 2 ,iterations ,10 --set iterations=5
joined 2 '' '' --set iterations=5
joined 3 ,iterations ,5 --set iterations=5
joined 4 ,iterations ,5 --param iterations=5
ok "$RUNCAST" predict --method structural --app other --size 120 --procs 2 --set iterations=5 --json
is "$(json "j['model']['set_inputs'], j['model']['stated_inputs']")" "({'iterations': 5}, {'setup': 5})"
fails "$RUNCAST" predict --method structural --app other --size 120 --procs 2 --set N=100
complains "--set N=100: 'N' is the problem size, which --size sets"
fails "$RUNCAST" predict --method structural --app other --size 120 --procs 2 --set P=4
complains "'P' is the number of processes, which --procs sets"
ok "$RUNCAST" db check

begin 'predictions are corrected by how earlier ones fared'
printf 'model slow\ninput N from size\ntotal t = N\n' > slow.rcm
ok "$RUNCAST" model add slow.rcm
start=1794700000
for i in {1..14}; do
    start=$((start + 100000))
    ok "$RUNCAST" predict --method structural --app slow --size 100 --procs 1 --at $start --json
    # from ten runs on, the model is corrected by its uncorrected predictions
    is "$(json "j['predicted_s'] == 100, 145 < j['predicted_s'] < 155, j['model']['recalibration'] is None")" \
        "$([ "$i" -le 10 ] && echo '(True, False, True)' || echo '(False, True, False)')" "run $i"
    printf 'app,n,p,seconds,start\nslow,100,1,%d,%d\n' $((140 + i * 7 % 20)) $((start + 1)) > run.csv
    ok "$RUNCAST" import run.csv
done
ok "$RUNCAST" predict --method structural --app slow --size 100 --procs 1 --at $((start + 1000)) --no-store --json
is "$(json "j['model']['recalibration']['run_count'], j['model']['recalibration']['before']['predicted_s']")" '(14, 100)'
is "$(json "140 < j['interval_s']['low'] < 143 and 156 < j['interval_s']['high'] < 160 and j['p05_s'] < j['p50_s'] < j['p95_s']")" True
is "$(json "abs(j['p05_s'] - j['interval_s']['low']) < 1 and abs(j['p95_s'] - j['interval_s']['high']) < 1")" True
ok "$RUNCAST" predict --method structural --app slow --size 100 --procs 1 --at $((start + 1000)) --no-store
prints ', by 14 earlier runs; before: 00:01:40 (90 % interval: '
# what was not over by then, and what another model said, teaches nothing
ok "$RUNCAST" predict --method structural --app slow --size 100 --procs 1 --at $((start - 1000000)) --no-store --json
is "$(json "j['model']['recalibration']")" None
sleep 0.01
ok "$RUNCAST" model add slow.rcm
ok "$RUNCAST" predict --method structural --app slow --size 100 --procs 1 --at $((start + 1000)) --no-store --json
is "$(json "j['model']['recalibration'], j['predicted_s']")" '(None, 100)'

begin 'load is forecast from series'
start=1794700000
for host in a1 a2; do
    {
        echo 'time,value'
        for i in {0..99}; do echo "$((start + i * 10)),$([ $host = a1 ] && echo 0.5 || echo 0.8)"; done
    } > series.csv
    ok "$RUNCAST" series import series.csv --host $host --metric cpu
done
ok "$RUNCAST" model add sweep.rcm
ok "$RUNCAST" predict --method structural --app sweep --size 120 --procs 2 --set setup=5 \
    --at $((start + 1000)) --json
# 24 s at 0.8 on a2, which is longer than 12 s at 0.5 on a1, and the setup
is "$(json "round(j['predicted_s']), j['load']['source'], j['load']['forecast']['series_count'], j['load']['assumed']")" \
    "(35, 'forecast', 2, [])"
ok "$RUNCAST" predict --method structural --app sweep --size 120 --procs 2 --set setup=5 \
    --at $((start + 1000)) --no-store
prints 'load: forecast from 2 series, samples up to 2026-11-15T00:03:10Z'

begin 'a model for a platform is found by its name'
cat > cluster.yaml << 'END'
name: here
clusters:
  - {name: c, hosts: "a[1-3]", cores: 1, speed: 1Gf, networks: [{name: n, bandwidth: 1Gbit, latency: 50us}]}
END
cat > places.rcm << 'END'
model places
input N from size
input speed[h] from platform speed
total t = 1
on here
total t = max(h in hosts: N * 1Gf / speed[h])
on there
total t = 2 * N
END
ok "$RUNCAST" model add places.rcm
ok "$RUNCAST" predict --method structural --app places --size 7 --procs 2 --platform-file cluster.yaml --json
is "$(json "j['predicted_s'], j['hosts'], j['platform'], j['model']['section']")" "(7, ['a1', 'a2'], 'here', 'here')"
ok "$RUNCAST" predict --method structural --app places --size 7 --procs 2 --json
is "$(json "j['predicted_s'], j['hosts'], j['model']['section']")" '(1, [], None)'
ok "$RUNCAST" model add places.rcm --on there
ok "$RUNCAST" model list
prints 'places  there'
ok "$RUNCAST" predict --method structural --app places --size 7 --procs 2 --platform there --json
is "$(json "j['predicted_s'], j['platform'], j['model']['section']")" "(14, 'there', 'there')"
fails "$RUNCAST" predict --method structural --app places --size 7 --procs 2 --platform-file cluster.yaml --hosts a9
complains "--hosts: the platform has no host 'a9'"
ok "$RUNCAST" model remove --app places --on there --json
is "$(json "j['removed']")" 1
ok "$RUNCAST" model list
prints 'places  any'

finish
