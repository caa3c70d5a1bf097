#!/bin/bash
# Structural models compared with runs in the database.
. "$(dirname "$0")/harness.sh"

# A of N/P and B of N^2/100 seconds, on one host or two.
cat > app.rcm << 'END'
model app "two tasks"
input N from size
input P from processes
input rounds = 1
input load[h] = table
    a1  1
    a2  2
component A by w = N / P * max(h in hosts: load[h])
component B by w = N * N / 100
total t = rounds * (A + B)
END

# runs A B: a table of runs in which the tasks take so many times what the model says.
runs() {
    awk -v a="$1" -v b="$2" 'BEGIN {
        print "app,n,p,seconds,hosts"
        for (n = 10; n <= 100; n += 10) {
            printf "app,%d,1,%.6f,a1\n", n, a * n + b * n * n / 100
            printf "app,%d,1,%.6f,a2\n", n, a * 2 * n + b * n * n / 100
            printf "app,%d,2,%.6f,\"a1,a2\"\n", n, a * n + b * n * n / 100
        }
    }'
}

begin 'a missing database is reported, and not created'
fails "$RUNCAST" model accuracy app.rcm
complains 'no database yet'
[ ! -e "$RUNCAST_DB" ] || fault 'a store was made'
fails "$RUNCAST" model accuracy app.rcm --db none.db
complains 'none.db'
[ ! -e none.db ] || fault 'a store was made'
is "$(cat out)" ''

begin 'a model that is right has no errors'
runs 1 1 > runs.csv
ok "$RUNCAST" import runs.csv
ok "$RUNCAST" model accuracy app.rcm
silent
prints 'app compared with 30 runs of app'
prints 'MAPE: 0 %, largest APE: 0 %'
prints 'valid sizes: 10 to 100 (MAPE of at most 10 %)'
prints 'ranked correctly: 20 of 20 pairs of choices of hosts'
prints 'no single task explains the errors'
is "$(awk '$1 == 50 { $1 = ""; print }' out)" ' 3 91.67 91.67 0.0 % 0.0 % - yes'

begin 'the same as JSON'
ok "$RUNCAST" model accuracy app.rcm --json
silent
is "$(json "j['model'], j['app'], j['run_count'], j['skipped'], j['mape_fraction'], j['covered'], j['check_first']")" \
    "('app', 'app', 30, 0, 0, None, None)"
is "$(json "[s['size'] for s in j['sizes']] == list(range(10, 101, 10))")" True
is "$(json "j['pairs'], j['ranked'], j['ranked_over'], len(j['predictions']), [t['name'] for t in j['tasks']]")" \
    "(20, 20, 'choices', 30, ['A', 'B'])"
is "$(json "sorted(j['predictions'][0]) == ['actual_s', 'hosts', 'id', 'interval_s', 'predicted_s', 'procs', 'size', 'start']")" True

begin 'the task that is wrong is named, with the factor'
for case in 'A 2.5 1' 'B 1 4' 'B 1 0.2'; do
    read -r task a b <<< "$case"
    factor=$b
    [ "$task" = A ] && factor=$a
    rm -f store.db*
    runs "$a" "$b" > runs.csv
    ok "$RUNCAST" import runs.csv
    ok "$RUNCAST" model accuracy app.rcm
    prints "check first: $task; a factor of $factor would reduce the root mean square error from"
    ok "$RUNCAST" model accuracy app.rcm --json
    is "$(json "j['check_first'], [abs(t['task_factor'] - $factor) < 1e-4 for t in j['tasks'] if t['name'] == '$task']")" \
        "('$task', [True])"
done

begin 'valid sizes are shown as ranges'
rm -f store.db*
printf 'app,n,p,seconds,hosts\napp,10,1,11,a1\napp,20,1,24,a1\napp,30,1,60,a1\napp,40,1,56,a1\n' > runs.csv
ok "$RUNCAST" import runs.csv
ok "$RUNCAST" model accuracy app.rcm
prints 'valid sizes: 10 to 20, 40 (MAPE of at most 10 %)'
is "$(grep -cE '^ranked correctly: [0-9]+ of [0-9]+ pairs of sizes$' out)" 1
ok "$RUNCAST" model accuracy app.rcm --tolerance 40%
prints 'valid sizes: 10 to 40 (MAPE of at most 40 %)'
ok "$RUNCAST" model accuracy app.rcm --set rounds=3
prints 'valid sizes: none'
ok "$RUNCAST" model accuracy app.rcm --size 20..30 --json
is "$(json "j['run_count'], round(j['mape_fraction'], 9)")" '(2, 0.175)'
ok "$RUNCAST" model accuracy app.rcm --size ..20 --procs 1 --json
is "$(json "j['run_count']")" 2
misused "$RUNCAST" model accuracy app.rcm --tolerance 0
misused "$RUNCAST" model accuracy app.rcm --size x
misused "$RUNCAST" model accuracy app.rcm --level 2

begin 'runs are chosen by app'
fails "$RUNCAST" model accuracy app.rcm --app other
complains "no runs of 'other'"
complains 'hint: '
is "$(cat out)" ''
printf 'model m\n    app app\ntotal t = 24\n' > named.rcm
ok "$RUNCAST" model accuracy named.rcm --json
is "$(json "j['model'], j['app'], j['run_count']")" "('m', 'app', 4)"
printf 'model m\ntotal t = 24\n' > unnamed.rcm
fails "$RUNCAST" model accuracy unnamed.rcm
complains "no runs of 'm'"
ok "$RUNCAST" model accuracy unnamed.rcm --app app
prints 'm compared with 4 runs of app'

begin 'killed runs are counted: their times are lower bounds'
printf 'app,n,p,seconds,status,hosts\napp,10,1,11.5,interrupted,a1\napp,20,1,3,interrupted,a1\napp,20,1,3,failed,a1\n' \
    > killed.csv
ok "$RUNCAST" import killed.csv
ok "$RUNCAST" model accuracy app.rcm --json
complains 'note: 2 killed runs, not in the errors: 1 ran longer than their prediction interval'
is "$(json "j['run_count'], j['killed_run_count'], j['killed_beyond_interval_count']")" '(4, 2, 1)'
ok "$RUNCAST" runs delete --import 2

begin 'runs for which the model cannot be evaluated are skipped, with a note'
printf 'app,n,p,seconds,hosts\napp,10,1,11,zz\napp,20,1,24,yy\n' > more.csv
ok "$RUNCAST" import more.csv
ok "$RUNCAST" model accuracy app.rcm
complains "2 runs skipped, as the model cannot be evaluated: load has no row for 'zz'"
prints 'compared with 4 runs'
ok "$RUNCAST" model accuracy app.rcm --set 'load[zz]=1' --json
complains '1 run skipped'
is "$(json "j['run_count'], j['skipped']")" '(5, 1)'
fails "$RUNCAST" model accuracy app.rcm --hosts xx
complains 'skipped'
complains "the model can be evaluated for no run of 'app'"

begin 'failed runs are left out, parameters of runs are inputs'
rm -f store.db*
printf 'app,n,p,seconds,hosts,status,rounds\napp,10,1,33,a1,ok,3\napp,10,1,1,a1,failed,1\n' > runs.csv
ok "$RUNCAST" import runs.csv
ok "$RUNCAST" model accuracy app.rcm --json
is "$(json "j['run_count'], j['mape_fraction']")" '(1, 0)'
ok "$RUNCAST" model accuracy app.rcm --set rounds=6 --json
is "$(json "j['mape_fraction']")" 1

begin 'intervals are counted where predictions have a spread'
rm -f store.db*
printf 'app,n,p,seconds,hosts\napp,10,1,11,a1\napp,10,1,11.1,a1\napp,10,1,99,a1\n' > runs.csv
ok "$RUNCAST" import runs.csv
for kind in normal sample interval histogram; do
    ok "$RUNCAST" model accuracy app.rcm --set 'rounds=normal(1, 0.02)' --as $kind
    prints 'coverage of the 90 % interval: 2 of 3 runs'
done
ok "$RUNCAST" model accuracy app.rcm --set 'rounds=normal(1, 0.02)' --level 10% --json
is "$(json "j['covered'], j['level'], j['sizes'][0]['covered']")" '(1, 0.1, 1)'

begin 'runs are compared on the platform that they were made on'
rm -f store.db*
printf 'app,n,p,seconds,platform\napp,10,1,10,elsewhere\napp,10,1,20,lab\n' > runs.csv
ok "$RUNCAST" import runs.csv
printf 'model app\ninput N from size\ninput f = 1\ntotal t = f * N\non lab\ninput f = 2\n' > one.rcm
ok "$RUNCAST" model accuracy one.rcm --json
is "$(json "sorted((r['actual_s'], r['predicted_s']) for r in j['predictions'])")" '[(10, 10), (20, 20)]' 'one platform'
printf 'on attic\ninput f = 9\n' > attic.rcm
ok "$RUNCAST" model accuracy one.rcm --with attic.rcm --json
is "$(json "sorted((r['actual_s'], r['predicted_s']) for r in j['predictions'])")" '[(10, 10), (20, 20)]' 'two platforms'
ok "$RUNCAST" model accuracy one.rcm --with attic.rcm --on attic --json
is "$(json "{r['predicted_s'] for r in j['predictions']}")" '{90}'

begin 'series count as they were before the run, or in hindsight'
rm -f store.db*
awk 'BEGIN {
    print "t,value"
    for (t = 0; t < 600; t += 5)
        printf "%d,%g\n", 1794736800 - 300 + t, t < 300 ? 1 : 0.5
}' > cpu.csv
ok "$RUNCAST" series import cpu.csv --host a1 --metric cpu
printf 'app,n,p,seconds,hosts,start\napp,20,1,40,a1,2026-11-15T10:00:00Z\n' > runs.csv
ok "$RUNCAST" import runs.csv
cat > load.rcm << 'END'
model app
input N from size
input cpu[h] from series cpu last 2min
total t = max(h in hosts: N / cpu[h])
END
ok "$RUNCAST" model accuracy load.rcm --json
is "$(json "round(j['mape_fraction'], 6), j['predictions'][0]['predicted_s']")" '(0.5, 20)'
ok "$RUNCAST" model accuracy load.rcm --hindsight --json
is "$(json "round(j['mape_fraction'], 6), j['predictions'][0]['predicted_s']")" '(0, 40)'
ok "$RUNCAST" model eval load.rcm --hosts a1 --set N=20 --at 2026-11-15T10:02:00 --json
is "$(json "j['kind'], j['mean_s']")" "('sample', 40)"
fails "$RUNCAST" model eval load.rcm --hosts a1 --set N=20 --at 2026-11-16
complains 'has no sample'
fails "$RUNCAST" model eval load.rcm --hosts a1,a9 --set N=20 --at 2026-11-15T10:02:00
complains "'cpu' of a9"

begin 'a load that is not known is reported, and no task is named for it'
cat > else.rcm << 'END'
model app
input N from size
input cpu[h] from forecast cpu else 1
component Compute[h] by w = N / cpu[h]
total t = max(h in hosts: Compute[h])
END
printf 'app,n,p,seconds,hosts\napp,20,1,50,a1\n' > runs.csv
ok "$RUNCAST" import runs.csv --db other.db
for way in '' --hindsight; do
    # shellcheck disable=SC2086 # no word, or one
    ok "$RUNCAST" model accuracy else.rcm --db other.db $way
    complains '1 of 1 runs have no series for cpu[a1] or another input'
    prints 'check first: unknown, as no run has load data'
done
ok "$RUNCAST" model accuracy else.rcm --db other.db --json
is "$(json "j['assumed_runs'], j['load_unknown_runs'], j['check_first'], j['tasks'][0]['task_factor']")" '(1, 1, None, None)'
# the samples end when the run starts
printf 'app,n,p,seconds,hosts,start\napp,20,1,40,a1,2026-11-15T10:04:55Z\n' > runs.csv
ok "$RUNCAST" import runs.csv --db third.db
ok "$RUNCAST" series import cpu.csv --host a1 --metric cpu --db third.db
ok "$RUNCAST" model accuracy else.rcm --db third.db --hindsight --json
complains 'cpu[a1]: no sample during the run; the last one before it is used (1 of 1 runs; this is the first)'
is "$(json "j['load_unknown_runs'], [n['run_count'] for n in j['run_notes']]")" '(1, [1])'
ok "$RUNCAST" model accuracy else.rcm --hindsight
silent

begin 'parameters in which runs of one size differ are shown'
printf 'app,n,p,seconds,hosts,rounds\napp,10,1,33,a1,3\napp,10,1,11,a1,1\n' > runs.csv
ok "$RUNCAST" import runs.csv --db merged.db
ok "$RUNCAST" model accuracy app.rcm --db merged.db
prints 'each line includes runs with rounds 1 to 3'
printf 'app,n,p,seconds,hosts,rounds\napp,10,2,11,"a1,a2",1\n' > runs.csv
ok "$RUNCAST" import runs.csv --db merged.db
ok "$RUNCAST" model accuracy app.rcm --db merged.db
prints 'each line includes runs with processes 1 to 2, rounds 1 to 3'

begin 'a missing database matters only if the model needs series'
fails "$RUNCAST" model eval load.rcm --hosts a1 --set N=20 --db none.db
complains 'no database yet'
ok "$RUNCAST" model eval named.rcm --db none.db
fails env RUNCAST_DB=none.db "$RUNCAST" model eval load.rcm --hosts a1 --set N=20
complains 'comes from the database, but there is none'
ok env RUNCAST_DB=none.db "$RUNCAST" model eval load.rcm --hosts a1 --set N=20 --set cpu=0.5 --json
is "$(json "j['mean_s']")" 40
[ ! -e none.db ] || fault 'a store was made'

begin 'an unreadable database is not treated as missing'
head -c 5000 /dev/urandom > damaged.db
fails env RUNCAST_DB=damaged.db "$RUNCAST" model eval load.rcm --hosts a1 --set N=20
complains 'damaged.db'

# magic FILE: how it begins.
magic() { head -c 5 "$1" | od -An -c | tr -d ' \n'; }

begin 'answers and comparisons are drawn'
if ! command -v gnuplot > /dev/null; then
    skip 'needs gnuplot'
else
    rm -f store.db*
    runs 2 1 > runs.csv
    ok "$RUNCAST" import runs.csv
    ok "$RUNCAST" model eval app.rcm --hosts a1 --set N=10 --set 'rounds=normal(2, 0.1)' --plot e.svg
    prints 'mean'
    silent
    is "$(magic e.svg)" '<?xml'
    grep -q '>app' e.svg || fault 'there is no title'
    ok "$RUNCAST" model eval app.rcm --hosts a1 --set N=10 --plot e.png --json
    is "$(json "j['mean_s']")" 11
    is "$(magic e.png)" '211PNG\r'
    ok "$RUNCAST" model accuracy app.rcm --plot a.svg
    silent
    prints 'check first: A'
    is "$(magic a.svg)" '<?xml'
    is "$(grep . a.svg | tail -n 1)" '</svg>'
    grep -q 'app and runs of app' a.svg || fault 'there is no title'
    ok "$RUNCAST" model accuracy app.rcm --set 'rounds=normal(2, 0.1)' --plot a.png --json
    is "$(json "j['run_count']")" 30
    is "$(magic a.png)" '211PNG\r'
    ok "$RUNCAST" model accuracy app.rcm --size 10 --procs 2 --plot a.pdf # a single point
    silent
    is "$(magic a.pdf)" '%PDF-'
    is "$(find . -name '*runcast-plot*')" '' 'left behind'
fi
for verb in eval accuracy; do
    echo old > old.svg
    misused "$RUNCAST" model $verb app.rcm --hosts a1 --set N=10 --plot old.gif
    complains 'hint: use a file name that ends in .svg, .png or .pdf'
    mkdir -p fake
    printf '#!/bin/sh\necho "<svg>half"\nexit 1\n' > fake/gnuplot
    chmod +x fake/gnuplot
    fails env PATH="$WORK/fake:$PATH" "$RUNCAST" model $verb app.rcm --hosts a1 --set N=10 --plot old.svg
    complains 'gnuplot failed'
    [ -s out ] || fault "$verb: the result is not shown"
    is "$(cat old.svg)" old
done

begin 'predictions learn from earlier runs'
printf 'model slow\ninput N from size\ntotal t = N * normal(1, 0.001)\n' > slow.rcm
awk 'BEGIN {
    print "app,n,p,start,seconds"
    for (i = 0; i < 60; i++)
        printf "slow,100,1,%d,%.6f\n", 1000000000 + 1000 * i, 120 + (i * 37 % 60 - 30) / 5
}' > slow.csv
ok "$RUNCAST" import slow.csv
# late: the error, and the part inside of its interval, of the last 40 runs.
late="sorted(j['predictions'], key=lambda r: r['start'])[-40:]"
late="[(sum(abs(r['predicted_s'] / r['actual_s'] - 1) for r in x) / 40, sum(r['interval_s']['low'] <= r['actual_s'] <= r['interval_s']['high'] for r in x)) \
for x in [$late]][0]"
ok "$RUNCAST" model accuracy slow.rcm --json
is "$(json "0.14 < ${late}[0] < 0.19, ${late}[1]")" '(True, 0)'
ok "$RUNCAST" model accuracy slow.rcm --learn --json
is "$(json "${late}[0] < 0.04, 34 <= ${late}[1] <= 40")" '(True, True)'
is "$(json "j['learned']['corrected'], 1.1 < j['learned']['factor'] < 1.3")" '(50, True)'
is "$(json "[r['predicted_s'] for r in j['predictions'] if r['start'] < '2001-09-09T04:25'] == 10 * [100]")" True

ok "$RUNCAST" model accuracy slow.rcm --learn
prints 'learned: 50 of 60 predictions corrected, by a mean factor of 1.2'
ok "$RUNCAST" model accuracy slow.rcm --json
is "$(json "j['learned']")" None

finish
