#!/bin/bash
# Importing, listing, showing, exporting and deleting runs.
. "$(dirname "$0")/harness.sh"

begin 'a table is imported and listed'
cat > runs.csv << 'END'
app,platform,n,p,seconds,start,cpu,bw,iterations
lu,alpha,1000,4,12.5,2026-11-01T10:00:00Z,0.9,1e7,100
lu,alpha,2000,8,20.25,2026-11-02,0.5,2e7,200
cg,,500,2,1h,,,,
END
ok "$RUNCAST" import runs.csv
is "$(cat out)" 'runs.csv: 3 runs added (import 1)'
is "$(cat err)" 'note: parameters: iterations'
ok "$RUNCAST" runs list
is "$(sed -n 1p out)" 'run  app  platform  size  processes  run time  start                 status'
is "$(sed -n 2p out)" '  1  lu   alpha     1000          4    12.5 s  2026-11-01T10:00:00Z  ok'
is "$(sed -n 4p out)" '  3  cg   -          500          2  01:00:00  -                     ok'

begin 'the same content adds nothing the second time'
cp runs.csv copy.csv
ok "$RUNCAST" import copy.csv
prints 'copy.csv: nothing added; imported before (import 1'
fails "$RUNCAST" import -
complains 'standard input:1:1: the table is empty'
"$RUNCAST" import - < runs.csv > out
prints 'nothing added'
is "$(count_runs)" 3

begin 'equal rows of one file are separate runs'
printf 'app,n,p,seconds\nx,1,1,2\nx,1,1,2\nx,1,1,2\n' > repeats.csv
ok "$RUNCAST" import repeats.csv
is "$(count_runs --app x)" 3

begin 'columns in any order, upper case, quotes, CRLF, a BOM'
printf '\xef\xbb\xbfSeconds, P ,"N",APP,note\r\n1.5,8,64Ki,"quoted, ""app""",a\r\n' > odd.csv
ok "$RUNCAST" import odd.csv
is "$(cat err)" 'note: metadata: note'
ok "$RUNCAST" runs list --app 'quoted, "app"' --json
is "$(json "j['runs'][0]['size'], j['runs'][0]['procs'], j['runs'][0]['time_s']")" '(65536, 8, 1.5)'

begin 'cpu and bw mean minavg; other numeric columns are parameters'
ok "$RUNCAST" runs show 1 --json
is "$(json "j['runs'][0]['cpu_minavg'], j['runs'][0]['cpu_avgmin'], j['runs'][0]['bw_minavg']")" \
    '(0.9, None, 10000000)'
is "$(json "j['runs'][0]['params']")" "{'iterations': 100}"
ok "$RUNCAST" runs show 3 --json
is "$(json "j['runs'][0]['params'], j['runs'][0]['start']")" '({}, None)'
ok "$RUNCAST" runs list --columns id,iterations --app lu
is "$(sed -n 3p out)" '  2         200'

# bad NAME LINE:COLUMN TEXT CONTENT: refused at that place, and nothing imported.
bad() {
    local before after
    before=$(count_runs)
    printf "$4" > bad.csv
    fails "$RUNCAST" import bad.csv "${@:5}"
    complains "runcast: importing bad.csv: bad.csv:$2: "
    complains "$3"
    after=$(count_runs)
    is "$after" "$before" "$1: runs in the database"
}

begin 'a bad row is reported with its line and column, and nothing is imported'
h='app,n,p,seconds'
bad 'text' 3:3 "column 'n': 'many' is not a number" "$h\na,1,1,1\na,many,1,1\n"
bad 'negative' 2:7 "column 'seconds': -1 is not greater than 0" "$h\na,1,1,-1\n"
bad 'zero' 2:7 "column 'seconds'" "$h\na,1,1,0\n"
bad 'no whole number' 2:5 "column 'p': not a whole number" "$h\na,1,1.5,1\n"
bad 'no processes' 2:5 "column 'p': 0 is not at least 1" "$h\na,1,0,1\n"
bad 'empty' 2:1 "column 'app': empty" "$h\n,1,1,1\n"
bad 'too few' 2:5 '3 fields, but the header has 4 columns' "$h\na,1,1\n"
bad 'too many' 2:9 '5 fields, but the header has 4 columns' "$h\na,1,1,1,1\n"
bad 'cpu in percent' 2:9 "column 'cpu': 85 is not at least 0 and at most 1" "$h,cpu\na,1,1,1,85\n"
bad 'mixed column' 3:9 "column 'k': 'x' is not a number" "$h,k\na,1,1,1,5\na,1,1,1,x\n"
bad 'status' 2:9 "column 'status': not one of ok, failed, interrupted" "$h,status\na,1,1,1,fine\n"
bad 'start' 2:9 "column 'start'" "$h,start\na,1,1,1,noon\n"
bad 'quote' 2:4 'a quote inside' "$h\na,\x5b\x22,1,1\n" # [" in a field
bad 'infinite' 2:7 "column 'seconds'" "$h\na,1,1,inf\n"
bad 'control character' 2:1 "column 'app': text with control characters" "$h\na\x1b[2J,1,1,1\n"
bad 'not UTF-8' 2:1 "column 'app'" "$h\n\xff\xfe,1,1,1\n"
bad 'several' 2:3 '(and 2 more bad rows)' "$h\na,x,1,1\nb,1,1,1\nc,1,x,1\nd,1,1,x\n"
bad 'missing columns' 1:1 "missing columns 'p', 'seconds'; the table has: app, n" 'app,n\na,1\n'
bad 'two names for one' 1:21 "columns 'cpu' and 'cpu_minavg' have the same meaning" \
    "$h,cpu,cpu_minavg\n"
bad 'nothing' 1:1 'the table is empty' ''

begin '--skip-bad imports the valid rows and lists the others'
printf "$h\ngood,1,1,1\nbad,x,1,1\ngood,2,1,1\nbad,1,1\n\"bad,1,1,1\ngood,3,1,1\n" > some.csv
ok "$RUNCAST" import --skip-bad some.csv
prints 'some.csv: 3 runs added, 3 bad rows skipped'
complains "note: some.csv:3:5: column 'n': 'x' is not a number"
complains 'note: some.csv:5:'
complains 'note: some.csv:6:1: unclosed quote'
is "$(count_runs --app good)" 3
is "$(count_runs --app bad)" 0
ok "$RUNCAST" import --skip-bad some.csv --db other.db --json
is "$(json "[(f['ok'], f['added'], f['skipped_rows'], f['already_imported'], f['warnings'][0]['line'], f['warnings'][0]['column']) for f in j['files']]")" \
    '[(True, 3, 3, False, 3, 5)]'
rm other.db
ok "$RUNCAST" import --skip-bad some.csv
prints 'nothing added'
printf "$h\nbad,x,1,1\n" > none.csv
fails "$RUNCAST" import --skip-bad none.csv
complains 'no valid rows (1 bad)'

begin 'a table without an app takes it from --app'
printf 'n,p,seconds\n5,5,5\n' > noapp.csv
fails "$RUNCAST" import noapp.csv
complains '--app NAME'
ok "$RUNCAST" import noapp.csv --app named --platform here
is "$(count_runs --app named --platform here)" 1
ok "$RUNCAST" import noapp.csv --app other
is "$(count_runs --app other)" 1

begin 'other headings of required columns are accepted'
printf 'app,size,ranks,runtime,start\nalias,10,2,01:02:03,2026-11-01\n' > alias.csv
ok "$RUNCAST" import alias.csv
is "$(cat err)" "note: columns recognized: n is 'size', p is 'ranks', seconds is 'runtime'"
ok "$RUNCAST" runs export --app alias --json
is "$(json "[j['runs'][0][k] for k in ('size', 'procs', 'time_s', 'params')]")" '[10, 2, 3723, {}]'
for heading in procs processes ranks NTASKS; do
    printf "app,n,$heading,time_s\nalias2,1,3,93s\n" > alias.csv
    ok "$RUNCAST" import alias.csv
    is "$(count_runs --app alias2 --procs 3)" 1 "$heading"
    ok "$RUNCAST" runs delete --app alias2
done
# With the main column, the others are parameters.
printf 'app,n,p,seconds,size,time\nalias3,1,1,1,5,6\n' > alias.csv
ok "$RUNCAST" import alias.csv
ok "$RUNCAST" runs export --app alias3 --json
is "$(json "j['runs'][0]['size'], j['runs'][0]['params']")" "(1, {'size': 5, 'time': 6})"
ok "$RUNCAST" runs export --app alias3
cp out alias3.csv
ok "$RUNCAST" import alias3.csv --db alias3.db
ok "$RUNCAST" runs export --db alias3.db
cmp -s out alias3.csv || fault "$(diff out alias3.csv)"
bad 'two run times' 1:14 "columns 'time' and 'runtime' can both be 'seconds'" 'app,n,p,time,runtime\na,1,1,1,1\n'
complains 'hint: use --map seconds=time'

begin 'columns are mapped to other names'
cat > other.csv << 'END'
what,width,nodes,"Wall, min:s",k=v
fire,100,2,5.5,8
END
fails "$RUNCAST" import other.csv
complains "other.csv:1:1: missing columns 'app', 'n', 'p', 'seconds'; the table has: what, width, nodes, Wall, min:s, k=v"
complains 'hint: use --app NAME --map n=HEADING,p=HEADING,seconds=HEADING'
ok "$RUNCAST" import other.csv --map 'app=what, n=width,p=nodes,seconds=wall, min:s,factor=k=v'
ok "$RUNCAST" runs export --app fire --json
is "$(json "[j['runs'][-1][k] for k in ('app', 'size', 'procs', 'time_s', 'params')]")" \
    "['fire', 100, 2, 5.5, {'factor': 8}]"
ok "$RUNCAST" import other.csv --app fire --map size=width --map 'time=Wall, min:s' --map procs=k=v --ignore what
prints '1 run added'
ok "$RUNCAST" runs export --app fire --json
is "$(json "[j['runs'][-1][k] for k in ('procs', 'time_s', 'params')]")" "[8, 5.5, {'nodes': 2}]"
fails "$RUNCAST" import other.csv --app x --map p=cores
complains "other.csv:1:1: no column 'cores' to map; the table has: what, width"
printf 'n,q\n1,2\n' > few.csv
fails "$RUNCAST" import few.csv
complains 'hint: use --app NAME --map p=HEADING,seconds=HEADING'
bad 'mapped twice' 1:9 "columns 'app' and 'seconds' have the same meaning" "$h\na,1,1,1\n" --map app=seconds
for wrong in seconds = =p seconds= p=np,q=; do misused "$RUNCAST" import other.csv --map $wrong; done
misused "$RUNCAST" import other.csv --map p=np,n=np
complains "'np' is given twice"

begin 'usual headings are recognized, and reported'
cat > usual.csv << 'END'
code,problem,nodes,Wall Time (s),np,Start Date,job state
usual,100,2,5.5,8,2026-10-01,TIMEOUT
END
ok "$RUNCAST" import usual.csv
complains "note: columns recognized: app is 'code', n is 'problem', seconds is 'Wall Time (s)', p is 'np', start is 'Start Date', status is 'job state'"
ok "$RUNCAST" runs export --app usual --json
is "$(json "[j['runs'][-1][k] for k in ('app', 'size', 'procs', 'time_s', 'params', 'start', 'status')]")" \
    "['usual', 100, 8, 5.5, {'nodes': 2}, '2026-10-01T00:00:00Z', 'interrupted']"
bad 'a time in minutes' 1:1 "missing column 'seconds'" 'app,n,p,walltime (min)\na,1,1,1\n'
bad 'two likely columns' 1:10 "columns 'np' and 'MPI ranks' can both be 'p'" 'app,n,np,MPI ranks,t\na,1,1,1,1\n'
complains 'hint: use --map p=np'
# A main name and an alias take precedence; then a column such as 'cores' is a parameter.
printf 'usual,1,4,8,1.5\n' | cat <(echo app,n,ranks,cores,t) - > both.csv
ok "$RUNCAST" import both.csv --json
is "$(json "j['files'][0]['warnings'][0]['message']")" "columns recognized: p is 'ranks', seconds is 't'"
ok "$RUNCAST" runs export --app usual --json
is "$(json "[j['runs'][-1][k] for k in ('procs', 'params')]")" "[4, {'cores': 8}]"
ok "$RUNCAST" runs delete --app usual
for app in alias alias3 fire; do ok "$RUNCAST" runs delete --app $app; done

begin 'job states and dates are recognized'
# states HEADINGS ROW...: imports these runs and prints start and status.
states() {
    rm -f states.db*
    { echo "app,n,p,seconds,$1" && printf 's,1,1,1,%s\n' "${@:2}"; } > states.csv
    ok "$RUNCAST" import states.csv --db states.db
    "$RUNCAST" runs list --db states.db --json --columns start,status > out
    stored=$(json "[(r['start'], r['status']) for r in j['runs']]")
}
states date,State 2026-10-01T00:00:00,COMPLETED 2026-10-02,TIMEOUT ,'CANCELLED by 7'
is "$(cat err)" "note: columns recognized: start is 'date', status is 'State'"
is "$stored" "[('2026-10-01T00:00:00Z', 'ok'), ('2026-10-02T00:00:00Z', 'interrupted'), (None, 'interrupted')]"
for heading in start_time started; do
    states $heading 2026-10-01 1790812800
    is "$stored" "[('2026-10-01T00:00:00Z', 'ok'), ('2026-10-01T00:00:00Z', 'ok')]" "$heading"
done
# Other values: text is metadata, numbers are parameters.
states date,state 5,new
is "$(cat err)" 'note: parameters: date
note: metadata: state'
is "$stored" "[(None, 'ok')]"
# With the main column, or two candidates, none is chosen.
states start,date,status,state 2026-10-01,2026-10-05,failed,COMPLETED
is "$stored" "[('2026-10-01T00:00:00Z', 'failed')]"
complains 'note: metadata: date, state'
states date,started 2026-10-01,2026-10-05
is "$stored" "[(None, 'ok')]"
complains "note: states.csv:1:17: column 'date' has dates; use --map start=date"
# Other headings.
states 'outcome of it,when' COMPLETED,2026-10-01 RUNNING,2026-10-01
complains "note: states.csv:1:17: column 'outcome of it' has job states; use --map status='outcome of it'"
complains "column 'when' has dates; use --map start=when"
# A job without a final state has no run time.
printf 'app,n,p,seconds,state\nr,1,1,1,COMPLETED\nr,1,1,1,RUNNING\n' > running.csv
fails "$RUNCAST" import running.csv
complains "running.csv:3:9: column 'state': not one of ok, failed, interrupted"
ok "$RUNCAST" import running.csv --skip-bad --db states.db
prints '1 run added, 1 bad row skipped'

begin 'parameters are named, and columns can be ignored'
{
    echo app,n,p,seconds,nodes,fixed,steps
    for i in 1 2 3 4 5 6 7 8; do echo "m,$i,$((16 * (1 + i % 2))),$i,$((1 + i % 2)),7,$((i > 1 ? i : 2))"; done
} > nodes.csv
ok "$RUNCAST" import nodes.csv --db nodes.db
complains 'note: parameters: nodes, fixed, steps'
complains "note: nodes.csv:1:17: column 'nodes' depends only on p; --ignore nodes leaves it out"
complains "note: nodes.csv:1:23: column 'fixed' has the same number in all rows; --ignore fixed leaves it out"
is "$(grep -c note: err)" 3
ok "$RUNCAST" import nodes.csv --db ignored.db --ignore Nodes --ignore fixed
is "$(cat err)" 'note: parameters: steps'
ok "$RUNCAST" runs show 8 --db ignored.db --json
is "$(json "j['runs'][0]['params']")" "{'steps': 8}"
ok "$RUNCAST" import nodes.csv --db ignored.db --ignore nodes --ignore fixed --ignore steps
prints '8 runs added'
fails "$RUNCAST" import nodes.csv --ignore cores
complains "nodes.csv:1:1: no column 'cores' to ignore; the table has: app, n, p, seconds, nodes"
fails "$RUNCAST" import nodes.csv --ignore p
complains "missing column 'p'"

begin 'runs that are in the database already are counted'
head -4 nodes.csv > first.csv
ok "$RUNCAST" import first.csv --db grown.db
lacks_note() { ! grep -q equal err || fault "said: $(cat err)"; }
lacks_note
ok "$RUNCAST" import nodes.csv --db grown.db
complains "note: 3 of 8 runs equal earlier runs in the database; 'runcast runs delete --import 2' removes this import"
ok "$RUNCAST" import nodes.csv --db grown.db --ignore nodes --json
is "$(json "j['files'][0]['repeated_runs']")" 8

begin 'several files: the good ones are imported, the bad one is reported'
printf "$h\nf1,1,1,1\n" > f1.csv
printf "$h\nf2,1,1,x\n" > f2.csv
printf "$h\nf3,1,1,1\n" > f3.csv
fails "$RUNCAST" import f1.csv f2.csv f3.csv
complains 'f2.csv:2:8'
is "$(count_runs --app f1)$(count_runs --app f2)$(count_runs --app f3)" 101
ok "$RUNCAST" import --json f1.csv
is "$(json "j['files'][0]['already_imported'], j['files'][0]['added']")" '(True, 0)'

begin 'tables of spreadsheets and Slurm'
cat > slurm.csv << 'END'
# from the accounting, by hand

app,n,p,seconds,status,
heat,1000,4,01:30:00,COMPLETED,
,,,,,
heat,1000,8,2-00:00:01,TIMEOUT,
heat,1000,16,NA,FAILED,
END
fails "$RUNCAST" import slurm.csv
complains "slurm.csv:7:14: column 'seconds': a value is required"
ok "$RUNCAST" import slurm.csv --skip-bad
complains "'runcast runs delete --import"
ok "$RUNCAST" runs list --app heat --json
is "$(json "[(r['time_s'], r['status']) for r in j['runs']]")" \
    "[(5400, 'ok'), (172801, 'interrupted')]"
ok "$RUNCAST" runs delete --app heat
printf 'app|n|p\n' > pipes.csv
fails "$RUNCAST" import pipes.csv
complains "missing column 'seconds'"
printf "$h,\na,1,1,1,5\n" > unnamed.csv
fails "$RUNCAST" import unnamed.csv
complains 'the column has no name'
printf "$h,start\na,1,1,1,1794735000123\n" > milli.csv
fails "$RUNCAST" import milli.csv
complains 'the unit is seconds, not milliseconds'
fails "$RUNCAST" import runs.csv --app z
complains "the table has a column 'app'"
fails "$RUNCAST" import pipes.csv --json
keep_document
is "$(json "j['files'][0]['error']['line'], 'missing' in j['files'][0]['error']['message']")" '(1, True)'

begin 'mistyped choices are reported'
ok "$RUNCAST" runs list --columns id,secnds
complains "no column, parameter or metadata 'secnds' in these runs"
ok "$RUNCAST" runs list --columns ID,cpu --last 1
silent
misused "$RUNCAST" runs delete --since 7
complains 'for seven days ago, write 7d'

begin 'filters choose'
is "$(count_runs --app lu)" 2
is "$(count_runs --app lu --platform alpha --procs 8)" 1
is "$(count_runs --procs 4..)" 5
is "$(count_runs --size ..500 --app cg)" 1
is "$(count_runs --since 2026-11-02)" 1
is "$(count_runs --since 2026-11-01T10:00:00+01:00)" 2
is "$(count_runs --import 1)" 3
is "$(count_runs --status failed)" 0
is "$(count_runs --last 2)" 2
is "$(count_runs 1 3)" 2
is "$(count_runs --app nobody)" 0

begin 'an export is imported again without loss'
ok "$RUNCAST" runs export
cp out exported.csv
ok "$RUNCAST" import exported.csv --db second.db
is "$(cat err)" 'note: parameters: iterations
note: metadata: note'
ok "$RUNCAST" runs export --db second.db
cmp -s out exported.csv || fault "$(diff out exported.csv | head -5)"
ok "$RUNCAST" runs export --json
python3 - exported.csv << 'END' || fault 'JSON and CSV differ'
import csv, datetime, json, sys
rows = list(csv.DictReader(open(sys.argv[1])))
runs = json.load(open('out'))['runs']
assert len(rows) == len(runs)
for row, run in zip(rows, runs):
    for name, key in (('n', 'size'), ('p', 'procs'), ('seconds', 'time_s'), ('cpu_minavg', 'cpu_minavg'),
                      ('bw_minavg', 'bw_minavg')):
        assert (float(row[name]) if row[name] else None) == run[key], (row, run)
    start = run['start'] and datetime.datetime.fromisoformat(run['start'].replace('Z', '+00:00')).timestamp()
    assert (float(row['start']) if row['start'] else None) == start, (row, run)
    assert row['app'] == run['app'] and row['status'] == run['status']
    assert (float(row['iterations']) if row['iterations'] else None) == run['params'].get('iterations')
END

begin 'names that look like something else survive the round trip'
printf "$h\n\"#1\",1,1,1\n\"NA\",1,1,1\n\" b \",1,1,1\n" > names.csv
ok "$RUNCAST" import names.csv --db names.db
"$RUNCAST" runs export --db names.db > names1.csv
ok "$RUNCAST" import names1.csv --db names2.db
is "$("$RUNCAST" runs export --db names2.db | sha256sum)" "$(sha256sum < names1.csv)"
is "$(count_runs --db names2.db)" 3

begin 'one overlong line is one bad row'
{
    printf "$h\nfirst,1,1,1\n"
    head -c 3000000 /dev/zero | tr '\0' x
    printf '\nlast,1,1,1\nlast,2,1,1\n'
} > overlong.csv
ok "$RUNCAST" import overlong.csv --skip-bad --db overlong.db
prints '3 runs added, 1 bad row skipped'

begin 'bad rows do not decide whether a column is numeric'
printf "note,$h\nhello,a,1,1,1\n5,b,1,1,-1\nworld,c,1,1,1\n" > kinds.csv
ok "$RUNCAST" import kinds.csv --skip-bad --db kinds.db
prints '2 runs added, 1 bad row skipped'

begin 'numbers of imports are not reused'
ok "$RUNCAST" runs delete --all --db kinds.db
ok "$RUNCAST" import f1.csv --db kinds.db
prints '(import 2)'

begin 'a database file may have an odd name'
ok "$RUNCAST" import f1.csv --db :memory:
is "$(count_runs --db ./:memory:)" 1

begin 'a run is shown in detail'
ok "$RUNCAST" runs show 1
prints '2026-11-01T10:00:00Z'
prints 'parameter iterations: '
prints 'run time:                      12.5 s'
ok "$RUNCAST" runs show 3
prints 'run time:   3600 s (01:00:00)'
fails "$RUNCAST" runs show 9999
complains 'no run with this number'
misused "$RUNCAST" runs show first

begin 'delete needs a choice of runs, and reports how many'
misused "$RUNCAST" runs delete
complains '--all'
ok "$RUNCAST" runs delete --app lu --dry-run
prints '2 runs would be deleted'
ok "$RUNCAST" runs delete --app lu --dry-run --json
is "$(json "j['would_delete'], 'deleted' in j")" '(2, False)'
is "$(count_runs --app lu)" 2
ok "$RUNCAST" runs delete --app lu
prints '2 runs deleted'
is "$(count_runs --app lu)" 0
is "$(count_runs --app cg)" 1
ok "$RUNCAST" db check
ok "$RUNCAST" import runs.csv
prints 'nothing added'
complains '2 of its runs were deleted; to import it again'
ok "$RUNCAST" runs delete --import 1
ok "$RUNCAST" import runs.csv
prints '3 runs added'
ok "$RUNCAST" runs delete --all --json
is "$(json "j['deleted'] > 0")" True
is "$(count_runs)" 0
ok "$RUNCAST" db check

begin 'a file that cannot be read is an error'
fails "$RUNCAST" import nosuch.csv
complains 'nosuch.csv: cannot open it: No such file'
fails "$RUNCAST" import .
complains 'a directory, not a file'

begin 'a slow pipe does not block other imports'
{
    printf "$h\n"
    sleep 5
    printf 'slow,1,1,1\n'
} | "$RUNCAST" import - > slow.out 2>&1 &
slow=$!
sleep 0.3
ok timeout 60 "$RUNCAST" import f1.csv
kill -0 $slow 2> /dev/null || fault 'the slow import ended too soon to show anything'
wait $slow
grep -q '^-: 1 run added' slow.out || fault "printed: $(cat slow.out)"

finish
