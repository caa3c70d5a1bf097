#!/bin/bash
# The workloads: right on every MPI, on any number of ranks, and the same work where it is simulated.
. "$(dirname "$0")/harness.sh"

# app, size, iterations: small, as only rightness is looked at; size on hosts that are simulated
apps='cg 2000 10 20000
ehl 128 2 1024
eigen 40 12 400
ep 14 2 22
fft 4096 2 262144
ga 40 3 400
hitemp 16 2 100
is 20000 2 1000000
jacobi3d 24 10 128
lu 10 3 64
matmul 60 2 512
md 100 5 2000
mg 64 8 1024
nbody 60 5 400
poisson 200 20 2000
sor 200 20 2000
sp 12 3 60
ssor 200 20 2000'

begin 'every workload is tried here'
is "$(echo "$apps" | cut -d ' ' -f 1 | tr '\n' ' ')" \
    "$(cd "$SOURCE_ROOT/apps" && printf '%s\n' *.c | grep -vE '^(app[._]|microbenchmark)' | sed 's/\.c$//' | tr '\n' ' ')"

names=()
if [ "$LONG" = 0 ]; then
    apps=$(grep -E '^(ga|poisson|sp) ' <<< "$apps")
    names=(ehl ga mg poisson sor sp microbenchmark) # includes the programs that single cases need
fi

begin 'workloads are built without a warning'
run "$SOURCE_ROOT/tools/build-apps" "$WORK/apps" "${names[@]}"
# shellcheck disable=SC2154 # run sets it
if [ "$status" -ne 0 ]; then
    skip 'needs MPI'
    finish
    exit 0
fi
silent
prints 'programs built for'
ok "$SOURCE_ROOT/tools/build-apps" "$WORK/apps" "${names[@]}"
prints '0 programs built' # nothing is older than its sources

# launch MPI RANKS APP ARGUMENTS...
launch() {
    local mpi=$1 ranks=$2 app=$3
    shift 3
    case $mpi in
    openmpi)
        timeout 300 mpirun.openmpi --allow-run-as-root --oversubscribe -np "$ranks" \
            "$WORK/apps/openmpi/$app" "$@"
        ;;
    mpich) timeout 300 mpiexec.mpich -np "$ranks" "$WORK/apps/mpich/$app" "$@" ;;
    smpi)
        timeout 300 smpirun -np "$ranks" -platform platform.xml -hostfile hosts \
            --cfg=smpi/simulate-computation:no --cfg=smpi/shared-malloc:global \
            --cfg=smpi/shared-malloc-blocksize:16777216 --cfg=network/optim:Full \
            --cfg=smpi/host-speed:1Gf --log=root.thres:warning "$WORK/apps/smpi/$app" "$@"
        ;;
    esac
}

cat > platform.xml << 'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="h" suffix="" radical="0-31" speed="1Gf" bw="125MBps" lat="50us"/>
</platform>
END
seq 0 31 | sed 's/^/h/' > hosts

# ranks_of APP RANKS: sp wants a square number of them.
ranks_of() {
    case "$1 $2" in
    'sp 2' | 'sp 3') echo 4 ;;
    'sp 8') echo 9 ;;
    'sp 32') echo 25 ;;
    *) echo "$2" ;;
    esac
}

# More ranks than there are cores, too.  MPICH's wait busily for each other and are slow then.
for mpi in openmpi mpich; do
    begin "workloads give the right result with $mpi"
    if [ ! -d "apps/$mpi" ]; then
        skip "needs $mpi"
        continue
    fi
    [ $mpi = openmpi ] && counts='1 8' || counts='2 8' # and 3 below
    while read -r app size iterations _; do
        for count in $counts; do
            ranks=$(ranks_of "$app" "$count")
            ok launch $mpi "$ranks" "$app" --size "$size" --iterations "$iterations"
            is "$(json "j['app'], j['n'], j['p'], j['check'], j['seconds'] > 0, j['memory'] > 0")" \
                "('$app', $size, $ranks, 'ok', True, True)" "$app on $ranks"
        done
    done <<< "$apps"
done

begin 'simulated workloads do the same work, computed or charged'
if [ ! -d apps/smpi ]; then
    skip 'needs SimGrid'
else
    while read -r app size iterations _; do
        ranks=4
        ok launch smpi $ranks "$app" --size "$size" --iterations "$iterations" --real
        is "$(json "j['check']")" ok "$app"
        real=$(json "j['operations']")
        ok launch smpi $ranks "$app" --size "$size" --iterations "$iterations"
        is "$(json "j['check'], j['operations']")" "('charged', $real)" "$app"
        seconds=$(json "j['seconds']")
        ok launch smpi $ranks "$app" --size "$size" --iterations "$iterations"
        is "$(json "j['seconds']")" "$seconds" "$app, again"
    done <<< "$apps"
fi

begin 'workloads can be simulated on one host and on many'
if [ ! -d apps/smpi ]; then
    skip 'needs SimGrid'
else
    while read -r app _ _ size; do
        ok launch smpi 1 "$app" --size "$size" --iterations 2
        one=$(json "j['operations']")
        for count in 16 32; do
            ranks=$(ranks_of "$app" $count)
            ok launch smpi "$ranks" "$app" --size "$size" --iterations 2
            # Some of the work is done by all ranks, and none is lost.
            is "$(json "j['check'], j['p'], 0.999 <= j['operations'] / $one < 2")" \
                "('charged', $ranks, True)" "$app on $ranks"
        done
    done <<< "$apps"
fi

begin 'the microbenchmark tells what operations, bytes and messages take'
cat > microbenchmark.py << 'END'
import json, sys
j = json.load(open("out"))
p, kinds = int(sys.argv[1]), 5
print(j["p"], j["repeats"], [len(h["operations"]) for h in j["processes"]] == [kinds] * p,
      all(f["mean"] > 0 for h in j["processes"] for f in h["operations"].values()),
      [(q["from"], q["to"]) for q in j["pairs"]] == [(x, y) for x in range(p) for y in range(p)],
      all(q["bandwidth"]["mean"] > 0 and q["a"]["mean"] > 0 and q["b"]["mean"] >= 0
          and q["message"]["mean"] > 0
          for q in j["pairs"]))
END
for mpi in openmpi mpich smpi; do
    [ -d "apps/$mpi" ] || continue
    for ranks in 1 3; do
        ok launch $mpi $ranks microbenchmark --repeats 2 --bytes 1000
        is "$(python3 microbenchmark.py $ranks)" "$ranks 2 True True True True" "$mpi, $ranks"
    done
    misused launch $mpi 1 microbenchmark --what operations,speed
    complains "'speed' is none of operations"
done

begin 'a grid that no memory here holds can be simulated'
if [ ! -d apps/smpi ]; then
    skip 'needs SimGrid'
else
    ok launch smpi 32 poisson --size 65536 --iterations 200
    is "$(json "j['n'], j['p'], j['memory'] > 2e9, 100 < j['seconds'] < 120")" \
        '(65536, 32, True, True)'
fi

begin 'data can be split unevenly, and a grid need not be square'
if [ ! -d apps/openmpi ]; then
    skip 'needs Open MPI'
else
    ok launch openmpi 3 poisson --size 100 --iterations 10 --split 1,2,3
    is "$(json "j['check'], j['rows']")" "('ok', 100)"
    run launch openmpi 2 poisson --size 100 --split 1
    [ "$status" -ne 0 ] || fault 'a split for another number of ranks is taken'
    complains "'1' is not a share for each of 2 ranks"
    run launch openmpi 2 poisson --size none
    complains "'none' is not a whole number"
    ok launch openmpi 1 poisson --size 100 --rows 20 --iterations 10
    is "$(json "j['n'], j['rows'], j['check']")" "(100, 20, 'ok')"
    operations=$(json "j['operations']")
    ok launch openmpi 2 poisson --size 20 --rows 100 --iterations 10
    is "$(json "j['check'], j['operations']")" "('ok', $operations)"
    for rows in 16 32 1024; do
        ok launch openmpi 2 mg --size 256 --rows $rows --iterations 5
        is "$(json "j['n'], j['rows'], j['check']")" "(256, $rows, 'ok')" mg
    done
    for rows in 32 64; do
        ok launch openmpi 2 ehl --size 128 --rows $rows --iterations 3
        is "$(json "j['n'], j['rows'], j['check']")" "(128, $rows, 'ok')" ehl
    done
    run launch openmpi 1 ehl --size 64 --rows 128
    complains '128 rows are more than 64 columns'
    run launch openmpi 1 sor --rows 128
    complains "unknown option '--rows'"
fi

# ---- checkpoints ----

# same_states DIRECTORY OTHER APP RANKS: the states in files of the first RANKS ranks are the same
# bits; the headers before them say of which run each is.
same_states() {
    local rank file
    for ((rank = 0; rank < $4; rank++)); do
        for file in "$1/$3-$rank-of-"*.checkpoint; do
            cmp -s <(tail -c +121 "$file") <(tail -c +121 "$2/${file##*/}") ||
                fault "$3: the state of rank $rank is not the same"
        done
    done
}

begin 'a run that goes on from a checkpoint ends as one that was not interrupted'
if [ ! -d apps/openmpi ]; then
    skip 'needs Open MPI'
else
    while read -r app size iterations _; do
        ranks=$(ranks_of "$app" 3) states=$ranks
        [ "$app" = ga ] || [ "$app" = nbody ] && states=1 # the master has it all
        rm -rf whole parts
        mkdir whole parts
        ok launch openmpi "$ranks" "$app" --size "$size" --iterations "$iterations" \
            --checkpoint "$iterations" --directory whole
        wanted=$(json "j['check'], j['error'], 0")
        is "$(json "j['bytes_written']")" "$(cat whole/* | wc -c)" "$app"
        is "$(printf '%s\n' whole/* | wc -l)" "$states" "$app: files"
        ok launch openmpi "$ranks" "$app" --size "$size" --iterations $((iterations / 2)) \
            --checkpoint 1 --directory parts
        ok launch openmpi "$ranks" "$app" --size "$size" --iterations "$iterations" \
            --checkpoint "$iterations" --resume --directory parts
        silent
        is "$(json "j['check'], j['error'], j['resumed'] - $iterations // 2")" "$wanted" "$app"
        is "$(json "j['bytes_read'] >= j['bytes_written'] > 0")" True "$app"
        [ "$app" = hitemp ] && states=1 # slaves do which jobs they get
        same_states whole parts "$app" "$states"
    done <<< "$apps"
fi

# newest DIRECTORY: the last iteration of which there is a checkpoint.
newest() {
    python3 -c "
import glob, struct
print(max(struct.unpack_from('q', open(f, 'rb').read(), 56)[0] for f in glob.glob('$1/*')
          if not f.endswith('partial')))"
}

# crash MPI WHAT: starts a run without end, kills processes of it whose command begins with WHAT
# when each rank has written, and waits until all have ended.
crash() {
    local job patience=0
    # What Open MPI cannot remove any more goes with the directory of the test.
    local -x OMPI_MCA_orte_tmpdir_base=$WORK OMPI_MCA_btl_vader_backing_directory=$WORK
    mkdir "crash-$1" "whole-$1"
    launch "$1" 4 poisson --size 60 --iterations 1000000000 --checkpoint 10 \
        --directory "$WORK/crash-$1" > out 2> err < /dev/null &
    job=$!
    while [ "$(find "crash-$1" -name '*.previous' | wc -l)" -lt 4 ] &&
        [ $((++patience)) -lt 300 ]; do
        sleep 0.1
    done
    pgrep -f "^$2.*crash-$1" | head -1 | xargs -r kill -9
    wait $job 2> /dev/null
    status=$? patience=0
    while pgrep -f "^$WORK/apps/$1/" > /dev/null && [ $((++patience)) -lt 100 ]; do
        sleep 0.1
    done
    pgrep -f "^$WORK/apps/$1/" | xargs -r kill -9
}

for mpi in openmpi mpich; do
    begin "a run with $mpi that was killed can go on"
    if [ ! -d "apps/$mpi" ]; then
        skip "needs $mpi"
        continue
    fi
    case $mpi in
    openmpi) crash $mpi mpirun.openmpi ;;
    mpich) crash $mpi "$WORK/apps/mpich/" ;; # one rank
    esac
    [ "$status" -ne 0 ] || fault 'the run was not killed'
    reached=$(newest crash-$mpi)
    all=$((reached + 15))
    ok launch $mpi 4 poisson --size 60 --iterations $all --checkpoint $all --directory whole-$mpi
    wanted=$(json "j['check'], j['error'], True")
    ok launch $mpi 4 poisson --size 60 --iterations $all --checkpoint $all --directory crash-$mpi \
        --resume
    silent
    is "$(json "j['check'], j['error'], j['resumed'] in ($reached, $reached - 10)")" "$wanted"
    same_states whole-$mpi crash-$mpi poisson 4
    is "$(find crash-$mpi -name '*.partial')" ''
done

begin 'a checkpoint that is damaged, or of another run, is refused'
# flip FILE OFFSET: changes one bit.
flip() {
    python3 -c "
f = open('$1', 'r+b'); f.seek($2, 2 if $2 < 0 else 0); b = f.read(1)[0]
f.seek(-1, 1); f.write(bytes([b ^ 4]))"
}
# resume ARGUMENTS...: goes on in a fresh copy of the checkpoints that `change` changes.
resume() {
    rm -rf torn
    cp -r sound torn
    (cd torn && change)
    run launch openmpi 2 poisson --size 50 --iterations 30 --directory torn --resume "$@"
}
refused() {
    [ "$status" -ne 0 ] || fault "$1: it is taken"
    complains "$1"
    complains 'no other checkpoint in torn is there on all ranks'
    is "$(cat out)" ''
}
if [ ! -d apps/openmpi ]; then
    skip 'needs Open MPI'
else
    mkdir sound
    ok launch openmpi 2 poisson --size 50 --iterations 20 --checkpoint 10 --directory sound
    change() { :; }
    resume
    is "$(json "j['check'], j['resumed']")" "('ok', 20)"
    resume --seed 2
    refused 'is refused: it is of another --seed'
    resume --split 1,2
    refused 'is refused: it is of another --split'
    resume --size 51
    refused 'is refused: it is of another --size'
    resume --rows 51
    refused 'is refused: it is of other options of the program'
    resume --iterations 5
    refused 'is refused: it is of an iteration beyond --iterations'
    # The one before it is whole: it is said, and gone on from there.
    change() { truncate -s -1 poisson-1-of-2.checkpoint; }
    resume
    complains 'torn/poisson-1-of-2.checkpoint is refused: it is shorter than its state'
    is "$(json "j['check'], j['resumed']")" "('ok', 10)"
    change() { flip poisson-0-of-2.checkpoint -1; }
    resume
    complains 'torn/poisson-0-of-2.checkpoint is refused: its state is damaged'
    is "$(json "j['check'], j['resumed']")" "('ok', 10)"
    # Nothing is left that both have.
    change() {
        flip poisson-0-of-2.checkpoint 200
        flip poisson-1-of-2.checkpoint.previous 5000
    }
    resume
    refused 'is refused: its state is damaged'
    change() {
        flip poisson-0-of-2.checkpoint 56
        flip poisson-0-of-2.checkpoint.previous 0
    }
    resume
    refused 'is refused: its header is damaged'
    complains 'is refused: it is not a checkpoint'
    change() {
        truncate -s 100 poisson-0-of-2.checkpoint
        echo >> poisson-0-of-2.checkpoint.previous
    }
    resume
    refused 'is refused: it is shorter than its header'
    complains 'is refused: it is longer than its state'
    change() { for f in *-0-*; do cp "$f" "${f/-0-/-1-}"; done; }
    resume
    refused 'is refused: it is of another rank or number of ranks'
fi

begin 'where ranks have different checkpoints, what all have is taken'
if [ ! -d apps/openmpi ]; then
    skip 'needs Open MPI'
else
    # Killed before rank 1 had written, or between its two renames.
    change() { mv poisson-1-of-2.checkpoint.previous poisson-1-of-2.checkpoint; }
    resume --checkpoint 7
    silent
    is "$(json "j['check'], j['resumed']")" "('ok', 10)"
    is "$(newest torn)" 28
    change() { rm poisson-1-of-2.checkpoint; }
    resume
    silent
    is "$(json "j['check'], j['resumed']")" "('ok', 10)"
    change() { rm poisson-1-of-2.*; }
    resume
    complains 'there is no checkpoint of all 2 ranks in torn; starting from the beginning'
    is "$(json "j['check'], j['resumed'], j['bytes_written']")" "('ok', 0, 0)"
    # Files of two runs are not mixed.
    ok launch openmpi 2 poisson --size 50 --iterations 20 --checkpoint 20 --directory .
    change() { rm ./*; mv ../poisson-1-* .; cp ../sound/poisson-0-*.checkpoint .; }
    resume
    complains 'starting from the beginning'
    run launch openmpi 1 poisson --checkpoint 1 --iterations 1 --directory nowhere
    [ "$status" -ne 0 ] || fault 'it writes nowhere'
    complains 'cannot write nowhere/poisson-0-of-1.checkpoint.partial: No such file'
fi

begin 'where computing is charged there are no checkpoints, and it is said'
if [ ! -d apps/smpi ]; then
    skip 'needs SimGrid'
else
    mkdir simulated
    ok launch smpi 2 poisson --size 50 --iterations 10 --checkpoint 5 --directory simulated
    complains 'computing is charged, so nothing is written'
    is "$(ls simulated)" ''
    is "$(json "j['bytes_written']")" 0
    run launch smpi 2 poisson --size 50 --iterations 10 --resume --directory simulated
    [ "$status" -ne 0 ] || fault '--resume is taken'
    complains 'where computing is charged there are no checkpoints'
    ok launch smpi 2 poisson --size 50 --iterations 10 --checkpoint 5 --directory simulated --real
    ok launch smpi 2 poisson --size 50 --iterations 20 --resume --directory simulated --real
    is "$(json "j['check'], j['resumed']")" "('ok', 10)"
fi

finish
