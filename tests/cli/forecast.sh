#!/bin/bash
# Forecasts of series in the database, and replays of files.
. "$(dirname "$0")/harness.sh"
data=$SOURCE_ROOT/tests/data/series

begin 'a series in the database is forecast'
awk 'BEGIN { print "t,value"; for (i = 0; i < 400; i++) print i * 10 "," 0.5 + 0.3 * (int(i / 40) % 2) }' > load.csv
ok "$RUNCAST" series import load.csv --host a1 --metric cpu --time-origin 2026-11-15
ok "$RUNCAST" forecast --host a1 --metric cpu --horizon 2min
prints 'mean cpu of a1, 00:02:00 from 2026-11-15T01:06:30Z: 0.'
prints 'samples: 400, 10 s apart, since 2026-11-15T00:00:00Z'
prints 'largest weights:'
ok "$RUNCAST" forecast --host a1 --horizon 2min --json
is "$(json "j['start'], j['horizon_s'], j['step_s'], j['sample_count'], j['host'], j['peer'], j['metric'], j['unit']")" \
    "('2026-11-15T01:06:30Z', 120, 10, 400, 'a1', None, 'cpu', None)"
is "$(json "[i['level'] for i in j['intervals']]")" '[0.5, 0.8, 0.9, 0.95]'
is "$(json "all(i['low'] <= j['mean'] <= i['high'] for i in j['intervals'])")" True
is "$(json "[note for note in j['notes'] if 'the newest sample is' in note] == j['notes'] != []")" True notes
is "$(json "j['past_forecasts']")" 258 'about 8 in 12, and none of the last 12'
is "$(json "abs(sum(f['weight'] for f in j['forecasters']) - 1) < 1e-9")" True

begin 'later samples are ignored'
ok "$RUNCAST" forecast --host a1 --horizon 2min --at 2026-11-15T00:06:00Z --json
is "$(json "j['sample_count'], j['mean']")" '(37, 0.5)'
fails "$RUNCAST" forecast --host a1 --horizon 2min --at 2026-11-14
complains "reading the series: the series 'cpu' of a1 has no sample up to 2026-11-14T00:00:00Z"
fails "$RUNCAST" forecast --host a1 --horizon 2min --at 2036-11-14
complains 'almost no samples in the 11-13:46:40 before 2036-11-14T00:00:00Z'
complains 'the newest sample is of 2026-11-15T01:06:30Z'
ok "$RUNCAST" forecast --host a1 --horizon 2min --at 2026-11-15T01:30:00Z --json
mv out late
ok "$RUNCAST" forecast --host a1 --horizon 2min --json
is "$(python3 -c "
import json
late, now = json.load(open('late')), json.load(open('out'))
width = lambda j: j['intervals'][0]['high'] - j['intervals'][0]['low']
print(width(late) > width(now))")" True 'wider after a gap'

begin 'old samples and extrapolated intervals are noted'
ok "$RUNCAST" forecast --host a1 --horizon 2min
complains 'old, and the forecast starts there; --at 0s'
ok "$RUNCAST" forecast --host a1 --horizon 2min --at 2026-11-15T01:06:30Z
silent
prints 'past forecasts with this horizon: 258'
ok "$RUNCAST" forecast --host a1 --horizon 2min --at 2026-11-15T01:30:00Z
complains 'no samples in the last 00:23:30 before the forecast'
ok "$RUNCAST" forecast --host a1 --horizon 2h --at 2026-11-15T01:06:30Z
prints 'past forecasts with this horizon: 0 (the intervals are extrapolated'

begin 'links are forecast too'
ok "$RUNCAST" series import load.csv --link a1:a2 --metric bw --time-origin 2026-11-15
ok "$RUNCAST" forecast --link a1:a2 --metric bw --horizon 1min
prints 'mean bw of a1:a2, 00:01:00 from'
ok "$RUNCAST" series import load.csv --host a1 --metric memory --time-origin 2026-11-15
ok "$RUNCAST" forecast --host a1 --metric memory --horizon 1min
prints 'B to '

begin 'the load statistic of several hosts is forecast'
awk -F, 'NR > 1 { $2 = 1.3 - $2 } { print $1 "," $2 }' load.csv > other.csv
ok "$RUNCAST" series import other.csv --host a2 --metric cpu --time-origin 2026-11-15
ok "$RUNCAST" forecast --hosts 'a[1-2]' --stat avgmin --horizon 2min --json
is "$(json "j['stat'], len(j['hosts']), round(j['mean'], 1)")" "('avgmin', 2, 0.5)"
ok "$RUNCAST" forecast --hosts a1,a2 --stat minavg --horizon 2min
prints 'minavg of cpu of 2 hosts, 00:02:00 from 2026-11-15T01:06:30Z: 0.'
cp out first
ok "$RUNCAST" forecast --hosts a1,a2 --stat minavg --horizon 2min
is "$(cmp first out)" ''
fails "$RUNCAST" forecast --hosts a1,a2 --horizon 1h --at 2026-11-15T00:20:00Z
complains 'too few samples of all hosts at the same time'

begin 'wrong calls are refused'
misused "$RUNCAST" forecast --host a1
complains '--horizon'
misused "$RUNCAST" forecast --horizon 1min
misused "$RUNCAST" forecast --host a1 --hosts a2 --horizon 1min
misused "$RUNCAST" forecast --host a1 --horizon 0
complains '--horizon must be above 0'
misused "$RUNCAST" forecast --host a1,a2 --horizon 1min
complains '--hosts'
misused "$RUNCAST" forecast --link a1 --horizon 1min
complains 'FROM:TO'
misused "$RUNCAST" forecast --link a1:a2 --hosts a1,a2 --horizon 1min
misused "$RUNCAST" forecast --host a1 --horizon 1min --stat minavg
complains '--stat needs --hosts'
misused "$RUNCAST" forecast --host a1 --horizon 1min --warmup 10
complains '--warmup needs --score'
misused "$RUNCAST" forecast --host a1 --horizon soon
misused "$RUNCAST" forecast load.csv --host a1 --horizon 1min
misused "$RUNCAST" forecast --host a1 --horizon 1min --plot future.txt
misused "$RUNCAST" forecast --score
misused "$RUNCAST" forecast --score load.csv --horizon 1min
misused "$RUNCAST" forecast --score load.csv --horizon 513
misused "$RUNCAST" forecast --score load.csv --host a1
misused "$RUNCAST" forecast --score load.csv --target last
misused "$RUNCAST" forecast --score load.csv --seed 1
complains '--seed does not go with --score'
fails "$RUNCAST" forecast --host a3 --horizon 1min
complains "no series 'cpu' of a3"

begin 'files are replayed'
ok "$RUNCAST" forecast --score "$data/hsdpa34.csv" "$data/norway_hsdpa_fcc/hsdpa11.csv" --horizon 30 --json
is "$(json "len(j['files']), [f['points'] + 89 for f in j['files']]")" \
    "(2, [$(($(wc -l < "$data/hsdpa34.csv") - 1)), $(($(wc -l < "$data/norway_hsdpa_fcc/hsdpa11.csv") - 1))])"
is "$(json "j['all']['points'] == sum(f['points'] for f in j['files'])")" True
is "$(json "[l['level'] for l in j['files'][0]['levels']] == [0.5, 0.8, 0.9, 0.95] and all(0 <= l['coverage'] <= 1 and l['width'] >= 0 for f in j['files'] for l in f['levels'])")" True
is "$(json "j['files'][0]['mae'] < j['files'][0]['forecasters'][0]['mae']")" True 'better than the last value'
ok "$RUNCAST" forecast --score "$data/hsdpa34.csv" --target next --warmup 100
prints 'combined'
prints 'smoothing-0.3'
printf 't,value\n0,1\n0,2\n1,3\n' > same.csv
ok "$RUNCAST" forecast --score same.csv --horizon 1 --warmup 1 --json
is "$(json "j['files'][0]['points'], j['files'][0]['forecasters'][0]['mae']")" '(2, 1)' 'rows of one time'

ok "$RUNCAST" forecast --score same.csv
complains 'same.csv: too few samples to score: a warm-up of 60 and a horizon of 30 need 90'

begin 'bad files are reported'
printf 't,value\n0,1\n1,x\n' > bad.csv
fails "$RUNCAST" forecast --score "$data/hsdpa34.csv" bad.csv
complains "bad.csv:3:3"
printf 't,value\n5,1\n1,2\n' > back.csv
fails "$RUNCAST" forecast --score back.csv
complains 'times must increase'
fails "$RUNCAST" forecast --score none.csv
complains 'none.csv'

begin 'forecasts are plotted'
if command -v gnuplot > /dev/null; then
    ok "$RUNCAST" forecast --host a1 --horizon 2min --plot future.svg
    is "$(grep -c 'CPU availability (fraction of a core)' future.svg)" 1
    is "$(grep -c 'start of the forecast' future.svg)" 1
    ok "$RUNCAST" forecast --hosts a1,a2 --horizon 2min --plot both.svg
    is "$(grep -c 'avgmin of CPU availability (fraction of a core)' both.svg)" 1
    is "$(grep -c 'cpu of a1,a2 over the next 00:02:00' both.svg)" 1
    ok "$RUNCAST" forecast --link a1:a2 --metric bw --horizon 2min --plot link.svg
    is "$(grep -c 'bw of a1:a2' link.svg)" 1
    awk 'BEGIN { print "t,value"; for (i = 0; i < 400; i++) print i * 10 "," 1.25e6 + i }' > rate.csv
    ok "$RUNCAST" series import rate.csv --link a1:a2 --metric bandwidth --time-origin 2026-11-15
    ok "$RUNCAST" forecast --link a1:a2 --metric bandwidth --horizon 2min --plot rate.svg
    is "$(grep -c 'bandwidth (Mbit/s)' rate.svg)" 1
else
    skip 'needs gnuplot'
fi

finish
