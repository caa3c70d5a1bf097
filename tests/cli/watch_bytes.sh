#!/bin/bash
# What probes of links send: bounded for all that share a store.
. "$(dirname "$0")/harness.sh"
. "$SOURCE_ROOT/tests/cli/watching.sh"

# Two probes of 500 kB in two hours are all that this allows.
bounded() {
    watch --hosts a1,a2 --links a1:a2 --link-every 2h --link-bytes 1MB --burst 4KiB --for 0.7s "$@"
}
probes() { grep -c '^probe ' a1.log; }
# The bytes that the store says probes of a1:a2 sent.
counted() {
    "$RUNCAST" series export --link a1:a2 --metric probe_bytes | awk -F, 'NR > 1 { n += $2 } END { print n + 0 }'
}

begin 'watchers one after another share the bytes of an hour'
fresh
for _ in 1 2 3; do
    ok bounded --json
done
is "$(json "j['links'][0]['probes'], j['links'][0]['reason']")" \
    "(0, 'probes of this link have sent what they may in an hour')"
is "$(probes)" 2 'probes'
is "$(counted)" 1000000 'bytes'
ok "$RUNCAST" db check

begin 'so do watchers that run together'
fresh
"$RUNCAST" series list > /dev/null 2>&1
for i in 1 2 3; do
    bounded --quiet 2> "err$i" &
done
wait
is "$(probes)" 2 'probes'
is "$(counted)" 1000000 'bytes'

begin 'what was not sent is given back'
fresh
echo 'nolink' > a2.conf
ok bounded --json
is "$(json "j['links'][0]['reason']")" 'a2: cannot listen'
is "$(counted)" 0 'bytes'

begin 'recorders count too'
fresh
record() {
    "$RUNCAST" record --app x --size 1 --procs 2 --hosts a1,a2 --launcher ./agent.py --links a1:a2 \
        --every 0.2s "$@" -- sleep 0.1
}
ok record
is "$(probes)" 1 'probes'
# 64 MiB an hour, at most 62 probes in it
is "$(counted)" 1082401 'bytes'
# Others had nearly all
printf 't,value\n%s,66500000\n' "$(($(date +%s) - 1800))" > spent.csv
ok "$RUNCAST" series import spent.csv --link a1:a2 --metric probe_bytes
ok record
complains 'a1:a2: probes of this link have sent what they may in an hour'
is "$(probes)" 1 'probes'
is "$("$RUNCAST" runs export --json | python3 -c "import json, sys; print([r['bw_avgmin'] for r in json.load(sys.stdin)['runs']])")" \
    '[10000000, None]'

begin 'a recorder without a store keeps to the bytes by itself'
fresh
ok record --db /nowhere/store.db
complains 'the store cannot be written'
is "$(probes)" 1 'probes'
rm -f runcast-record-*

finish
