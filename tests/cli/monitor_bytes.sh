#!/bin/bash
# The bytes that link probes send: bounded for all commands that share a database.
. "$(dirname "$0")/harness.sh"
. "$SOURCE_ROOT/tests/cli/monitoring.sh"

# Two probes of 500 kB in an hour are all that this allows.
bounded() {
    monitor --hosts a1,a2 --links a1:a2 --link-interval 40min --link-bytes 1MB --probe-bytes 4KiB --duration 2s "$@"
}
probes() { grep -c '^probe ' a1.log; }
# The bytes that probes of a1:a2 sent, from the database.
counted() {
    "$RUNCAST" series export --link a1:a2 --metric probe_bytes | awk -F, 'NR > 1 { n += $2 } END { print n + 0 }'
}

begin 'monitors one after another share the bytes of an hour'
fresh
for _ in 1 2 3; do
    ok bounded --json
done
is "$(json "j['links'][0]['probes'], j['links'][0]['reason']")" \
    "(0, 'probes of this link have sent all bytes of this hour')"
is "$(probes)" 2 'probes'
is "$(counted)" 1000000 'bytes'
ok "$RUNCAST" db check

begin 'so do monitors that run at the same time'
fresh
"$RUNCAST" series list > /dev/null 2>&1
for i in 1 2 3; do
    bounded --quiet 2> "err$i" &
done
wait
is "$(probes)" 2 'probes'
is "$(counted)" 1000000 'bytes'

begin 'bytes that were not sent are given back'
fresh
echo 'nolink' > a2.conf
ok bounded --json
is "$(json "j['links'][0]['reason']")" 'a2: cannot listen'
is "$(counted)" 0 'bytes'

begin 'probes that would be too short are fewer and longer, with one note'
fresh
echo 'rate=1e8' > a1.conf
cp a1.conf a2.conf
ok monitor --hosts a1,a2 --links ring --link-interval 1s --link-bytes 36MB --probe-bytes 4KiB --duration 3s --json
is "$(grep -c 'is so fast that it is probed every 00:08:39, so that a probe' err)" 1 "$(cat err)"
is "$(json "[(l['probes'], l['short_probes'], l['bandwidth_bytes_per_s'], round(l['probe_interval_s'])) for l in j['links']]")" \
    '[(2, 1, 100000000, 519), (2, 1, 100000000, 519)]'
is "$("$RUNCAST" series export --link a1:a2 --metric bandwidth | tail -n +2 | wc -l)" 1 'bandwidths'
is "$("$RUNCAST" series export --link 'a1>a2' --metric latency | tail -n +2 | wc -l)" 2 'latencies'

begin 'a bandwidth that even one long probe cannot measure is not stored'
fresh
echo 'rate=1e9' > a1.conf
ok monitor --hosts a1,a2 --links a1:a2 --link-interval 1s --link-bytes 36MB --probe-bytes 4KiB --duration 2.4s --json
is "$(grep -c 'a1:a2 is too fast for a probe of' err)" 1 "$(cat err)"
is "$(json "j['links'][0]['probes'] == j['links'][0]['short_probes'], j['links'][0]['bandwidth_bytes_per_s']")" '(True, None)'
lists_no_bandwidth() { ! "$RUNCAST" series list | grep bandwidth; }
ok lists_no_bandwidth
# 64 MiB an hour are enough for one
ok "$RUNCAST" record --app x --size 1 --procs 2 --hosts a1,a2 --launcher ./agent.py --links a1:a2 --interval 0.2s \
    --db other.db -- sleep 0.1
complains 'a link is so fast that it is probed every 01:00:32'
is "$("$RUNCAST" runs export --db other.db --json | python3 -c "import json, sys; print(json.load(sys.stdin)['runs'][0]['bw_avgmin'])")" 1000000000
rm -f other.db*

begin 'recorded runs count, too'
fresh
record() {
    "$RUNCAST" record --app x --size 1 --procs 2 --hosts a1,a2 --launcher ./agent.py --links a1:a2 \
        --interval 0.2s "$@" -- sleep 0.1
}
ok record
is "$(probes)" 1 'probes'
# 64 MiB an hour, at most 61 probes in it
is "$(counted)" 1100145 'bytes'
# Others had nearly all
printf 't,value\n%s,66500000\n' "$(($(date +%s) - 1800))" > spent.csv
ok "$RUNCAST" series import spent.csv --link a1:a2 --metric probe_bytes
ok record
complains 'a1:a2: probes of this link have sent all bytes of this hour'
is "$(probes)" 1 'probes'
is "$("$RUNCAST" runs export --json | python3 -c "import json, sys; print([r['bw_avgmin'] for r in json.load(sys.stdin)['runs']])")" \
    '[10000000, None]'

begin 'without a database, a recorded run keeps to the bytes'
fresh
ok record --db /nowhere/store.db
complains 'the database cannot be written'
is "$(probes)" 1 'probes'
rm -f runcast-record-*

finish
