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
