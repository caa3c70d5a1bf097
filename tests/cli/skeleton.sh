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
complains 'note: 3 messages were received from MPI_ANY_SOURCE'
prints '25 times'
ok "$RUNCAST" skeleton show made --rank 3 --json
is "$(json "[l['iterations'] for l in j['loops'] if l.get('iterations') == 25]")" '[25, 25]'
is "$(json "j['procs']")" 4

begin 'a given similarity threshold replaces the search'
mkdir growing
"$MAKE_RECORDING" growing 4 50 10
# clusters THRESHOLD: the threshold and the number of clusters with it
clusters() {
    ok "$RUNCAST" skeleton build growing --ratio 4 --force -o growing.c --json "$@"
    json "j['threshold_fraction'], j['call_clusters']"
}
is "$(clusters)" '(0.02, 110)' # the first step at which a line represents two calls
# 3 pairs send both ways in 50 rounds, and 8 calls are neither; 1024 (1 + r / 100) numbers in round r
is "$(clusters --similarity-threshold 0)" '(0, 308)'
is "$(clusters --similarity-threshold 0.1)" '(0.1, 32)'
is "$(clusters --similarity-threshold 30%)" '(0.3, 20)'
ok "$RUNCAST" skeleton show growing --similarity-threshold 0.1
prints 'differ by up to 10 % are considered equal; a line represents 9.364 calls'
for threshold in 1 -0.1 nan; do
    misused "$RUNCAST" skeleton build growing --ratio 4 -o growing.c --similarity-threshold $threshold
    complains '--similarity-threshold'
done

begin 'usage errors name what is missing'
misused "$RUNCAST" skeleton build made -o s.c
complains '--target-time TIME or --ratio K'
misused "$RUNCAST" skeleton build made --ratio 2
complains '--output FILE.c'
misused "$RUNCAST" skeleton build made --ratio 0.5 -o s.c
misused "$RUNCAST" skeleton build made --ratio 2 --target-time 1 -o s.c
misused "$RUNCAST" skeleton show made --rank 4
complains 'ranks 0 to 3'
misused "$RUNCAST" skeleton predict made s
misused "$RUNCAST" skeleton predict made -- touch ran
complains "missing argument before '--'"
[ ! -e ran ] || fault 'it was run'
fails "$RUNCAST" skeleton show no-such-directory
fails "$RUNCAST" skeleton build made --ratio 2 -o no-such-directory/s.c
complains 'no-such-directory/s.c'

begin 'other files are not replaced'
echo 'int main(void) { return 0; }' > made.c
cp made.c before
fails "$RUNCAST" skeleton build made --ratio 2 --force -o made.c
complains 'exists and is not a skeleton'
ok cmp made.c before
misused "$RUNCAST" skeleton build made --ratio 2 --force -o skeleton
complains 'does not end in .c'
ok "$RUNCAST" skeleton build made --ratio 2 --force -o 'its own.c'
prints "mpicc -O2 -o 'its own' 'its own.c'"
ok "$RUNCAST" skeleton build made --target-time 1000 --force -o 'its own.c'
prints '1 times shorter'
complains 'a skeleton cannot be longer'
ok "$RUNCAST" skeleton build made --ratio 2 --force -o 'its own.c' --json
is "$(json "j['file'], j['procs'], 0 < j['time_s'] <= j['traced_time_s']")" "('its own.c', 4, True)"

begin 'a usage error is found before the skeleton runs'
misused "$RUNCAST" skeleton predict made s --repeat 1001 -- touch ran
complains '1001 is more than 1000'
misused "$RUNCAST" skeleton predict made s --plot s.txt -- touch ran
[ ! -e ran ] || fault 'it was run'

begin 'an incomplete trace gives no skeleton'
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
    ok timeout 60 "$RUNCAST" trace record -o "r-$mpi" -- \
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
    complains 'calls would remain in a skeleton of'
    [ ! -e nothing.c ] || fault 'nothing.c was written'
    ok "$RUNCAST" skeleton build "r-$mpi" --ratio 1e9 --force -o nothing.c
    complains 'fewer than 4 iterations of the main loop'
    ok "mpicc.$mpi" -O2 -Wall -Wextra -Werror -std=c11 -o nothing nothing.c
    # shellcheck disable=SC2046
    ok timeout 60 $(launch $mpi 3 ./nothing)
    # shellcheck disable=SC2046
    ok timeout 60 "$RUNCAST" skeleton measure "r-$mpi" nothing --json -- $(launch $mpi 3 ./nothing)
    complains 'nothing is too short to be reliable'
    is "$(json "j['too_short'], 'too short' in j['notes'][0]")" '(True, True)'
    # shellcheck disable=SC2046
    ok timeout 60 "$RUNCAST" skeleton predict "r-$mpi" nothing -- $(launch $mpi 3 ./nothing)
    complains 'nothing is too short to be reliable'

    begin "$mpi: it is measured, and predicts"
    # shellcheck disable=SC2046
    ok timeout 100 "$RUNCAST" skeleton measure "r-$mpi" "s-$mpi.c" --json -- \
        $(launch $mpi 3 "./s-$mpi")
    is "$(json "j['skeleton_runs'], j['intended_ratio'], j['ratio'] > 0")" '(3, 100, True)'
    # shellcheck disable=SC2046
    ok timeout 100 "$RUNCAST" skeleton predict "r-$mpi" "s-$mpi" --repeat 2 --json -- \
        $(launch $mpi 3 "./s-$mpi")
    silent
    is "$(json "j['skeleton_runs'], j['ratio_measured'], 0 < j['interval_s']['low'] < j['mean_s'] < j['interval_s']['high']")" \
        '(2, True, True)'
    # With another skeleton of that name, or another trace, the ratio is meaningless.
    sed 's/#define RATIO .*/#define RATIO 11.0/' "s-$mpi.c" > other.c
    ok "mpicc.$mpi" -O2 -o other other.c
    # shellcheck disable=SC2046
    ok timeout 100 "$RUNCAST" skeleton predict "r-$mpi" "s-$mpi" -- $(launch $mpi 3 ./other)
    complains 'one of them was made again; the intended ratio 11'
    sed 's/#define ORIGINAL .*/#define ORIGINAL 1234.5/' "s-$mpi.c" > other.c
    ok "mpicc.$mpi" -O2 -o other other.c
    # shellcheck disable=SC2046
    fails timeout 100 "$RUNCAST" skeleton predict "r-$mpi" "s-$mpi" -- $(launch $mpi 3 ./other)
    complains 'was not made from the trace'
    # shellcheck disable=SC2046
    fails timeout 100 "$RUNCAST" skeleton measure "r-$mpi" "s-$mpi" -- $(launch $mpi 3 ./other)
    complains 'was not made from the trace'
    rm "r-$mpi/skeleton-s-$mpi.json"
    # shellcheck disable=SC2046
    ok timeout 100 "$RUNCAST" skeleton predict "r-$mpi" "s-$mpi" -- $(launch $mpi 3 "./s-$mpi")
    complains 'was not measured'

    begin "$mpi: other programs and other skeletons are refused"
    fails "$RUNCAST" skeleton predict "r-$mpi" "s-$mpi" -- true
    complains 'is not a skeleton'
    fails "$RUNCAST" skeleton predict "r-$mpi" "s-$mpi" -- sh -c 'echo the last word; exit 3'
    complains 'ended with status 3'
    complains 'the last word'
    printf 'printf "%%s\nno slots\n\nmore\n%%s\n" %s %s; exit 1\n' \
        ---------------------- ---------------------- > boxed
    fails "$RUNCAST" skeleton predict "r-$mpi" "s-$mpi" -- sh boxed
    complains 'its last output: no slots'
    # shellcheck disable=SC2046
    fails timeout 60 "$RUNCAST" skeleton predict "r-$mpi" another -- $(launch $mpi 3 "./s-$mpi")
    complains "not another"
    # shellcheck disable=SC2046
    fails timeout 60 "$RUNCAST" skeleton predict "r-$mpi" "s-$mpi" -- $(launch $mpi 2 "./s-$mpi")
    complains 'the skeleton needs 3 processes'
done

finish
