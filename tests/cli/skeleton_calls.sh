#!/bin/bash
# Skeletons of programs with calls that are seldom made, on each MPI: they run to their end, and make
# the calls that they should.
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"

# is_cut MPI KIND KIND:CALLS:BYTES...: a tenth of 40 iterations; bytes within 1 %.  Of tests, as many may
# have found nothing: CALLS+ stands for that.
is_cut() {
    # shellcheck disable=SC2046 # the words of a command
    ok timeout 60 "$RUNCAST" trace record -o "$1-$2" -- $(launch "$1" 4 "./calls-$1" "$2" 40)
    ok timeout 60 "$RUNCAST" skeleton build "$1-$2" --ratio 10 --force -o "$2.c"
    cp err notes
    ok "mpicc.$1" -O2 -Wall -Wextra -Werror -std=c11 -o "$2" "$2.c" -lm
    # shellcheck disable=SC2046
    ok timeout 60 $(launch "$1" 4 "./$2" --counts --repeat 2)
    is "$(wc -l < out)" 2 'lines'
    [[ $* == *+* ]] || is "$(head -n 1 out | sed 's/.*"calls"//')" \
        "$(tail -n 1 out | sed 's/.*"calls"//')" 'both runs'
    tail -n 1 out > line && mv line out
    is "$(json "len(j['calls'])")" $(($# - 2)) 'kinds'
    for expected in "${@:3}"; do
        IFS=: read -r kind calls bytes <<< "$expected"
        if [ "$calls" = "${calls%+}" ]; then
            is "$(json "j['calls']['MPI_$kind'][0]")" "$calls" "calls of $kind"
        else
            is "$(json "${calls%+} <= j['calls']['MPI_$kind'][0] <= 2 * ${calls%+}")" True \
                "$calls or more of $kind"
        fi
        is "$(json "abs(j['calls']['MPI_$kind'][1] - $bytes) <= 0.01 * $bytes")" True \
            "$bytes bytes of $kind, or about as many"
    done
}

for mpi in openmpi mpich; do
    [ "$LONG" = 1 ] || [ $mpi = openmpi ] || continue
    begin "$mpi: sends that wait for nobody"
    if ! command -v "mpicc.$mpi" > which || ! command -v "mpirun.$mpi" > which; then
        skip "needs $mpi"
        continue
    fi
    ok "mpicc.$mpi" -O2 -Wall -o "calls-$mpi" "$SOURCE_ROOT/tests/cli/calls_program.c"
    is_cut $mpi buffered Bsend:16:16777216 Recv:16:0 Barrier:16:0

    begin "$mpi: neighbours in a grid"
    is_cut $mpi grid Wait:16:0 Neighbor_alltoall:16:16000 Ineighbor_allgather:16:6400

    begin "$mpi: neighbours in a graph"
    is_cut $mpi graph Neighbor_allgatherv:16:8000 Neighbor_alltoallv:16:120000

    begin "$mpi: files"
    # A tenth of 4 times 20.78 MB that are written, and of 40 times 200 kB that are read.
    is_cut $mpi files Barrier:16:0 File_read_at:4:800000 File_write_at:16:8312000
    # Only the first rank reads, so that nobody else has anything to prepare.
    grep -q 'is_read\[FILES \* RANKS\] = {1, 0, 0, 0};' files.c || fault 'others read, too'

    begin "$mpi: messages from anyone"
    is_cut $mpi anyone Irecv:32:0 Send:32:32000 Wait:32:0
    ! grep -q timing notes || fault "$(cat notes)"

    begin "$mpi: messages that are asked for"
    is_cut $mpi asked Irecv:64:0 Isend:64:64000 Send:32:32000 Recv:32:0 Probe:16:0 Iprobe:16+:0 \
        Waitany:64:0 Test:16+:0 Testany:16+:0 Testall:16+:0 Sendrecv_replace:16:16000
    ! grep -q 'timing\|no loop' notes || fault "$(cat notes)"

    begin "$mpi: messages that are started together"
    is_cut $mpi started Startall:32:32000 Start:16:1600 Waitall:16:0 Recv:16:0 Wait:16:0

    # The plan is the same whichever MPI it was recorded with.
    [ $mpi = openmpi ] || continue

    begin "$mpi: requests that are freed"
    is_cut $mpi freed Ibsend:16:16777216 Recv:16:0 Barrier:16:0
    ! grep -q 'must not wait' notes || fault 'they are said to wait'

    begin "$mpi: sends that may wait are told of"
    is_cut $mpi short Send:16:128 Recv:16:0
    grep -q 'sends must not wait for their receives.* rank 0, .*waits forever' notes ||
        fault 'no note'
    grep -q 'must not wait' short.c || fault 'the program does not tell it'

    begin "$mpi: sends that are not completed"
    is_cut $mpi left Allreduce:16:512

    begin "$mpi: what is gathered has room at the root alone"
    is_cut $mpi gathered Gatherv:16:16777216
    is "$(sed -n 's/.*most_got\[RANKS\] = //p' gathered.c)" '{0, 0, 0, 4194304};'
done

finish
