#!/bin/bash
# 'runcast trace record -o DIR -- COMMAND': what is recorded of programs, with each MPI that is here.
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"

PMPI=$SOURCE_ROOT/tests/pmpi
DUMP=${PMPI_DUMP:?set PMPI_DUMP to the program that shows trace files}

# launcher MPI RANKS: what starts a program, as words in `launcher`
launcher() {
    launcher=("mpirun.$1" -np "$2")
    [ "$1" = mpich ] || launcher+=(--allow-run-as-root --oversubscribe)
}

# launch MPI RANKS PROGRAM...
launch() {
    launcher "$1" "$2"
    shift 2
    timeout 60 "$RUNCAST" trace record -f -o "$T" -- "${launcher[@]}" "$@"
}

# same EXPECTED FILTER...: what rank 1 did, after a filter.
same() {
    local name=$1
    shift
    if ! "$DUMP" "$T/rank-1.rct" | "$@" > seen; then
        fault "$name: $T/rank-1.rct cannot be read"
    fi
    diff "$PMPI/expected/$name" seen > differences ||
        fault "$name is not what was expected: $(head -n 20 differences)"
}

# kinds FILE: how many calls of each kind.
kinds() { "$DUMP" "$1" 2> dump.err | awk '{n[$1]++} END {for (k in n) print k "=" n[k]}' | sort | xargs; }

compile() {
    local mpi=$1 name=$2
    shift 2
    "mpicc.$mpi" -O1 -w "$PMPI/$name.c" -o "$name-$mpi" "$@" 2> compile.err ||
        fault "$name: $(cat compile.err)"
}

T=$WORK/recording
begin 'a wrong call is refused before anything is run'
misused "$RUNCAST" trace record -- touch ran
fails "$RUNCAST" trace record -o "$T" -- touch ran
complains 'unknown MPI: touch links no MPI library'
is "$(ls)" "$(printf 'err\nout')" 'nothing is made'
run "$RUNCAST" trace record -o "$T" -- ./no-such-program
want_status 127

for mpi in openmpi mpich; do
    if ! command -v "mpicc.$mpi" > all.txt || ! command -v "mpirun.$mpi" > all.txt; then
        begin "$mpi"
        skip "needs $mpi"
        continue
    fi

    begin "$mpi: each call is recorded as it was made"
    compile $mpi calls
    for part in p2p collective communicators others; do
        ok launch $mpi 2 "./calls-$mpi" $part "$WORK/data-$mpi"
        prints "$part: all as it should be"
        # shellcheck disable=SC2016
        case $part in
        # which of several come first, and how often one has to ask, is up to MPI
        p2p)
            same $part grep -v '^Waitany\|^Waitsome\|^\(Test\|Request_get_status\) comm=0$'
            [ "$("$DUMP" "$T/rank-1.rct" | grep -c '^Test comm=0$')" -lt 200 ] ||
                fault 'a row of tests that find nothing is many calls'
            ;;
        communicators) same $part awk '!seen[$0]++' ;;
        *) same $part cat ;;
        esac
        ok "$RUNCAST" trace check "$T"
    done

    if "mpicc.$mpi" -E -dM -x c - <<< '#include <mpi.h>' | grep -q '^#define MPI_VERSION *4'; then
        begin "$mpi: calls with large counts, and calls that are not recorded"
        ok launch $mpi 2 "./calls-$mpi" large
        prints 'large: all as it should be'
        same large cat
        is "$(grep -c 'runcast: calls of MPI_Barrier_init are not traced' err)" 1 'how often it is said'
        ok "$RUNCAST" trace check "$T"
    fi

    begin "$mpi: a recording tells of its run, and is not lost by mistake"
    ok launch $mpi 2 "./calls-$mpi" communicators
    ok cat "$T/trace.json"
    is "$(json "j['version'], j['mpi'], j['ranks'], j['status'], len(j['hosts']), j['seconds'] > 0")" \
        "(1, '$mpi', 2, 0, 2, True)" trace.json
    is "$(json "j['command'][-1]")" communicators
    [ "$(stat -c %s "$T/rank-0.rct")" -lt 2000 ] || fault 'communicators in a loop do not fold'
    sum=$(cat "$T"/* | cksum)
    fails "$RUNCAST" trace record -o "$T" -- "./calls-$mpi"
    complains '--force'
    is "$(cat "$T"/* | cksum)" "$sum" 'the recording that was there'
    for wrong in ./no-such-program true; do
        run launch $mpi 2 $wrong
        complains 'nothing was recorded'
        is "$(cat "$T"/* | cksum)" "$sum" "the recording, with $wrong in place of the program"
    done
    # As if it had been killed while it replaced the recording.
    mkdir "$T/.before"
    mv "$T"/*.* "$T/.before"
    echo nothing > "$T/rank-0.rct"
    fails "$RUNCAST" trace record -o "$T" -- "./calls-$mpi"
    complains '--force'
    run launch $mpi 2 true
    is "$(cat "$T"/* | cksum)" "$sum" 'the recording that had been put aside'
    # And while it moved the files, of which it does not matter which come first.
    for first in trace.json rank-1.rct; do
        mkdir "$T/.moving"
        mv "$T/$first" "$T/.moving"
        run launch $mpi 2 true
        is "$(cat "$T"/* | cksum)" "$sum" "the recording of which $first had been moved"
    done
    is "$(ls -A "$T")" $'rank-0.rct\nrank-1.rct\ntrace.json' 'what is there'
    ok launch $mpi 2 "./calls-$mpi" collective
    is "$(ls -A "$T")" $'rank-0.rct\nrank-1.rct\ntrace.json' 'what is there'
    [ "$(cat "$T"/* | cksum)" != "$sum" ] || fault 'the recording was not replaced'
    fails "$RUNCAST" trace record -o "$T/trace.json" -- "./calls-$mpi"
    complains 'is not a directory'

    begin "$mpi: threads that call at once have a file each"
    compile $mpi threads -lpthread
    run launch $mpi 2 "./threads-$mpi"
    # shellcheck disable=SC2154 # the harness sets it
    if [ "$status" -eq 77 ]; then
        skip 'needs an MPI with threads'
    else
        want_status 0
        prints 'threads: all as it should be'
        ok "$RUNCAST" trace check "$T"
        is "$(for t in 1 2 3; do kinds "$T/rank-0.thread-$t.rct"; done | tr ' ' '\n' |
            awk -F= '{n[$1] += $2} END {print n["Irecv"], n["Isend"], n["Waitall"]}')" \
            '3000 3000 3000' 'calls of all threads'
        is "$(kinds "$T/rank-0.rct")" 'Finalize=1 Init_thread=1'
        is "$(for t in 1 2 3; do "$DUMP" "$T/rank-0.thread-$t.rct"; done |
            awk '/^Mprobe/ {tag = $NF} /^Mrecv/ {n++; if ($NF != tag || $2 != "comm=0") wrong++}
                END {print n, wrong + 0}')" '3000 0' 'matched messages, and those taken for others'
    fi

    begin "$mpi: a handle that another thread gets before the call that ended it returns"
    compile $mpi reuse -rdynamic -lpthread -ldl
    run launch $mpi 1 "./reuse-$mpi"
    if [ "$status" -eq 77 ]; then
        skip 'needs an MPI with threads'
    else
        want_status 0
        prints 'the same handle'
        is "$("$DUMP" "$T/rank-0.rct" | grep '^M' | grep -o '^[A-Za-z]*\|tag=.*' | xargs)" \
            'Mprobe tag=1 Mrecv tag=1 Mrecv tag=2'
    fi

    begin "$mpi: ends of all kinds"
    compile $mpi ends
    run launch $mpi 1 "./ends-$mpi" exit
    want_status 3
    is "$(kinds "$T/rank-0.rct")" 'Init=1 Send=10' exit
    run launch $mpi 1 "./ends-$mpi" late
    want_status 3
    is "$(kinds "$T/rank-0.rct")" 'Finalize=1 Init=1 Send=10' 'MPI_Finalize at exit'
    run launch $mpi 1 "./ends-$mpi" abort
    want_status 4
    is "$(kinds "$T/rank-0.rct")" 'Abort=1 Init=1 Send=10' abort
    for inside in handler signal; do
        run launch $mpi 1 "./ends-$mpi" $inside
        want_status 4
        is "$(kinds "$T/rank-0.rct")" 'Init=1 Send=10' "abort by a $inside, inside of a call"
        ok "$RUNCAST" trace check "$T"
    done
    ok launch $mpi 1 "./ends-$mpi" fork
    is "$(kinds "$T/rank-0.rct")" 'Finalize=1 Init=1 Send=10' fork
    run launch $mpi 1 "./ends-$mpi" kill
    [ "$status" -ne 0 ] || fault 'a program that was killed is said to be well'
    complains 'the trace is not complete'
    [ "$("$DUMP" "$T/rank-0.rct" 2> dump.err | grep -c '^Send')" -gt 10000 ] ||
        fault 'what was written of a killed program is gone'

    begin "$mpi: computing that waits for a core, or sleeps, is told from work"
    ok launch $mpi 1 "./ends-$mpi" gaps
    # 2 ms of work and 2 ms of sleep each.
    is "$("$DUMP" "$T/rank-0.rct" times | awk '/^Barrier/ {
        split($0, a, "before="); split($0, c, "cpu="); before += a[2]; if (c[2] >= 0) cpu += c[2]; n++
    } END {print n, (cpu > 0.9 * 40e6 && cpu < 1.4 * 40e6) ? "work" : cpu,
                    (before > cpu + 0.9 * 40e6) ? "and sleep" : before}')" '20 work and sleep'

    # Of 64 gaps the first has 2 ms of work, and the others 50 us.
    begin "$mpi: seldom measured work counts as often as it is done"
    ok launch $mpi 1 "./ends-$mpi" rounds
    is "$("$DUMP" "$T/rank-0.rct" times | awk '/^Barrier/ {
        split($0, c, "cpu="); n++; if (c[2] >= 0) {cpu += c[2]; measured++}
    } END {cpu /= measured * (2e6 + 63 * 50e3) / 64
           print n, (measured > n / 2), (cpu > 0.8 && cpu < 1.4) ? "as much" : cpu}')" '6400 1 as much'

    begin "$mpi: computing between tests is computing, and asking again and again is not"
    compile $mpi polls -rdynamic
    ok launch $mpi 1 "./polls-$mpi"
    is "$("$DUMP" "$T/rank-0.rct" times | awk '/^Barrier/ {part++} /^Test/ {
        n[part]++; split($0, b, "before="); split($0, i, "inside="); before[part] += b[2]; inside[part] += i[2]
    } END {print n[1], (before[1] > 1e7), (before[1] > 10 * inside[1]), n[2], (inside[2] > 10 * before[2])}')" \
        '1 1 1 1 1' "rows, and their times: $("$DUMP" "$T/rank-0.rct" times | grep '^Test')"

    # Each gap touches 8 MiB; pages whose addresses the processor still knows do not get a mark.
    begin "$mpi: memory and files of the computing are noted"
    ok launch $mpi 1 "./ends-$mpi" memory
    "$DUMP" "$T/rank-0.rct" times | grep '^note: MPI_Barrier to MPI_Barrier' > note
    # shellcheck disable=SC2016
    is "$(awk '{print ($6 > 4194304 && $6 < 16777216 && $8 + 0 > 0), $12 / $14}' note)" '1 65536' \
        "what was noted: $(cat note)"

    begin "$mpi: trouble ends the recording, not the program"
    ok launch $mpi 1 "./ends-$mpi" full
    prints 'went on to the end'
    is "$(grep -c 'runcast: tracing stopped: ' err)" 1 'how often it is said'
    "$DUMP" "$T/rank-0.rct" 2> dump.err | head -n 1 > first
    is "$(cat first)" 'Init comm=0' 'what was written before'
    ok launch $mpi 1 "./ends-$mpi" requests
    prints 'went on to the end'
    complains 'runcast: tracing stopped: too many requests'
    complains 'the trace is not complete'
    fails "$RUNCAST" trace check "$T"
    fails "$RUNCAST" trace import "$T" --size 1
    ok env RUNCAST_TRACE_DIR="$WORK/nowhere" \
        LD_PRELOAD="$(dirname "$RUNCAST")/src/mpi/preload/libruncast-pmpi-$mpi.so" "./ends-$mpi"
    prints 'went on to the end'
    is "$(grep -c 'runcast: tracing stopped: ' err)" 1 'how often it is said'

    begin "$mpi: one program is recorded, and not what it or its command starts beside it"
    launcher $mpi 1
    # Not every MPI can start processes wherever it runs.
    if timeout 60 "${launcher[@]}" "$WORK/ends-$mpi" spawn > all.txt 2>&1; then
        ok launch $mpi 1 "$WORK/ends-$mpi" spawn
        is "$(grep -c 'processes started by MPI_Comm_spawn are not traced' err)" 1 'how often it is said'
        is "$(ls "$T")" $'rank-0.rct\ntrace.json'
        is "$(kinds "$T/rank-0.rct")" 'Comm_disconnect=1 Comm_spawn=1 Finalize=1 Init=1 Send=10'
    fi
    for ranks in 1 2; do
        launcher $mpi $ranks
        echo "${launcher[*]} ./ends-$mpi || exit"
    done > twice
    ok timeout 60 "$RUNCAST" trace record -f -o "$T" --mpi $mpi -- sh twice
    complains 'another program of this run is already traced'
    is "$(ls "$T")" $'rank-0.rct\ntrace.json'
    ok "$RUNCAST" trace check "$T"

    begin "$mpi: the object for another MPI is not loaded, and what has nothing leaves nothing"
    other=mpich
    [ $mpi = openmpi ] || other=openmpi
    fails "$RUNCAST" trace record -o none --mpi $other -- "./ends-$mpi"
    complains "uses $mpi, not $other"
    fails "$RUNCAST" trace record -o none --mpi $mpi -- true
    complains 'did not complete MPI_Init'
    if command -v "mpirun.$other" > all.txt; then
        fails "$RUNCAST" trace record -o none -- "mpirun.$other" -np 2 "./ends-$mpi"
        complains "mpirun.$other belongs to $other, but ./ends-$mpi uses $mpi"
    fi
    [ ! -e none ] || fault 'a directory with nothing in it is left'

    begin "$mpi: the object does nothing in programs without MPI"
    ok env RUNCAST_TRACE_DIR="$T" LD_BIND_NOW=1 \
        LD_PRELOAD="$(dirname "$RUNCAST")/src/mpi/preload/libruncast-pmpi-$mpi.so" ls /
    silent

    begin "$mpi: a program may load MPI late"
    read -ra compiler <<< "${CC:-cc}" # it may have words before it, as in "ccache cc"
    "${compiler[@]}" -w "$PMPI/late.c" -o late -ldl 2> compile.err || fault "late: $(cat compile.err)"
    compile $mpi late -DMODULE -shared -fPIC
    ok launch $mpi 2 ./late "$WORK/late-$mpi"
    prints 'late: all as it should be'
    is "$(kinds "$T/rank-1.rct")" 'Allreduce=1 Finalize=1 Init=1'

    begin "$mpi: Fortran"
    if ! command -v "mpif90.$mpi" > all.txt || ! command -v gfortran > all.txt; then
        skip 'needs Fortran'
        continue
    fi
    for way in INCLUDE MODULE F08; do
        if ! "mpif90.$mpi" -cpp -w -fallow-argument-mismatch -DWITH_$way "$PMPI/fortran.f90" \
            -o "fortran-$mpi" 2> compile.err; then
            fault "$way: $(head -n 5 compile.err)"
            continue
        fi
        ok launch $mpi 2 "./fortran-$mpi"
        prints 'fortran: all as it should be'
        same fortran cat
    done
done
finish
