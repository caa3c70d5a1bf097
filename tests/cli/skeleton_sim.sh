#!/bin/bash
# Programs that SimGrid's SMPI simulates are recorded without a change to their times, and their
# skeletons slow down there as they do.  All of it is repeatable, so that bounds are tight.
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"

if ! command -v smpicc > /dev/null || ! command -v smpirun > /dev/null; then
    begin 'simulated programs are recorded'
    skip 'needs SimGrid'
    finish
    exit 0
fi

cat > c.yaml << 'END'
name: c
clusters:
  - name: c
    hosts: c[1-4]
    cores: 1
    speed: 1Gf
    networks:
      - {name: ethernet, bandwidth: 100Mbit, latency: 50us}
END
# One host has a competitor.
printf 't,value\n0,0.5\n1,0.5\n' > half.csv
cat > busy.yaml << 'END'
kind: replay
replay:
  - {file: half.csv, what: cpu, hosts: c2, beyond: hold}
END
sim() {
    local load=$1
    shift
    timeout 60 "$RUNCAST" lab sim --no-store --json --platform-file c.yaml --load "$load" --start 1h -- "$@"
}
record() {
    local directory=$1
    shift
    timeout 60 "$RUNCAST" trace record -f -o "$directory" -- \
        "$RUNCAST" lab sim --no-store --json --platform-file c.yaml --load "$1" --start 1h -- "${@:2}"
}
seconds() { python3 -c "import json; j = json.load(open('$1')); print(j.get('time_s', j.get('seconds')))"; }

program=(./lu --size 64 --iterations 40)
begin 'a simulated program takes as long when it is recorded'
ok smpicc -std=c17 -D_GNU_SOURCE -DAPP_SMPI -O1 "$SOURCE_ROOT/apps/lu.c" "$SOURCE_ROOT/apps/app.c" \
    "$SOURCE_ROOT/apps/app_checkpoint.c" -o lu -lm
ok sim none "${program[@]}"
cp out plain
ok record free none "${program[@]}"
is "$(cat out)" "$(cat plain)" 'what is told of the run'
ok "$RUNCAST" trace check free
prints 'the trace is complete'
ok cat free/trace.json
is "$(json "j['mpi'], j['ranks'], j['hosts'], 'seconds' in j")" \
    "('smpi', 4, ['c1', 'c2', 'c3', 'c4'], False)" trace.json

begin 'computing and messages are those of the simulation'
ok "$RUNCAST" trace info --json free
is "$(json "j['total']['calls'], j['procs'], abs(j['time_s'] - $(seconds plain)) < 0.01")" \
    "(41800, 4, True)" 'calls, ranks and times'

begin 'the same is recorded again'
ok record again none "${program[@]}"
for rank in 0 1 2 3; do
    for directory in free again; do
        "${PMPI_DUMP:?}" "$directory/rank-$rank.rct" > "$directory.calls"
    done
    cmp -s free.calls again.calls || fault "rank $rank is recorded otherwise the second time"
done

begin 'a simulation that begins anew, as it goes on beyond the load, is recorded from then on'
sed 's/1Gf/50kf/' c.yaml > slow.yaml
ok timeout 60 "$RUNCAST" trace record -f -o long -- "$RUNCAST" lab sim --no-store --json \
    --platform-file slow.yaml --load random --start 1h -- "${program[@]}"
is "$(json "j['time_s'] > 21600")" True 'longer than the load that is first given'
ok "$RUNCAST" trace check long
prints 'the trace is complete'

begin 'a skeleton slows down as the program does'
ok "$RUNCAST" skeleton build free --target-time 1 -o skel.c --json
cp out built
is "$(json "abs(j['time_s'] - 1) < 0.125")" True 'what was asked for, about'
ok smpicc -O2 -Wall -Wextra -Werror -o skel skel.c -lm
ok record busy busy.yaml "${program[@]}"
seconds out > program.busy
ok sim none ./skel
cp out skel.free
ok sim busy.yaml ./skel
cp out skel.busy
cat > error.py << 'END'
import json, sys
program, there, skeleton, slow, said = (float(word) for word in sys.argv[1:])
print(abs(slow / skeleton / (there / program) - 1) < 0.005, abs(skeleton / said - 1) < 0.01)
END
is "$(python3 error.py "$(seconds plain)" "$(cat program.busy)" "$(seconds skel.free)" \
    "$(seconds skel.busy)" "$(seconds built)")" 'True True' \
    'error below 0.5 %, length within 1 % of what was said'

begin 'a skeleton is a probe in a simulation, too'
simulated() { echo "'$RUNCAST' lab sim --no-store --platform-file c.yaml --load $1 --start 1h"; }
eval "ok '$RUNCAST' skeleton measure free skel --repeat 1 -- $(simulated none) ./skel"
ok "$RUNCAST" trace import free --app lu --size 64 --db lu.db
ok "$RUNCAST" predict --app lu --size 64 --procs 4 --db lu.db --json \
    --probe "$(simulated busy.yaml) {skeleton}"
is "$(json "[m['method'] for m in j['methods']], j['probe']['startup_time_s']")" \
    "(['skeleton'], 0)" 'the method, and the start-up of the command'
is "$(json "abs(j['predicted_s'] / $(cat program.busy) - 1) < 0.02")" True 'the run time under load'

begin 'a skeleton so short that no call is left compiles and runs'
ok smpicc -std=c17 -D_GNU_SOURCE -DAPP_SMPI -O1 "$SOURCE_ROOT/apps/ep.c" "$SOURCE_ROOT/apps/app.c" \
    "$SOURCE_ROOT/apps/app_checkpoint.c" -o ep -lm
ok record ep.trace none ./ep --iterations 1
ok "$RUNCAST" skeleton build ep.trace --ratio 100 -o none.c
grep -q K_none none.c || fault 'it makes calls'
ok smpicc -O2 -Wall -Wextra -Werror -o none none.c -lm
ok sim none ./none
for mpi in openmpi mpich; do
    command -v "mpicc.$mpi" > all.txt || continue
    ok "mpicc.$mpi" -O2 -Wall -Wextra -Werror -o none none.c -lm
done

begin 'the same again gives the same, to the last bit'
ok sim busy.yaml ./skel
is "$(cat out)" "$(cat skel.busy)" 'a second run'

begin 'programs are recorded under smpirun, too'
mkdir kept
ok timeout 60 "$RUNCAST" lab sim --no-store --keep-files kept --platform-file c.yaml -- ./lu --iterations 1
ok smpicc -O1 -w "$SOURCE_ROOT/tests/pmpi/calls.c" -o calls
ok timeout 60 "$RUNCAST" trace record -f -o calls.trace -- smpirun -np 2 -hostfile kept/hosts \
    -platform kept/platform.xml ./calls collective
prints 'collective: all as it should be'
"$PMPI_DUMP" calls.trace/rank-1.rct > seen
diff "$SOURCE_ROOT/tests/pmpi/expected/collective" seen > differences ||
    fault "calls are not what was expected: $(head -n 20 differences)"

begin 'a simulated program by itself is told where to run'
fails "$RUNCAST" trace record -o nowhere -- ./lu
complains 'is for simulated clusters'
is "$(ls -d nowhere 2> /dev/null)" '' 'nothing is made'
finish
