#!/bin/bash
# The workloads: right on every MPI, on any number of ranks, and the same work where it is simulated.
. "$(dirname "$0")/harness.sh"

# app, size, iterations: small, as only rightness is looked at
apps='cg 2000 10
ehl 64 3
eigen 40 12
ep 14 1
fft 4096 2
ga 40 3
hitemp 20 1
is 20000 2
jacobi3d 24 10
lu 10 3
matmul 60 2
md 100 5
mg 64 8
nbody 60 5
poisson 200 20
sor 200 20
sp 12 3
ssor 200 20'

begin 'every workload is tried here'
is "$(echo "$apps" | cut -d ' ' -f 1 | tr '\n' ' ')" \
    "$(cd "$SOURCE_ROOT/apps" && printf '%s\n' *.c | grep -v '^app\.c$' | sed 's/\.c$//' | tr '\n' ' ')"

if [ "$SANITIZED" = 1 ]; then
    begin 'workloads run'
    skip 'they are not built with the sanitizers; the other build runs them'
    finish
    exit 0
fi

begin 'workloads are built without a warning'
run "$SOURCE_ROOT/tools/build-apps" "$WORK/apps"
# shellcheck disable=SC2154 # run sets it
if [ "$status" -ne 0 ]; then
    skip 'there is no MPI'
    finish
    exit 0
fi
silent
prints 'programs built for'
ok "$SOURCE_ROOT/tools/build-apps" "$WORK/apps"
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

for mpi in openmpi mpich; do
    begin "workloads give the right result with $mpi"
    if [ ! -d "apps/$mpi" ]; then
        skip "there is no $mpi"
        continue
    fi
    while read -r app size iterations; do
        for ranks in 1 2 4; do
            [ "$app $ranks" = 'sp 2' ] && continue # it wants a square number
            ok launch $mpi $ranks "$app" --size "$size" --iterations "$iterations"
            is "$(json "j['app'], j['n'], j['p'], j['check'], j['seconds'] > 0, j['memory'] > 0")" \
                "('$app', $size, $ranks, 'ok', True, True)" "$app on $ranks"
        done
    done <<< "$apps"
done

begin 'simulated workloads do the same work, computed or charged'
if [ ! -d apps/smpi ]; then
    skip 'there is no SimGrid'
else
    while read -r app size iterations; do
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

begin 'a grid that no memory here holds can be simulated'
if [ ! -d apps/smpi ]; then
    skip 'there is no SimGrid'
else
    ok launch smpi 32 poisson --size 65536 --iterations 200
    is "$(json "j['n'], j['p'], j['memory'] > 2e9, 100 < j['seconds'] < 120")" \
        '(65536, 32, True, True)'
fi

begin 'data can be split unevenly, and checkpoints are written'
if [ ! -d apps/openmpi ]; then
    skip 'there is no Open MPI'
else
    ok launch openmpi 3 poisson --size 100 --iterations 10 --split 1,2,3 --checkpoint 5
    is "$(json "j['check']")" ok
    is "$(printf '%s\n' poisson-*.checkpoint | wc -l)" 3
    run launch openmpi 2 poisson --size 100 --split 1
    [ "$status" -ne 0 ] || fault 'a split for another number of ranks is taken'
    complains "'1' is not a share for each of 2 ranks"
    run launch openmpi 2 poisson --size none
    complains "'none' is not a whole number"
fi

finish
