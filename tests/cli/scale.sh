#!/bin/bash
# 'runcast scale': large runs predicted from small ones on simulated clusters; wrong input; and that
# small runs are made once each, with nothing left behind.
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"
# shellcheck source=scaling.sh
. "$(dirname "$0")/scaling.sh"
target=(--app model --platform-file p.yaml --cluster A --size 4096x1024 --procs 32)
command='./app.sh log {p} {rows} {cols} {hosts}'
mkdir apps
export RUNCAST_APPS=$WORK/apps

# ---- plans ----

begin 'a plan has the runs of the paper, one process per host, the slowest hosts first'
ok scale plan "${target[@]}" --json
is "$(json "[(r['procs'], r['mesh'][:2], r['block_size']) for r in j['plans'][0]['runs']]")" \
    "[(1, [128, 1024], 'full'), (1, [32, 1024], 'quarter'), (4, [512, 1024], 'full'), \
(4, [128, 1024], 'quarter'), (8, [1024, 1024], 'full'), (8, [256, 1024], 'quarter')]"
is "$(json "j['plans'][0]['runs'][4]['hosts'] == [f'a{i}' for i in range(20, 28)]")" True
is "$(json "j['plans'][0]['missing_runs'], j['plans'][0]['core_hours']")" '(18, None)'
ok scale plan "${target[@]}" --repeat 1 --command 'mpirun -np {p} --host {hosts} ./a {rows}x{cols}'
prints 'mpirun -np 4 --host a20,a21,a22,a23 ./a 512x1024'
prints '6 runs, 6 missing'
ok scale plan --app model --platform-file p.yaml --size 4096 --procs B:64 --json
is "$(json "[(r['copies'], r['fillers'], r['per_host']) for r in j['plans'][0]['runs']]")" \
    '[(4, 0, 1), (4, 0, 1), (1, 3, 1), (1, 3, 1), (1, 3, 1), (1, 3, 1)]'
ok scale plan --app model --platform-file p.yaml --size 4096x1024 --procs A:32,B:64 --cluster-link measured --json
is "$(json "[p['mesh'][0] for p in j['plans']], j['cluster_link']['hosts'], j['cluster_link']['mesh'][0]")" \
    "([2048, 2048], ['a20', 'a21', 'b01', 'b02'], 256)"
ok scale plan --app model --platform-file p.yaml --size 4096x1024 --procs A:32,B:64 --split 3:1 --json
is "$(json "[p['mesh'][0] for p in j['plans']]")" '[3072, 1024]'
ok scale plan "${target[@]}" --check-linearity --small-procs 4,8,16 --json
is "$(json "sorted({r['procs'] for r in j['plans'][0]['runs']}), {r['block_size'] for r in j['plans'][0]['runs']} >= {'half'}")" \
    '([1, 4, 8, 16], True)'
ok scale plan "${target[@]}" --size 4096 --cut 2 --json
is "$(json "sorted({r['procs'] for r in j['plans'][0]['runs']}), sorted({r['block_size'] for r in j['plans'][0]['runs']})")" \
    "([1, 9, 16], ['full', 'halved', 'quarter'])"
ok scale plan --app model --platform-file p.yaml --size 32768x16384 --procs B:64 --cut 2 --json
is "$(json "sorted({(r['block_size'], *r['block'][:2]) for r in j['plans'][0]['runs']})")" \
    "[('full', 4096, 2048), ('narrow', 4096, 512), ('quarter', 1024, 2048)]"

begin '--hosts may name hosts of several clusters'
ok scale plan --app model --platform-file p.yaml --size 4096x1024 --procs A:32,B:32 \
    --hosts 'a[01-32],b[03-10]' --json
is "$(json "[p['runs'][4]['hosts'] for p in j['plans']] ==
    [[f'a{i}' for i in range(20, 28)], [f'b{i:02}' for i in range(3, 11)]]")" True
misused scale plan "${target[@]}" --hosts 'b[01-08]'
complains '--hosts: none of these hosts'
misused scale plan "${target[@]}" --hosts 'c[01-08]'
complains "--hosts: platform 'two' has no host 'c01'"

begin 'the run across two clusters has memory and cost, and keeps the other cores busy'
across=(--app model --size 4096x1024 --procs 'A:32,B:64' --repeat 1)
ok scale plan "${across[@]}" --platform-file p.yaml --cluster-link measured --json
is "$(json "[(s['hosts'], s['fillers'], s['cost_fraction']) for s in j['cluster_link']['sides']]")" \
    "[(['a20', 'a21'], 0, 0.0625), (['b01', 'b02'], 3, 0.25)]"
ok scale plan "${across[@]}" --platform-file p.yaml --cluster-link measured
prints 'cost: about 6.25 % on the first cluster and 25 % on the second'
sed 's/memory: 8GiB/memory: 1GiB/' p.yaml > less.yaml
ok scale plan "${across[@]}" --platform-file less.yaml --bytes-per-cell 5kB
fails scale plan "${across[@]}" --platform-file less.yaml --bytes-per-cell 5kB --cluster-link measured
complains 'a small run of 128 x 1024 on 2 processes does not fit in memory'
fails scale measure "${across[@]}" --platform-file less.yaml --bytes-per-cell 5kB --cluster-link measured \
    --command "$command"
complains 'does not fit in memory'
[ ! -e log ] || fault 'something was run'

begin 'small runs that do not fit in memory are an error'
fails scale plan "${target[@]}" --bytes-per-cell 20kB
prints 'DOES NOT FIT'
complains 'runcast: planning: '
fails scale measure "${target[@]}" --bytes-per-cell 20kB --command "$command"
complains 'runcast: planning: '
[ ! -e log ] || fault 'something was run'

begin 'wrong input is reported'
bad() { misused scale "${@:2}"; complains "$1"; }
plan=(plan --app model --platform-file p.yaml)
bad 'missing --app NAME' plan --platform-file p.yaml --size 4096 --procs 32
bad 'missing --size N' "${plan[@]}" --procs 32 --cluster A
bad 'missing --platform-file FILE' plan --app model --size 4096 --procs 32
bad 'missing --procs P' "${plan[@]}" --size 4096
for size in 0 x 4096x 1x2x3x4 -3 1.5 4096xx2 9999999999999; do
    bad "--size: invalid mesh '$size'" "${plan[@]}" --size="$size" --procs A:32
done
bad 'choose one with --cluster' "${plan[@]}" --size 4096 --procs 32
bad "no cluster 'C'" "${plan[@]}" --size 4096 --procs C:32
bad "is not a number from 1" "${plan[@]}" --size 4096 --procs A:0
bad "is not a number from 1" "${plan[@]}" --size 4096 --procs A:32,
bad "appears twice" "${plan[@]}" --size 4096 --procs A:32,A:16
bad "need names of clusters" "${plan[@]}" --size 4096 --procs 32,16
bad "no network 'myrinet'" "${plan[@]}" --size 4096 --procs A:32 --network myrinet
bad '--cut: must be 1, 2 or 3' "${plan[@]}" --size 4096 --procs A:32 --cut 4
bad '--cut: several clusters need --cut 1' "${plan[@]}" --size 4096 --procs A:32,B:16 --cut 2
bad "--split: invalid value 'fast'" "${plan[@]}" --size 4096 --procs A:32,B:16 --split fast
bad "--split: invalid value '1:2:3'" "${plan[@]}" --size 4096 --procs A:32,B:16 --split 1:2:3
bad 'gets no rows' "${plan[@]}" --size 4096 --procs A:32,B:16 --split 1:0
for verb in plan fit 'measure --command x'; do
    for split in time memory cost; do
        # shellcheck disable=SC2086 # a verb may have an option
        bad '--split: must be proportions, such as 1:2' $verb "${plan[@]:1}" --size 4096 \
            --procs A:32,B:16 --split "$split"
    done
done
bad "--split: '0:0' gives no cluster" "${plan[@]}" --size 4096 --procs A:32,B:16 --split 0:0
bad "--split: '0:0' gives no cluster" predict "${plan[@]:1}" --size 4096 --procs A:32,B:16 --split 0:0
bad "--cluster 'B' contradicts --procs, which names 'A'" "${plan[@]}" --size 4096 --procs A:32 --cluster B
bad "--cluster 'A' contradicts --procs, which names 'B'" "${plan[@]}" --size 4096 --procs A:32,B:16 --cluster A
bad "no cluster 'C'" "${plan[@]}" --size 4096 --procs A:32 --cluster C
ok scale plan --app model --platform-file p.yaml --size 4096 --procs A:32 --cluster A
bad "--per-host: no processes on cluster 'B'" "${plan[@]}" --size 4096 --procs A:32 \
    --per-host B:4
bad "--network: no cluster of platform 'two' has a network 'myrinet'" compare "${plan[@]:1}" \
    --size 4096 --network myrinet
bad "--cluster 'B' contradicts --procs, which names other clusters" compare "${plan[@]:1}" --size 4096 \
    --procs A:32 --cluster B
bad "--per-host: cluster 'B' is left out by another option" compare "${plan[@]:1}" --size 4096 --cluster A \
    --per-host B:4
bad '--cluster-link measured: needs two clusters' "${plan[@]}" --size 4096 --procs A:32 --cluster-link measured
bad '--work: ' "${plan[@]}" --size 4096 --procs A:32 --work 'cells +'
bad '--bytes-per-cell: must be above 0' "${plan[@]}" --size 4096 --procs A:32 --bytes-per-cell 0
bad 'missing --command COMMAND' measure "${target[@]}"
bad 'missing placeholder {p}' measure "${target[@]}" --command 'x {rows} {cols}'
bad 'missing placeholder {rows}' measure "${target[@]}" --command 'x {p} {cols}'
bad 'missing placeholder {layers}' measure "${target[@]}" --size 512 --cut 3 \
    --command 'x {p} {rows} {cols}'
bad 'unknown placeholder {nodes}' measure "${target[@]}" --command 'x {p} {rows} {cols} {nodes}'
bad 'unterminated quote' measure "${target[@]}" --command "x {p} {rows} {cols} 'y"
bad '--level: must be between' predict "${target[@]}" --level 1
bad 'unknown plot format' predict "${target[@]}" --plot x.txt
fails scale plan --app model --platform-file none.yaml --size 4096 --procs 32
fails scale plan --app model --platform-file p.yaml --size 4096 --procs A:4
fails scale plan --app model --platform-file p.yaml --size 8 --procs A:32
misused scale plan "${target[@]}" --small-procs 1,8
complains "--small-procs: '1' is not a number above 1"

# ---- measuring ----

begin 'runs are made once each, and missing ones are listed'
fails scale fit "${target[@]}"
complains '6 of 6 small runs are not in the database: 128 x 1024 on 1, 32 x 1024 on 1'
complains "'runcast scale measure'"
ok scale measure "${target[@]}" --repeat 1 --time-source program --command "$command"
prints '6 runs made'
is "$(count_runs)" 6 runs
ok "$RUNCAST" runs show 3 --json
is "$(json "j['runs'][0]['time_s'], j['runs'][0]['hosts'], j['runs'][0]['params']")" \
    "(151.1792, ['a20', 'a21', 'a22', 'a23'], {'rows': 512, 'cols': 1024, 'cut': 1, 'network': 1, 'per_host': 1, 'command': 1152390143})"
ok scale measure "${target[@]}" --repeat 1 --time-source program --command "$command" --json
is "$(json "j['made'], j['already_stored'], j['failed']")" '(0, 6, 0)'
ok "$RUNCAST" runs delete 3
ok scale measure "${target[@]}" --repeat 1 --time-source program --command "$command"
prints '1 run made, 5 already in the database'
is "$(wc -l < log)" 7 'runs of the program'
ok scale plan "${target[@]}" --repeat 2
prints '1 of 2'
prints '12 runs, 6 missing'
nothing_left

begin 'all cores of a host are busy: sequential runs in copies, parallel ones beside fillers'
rm -f log
b=(--app full --platform-file p.yaml --size 4096x1024 --procs B:64 --repeat 1)
APP_SLEEP=0.2 ok scale measure "${b[@]}" --time-source program --command "$command"
prints '6 runs made'
is "$(grep -c '^log 1 64 1024 b01$' log | awk '{print ($1 >= 4)}')" 1 'copies of the sequential run'
for host in b01 b02 b03 b04; do
    is "$(grep -c "^log 1 64 1024 $host\$" log | awk '{print ($1 >= 3)}')" 1 "fillers on $host"
done
is "$(count_runs --app full)" 6 'runs: copies and fillers are not stored'
ok "$RUNCAST" runs show 9 10 --json
is "$(json "[(r['procs'], r['params'].get('copies'), r['params']['per_host']) for r in j['runs']]")" \
    '[(1, 4, 4), (4, None, 4)]'
nothing_left
rm -f log
ok scale measure --app alone "${b[@]:2}" --time-source program --no-copies --command "$command"
is "$(wc -l < log)" 6 'runs of the program'
ok "$RUNCAST" runs show 10 14 --json
is "$(json "[(r['app'], r['params'].get('alone')) for r in j['runs']]")" "[('full', None), ('alone', 1)]"
ok scale fit --app alone "${b[@]:2}"
complains 'note: 6 runs were made without copies; memory contention is not included'
ok scale predict --app alone "${b[@]:2:6}"
complains 'note: 6 runs were made without copies'
ok scale predict --app alone "${b[@]:2:6}" --json
is "$(json "any('made without copies' in n for n in j['notes'])")" True
ok scale fit --app full "${b[@]:2}" --json
is "$(json "any('made without copies' in n for n in j['models'][0]['notes'])")" False

begin 'many programs at once have descriptors enough, and each its own limit'
few() { (ulimit -Sn 48 && scale "$@"); }
rm -f files
APP_SLEEP=0.2 ok few measure --app few "${b[@]:2}" --time-source program --command "$command"
prints '6 runs made'
is "$(sort -u files)" 48 'the limit of programs'
nothing_left

begin 'a run that cannot be stored is saved as a file'
sql() { python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()' "$@"; }
printf 'app,n,p,seconds\nother,1,1,1\n' > other.csv
ok "$RUNCAST" import --db kept.db other.csv
ok sql kept.db "CREATE TRIGGER no BEFORE INSERT ON run BEGIN SELECT RAISE(ABORT, 'no room'); END"
fails scale measure --db kept.db --app kept "${target[@]:2}" --repeat 1 --time-source program --command "$command"
complains "hint: 'runcast import ./runcast-record-kept-"
ok sql kept.db 'DROP TRIGGER no'
kept=(runcast-record-kept-*.json)
ok "$RUNCAST" import --db kept.db "${kept[0]}"
is "$(count_runs --db kept.db --app kept)" 1 runs
rm -rf runcast-record-kept-* tmp/*

begin 'a recorder that cannot write is reported'
fails scale measure --app unwritten "${target[@]:2}" --repeat 1 --time-source program --command \
    "sh -c 'for d in tmp/runcast-scale-*; do mkdir -p \$d/0.json; done; ./app.sh log {p} {rows} {cols} {hosts}'"
complains 'its last output: runcast: writing the run'
is "$(count_runs --app unwritten)" 0 runs
rm -rf tmp/*

begin 'an interruption leaves no process, and the same command continues'
rm -f log
APP_SLEEP=0.4 env --default-signal=INT "$RUNCAST" scale measure --app stopped "${b[@]:2}" --time-source program \
    --command "$command" > out 2> err < /dev/null &
for ((i = 0; i < 300; i++)); do
    grep -qs '^log 4 ' log && break
    sleep 0.1
done
kill -INT $!
wait $!
is $? 130 'exit status'
complains 'stored 2 runs; the same command makes the others'
is "$(count_runs --app stopped)" 2 runs
nothing_left
ok scale measure --app stopped "${b[@]:2}" --time-source program --no-copies --command "$command"
prints '4 runs made, 2 already in the database'

begin 'runs that fail are reported with their last line, and not stored'
fails scale measure --app bad "${target[@]:2}" --repeat 2 --command \
    "sh -c 'echo no such mesh >&2; test {rows}{cols}{p} = x'"
complains '1 process, 128 x 1024, on a20: the program ended with status 1'
complains 'note: the command has neither {hosts} nor {slots}'
complains 'its last output: no such mesh'
prints '0 runs made, 6 failed'
is "$(count_runs --app bad)" 0 runs
fails scale measure --app bad "${target[@]:2}" --repeat 1 --time-source program --command 'echo {p} {rows} {cols}'
complains 'no run time in the output of the program'
fails scale measure --app bad "${target[@]:2}" --repeat 1 --command './none {p} {rows} {cols}'
is "$(count_runs --app bad)" 0 runs
ok scale measure --app clock "${target[@]:2}" --repeat 1 --command 'echo {p} {rows} {cols}'
is "$(count_runs --app clock)" 6 'runs whose seconds are those of the clock'
nothing_left

# ---- fitting and predicting ----

begin 'a program that follows the model is predicted exactly'
ok scale fit "${target[@]}" --json
number "j['models'][0]['c_s']" 3
number "j['models'][0]['d_s']" 2
number "j['models'][0]['gamma_s']" 0.0001
number "j['models'][0]['by_procs'][0]['alpha_s']" 7
number "j['models'][0]['bytes_per_cell']" 16
ok scale fit "${target[@]}"
prints 'alpha(np) = c + d log2 np, c = 3 s, d = 2 s'
prints '(not measured)'
ok scale predict "${target[@]}" --json
number "j['point_s']" "$(python3 -c 'print("%.4g" % (131072 * 1.1e-3 + 13))')"
is "$(json "j['time']['interval_s']['low'] < j['point_s'] < j['time']['interval_s']['high']")" True
is "$(json "j['parts'][0]['block'][:2]")" '[128, 1024]'
number "j['parts'][0]['memory_bytes']" "$(python3 -c 'print("%.4g" % (1e6 + 16 * 131072))')"
number "j['cost'] / j['time']['mean_s'] * 3600" 32
ok scale predict "${target[@]}" --explain
prints '4. alpha(32) = c + d log2 np = 3 + 2 x 5 = 13 s'
prints '6. T = Tcomp + Tcomm = 131.07 + 26.107 = 157.18 s'
prints 'core-hours'
ok scale predict "${target[@]}" --procs 16 --size 1024 --json
number "j['point_s']" "$(python3 -c 'print("%.4g" % (65536 * 1.1e-3 + 11))')"
fails scale predict "${target[@]}" --network fast
complains "(fast) for meshes of 1024 columns"
fails scale predict "${target[@]}" --size 2048
complains 'for meshes of 2048 columns'
fails scale predict "${target[@]}" --procs 64
complains 'takes 32 processes, not 64'
ok scale predict "${target[@]}" --procs 64 --force
fails scale predict "${target[@]}" --bytes-per-cell 20kB
complains 'not enough memory'
complains 'hint:'
fails scale predict "${target[@]}" --app nobody
complains 'no scaling model'

begin 'runs that disagree are refused, unless --force'
printf 'app,n,p,seconds,platform,hosts,rows,cols,network\nmodel,1024,4,220,two,"a[20-23]",512,1024,1\n' \
    > odd.csv
ok "$RUNCAST" import odd.csv
fails scale fit "${target[@]}"
complains '512 x 1024'
complains 'hint:'
ok scale fit "${target[@]}" --force --dry-run
complains 'note:'
ok "$RUNCAST" runs delete --import 1
ok scale fit "${target[@]}"

begin 'the time of a killed run is a lower bound'
ok scale fit "${target[@]}" --dry-run --json
before=$(json "next(g['mean_s'] for g in j['models'][0]['groups'] if g['procs'] == 4 and g['mesh'][0] == 512)")
printf 'app,n,p,seconds,status,platform,hosts,rows,cols,network\n' > killed.csv
printf 'model,1024,4,%s,interrupted,two,"a[20-23]",512,1024,1\n' "$(python3 -c "print($before * 1.03)")" >> killed.csv
printf 'model,1024,4,5000,failed,two,"a[20-23]",512,1024,1\n' >> killed.csv
ok "$RUNCAST" import killed.csv
ok scale fit "${target[@]}" --dry-run --json
is "$(json "any('was killed' in note for note in j['models'][0]['notes'])")" True
is "$(json "next(1.005 * $before < g['mean_s'] < 1.1 * $before for g in j['models'][0]['groups'] if g['procs'] == 4 and g['mesh'][0] == 512)")" True
ok "$RUNCAST" runs delete --import 2

begin 'a third size and a third number of processes check linearity'
ok scale measure "${target[@]}" --repeat 1 --time-source program --check-linearity --small-procs 4,8,16 --command "$command"
ok scale fit "${target[@]}" --check-linearity --small-procs 4,8,16
prints 'linear: '
ok scale fit "${target[@]}" --plan-only --json # the runs of its own plan
is "$(json "j['models'][0]['run_count'], j['models'][0]['findings']")" '(6, [])'
ok scale fit "${target[@]}" --json # and those that differ in rows alone, but on as many processes
is "$(json "j['models'][0]['run_count'], len(j['models'][0]['findings'])")" '(9, 3)'
number "j['models'][0]['d_s']" 2
ok scale fit "${target[@]}" --check-linearity --work fitted --dry-run
prints 'w = cells'

begin 'damaged models are replaced by the next fit'
ok sql "$RUNCAST_DB" "UPDATE model SET body = '{' WHERE family = 'scaling'
    AND app_id = (SELECT id FROM app WHERE name = 'model')"
fails scale predict "${target[@]}"
ok scale fit "${target[@]}"
complains 'note: the stored models are damaged and will be replaced'
ok scale predict "${target[@]}"
ok scale fit "${target[@]}"
is "$(grep -c damaged err)" 0 'notes about replaced models'

begin 'runs without hosts are noted'
awk 'BEGIN {
    print "app,n,p,seconds,platform,rows,cols"
    for (p = 1; p <= 8; p = p == 1 ? 4 : 2 * p)
        for (rows = 128; rows >= 32; rows /= 4)
            printf "unsaid,1024,%d,%.12g,two,%d,1024\n", p, rows * 1.024 + \
                (p > 1 ? 3 + 2 * log(p) / log(2) + rows * 0.1024 : 0), rows * p
}' > unsaid.csv
ok "$RUNCAST" import unsaid.csv
ok scale fit --app unsaid "${target[@]:2}"
complains 'note: 6 runs have no hosts or network; A (ethernet) is assumed'

begin 'memory is extrapolated, and the hint names the option that corrects it'
printf 'app,n,p,seconds,platform,hosts,rows,cols,memory\ntiny,16,1,1,two,a20,16,16,1e9\n' > tiny.csv
ok "$RUNCAST" import tiny.csv
fails scale plan --app tiny "${target[@]:2}"
complains '--bytes-per-cell'
printf 'app,n,p,seconds,platform,hosts,rows,cols,memory\ntiny,16,1,1,two,a20,48,16,1000008192\n' > tiny.csv
ok "$RUNCAST" import tiny.csv
ok scale plan --app tiny "${target[@]:2}" --json
number "j['plans'][0]['memory_bytes'] / 1e6" 1002

begin 'predictions use the model with the same number of processes per host'
places=(--app places --platform-file p.yaml)
ok scale measure "${places[@]}" --size 2048x1024 --procs B:16 --per-host 1 --repeat 1 --time-source program \
    --command "$command"
ok scale fit "${places[@]}" --size 2048x1024 --procs B:16 --per-host 1
ok scale predict "${places[@]}" --size 2048x1024 --procs B:16 --json # there is no other
is "$(json "j['parts'][0]['per_host']")" 1
ok scale measure "${places[@]}" --size 8192x1024 --procs B:64 --repeat 1 --time-source program --no-copies \
    --command "$command"
ok scale fit "${places[@]}" --size 8192x1024 --procs B:64
ok scale predict "${places[@]}" --size 8192x1024 --procs B:64 --json
is "$(json "j['parts'][0]['per_host']")" 4
ok scale predict "${places[@]}" --size 2048x1024 --procs B:16 --per-host 1 --json
is "$(json "j['parts'][0]['per_host']")" 1

begin 'choices have processes per host, notes on what is left out, and marks of extrapolation'
ok scale compare "${places[@]}" --size 2048x1024 --procs B:16
prints 'B:16 ethernet'
prints 'B:16/4 ethernet'
ok scale compare "${places[@]}" --size 4096x1024 --procs B:32
prints 'B:32/4 ethernet'
complains 'at most 16 processes with 1 per host; 32 are left out'
[ "$(grep -c '~' out)" -eq 0 ] || fault 'a choice that is not extrapolated is marked'
ok scale compare "${places[@]}" --size 16384x1024 --procs B:64
prints '*~  16384 x 1024'
prints '~ extrapolated; --json has the details'
ok scale compare "${places[@]}" --size 16384x1024 --procs B:64 --json
is "$(json "[any(w in n for n in j['choices'][0]['notes']) for w in ('larger than all', 'made without copies')]")" \
    '[True, True]'

begin 'the link between clusters is the extra time of a run across them, with all cores busy'
pair=(--app pair --platform-file p.yaml --size 4096x1024 --procs 'A:32,B:64')
rm -f log
APP_SLEEP=0.2 ok scale measure "${pair[@]}" --repeat 1 --cluster-link measured --time-source program --command "$command"
prints '13 runs made'
for host in b01 b02; do # only the run across has these blocks there
    is "$(grep -c "^log 1 64 1024 $host\$" log | awk '{print ($1 >= 3)}')" 1 "fillers on $host"
done
nothing_left
ok scale fit "${pair[@]}" --cluster-link measured --json
# 5 s, and alpha of 4 processes in place of 2
number "j['cluster_link']['time_s']" 7
ok scale predict "${pair[@]}" --cluster-link measured --split 1:1 --json
number "j['cluster_link_s']" 7
number "j['point_s']" "$(python3 -c 'print("%.4g" % (65536 * 1.1e-3 + 13 + 7))')"

begin 'rows are divided exactly'
rows() { ok scale predict "${pair[@]}" "${@:2}" --json; is "$(json "[p['rows'] for p in j['parts']]")" "$1" "${*:2}"; }
rows '[1408, 2688]' --split time
number "j['point_s']" "$(python3 -c 'print("%.4g" % (44 * 1.1264 + 13))')"
rows '[1365, 2731]' --split memory
rows '[1365, 2731]' --split memory --force
rows '[4096, 0]' --split cost
number "j['point_s']" "$(python3 -c 'print("%.4g" % (128 * 1.1264 + 13))')"
rows '[1024, 3072]' --split 1:3
# with 100 kB for a cell, a process has memory for 20 rows
fails scale predict "${pair[@]}" --split memory --bytes-per-cell 100kB
complains 'memory'
ok scale predict "${pair[@]}" --split memory --bytes-per-cell 100kB --force --json
is "$(json "[p['rows'] for p in j['parts']]")" '[1365, 2731]'

begin 'runs across clusters that disagree are refused, unless --force'
printf 'app,n,p,seconds,platform,hosts,rows,cols,network,per_host\npair,1024,4,120,two,"a[20-21],b[01-02]",256,1024,1,4\n' \
    > odd.csv
ok "$RUNCAST" import odd.csv
fails scale fit "${pair[@]}" --cluster-link measured
complains '2 runs of 256 x 1024 on 4 processes disagree'
complains 'hint:'
ok scale fit "${pair[@]}" --cluster-link measured --force --dry-run
complains 'note: 2 runs of 256 x 1024 on 4 processes disagree'
ok scale fit "${pair[@]}"

begin 'each network has its own link'
sed 's/^links:/      - {name: fast, bandwidth: 2Gbit, latency: 7us}\n&/' p.yaml > nets.yaml
nets=(--app nets --platform-file nets.yaml --size 4096x1024 --procs 'A:32,B:64' --cluster-link measured)
APP_LINK=5 ok scale measure "${nets[@]}" --repeat 1 --time-source program --no-copies --command "$command"
prints '13 runs made'
APP_LINK=2 ok scale measure "${nets[@]}" --network fast --repeat 1 --time-source program --no-copies --command "$command"
prints '9 runs made, 4 already in the database'
for link in ethernet:7 fast:4; do
    ok scale fit "${nets[@]}" --network "${link%:*}" --json
    number "j['cluster_link']['time_s']" "${link#*:}"
done
for link in ethernet:7 fast:4; do
    ok scale predict "${nets[@]}" --network "${link%:*}" --split 1:1 --json
    number "j['cluster_link_s']" "${link#*:}"
done

begin 'a pair over two networks is named by both, and has a link too'
sed '/name: B/,$ s/ethernet/gigabit/' p.yaml > mixed.yaml
mixed=(--app mixed --platform-file mixed.yaml --size 4096x1024 --procs 'A:32,B:64' --cluster-link measured)
ok scale measure "${mixed[@]}" --repeat 1 --time-source program --no-copies --command "$command"
ok scale fit "${mixed[@]}"
ok scale predict "${mixed[@]}" --split 1:1 --json
number "j['cluster_link_s']" 7
ok scale compare "${mixed[@]}"
prints 'A:32 ethernet + B:64/4 gigabit'
ok scale compare "${mixed[@]}" --split 1000:1
prints 'A:32 ethernet + B:64/4 gigabit: ' # and why it is impossible
nothing_left

# ---- simulated clusters ----

if ! command -v smpicc > /dev/null || ! command -v smpirun > /dev/null; then
    begin 'simulated clusters'
    skip 'needs SimGrid'
    finish
    exit 0
fi
sim="$RUNCAST lab sim --platform-file p.yaml --network ethernet --hosts {hosts} --per-host {per_host} \
-p {p} --no-store --json mg --size {cols} --rows {rows} --iterations 4"
mg=(--app mg --platform-file p.yaml --size 16384)

begin 'mg on two simulated clusters is predicted from 4 and 8 processes'
ok smpicc -std=c17 -D_GNU_SOURCE -DAPP_SMPI -O1 "$SOURCE_ROOT/apps/mg.c" "$SOURCE_ROOT/apps/app.c" \
    "$SOURCE_ROOT/apps/app_checkpoint.c" -o apps/mg -lm
ok scale measure "${mg[@]}" --procs A:32,B:64 --cluster-link measured --repeat 1 --time-source program --no-copies \
    --command "$sim"
prints '13 runs made'
ok scale fit "${mg[@]}" --procs A:32,B:64 --cluster-link measured --json
is "$(json "[m['cluster'] for m in j['models']]")" "['A', 'B']"
link=$(json "'%.4g' % j['cluster_link']['time_s']")
error() { # error SIMULATED: whether the prediction in out is within 7.65 % of it
    json "abs(j['point_s'] / $1 - 1) < 0.0765"
}
for where in A:32:8192:1 B:64:8192:4; do
    IFS=: read -r cluster p rows per_host <<< "$where"
    ok "$RUNCAST" lab sim --platform-file p.yaml --network ethernet --cluster "$cluster" -p "$p" \
        --per-host "$per_host" --no-store --json mg --size 16384 --rows "$rows" --iterations 4
    seconds=$(json "j['time_s']")
    ok scale predict "${mg[@]}" --size "${rows}x16384" --procs "$cluster:$p" --json
    is "$(error "$seconds")" True "$where against $seconds"
done

begin 'rows are divided by time, memory, cost or as given'
ok scale predict "${mg[@]}" --procs A:32,B:64 --json
is "$(json "sum(p['rows'] for p in j['parts'])")" 16384
is "$(json "abs(j['parts'][0]['time']['mean_s'] / j['parts'][1]['time']['mean_s'] - 1) < 0.1")" True
ok scale predict "${mg[@]}" --procs A:32,B:64 --split 1:1 --cluster-link measured --json
is "$(json "[p['rows'] for p in j['parts']]")" '[8192, 8192]'
number "j['cluster_link_s']" "$link"
ok scale predict "${mg[@]}" --procs A:32,B:64 --split memory --json
is "$(json "[p['rows'] for p in j['parts']]")" '[5461, 10923]'
ok scale predict "${mg[@]}" --procs A:32,B:64 --split cost --json
is "$(json "sum(p['rows'] for p in j['parts'])")" 16384
ok scale predict "${mg[@]}" --procs A:32,B:64
prints 'on A:32 (ethernet) + B:64 (ethernet): '
ok scale predict "${mg[@]}" --procs A:32,B:64 --explain
prints 'Eq. 5'

begin 'all choices are compared'
ok scale compare "${mg[@]}" --procs A:16,32,B:64 --deadline 1h --budget 1000 --json
is "$(json "sorted({'+'.join(p['cluster'] + str(p['procs']) for p in c['parts']) for c in j['choices'] if c['state'] == 'ok'})")" \
    "['A16', 'A16+B64', 'A32', 'A32+B64', 'B64']"
is "$(json "all(a['time_s'] <= b['time_s'] for a, b in zip(s, s[1:])) if (s := [c for c in j['choices'] if c['state'] == 'ok']) else 0")" True
is "$(json "all(c['deadline_probability'] == 1 and c['budget_probability'] == 1 for c in j['choices'] if c['state'] == 'ok')")" True
is "$(json "min(c['cost'] for c in j['choices'] if c['state'] == 'ok') == min(c['cost'] for c in j['choices'] if c['pareto_optimal'])")" True
is "$(json "j['choices'][0]['pareto_optimal']")" True
ok scale compare "${mg[@]}" --size 16384,8192x16384 --procs A:16,32,B:64 --no-pairs
prints '8192 x 16384'
prints '*~  16384 x 16384' # larger blocks than were measured
prints '*   8192 x 16384'
ok scale compare "${mg[@]}" --cluster A --all
prints 'not measured'
ok scale compare "${mg[@]}" --procs A:32,B:64 --split 1000:1
prints 'cannot be divided'
ok scale compare "${mg[@]}" --procs A:32,B:64 --bytes-per-cell 300
prints 'does not fit'
fails scale compare "${mg[@]}" --bytes-per-cell 1MB
prints 'does not fit'
complains 'memory'
complains 'hint:'
fails scale compare "${mg[@]}" --size 999
complains 'hint:'
misused scale compare "${mg[@]}" --cluster C
misused scale compare "${mg[@]}" --deadline 0
misused scale compare "${mg[@]}" --procs C:4
if command -v gnuplot > /dev/null; then
    ok scale compare "${mg[@]}" --procs A:16,32,B:64 --plot x.svg
    grep -q 'Run time and cost of mg' x.svg || fault 'no title in the plot'
    ok scale predict "${mg[@]}" --procs A:32 --plot y.svg
fi
nothing_left

finish
