#!/bin/bash
# No command leaks memory or reads uninitialized memory, whether it succeeds or fails.
. "$(dirname "$0")/harness.sh"

begin 'no command leaks or reads uninitialized memory'
if ! command -v valgrind > /dev/null; then
    skip 'needs valgrind'
    finish
    exit 0
fi
# A sanitizer's search for leaks takes seconds on AArch64, whatever the program.
watched() {
    valgrind --quiet --leak-check=full --errors-for-leak-kinds=definite,possible --error-exitcode=99 \
        "$RUNCAST" "$@"
}
table 300 > t.csv
printf 'app,n,p,seconds,k\na,1,1,1,5\na,1,1,x,5\n"open\n' > bad.csv
printf 't,value\n0,1\n10,2\n' > s.csv
ok watched import t.csv
ok watched import t.csv --json
ok watched import t.csv --map 'steps=iterations,n=n' --db other.db
fails watched import t.csv --map p=none
fails watched import bad.csv
ok watched import bad.csv --skip-bad
ok watched runs list --app app1 --columns id,app,iterations
ok watched runs export
ok watched runs export --json
ok watched runs show 1 2
fails watched runs show 12345
ok watched runs delete --app app2
ok watched series import s.csv --host h --metric m
fails watched series export --host h --metric none
ok watched series list --json
ok watched db check --json
ok watched platform show "$SOURCE_ROOT/examples/white-rose.yaml"
ok watched platform show "$SOURCE_ROOT/examples/white-rose.yaml" --json
fails watched platform check t.csv
ok watched doctor --json
ok watched help --json
both=(--app s --platform-file "$SOURCE_ROOT/examples/white-rose.yaml" --size 4096 --procs "A:64,B:64")
awk="awk -v p={p} -v r={rows} -v c={cols} 'BEGIN {printf \"{\\\"seconds\\\": %g}\", r * c / p + p}'"
ok watched scale plan "${both[@]}" --cluster-link measured --command "$awk" --json
ok watched scale measure "${both[@]}" --cluster-link measured --repeat 1 --time-source program --no-copies \
    --command "$awk"
ok watched scale fit "${both[@]}" --cluster-link measured
fails watched scale fit "${both[@]}" --check-linearity
ok watched scale predict "${both[@]}" --cluster-link measured --explain
fails watched scale predict "${both[@]}" --network myrinet
ok watched scale compare "${both[@]}" --json
fails watched scale compare "${both[@]}" --bytes-per-cell 1GB
mkdir ring
"$MAKE_RECORDING" ring 3 20 || fault 'cannot make a recording'
printf 'model m\ninput N from size\ncomponent A by w = N\n    traced computing\ntotal t = A\n' > m.rcm
ok watched model profile m.rcm --trace ring --output p.rcm
ok watched model add m.rcm --with p.rcm
ok watched model list --json
ok watched predict --method structural --app m --size 5 --procs 1
fails watched predict --method structural --app m --size 5 --procs 1 --param K=1
ok watched model remove --app m
misused watched runs lits
fails watched runs list --db t.csv

finish
