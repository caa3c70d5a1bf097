#!/bin/bash
# 'runcast skeleton': from a recorded program to a short one that behaves like it, on each MPI.
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"
MAKE_RECORDING=${MAKE_RECORDING:?set MAKE_RECORDING to the program that makes recordings}

# ---- what can be seen without an MPI ----

mkdir made
"$MAKE_RECORDING" made 4 50

begin 'a program is shown as its loops'
ok "$RUNCAST" skeleton show made
complains 'note: 3 messages were taken from whichever rank came first'
prints '25 times'
ok "$RUNCAST" skeleton show made --rank 3 --json
is "$(json "[l['times'] for l in j['signature'] if l.get('times') == 25]")" '[25, 25]'
is "$(json "j['ranks']")" 4

begin 'wrong calls say what is missing'
misused "$RUNCAST" skeleton build made -o s.c
complains '--seconds S or --ratio K'
misused "$RUNCAST" skeleton build made --ratio 2
complains '-o FILE.c'
misused "$RUNCAST" skeleton build made --ratio 0.5 -o s.c
misused "$RUNCAST" skeleton build made --ratio 2 --seconds 1 -o s.c
misused "$RUNCAST" skeleton show made --rank 4
complains 'ranks 0 to 3'
misused "$RUNCAST" skeleton predict made s
misused "$RUNCAST" skeleton predict made -- touch ran
complains "missing argument before '--'"
[ ! -e ran ] || fault 'it was run'
fails "$RUNCAST" skeleton show no-such-directory
fails "$RUNCAST" skeleton build made --ratio 2 -o no-such-directory/s.c
complains 'no-such-directory/s.c'

begin 'what is there and no skeleton is left alone'
echo 'int main(void) { return 0; }' > made.c
cp made.c before
fails "$RUNCAST" skeleton build made --ratio 2 --force -o made.c
complains 'it is no skeleton'
ok cmp made.c before
misused "$RUNCAST" skeleton build made --ratio 2 --force -o skeleton
complains 'does not end in .c'
ok "$RUNCAST" skeleton build made --ratio 2 --force -o 'its own.c'
prints "mpicc -O2 -o 'its own' 'its own.c'"
ok "$RUNCAST" skeleton build made --seconds 1000 --force -o 'its own.c'
prints '1 times shorter'
complains 'is not longer than that'

begin 'what cannot be drawn, or would be too much, is not run'
misused "$RUNCAST" skeleton predict made s --repeat 1001 -- touch ran
complains '1001 is more than 1000'
misused "$RUNCAST" skeleton predict made s --plot s.txt -- touch ran
[ ! -e ran ] || fault 'it was run'

begin 'a recording that is not whole gives no skeleton'
cp -r made damaged
truncate -s -10 damaged/rank-2.rct
fails "$RUNCAST" skeleton build damaged --ratio 2 -o s.c
complains 'rank-2.rct'
complains "runcast trace check damaged"
rm made/rank-1.rct
fails "$RUNCAST" skeleton show made
[ ! -e s.c ] || fault 's.c was written'

plain_only

# ---- the whole way ----

# calls: kinds of calls and how many, of the skeleton's line in out
calls() { tail -n 1 out > line && mv line out && json "{k: v[0] for k, v in j['calls'].items()}"; }

for mpi in openmpi mpich; do
    begin "$mpi: a program is recorded, and its skeleton is like it"
    if ! command -v "mpicc.$mpi" > which || ! command -v "mpirun.$mpi" > which; then
        skip "needs $mpi"
        continue
    fi
    ok "mpicc.$mpi" -O2 -I"$SOURCE_ROOT/apps" -o "poisson-$mpi" "$SOURCE_ROOT"/apps/poisson.c \
        "$SOURCE_ROOT"/apps/app.c "$SOURCE_ROOT"/apps/app_checkpoint.c -lm
    # shellcheck disable=SC2046 # the words of a command
    ok timeout 60 "$RUNCAST" trace -o "r-$mpi" -- \
        $(launch $mpi 3 "./poisson-$mpi" --size 300 --iterations 600)
    prints '"check": "ok"'
    ok "$RUNCAST" skeleton show "r-$mpi"
    prints '600 times'
    ok "$RUNCAST" skeleton build "r-$mpi" --ratio 100 --force -o "s-$mpi.c"
    prints '100 times shorter'
    ok "mpicc.$mpi" -O2 -Wall -Wextra -Werror -std=c11 -o "s-$mpi" "s-$mpi.c"
    # shellcheck disable=SC2046
    ok timeout 60 $(launch $mpi 3 "./s-$mpi" --counts)
    # In each of six iterations, each of three ranks sends up and down, some to nobody.
    is "$(calls | tr -d "{}' " | tr , '\n' | grep '^MPI_I')" $'MPI_Isend:36\nMPI_Irecv:36'

    rm -f nothing.c
    fails "$RUNCAST" skeleton build "r-$mpi" --ratio 1e9 -o nothing.c
    complains 'none would remain'
    [ ! -e nothing.c ] || fault 'nothing.c was written'
    ok "$RUNCAST" skeleton build "r-$mpi" --ratio 1e9 --force -o nothing.c
    complains 'fewer than 4 iterations of the main loop'
    ok "mpicc.$mpi" -O2 -Wall -Wextra -Werror -std=c11 -o nothing nothing.c
    # shellcheck disable=SC2046
    ok timeout 60 $(launch $mpi 3 ./nothing)
    # shellcheck disable=SC2046
    ok timeout 60 "$RUNCAST" skeleton measure "r-$mpi" nothing --json -- $(launch $mpi 3 ./nothing)
    complains 'nothing is too short to be trusted'
    is "$(json "j['short'], 'too short' in j['notes'][0]")" '(True, True)'
    # shellcheck disable=SC2046
    ok timeout 60 "$RUNCAST" skeleton predict "r-$mpi" nothing -- $(launch $mpi 3 ./nothing)
    complains 'nothing is too short to be trusted'

    begin "$mpi: it is measured, and predicts"
    # shellcheck disable=SC2046
    ok timeout 100 "$RUNCAST" skeleton measure "r-$mpi" "s-$mpi.c" --json -- \
        $(launch $mpi 3 "./s-$mpi")
    is "$(json "j['trials'], j['meant'], j['ratio'] > 0")" '(3, 100, True)'
    # shellcheck disable=SC2046
    ok timeout 100 "$RUNCAST" skeleton predict "r-$mpi" "s-$mpi" --repeat 2 --json -- \
        $(launch $mpi 3 "./s-$mpi")
    silent
    is "$(json "j['trials'], j['measured'], 0 < j['low'] < j['predicted'] < j['high']")" \
        '(2, True, True)'
    # With another skeleton of that name, or another recording, the ratio means nothing.
    sed 's/#define RATIO .*/#define RATIO 11.0/' "s-$mpi.c" > other.c
    ok "mpicc.$mpi" -O2 -o other other.c
    # shellcheck disable=SC2046
    ok timeout 100 "$RUNCAST" skeleton predict "r-$mpi" "s-$mpi" -- $(launch $mpi 3 ./other)
    complains 'one of them was made anew; it is taken to be 11'
    sed 's/#define ORIGINAL .*/#define ORIGINAL 1234.5/' "s-$mpi.c" > other.c
    ok "mpicc.$mpi" -O2 -o other other.c
    # shellcheck disable=SC2046
    fails timeout 100 "$RUNCAST" skeleton predict "r-$mpi" "s-$mpi" -- $(launch $mpi 3 ./other)
    complains 'was not made of the recording'
    # shellcheck disable=SC2046
    fails timeout 100 "$RUNCAST" skeleton measure "r-$mpi" "s-$mpi" -- $(launch $mpi 3 ./other)
    complains 'was not made of the recording'
    rm "r-$mpi/skeleton-s-$mpi.json"
    # shellcheck disable=SC2046
    ok timeout 100 "$RUNCAST" skeleton predict "r-$mpi" "s-$mpi" -- $(launch $mpi 3 "./s-$mpi")
    complains 'was not measured'

    begin "$mpi: what is no skeleton, or another one, is refused"
    fails "$RUNCAST" skeleton predict "r-$mpi" "s-$mpi" -- true
    complains 'is no skeleton'
    fails "$RUNCAST" skeleton predict "r-$mpi" "s-$mpi" -- sh -c 'echo the last word; exit 3'
    complains 'ended with status 3'
    complains 'the last word'
    printf 'printf "%%s\nno slots\n\nmore\n%%s\n" %s %s; exit 1\n' \
        ---------------------- ---------------------- > boxed
    fails "$RUNCAST" skeleton predict "r-$mpi" "s-$mpi" -- sh boxed
    complains 'its last words: no slots'
    # shellcheck disable=SC2046
    fails timeout 60 "$RUNCAST" skeleton predict "r-$mpi" another -- $(launch $mpi 3 "./s-$mpi")
    complains "not another"
    # shellcheck disable=SC2046
    fails timeout 60 "$RUNCAST" skeleton predict "r-$mpi" "s-$mpi" -- $(launch $mpi 2 "./s-$mpi")
    complains 'this is for 3 processes'
done

finish
