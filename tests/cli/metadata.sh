#!/bin/bash
# Metadata of runs: facts about jobs are stored, and are no predictors.
. "$(dirname "$0")/harness.sh"

# jobs FIRST COUNT: a table of accounting data on standard output. The run time depends on n, p and iterations.
jobs() {
    awk -v first="$1" -v count="$2" 'BEGIN {
        print "app,n,p,seconds,JobID,User,partition,submit,ExitCode,NodeList,iterations"
        for (i = first; i < first + count; i++) {
            n = 1000 * (1 + i * 7 % 11); p = 2 ^ (i % 4); k = 10 * (1 + i % 3)
            printf "md,%d,%d,%.5g,%d,%s,%s,2026-11-01T%02d:%02d:00,0:%d,a%d,%d\n", n, p,
                (1 + 0.03 * sin(5 * i)) * 1e-6 * n * k * (1 + i / 200) / p, 481516 + 3 * i, i % 2 ? "ann" : "bob",
                i % 3 ? "batch" : "long", i / 60, i % 60, i % 2, i % 5, k
        }
    }'
}

# predictors: their names in the document of fit.
predictors() { json "[x['name'] for x in j['predictors']]"; }

begin 'numbers of jobs and the like are stored, and are no predictors'
jobs 0 40 > jobs.csv
ok "$RUNCAST" import jobs.csv
is "$(cat err)" 'note: parameters: iterations
note: metadata: JobID, User, partition, submit, ExitCode, NodeList'
ok "$RUNCAST" fit --app md --no-store
prints 'predictors: size 100 %, processes 100 %, iterations 100 % (weight of the formulas that use them)'
prints 'md: 40 runs, size 1000 to 11000, processes 1 to 8, iterations 10 to 30'
! grep -qiE 'job|user|submit|exit' out || fault "fit shows: $(grep -iE 'job|user|submit|exit' out)"
ok "$RUNCAST" fit --app md --json --no-store
is "$(predictors)" "['size', 'procs', 'iterations']"
is "$(json "j['left_out_params'], list(j['param_ranges'])")" "([], ['iterations'])"
ok "$RUNCAST" predict --app md --size 5000 --procs 4 --param iterations=20

begin 'metadata are shown'
ok "$RUNCAST" runs show 2
prints 'metadata JobID:        481519'
prints 'metadata ExitCode:     0:1'
ok "$RUNCAST" runs show 2 --json
is "$(json "j['runs'][0]['params'], j['runs'][0]['meta']['User'], j['runs'][0]['meta']['JobID']")" \
    "({'iterations': 20}, 'ann', '481519')"
ok "$RUNCAST" runs list --columns id,JobID,User,iterations 2
is "$(tail -1 out | tr -s ' ')" ' 2 481519 ann 20'
silent
ok "$RUNCAST" runs list --json 2
is "$(json "'meta' in j['runs'][0]")" False
is "$(sqlite3 store.db "SELECT meta ->> 'User' FROM runs WHERE id = 2")" ann

begin 'an export is imported again with its metadata'
ok "$RUNCAST" runs export
cp out export.csv
is "$(head -1 out | cut -d, -f16-18)" 'iterations,meta:JobID,meta:User'
ok "$RUNCAST" import export.csv --db again.db
ok "$RUNCAST" runs export --db again.db
cmp -s out export.csv || fault "$(diff out export.csv | head -5)"
ok "$RUNCAST" db check --db again.db
# Parameters that look like metadata remain parameters, and one name may be both.
printf 'app,n,p,seconds,uid,step\nx,1,1,1,7,1\nx,1,1,1,7,2\nx,1,1,1,8,3\nx,1,1,1,9,4\nx,1,1,1,9,5\n' > odd.csv
ok "$RUNCAST" import odd.csv --param-columns uid,step --db odd.db
printf 'app,n,p,seconds,meta:step\nx,1,1,1,"a ""b"" \\, c"\nx,1,1,1,"NA"\n' > odd2.csv
ok "$RUNCAST" import odd2.csv --db odd.db
ok "$RUNCAST" runs export --db odd.db
cp out odd-export.csv
is "$(head -1 out | cut -d, -f16-)" 'uid,step,meta:step'
ok "$RUNCAST" import odd-export.csv --db odd2.db
ok "$RUNCAST" runs export --db odd2.db
cmp -s out odd-export.csv || fault "$(diff out odd-export.csv | head -5)"
ok "$RUNCAST" runs show 6 7 --db odd2.db --json
is "$(json "[r['meta'] for r in j['runs']]")" "[{'step': 'a \"b\" \\\\, c'}, {'step': 'NA'}]"

# roles ROWS...: imports these rows with the columns a, b into a new database and prints where a and b went.
roles() {
    rm -f roles.db*
    { echo "app,n,p,seconds,${heads:-a,b}" && printf 'r,1,1,1,%s\n' "$@"; } > roles.csv
    ok "$RUNCAST" import roles.csv --db roles.db "${with[@]}"
    cp err notes
    "$RUNCAST" runs show 1 --json --db roles.db > out
    went=$(json "sorted(j['runs'][0]['params']), sorted(j['runs'][0]['meta'])")
    cp notes err
}
with=()

begin 'columns of IDs are metadata'
roles 5,1 4,1 3,1 2,2 1,2 # all different
is "$went" "(['b'], ['a'])"
complains "note: roles.csv:1:17: column 'a' looks like an ID (another number in each row); stored as metadata; if it is a parameter, use --param-columns b,a"
roles 1,1 2,1 4,1 5,2 9,2 # increasing
is "$went" "(['b'], ['a'])"
complains "column 'a' looks like an ID (increasing from row to row)"
is "$(grep -c note: err)" 3
ok "$RUNCAST" import roles.csv --db json.db --json
is "$(json "j['files'][0]['warnings'][2]['message'], j['files'][0]['warnings'][2]['column']")" \
    "(\"column 'a' looks like an ID (increasing from row to row); stored as metadata\", 17)"

begin 'other columns of numbers are parameters'
roles 5,1 4,1 3,1 2,2 5,2 # a value is repeated
is "$went" "(['a', 'b'], [])"
is "$(cat err)" 'note: parameters: a, b'
roles 1,1 2,1 3,2 4,2 # few rows
is "$went" "(['a', 'b'], [])"
roles 1,1 2,1 3,2 4.5,2 6,2 # not all whole
is "$went" "(['a', 'b'], [])"
roles 1,1 2,1 ,2 4,2 6,2 7,1 # not in each row
is "$went" "(['a', 'b'], [])"
# A number comes again in a long table that does not increase.
{
    echo app,n,p,seconds,a,b
    awk 'BEGIN { for (i = 0; i < 4000; i++) printf "r,1,1,1,%d,%d\n", (i * 7919) % 4001, i == 3999 ? 0 : (i * 7919) % 4001 }'
} > long.csv
ok "$RUNCAST" import long.csv --db long.db
complains 'note: parameters: b'
complains 'note: metadata: a'

begin 'usual names of metadata count, with numbers and text'
heads='Job ID,group-id' roles 1_1,5 1,5 2,6
is "$went" "([], ['Job ID', 'group-id'])"
is "$(cat err)" 'note: metadata: Job ID, group-id'
heads='id,meta:b' roles 7,1 7,2
is "$went" "([], ['b', 'id'])"
heads='nodes,jobs' roles 1,2 2,2
is "$went" "(['jobs', 'nodes'], [])"
# Numbers and text under another name are an error.
printf 'app,n,p,seconds,k\na,1,1,1,5\na,1,1,1,x\n' > mixed.csv
fails "$RUNCAST" import mixed.csv --db mixed.db
complains "mixed.csv:3:9: column 'k': 'x' is not a number"
complains 'hint: --meta-columns k stores the column as metadata; --skip-bad imports only the rows with numbers'

begin 'options decide'
with=(--param-columns a)
roles 1,1 2,1 3,1 4,2 5,2
is "$went" "(['a'], ['b'])"
is "$(cat err)" 'note: parameters: a
note: metadata: b'
with=(--meta-columns B)
roles 1,1 2,x 1,1
is "$went" "(['a'], ['b'])"
with=(--param-columns a --param-columns b)
heads=a,b roles 1,1 2,2 3,3 4,4 5,5
is "$went" "(['a', 'b'], [])"
with=(--map job=a --param-columns 'job,b')
roles 1,1 2,2
is "$went" "(['b', 'job'], [])"
with=()
fails "$RUNCAST" import roles.csv --param-columns a,c
complains "roles.csv:1:1: no column 'c' to use as a parameter; the table has: app, n, p, seconds, a, b"
fails "$RUNCAST" import roles.csv --meta-columns c
complains "no column 'c' to store as metadata"
fails "$RUNCAST" import roles.csv --meta-columns p
complains "missing column 'p'"
fails "$RUNCAST" import roles.csv --param-columns p
complains "roles.csv:1:7: column 'p' cannot be a parameter"
fails "$RUNCAST" import roles.csv --param-columns a --meta-columns b,a
complains "column 'a' cannot be both a parameter and metadata"
fails "$RUNCAST" import mixed.csv --param-columns k
complains "mixed.csv:3:9: column 'k': 'x' is not a number"
misused "$RUNCAST" import roles.csv --param-columns a,,b
# Other options make another import of it.
ok "$RUNCAST" import roles.csv --param-columns a
prints '2 runs added'
ok "$RUNCAST" import roles.csv --meta-columns a
prints '2 runs added'

begin 'what is a parameter of earlier runs of the app remains one, and so do metadata'
printf 'app,n,p,seconds,job,step\ne,1,1,1,5,1\ne,1,1,1,6,3\n' > earlier.csv
ok "$RUNCAST" import earlier.csv --param-columns job,step --db earlier.db
printf 'app,n,p,seconds,job,step\ne,1,1,1,7,4\ne,1,1,1,8,5\ne,1,1,1,9,6\ne,1,1,1,10,7\ne,1,1,1,11,8\n' > later.csv
ok "$RUNCAST" import later.csv --db earlier.db
complains 'note: parameters: job, step'
complains "column 'job' is a parameter, as in earlier runs; --meta-columns job stores it as metadata"
ok "$RUNCAST" runs show 3 --db earlier.db --json
is "$(json "j['runs'][0]['params'], j['runs'][0]['meta']")" "({'job': 7, 'step': 4}, {})"
sed 's/^e,/f,/' later.csv > other.csv
ok "$RUNCAST" import other.csv --db earlier.db
complains 'note: metadata: job, step'
printf 'app,n,p,seconds,step\nf,1,1,2,2\nf,1,1,2,2\n' > few.csv
ok "$RUNCAST" import few.csv --db earlier.db
is "$(cat err)" 'note: metadata: step'

begin 'text that cannot be stored is ignored, with a note'
{ printf 'app,n,p,seconds,log,user\nt,1,1,1,"a\nb",ann\nt,1,1,1,' && head -c 5000 /dev/zero | tr '\0' x && echo ,bob; } > text.csv
ok "$RUNCAST" import text.csv --db text.db
complains "text.csv:2:9: column 'log': text longer than 4096 bytes, or not plain UTF-8; column ignored"
complains 'note: metadata: user'
fails "$RUNCAST" import text.csv --db text.db --meta-columns log
complains "column 'log': text longer than 4096 bytes"

begin 'fit lists the parameters that it leaves out'
awk -F, -v OFS=, 'NR == 1 { $1 = "app"; print $0, "fixed", "k"; next } { $1 = "out"; print $0, 4, NR < 5 ? NR % 2 : "" }' \
    jobs.csv > out.csv
ok "$RUNCAST" import out.csv
ok "$RUNCAST" fit --app out --no-store
prints 'ignored parameters: fixed (the same in all runs that have them)'
prints "parameter 'k': ignored, since only 3 runs have it; --predictor k uses these runs alone"
ok "$RUNCAST" fit --app out --no-store --json
is "$(json "sorted((x['name'], x['reason'], x['run_count']) for x in j['left_out_params'])")" \
    "[('fixed', 'constant', 40), ('k', 'not_in_all_runs', 3)]"

begin 'tables of planned runs may have metadata'
{ jobs 100 1 && jobs 101 3 | sed 1d | sed 's/,48\([0-9]*\),/,48\1_2,/'; } > plan.csv
ok "$RUNCAST" predict --app md --input plan.csv
is "$(wc -l < out)" 5
printf 'n,p,iterations,meta:job,user,step\n1000,4,10,5,ann,1\n2000,4,20,6,ann,2\n' > plan2.csv
ok "$RUNCAST" predict --app md --input plan2.csv
is "$(wc -l < out)" 3

begin 'a database of format 1 is converted'
cp "$SOURCE_ROOT/tests/data/store-v1.db" old.db
chmod u+w old.db
is "$(sqlite3 old.db 'PRAGMA user_version')" 1
ok "$RUNCAST" runs show 51 --db old.db --json
is "$(json "j['runs'][0]['meta'], j['runs'][0]['params']")" "({}, {'iterations': 800})"
is "$(sqlite3 old.db 'PRAGMA user_version')" 2
is "$(sqlite3 old.db 'SELECT count(*), count(meta), count(params) FROM runs')" '55|0|5'
ok "$RUNCAST" import jobs.csv --db old.db
ok "$RUNCAST" db check --db old.db
is "$(sqlite3 old.db "SELECT count(*) FROM runs WHERE meta ->> 'User' = 'ann'")" 20

begin 'db check finds bad metadata'
sqlite3 old.db "UPDATE run SET meta = '[1]' WHERE id = 1; UPDATE run SET meta = '{\"job\":5}' WHERE id = 2"
fails "$RUNCAST" db check --db old.db
prints 'the metadata of run 1 are not a JSON object'
prints 'metadata job of run 2 is not text'

begin 'saved records carry metadata'
cat > record.json << 'END_OF_RECORD'
{"runcast_record": 1, "run": {"app": "saved", "n": 10, "p": 2, "seconds": 3, "status": "ok", "params": {"k": 1},
 "meta": {"job": "77"}}, "series": []}
END_OF_RECORD
ok "$RUNCAST" import record.json
ok "$RUNCAST" runs export --app saved --json
is "$(json "j['runs'][0]['params'], j['runs'][0]['meta']")" "({'k': 1}, {'job': '77'})"
sed 's/"77"/77/' record.json > bad.json
fails "$RUNCAST" import bad.json
complains 'metadata must be an object of texts'

finish
