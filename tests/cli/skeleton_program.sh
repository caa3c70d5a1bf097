#!/bin/bash
# Programs that plans become: they compile without a warning, run to their end on every MPI, and make
# the calls that the plans say.
. "$(dirname "$0")/harness.sh"
PLAN_PROGRAM=${PLAN_PROGRAM:?set PLAN_PROGRAM to the program that makes plans}

cat > platform.xml << 'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="h" suffix="" radical="0-31" speed="1Gf" bw="125MBps" lat="50us"/>
</platform>
END
seq 0 31 | sed 's/^/h/' > hosts

# compiler MPI
compiler() {
    case $1 in
    openmpi) echo mpicc.openmpi ;;
    mpich) echo mpicc.mpich ;;
    smpi) echo smpicc ;;
    esac
}

# launch MPI RANKS PROGRAM ARGUMENTS...
launch() {
    local mpi=$1 ranks=$2
    shift 2
    case $mpi in
    openmpi) timeout 60 mpirun.openmpi --allow-run-as-root --oversubscribe -np "$ranks" "$@" ;;
    mpich) timeout 60 mpiexec.mpich -np "$ranks" "$@" ;;
    smpi)
        timeout 60 smpirun -np "$ranks" -platform platform.xml -hostfile hosts \
            --cfg=smpi/simulate-computation:no --cfg=network/optim:Full \
            --cfg=smpi/host-speed:1Gf --log=root.thres:warning "$@"
        ;;
    esac
}

# build MPI PLAN RANKS: program PLAN-RANKS.MPI
build() {
    "$PLAN_PROGRAM" "$2" "$3" source > "$2.c" || fault "$2: no program"
    ok "$(compiler "$1")" -O2 -std=c11 -Wall -Wextra -Werror -o "$2-$3.$1" "$2.c"
}

# as_planned MPI PLAN RANKS: it runs, and says what the plan says.
as_planned() {
    build "$1" "$2" "$3"
    ok launch "$1" "$3" "./$2-$3.$1" --counts
    is "$(sed 's/.*"calls"/"calls"/' out)" "$("$PLAN_PROGRAM" "$2" "$3" counts)" "$2 on $3"
}

for mpi in openmpi mpich smpi; do
    begin "every kind of call runs on $mpi, as often and with as many bytes as planned"
    if ! command -v "$(compiler $mpi)" > /dev/null; then
        skip "needs $mpi"
        continue
    fi
    as_planned $mpi all 4
    as_planned $mpi all 1
    if [ $mpi = openmpi ]; then
        as_planned $mpi all 2
        as_planned $mpi no-files 3
    fi
    is "$(find . -name '*.file-*' -o -name 'all-[0-9].??????')" '' 'files that are left'
done

begin 'long programs become tables'
if ! command -v mpicc.openmpi > /dev/null; then
    skip 'needs Open MPI'
else
    as_planned openmpi long 2
    is "$(grep -c 'walk(items' long.c)" 1
fi

begin 'a program says what it is, and refuses what it is not for'
if ! command -v mpicc.openmpi > /dev/null; then
    skip 'needs Open MPI'
else
    ok launch openmpi 1 ./no-files-3.openmpi --help
    prints 'Runs on 3 processes'
    run launch openmpi 2 ./no-files-3.openmpi
    # shellcheck disable=SC2154 # run sets it
    [ "$status" -ne 0 ] || fault 'it runs on 2 processes'
    complains 'the skeleton needs 3 processes, not 2'
    run launch openmpi 3 ./no-files-3.openmpi --repeat none
    complains "--repeat: 'none' is not a number above 0"
    run launch openmpi 4 ./all-4.openmpi --directory nowhere
    [ "$status" -ne 0 ] || fault 'it writes nowhere'
    complains 'cannot make a file in nowhere'
    ok launch openmpi 3 ./no-files-3.openmpi --repeat 3
    is "$(python3 -c "
import json
for line in open('out'):
    j = json.loads(line)
    print(j['skeleton'], j['ratio'], j['ranks'], j['seconds'] > 0, 0 <= j['communicating'] <= 1)")" \
        "$(printf 'no-files 10 3 True True\n%.0s' 1 2 3)"
    run mpicc.openmpi -O0 -o slow no-files.c
    complains 'compile with -O2'
fi

begin 'the memory that a program goes over is there before it is timed'
if ! command -v mpicc.openmpi > /dev/null; then
    skip 'needs Open MPI'
else
    cat > resident.c << 'END'
#include <mpi.h>
#include <stdio.h>
int MPI_Barrier(MPI_Comm communicator)
{
    static int calls;
    long all, resident = 0;
    FILE *file = calls++ ? NULL : fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld %ld", &all, &resident) == 2)
        fprintf(stderr, "resident: %ld\n", resident);
    if (file)
        fclose(file);
    return PMPI_Barrier(communicator);
}
END
    "$PLAN_PROGRAM" work 1 source > work.c
    is "$(sed -n 's/.* most_footprint\[RANKS\] = //p' work.c)" '{10000000};'
    is "$(grep -c '^    {0.001, 0}, ' work.c)" 1 'what is less than a line'
    for bytes in 10000000 90000000; do
        sed "s/ most_footprint\[RANKS\] = .*/ most_footprint[RANKS] = {$bytes};/" work.c > more.c
        ok mpicc.openmpi -O2 -o more more.c resident.c
        MALLOC_PERTURB_=0 run launch openmpi 1 ./more # which would touch it, too
        sed -n 's/^resident: //p' err > "pages-$bytes"
    done
    more=$((($(< pages-90000000) - $(< pages-10000000)) * $(getconf PAGESIZE)))
    [ $more -gt 79000000 ] || fault "80000000 bytes more are $more that are there"
fi

begin 'a program has nothing that it does not use'
if ! command -v clang > /dev/null || ! command -v mpicc.mpich > /dev/null; then
    skip 'needs clang and MPICH'
else
    for kind in Send Bsend Ibsend Irecv Probe Start Waitall Barrier Ibcast Gatherv Iallreduce Reduce_scatter \
        Neighbor_alltoallv File_read_at; do
        "$PLAN_PROGRAM" MPI_$kind 3 source > only.c
        ok mpicc.mpich -cc=clang -O1 -c -std=c11 -Wall -Wextra -Werror -o only.o only.c
    done
fi

begin 'a program is clean under the sanitizers'
if ! command -v clang > /dev/null || ! command -v mpicc.mpich > /dev/null; then
    skip 'needs clang and MPICH'
else
    "$PLAN_PROGRAM" all 2 source > all.c
    ok mpicc.mpich -cc=clang -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
        -o clean all.c
    ASAN_OPTIONS=detect_leaks=0 run launch mpich 2 ./clean # MPICH's own are not ours
    is "$status" 0
    silent
fi

finish
