#!/bin/bash
# Recordings of MPI programs: whether they are whole, what is in them, and how they are kept.
. "$(dirname "$0")/harness.sh"

MAKE=$(dirname "$RUNCAST")/tests/make-recording

# A new recording of 4 ranks in $1.
record() {
    rm -rf "$1"
    mkdir "$1"
    "$MAKE" "$1" 4 200 || fault "cannot make a recording in $1"
}

begin 'a complete trace'
record good
ok "$RUNCAST" trace check good
silent
prints 'rank-3.rct   1015        0'
prints 'the trace is complete'
ok "$RUNCAST" trace check good --json
is "$(json "(j['complete'], j['procs'], j['faults'], j['notes'], sum(f['calls'] for f in j['files']))")" \
    '(True, 4, [], [], 4062)'

begin 'how the program spent its time'
ok "$RUNCAST" trace info good
silent
prints './jacobi, 4 ranks on node[1-2], Some MPI 1.0, 2025-11-16T00:00:00Z'
prints 'communicating for 27.2 % of the time'
prints 'MPI_Waitall       800  240 ms'
prints '8 KiB to < 16 KiB       1200'
ok "$RUNCAST" trace info good --json
# 200 rounds, of which 8 also have an MPI_Allreduce; a border has 8 KiB.
is "$(json "[(l['messages'], l['bytes']) for l in j['links'] if (l['from'], l['to']) == (2, 3)]")" \
    '[(200, 1638400)]'
is "$(json "{k['call']: k['calls'] for k in j['total']['kinds']}['MPI_Allreduce']")" 32
is "$(json "[r['final_call'] for r in j['ranks']][:3]")" "['MPI_Reduce', 'MPI_Reduce', 'MPI_Reduce']"
is "$(json "len(j['ranks'][0]['timeline'])")" 240

begin 'one rank alone'
ok "$RUNCAST" trace info good --rank 2 --json
is "$(json "([r['rank'] for r in j['ranks']], j['total']['calls'])")" '([2], 1015)'
is "$(json "all(2 in (l['from'], l['to']) for l in j['links'])")" True
misused "$RUNCAST" trace info good --rank 4
complains '--rank: the trace has ranks 0 to 3'

begin 'what is told of the run'
echo '{"version": 1, "command": ["mpirun", "-np", "4", "./jacobi"], "seconds": 0.9, "status": 0,
    "began": "2025-11-16T00:00:00Z"}' > good/trace.json
ok "$RUNCAST" trace info good
prints 'mpirun -np 4 ./jacobi, 4 ranks'
echo 'nonsense' > good/trace.json
fails "$RUNCAST" trace check good
prints 'trace.json is damaged'
rm good/trace.json

begin 'a file that is cut short is read as far as it goes'
record cut
truncate -s -30 cut/rank-1.rct
fails "$RUNCAST" trace check cut
prints 'rank-1.rct'
complains 'the calls of the ranks were not compared: calls are missing'
prints 'the trace is not complete'
fails "$RUNCAST" trace check cut --json
is "$(json "[f['complete'] for f in j['files']]")" '[True, False, True, True]'
is "$(json "j['files'][1]['calls']")" 1015
ok "$RUNCAST" trace info cut
complains "the trace is not complete; see 'runcast trace check cut'"
prints 'MPI_Waitall       800'

begin 'a damaged file, and one that is not a trace'
record bad
printf 'XXXX' | dd of=bad/rank-2.rct bs=1 seek=300 conv=notrunc status=none
echo 'a text' > bad/rank-0.rct
fails "$RUNCAST" trace check bad
prints 'damaged: '
prints 'not a trace: too short'
ok "$RUNCAST" trace info bad
fails "$RUNCAST" trace import bad --size 10
complains 'the trace is not complete'

begin 'a rank that is missing'
record gone
rm gone/rank-2.rct
fails "$RUNCAST" trace check gone
prints 'rank 2 is missing'
ok "$RUNCAST" trace info gone

begin 'a file from another run'
record mixed
mkdir other
"$MAKE" other 2 10
cp other/rank-1.rct mixed/rank-1.rct
cp mixed/rank-3.rct mixed/rank-2.rct
fails "$RUNCAST" trace check mixed
prints 'rank-1.rct is from another run: one of 2 ranks, and this one has 4'
prints 'rank-2.rct is from rank 3'

begin 'ranks that do not fit together'
record apart
mkdir longer
"$MAKE" longer 4 210
cp longer/rank-1.rct apart/rank-1.rct
fails "$RUNCAST" trace check apart
prints 'rank 0 sent 200 messages to rank 1, which received 210'
prints 'rank 1 sent 210 messages to rank 0, which received 200'

begin 'nothing to read'
mkdir empty
for verb in check info 'import --size 1'; do
    # shellcheck disable=SC2086 # words of their own
    fails "$RUNCAST" trace $verb empty
    complains 'no trace in empty'
    # shellcheck disable=SC2086
    fails "$RUNCAST" trace $verb nowhere
    complains 'cannot read the directory nowhere'
done
misused "$RUNCAST" trace info
misused "$RUNCAST" trace info --nothing

begin 'a plot'
if command -v gnuplot > /dev/null; then
    ok "$RUNCAST" trace info good --plot good.svg
    silent
    grep -q '</svg>' good.svg || fault 'good.svg is incomplete'
    for text in Waitall 'from rank' communicating 'bytes sent (logarithmic scale)' '4 KiB' '1 MiB' \
        'size of a message (bars: powers of two)'; do
        grep -qF "$text" good.svg || fault "no '$text' in the picture"
    done
    ok "$RUNCAST" trace info gone --rank 1 --plot gone.png
else
    skip 'needs gnuplot'
fi
misused "$RUNCAST" trace info good --plot good.txt

begin 'a traced run is stored once'
ok "$RUNCAST" trace import good --size 400 --param rounds=200
prints 'run 1 stored: jacobi, 4 processes, run time 745 ms, 16 process and phase times'
ok "$RUNCAST" runs export
prints 'time::0,time::1,time::2,time::3'
# Each ends where it begins to wait in its last MPI_Reduce or MPI_Finalize.
prints 'jacobi,,node[1-2],400,4,0.744685,1763251200,,,,,,,,ok,200,0.660485,0.685075,0.710075,0.735275'
fails "$RUNCAST" trace import good --size 400
complains 'it is already stored as run 1'
is "$(count_runs)" 1 'runs'
ok "$RUNCAST" trace import good --size 400 --app other --json
is "$(json "(j['run'], j['app'], j['time_count'])")" "(2, 'other', 16)"
misused "$RUNCAST" trace import good
complains '--size N'
misused "$RUNCAST" trace import good --size 4 --param rounds
complains "'rounds' is not NAME=VALUE"

finish
