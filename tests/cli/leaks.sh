#!/bin/bash
# No command leaks, neither when it works nor when it fails.
. "$(dirname "$0")/harness.sh"

begin 'no command leaks'
if [ "$SANITIZED" != 1 ]; then
    skip 'the sanitized build shows it'
    finish
    exit 0
fi
export ASAN_OPTIONS=detect_leaks=1:exitcode=99
table 300 > t.csv
printf 'app,n,p,seconds,k\na,1,1,1,5\na,1,1,x,5\n"open\n' > bad.csv
printf 't,value\n0,1\n10,2\n' > s.csv
ok "$RUNCAST" runs import t.csv
ok "$RUNCAST" runs import t.csv --json
fails "$RUNCAST" runs import bad.csv
ok "$RUNCAST" runs import bad.csv --skip-bad
ok "$RUNCAST" runs list --app app1 --columns id,app,iterations
ok "$RUNCAST" runs export
ok "$RUNCAST" runs export --json
ok "$RUNCAST" runs show 1 2
fails "$RUNCAST" runs show 12345
ok "$RUNCAST" runs delete --app app2
ok "$RUNCAST" series import s.csv --host h --metric m
fails "$RUNCAST" series export --host h --metric none
ok "$RUNCAST" series list --json
ok "$RUNCAST" db check --json
ok "$RUNCAST" platform show "$SOURCE_ROOT/examples/white-rose.yaml"
ok "$RUNCAST" platform show "$SOURCE_ROOT/examples/white-rose.yaml" --json
fails "$RUNCAST" platform check t.csv
ok "$RUNCAST" doctor --json
ok "$RUNCAST" help --json
both=(--app s --platform "$SOURCE_ROOT/examples/white-rose.yaml" --size 4096 --procs "A:64,B:64")
awk="awk -v p={p} -v r={rows} -v c={cols} 'BEGIN {printf \"{\\\"seconds\\\": %g}\", r * c / p + p}'"
ok "$RUNCAST" scale plan "${both[@]}" --link measured --command "$awk" --json
ok "$RUNCAST" scale measure "${both[@]}" --link measured --repeats 1 --told --alone --command "$awk"
ok "$RUNCAST" scale fit "${both[@]}" --link measured
fails "$RUNCAST" scale fit "${both[@]}" --check
ok "$RUNCAST" scale predict "${both[@]}" --link measured --explain
fails "$RUNCAST" scale predict "${both[@]}" --network myrinet
ok "$RUNCAST" scale compare "${both[@]}" --json
fails "$RUNCAST" scale compare "${both[@]}" --bytes-per-cell 1GB
mkdir ring
"$MAKE_RECORDING" ring 3 20 || fault 'cannot make a recording'
printf 'model m\ninput N from size\ncomponent A by w = N\n    traced computing\ntotal t = A\n' > m.rcm
ok "$RUNCAST" model profile m.rcm --trace ring --out p.rcm
ok "$RUNCAST" model add m.rcm --with p.rcm
ok "$RUNCAST" model list --json
ok "$RUNCAST" predict --family structure --app m --size 5 --procs 1
fails "$RUNCAST" predict --family structure --app m --size 5 --procs 1 --param K=1
ok "$RUNCAST" model remove --app m
misused "$RUNCAST" runs lits
fails "$RUNCAST" runs list --db t.csv

finish
