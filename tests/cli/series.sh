#!/bin/bash
# Importing, listing, exporting and deleting series.
. "$(dirname "$0")/harness.sh"

begin 'a series is imported, listed and exported'
printf 't,value\n0,0.5\n10,0.25\n20,0.125\n' > load.csv
ok "$RUNCAST" series import load.csv --host a1 --metric cpu --start 2026-11-15
is "$(cat out)" 'load.csv: 3 samples added'
ok "$RUNCAST" series list
prints 'a1            cpu           3  2026-11-15T00:00:00Z  2026-11-15T00:00:20Z'
ok "$RUNCAST" series export --host a1 --metric cpu
is "$(sed -n 2,3p out | tr '\n' ' ')" '1794700800,0.5 1794700810,0.25 '
ok "$RUNCAST" series export --host a1 --metric cpu --since 2026-11-15T00:00:10Z --until 2026-11-15T00:00:10Z --json
is "$(json "j['samples']")" '[[1794700810, 0.25]]'

begin 'samples that are there are passed over; contradictions are told'
ok "$RUNCAST" series import load.csv --host a1 --metric cpu --start 2026-11-15
prints '0 samples added, 3 there already'
printf 't,value\n30,1\n10,0.9\n' > other.csv
fails "$RUNCAST" series import other.csv --host a1 --metric cpu --start 2026-11-15
complains 'other.csv:3: at t = 1794700810 there is 0.25 already, not 0.9'
complains '--replace'
is "$("$RUNCAST" series list --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["series"][0]["samples"])')" 3
ok "$RUNCAST" series import other.csv --host a1 --metric cpu --start 2026-11-15 --replace
prints '2 samples added'

begin 'links are series too'
ok "$RUNCAST" series import load.csv --link a1:a2 --metric bandwidth
ok "$RUNCAST" series list --link a1:a2
prints 'a1:a2'
misused "$RUNCAST" series import load.csv --link a1 --metric bandwidth
misused "$RUNCAST" series import load.csv --link a1:a2 --host a1 --metric bandwidth
misused "$RUNCAST" series import load.csv --host a1
complains '--metric'

begin 'another column can be picked, and times may be dates'
printf 'time,load1,idle\n2026-11-15T01:00:00Z,2.5,0.1\n2026-11-15T01:00:10Z,2.25,0.2\n' > two.csv
fails "$RUNCAST" series import two.csv --host b --metric load
complains "the header lacks 'value'"
ok "$RUNCAST" series import two.csv --host b --metric load --column load1
ok "$RUNCAST" series export --host b --metric load
is "$(tail -1 out)" '1794704410,2.25'

begin 'bad rows are told, and nothing is stored'
printf 't,value\n0,1\n1,x\n2,nan\n' > bad.csv
fails "$RUNCAST" series import bad.csv --host c --metric cpu
complains "bad.csv:3:3: column 'value': 'x' is not a number (and 1 more bad row)"
ok "$RUNCAST" series list --host c
is "$(wc -l < out)" 1 'lines'
ok "$RUNCAST" series import bad.csv --host c --metric cpu --skip-bad
prints '1 sample added, 2 bad rows skipped'
complains 'note: bad.csv:4:3'

begin 'a share of a core is from 0 to 1'
printf 't,value\n0,1\n10,1.7\n20,0\n30,-0.1\n' > shares.csv
fails "$RUNCAST" series import shares.csv --host d --metric cpu
complains "shares.csv:3:4: column 'value': 1.7 is no value of 'cpu', the share of a core that a \
process would get, which is from 0 to 1 (and 1 more bad row)"
complains 'hint: nothing was stored; are the values in percent, or counts of cores?'
ok "$RUNCAST" series list --host d
is "$(wc -l < out)" 1 'lines'
ok "$RUNCAST" series import shares.csv --host d --metric cpu --skip-bad
prints '2 samples added, 2 bad rows skipped'
# Other metrics, and what links have, are in any unit.
ok "$RUNCAST" series import shares.csv --host d --metric load1
ok "$RUNCAST" series import shares.csv --link d:e --metric cpu

begin 'samples are deleted'
ok "$RUNCAST" series delete --host a1 --metric cpu --since 2026-11-15T00:00:20Z
prints '2 samples deleted'
ok "$RUNCAST" series delete --host a1 --metric cpu
fails "$RUNCAST" series export --host a1 --metric cpu
complains "there is no series 'cpu' of a1"
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
