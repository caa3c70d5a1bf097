#!/bin/bash
# 'runcast scale' in the hands of its users: calls that are wrong or say too little, runs that were
# made otherwise, and whether each answer says what it rests on and what to do next.
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"
# shellcheck source=scaling.sh
. "$(dirname "$0")/scaling.sh"

# ---- measuring ----

begin 'runs in the store are no reason to refuse others, whatever is reckoned of memory'
# a process tells 16 bytes for a cell and 1 MB besides: a little too much for its host
sed 's/memory: 2GiB/memory: 3097100B/' p.yaml > tight.yaml
tight=(--app tight --platform tight.yaml "${target[@]:4}" --repeats 1 --told)
ok scale measure "${tight[@]}" --command "$command"
prints '6 runs made'
ok scale measure "${tight[@]}" --command "$command" # all of them are there
prints '0 runs made, 6 in the store already'
ok scale plan "${tight[@]:0:10}" --repeats 2
[ "$(grep -c 'DOES NOT FIT in the memory' out)" -eq 0 ] || fault 'a run that was made does not fit'
prints 'a process of the target needs about 2.9537 MiB of the 2.9536 MiB that it may have: it DOES NOT FIT'
ok "$RUNCAST" runs delete 3 4 5 6 # as if it had been interrupted after two
ok scale measure "${tight[@]}" --command "$command"
prints '4 runs made, 2 in the store already'
ok "$RUNCAST" runs delete 1 # the block of the target, on one process
ok "$RUNCAST" runs delete --app tight --procs 2..
fails scale plan "${tight[@]:0:10}" --repeats 1 --bytes-per-cell 23.6294
prints 'DOES NOT FIT'
complains 'a process needs 2.9537 MiB, and has 2.9536 MiB with 1 on a host'
fails scale measure "${tight[@]}" --command "$command"
complains "'measure --force' tries it"
ok scale measure "${tight[@]}" --force --command "$command"
prints '5 runs made, 1 in the store already'

begin 'runs that another command made count, and that is said'
other='./app.sh log {p} {rows} {cols} {hosts} --iterations 1000'
made=(--app made "${target[@]:2}" --repeats 1)
ok scale measure "${made[@]}" --told --command "$command"
silent
ok scale measure "${made[@]}" --told --command "${command// /$'\n'  }" # blanks do not matter
silent
ok scale plan "${made[@]}" --command "$other"
prints 'note: 6 runs in the store were made by another command, and not made again'
ok scale plan "${made[@]}"
[ "$(grep -c 'another command' out)" -eq 0 ] || fault 'there is no command that it could be another of'
ok scale measure "${made[@]}" --told --command "$other"
prints '0 runs made, 6 in the store already'
complains 'note: 6 runs in the store were made by another command'
ok scale measure "${made[@]}" --told --command "$other" --json
is "$(json "j['known'], ['another command' in n for n in j['notes']]")" '(6, [True])'
ok scale fit "${made[@]}" --json
is "$(json "[n for n in j['models'][0]['notes'] if 'command' in n]")" '[]'
first=$("$RUNCAST" runs list --app made --columns id | sed -n 2p)
ok "$RUNCAST" runs delete "$first"
ok scale measure "${made[@]}" --told --command "$other"
complains 'note: 5 runs in the store were made by another command'
ok scale fit "${made[@]}"
prints "note: these runs were made by different commands: run $((first + 6)) by another than run $((first + 1))"

finish
