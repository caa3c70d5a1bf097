#!/bin/bash
# Runs that were killed at their time limit: their times are lower bounds.
. "$(dirname "$0")/harness.sh"

# 60 runs of 8 to 14 minutes; the last 17 of each ranking were killed after 11:30.
times() {
    awk -v app="$1" -v killed="$2" 'BEGIN {
        print "app,n,p,seconds,state"
        for (i = 0; i < 60; i++) {
            t = 480 + (i * 37 % 60) * 6; limit = 480 + 43 * 6 - 1
            late = killed && t > limit
            printf "%s,1000,8,%d,%s\n", app, late ? limit : t, late ? "TIMEOUT" : "COMPLETED"
        }
    }'
}

begin 'killed runs are counted, and models use them'
times cut 1 > cut.csv
times all 0 > all.csv
sed '/TIMEOUT/d; s/^cut/rest/' cut.csv > rest.csv
is "$(grep -c TIMEOUT cut.csv)" 17
for table in cut all rest; do
    ok "$RUNCAST" import $table.csv
done
ok "$RUNCAST" fit --app cut --json
is "$(json "j['run_count'], j['killed_run_count']")" '(43, 17)'
ok "$RUNCAST" fit --app cut
prints 'cut: 43 runs'
prints '; 17 killed runs: times at least as long'
for app in cut all rest; do
    ok "$RUNCAST" predict --app $app --size 1000 --procs 8 --quantiles 0.5,0.99 --no-store --json
    json "j['p50_s'], j['p99_s'], j['model']['killed_run_count']" > $app.txt
done
# Half of the runs take up to 657 s, and 1 % over 830 s.
is "$(python3 -c "print(abs($(cut -d, -f1 all.txt | tr -d '(') / 657 - 1) < 0.03)")" True
is "$(python3 -c "
cut, all, rest = $(cat cut.txt), $(cat all.txt), $(cat rest.txt)
print(abs(cut[0] / all[0] - 1) < 0.05, 0.9 < cut[1] / all[1] < 1.5, rest[0] < 0.95 * all[0], rest[1] < 0.9 * cut[1],
      cut[2], all[2], rest[2])")" 'True True True True 17 0 0'
ok "$RUNCAST" predict --app cut --size 1000 --procs 8 --no-store
prints ' 43 runs and 17 killed'

begin 'new killed runs are learned'
ok "$RUNCAST" predict --app rest --size 1000 --procs 8 # stores the model
sed '/COMPLETED/d; s/^cut/rest/' cut.csv > late.csv
ok "$RUNCAST" import late.csv
ok "$RUNCAST" predict --app rest --size 1000 --procs 8 --quantiles 0.5,0.99 --no-store --json
is "$(json "j['model']['run_count'], j['model']['killed_run_count'], j['model']['new_runs']")" '(43, 17, 17)'
is "$(json "j['p99_s'] > 1.05 * $(cut -d, -f2 rest.txt)")" True

begin 'a killed run is compared with its prediction as far as it shows something'
# finish_run SECONDS STATE START, after its prediction
finish_run() {
    ok "$RUNCAST" predict --app all --size 1000 --procs 8 --at "$3" --json
    printf 'app,n,p,seconds,state,start\nall,1000,8,%s,%s,%s\n' "$1" "$2" "$3" > run.csv
    ok "$RUNCAST" import run.csv
}
finish_run 650 COMPLETED 1800000000
finish_run 600 TIMEOUT 1800010000  # shorter than the median: shows nothing
finish_run 3600 TIMEOUT 1800020000 # much longer than the interval
finish_run 900 CANCELLED 1800030000
finish_run 700 FAILED 1800040000 # is not compared
ok "$RUNCAST" accuracy --app all --json
is "$(json "j['predictions']['run_count'], j['predictions']['killed_run_count'], j['predictions']['waiting']")" '(1, 3, 1)'
is "$(json "[(p['time_s'], p['killed']) for p in j['predictions']['each']]")" \
    '[(650, False), (600, True), (3600, True), (900, True)]'
is "$(json "round(j['predictions']['coverage_fraction'], 3)")" 0.333 # one of three
ok "$RUNCAST" accuracy --app all
prints 'Killed runs: 3, not in the MAPE'
is "$(sed -n 's/.* > \([0-9:]*\) .* \([a-z-]*\)$/\1 \2/p' out | tr '\n' ',')" '00:10:00 -,01:00:00 no,00:15:00 no,'
if command -v gnuplot > /dev/null; then
    ok "$RUNCAST" accuracy --app all --plot killed.svg
    is "$(grep -c 'killed, took longer' killed.svg)" 2 'killed runs in the legends'
    is "$(grep -c '1 run that ended' killed.svg)" 1
else
    skip 'needs gnuplot'
fi

begin 'a completed run takes the place of a killed one'
ok "$RUNCAST" predict --app all --size 1000 --procs 8 --at 1800200000
for end in '3600 TIMEOUT' '90 CANCELLED' '700 COMPLETED'; do
    printf 'app,n,p,seconds,state,start\nall,1000,8,%s,1800200000\n' "${end/ /,}" > run.csv
    ok "$RUNCAST" import run.csv
    ok "$RUNCAST" accuracy --app all --json
    json "[(p['time_s'], p['killed']) for p in j['predictions']['each']][-1]"
done > compared.txt
is "$(tr '\n' ' ' < compared.txt)" '(3600, True) (3600, True) (700, False) '

finish
