#!/bin/bash
# Simulated clusters: the same command gives the same run time, replayed load is followed exactly, the
# database has the samples of sensors, and sweeps do each run once, even if killed.
. "$(dirname "$0")/harness.sh"

if ! command -v smpicc > /dev/null || ! command -v smpirun > /dev/null; then
    begin 'programs run on simulated clusters'
    skip 'needs SimGrid'
    finish
    exit 0
fi

# app, size, iterations: small, as they compute for real
apps='cg 2000 10
ehl 512 2
eigen 80 12
ep 14 1
fft 4096 2
ga 40 3
hitemp 20 1
is 20000 2
jacobi3d 24 5
lu 10 3
matmul 60 2
md 100 5
mg 256 8
nbody 60 5
poisson 200 20
sor 200 20
sp 12 3
ssor 200 20'
times=16 kills=12
if [ "$SANITIZED" = 1 ] || [ "$LONG" = 0 ]; then
    apps=$(grep -E '^(ep|poisson) ' <<< "$apps")
    times=3 kills=3
fi

mkdir apps tmp
export RUNCAST_APPS=$WORK/apps TMPDIR=$WORK/tmp
begin 'workloads are built for SMPI'
while read -r app _; do
    libraries=(-lm)
    [ "$app" = fft ] && libraries+=(-lfftw3)
    ok smpicc -std=c17 -D_GNU_SOURCE -DAPP_SMPI -O1 "$SOURCE_ROOT/apps/$app.c" \
        "$SOURCE_ROOT/apps/app.c" "$SOURCE_ROOT/apps/app_checkpoint.c" -o "apps/$app" \
        "${libraries[@]}"
done <<< "$apps"

cat > c.yaml << 'END'
name: c
clusters:
  - name: c
    hosts: c[01-32]
    cores: 1
    speed: 1Gf
    networks:
      - {name: ethernet, bandwidth: 1Gbit, latency: 50us}
END

sim() { "$RUNCAST" lab sim --platform-file c.yaml "$@"; }

begin 'a run is stored with its load, and with the series from before its start'
ok sim --load random -p 4 --start 2d --json -- poisson --size 2000 --iterations 3000
silent
is "$(json "j['run'], j['app'], j['size'], j['procs'], j['iterations'], j['hosts'], j['load_kind'], j['seed']")" \
    "(1, 'poisson', 2000, 4, 3000, ['c01', 'c02', 'c03', 'c04'], 'random', 1)"
is "$(json "__import__('datetime').datetime.fromisoformat(j['start']).timestamp() == 946684800 + 12 * 366 * 86400 + 2 * 86400, j['time_s'] > 24, 0.25 <= j['cpu_availability']['avgmin'] <= j['cpu_availability']['minavg'] <= 1")" \
    '(True, True, True)'
seen=$(json "j['cpu_availability']['minavg'], j['cpu_availability']['avgmin'], j['bandwidth_bytes_per_s']['minavg'], j['bandwidth_bytes_per_s']['avgmin'], j['time_s']")
ok "$RUNCAST" runs list --json --columns cpu_minavg,cpu_avgmin,bw_minavg,bw_avgmin,time_s
is "$(json "tuple(j['runs'][0][c] for c in ('cpu_minavg', 'cpu_avgmin', 'bw_minavg', 'bw_avgmin', 'time_s'))")" \
    "$seen"
ok "$RUNCAST" series list --json
is "$(json "len(j['series']), {(s['metric'], s['sample_count'], s['first_sample'], s['last_sample']) for s in j['series']} == {(m, 361, '2012-01-11T23:00:00Z', '2012-01-12T00:00:00Z') for m in ('cpu', 'bandwidth')}")" \
    '(8, True)'
is "$(ls tmp)" '' 'files left behind'

begin 'the same command gives the same run time, to the last digit'
for _ in $(seq $times); do
    sim --load bursty --seed 7 --no-store --json -- poisson --size 1000 --iterations 100 |
        grep -E '"time_s|minavg|avgmin'
done | sort | uniq -c > counts
is "$(grep -c "^ *$times " counts)" "$(wc -l < counts)"
is "$(wc -l < counts)" 5
sim --load bursty --seed 8 --no-store --json -- poisson --size 1000 --iterations 100 > out
is "$(grep -c "$(json "j['time_s']")" counts)" 0 'another seed'

# integral.py CSV START OPERATIONS SPEED: when so much is computed at an availability that follows
# the table, from START on; written without any of the program's own code
cat > integral.py << 'END'
import csv, sys
rows = [(float(r["t"]), float(r["value"])) for r in csv.DictReader(open(sys.argv[1]))]
now, left, speed = float(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
begin = now
for i, (t, value) in enumerate(rows):
    end = rows[i + 1][0] if i + 1 < len(rows) else float("inf")
    if end <= now:
        continue
    if value * speed * (end - now) >= left:
        print(repr(now + left / (value * speed) - begin))
        break
    left -= value * speed * (end - now)
    now = end
END
near() { # near A B TOLERANCE WHAT: to that part of it
    python3 -c "import sys; a, b = float('$1'), float('$2'); sys.exit(abs(a - b) > $3 * b)" ||
        fault "$4: $1, not $2"
}

begin 'replayed availability is followed exactly'
python3 -c "
import random
random.seed(3)
t = 0
print('t,value')
while t < 900:
    print(f'{t:.3f},{random.choice([0, .1, .25, .5, 1, random.random()]):.6f}')
    t += random.uniform(.5, 9)
" > recorded.csv
for start in 0 100.25 333; do
    ok sim --load replay:recorded.csv --start $start -p 1 --history 0 --no-store --json -- \
        ep --size 30
    wanted=$(python3 integral.py recorded.csv $start "$(json "j['operations_flop']")" 1e9)
    near "$(json "j['time_s']")" "$wanted" 1e-9 "from $start"
done

begin 'a run of days is under load to its end'
python3 -c "
import random
random.seed(4)
print('t,value')
for i in range(12000):
    print(f'{i * 60},{random.choice([.2, .5, 1])}')
" > long.csv
ok sim --load replay:long.csv --start 1h -p 1 --no-store --json -- ep --size 42
wanted=$(python3 integral.py long.csv 3600 "$(json "j['operations_flop']")" 1e9)
near "$(json "j['time_s']")" "$wanted" 1e-9 'after days'
is "$(json "j['time_s'] > 21600 * 8")" True 'longer than the horizon and the next'

begin 'a run must end before the replayed series ends'
fails sim --load replay:recorded.csv --start 800 --history 0 -p 1 -- ep --size 40
complains 'the run continues after the end of the load'
complains "beyond: repeat"
fails sim --load replay:recorded.csv --start 2000 -p 1 -- ep
complains 'is outside the load'
printf 'kind: replay\nreplay:\n  - {file: recorded.csv, beyond: hold, least: 10%%}\n' > hold.yaml
ok sim --load hold.yaml --start 800 --history 0 -p 1 --no-store -- ep --size 40

begin 'statistics are those of the samples, and --interval changes them'
cat > statistics.py << 'END'
import csv, sys
rows = [(float(r["t"]), float(r["value"])) for r in csv.DictReader(open("recorded.csv"))]
start, seconds, every = map(float, sys.argv[1:4])
at = lambda t: [v for u, v in rows if u <= t][-1]
area, now = 0, start
while now < start + seconds:
    last = now // every * every
    end = min(last + every, start + seconds)
    area += at(last) * (end - now)
    now = end
print(area / seconds)
END
for every in 10 120; do
    ok sim --load replay:recorded.csv --start 305 -p 1 --interval $every --no-store --json -- ep --size 30
    wanted=$(python3 statistics.py 305 "$(json "j['time_s']")" $every)
    near "$(json "j['cpu_availability']['minavg']")" "$wanted" 1e-12 "every $every"
    near "$(json "j['cpu_availability']['avgmin']")" "$wanted" 1e-12 "every $every"
    json "j['cpu_availability']['avgmin']" >> averages
done
is "$(sort -u averages | wc -l)" 2 'averages'

begin 'links follow their load, and any SMPI program can be run'
cat > send.c << 'END'
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size = atoi(argv[argc - 1]);
    char *data = malloc(size);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(data, size, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(data, size, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    free(data);
    return 0;
}
END
ok smpicc send.c -o 'sent with blanks'
printf 't,value\n0,0.25\n1000000,1\n' > quarter.csv
printf 'kind: replay\nreplay:\n  - {file: quarter.csv, what: link, hosts: "c[01-02]"}\n' > link.yaml
send() { # LOAD SIZE
    ok sim --load "$1" -p 2 --size "$2" --start 0 --no-store --json -- './sent with blanks' "$2"
    is "$(json "j['app'], j['size']")" "('sent with blanks', $2)"
    json "j['time_s']"
}
ratio=$(python3 -c "print(($(send link.yaml 50000000) - $(send link.yaml 10000000)) / ($(send none 50000000) - $(send none 10000000)))")
near "$ratio" 4 1e-6 'a quarter of the bandwidth'
sed 's/cores: 1/cores: 2/' c.yaml > two.yaml # both processes on one host, whose link does not matter
for load in none link.yaml; do
    ok "$RUNCAST" lab sim --platform-file two.yaml -p 2 --load $load --size 1 --start 0 --no-store --json -- \
        './sent with blanks' 50000000
    json "j['hosts'], j['time_s'] < 0.05, j['time_s']"
done | sort -u > inside
is "$(wc -l < inside)$(cut -c 1-14 inside)" "1(['c01'], True" 'inside a host'
fails sim -p 2 -- './sent with blanks' 1000
complains 'unknown problem size'

begin 'every workload is verified on 1 to 32 hosts'
while read -r app size iterations; do
    for ranks in 1 2 4 16 32; do
        case "$app $ranks" in 'sp 2' | 'sp 32') ranks=25 ;; esac # a square number
        ok sim --load random --no-store --json -p $ranks -- "$app" --size "$size" \
            --iterations "$iterations" --real
        is "$(json "j['check'], j['procs'], len(j['hosts'])")" "('ok', $ranks, $ranks)" "$app"
    done
done <<< "$apps"
fails sim -p 2 -- poisson --size 100 --real
complains 'takes no simulated time'

begin 'all platforms of the examples can be simulated'
for platform in "$SOURCE_ROOT"/examples/*.yaml; do
    ok "$RUNCAST" lab sim --platform-file "$platform" --default-speed 1Gf --load modal --no-store -- \
        poisson --size 1000 --iterations 3
done
ok "$RUNCAST" lab sim --sweep "$SOURCE_ROOT/examples/sweeps/poisson.yaml" --db none.db --dry-run
prints '60 runs to do'
ok "$RUNCAST" lab sim --platform-file "$SOURCE_ROOT/examples/pcl.yaml" --hosts thing1,picard --no-store -- \
    poisson --size 100
ok "$RUNCAST" lab sim --platform-file "$SOURCE_ROOT/examples/grid.yaml" -p 8 --no-store \
    --load "$SOURCE_ROOT/examples/loads/recorded.yaml" -- poisson --size 1000
ok "$RUNCAST" lab sim --platform-file "$SOURCE_ROOT/examples/grid.yaml" -p 8 --no-store \
    --load "$SOURCE_ROOT/examples/loads/office.yaml" -- poisson --size 1000

begin '--per-host spreads processes over the hosts, whatever the placement'
rose() { ok "$RUNCAST" lab sim --platform-file "$SOURCE_ROOT/examples/white-rose.yaml" --no-store --json \
    -p 4 "$@" -- poisson --size 100; }
rose --cluster B
is "$(json "j['hosts']")" "['b01']"
rose --cluster B --per-host 1
is "$(json "j['hosts']")" "['b01', 'b02', 'b03', 'b04']"
rose --hosts 'b[05-08]' --per-host 2
is "$(json "j['hosts']")" "['b05', 'b06']"
misused "$RUNCAST" lab sim --platform-file "$SOURCE_ROOT/examples/white-rose.yaml" --per-host 99999 -- poisson
complains '--per-host: must be at most 65536'

begin 'each load and seed has a separate calendar'
for seed in 1 2; do
    for load in none random modal bursty; do
        ok sim --load $load --seed $seed -p 4 --db calendar.db poisson --size 100
        silent
    done
done
is "$("$RUNCAST" runs list --db calendar.db --columns load,seed | tail -n +2 | sort | tr -s ' \n' ' ' |
    sed 's/^ //; s/ $//')" '0 1 0 2 1 1 1 2 2 1 2 2 3 1 3 2'
ok sim --load random -p 4 --start 2000-01-03 -- poisson --size 100

begin 'a program that counts nothing causes a note, or is measured'
cat > ends.c << 'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, data = 0;
    volatile double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("hello\n");
    fflush(stdout);
    if (strcmp(argv[1], "status") == 0 && rank == 1)
        exit(3);
    if (strcmp(argv[1], "signal") == 0 && rank == 1)
        abort();
    if (strcmp(argv[1], "deadlock") == 0)
        MPI_Recv(&data, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(argv[1], "--help") == 0)
        exit(0);
    for (int i = 0; i < 20000000; i++)
        sum += i;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
ok smpicc -O1 ends.c -o ends
ok sim -p 2 --no-store --json ./ends well
complains 'hello'
complains 'note: computing takes no simulated time in ends'
counted=$(json "j['time_s']")
ok sim -p 2 --no-store --json --compute-time measured --local-speed 1Gf ./ends well
grep -q note: err && fault 'a note, though it was measured'
is "$(json "j['size'], j['time_s'] > 2 * $counted")" '(None, True)'
misused sim --local-speed 1Gf ./ends well

begin 'errors show how a program failed'
fails sim -p 2 ./ends status
complains 'simulating ./ends: the program ended with status 3; its last output: hello'
fails sim -p 2 ./ends signal
complains 'the program was killed by signal 6 (SIGABRT)'
fails sim -p 2 --size 1 ./ends deadlock
complains 'deadlock: all processes wait for messages'
ok sim -p 2 ./ends --help
prints 'hello'
ok sim -p 2 poisson --help
prints 'usage: poisson'

begin 'after an error, nothing is stored'
before=$(count_runs)
fails "$RUNCAST" lab sim --platform-file "$SOURCE_ROOT/examples/lab.yaml" -- poisson
complains 'has no speed of lab1'
complains 'hint: add '
fails sim -- /bin/true
complains 'the program is not built for SMPI'
fails sim -- no-such-app
complains "cannot find the program 'no-such-app'"
fails sim -p 33 -- poisson
complains '33 processes do not fit'
fails sim -- poisson --size none
complains "'none' is not a whole number"
fails sim --load nowhere.yaml -- poisson
fails sim --load random --seed 2 -p 4 --start 2000-01-03 -- poisson --size 100
complains 'cpu of c01 at 2000-01-02T23:'
complains 'samples of another load or seed'
fails sim --load replay:nofile.csv -- poisson
complains 'nofile.csv: cannot open it'
printf 't,used\n0,1\n' > used.csv
fails sim --load replay:used.csv -- poisson
complains "can name the column that has the values, with 'column: NAME'"
misused sim
complains 'missing program'
misused "$RUNCAST" lab sim -- poisson
misused sim --start yesterday -- poisson
misused sim --interval 0 -- poisson
misused sim --jobs 2 -- poisson
misused sim --sweep sweep.yaml -- poisson
is "$(count_runs)" "$before"
is "$(ls tmp)" '' 'files left behind'

begin 'the input files of SimGrid can be kept, and the load plotted'
ok sim --load random -p 3 --start 2d --keep-files kept --no-store -- poisson --size 100
is "$(tr '\n' ' ' < kept/hosts)" 'c01 c02 c03 '
is "$(find kept -name 'runcast-sim-*' | wc -l)" 6
if command -v gnuplot > /dev/null; then
    ok sim --load random -p 3 --no-store --plot load.svg -- poisson --size 100
    grep -q '<svg' load.svg || fault 'no drawing'
fi

# ---- sweeps ----

cat > sweep.yaml << 'END'
platform: c.yaml
db: sweep.db
loads: [none, random]
seeds: [1, 2]
over: 3d
repeat: 2
apps:
  - {app: poisson, sizes: [200, 400], procs: [1, 4], arguments: [--iterations, 50]}
  - {app: ep, sizes: [20], procs: [2]}
END
points() { "$RUNCAST" runs list --db "$1" --columns sim_point 2> /dev/null | tail -n +2; }

begin 'a sweep does all of its runs, once'
ok "$RUNCAST" lab sim --sweep sweep.yaml --dry-run
prints '40 runs to do, 0 in the database'
ok "$RUNCAST" lab sim --sweep sweep.yaml --dry-run --json
is "$(json "len(j['runs']), j['runs'][0]['app'], j['runs'][0]['load_kind']")" "(40, 'poisson', 'none')"
[ ! -e sweep.db ] || fault 'a dry run makes a database'
ok "$RUNCAST" lab sim --sweep sweep.yaml
prints '40 runs done'
is "$(points sweep.db | sort -u | wc -l)" 40
ok "$RUNCAST" lab sim --sweep sweep.yaml --json
is "$(json "j['finished_runs'], j['already_stored'], j['failed_runs']")" '(0, 40, 0)'
ok "$RUNCAST" lab sim --sweep sweep.yaml --dry-run --json
is "$(json "len(j['runs'])")" 0
ok "$RUNCAST" db check --db sweep.db

begin 'a sweep with one job at a time gives the same runs'
ok "$RUNCAST" lab sim --sweep sweep.yaml --db one.db --jobs 1
# exported DB: all runs, with all digits
exported() { "$RUNCAST" runs export --db "$1" | sort; }
for db in sweep one; do
    exported $db.db > $db.txt
done
cmp sweep.txt one.txt || fault 'they differ'

begin 'a killed sweep continues, and leaves no process behind'
seed=${RUNCAST_TEST_SEED:-$(date +%s)}
echo "# seed $seed"
RANDOM=$((seed % 32768))
for ((i = 0; i < kills; i++)); do
    "$RUNCAST" lab sim --sweep sweep.yaml --db killed.db > /dev/null 2>&1 &
    pid=$!
    sleep 0.$((RANDOM % 8))$((RANDOM % 10))
    if ((i % 2)); then kill -KILL $pid; else kill -TERM $pid; fi 2> /dev/null
    wait $pid 2> /dev/null
done
sleep 0.5
is "$(pgrep -f "smpimain $WORK" | wc -l)" 0 'processes left behind'
ok "$RUNCAST" lab sim --sweep sweep.yaml --db killed.db
exported killed.db > killed.txt
cmp sweep.txt killed.txt || fault 'runs are lost, or there twice'
ok "$RUNCAST" db check --db killed.db
ok sim --no-store poisson --size 100
is "$(ls tmp)" '' 'files that killed ones left behind'

begin 'directories of killed ones are removed, those in use are not'
mkdir tmp/runcast-sim-killed tmp/runcast-sim-in-use
touch tmp/runcast-sim-{killed,in-use}/hosts
flock tmp/runcast-sim-in-use "$RUNCAST" lab sim --platform-file c.yaml --no-store poisson --size 100 \
    > /dev/null || fault 'it does not run'
is "$(ls tmp)" 'runcast-sim-in-use'
ok sim --no-store poisson --size 100
is "$(ls tmp)" ''

begin 'a signal stops a sweep, which keeps the finished runs and cleans up'
rm -rf tmp/*
sed 's/repeat: 2/repeat: 500/' sweep.yaml > many.yaml
"$RUNCAST" lab sim --sweep many.yaml --db many.db > out 2> err &
pid=$!
for _ in $(seq 100); do
    [ "$(points many.db | wc -l)" -gt 3 ] && break
    sleep 0.1
done
kill -TERM $pid # a shell lets those in the background ignore SIGINT
wait $pid
is $? 143 'exit status'
[ "$(points many.db | wc -l)" -gt 3 ] || fault 'nothing was kept'
is "$(ls tmp)" '' 'files left behind'

begin 'a failed run is an error, and the others continue'
sed 's/sizes: \[20\]/sizes: [20, 999]/; s/db: .*/db: partly.db/' sweep.yaml > partly.yaml
fails "$RUNCAST" lab sim --sweep partly.yaml
prints '40 runs done, 8 failed'
complains 'the program ended with status'

begin 'impossible runs are errors before the first run'
sed 's/procs: \[2\]/procs: [2, 99]/; s/db: .*/db: never.db/' sweep.yaml > never.yaml
sed 's/app: ep/app: no-such-app/; s/db: .*/db: never.db/' sweep.yaml > nowhere.yaml
for options in --dry-run --json; do
    fails "$RUNCAST" lab sim --sweep never.yaml $options
    complains 'ep: 99 processes do not fit'
    fails "$RUNCAST" lab sim --sweep nowhere.yaml $options
    complains "cannot find the program 'no-such-app'"
done
[ ! -e never.db ] || fault 'there is a database'
printf 'platform: c.yaml\napps:\n  - {app: ep, sizes: [x]}\n' > bad.yaml
fails "$RUNCAST" lab sim --sweep bad.yaml
complains "bad.yaml:3:"

finish
