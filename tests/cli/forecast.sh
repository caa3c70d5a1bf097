#!/bin/bash
# Forecasts of series in the store, and replays of files.
. "$(dirname "$0")/harness.sh"
data=$SOURCE_ROOT/tests/data/series

begin 'a series in the store is forecast'
awk 'BEGIN { print "t,value"; for (i = 0; i < 400; i++) print i * 10 "," 0.5 + 0.3 * (int(i / 40) % 2) }' > load.csv
ok "$RUNCAST" series import load.csv --host a1 --metric cpu --time-origin 2026-11-15
ok "$RUNCAST" forecast --host a1 --metric cpu --horizon 2min
prints 'cpu of a1 over the 2 min from 2026-11-15T01:06:30Z: 0.'
prints 'from 400 values, 10 s apart, since 2026-11-15T00:00:00Z'
prints 'what counts most:'
ok "$RUNCAST" forecast --host a1 --horizon 2min --json
is "$(json "j['from'], j['horizon'], j['step'], j['samples'], j['host'], j['peer'], j['metric']")" \
    "(1794704790, 120, 10, 400, 'a1', None, 'cpu')"
is "$(json "sorted(j['intervals'])")" "['50', '80', '90', '95']"
is "$(json "all(j['intervals'][k][0] <= j['mean'] <= j['intervals'][k][1] for k in j['intervals'])")" True
is "$(json "j['judged']")" 258 'about 8 in 12, and none of the last 12'
is "$(json "abs(sum(f['weight'] for f in j['forecasters']) - 1) < 1e-9")" True

begin 'only what was known then is looked at'
ok "$RUNCAST" forecast --host a1 --horizon 2min --at 2026-11-15T00:06:00Z --json
is "$(json "j['samples'], j['mean']")" '(37, 0.5)'
fails "$RUNCAST" forecast --host a1 --horizon 2min --at 2026-11-14
complains "reading the series: the series 'cpu' of a1 has no sample up to 2026-11-14T00:00:00Z"
fails "$RUNCAST" forecast --host a1 --horizon 2min --at 2036-11-14
complains 'hardly anything was measured in the 11.57 d before 2036-11-14T00:00:00Z'
complains 'the newest sample is of 2026-11-15T01:06:30Z'
ok "$RUNCAST" forecast --host a1 --horizon 2min --at 2026-11-15T01:30:00Z --json
mv out late
ok "$RUNCAST" forecast --host a1 --horizon 2min --json
is "$(python3 -c "
import json
late, now = json.load(open('late')), json.load(open('out'))
width = lambda j: j['intervals']['50'][1] - j['intervals']['50'][0]
print(width(late) > width(now))")" True 'less is known after a gap'

begin 'what is old or guessed is told'
ok "$RUNCAST" forecast --host a1 --horizon 2min
complains 'old, and the forecast begins there; --at 0s'
ok "$RUNCAST" forecast --host a1 --horizon 2min --at 2026-11-15T01:06:30Z
silent
prints 'intervals from the errors of 258 earlier forecasts so far ahead'
ok "$RUNCAST" forecast --host a1 --horizon 2min --at 2026-11-15T01:30:00Z
complains 'it was not measured in the last 23.5 min before that'
ok "$RUNCAST" forecast --host a1 --horizon 2h --at 2026-11-15T01:06:30Z
prints 'intervals guessed from shorter forecasts'

begin 'links are forecast too'
ok "$RUNCAST" series import load.csv --link a1:a2 --metric bw --time-origin 2026-11-15
ok "$RUNCAST" forecast --link a1:a2 --metric bw --horizon 1min
prints 'bw of a1:a2 over the 1 min'
ok "$RUNCAST" series import load.csv --host a1 --metric memory --time-origin 2026-11-15
ok "$RUNCAST" forecast --host a1 --metric memory --horizon 1min
prints 'B to '

begin 'hosts are forecast together'
awk -F, 'NR > 1 { $2 = 1.3 - $2 } { print $1 "," $2 }' load.csv > other.csv
ok "$RUNCAST" series import other.csv --host a2 --metric cpu --time-origin 2026-11-15
ok "$RUNCAST" forecast --set 'a[1-2]' --stat avgmin --horizon 2min --json
is "$(json "j['stat'], len(j['hosts']), round(j['mean'], 1)")" "('avgmin', 2, 0.5)"
ok "$RUNCAST" forecast --set a1,a2 --stat minavg --horizon 2min
prints 'minavg of cpu of 2 hosts over the 2 min from 2026-11-15T01:06:30Z: 0.'
cp out first
ok "$RUNCAST" forecast --set a1,a2 --stat minavg --horizon 2min
is "$(cmp first out)" ''
fails "$RUNCAST" forecast --set a1,a2 --horizon 1h --at 2026-11-15T00:20:00Z
complains 'the hosts were not seen together for long enough'

begin 'wrong calls are told'
misused "$RUNCAST" forecast --host a1
complains '--horizon'
misused "$RUNCAST" forecast --horizon 1min
misused "$RUNCAST" forecast --host a1 --set a2 --horizon 1min
misused "$RUNCAST" forecast --host a1 --horizon 0
complains '--horizon must be more than 0'
misused "$RUNCAST" forecast --host a1,a2 --horizon 1min
complains '--set'
misused "$RUNCAST" forecast --link a1 --horizon 1min
complains 'FROM:TO'
misused "$RUNCAST" forecast --link a1:a2 --set a1,a2 --horizon 1min
misused "$RUNCAST" forecast --host a1 --horizon 1min --stat minavg
complains '--stat is for --set'
misused "$RUNCAST" forecast --host a1 --horizon 1min --warmup 10
complains '--warmup is for --score'
misused "$RUNCAST" forecast --host a1 --horizon soon
misused "$RUNCAST" forecast load.csv --host a1 --horizon 1min
misused "$RUNCAST" forecast --host a1 --horizon 1min --plot future.txt
misused "$RUNCAST" forecast --score
misused "$RUNCAST" forecast --score load.csv --horizon 1min
misused "$RUNCAST" forecast --score load.csv --horizon 513
misused "$RUNCAST" forecast --score load.csv --host a1
misused "$RUNCAST" forecast --score load.csv --target last
misused "$RUNCAST" forecast --score load.csv --seed 1
complains '--seed is not for --score'
fails "$RUNCAST" forecast --host a3 --horizon 1min
complains "no series 'cpu' of a3"

begin 'files are replayed'
ok "$RUNCAST" forecast --score "$data/hsdpa34.csv" "$data/norway_hsdpa_fcc/hsdpa11.csv" --horizon 30 --json
is "$(json "len(j['files']), [f['points'] + 89 for f in j['files']]")" \
    "(2, [$(($(wc -l < "$data/hsdpa34.csv") - 1)), $(($(wc -l < "$data/norway_hsdpa_fcc/hsdpa11.csv") - 1))])"
is "$(json "j['all']['points'] == sum(f['points'] for f in j['files'])")" True
is "$(json "sorted(j['files'][0]['coverage']) == sorted(j['files'][0]['width']) == ['50', '80', '90', '95']")" True
is "$(json "j['files'][0]['mae'] < j['files'][0]['forecasters'][0]['mae']")" True 'better than the last value'
ok "$RUNCAST" forecast --score "$data/hsdpa34.csv" --target next --warmup 100
prints 'the answer'
prints 'smoothing-0.3'
printf 't,value\n0,1\n0,2\n1,3\n' > same.csv
ok "$RUNCAST" forecast --score same.csv --horizon 1 --warmup 1 --json
is "$(json "j['files'][0]['points'], j['files'][0]['forecasters'][0]['mae']")" '(2, 1)' 'rows of one time'

ok "$RUNCAST" forecast --score same.csv
complains 'same.csv: nothing to compare: with a warm-up of 60 and a horizon of 30'

begin 'bad files are told'
printf 't,value\n0,1\n1,x\n' > bad.csv
fails "$RUNCAST" forecast --score "$data/hsdpa34.csv" bad.csv
complains "bad.csv:3:3"
printf 't,value\n5,1\n1,2\n' > back.csv
fails "$RUNCAST" forecast --score back.csv
complains 'times must increase'
fails "$RUNCAST" forecast --score none.csv
complains 'none.csv'

begin 'forecasts are drawn'
if command -v gnuplot > /dev/null; then
    ok "$RUNCAST" forecast --host a1 --horizon 2min --plot future.svg
    is "$(grep -c '<svg' future.svg)" 1
    ok "$RUNCAST" forecast --set a1,a2 --horizon 2min --plot both.svg
    is "$(grep -c '<svg' both.svg)" 1
    is "$(grep -c 'cpu of a1,a2 over the next 2 min' both.svg)" 1
    ok "$RUNCAST" forecast --link a1:a2 --metric bw --horizon 2min --plot link.svg
    is "$(grep -c 'bw of a1:a2' link.svg)" 1
else
    skip 'needs gnuplot'
fi

finish
