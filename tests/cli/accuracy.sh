#!/bin/bash
# Predictions compared with the runs that followed, and replays.
. "$(dirname "$0")/harness.sh"

# rows FROM TO FACTOR: runs of 2e-6 n^2 / (p cpu) + 30 n log2(p) / bw seconds, times FACTOR.
rows() {
    awk -v from="$1" -v to="$2" -v factor="$3" 'BEGIN {
        print "app,n,p,seconds,cpu,bw,start"
        for (i = from; i < to; i++) {
            n = 300 + (i * 7919) % 1700; p = 2 ^ int(i % 6 < 4 ? i % 2 : i % 4)
            cpu = 0.4 + (i * 37 % 60) / 100; bw = 2000 + (i * 7877) % 9000
            printf "md,%d,%d,%.9g,%.2f,%d,%d\n", n, p,
                factor * (2e-6 * n * n / (p * cpu) + 30 * n * log(p) / log(2) / bw), cpu, bw,
                1794700000 + i * 100
        }
    }'
}

begin 'without runs there is nothing to compare'
fails "$RUNCAST" accuracy --app md
rows 0 3 1 > runs.csv
ok "$RUNCAST" import runs.csv
fails "$RUNCAST" accuracy --app md
complains "3 runs of 'md': too few to replay"
misused "$RUNCAST" accuracy
misused "$RUNCAST" accuracy --app md --plot x.txt

begin 'of very many runs, the latest are replayed'
awk 'BEGIN { print "app,n,p,seconds"
    for (i = 0; i < 2065; i++) { n = 100 + i % 7; print "many," n ",1," n * (i < 5 ? 100 : 1) } }' > many.csv
ok "$RUNCAST" import many.csv
ok "$RUNCAST" accuracy --app many --json
is "$(json "j['replay']['training_runs'], len(j['replay']['runs']), j['replay']['earlier_runs']")" '(60, 2000, 5)'
is "$(json "j['replay']['default']['mape_fraction'] < 0.01")" True

begin 'runs are replayed, with models that learn and one that does not'
rows 3 60 1 > runs.csv
rows 60 120 2 > changed.csv
ok "$RUNCAST" import runs.csv
ok "$RUNCAST" import changed.csv
ok "$RUNCAST" accuracy --app md
prints 'Predictions: none'
prints 'Replay by start of the runs: 60 for training, then 60 predicted'
prints 'single model'
prints 'adapting list'
ok "$RUNCAST" accuracy --app md --json
is "$(json "j['replay']['training_runs'], len(j['replay']['runs']), j['replay']['single']['run_count']")" \
    '(60, 60, 60)'
# After the 60th, the program takes twice as long: learning models are more accurate.
is "$(json "0.45 < j['replay']['single']['mape_fraction'] < 0.6 or j['replay']['single']")" True
is "$(json "j['replay']['list']['mape_fraction'] < 0.9 * j['replay']['single']['mape_fraction'] or j['replay']['list']")" True
is "$(json "j['replay']['default']['mape_fraction'] < j['replay']['single']['mape_fraction']")" True
is "$(json "0 <= j['replay']['default']['coverage_fraction'] <= 1 and j['replay']['list']['coverage_fraction'] is None")" \
    True
ok "$RUNCAST" accuracy --app md --training 100 --json
is "$(json "j['replay']['training_runs'], len(j['replay']['runs'])")" '(100, 20)'
fails "$RUNCAST" accuracy --app md --training 120
complains 'no run is left to predict: 120 of 120 runs are for training'

begin 'a prediction is compared with its run'
# predict N START, finish_run N START SECONDS
predict() { ok "$RUNCAST" predict --app md --size "$1" --procs 2 --at "$2" --json; predicted=$(json "j['predicted_s']"); }
finish_run() {
    printf 'app,n,p,seconds,start\nmd,%s,2,%s,%s\n' "$1" "$3" "$2" > run.csv
    ok "$RUNCAST" import run.csv
}
predict 1000 1800000000
finish_run 1000 1800000060 "$(python3 -c "print($predicted / 0.8)")"
predict 1200 1800000100
predict 1100 1800000200
finish_run 1100 1800000200 "$(python3 -c "print($predicted * 1.25)")"
finish_run 1300 1800000300 5
ok "$RUNCAST" accuracy --app md --json
is "$(json "j['predictions']['run_count'], j['predictions']['waiting']")" '(2, 1)'
is "$(json "round(j['predictions']['mape_fraction'], 5)")" 0.2
is "$(json "[p['size'] for p in j['predictions']['each']], j['predictions']['each'][0]['start']")" \
    "([1000, 1100], '2027-01-15T08:01:00Z')"
ok "$RUNCAST" accuracy --app md
prints 'Predictions: 3, 2 of them compared with a run'
is "$(sed -n 2p out | tr -s ' ')" ' run size processes predicted 90 % interval measured APE covered'
is "$(sed -n '3,4s/.* 1\([01]\)00  .* \([0-9.]*\) %  \(yes\|no\)$/\1 \2 \3/p' out | tr '\n' ',')" '0 20.0 yes,1 20.0 yes,'
prints "single model   fitted once, after training"
complains 'was compared with no prediction: no prediction for size 1300 and 2 processes is without a run'

ok "$RUNCAST" predict --app md --size 1000 --procs 2 --no-store
is "$(grep -cE 'coverage.* [0-2] of 2 intervals' out)" 1
# Another app, another platform, another criterion: another history.
fails "$RUNCAST" accuracy --app other
ok "$RUNCAST" accuracy --app md --criterion paper --json
is "$(json "j['predictions']['run_count']")" 0

begin 'methods are compared with combined predictions of the same runs'
cat > md.rcm << 'END'
model md
input N from size
input P from processes
total t = 1e-5 * N * N / P
END
ok "$RUNCAST" model add --app md md.rcm
for i in 1 2 3; do
    predict $((1400 + i)) $((1800001000 + i))
    finish_run $((1400 + i)) $((1800001000 + i)) 5
done
# One run was predicted by regression alone, as with 'runcast advise': it is not among these.
ok "$RUNCAST" predict --app md --size 1500 --procs 2 --at 1800002000 --method regression
finish_run 1500 1800002000 500
ok "$RUNCAST" accuracy --app md --json
is "$(json "[(f['method'], f['run_count'], f['further_runs'], f['combined_same_runs']['run_count']) for f in j['methods']]")" \
    "[('regression', 5, 1, 5), ('structural', 3, 0, 3)]"
# The combined predictions of all five runs, and of the three with a structural model.
is "$(json "[f['combined_same_runs']['mape_fraction'] == j['predictions']['mape_fraction'] for f in j['methods']]")" '[True, False]'
is "$(json "abs(j['methods'][1]['combined_same_runs']['mape_fraction'] - sum(abs(p['predicted_s'] / 5 - 1)
    for p in j['predictions']['each'][-3:]) / 3) < 1e-6")" True
ok "$RUNCAST" accuracy --app md
prints 'Predictions of these runs by each method'
prints 'further predictions by regression alone: 1 run (--method regression shows all)'
prints 'combined MAPE, same runs'

begin 'predictions alone are enough'
printf 'app,n,p,seconds\nga,100,1,5\nga,200,1,20\nga,300,1,45\nga,400,1,80\nga,500,1,125\n' > ga.csv
ok "$RUNCAST" import ga.csv
ok "$RUNCAST" predict --app ga --size 250 --procs 1 --at 1800000000
printf 'app,n,p,seconds,start\nga,250,1,31,1800000000\n' > run.csv
ok "$RUNCAST" import run.csv
ok "$RUNCAST" accuracy --app ga --training 5000
prints 'Predictions: 1, compared with a run'
prints 'processes  predicted  90 % interval     measured    APE  covered'
prints 'Replay: none ('

begin 'a run without a prediction has a reason'
# reason TEXT START STATUS [COLUMN VALUE]: of a run of ga, after a prediction for size 260.
ok "$RUNCAST" predict --app ga --size 260 --procs 1 --at 1800001000
reason() {
    printf 'app,n,p,seconds,start,status%s\nga,260,1,31,%s,%s%s\n' "${4:+,$4}" "$2" "$3" "${5:+,$5}" > run.csv
    ok "$RUNCAST" import run.csv
    ok "$RUNCAST" accuracy --app ga
    complains "note: run $("$RUNCAST" runs list --app ga --last 1 --columns id | tail -1 | tr -d ' ') was compared with no prediction: $1"
}
reason 'it has no start' '' ok
reason 'it started at 2027-01-15T08:00:00Z, before the start of the prediction, 2027-01-15T08:16:40Z' 1800000000 ok
reason 'it started at 2027-01-17T08:00:00Z, over a day after the start of the prediction' 1800172800 ok
reason 'its status is failed' 1800001000 failed
ok "$RUNCAST" accuracy --app ga --json
is "$(json "'its status is failed' in j['notes'][0]")" True
# Its run, which no longer has to be explained.
printf 'app,n,p,seconds,start\nga,260,1,33,1800001000\n' > run.csv
ok "$RUNCAST" import run.csv
ok "$RUNCAST" accuracy --app ga
silent
prints 'Predictions: 2, all compared with a run'
for i in 1 2 3 4 5 6 7 8 9; do
    ok "$RUNCAST" predict --app ga --size $((300 + i)) --procs 1 --at 1800002000 --json
    printf 'app,n,p,seconds,start\nga,%d,1,%d,1800002000\n' $((300 + i)) $((45 + i)) > run.csv
    ok "$RUNCAST" import run.csv
done
ok "$RUNCAST" accuracy --app ga
prints '(the newest 10 of 11)'
is "$(sed -n '/ covered$/,/^(the/p' out | wc -l)" 12
# Parameters.
printf 'app,n,p,seconds,steps\nst,100,1,5,1\nst,200,1,20,2\nst,300,1,45,1\nst,400,1,80,2\nst,500,1,125,1\n' > st.csv
ok "$RUNCAST" import st.csv
ok "$RUNCAST" predict --app st --size 250 --procs 1 --at 1800000000 --param steps=2
printf 'app,n,p,seconds,start,steps\nst,250,1,31,1800000000,1\n' > run.csv
ok "$RUNCAST" import run.csv
"$RUNCAST" accuracy --app st > out 2> err
complains 'was compared with no prediction: its parameters differ: steps'

begin 'predictions, calibration and errors are drawn'
if command -v gnuplot > /dev/null; then
    ok "$RUNCAST" accuracy --app md --plot errors.svg
    is "$(grep -c '<svg' errors.svg)" 1
    for label in 'measured run time (s)' 'predicted run time (s)' 'ended, 90 % interval' 'predicted quantile' \
        'share of runs below it' 'start of the run (UTC)' 'run after training, in the replay'; do
        is "$(grep -c "$label" errors.svg)" 1 "$label"
    done
    is "$(grep -c 'killed' errors.svg)" 0
    ok "$RUNCAST" accuracy --app ga --plot ga.svg
    is "$(grep -c '11 runs that ended' ga.svg)" 1
else
    skip 'needs gnuplot'
fi

finish
