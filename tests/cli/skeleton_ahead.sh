#!/bin/bash
# Skeletons of programs whose messages cross iterations, on each MPI.
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"

# counts: calls of the skeleton by kind, then the fewest and the most bytes of a pair
counts() {
    tail -n 1 out > line && mv line out
    json "' '.join(f'{k[4:]}:{v[0]}' for k, v in j['calls'].items())"
    json "min(p[3] for p in j['pairs']), max(p[3] for p in j['pairs'])"
}

# is_cut MPI KIND COUNTS BYTES: a tenth of 400 iterations
is_cut() {
    # shellcheck disable=SC2046 # the words of a command
    ok timeout 60 "$RUNCAST" trace record -o "$1-$2" -- $(launch "$1" 4 "./ahead-$1" "$2" 400 1)
    prints '"check": "ok"'
    ok timeout 60 "$RUNCAST" skeleton build "$1-$2" --ratio 10 --force -o "$2.c"
    ok "mpicc.$1" -O2 -Wall -Wextra -Werror -std=c11 -o "$2" "$2.c" -lm
    # shellcheck disable=SC2046
    ok timeout 60 $(launch "$1" 4 "./$2" --counts)
    is "$(counts)" "$3
$4"
}

for mpi in openmpi mpich; do
    begin "$mpi: receives are posted an iteration ahead"
    if ! command -v "mpicc.$mpi" > which || ! command -v "mpirun.$mpi" > which; then
        skip "needs $mpi"
        continue
    fi
    ok "mpicc.$mpi" -O2 -Wall -o "ahead-$mpi" "$SOURCE_ROOT/tests/cli/ahead_program.c"
    is_cut $mpi halo 'Isend:320 Irecv:320 Waitall:160' '(1310720, 1310720)'
    ok "$RUNCAST" skeleton show "$mpi-halo"
    prints 'times: '
    # Two iterations and all that is around them, for each of two kinds of ranks.
    [ "$(grep -c 'Waitall(' halo.c)" -lt 20 ] || fault 'iterations were written out'

    # The plan is the same whichever MPI it was recorded with.
    [ $mpi = openmpi ] || continue
    begin "$mpi: and all meet from time to time"
    is_cut $mpi mixed 'Isend:320 Irecv:320 Waitall:160 Allreduce:16' '(1310720, 1310720)'

    begin "$mpi: sends are waited for in the next iteration"
    is_cut $mpi ring 'Isend:160 Irecv:160 Waitall:163' '(1306624, 1306624)'
done

finish
