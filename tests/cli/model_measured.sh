#!/bin/bash
# Measured inputs in the store: several programs at once, what is refused, what is told, listing and
# forgetting.
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
model m
input N from size
input P from processes
input iterations = 10
input add[h] "one addition"
    measure operation real-add
input bw[x, y]
    measure bandwidth 8B * 500
input point[h] "seconds for one point"
    measure run
    at 1000
    per N * iterations
component Compute[h] by benchmark = N / P * iterations * point[h]
component Send[h] by messages = sum(j in neighbours[h]: N / bw[h, j])
component Add[h] by counting = N * add[h]
total t = max(h in hosts: Compute[h] + Send[h] + Add[h])
END
# On a host ax a point takes 10 x ns; it tells what it was told, but for what TELLS says.
cat > program.sh << 'END'
#!/bin/bash
# program.sh P HOST N ITERATIONS
echo "program $*" >> log
[ -n "${PROGRAM_SLEEP:-}" ] && sleep "$PROGRAM_SLEEP"
awk -v p="$1" -v x="${2#a}" -v n="$3" -v times="$4" -v tells="${TELLS:-}" 'BEGIN {
    printf "{\"n\": %d, \"p\": %d, \"iterations\": %d, \"seconds\": %.15g, \"check\": \"ok\"%s}\n",
           n, p, times, 1e-8 * x * n * times, tells }'
END
# An addition takes x ns, with a relative standard deviation of SPREAD; SAME_HOST: both processes are
# on the first of the hosts.
cat > microbenchmark.sh << 'END'
#!/bin/bash
# microbenchmark.sh P HOSTS OPTIONS...
echo "microbenchmark $*" >> log
[ -n "${MICROBENCHMARK_SAYS:-}" ] && { cat "$MICROBENCHMARK_SAYS" >&2; exit 1; }
python3 - "$@" << 'PYTHON'
import json, os, sys
hosts = sys.argv[2].split(",")
repeats = int(sys.argv[sys.argv.index("--repeats") + 1])
number = [int(h[1:]) for h in hosts]
spread = float(os.environ.get("SPREAD", 0.05))
figure = lambda mean, sd=0: {"mean": mean, "sd": sd}
print(json.dumps({
    "microbenchmark": 1, "p": len(hosts), "repeats": repeats, "count": 1000000, "bytes": 4000,
    "messages": 100,
    "processes": [{"rank": i, "host": hosts[0] if "SAME_HOST" in os.environ else h,
                   "operations": {"real-add": figure(n * 1e-9, n * 1e-9 * spread)}}
                  for i, (h, n) in enumerate(zip(hosts, number))],
    "pairs": [{"from": i, "to": j, "bandwidth": figure((10 * x + y) * 1e6, spread * 1e7 * (i == j))}
              for i, x in enumerate(number) for j, y in enumerate(number)]}))
PYTHON
END
chmod +x program.sh microbenchmark.sh
bench='./microbenchmark.sh {p} {hosts} {options}'
command='./program.sh {p} {hosts} {size} {iterations}'
asked=(m.rcm --platform-file p.yaml --microbenchmark "$bench" --command "$command" --repeat 4)
measure() { "$RUNCAST" model measure "$@"; }
listed() { measure m.rcm --platform-file p.yaml --list --json; }

begin 'several programs that measure at once lose nothing, also with a new store'
for round in 1 2 3 4; do
    rm -f store.db*
    PROGRAM_SLEEP=0.02 measure "${asked[@]}" --inputs point > out.1 2> err.1 < /dev/null &
    first=$!
    measure "${asked[@]}" --inputs add > out.2 2> err.2 < /dev/null &
    second=$!
    measure "${asked[@]}" --inputs bw > out.3 2> err.3 < /dev/null
    is "$?" 0 "the third one: $(cat err.3)"
    wait $first
    is "$?" 0 "the first one: $(cat err.1)"
    wait $second
    is "$?" 0 "the second one: $(cat err.2)"
    ok measure "${asked[@]}" --dry-run --json
    is "$(json "j['known'], len(j['jobs'])")" '(15, 0)' "round $round"
done
ok "$RUNCAST" db check

begin 'what is known is listed, with dates, deviations and sources'
ok listed
is "$(json "len(j['values']), j['known'], j['measured_count']")" '(15, 15, 0)'
is "$(json "[(v['hosts'], round(v['sd'] / v['value'], 3), round(v['accuracy_fraction'], 3), v['source'], v['new']) for v in j['values'] if v['input'] == 'add'][0]")" \
    "(['a1'], 0.05, 0.05, '4 runs of 1000000 operations', False)"
is "$(json "[(v['hosts'], v['size'], v['input_values'], v['platform_facts'], v['repeat'], v['command']) for v in j['values'] if v['input'] == 'point'][2]")" \
    "(['a3'], 1000, 'iterations=10', 'speed 1 Gflop/s', 4, './program.sh {p} {hosts} {size} {iterations}')"
is "$(json "all(v['measured'][:2] == '20' and v['measured'][-1] == 'Z' for v in j['values'])")" True
ok measure m.rcm --platform-file p.yaml --inputs none --json
is "$(json "len(j['values']), j['known']")" '(15, 15)'
ok measure m.rcm --platform-file p.yaml --list
prints 'bw[a2, a3]'
prints '4 runs of problem size 1000, one process'
ok measure "${asked[@]}" --again --inputs add --json
is "$(json "j['measured_count'], sum(v['new'] for v in j['values'])")" '(3, 3)'

begin 'what was measured on a platform needs its file'
ok "$RUNCAST" model add m.rcm
fails "$RUNCAST" model eval m.rcm --hosts 'a[1-3]' --set N=3000
complains 'name the platform with --platform-file, as inputs of m were measured on p; or set it with --set'
fails "$RUNCAST" predict --method structural --app m --size 3000 --procs 3 --hosts 'a[1-3]' --no-store
complains 'name the platform with --platform-file, as inputs of m were measured on p'
sed 's/at 1000/at 2000/' m.rcm > other.rcm
ok "$RUNCAST" model add other.rcm
fails "$RUNCAST" predict --method structural --app m --size 3000 --procs 3 --platform-file p.yaml --no-store
complains 'as the model has changed how 1 input is measured; or set it with --set'
ok "$RUNCAST" predict --method structural --app m --size 3000 --procs 3 --platform-file p.yaml --no-store \
    --set point=1us
complains '1 measured input ignored: the model has changed how it is measured'

begin 'what was measured is forgotten, and nothing else'
ok measure other.rcm --platform-file p.yaml "${asked[@]:3}"
prints '3 values of m measured on p, 12 already in the database'
ok measure m.rcm --platform-file p.yaml --forget add --hosts a2
prints 'removed 1 value of m on p'
ok measure m.rcm --platform-file p.yaml --forget point,bw --json
is "$(json "j['removed']")" 12
ok listed
is "$(json "sorted((v['input'], v['hosts']) for v in j['values'])")" "[('add', ['a1']), ('add', ['a3'])]"
ok measure other.rcm --platform-file p.yaml --list --json
is "$(json "sum(v['input'] == 'point' for v in j['values'])")" 3 # measured in another way
fails measure m.rcm --platform-file p.yaml --forget point
complains 'the database has no such measured values of m on p'
fails measure m.rcm --platform-file p.yaml --forget points
complains "no input 'points'"
ok "$RUNCAST" model remove --app m
complains "the measured inputs of m remain in the database; remove them with 'runcast model measure FILE.rcm --forget all'"
python3 -c 'import sqlite3
c = sqlite3.connect("store.db")
c.execute("UPDATE model SET body = ? WHERE family = ?", ("{", "measured"))
c.commit()'
fails "$RUNCAST" db check
fails measure "${asked[@]}" --dry-run
complains "remove it with 'runcast model measure FILE.rcm --forget all'"
ok measure m.rcm --platform-file p.yaml --forget all
ok "$RUNCAST" db check
ok listed
is "$(json "j['values']")" '[]'

begin 'runs that are not what was asked for are refused, and nothing of them is kept'
while IFS='|' read -r tells says; do
    TELLS=$tells fails measure "${asked[@]}" --inputs point --hosts a2 --repeat 1
    complains "$says"
    prints '0 values of m measured on p, 1 of 1 measurements failed'
done << 'END'
, "check": "wrong"|reports a wrong result ("check": "wrong")
, "n": 7|"n": 7 instead of 1000
, "p": 2|"p": 2 instead of 1
, "iterations": 50|"iterations": 50 instead of 10
END
TELLS=', "iterations": 50' ok measure "${asked[@]}" --inputs point --hosts a2 --repeat 1 --time-source command
ok measure m.rcm --platform-file p.yaml --forget all
SAME_HOST=1 fails measure "${asked[@]}" --inputs bw
complains "both processes of the microbenchmark ran on 'a1' instead of a1 and a2"
complains '--per-host 1'
prints '3 values of m measured on p, 3 of 6 measurements failed' # those within a host
ok listed
is "$(json "[v['hosts'] for v in j['values']]")" "[['a1', 'a1'], ['a2', 'a2'], ['a3', 'a3']]"
sed 's/    measure run/    measure together/' m.rcm > together.rcm
misused measure together.rcm "${asked[@]:1:4}" --command './program.sh 3 {hosts} {size} {iterations}'
complains '--command: missing {p}'
ok measure together.rcm --platform-file p.yaml --microbenchmark "$bench" --dry-run
prints 'PROGRAM on a1,a2,a3: size 1000'

begin 'repetitions that differ much are reported'
SPREAD=2.1 ok measure "${asked[@]}" --inputs add,bw --again
complains 'add[a1] varies by 210 % (standard deviation); and 2 more;'
complains 'measure again with --again --inputs add'
ok measure "${asked[@]}" --inputs add --again
silent

begin 'the last words of a program are those that say something'
rule='--------------------------------------------------------------------------'
printf '%s\nmpirun has detected an attempt to run as root.\n\nRunning as root is discouraged.\n%s\n' \
    "$rule" "$rule" > says
MICROBENCHMARK_SAYS=says fails measure "${asked[@]}" --inputs bw --again
complains 'its last output: mpirun has detected an attempt to run as root. Running as root is discouraged.'
prints '0 values of m measured on p, 3 of 6 measurements failed, 3 skipped'
printf 'no room on a2\n%s\nOne process ended badly.\n%s\n\n' "$rule" "$rule" > says
MICROBENCHMARK_SAYS=says fails measure "${asked[@]}" --inputs bw --again --json
complains 'its last output: no room on a2'
is "$(json "j['measured_count'], j['failed'], j['skipped']")" '(0, 3, 3)'
printf 'Trouble\n=======\nno room on a2\n' > says
MICROBENCHMARK_SAYS=says fails measure "${asked[@]}" --inputs bw --again
complains 'its last output: no room on a2'
fails measure "${asked[@]}" --inputs point --again --command 'false {size} {hosts}'
complains 'it printed nothing; the command was: false 1000 a1'

begin 'an interruption is told of, before anything is measured, too'
for form in '' --json; do
    rm -f store.db* log
    PROGRAM_SLEEP=5 env --default-signal=INT "$RUNCAST" model measure "${asked[@]}" --inputs point \
        ${form:+"$form"} > out 2> err < /dev/null &
    for ((i = 0; i < 300; i++)); do
        grep -qs '^program' log && break
        sleep 0.1
    done
    kill -INT $!
    wait $!
    is $? 130 'exit status'
    complains 'interrupted before the first measurement: nothing was stored'
    [ -n "$form" ] && is "$(json "j['interrupted'], j['measured_count'], j['values']")" '(True, 0, [])'
done

finish
