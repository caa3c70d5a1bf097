#!/bin/bash
# Tables as other programs write them: separators, durations, keys, time zones.
. "$(dirname "$0")/harness.sh"

times()
{
    "$RUNCAST" runs list --json "$@" > listed.json &&
        python3 -c "import json; print([(r['size'], r['procs'], r['time_s']) for r in json.load(open('listed.json'))['runs']])"
}

begin 'semicolons, tabs and vertical bars separate columns, too'
for separator in ';' '\t' '|'; do
    rm -f t.db
    printf "n;p;seconds;iterations;hosts\n1000;4;12.5;7;a[1,2]\n2000;8;25.5;8;b\n" |
        sed "s/;/$separator/g" > t.csv
    ok "$RUNCAST" import --app heat --db t.db t.csv
    prints 't.csv: 2 runs added'
    is "$(times --db t.db)" '[(1000, 4, 12.5), (2000, 8, 25.5)]'
    complains 't.csv:1:1: columns are separated by'
    "$RUNCAST" runs export --db t.db > out
    is "$(sed -n 2p out)" 'heat,,"a[1,2]",1000,4,12.5,,,,,,,,,ok,7'
done
complains "note: t.csv:1:1: columns are separated by '|'"
ok "$RUNCAST" import --db t.db t.csv --app again --json
is "$(json "j['files'][0]['warnings'][0]")" \
    "{'message': \"columns are separated by '|'\", 'line': 1, 'column': 1}"
printf '#app\tn\n"n"\tp\ttime\n1\t"2"\t3\n' > t.csv
ok "$RUNCAST" import --app tabs t.csv
complains 'note: t.csv:2:1: columns are separated by tabs'
is "$(times --app tabs)" '[(1, 2, 3)]'

begin 'a separator may end every line'
printf 'app|n|p|seconds|\nend|1|2|3|\n' > t.csv
ok "$RUNCAST" import t.csv
is "$(times --app end)" '[(1, 2, 3)]'

begin 'if the header has several separators, the known headings decide, then the comma'
printf 'app;n;p;seconds;x,y\nmix;1;2;3;4\n' > t.csv
ok "$RUNCAST" import t.csv
complains 'columns are separated by semicolons'
is "$(times --app mix)" '[(1, 2, 3)]'
printf 'app,n,p,seconds,x;y\nmix2,1,2,3,4\n' > t.csv
ok "$RUNCAST" import t.csv
is "$(grep -c separated err)" 0
printf 'task;width,a;b\nmix3;5,1;2\n' > t.csv
fails "$RUNCAST" import t.csv
complains 'the table has: task;width, a;b'
fails "$RUNCAST" import t.csv --map app=task
complains 'the table has: task, width,a, b'

begin 'a decimal comma is an error'
printf 'app;n;p;seconds\na;1;2;1,5\n' > t.csv
fails "$RUNCAST" import t.csv
complains "t.csv:2:7: column 'seconds': '1,5' has a decimal comma; write a point"
printf 'app;n;p;seconds;k\na;1;2;1.5;0,5\na;1;2;1.5;0,7\n' > t.csv
fails "$RUNCAST" import t.csv
complains "t.csv:2:11: column 'k': '0,5' has a decimal comma; write a point"
complains 'hint: --meta-columns k stores the column as text'
ok "$RUNCAST" import t.csv --meta-columns k
printf 't;value\n1;0,5\n' > s.csv
fails "$RUNCAST" series import --host a1 --metric load s.csv
complains "s.csv:2:3: column 'value': '0,5' has a decimal comma; write a point"

begin 'run times of Slurm, PBS and time'
while read -r text seconds; do
    printf 'n,p,time\n1,1,%s\n' "$text" > t.csv
    rm -f t.db
    ok "$RUNCAST" import --app a t.csv --db t.db
    is "$(times --db t.db)" "[(1, 1, $seconds)]" "$text"
done << 'END'
1-02:03:04 93784
01:02:03 3723
100:00:01 360001
00:00:01.250 1.25
12:30 750
2:05 125
12:30.500 750.5
1m2.5s 62.5
0m0.004s 0.004
125m3.000s 7503
END
printf 'n,p,time\n1,1,01:00:00\n1,1,12:30\n1,1,12:31\n' > t.csv
ok "$RUNCAST" import --app minutes t.csv
complains "note: t.csv:3:5: column 'time': '12:30' is read as minutes and seconds"
is "$(grep -c minutes err)" 1
printf 'n,p,time\n1,1,12:30.5\n' > t.csv
ok "$RUNCAST" import --app minutes t.csv
is "$(cat err)" "note: columns recognized: seconds is 'time'"
for text in 90:30 12:60 12:3 1-12:30 1-12 :30 12: -1:30; do
    printf 'n,p,time\n1,1,%s\n' "$text" > t.csv
    fails "$RUNCAST" import --app bad t.csv
    complains "t.csv:2:5: column 'time': '$text' is not a time such as"
done

begin 'dates are local times of a time zone'
# starts ROW...: the starts of the runs, imported with the options in `with`.
starts() {
    rm -f zone.db*
    { echo app,n,p,seconds,start && printf 'z,1,1,1,%s\n' "$@"; } > zone.csv
    ok "$RUNCAST" import zone.csv --db zone.db "${with[@]}"
    started=$("$RUNCAST" runs list --db zone.db --json --columns start | python3 -IS -c \
        "import json, sys; print(*(run['start'] for run in json.load(sys.stdin)['runs']))")
}
with=(--tz +02:00)
starts 2026-07-01T12:00 2026-07-01 '2026-07-01 12:00:00.5+00:00' 2026-07-01T12:00Z 1782907200
is "$started" '2026-07-01T10:00:00Z 2026-06-30T22:00:00Z 2026-07-01T12:00:00.5Z 2026-07-01T12:00:00Z 2026-07-01T12:00:00Z'
silent
# Another zone is another table.
starts 2026-07-01T12:00
ok "$RUNCAST" import zone.csv --db zone.db --tz -0330
prints '1 run added'
ok "$RUNCAST" import zone.csv --db zone.db --tz -0330
prints 'nothing added'
TZDIR=$PWD/nowhere fails "$RUNCAST" import zone.csv --tz Europe/Berlin
complains "importing zone.csv: no time zones in $PWD/nowhere"
complains 'hint: install the package tzdata, name its directory in TZDIR, or use an offset such as +02:00'
mkdir zones
cp "$SOURCE_ROOT/tests/fuzz/corpus/time_zone/berlin" zones/Berlin
echo nonsense > zones/Nonsense
export TZDIR=$PWD/zones
fails "$RUNCAST" import zone.csv --tz Rome
complains "unknown time zone 'Rome'"
complains "hint: use a name such as Europe/Berlin or UTC, or an offset such as +02:00; the names are those of the files below $TZDIR"
fails "$RUNCAST" import zone.csv --tz Nonsense
complains "the file of the time zone 'Nonsense' is damaged"
with=(--tz Berlin)
starts 2026-07-01T12:00 2026-12-01T12:00 2060-07-01T12:00
is "$started" '2026-07-01T10:00:00Z 2026-12-01T11:00:00Z 2060-07-01T10:00:00Z'
starts 2026-10-25T02:30 2026-10-25T02:40
is "$started" '2026-10-25T00:30:00Z 2026-10-25T00:40:00Z'
is "$(cat err)" "note: zone.csv:2:9: column 'start': '2026-10-25T02:30' occurs twice in the time zone; read as the first"
starts 2026-03-29T02:30
is "$started" 2026-03-29T01:30:00Z
complains "column 'start': '2026-03-29T02:30' does not occur in the time zone; read as if the clocks had not been changed"
unset TZDIR

begin 'tables of samples have the same separators'
printf 't;value\n10;0.5\n20;0.75\n' > s.csv
ok "$RUNCAST" series import --host a1 --metric load s.csv
prints '2 samples added'
complains 'note: s.csv:1:1: columns are separated by semicolons'

begin 'with --key, only new runs of an extended table are added'
printf 'app,n,p,seconds,job,k\nkey,1,1,1.5,j1,5\nkey,2,1,2.5,j2,7\n' > t.csv
ok "$RUNCAST" import --key job t.csv
prints 't.csv: 2 runs added (import'
printf 'key,4,1,4.5,j3,5\nother,2,1,2.5,j2,7\n' >> t.csv
sed -i '2s/1.5/1.75/' t.csv
ok "$RUNCAST" import --key job t.csv --json
is "$(json "[(f['added'], f['known_rows'], f['differing_rows'], f['repeated_runs']) for f in j['files']]")" '[(2, 1, 1, 0)]'
first=$("$RUNCAST" runs list --app key --columns id | sed -n 2p | tr -d ' ')
is "$(json "[(w['line'], w['message']) for w in j['files'][0]['warnings'] if 'differs' in w['message']]")" \
    "[(2, \"differs from run $first with the same 'job'; not changed\")]"
is "$(times --app key)" '[(1, 1, 1.5), (2, 1, 2.5), (4, 1, 4.5)]'
is "$(times --app other)" '[(2, 1, 2.5)]'
printf 'key,1,1,1.5,j1,5\n' >> t.csv
ok "$RUNCAST" import --key job t.csv
prints 't.csv: 0 runs added, 4 already known, 1 not changed'
complains "note: t.csv:2:1: differs from run $first with the same 'job'; not changed"
ok "$RUNCAST" import --key job t.csv --db new.db
prints 't.csv: 4 runs added, 1 not changed'
complains "note: t.csv:6:1: differs from run 1 with the same 'job'"

begin 'a key may be a number, and a parameter'
printf 'n,p,seconds,serial,k\n1,1,1.5,7,1\n2,1,2.5,9,2\n' > t.csv
ok "$RUNCAST" import --app numbers --key serial t.csv
complains 'note: metadata: serial'
printf '3,1,3.5,8,2\n' >> t.csv
ok "$RUNCAST" import --app numbers --key serial t.csv
prints '1 run added, 2 already known'
printf 'n,p,seconds,case\n1,1,1.5,7\n2,1,2.5,9\n' > t.csv
ok "$RUNCAST" import --app cases --key case --param-columns case t.csv
printf '3,1,3.5,1e1\n' >> t.csv
ok "$RUNCAST" import --app cases --key case --param-columns case t.csv
prints '1 run added, 2 already known'

begin 'every row needs the key'
printf 'app,n,p,seconds,job\na,1,1,1.5,NA\n' > t.csv
fails "$RUNCAST" import --key job t.csv
complains "t.csv:2:11: column 'job': the key is empty"
fails "$RUNCAST" import --key jobs t.csv
complains "t.csv:1:1: no column 'jobs' to use as the key; the table has: app, n, p, seconds, job"
fails "$RUNCAST" import --key n t.csv
complains "t.csv:1:5: column 'n' cannot be the key: it is no metadata and no parameter"

finish
