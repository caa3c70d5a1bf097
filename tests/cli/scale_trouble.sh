#!/bin/bash
# 'runcast scale' in the hands of its users: calls that are wrong or say too little, runs that were
# made otherwise, and whether each answer says what it rests on and what to do next.
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"
# shellcheck source=scaling.sh
. "$(dirname "$0")/scaling.sh"
target=(--app model --platform p.yaml --cluster A --size 4096x1024 --procs 32)
command='./app.sh log {p} {rows} {cols} {hosts}'

# ---- calls ----

begin 'wrong calls are told as such, and hints lead out'
bad() { misused scale "${@:2}"; complains "$1"; }
for verb in plan fit 'measure --command x{p}{rows}{cols}'; do
    # shellcheck disable=SC2086 # a verb may have an option
    for wrong in 1,4:"--small: '1' is no number from 2 on" a,b:"--small: 'a' is no number" \
        2,4,4:'--small: 4 is there twice' 4:'--small: two numbers are expected at least' \
        2,:"--small: '' is no number" 2,3,4,5,6,7,8,9,10:'--small: at most 8 numbers'; do
        bad "${wrong#*:}" $verb "${target[@]}" --small "${wrong%%:*}"
    done
    # shellcheck disable=SC2086
    bad "--hosts: no cluster of 'two' has a host 'q01'" $verb "${target[@]}" --hosts 'q[01-04]'
    # shellcheck disable=SC2086
    bad '--hosts: ' $verb "${target[@]}" --hosts 'a[01-'
    # shellcheck disable=SC2086
    bad '--split: there is one cluster, and nothing to share' $verb "${target[@]}" --split 1:1
done
bad '--model-error: 0 or more' fit "${target[@]}" --model-error=-3
bad '--noise: 0 or more' fit "${target[@]}" --noise=-3
bad "--split: '1:2:3' is not known for 2 clusters" plan --app model --platform p.yaml --size 4096 \
    --procs A:32,B:16 --split 1:2:3
complains 'hint: write a number for each cluster'
bad 'there is no {layers} in it' plan "${target[@]}" --size 512 --cut 3 --command 'x {p} {rows} {cols}'
complains '--layers {layers}'
bad 'there is no {cols} in it' plan "${target[@]}" --command 'x {p} {rows}'
[ "$(grep -c '{layers}' err)" -eq 0 ] || fault 'the mesh has no layers'

begin 'hints for runs that are too small for their small ones name such as would do'
small() { # small HINT PROCS OPTIONS...
    fails scale plan --app model --platform p.yaml --size 4096 --procs "$2" "${@:3}"
    complains 'is no larger than its small runs'
    complains "hint: run it$1"
}
small '; or ask for smaller ones, such as --small 4,8' A:16 --small 4,16
small '; or ask for smaller ones, such as --small 2,4' A:8
small '; or ask for smaller ones, such as --small 2,3' A:4 --small 2,4
small '; or ask for smaller ones, such as --small 2,3' A:32,B:4
small ': it is as small' A:3 --small 2,3
small ': it is as small' A:1
small '; or ask for smaller ones, such as --small 4,9' A:16 --cut 2
small '; or ask for smaller ones, such as --small 8,27' B:64 --cut 3 --size 256
small '; or ask for smaller ones, such as --small 4,8' A:16 --cut 3 --size 256
ok scale plan --app model --platform p.yaml --size 4096 --procs A:4 --small 2,3

begin 'commands of a plan are lines that can be pasted'
lines="./app.sh log {p}
    {rows} {cols} 'two  words' \"it's\" ''"
ok scale plan "${target[@]}" --repeats 1 --command "$lines"
prints "  ./app.sh log 4 512 1024 'two  words' 'it'\\''s' ''"
ok scale plan "${target[@]}" --repeats 1 --command "$lines" --json
is "$(json "j['plans'][0]['runs'][2]['command']")" "./app.sh log 4 512 1024 'two  words' 'it'\\''s' ''"
eval "set -- $(json "j['plans'][0]['runs'][2]['command']")"
is "$#,$6,$7,$8" "8,two  words,it's," 'words that a shell makes of it'

# ---- measuring ----

begin 'runs in the store are no reason to refuse others, whatever is reckoned of memory'
# a process tells 16 bytes for a cell and 1 MB besides: a little too much for its host
sed 's/memory: 2GiB/memory: 3097100B/' p.yaml > tight.yaml
tight=(--app tight --platform tight.yaml "${target[@]:4}" --repeats 1 --told)
ok scale measure "${tight[@]}" --command "$command"
prints '6 runs made'
ok scale measure "${tight[@]}" --command "$command" # all of them are there
prints '0 runs made, 6 in the store already'
ok scale plan "${tight[@]:0:10}" --repeats 2
[ "$(grep -c 'DOES NOT FIT in the memory' out)" -eq 0 ] || fault 'a run that was made does not fit'
prints 'a process of the target needs about 2.9537 MiB of the 2.9536 MiB that it may have: it DOES NOT FIT'
ok "$RUNCAST" runs delete 3 4 5 6 # as if it had been interrupted after two
ok scale measure "${tight[@]}" --command "$command"
prints '4 runs made, 2 in the store already'
ok "$RUNCAST" runs delete 1 # the block of the target, on one process
ok "$RUNCAST" runs delete --app tight --procs 2..
fails scale plan "${tight[@]:0:10}" --repeats 1 --bytes-per-cell 23.6294
prints 'DOES NOT FIT'
complains 'a process needs 2.9537 MiB, and has 2.9536 MiB with 1 on a host'
fails scale measure "${tight[@]}" --command "$command"
complains "'measure --force' tries it"
ok scale measure "${tight[@]}" --force --command "$command"
prints '5 runs made, 1 in the store already'

begin 'runs that another command made count, and that is said'
other='./app.sh log {p} {rows} {cols} {hosts} --iterations 1000'
made=(--app made "${target[@]:2}" --repeats 1)
ok scale measure "${made[@]}" --told --command "$command"
silent
ok scale measure "${made[@]}" --told --command "${command// /$'\n'  }" # blanks do not matter
silent
ok scale plan "${made[@]}" --command "$other"
complains 'note: 6 runs in the store were made by another command, and not made again'
ok scale plan "${made[@]}"
[ "$(grep -c 'another command' err)" -eq 0 ] || fault 'there is no command that it could be another of'
ok scale measure "${made[@]}" --told --command "$other"
prints '0 runs made, 6 in the store already'
complains 'note: 6 runs in the store were made by another command'
ok scale measure "${made[@]}" --told --command "$other" --json
is "$(json "j['known'], ['another command' in n for n in j['notes']]")" '(6, [True])'
ok scale fit "${made[@]}" --json
is "$(json "[n for n in j['models'][0]['notes'] if 'command' in n]")" '[]'
first=$("$RUNCAST" runs list --app made --columns id | sed -n 2p)
ok "$RUNCAST" runs delete "$first"
ok scale measure "${made[@]}" --told --command "$other"
complains 'note: 5 runs in the store were made by another command'
ok scale fit "${made[@]}"
complains "note: these runs were made by different commands: run $((first + 6)) by another than run $((first + 1))"

begin 'runs that disagree are all told, by their numbers'
odd=(--app odd "${target[@]:2}")
ok scale measure "${odd[@]}" --repeats 1 --told --command "$command"
silent
printf 'app,n,p,seconds,platform,hosts,rows,cols,network\n%s\n%s\n' \
    'odd,1024,4,220,two,"a[20-23]",512,1024,1' 'odd,1024,1,10,two,a20,32,1024,1' > odd.csv
ok "$RUNCAST" import odd.csv
mapfile -t ids < <("$RUNCAST" runs list --app odd --columns id | tail -n +2 | tr -d ' ')
fails scale fit "${odd[@]}"
complains "note: 512 x 1024 on 4 processes, 128 x 1024 each: 151.2 s (run ${ids[2]}), 220 s (run ${ids[6]})"
complains "note: 32 x 1024 on 1 process, 32 x 1024 each: 10 s (run ${ids[7]}), 32.77 s (run ${ids[1]})"
complains 'disagree by 228 %: from 10 s to 32.77 s with 32 x 1024 each'
complains "'runcast runs delete NUMBER'"
is "$(grep -c ' each: ' err)" 2 'groups that are told'
ok scale fit "${odd[@]}" --force --dry-run
is "$(grep -c ' each: ' err)" 0 'groups that are told'
ok "$RUNCAST" runs delete "${ids[6]}" "${ids[7]}"
ok scale fit "${odd[@]}"
is "$(grep -c 'disagree\| each: ' err)" 0 'groups that are told'
awk -v OFS=, 'BEGIN { print "app,n,p,seconds,platform,hosts,rows,cols,network"
    for (i = 1; i <= 15; i++) print "odd", 1024, 1, 100 + 10 * i, "two", "a20", 128, 1024, 1 }' > many.csv
ok "$RUNCAST" import many.csv
fails scale fit "${odd[@]}"
is "$(grep -o '(run [0-9]*)' err | wc -l)" 12 'runs that are listed of many'
complains '110 s (run '
complains '250 s (run '

begin 'a command that cannot be started is tried once'
rm -f log
fails scale measure --app none "${target[@]:2}" --repeats 2 --told --command './none {p} {rows} {cols}'
complains 'note: the command cannot be started: the other runs are not tried'
prints '0 runs made, 1 failed'
fails scale measure --app none "${target[@]:2}" --repeats 1 --told \
    --command "sh -c './app.sh log {p} {rows} {cols} {hosts}; test {p} = 1 || exec ./none'"
complains '4 processes, 512 x 1024, on a[20-23]: the program ended with status 127'
prints '2 runs made, 1 failed'
is "$(wc -l < log)" 3 'runs of the program'

begin 'what became of each run is told to programs'
failing="sh -c 'test {p} != 8 || { echo no; exit 3; }; ./app.sh log {p} {rows} {cols} {hosts}'"
fails scale measure --app some "${target[@]:2}" --repeats 1 --told --command "$failing" --json
is "$(json "j['made'], j['failed'], [(r['p'], r['mesh'][0], r['hosts'], r['error'] is None) for r in j['runs']][2:5]")" \
    "(4, 2, [(4, 512, 'a[20-23]', True), (4, 128, 'a[20-23]', True), (8, 1024, 'a[20-27]', False)])"
is "$(json "[r['error'] for r in j['runs'] if r['id'] is None]")" \
    "['the program ended with status 3', 'the program ended with status 3']"
is "$(json "[r['id'] for r in j['runs']][:4]")" \
    "[$("$RUNCAST" runs list --app some --columns id | tail -n +2 | tr -d ' ' | paste -sd, | sed 's/,/, /g')]"
ok scale measure "${made[@]}" --told --command "$command" --json
is "$(json "j['runs']")" '[]'

begin 'seconds that cannot be are told'
fails scale measure --app minus "${target[@]:2}" --repeats 1 --told \
    --command "sh -c 'echo {p} {rows} {cols}; echo \"{ \\\"seconds\\\": -3 }\"'"
complains 'the program says that it took -3 seconds, which cannot be'
is "$(count_runs --app minus)" 0 runs

begin 'an interruption before the first run is done is told'
rm -f log
APP_SLEEP=20 env --default-signal=INT "$RUNCAST" scale measure --app early "${target[@]:2}" --told \
    --command "$command" > out 2> err < /dev/null &
for ((i = 0; i < 300; i++)); do
    [ -s log ] && break
    sleep 0.1
done
kill -INT $!
wait $!
is $? 130 'exit status'
complains 'note: no run was done yet: nothing is stored'
is "$(count_runs --app early)" 0 runs
nothing_left

begin 'that sensors tell nothing is told once'
mkdir bin
printf '#!/bin/sh\nexit 255\n' > bin/ssh # no host can be reached
chmod +x bin/ssh
ok scale measure --app blind "${target[@]:2}" --repeats 1 --told --command "$command"
silent
ok "$RUNCAST" runs delete --app blind --procs 8 # two runs, since each waits for the sensors
ok env PATH="$WORK/bin:$PATH" "$RUNCAST" scale measure --app blind "${target[@]:2}" --repeats 1 \
    --told --sense --command "$command"
prints '2 runs made, 4 in the store already'
is "$(grep -c 'note: sensors did not tell of the load on a\[20-27\]: where they cannot' err)" 1 'notes'

begin 'runs on other hosts than --hosts names count, and that is said'
ok scale plan "${made[@]}" --hosts 'a[01-32]'
[ "$(grep -c 'does not name' err)" -eq 0 ] || fault 'all hosts are named'
ok scale plan --app made --platform p.yaml --size 2048x1024 --procs A:16 --hosts 'a[01-19]' --repeats 1
complains 'note: 6 runs in the store were made on hosts that --hosts does not name, and count all the same'
ok scale plan --app made --platform p.yaml --size 2048x1024 --procs A:16 --hosts 'a[01-19],a20' --repeats 1
complains 'note: 4 runs in the store were made on hosts'
fails scale plan "${made[@]}" --hosts 'a[01-16]'
complains "32 processes do not fit on these hosts of cluster 'A', which take 16"
complains 'hint: --hosts names those that the run itself may be on'

ok scale measure --app two --platform p.yaml --size 2048x1024 --procs A:16,B:16 --per-host 1 \
    --repeats 1 --told --command "$command"
silent
ok scale measure --app two --platform p.yaml --size 2048x1024 --procs A:16,B:16 --per-host 1 \
    --repeats 1 --told --hosts 'a[01-16],b[01-16]' --command "$command"
complains 'note: A: 6 runs in the store were made on hosts that --hosts does not name'
is "$(wc -l < err)" 1 'notes, since those of B are on its named hosts'

# ---- fitting ----

begin 'a fit says where it is kept, what its runs were, and that hosts were not free'
loaded() { # loaded APP CPU: six runs by the model, of which one had less of a core
    awk -v app="$1" -v cpu="$2" 'BEGIN {
        print "app,n,p,seconds,platform,hosts,rows,cols,network,per_host,cpu"
        for (p = 1; p <= 8; p = p == 1 ? 4 : 2 * p)
            for (rows = 128; rows >= 32; rows /= 4)
                printf "%s,1024,%d,%.17g,two,\"a[20-%d]\",%d,1024,1,1,%s\n", app, p,
                    rows * 1.1 + (p > 1 ? 0.3 : 0), 19 + p, rows * p, p == 4 && rows == 128 ? cpu : 1
    }' > "$1.csv"
    "$RUNCAST" import "$1.csv"
}
ok loaded free 0.97
ok scale fit --app free "${target[@]:2}"
[ "$(grep -c 'not free' out)" -eq 0 ] || fault 'hosts were free'
prints 'which has all scaling models of free on two: 1 now'
prints 'c = 0.3 s, d = 0 s'
grep -qE 'e-(1[0-9]|2)' out && fault "what rounding leaves is shown: $(cat out)"
ok loaded busy 0.351
ok scale fit --app busy "${target[@]:2}"
id=$("$RUNCAST" runs list --app busy --columns id | sed -n 4p | tr -d ' ')
complains "note: 1 run met hosts that were not free: a process could have 0.35 of a core in run $id"
ok scale fit --app busy "${target[@]:2}" --json
is "$(json "j['models'][0]['cut'], j['models'][0]['work'], len(j['models'][0]['groups'])")" \
    "(1, 'cells', 6)"
is "$(json "[(g['p'], g['mesh'][:2], g['block'][:2], g['runs']) for g in j['models'][0]['groups']][2]")" \
    '(4, [512, 1024], [128, 1024], 1)'
number "j['models'][0]['groups'][2]['mean']" 141.1
ok scale fit --app busy "${target[@]:2}" --work 'cells*1.5' --dry-run --json
is "$(json "j['models'][0]['work'], j['id']")" "('cells*1.5', None)"
printf 'app,n,p,seconds,platform,hosts,rows,cols,network,per_host\nfree,1024,4,310.42,two,"a[20-23]",512,1024,1,1\n' \
    > apart.csv
ok "$RUNCAST" import apart.csv
ok scale fit --app free "${target[@]:2}" --force --dry-run
prints '(2 runs, 120 % apart)'

# ---- predicting ----

begin 'where there is no model it is said what there is, and which option asks for it'
there=(--app there --platform p.yaml --size 4096x1024)
ok scale measure "${there[@]}" --procs B:16 --per-host 1 --repeats 1 --told --command "$command"
ok scale fit "${there[@]}" --procs B:16 --per-host 1
lacks() { # lacks WHAT HINT OPTIONS...
    fails scale predict "${there[@]}" --procs B:16 "${@:3}"
    complains "there is no model of 'there' on the cluster $1"
    complains "hint: $2"
}
lacks "'B' (ethernet) with meshes of 1024 columns, with 2 on a host" \
    "there is one for --per-host 1; 'runcast scale measure' and 'fit' with these options" --per-host 2
lacks "'B' (ethernet) with meshes of 1024 columns, cut in 2 directions" 'there is one for --cut 1;' --cut 2
lacks "'B' (ethernet) with meshes of 512 columns" 'there is one for a --size of 1024 columns;' \
    --size 4096x512
lacks "'A' (fast) with meshes of 1024 columns" \
    'there is one for --cluster B, --network ethernet;' --procs A:16 --network fast

begin 'notes say of which cluster they are, and what does not fit or is not joined'
sed '/^links:/,$ d' p.yaml > apart.yaml
both=(--platform p.yaml --app both --size 4096x1024 --procs 'A:32,B:64')
ok scale measure "${both[@]}" --repeats 1 --told --alone --command "$command"
ok scale fit "${both[@]}"
ok scale predict "${both[@]}" --json
is "$(json "[n for n in j['notes'] if 'alone' in n]")" \
    "['B: 6 runs were made alone: shared memory is not in them']"
is "$(json "sorted({n[:3] for n in j['notes']})")" "['A: ', 'B: ']"
ok scale predict "${both[@]}" --procs B:64 --json
is "$(json "[n[:2] for n in j['notes'] if 'alone' in n]")" "['6 ']"
ok scale predict "${both[@]}" --procs B:65 --force
complains "note: 65 processes do not fit on the cluster 'B', which takes 64 with 4 on a host"
ok scale predict "${both[@]}" --procs B:64 --force
[ "$(grep -c 'do not fit on the cluster' out)" -eq 0 ] || fault '64 processes do fit'
ok scale predict --platform apart.yaml "${both[@]:2}"
complains "note: the platform has no link between 'A' and 'B'"
ok scale predict "${both[@]}"
[ "$(grep -c 'no link between' out)" -eq 0 ] || fault 'there is a link'

begin 'memory that was told to fit is kept, and every answer by it says so'
ok scale fit "${both[@]}" --procs A:32 --size 2048x1024
prints 'memory of a process: 976.6 KiB and 16 bytes for each cell'
[ "$(grep -c 'as --bytes-per-cell says' out)" -eq 0 ] || fault 'it was measured'
ok scale predict "${both[@]}" --procs A:32 --size 2048x1024
[ "$(grep -c 'bytes-per-cell' out)" -eq 0 ] || fault 'it was measured'
ok scale fit "${both[@]}" --procs A:32 --size 2048x1024 --bytes-per-cell 32
prints 'memory of a process: 0 B and 32 bytes for each cell, as --bytes-per-cell says'
ok scale predict "${both[@]}" --procs A:32 --size 2048x1024
prints "in 2 MiB of the 2 GiB that it may have (by what --bytes-per-cell said of it to 'fit')"
ok scale predict "${both[@]}" --procs A:32 --size 2048x1024 --json
is "$(json "j['parts'][0]['memory'], j['parts'][0]['memory_told']")" '(2097152, True)'
ok scale predict "${both[@]}" --procs A:32 --size 2048x1024 --bytes-per-cell 16 --json
is "$(json "j['parts'][0]['memory'], j['parts'][0]['memory_told']")" '(1048576, False)'
ok scale fit "${both[@]}"

begin 'an answer over two clusters says why it is longer than each, and steps are there for programs'
ok scale predict "${both[@]}"
prints 'the last to end counts, whichever that is: on average that takes longer than each does'
ok scale predict "${both[@]}" --procs A:32
[ "$(grep -c 'the last to end' out)" -eq 0 ] || fault 'there is one alone'
ok scale predict "${both[@]}" --split price # all on one of them
[ "$(grep -c 'the last to end' out)" -eq 0 ] || fault 'one takes no part'
ok scale predict "${both[@]}" --explain --json
is "$(json "[s['cluster'] for s in j['steps']], [len(s['runs']) for s in j['steps']]")" \
    "(['A', 'B'], [6, 6])"
is "$(json "[(r['p'], r['block'][:2]) for r in j['steps'][0]['runs']][2]")" '(4, [64, 1024])'
number "j['steps'][0]['runs'][2]['communicating']" "$(python3 -c 'print("%.4g" % (7 + 6.5536))')"
number "j['steps'][0]['lines'][1]['alpha']" 9
number "j['steps'][0]['alpha'] - j['steps'][0]['c'] - j['steps'][0]['d'] * j['steps'][0]['growth'] + 1" 1
is "$(json "max(s['seconds'] for s in j['steps']) == j['point']")" True
ok scale predict "${both[@]}" --json
is "$(json "'steps' in j")" False

begin 'options that name the small runs are taken by all verbs, so that one list serves'
ok scale predict "${both[@]}" --small 4,8 --repeats 1 --check
mv out before
ok scale predict "${both[@]}"
cmp -s before out || fault 'they change what is predicted'
ok scale compare "${both[@]}" --small 4,8 --repeats 1 --check

begin 'what only rounding leaves of a time is nothing'
awk 'BEGIN {
    print "app,n,p,seconds,platform,hosts,rows,cols,network,per_host"
    for (p = 1; p <= 8; p = p == 1 ? 4 : 2 * p)
        for (rows = 128; rows >= 32; rows /= 4)
            printf "round,1024,%d,%.17g,two,\"a[20-%d]\",%d,1024,1,1\n", p,
                rows * 1.1 + (p > 1 ? 0.3 : 0), 19 + p, rows * p
}' > round.csv
ok "$RUNCAST" import round.csv
ok scale fit --app round "${target[@]:2}"
ok scale predict --app round "${target[@]:2}"
grep -qE 'e-[0-9]+ (ns|s)' out && fault "rounding is shown: $(cat out)"
prints ', gamma work 0 s)'
if command -v gnuplot > /dev/null; then
    ok scale predict --app round "${target[@]:2}" --plot title.svg
    grep -q 'round, 4096 x 1024 on 32 of A (ethernet)' title.svg || fault 'no title in the plot'
fi

# ---- comparing ----

begin 'each reason says of which mesh it is, and meshes of which nothing was measured are named'
ok scale compare "${both[@]}" --size 4096x1024,4096x2048
prints '4096 x 2048: nothing was measured for it'
[ "$(grep -c '4096 x 1024: nothing' out)" -eq 0 ] || fault 'that was measured'
ok scale compare "${both[@]}" --size 4096x1024,4096x2048 --all
prints '4096 x 2048, A:32 ethernet: nothing was measured'
ok scale compare "${both[@]}" --size 4096x1024 --all
prints 'A:32 fast: nothing was measured'

begin 'where there is nothing to choose from, no empty table is shown'
fails scale compare "${both[@]}" --size 4096x2048
complains 'nothing was measured'
[ "$(grep -c 'core-hours' out)" -eq 0 ] || fault "a table without rows: $(cat out)"
[ "$(grep -c 'faster' out)" -eq 0 ] || fault 'marks of no rows are explained'

begin 'marks go by core-hours where prices are not known, and that is said'
ok scale compare "${both[@]}"
prints '* no other is both faster and cheaper; prices are in units'
sed 's/cost: 2//' p.yaml > unpriced.yaml
ok scale compare --platform unpriced.yaml "${both[@]:2}"
prints '* no other is both faster and takes fewer core-hours, since not all prices are known; prices are in units'
sed '/cost:/ d' p.yaml > unpriced.yaml
ok scale compare --platform unpriced.yaml "${both[@]:2}"
prints '* no other is both faster and takes fewer core-hours, since not all prices are known'
[ "$(grep -c 'prices are in' out)" -eq 0 ] || fault 'there are no prices'

if command -v gnuplot > /dev/null; then
    begin 'a plot has a line where there is one to draw, and no label on another'
    ok scale compare "${both[@]}" --plot line.svg
    grep -q 'none is both faster' line.svg || fault 'no line'
    ok scale compare "${both[@]}" --procs A:32 --plot line.svg
    grep -q 'none is both faster' line.svg && fault 'a line of one point'
    ok scale compare "${both[@]}" --procs A:32,31,30 --no-pairs --plot apart.svg
    is "$(grep -c '>3[012]<' apart.svg)" 3 labels
    ok scale compare "${both[@]}" --procs A:1,2,4,8,16,31,32 --no-pairs --plot near.svg
    is "$(grep -cE '>(31|32)<' near.svg)" 1 'labels of points that are near'
fi

finish
