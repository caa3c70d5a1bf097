#!/bin/bash
# 'runcast scale' used wrongly: wrong or incomplete calls, runs made by other commands, and whether
# messages have the cause and the remedy.
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"
# shellcheck source=scaling.sh
. "$(dirname "$0")/scaling.sh"
target=(--app model --platform-file p.yaml --cluster A --size 4096x1024 --procs 32)
command='./app.sh log {p} {rows} {cols} {hosts}'

# ---- calls ----

begin 'wrong calls are usage errors with hints'
bad() { misused scale "${@:2}"; complains "$1"; }
for verb in plan fit 'measure --command x{p}{rows}{cols}'; do
    # shellcheck disable=SC2086 # a verb may have an option
    for wrong in 1,4:"--small-procs: '1' is not a number above 1" a,b:"--small-procs: 'a' is not a number" \
        2,4,4:'--small-procs: 4 appears twice' 4:'--small-procs: needs two numbers or more' \
        2,:"--small-procs: '' is not a number" 2,3,4,5,6,7,8,9,10:'--small-procs: at most 8 numbers'; do
        bad "${wrong#*:}" $verb "${target[@]}" --small-procs "${wrong%%:*}"
    done
    # shellcheck disable=SC2086
    bad "--hosts: platform 'two' has no host 'q01'" $verb "${target[@]}" --hosts 'q[01-04]'
    # shellcheck disable=SC2086
    bad '--hosts: ' $verb "${target[@]}" --hosts 'a[01-'
    # shellcheck disable=SC2086
    bad '--split: needs several clusters' $verb "${target[@]}" --split 1:1
done
bad '--model-error: must be 0 or more' fit "${target[@]}" --model-error=-3
bad '--noise: must be 0 or more' fit "${target[@]}" --noise=-3
bad "--split: invalid value '1:2:3' for 2 clusters" plan --app model --platform-file p.yaml --size 4096 \
    --procs A:32,B:16 --split 1:2:3
complains 'hint: write a number for each cluster'
bad 'missing placeholder {layers}' plan "${target[@]}" --size 512 --cut 3 --command 'x {p} {rows} {cols}'
complains '--layers {layers}'
bad 'missing placeholder {cols}' plan "${target[@]}" --command 'x {p} {rows}'
[ "$(grep -c '{layers}' err)" -eq 0 ] || fault 'the mesh has no layers'

begin 'hints for runs that are too small for their small runs name smaller ones'
small() { # small HINT PROCS OPTIONS...
    fails scale plan --app model --platform-file p.yaml --size 4096 --procs "$2" "${@:3}"
    complains 'is not larger than its small runs'
    complains "hint: run it$1"
}
small '; or use smaller runs, such as --small-procs 4,8' A:16 --small-procs 4,16
small '; or use smaller runs, such as --small-procs 2,4' A:8
small '; or use smaller runs, such as --small-procs 2,3' A:4 --small-procs 2,4
small '; or use smaller runs, such as --small-procs 2,3' A:32,B:4
small '; it is as small' A:3 --small-procs 2,3
small '; it is as small' A:1
small '; or use smaller runs, such as --small-procs 4,9' A:16 --cut 2
small '; or use smaller runs, such as --small-procs 8,27' B:64 --cut 3 --size 256
small '; or use smaller runs, such as --small-procs 4,8' A:16 --cut 3 --size 256
ok scale plan --app model --platform-file p.yaml --size 4096 --procs A:4 --small-procs 2,3

begin 'commands of a plan are lines that can be pasted'
lines="./app.sh log {p}
    {rows} {cols} 'two  words' \"it's\" ''"
ok scale plan "${target[@]}" --repeat 1 --command "$lines"
prints "  ./app.sh log 4 512 1024 'two  words' 'it'\\''s' ''"
ok scale plan "${target[@]}" --repeat 1 --command "$lines" --json
is "$(json "j['plans'][0]['runs'][2]['command']")" "./app.sh log 4 512 1024 'two  words' 'it'\\''s' ''"
eval "set -- $(json "j['plans'][0]['runs'][2]['command']")"
is "$#,$6,$7,$8" "8,two  words,it's," 'words that a shell makes of it'

# ---- measuring ----

begin 'runs in the database prove that such runs fit in memory'
# a process reports 16 bytes per cell and 1 MB besides: a little too much for its host
sed 's/memory: 2GiB/memory: 3097100B/' p.yaml > tight.yaml
tight=(--app tight --platform-file tight.yaml "${target[@]:4}" --repeat 1 --time-source program)
ok scale measure "${tight[@]}" --command "$command"
prints '6 runs made'
ok scale measure "${tight[@]}" --command "$command" # all of them are there
prints '0 runs made, 6 already in the database'
ok scale plan "${tight[@]:0:10}" --repeat 2
[ "$(grep -c 'DOES NOT FIT in the memory' out)" -eq 0 ] || fault 'a run that was made does not fit'
prints 'memory: about 2.9537 MiB per process of the target, 2.9536 MiB available: DOES NOT FIT'
ok "$RUNCAST" runs delete 3 4 5 6 # as if it had been interrupted after two
ok scale measure "${tight[@]}" --command "$command"
prints '4 runs made, 2 already in the database'
ok "$RUNCAST" runs delete 1 # the block of the target, on one process
ok "$RUNCAST" runs delete --app tight --procs 2..
fails scale plan "${tight[@]:0:10}" --repeat 1 --bytes-per-cell 23.6294
prints 'DOES NOT FIT'
complains 'a process needs 2.9537 MiB; 2.9536 MiB available with 1 per host'
fails scale measure "${tight[@]}" --command "$command"
complains "make the runs with 'measure --force'"
ok scale measure "${tight[@]}" --force --command "$command"
prints '5 runs made, 1 already in the database'

begin 'runs of another command count, with a note'
other='./app.sh log {p} {rows} {cols} {hosts} --iterations 1000'
made=(--app made "${target[@]:2}" --repeat 1)
ok scale measure "${made[@]}" --time-source program --command "$command"
silent
ok scale measure "${made[@]}" --time-source program --command "${command// /$'\n'  }" # blanks do not matter
silent
ok scale plan "${made[@]}" --command "$other"
complains 'note: 6 runs in the database were made by another command and are not repeated'
ok scale plan "${made[@]}"
[ "$(grep -c 'another command' err)" -eq 0 ] || fault 'there is no command that it could be another of'
ok scale measure "${made[@]}" --time-source program --command "$other"
prints '0 runs made, 6 already in the database'
complains 'note: 6 runs in the database were made by another command'
ok scale measure "${made[@]}" --time-source program --command "$other" --json
is "$(json "j['already_stored'], ['another command' in n for n in j['notes']]")" '(6, [True])'
ok scale fit "${made[@]}" --json
is "$(json "[n for n in j['models'][0]['notes'] if 'command' in n]")" '[]'
first=$("$RUNCAST" runs list --app made --columns id | sed -n 2p | tr -d ' ')
ok "$RUNCAST" runs delete "$first"
ok scale measure "${made[@]}" --time-source program --command "$other"
complains 'note: 5 runs in the database were made by another command'
ok scale fit "${made[@]}"
complains "note: the runs were made by different commands, such as runs $((first + 1)) and $((first + 6))"

begin 'runs that disagree are all listed, by their numbers'
odd=(--app odd "${target[@]:2}")
ok scale measure "${odd[@]}" --repeat 1 --time-source program --command "$command"
silent
printf 'app,n,p,seconds,platform,hosts,rows,cols,network\n%s\n%s\n' \
    'odd,1024,4,220,two,"a[20-23]",512,1024,1' 'odd,1024,1,10,two,a20,32,1024,1' > odd.csv
ok "$RUNCAST" import odd.csv
mapfile -t ids < <("$RUNCAST" runs list --app odd --columns id | tail -n +2 | tr -d ' ')
fails scale fit "${odd[@]}"
complains "note: runs of 512 x 1024 on 4 processes (block 128 x 1024): 151.2 s (run ${ids[2]}), 220 s (run ${ids[6]})"
complains "note: runs of 32 x 1024 on 1 process (block 32 x 1024): 10 s (run ${ids[7]}), 32.77 s (run ${ids[1]})"
complains 'disagree by 228 %: 10 s to 32.77 s (block 32 x 1024)'
complains "'runcast runs delete NUMBER'"
is "$(grep -c 'note: runs of ' err)" 2 'groups that are listed'
ok scale fit "${odd[@]}" --force --dry-run
is "$(grep -c 'note: runs of ' err)" 0 'groups that are listed'
ok "$RUNCAST" runs delete "${ids[6]}" "${ids[7]}"
ok scale fit "${odd[@]}"
is "$(grep -c 'disagree\|note: runs of ' err)" 0 'groups that are listed'
awk -v OFS=, 'BEGIN { print "app,n,p,seconds,platform,hosts,rows,cols,network"
    for (i = 1; i <= 15; i++) print "odd", 1024, 1, 100 + 10 * i, "two", "a20", 128, 1024, 1 }' > many.csv
ok "$RUNCAST" import many.csv
fails scale fit "${odd[@]}"
is "$(grep -o '(run [0-9]*)' err | wc -l)" 12 'runs that are listed of many'
complains '110 s (run '
complains '250 s (run '

begin 'a command that cannot be started is tried once'
rm -f log
fails scale measure --app none "${target[@]:2}" --repeat 2 --time-source program --command './none {p} {rows} {cols}'
complains 'note: the command cannot be started; the other runs are skipped'
prints '0 runs made, 1 failed'
fails scale measure --app none "${target[@]:2}" --repeat 1 --time-source program \
    --command "sh -c './app.sh log {p} {rows} {cols} {hosts}; test {p} = 1 || exec ./none'"
complains '4 processes, 512 x 1024, on a[20-23]: the program ended with status 127'
prints '2 runs made, 1 failed'
is "$(wc -l < log)" 3 'runs of the program'

begin 'JSON has the outcome of each run'
failing="sh -c 'test {p} != 8 || { echo no; exit 3; }; ./app.sh log {p} {rows} {cols} {hosts}'"
fails scale measure --app some "${target[@]:2}" --repeat 1 --time-source program --command "$failing" --json
is "$(json "j['made'], j['failed'], [(r['procs'], r['mesh'][0], r['hosts'] == [f'a{i}' for i in range(20, 20 + r['procs'])], r['error'] is None) for r in j['runs']][2:5]")" \
    "(4, 2, [(4, 512, True, True), (4, 128, True, True), (8, 1024, True, False)])"
is "$(json "[r['error'] for r in j['runs'] if r['id'] is None]")" \
    "['the program ended with status 3', 'the program ended with status 3']"
is "$(json "[r['id'] for r in j['runs']][:4]")" \
    "[$("$RUNCAST" runs list --app some --columns id | tail -n +2 | tr -d ' ' | paste -sd, | sed 's/,/, /g')]"
ok scale measure "${made[@]}" --time-source program --command "$command" --json
is "$(json "j['runs']")" '[]'

begin 'a program may report time_s and memory_bytes, as lab sim does'
ok scale measure --app sim "${target[@]:2}" --repeat 1 --time-source program --command \
    "sh -c 'echo {p} {rows} {cols}; echo \"{ \\\"time_s\\\": 7.5, \\\"memory_bytes\\\": 1e6 }\"'"
ok "$RUNCAST" runs export --app sim
prints ',7.5,'
is "$(grep -c ',1000000\b' out)" 6 'runs with memory'

begin 'an impossible run time is an error'
fails scale measure --app minus "${target[@]:2}" --repeat 1 --time-source program \
    --command "sh -c 'echo {p} {rows} {cols}; echo \"{ \\\"seconds\\\": -3 }\"'"
complains 'invalid run time in the output of the program: -3 seconds'
is "$(count_runs --app minus)" 0 runs

begin 'an interruption before the end of the first run stores nothing'
rm -f log
APP_SLEEP=20 env --default-signal=INT "$RUNCAST" scale measure --app early "${target[@]:2}" --time-source program \
    --command "$command" > out 2> err < /dev/null &
for ((i = 0; i < 300; i++)); do
    [ -s log ] && break
    sleep 0.1
done
kill -INT $!
wait $!
is $? 130 'exit status'
complains 'note: no run had ended; nothing was stored'
is "$(count_runs --app early)" 0 runs
nothing_left

begin 'missing samples are noted once'
mkdir bin
printf '#!/bin/sh\nexit 255\n' > bin/ssh # no host can be reached
chmod +x bin/ssh
ok scale measure --app blind "${target[@]:2}" --repeat 1 --time-source program --command "$command"
silent
ok "$RUNCAST" runs delete --app blind --procs 8 # two runs, since each waits for the sensors
ok env PATH="$WORK/bin:$PATH" "$RUNCAST" scale measure --app blind "${target[@]:2}" --repeat 1 \
    --time-source program --monitor --command "$command"
prints '2 runs made, 4 already in the database'
is "$(grep -c 'note: no samples from the sensors on a\[20-27\]; each run waits' err)" 1 'notes'

begin 'runs on hosts outside --hosts count, with a note'
ok scale plan "${made[@]}" --hosts 'a[01-32]'
[ "$(grep -c 'outside --hosts' err)" -eq 0 ] || fault 'all hosts are named'
ok scale plan --app made --platform-file p.yaml --size 2048x1024 --procs A:16 --hosts 'a[01-19]' --repeat 1
complains 'note: 6 runs in the database used hosts outside --hosts; they are used all the same'
ok scale plan --app made --platform-file p.yaml --size 2048x1024 --procs A:16 --hosts 'a[01-19],a20' --repeat 1
complains 'note: 4 runs in the database used hosts outside --hosts'
fails scale plan "${made[@]}" --hosts 'a[01-16]'
complains "32 processes do not fit on these hosts of cluster 'A', which take 16"
complains 'hint: --hosts must name all hosts that the target may use'

ok scale measure --app two --platform-file p.yaml --size 2048x1024 --procs A:16,B:16 --per-host 1 \
    --repeat 1 --time-source program --command "$command"
silent
ok scale measure --app two --platform-file p.yaml --size 2048x1024 --procs A:16,B:16 --per-host 1 \
    --repeat 1 --time-source program --hosts 'a[01-16],b[01-16]' --command "$command"
complains 'note: A: 6 runs in the database used hosts outside --hosts'
is "$(wc -l < err)" 1 'notes, since those of B are on its named hosts'

# ---- fitting ----

begin 'a fit shows its model number, its runs, and whether hosts were busy'
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
[ "$(grep -c 'busy hosts' err)" -eq 0 ] || fault 'hosts were idle'
prints '(1 scaling model of free on two)'
prints 'c = 0.3 s, d = 0 s'
grep -qE 'e-(1[0-9]|2)' out && fault "what rounding leaves is shown: $(cat out)"
ok loaded busy 0.351
ok scale fit --app busy "${target[@]:2}"
id=$("$RUNCAST" runs list --app busy --columns id | sed -n 4p | tr -d ' ')
complains "note: 1 run used busy hosts; the lowest CPU availability was 0.35, in run $id"
ok scale fit --app busy "${target[@]:2}" --json
is "$(json "j['models'][0]['cut'], j['models'][0]['work_formula'], len(j['models'][0]['groups'])")" \
    "(1, 'cells', 6)"
is "$(json "[(g['procs'], g['mesh'][:2], g['block'][:2], g['run_count']) for g in j['models'][0]['groups']][2]")" \
    '(4, [512, 1024], [128, 1024], 1)'
number "j['models'][0]['groups'][2]['mean_s']" 141.1
ok scale fit --app busy "${target[@]:2}" --work 'cells*1.5' --dry-run --json
is "$(json "j['models'][0]['work_formula'], j['id']")" "('cells*1.5', None)"
printf 'app,n,p,seconds,platform,hosts,rows,cols,network,per_host\nfree,1024,4,310.42,two,"a[20-23]",512,1024,1,1\n' \
    > apart.csv
ok "$RUNCAST" import apart.csv
ok scale fit --app free "${target[@]:2}" --force --dry-run
prints '(2 runs, range 120 %)'

# ---- predicting ----

begin 'the error of a missing model names the nearest model, and its options'
there=(--app there --platform-file p.yaml --size 4096x1024)
ok scale measure "${there[@]}" --procs B:16 --per-host 1 --repeat 1 --time-source program --command "$command"
ok scale fit "${there[@]}" --procs B:16 --per-host 1
lacks() { # lacks WHAT HINT OPTIONS...
    fails scale predict "${there[@]}" --procs B:16 "${@:3}"
    complains "no scaling model of 'there' on cluster $1"
    complains "hint: $2"
}
lacks "'B' (ethernet) for meshes of 1024 columns, 2 per host" \
    "there is a model for --per-host 1; make another with 'runcast scale measure' and 'fit' and these options" --per-host 2
lacks "'B' (ethernet) for meshes of 1024 columns, cut in 2 dimensions" 'there is a model for --cut 1;' --cut 2
lacks "'B' (ethernet) for meshes of 512 columns" 'there is a model for a --size of 1024 columns;' \
    --size 4096x512
lacks "'A' (fast) for meshes of 1024 columns" \
    'there is a model for --cluster B, --network ethernet;' --procs A:16 --network fast

begin 'notes name their cluster, missing links, and processes that do not fit'
sed '/^links:/,$ d' p.yaml > apart.yaml
both=(--platform-file p.yaml --app both --size 4096x1024 --procs 'A:32,B:64')
ok scale measure "${both[@]}" --repeat 1 --time-source program --no-copies --command "$command"
ok scale fit "${both[@]}"
ok scale predict "${both[@]}" --json
is "$(json "[n for n in j['notes'] if 'without copies' in n]")" \
    "['B: 6 runs were made without copies; memory contention is not included']"
is "$(json "sorted({n[:3] for n in j['notes']})")" "['A: ', 'B: ']"
ok scale predict "${both[@]}" --procs B:64 --json
is "$(json "[n[:2] for n in j['notes'] if 'without copies' in n]")" "['6 ']"
ok scale predict "${both[@]}" --procs B:65 --force
complains "note: 65 processes do not fit on cluster 'B', which takes 64 with 4 per host"
ok scale predict "${both[@]}" --procs B:64 --force
[ "$(grep -c 'do not fit on cluster' err)" -eq 0 ] || fault '64 processes do fit'
ok scale predict --platform-file apart.yaml "${both[@]:2}"
complains "note: the platform file has no link between 'A' and 'B'"
ok scale predict "${both[@]}"
[ "$(grep -c 'no link between' err)" -eq 0 ] || fault 'there is a link'

begin 'memory that was given to fit is stored, and every prediction shows that'
ok scale fit "${both[@]}" --procs A:32 --size 2048x1024
prints 'memory of a process: 976.6 KiB + 16 bytes per cell'
[ "$(grep -c 'from --bytes-per-cell' out)" -eq 0 ] || fault 'it was measured'
ok scale predict "${both[@]}" --procs A:32 --size 2048x1024
[ "$(grep -c 'bytes-per-cell' out)" -eq 0 ] || fault 'it was measured'
ok scale fit "${both[@]}" --procs A:32 --size 2048x1024 --bytes-per-cell 32
prints 'memory of a process: 0 B + 32 bytes per cell (from --bytes-per-cell)'
ok scale predict "${both[@]}" --procs A:32 --size 2048x1024
prints "memory 2 MiB of 2 GiB (from --bytes-per-cell of 'fit')"
ok scale predict "${both[@]}" --procs A:32 --size 2048x1024 --json
is "$(json "j['parts'][0]['memory_bytes'], j['parts'][0]['memory_given']")" '(2097152, True)'
ok scale predict "${both[@]}" --procs A:32 --size 2048x1024 --bytes-per-cell 16 --json
is "$(json "j['parts'][0]['memory_bytes'], j['parts'][0]['memory_given']")" '(1048576, False)'
ok scale fit "${both[@]}"

begin 'a prediction for two clusters explains its mean, and JSON has the steps'
ok scale predict "${both[@]}"
prints 'the run ends with its slowest cluster, so its mean is above the mean of each cluster'
ok scale predict "${both[@]}" --procs A:32
[ "$(grep -c 'slowest cluster' out)" -eq 0 ] || fault 'there is only one'
ok scale predict "${both[@]}" --split cost # all on one of them
[ "$(grep -c 'slowest cluster' out)" -eq 0 ] || fault 'one is not used'
ok scale predict "${both[@]}" --explain --json
is "$(json "[s['cluster'] for s in j['steps']], [len(s['runs']) for s in j['steps']]")" \
    "(['A', 'B'], [6, 6])"
is "$(json "[(r['procs'], r['block'][:2]) for r in j['steps'][0]['runs']][2]")" '(4, [64, 1024])'
number "j['steps'][0]['runs'][2]['communication_s']" "$(python3 -c 'print("%.4g" % (7 + 6.5536))')"
number "j['steps'][0]['by_procs'][1]['alpha_s']" 9
number "j['steps'][0]['alpha_s'] - j['steps'][0]['c_s'] - j['steps'][0]['d_s'] * j['steps'][0]['growth'] + 1" 1
is "$(json "max(s['time_s'] for s in j['steps']) == j['point_s']")" True
ok scale predict "${both[@]}" --json
is "$(json "'steps' in j")" False

begin 'all verbs accept the options of small runs'
ok scale predict "${both[@]}" --small-procs 4,8 --repeat 1 --check-linearity
mv out before
ok scale predict "${both[@]}"
cmp -s before out || fault 'they change the prediction'
ok scale compare "${both[@]}" --small-procs 4,8 --repeat 1 --check-linearity

begin 'a time that is a rounding error is 0'
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
    grep -q 'round, 4096 x 1024 on A:32 (ethernet)' title.svg || fault 'no title in the plot'
fi

# ---- comparing ----

begin 'reasons name the mesh, and meshes without measurements are listed'
ok scale compare "${both[@]}" --size 4096x1024,4096x2048
prints '4096 x 2048: no measurements; run'
[ "$(grep -c '4096 x 1024: no measurements' out)" -eq 0 ] || fault 'that was measured'
ok scale compare "${both[@]}" --size 4096x1024,4096x2048 --all
prints '4096 x 2048, A:32 ethernet: no measurements'
ok scale compare "${both[@]}" --size 4096x1024 --all
prints 'A:32 fast: no measurements'

begin 'without choices, no empty table is shown'
fails scale compare "${both[@]}" --size 4096x2048
complains 'no measurements'
[ "$(grep -c 'core-hours' out)" -eq 0 ] || fault "a table without rows: $(cat out)"
[ "$(grep -c 'faster' out)" -eq 0 ] || fault 'a legend without rows'

begin 'marks go by core-hours if costs are unknown, and the legend shows that'
ok scale compare "${both[@]}"
prints '* Pareto-optimal: no choice is both faster and cheaper; cost in units'
sed 's/cost: 2//' p.yaml > unpriced.yaml
ok scale compare --platform-file unpriced.yaml "${both[@]:2}"
prints '* Pareto-optimal: no choice is both faster and uses fewer core-hours (some costs are unknown); cost in units'
sed '/cost:/ d' p.yaml > unpriced.yaml
ok scale compare --platform-file unpriced.yaml "${both[@]:2}"
prints '* Pareto-optimal: no choice is both faster and uses fewer core-hours (some costs are unknown)'
[ "$(grep -c 'cost in' out)" -eq 0 ] || fault 'there are no costs'

if command -v gnuplot > /dev/null; then
    begin 'a plot has a Pareto front if there is one, and labels that do not overlap'
    ok scale compare "${both[@]}" --plot line.svg
    grep -q 'Pareto front' line.svg || fault 'no line'
    ok scale compare "${both[@]}" --procs A:32 --plot line.svg
    grep -q 'Pareto front' line.svg && fault 'a line of one point'
    ok scale compare "${both[@]}" --procs A:32,31,30 --no-pairs --plot apart.svg
    is "$(grep -c '>3[012]<' apart.svg)" 3 labels
    ok scale compare "${both[@]}" --procs A:1,2,4,8,16,31,32 --no-pairs --plot near.svg
    is "$(grep -cE '>(31|32)<' near.svg)" 1 'labels of points that are near'
fi

finish
