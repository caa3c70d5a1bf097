#!/bin/bash
# What probes of links send: bounded for all that share a store.
. "$(dirname "$0")/harness.sh"
. "$SOURCE_ROOT/tests/cli/watching.sh"

# Two probes of 500 kB in an hour are all that this allows.
bounded() {
    watch --hosts a1,a2 --links a1:a2 --link-every 40min --link-bytes 1MB --burst 4KiB --for 2s "$@"
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

begin 'probes that would be too short are fewer and longer, which is said once'
fresh
echo 'rate=1e8' > a1.conf
cp a1.conf a2.conf
ok watch --hosts a1,a2 --links ring --link-every 1s --link-bytes 36MB --burst 4KiB --for 3s --json
is "$(grep -c 'is so fast that it is probed every 8.*min, for each probe' err)" 1 "$(cat err)"
is "$(json "[(l['probes'], l['too_short'], l['bandwidth'], round(l['every'])) for l in j['links']]")" \
    '[(2, 1, 100000000, 519), (2, 1, 100000000, 519)]'
is "$("$RUNCAST" series export --link a1:a2 --metric bandwidth | tail -n +2 | wc -l)" 1 'bandwidths'
is "$("$RUNCAST" series export --link 'a1>a2' --metric latency | tail -n +2 | wc -l)" 2 'latencies'

begin 'what even one long probe cannot tell is not stored'
fresh
echo 'rate=1e9' > a1.conf
ok watch --hosts a1,a2 --links a1:a2 --link-every 1s --link-bytes 36MB --burst 4KiB --for 2.4s --json
is "$(grep -c 'a1:a2 is too fast for a probe within' err)" 1 "$(cat err)"
is "$(json "j['links'][0]['probes'] == j['links'][0]['too_short'], j['links'][0]['bandwidth']")" '(True, None)'
lists_no_bandwidth() { ! "$RUNCAST" series list | grep bandwidth; }
ok lists_no_bandwidth
# 64 MiB an hour are enough for one
ok "$RUNCAST" record --app x --size 1 --procs 2 --hosts a1,a2 --launcher ./agent.py --links a1:a2 --every 0.2s \
    --db other.db -- sleep 0.1
complains 'a link is so fast that it is probed every 1.0'
is "$("$RUNCAST" runs export --db other.db --json | python3 -c "import json, sys; print(json.load(sys.stdin)['runs'][0]['bw_avgmin'])")" 1000000000
rm -f other.db*

begin 'recorders count too'
fresh
record() {
    "$RUNCAST" record --app x --size 1 --procs 2 --hosts a1,a2 --launcher ./agent.py --links a1:a2 \
        --every 0.2s "$@" -- sleep 0.1
}
ok record
is "$(probes)" 1 'probes'
# 64 MiB an hour, at most 61 probes in it
is "$(counted)" 1100145 'bytes'
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
