#!/bin/bash
# Measuring the inputs of structural models: what is made, what is kept, going on, and who takes it.
. "$(dirname "$0")/harness.sh"

cat > p.yaml << 'END'
name: p
clusters:
  - name: p
    hosts: a[1-3]
    cores: 1
    speed: 1Gf
    networks:
      - {name: ethernet, bandwidth: 1Gbit, latency: 50us}
END

cat > m.rcm << 'END'
model m "a model whose inputs are measured"
input N from size
input P from processes
input iterations = 10
input add[h] "one addition"
    measure operation real-add
input bw[x, y]
    measure bandwidth 4000B
input start[x]
    measure startup
input point[h] "seconds for one point" = table
    a[1-3]  1s
    lifetime 30d
    measure run
    at 3000 / P
    per N * iterations
    less 1000 * start[h]
    arguments "--colour red"
component Compute[h] by benchmark = N / P * iterations * point[h]
component Send[h] by messages = sum(j in neighbours[h]: start[h] + N / bw[h, j])
component Add[h] by counting = N * add[h]
total t = max(h in hosts: Compute[h] + Send[h] + Add[h])
END

# The program: 10 ns for each point and iteration, times the number of its host, and 1 ms of
# starting messages.
cat > program.sh << 'END'
#!/bin/bash
# program.sh P HOSTS SIZE ITERATIONS ARGUMENTS...
echo "program $*" >> log
[ -n "${PROGRAM_SLEEP:-}" ] && sleep "$PROGRAM_SLEEP"
[ "${PROGRAM_FAILS:-}" = "$2" ] && { echo "no room on $2" >&2; exit 3; }
[ -n "${PROGRAM_SILENT:-}" ] && exit 0
echo "not this: {\"seconds\": 100}"
awk -v x="${2#a}" -v points="$3" -v times="$4" 'BEGIN {
    printf "{\"app\": \"m\", \"seconds\": %.15g}\n", 0.001 * x + 1e-8 * x * points * times }'
END
# The microbenchmark: the rate from x to y is 10 x + y MB/s, starting a message takes x us, and an
# addition x ns with a standard deviation of a twentieth.
cat > microbenchmark.sh << 'END'
#!/bin/bash
# microbenchmark.sh P HOSTS OPTIONS...
echo "microbenchmark $*" >> log
[ -n "${MICROBENCHMARK_SILENT:-}" ] && { echo 'no mpirun here'; exit 0; }
python3 - "$@" << 'PYTHON'
import json, sys
hosts = sys.argv[2].split(",")
repeats = int(sys.argv[sys.argv.index("--repeats") + 1])
number = [int(h[1:]) for h in hosts]
figure = lambda mean, sd=0: {"mean": mean, "sd": sd}
print(json.dumps({
    "microbenchmark": 1, "p": len(hosts), "repeats": repeats, "count": 1000000, "bytes": 4000,
    "messages": 100,
    "processes": [{"rank": i, "host": h, "operations": {"real-add": figure(n * 1e-9, n * 5e-11)}}
                  for i, (h, n) in enumerate(zip(hosts, number))],
    "pairs": [{"from": i, "to": j, "bandwidth": figure((10 * x + y) * 1e6),
               "a": figure(x * 1e-6), "b": figure(0)}
              for i, x in enumerate(number) for j, y in enumerate(number)]}))
PYTHON
END
chmod +x program.sh microbenchmark.sh
bench='./microbenchmark.sh {p} {hosts} {options}'
command='./program.sh {p} {hosts} {size} {iterations} {arguments}'
asked=(m.rcm --platform-file p.yaml --microbenchmark "$bench" --command "$command" --repeat 4)
measure() { "$RUNCAST" model measure "$@"; }
evaluate() { "$RUNCAST" model eval m.rcm --platform-file p.yaml --set N=3000 --json "$@"; }
mean() { printf '%.6g\n' "$(json "j['mean_s']")"; }
logged() { grep -c "^$1" log; }

begin 'a check shows which inputs can be measured'
ok "$RUNCAST" model check m.rcm
complains 'inputs to set: N (or the size of a run), add (or measured), bw (or measured), start (or measured)'

begin 'a dry run shows the plan, and measures nothing'
ok measure "${asked[@]}" --dry-run
prints 'add, bw on a1 '
prints 'bw, start on a1 and a2 '
prints './microbenchmark.sh 1 a1 --what operations,bandwidth --bytes 4000 --repeats 4'
prints './microbenchmark.sh 2 a1,a3 --what bandwidth,startup --bytes 4000 --repeats 4'
prints './program.sh 1 a2 1000 10 --colour red'
ok measure "${asked[@]}" --dry-run --json
is "$(json "len(j['jobs']), j['known'], [q['run_count'] for q in j['jobs']]")" \
    '(9, 0, [1, 1, 1, 1, 1, 1, 4, 4, 4])'
is "$(json "j['jobs'][8]['hosts'], j['jobs'][8]['inputs'], j['jobs'][8]['size']")" \
    "(['a3'], ['point'], 1000)"
ok measure m.rcm --platform-file p.yaml --microbenchmark "$bench" --dry-run
prints 'PROGRAM on a2: size 1000 --colour red'
is "$(ls log store.db 2> /dev/null)" '' 'files made'

begin 'a store is never made for reading'
ok evaluate --set add=1ns --set bw=1MB --set start=1ms
is "$(mean)" 10000
fails evaluate
complains "measure it with 'runcast model measure'"
is "$(ls store.db 2> /dev/null)" '' 'files made'

begin 'everything is measured once'
ok measure "${asked[@]}" --output out.rcm
silent
prints '18 values of m measured on p'
is "$(logged microbenchmark) $(logged program)" '6 12' 'runs'
ok grep -c 'program 1 a3 1000 10 --colour red' log
prints 4
ok cat out.rcm
prints 'on p'
is "$(grep -A 3 '^input point\[h\] "seconds for one point" = table$' out | tail -n 3 | xargs)" \
    'a1 1e-08 a2 2e-08 a3 3e-08'
prints 'lifetime 2592000s'
prints 'source "4 runs of problem size 1000, one process"'
prints 'a2  21000000  22000000  23000000'
prints 'accuracy 5%' # of additions: twice a twentieth, over the root of 4
ok measure "${asked[@]}" --json
is "$(json "j['measured_count'], j['known'], j['failed'], j['app'], j['platform']")" "(0, 18, 0, 'm', 'p')"
is "$(logged microbenchmark) $(logged program)" '6 12' 'runs'

# a2: 1000 points, 10 times, 20 ns each; twice 2 us, 3000 B at 21 and at 23 MB/s; 3000 times 2 ns
begin 'the other verbs take what was measured'
ok evaluate
silent
is "$(mean)" 0.000483292
is "$(json "j['section'], j['hosts']")" "('p', ['a1', 'a2', 'a3'])"
ok "$RUNCAST" model explain m.rcm --platform-file p.yaml --set N=3000
prints 'measured (4 runs of problem size 1000, one process)'
prints 'measured (4 times 100 messages of 4000 bytes and one byte back)'
ok "$RUNCAST" model explain m.rcm --platform-file p.yaml --set N=3000 --at 2100-01-01 --json
is "$(json "[i['measured'] > '2023-11' for i in j['inputs'] if i['name'] == 'point']")" '[True]'
fails evaluate --no-measured
complains 'is not set'
ok evaluate --no-measured --with out.rcm
is "$(mean)" 0.000483292

begin 'a model in the store has what was measured, too'
ok "$RUNCAST" model add m.rcm
ok "$RUNCAST" predict --method structural --app m --platform-file p.yaml --size 3000 --procs 3 --no-store \
    --json
is "$(printf '%.6g' "$(json "j['predicted_s']")")" 0.000483292

begin 'what is set or read besides wins over what was measured'
printf 'input point[h] = h9 * 0 + 2us\ninput h9 = 0\n' > with.rcm
ok evaluate --with with.rcm
is "$(mean)" 0.0202833
printf 'on p\ninput point[h] = 2us\n' > with.rcm
ok evaluate --with with.rcm
is "$(mean)" 0.0202833
ok evaluate --set point=2us --set 'start[a3]=1s'
is "$(mean)" 1.0201

begin 'measuring anew, and of some inputs alone'
rm log
ok measure "${asked[@]}" --again --inputs add,start
prints '6 values of m measured on p'
is "$(cut -d ' ' -f 3,5 log | sort | tr '\n' ' ')" \
    'a1 operations a1,a2 startup a1,a3 startup a2 operations a2,a3 startup a3 operations '
PROGRAM_FAILS=a2 fails measure "${asked[@]}" --again --inputs point
prints '2 values of m measured on p, 1 of 3 measurements failed' # that of a2 is an old one
ok measure m.rcm --platform-file p.yaml --inputs none --output again.rcm
prints '0 values of m measured on p'
ok cmp again.rcm <("$RUNCAST" model measure m.rcm --platform-file p.yaml --inputs none --output /dev/stdout |
    grep -v 'values of m')
misused measure "${asked[@]}" --inputs add --hosts a1,b2
complains "no host 'b2'"
fails measure "${asked[@]}" --inputs add,point,points
complains "no input 'points'"
fails measure "${asked[@]}" --inputs N
complains "the input 'N' has no 'measure' clause"

begin 'the microbenchmark is found, and stands for several words'
mkdir 'my apps'
cp microbenchmark.sh 'my apps/microbenchmark'
rm log
RUNCAST_APPS="$WORK/my apps" ok measure "${asked[@]}" --again --inputs add --microbenchmark '{program} {p} {hosts}' \
    --dry-run
prints "my apps/microbenchmark' --what operations --repeats 4 1 a1"
RUNCAST_APPS="$WORK/my apps" ok measure "${asked[@]}" --again --inputs add \
    --microbenchmark './microbenchmark.sh {p} {hosts} {program}'
is "$(head -1 log)" "microbenchmark 1 a1 $WORK/my apps/microbenchmark --what operations --repeats 4"

begin 'what was measured with something else is measured again'
ok measure "${asked[@]}"
complains 'add[a1] and 2 more: measuring again: different command'
prints '3 values of m measured on p, 15 already in the database'
ok measure "${asked[@]}" --repeat 3
prints '0 values of m measured on p, 18 already in the database'
ok measure m.rcm --platform-file p.yaml # what is not said is as it was
silent
prints '0 values of m measured on p, 18 already in the database'
ok measure "${asked[@]}" --set iterations=20 --dry-run
complains 'point[a1] and 2 more: measuring again: iterations=10, now iterations=20'
prints './program.sh 1 a2 1000 20'
ok measure "${asked[@]}" --hosts a1,a2 --dry-run
complains 'point[a1] and 1 more: measuring again: problem size 1000, now 1500'
ok measure "${asked[@]}" --repeat 5 --inputs start --dry-run --json
complains 'repetitions 4, now 5'
sed 's/speed: 1Gf/speed: 2Gf/' p.yaml > faster.yaml
ok measure m.rcm --platform-file faster.yaml "${asked[@]:3}" --dry-run --json
complains 'add[a1] and 2 more: measuring again: speed 1 Gflop/s, now speed 2 Gflop/s'
is "$(json "j['known'], sorted({i for q in j['jobs'] for i in q['inputs']})")" "(12, ['add', 'point'])"
sed 's/1Gbit/10Gbit/' p.yaml > wider.yaml
ok measure m.rcm --platform-file wider.yaml "${asked[@]:3}" --dry-run --json
is "$(json "j['known'], sorted({i for q in j['jobs'] for i in q['inputs']})")" "(9, ['bw', 'start'])"

begin 'an answer tells what was measured with something else'
ok evaluate --hosts a1,a2
complains 'point[a1] and 1 more: measured with another setting: problem size 1000, now 1500'
ok "$RUNCAST" model eval m.rcm --platform-file faster.yaml --set N=3000
complains 'add[a1] and 2 more: measured with another setting: speed 1 Gflop/s, now speed 2 Gflop/s'
ok "$RUNCAST" model explain m.rcm --platform-file wider.yaml --set N=3000
complains 'start[a1] and 2 more: measured with another setting: network 1 Gbit/s and 50 us, now network 10 Gbit/s and 50 us'
ok "$RUNCAST" predict --method structural --app m --platform-file faster.yaml --size 3000 --procs 3 \
    --no-store --json
complains 'add[a1] and 2 more: measured with another setting: speed 1 Gflop/s'
ok evaluate --at 2100-01-01
complains ' and 2 more: measured too long ago (lifetime 30-00:00:00)'
ok evaluate --set point=1us --at 2100-01-01 # none of these counts
silent

begin 'what is older than its lifetime is measured again'
sed 's/lifetime 30d/lifetime 1s/' m.rcm > short.rcm
sleep 2
ok measure short.rcm "${asked[@]:1}" --dry-run
complains 'point[a1] and 2 more: measuring again: older than its lifetime of 1 s'
prints './program.sh 1 a2 1000 10'

begin 'an input that is measured in another way is measured anew'
sed 's/real-add/real-multiply/' m.rcm > changed.rcm
run "$RUNCAST" model eval changed.rcm --platform-file p.yaml --set N=3000 --set add=0
complains '1 measured input ignored: the model has changed how it is measured'
sed 's/per N \* iterations/per N/' m.rcm > changed.rcm
rm log
ok measure changed.rcm "${asked[@]:1}"
prints '3 values of m measured on p, 15 already in the database'
is "$(logged program)" 12 runs
ok measure "${asked[@]}" # of which nothing was lost
prints '0 values of m measured on p, 18 already in the database'
ok evaluate
silent
is "$(mean)" 0.000483292
ok "$RUNCAST" model eval changed.rcm --platform-file p.yaml --set N=3000 --json
silent
is "$(mean)" 0.00310575 # a3: 1000 points, 10 times, 300 ns; 3 us, 3000 B at 32 MB/s; 3000 times 3 ns
ok measure changed.rcm --platform-file p.yaml --inputs none --output changed-out.rcm
is "$(grep -c '^input point' changed-out.rcm)" 1
ok "$RUNCAST" db check
ok "$RUNCAST" db info --json
is "$(json "j['model_count'], j['measured_input_count']")" '(1, 1)'

begin 'runs that fail are told, and the others go on'
rm store.db* log
PROGRAM_FAILS=a2 fails measure "${asked[@]}"
complains 'measuring point on a2: the program ended with status 3'
complains 'its last output: no room on a2'
prints '17 values of m measured on p, 1 of 9 measurements failed'
is "$(logged program)" 9 runs
PROGRAM_SILENT=1 fails measure "${asked[@]}"
complains 'no run time in the output of the program'
complains '--time-source command'
ok measure "${asked[@]}"
prints '1 value of m measured on p, 17 already in the database'
rm store.db* log
MICROBENCHMARK_SILENT=1 fails measure "${asked[@]}"
complains 'the microbenchmark printed no report'
complains 'its last output: no mpirun here'
complains 'the remaining measurements of this kind are skipped'
complains 'measuring point on a1: ' # 'less' needs what was not measured
complains 'start'
is "$(logged microbenchmark) $(grep -c program log)" '3 0' runs
prints '0 values of m measured on p, 6 of 9 measurements failed, 3 skipped'

begin 'what is asked for wrongly is told before anything is made'
rm log
while IFS='|' read -r words says; do
    eval "set -- $words"
    misused measure m.rcm --platform-file p.yaml "$@"
    complains "$says"
done << 'END'
--microbenchmark "$bench"|missing --command COMMAND
--microbenchmark "$bench" --command './program.sh {size} {speed}'|unknown place {speed}
--microbenchmark "$bench" --command './program.sh {p} {hosts}'|missing {size}
--microbenchmark "$bench" --command './program.sh {size} "x'|unterminated quote "
--microbenchmark "$bench" --command './program.sh {p} {size}'|--command: missing {hosts}
--microbenchmark './microbenchmark.sh {p} {options}' --command "$command"|--microbenchmark: missing {hosts}
--microbenchmark './microbenchmark.sh {hosts} {options}' --command "$command"|--microbenchmark: missing {p}
--microbenchmark "$bench" --command "$command" --output m.rcm|--output: m.rcm is the model;
--microbenchmark "$bench" --command "$command" --output ./p.yaml|is the platform file;
--microbenchmark "$bench" --command "$command" --with with.rcm --output with.rcm|is a file of --with;
--microbenchmark "$bench" --command "$command" --output store.db|is the database;
--forget all --list|--forget: not with --list
--microbenchmark './microbenchmark.sh {p}' --command "$command"|missing {program} or {options}
--microbenchmark './microbenchmark.sh {size} {options}' --command "$command"|unknown place {size}
--microbenchmark "$bench" --command "$command" --repeat 200000|--repeat
END
misused measure m.rcm --microbenchmark "$bench" --command "$command" --hosts a1
complains 'missing --platform-file FILE'
is "$(ls log 2> /dev/null)" '' 'runs made'
printf 'model n\ninput x = 1\ntotal t = x\n' > none.rcm
fails measure none.rcm --platform-file p.yaml
complains "no input of the model has a 'measure' clause"
sed 's/at 3000/at N/' m.rcm > changed.rcm
fails measure changed.rcm "${asked[@]:1}"
complains 'N, the problem size, is not set'
ok measure changed.rcm "${asked[@]:1}" --set N=6000 --dry-run
prints './program.sh 1 a2 2000 10'

begin 'a program that tells nothing can be timed'
PROGRAM_SILENT=1 PROGRAM_SLEEP=0.02 ok measure "${asked[@]}" --time-source command --repeat 1 --inputs start,point
ok "$RUNCAST" model explain m.rcm --platform-file p.yaml --set N=1 --set bw=1 --set add=1 --json
is "$(json "[all(v['mean'] * 10000 > 0.01 for v in i['values']) for i in j['inputs'] if i['name'] == 'point']")" \
    '[True]'

begin 'an interruption keeps what is measured, and the same command goes on'
for signal in INT KILL; do
    rm -f store.db* log
    PROGRAM_SLEEP=0.15 env --default-signal=INT "$RUNCAST" model measure "${asked[@]}" > out 2> err \
        < /dev/null &
    for ((i = 0; i < 300; i++)); do
        grep -qs '^program 1 a2' log && break
        sleep 0.1
    done
    kill -$signal $!
    wait $! 2> /dev/null
    status=$?
    is $status "$([ $signal = INT ] && echo 130 || echo 137)" 'exit status'
    [ $signal = INT ] && complains 'run the same command to continue'
    for ((i = 0; i < 50; i++)); do # a killed one takes its program with it
        [ "$(pgrep -cf "^/bin/bash ./program.sh 1 a2")" = 0 ] && break
        sleep 0.1
    done
    rm log
    ok measure "${asked[@]}"
    prints '2 values of m measured on p, 16 already in the database'
    is "$(logged program)" 8 runs
done
is "$(ls runcast-* 2> /dev/null)" '' 'files left'

begin 'runs are compared with what was measured on their own platform'
sed 's/^name: p/name: q/' p.yaml > q.yaml
ok measure m.rcm --platform-file q.yaml "${asked[@]:3}"
cat > runs.csv << 'END'
app,n,p,seconds,platform,hosts
m,3000,3,0.00048329192546583853,p,"a[1-3]"
m,3000,3,0.00048329192546583853,q,"a[1-3]"
m,3000,3,0.00048329192546583853,r,"a[1-3]"
END
ok "$RUNCAST" import runs.csv
ok "$RUNCAST" model accuracy m.rcm --json
is "$(json "j['run_count'], j['skipped'], j['max_ape_fraction'] < 1e-6")" '(2, 1, True)' # r was not measured
ok "$RUNCAST" model accuracy m.rcm --platform-file p.yaml --json
is "$(json "j['run_count']")" 1
fails "$RUNCAST" model accuracy m.rcm --no-measured
complains 'can be evaluated for no run of'

begin 'a section of the model has what was measured on its platform'
cat > sections.rcm << 'END'
model s
input x[h] = 1
    measure run
    at 10
on here
hosts a1, a2
total t = x[a2]
on there
hosts a1
total t = 5 * x[a1]
END
ok measure sections.rcm --on here --command 'echo "{\"seconds\": {size}, \"at\": \"{hosts}\"}"' --repeat 2
ok "$RUNCAST" model eval sections.rcm --on here --json
is "$(mean)" 10
ok "$RUNCAST" model eval sections.rcm --on there --json
is "$(mean)" 5
# The platform file tells whose it is, the section where it holds.
ok measure sections.rcm --on there --platform-file q.yaml --command 'echo "{\"seconds\": 3{size}, \"at\": \"{hosts}\"}"' \
    --repeat 2
ok "$RUNCAST" model eval sections.rcm --on there --platform-file q.yaml --json
is "$(mean)" 1550
ok "$RUNCAST" model eval sections.rcm --on there --json
is "$(mean)" 5

begin 'a stored text that is damaged is told of'
python3 -c 'import sqlite3
c = sqlite3.connect("store.db")
c.execute("UPDATE model SET body = ? WHERE family = ?", ("input x =", "measured"))
c.commit()'
fails evaluate
complains 'reading measured inputs'
complains '--no-measured'
run evaluate --no-measured --set add=1ns --set bw=1MB --set start=1ms
is "$(mean)" 10000

# ---- simulated clusters ----

begin 'a simulated cluster is measured, and the model foretells a run there'
if ! command -v smpicc > /dev/null || ! command -v smpirun > /dev/null; then
    skip 'needs SimGrid'
    finish
    exit 0
fi
mkdir apps
export RUNCAST_APPS=$WORK/apps
for app in sor microbenchmark; do
    ok smpicc -std=c17 -D_GNU_SOURCE -DAPP_SMPI -O1 "$SOURCE_ROOT/apps/$app.c" \
        "$SOURCE_ROOT/apps/app.c" "$SOURCE_ROOT/apps/app_checkpoint.c" -o "apps/$app" -lm
done
sed 's/speed: 1Gf/&\n    overrides:\n      - {hosts: a2, speed: 500Mf}/; s/^name: p/name: sim/' p.yaml > sim.yaml
ok "$RUNCAST" platform check sim.yaml
cat > sor.rcm << 'END'
model sor
input N from size
input P from processes
input iterations = 10
input cpu[h] from forecast cpu else 1
input add[h]
    measure operation real-add
input point[h]
    measure run
    at 900 / P
    per N * N * iterations
input bw[x, y]
    measure bandwidth 8B * 1000
input start[x, y]
    measure startup
component Compute[h] by benchmark = N * N / P * point[h] / cpu[h]
component Exchange[h] by messages = 2 * sum(j in neighbours[h]: start[h, j] + N * 8B / bw[h, j])
total slowest = iterations * max(h in hosts: Compute[h] + Exchange[h])
END
sim="$RUNCAST lab sim --no-store --platform-file sim.yaml --hosts {hosts} -p {p}"
ok measure sor.rcm --platform-file sim.yaml --repeat 2 --microbenchmark "$sim -- {program}" --db sim.db \
    --command "$sim --json -- sor --size {size} --iterations {iterations}" --json
is "$(json "j['measured_count'], j['failed']")" '(24, 0)'
# one flop an addition; six for each point, of both colours
is "$(json "{v['hosts'][0]: round(v['value'] * 1e9, 3) for v in j['values'] if v['input'] == 'add'}")" \
    "{'a1': 1.0, 'a2': 2.0, 'a3': 1.0}"
is "$(json "{v['hosts'][0]: round(v['value'] * 1e9, 2) for v in j['values'] if v['input'] == 'point'}")" \
    "{'a1': 6.0, 'a2': 12.0, 'a3': 6.0}"
is "$(json "all(1e7 < v['value'] < 1.25e8 for v in j['values'] if v['input'] == 'bw' and v['hosts'][0] != v['hosts'][1])")" True
is "$(json "all(5e-5 < v['value'] < 2e-4 for v in j['values'] if v['input'] == 'start' and v['hosts'][0] != v['hosts'][1])")" True
ok "$RUNCAST" lab sim --no-store --platform-file sim.yaml --hosts 'a[1-3]' -p 3 --json -- \
    sor --size 1500 --iterations 10
seconds=$(json "j['time_s']")
ok "$RUNCAST" model eval sor.rcm --platform-file sim.yaml --set N=1500 --db sim.db --json
is "$(json "abs(j['mean_s'] / $seconds - 1) < 0.1")" True "$(mean) against $seconds"
finish
