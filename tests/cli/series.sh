#!/bin/bash
# Importing, listing, exporting and deleting series.
. "$(dirname "$0")/harness.sh"

begin 'a series is imported, listed and exported'
printf 't,value\n0,0.5\n10,0.25\n20,0.125\n' > load.csv
ok "$RUNCAST" series import load.csv --host a1 --metric cpu --time-origin 2026-11-15
is "$(cat out)" 'load.csv: 3 samples added'
ok "$RUNCAST" series list
prints 'a1            cpu           3  2026-11-15T00:00:00Z  2026-11-15T00:00:20Z'
ok "$RUNCAST" series export --host a1 --metric cpu
is "$(sed -n 2,3p out | tr '\n' ' ')" '1794700800,0.5 1794700810,0.25 '
ok "$RUNCAST" series export --host a1 --metric cpu --since 2026-11-15T00:00:10Z --until 2026-11-15T00:00:10Z --json
is "$(json "j['samples']")" "[{'timestamp': '2026-11-15T00:00:10Z', 'value': 0.25}]"

begin 'a series is described by its modes and its behaviour in time'
python3 - > modes.csv << 'END'
print('t,value')
for i in range(1200): # 10 min at 0.9, 5 min at 0.3, again and again; each within 0.02
    print(f"{5 * i},{(0.9 if i % 180 < 120 else 0.3) + 0.02 * ((i * 7919) % 101 - 50) / 50:.4f}")
END
ok "$RUNCAST" series import modes.csv --host m1 --metric cpu --time-origin 2026-11-15
ok "$RUNCAST" series describe --host m1 --metric cpu --json
is "$(json "j['sample_count'], j['spacing_s'], j['first_sample'], j['last_sample']")" \
    "(1200, 5, '2026-11-15T00:00:00Z', '2026-11-15T01:39:55Z')"
is "$(json "[(round(m['mean'], 2), round(m['sd'], 3), m['sample_count'], m['share'] == m['sample_count'] / 1200) for m in j['modes']]")" \
    '[(0.3, 0.012, 360, True), (0.9, 0.012, 840, True)]'
# six visits each were seen to end, and 295 s of a seventh to the higher mode
is "$(json "[round(m['dwell_s'], 6) for m in j['modes']], j['modes'][1]['time_s']")" '([300, 699.166667], 4195)'
is "$(json "j['locality']['switch_count'], j['locality']['current_mode'], j['locality']['current_mode_since'], j['locality']['observed_s']")" \
    "(12, 2, '2026-11-15T01:30:00Z', 5995)"
# Eq. 4.10 and 4.11: the weighted means of those of the modes
is "$(json "abs(j['aggregate_mean'] - j['mean']) < 1e-12, abs(j['aggregate_sd'] - sum(m['share'] * m['sd'] for m in j['modes'])) < 1e-12, j['aggregate_sd'] < 0.1 * j['sd']")" \
    '(True, True, True)'
is "$(json "j['p05'] < 0.33 and 0.87 < j['p50'] < 0.91, j['autocorrelation']['lag1'] > 0.9, 100 < j['autocorrelation']['below_half_s'] < 200")" \
    '(True, True, True)'
is "$(json "j['normality']['distance'] > 1, j['normality']['ks_p'] < 1e-6, [r['rule'] for r in j['bin_rules']][0], j['mode_bin_count'] > j['bin_rules'][0]['bin_count']")" \
    "(True, True, 'scott', True)"
ok "$RUNCAST" series describe --host m1 --metric cpu
prints 'range: 0.28 to 0.92'
prints 'autocorrelation: 0.9'
prints 'temporal locality: '
prints 'aggregate sd: 0.01'
ok "$RUNCAST" series describe --host m1 --metric cpu --since 2026-11-15T00:00:00Z --until 2026-11-15T00:09:55Z --json
is "$(json "j['sample_count'], len(j['modes']), j['modes'][0]['dwell_s'], j['locality']['temporal_locality']")" \
    "(120, 1, None, 'local')"
ok "$RUNCAST" series describe --host a1 --metric cpu --json # three samples
is "$(json "j['mean'], j['normality']['chi_squared'], len(j['modes'])")" '(0.2916666666666667, None, 1)'
if command -v gnuplot > which; then
    printf 't,value\n0,1e7\n10,2e7\n20,1e7\n30,2e7\n' > rates.csv
    ok "$RUNCAST" series import rates.csv --link m1:m2 --metric bandwidth
    ok "$RUNCAST" series describe --link m1:m2 --metric bandwidth --plot rates.svg
    grep -q 'bandwidth (Mbit/s)' rates.svg || fault 'the axis has another unit'
    ok "$RUNCAST" series delete --link m1:m2 --metric bandwidth --yes
    ok "$RUNCAST" series describe --host m1 --metric cpu --plot modes.svg --bins 40
    grep -q '± 0.012: 30 %' modes.svg || fault 'the plot has no mode of 30 %'
fi
printf 't,value\n1763200000,0.5\n' > one.csv
ok "$RUNCAST" series import one.csv --host m2 --metric cpu
ok "$RUNCAST" series describe --host m2 --metric cpu
prints 'mean: 0.5, sd: -'
ok "$RUNCAST" series delete --host m2 --metric cpu --yes
misused "$RUNCAST" series describe --host m1 --metric cpu --bins 40
complains '--bins has no effect without --plot'
misused "$RUNCAST" series describe --host m1 --metric cpu --plot modes.txt
misused "$RUNCAST" series describe --host m1
fails "$RUNCAST" series describe --host m1 --metric cpu --since 2027-01-01
complains 'no sample in the window'
ok "$RUNCAST" series delete --host m1 --metric cpu --yes

begin 'stored samples are skipped; other values are errors'
ok "$RUNCAST" series import load.csv --host a1 --metric cpu --time-origin 2026-11-15
prints '0 samples added, 3 already stored'
printf 't,value\n30,1\n10,0.9\n' > other.csv
fails "$RUNCAST" series import other.csv --host a1 --metric cpu --time-origin 2026-11-15
complains 'other.csv:3: t = 1794700810 already has the value 0.25, not 0.9'
complains '--replace'
is "$("$RUNCAST" series list --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["series"][0]["sample_count"])')" 3
ok "$RUNCAST" series import other.csv --host a1 --metric cpu --time-origin 2026-11-15 --replace
prints '2 samples added'

begin 'links are series too'
ok "$RUNCAST" series import load.csv --link a1:a2 --metric bandwidth
ok "$RUNCAST" series list --link a1:a2
prints 'a1:a2'
ok "$RUNCAST" series list --json
is "$(json "[(s['host'], s['link'], s['first_sample']) for s in j['series']]")" \
    "[('a1', None, '2026-11-15T00:00:00Z'), (None, 'a1:a2', '1970-01-01T00:00:00Z')]"
misused "$RUNCAST" series import load.csv --link a1 --metric bandwidth
misused "$RUNCAST" series import load.csv --link a1:a2 --host a1 --metric bandwidth
misused "$RUNCAST" series import load.csv --host a1
complains '--metric'

begin 'another column can be chosen, and times may be dates'
printf 'time,load1,idle\n2026-11-15T01:00:00Z,2.5,0.1\n2026-11-15T01:00:10Z,2.25,0.2\n' > two.csv
fails "$RUNCAST" series import two.csv --host b --metric load
complains "missing column 'value'"
ok "$RUNCAST" series import two.csv --host b --metric load --column load1
ok "$RUNCAST" series export --host b --metric load
is "$(tail -1 out)" '1794704410,2.25'

begin 'bad rows are reported, and nothing is imported'
printf 't,value\n0,1\n1,x\n2,nan\n' > bad.csv
fails "$RUNCAST" series import bad.csv --host c --metric cpu
complains "bad.csv:3:3: column 'value': 'x' is not a number (and 1 more bad row)"
ok "$RUNCAST" series list --host c
is "$(wc -l < out)" 1 'lines'
ok "$RUNCAST" series import bad.csv --host c --metric cpu --skip-bad
prints '1 sample added, 2 bad rows skipped'
complains 'note: bad.csv:4:3'
ok "$RUNCAST" series import bad.csv --host c --metric cpu --skip-bad --json
is "$(json "j['added'], j['already_stored'], j['skipped_rows'], len(j['notes'])")" '(0, 1, 2, 2)'

begin 'a fraction of a core is from 0 to 1'
printf 't,value\n0,1\n10,1.7\n20,0\n30,-0.1\n' > shares.csv
fails "$RUNCAST" series import shares.csv --host d --metric cpu
complains "shares.csv:3:4: column 'value': 1.7 is not a value of 'cpu', a fraction of a core from 0 to 1 \
(and 1 more bad row)"
complains 'hint: nothing was imported; divide percentages by 100'
ok "$RUNCAST" series list --host d
is "$(wc -l < out)" 1 'lines'
ok "$RUNCAST" series import shares.csv --host d --metric cpu --skip-bad
prints '2 samples added, 2 bad rows skipped'
# Other metrics, and what links have, are in any unit.
ok "$RUNCAST" series import shares.csv --host d --metric load1
ok "$RUNCAST" series import shares.csv --link d:e --metric cpu

begin 'samples are deleted'
ok "$RUNCAST" series delete --host a1 --metric cpu --until 2026-11-14 --json
is "$(json "j['schema'], j['deleted']")" "('runcast.series.delete/1', 0)"
ok "$RUNCAST" series delete --host a1 --metric cpu --since 2026-11-15T00:00:20Z
prints '2 samples deleted'
ok "$RUNCAST" series delete --host a1 --metric cpu
fails "$RUNCAST" series export --host a1 --metric cpu
complains "no series 'cpu' of a1"
ok "$RUNCAST" db check

begin 'real measured series go in whole'
for file in "$SOURCE_ROOT"/tests/data/series/*.csv; do
    name=$(basename "$file" .csv)
    ok "$RUNCAST" series import "$file" --host "$name" --metric measured
    ok "$RUNCAST" series export --host "$name" --metric measured
    python3 - "$file" << 'END' || fault "$name differs"
import csv, sys
a, b = ([(float(r['t']), float(r['value'])) for r in csv.DictReader(open(f))] for f in (sys.argv[1], 'out'))
assert a and sorted(set(a)) == b
END
done
ok "$RUNCAST" db check

finish
