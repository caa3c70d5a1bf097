#!/bin/bash
# Shares of a model's tasks, from recordings of MPI programs.
. "$(dirname "$0")/harness.sh"

# Four ranks on a ring: rank 0 reads for 60 ms while the others wait in MPI_Bcast, later ranks compute
# longer, and the first ones wait for them; from MPI_Init to MPI_Finalize, it is 692.685 ms on rank 0.
mkdir ring
"$MAKE_RECORDING" ring 4 200 || fault 'cannot make a recording'
cat > ring.rcm << 'END'
model ring app jacobi
input N from size
component Read by w = N * 1ms
    traced computing before Bcast of first
component HandOut by w = N * 2ms
    traced calls Bcast, mpi_scatter
component Red by w = N * 3ms
    traced computing before Waitall
component Black by w = N * 3ms
    traced computing before Waitall
component Exchange by w = N * 1ms
    traced calls Irecv, Isend, Waitall
total t = Read + HandOut + Red + Black + Exchange
omit below 5%
END

begin 'shares are those of the run, and waiting is not in them'
ok "$RUNCAST" model profile ring.rcm --trace ring --json
silent
is "$(json "round(j['time_s'], 6), j['procs'], j['model'], j['section'], j['omit_share']")" \
    "(0.692685, 4, 'ring', None, 0.05)"
# 60 of 692.685 ms; in MPI_Bcast, rank 0 is for 50 us, and all in MPI_Scatter for 5 ms; rank 3 computes
# for 200 times 2.75 ms and 11.9 ms more, and is in the other calls for 200 times 308 us.
is "$(json "[(t['task'], round(t['time_s'], 5), t['rank']) for t in j['tasks']]")" \
    "[('Read', 0.06, 0), ('HandOut', 0.00505, 0), ('Red', 0.28095, 3), ('Black', 0.28095, 3), ('Exchange', 0.0616, 3)]"
is "$(json "all(abs(t['share'] * j['time_s'] - t['time_s']) < 1e-12 for t in j['tasks'])")" True
is "$(json "abs(sum(t['share'] for t in j['tasks']) + j['unassigned_share'] - 1) < 1e-12")" True
is "$(json "[t['same_clause'] for t in j['tasks']], [t['task'] for t in j['tasks'] if t['is_omitted']]")" \
    "([1, 1, 2, 2, 1], ['HandOut'])"
is "$(json "[p['what'] for p in j['unassigned']][:2]")" "['MPI_Recv', 'MPI_Allreduce']"

begin 'the same for people'
ok "$RUNCAST" model profile ring.rcm --trace ring
silent
prints 'ring: ./jacobi, 4 ranks on node[1-2], 693 ms'
prints 'Read       8.66 %    60 ms  computing     0      -'
prints "Tasks with the same 'traced' clause have equal parts of its time."
is "$(grep -cE '^unassigned: [0-9.]+ %; at most 0.173 % in MPI_Recv, ' out)" 1
prints 'omitted by the model (below 5 %): HandOut'

begin 'the profile is a file to be read after the model'
ok "$RUNCAST" model profile ring.rcm --trace ring --output profile.rcm
is "$(head -3 profile.rcm)" '# From a trace of ./jacobi, 4 ranks on node[1-2]
profile
    Read        8.66%'
ok "$RUNCAST" model check ring.rcm --with profile.rcm
ok "$RUNCAST" model eval ring.rcm --with profile.rcm --set N=1000 --json
is "$(json "j['mean_s'], j['omitted']")" "(8, ['HandOut'])"
ok "$RUNCAST" model eval ring.rcm --set N=1000 --json
is "$(json "j['mean_s'], j['omitted']")" '(10, [])'
ok "$RUNCAST" model profile ring.rcm --with profile.rcm --trace ring
prints 'Read       8.66 %    60 ms  computing     0  8.66 %'
fails "$RUNCAST" model profile ring.rcm --trace ring --output nowhere/profile.rcm
complains 'writing the profile'
is "$(cat out)" ''

begin 'it can be for one platform'
{ cat ring.rcm; printf 'on here\nprofile\n    Read 50%%\n'; } > places.rcm
ok "$RUNCAST" model profile places.rcm --trace ring --output everywhere.rcm
complains "the profile of section 'on here' overrides it there; use --on"
ok "$RUNCAST" model profile places.rcm --trace ring --on here --output here.rcm
silent
prints 'ring on here: '
is "$(sed -n 2p here.rcm)" 'on here'
ok "$RUNCAST" model explain places.rcm --with here.rcm --on here --set N=1000
ok "$RUNCAST" model eval places.rcm --with here.rcm --on here --set N=1000 --json
is "$(json "j['omitted']")" "['HandOut']"
ok "$RUNCAST" model eval places.rcm --with everywhere.rcm --on here --set N=1000 --json
is "$(json "j['mean_s']")" 8
misused "$RUNCAST" model profile places.rcm --trace ring --on there
complains "the model has no section 'on there'"

begin 'without clauses, kinds are used'
grep -v traced ring.rcm > bare.rcm
fails "$RUNCAST" model profile bare.rcm --trace ring
complains "no component has a 'traced' or 'kind' clause"
complains 'hint: write a line such as'
sed 's/^\(component Re.*\)/\1\n    kind computation/' bare.rcm > two.rcm
fails "$RUNCAST" model profile two.rcm --trace ring
complains "'Read' and 'Red' are both computation"
complains "hint: write a line such as 'traced computing"
sed 's/^\(component Red.*\)/\1\n    kind computation/; s/^\(component Ex.*\)/\1\n    kind communication/' \
    bare.rcm > kinds.rcm
ok "$RUNCAST" model profile kinds.rcm --trace ring --json
is "$(json "[(t['task'], t['spent_in']) for t in j['tasks']]")" "[('Red', 'computing'), ('Exchange', 'calls')]"
# the one that computes longest is in calls for the shortest time
is "$(json "[t['rank'] for t in j['tasks']], j['unassigned_share'] < 0.001")" '([3, 3], True)'

begin 'what does not fit is reported, with its place'
sed 's/calls Bcast, mpi_scatter/calls Bcast, Waitall/' ring.rcm > twice.rcm
fails "$RUNCAST" model profile twice.rcm --trace ring --output not.rcm
complains "MPI_Waitall, on rank 0, belongs to both 'HandOut' and 'Exchange'"
[ ! -e not.rcm ] || fault 'a profile was written'
sed 's/mpi_scatter/Scater/' ring.rcm > slip.rcm
fails "$RUNCAST" model profile slip.rcm --trace ring
complains "slip.rcm:5:11: 'HandOut': unknown MPI call 'Scater'"
complains "hint: did you mean 'Scatter'?"
fails "$RUNCAST" model check slip.rcm
complains "slip.rcm:5:11: error: unknown MPI call 'Scater' in 'traced' of 'HandOut'"
sed 's/mpi_scatter/Alltoallw/; s/Bcast, //' ring.rcm > none.rcm
ok "$RUNCAST" model profile none.rcm --trace ring
complains "note: the trace has nothing that matches the 'traced' clause of 'HandOut'"
misused "$RUNCAST" model profile ring.rcm
complains 'missing --trace DIR'
fails "$RUNCAST" model profile ring.rcm --trace nowhere
complains 'nowhere'
truncate -s -30 ring/rank-1.rct
fails "$RUNCAST" model profile ring.rcm --trace ring
complains 'rank-1.rct'

begin 'a program that runs'
mpi=openmpi
if ! command -v mpicc.$mpi > which || ! command -v mpirun.$mpi > which; then
    skip "needs $mpi"
else
    (cd "$SOURCE_ROOT/apps" && mpicc.$mpi -std=c17 -D_GNU_SOURCE -O1 -w ga.c app.c app_checkpoint.c \
        -o "$WORK/ga" -lm) 2> compile.err || fault "$(cat compile.err)"
    ok timeout 120 "$RUNCAST" trace record -o running -- mpirun.$mpi --allow-run-as-root --oversubscribe \
        -np 2 ./ga --size 1600 --iterations 12 # large enough that waiting on a busy machine is less
    ok "$RUNCAST" model profile "$SOURCE_ROOT/models/apps/ga.rcm" --trace running --json
    is "$(json "sorted(t['task'] for t in j['tasks'] if t['share'] > 0)")" \
        "['Gather', 'Master', 'Scatter', 'Slave']"
    is "$(json "sum(t['share'] for t in j['tasks']) <= 1 + 1e-9")" True
    is "$(json "max(j['tasks'], key=lambda t: t['share'])['task']")" Slave
fi

begin 'what is read is not overwritten'
cp ring.rcm model.rcm
ln -s model.rcm also.rcm
misused "$RUNCAST" model profile model.rcm --trace ring --output also.rcm
complains '--output: also.rcm is the model; name another file'
printf 'input other = 1\n' > with.rcm
misused "$RUNCAST" model profile model.rcm --with with.rcm --trace ring --output ./with.rcm
complains 'is a file of --with; name another file'
ok cmp ring.rcm model.rcm

begin 'a trace of another program is reported'
sed 's/^model ring app jacobi/model heat/' ring.rcm > heat.rcm
mkdir another
"$MAKE_RECORDING" another 4 200 || fault 'cannot make a recording'
ok "$RUNCAST" model profile heat.rcm --trace another
complains "note: the model is of 'heat', but the trace is of ./jacobi"

finish
