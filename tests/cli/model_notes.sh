#!/bin/bash
# Structural models: answers that rest on less than they seem to say so.
. "$(dirname "$0")/harness.sh"

cat > c.yaml << 'EOF'
name: tiny
clusters:
  - {name: a, hosts: "a[1-4]", cores: 1, speed: 1Gf, networks: [{name: n, bandwidth: 1Gbit, latency: 50us}]}
EOF
start=1357862400 # 2013-01-11T00:00:00Z

# series HOST FIRST END STEP VALUE...: cpu samples from FIRST to END seconds before the start, with
# the values in turn.
series() {
    local host=$1 first=$2 end=$3 step=$4
    shift 4
    echo 'time,value' > s.csv
    for ((t = -first, i = 0; t <= -end; t += step, i++)); do
        local k=$((i % $# + 1))
        echo "$((start + t)),${!k}" >> s.csv
    done
    ok "$RUNCAST" series import s.csv --host "$host" --metric cpu
}

# model FROM...: 10 s on a free host.
model() {
    printf 'model m\ninput N from size\ninput P from processes\ninput cpu[h] from %s\n' "$*"
    printf 'component Compute[h] by w = N / cpu[h]\ntotal t = max(h in hosts: Compute[h])\n'
}

begin 'a window that is longer than the series has only what the series has'
# one busy sample, then an hour that is half free
series a1 3600 3600 10 0.1
series a1 3590 0 10 0.5
for window in 1h 2h 30d; do
    model series cpu last $window > w.rcm
    ok "$RUNCAST" model eval w.rcm --hosts a1 --set N=10 --at $start --json
    is "$(json "19.5 < j['mean_s'] < 20.5, j['interval_s']['high'] < 20.5")" '(True, True)' "$window"
done
complains 'cpu[a1]: the database lacks the first 29-23:00:00 of the window of 30-00:00:00'
is "$(json "['lacks the first' in n for n in j['notes']]")" '[True]'
model series cpu last 1h > w.rcm
ok "$RUNCAST" model eval w.rcm --hosts a1 --set N=10 --at $start
silent
model series cpu last 1d as normal > w.rcm
ok "$RUNCAST" model eval w.rcm --hosts a1 --set N=10 --at $start
complains 'the database lacks the first'

begin 'processes that do not fit on the hosts are refused, and others that differ in number are told'
model series cpu last 1h else 1 > w.rcm
for host in a2 a3 a4; do series $host 3600 0 10 0.5; done
fails "$RUNCAST" model eval w.rcm --platform-file c.yaml --set N=10 --set P=8 --at $start
complains '8 processes are 4 too many for the 4 hosts'
ok "$RUNCAST" model add w.rcm
fails "$RUNCAST" predict --method structural --app m --size 10 --procs 8 --platform-file c.yaml \
    --hosts 'a[1-4]' --at $start
complains '8 processes do not fit on the 4 hosts, which have room for 4'
ok "$RUNCAST" predict --method structural --app m --size 10 --procs 8 --hosts 'a[1-4]' --at $start \
    --no-store
complains '8 processes on 4 hosts: the model ignores processes per host, so each host counts once'
ok "$RUNCAST" predict --method structural --app m --size 10 --procs 2 --platform-file c.yaml \
    --hosts 'a[1-4]' --at $start --no-store
complains '2 processes on 4 hosts: the model uses all of these hosts'
ok "$RUNCAST" predict --method structural --app m --size 10 --procs 2 --platform-file c.yaml \
    --hosts 'a[1-4]' --at $start --no-store --json
is "$(json "['2 processes on 4 hosts' in n for n in j['model']['notes']]")" '[True]'
# one that knows where its processes are is believed
printf 'model k\ninput N from size\ninput p[h] from platform processes\n' > k.rcm
printf 'total t = max(h in hosts: N * p[h])\n' >> k.rcm
ok "$RUNCAST" model add k.rcm
ok "$RUNCAST" predict --method structural --app k --size 10 --procs 2 --platform-file c.yaml \
    --hosts 'a[1-4]' --no-store
silent
printf 'model f\ninput P from processes\ntotal t = P\n' > f.rcm
ok "$RUNCAST" model eval f.rcm --hosts 'a[1-4]' --set P=7
silent

# from_forecast ARGUMENTS...: evaluates a model with a forecast load.
from_forecast() {
    model forecast cpu else 1 > f.rcm
    ok "$RUNCAST" model eval f.rcm --platform-file c.yaml --set N=10 --json "$@"
}

begin 'the less is known of the load, the wider the interval'
for host in a1 a2 a3 a4; do
    ok "$RUNCAST" series delete --host $host --metric cpu
    # shellcheck disable=SC2046 # words
    series $host 3600 0 10 $(awk -v seed="${host#a}" 'BEGIN { srand(seed); for (i = 0; i < 361; i++) print 0.4 + 0.2 * rand() }')
done
model forecast cpu else 1 > f.rcm
ok "$RUNCAST" model add f.rcm
width="j['interval_s']['high'] / j['interval_s']['low']"
ok "$RUNCAST" predict --method structural --app m --size 10 --procs 4 --platform-file c.yaml --at $start --json --no-store
known=$(json "$width")
is "$(json "j['model']['notes'], j['model']['expected_error_fraction']")" '([], 0.1)'
ok "$RUNCAST" predict --method structural --app m --size 10 --procs 4 --platform-file c.yaml --json --no-store \
    --at $((start + 100 * 86400))
is "$(json "$width > $known, len(j['load']['assumed']), round(j['model']['expected_error_fraction'], 4)")" '(True, 4, 0.5099)'
ok "$RUNCAST" series delete --host a3 --metric cpu
series a3 20 0 10 0.5
from_forecast --at $start
complains 'cpu[a3]: 3 samples, too few to forecast changes (26 are needed)'
# the others are still forecast
is "$(json "j['sd_s'] > 0, j['forecast']['constant_load_assumed'], j['forecast']['constant_load_series']")" '(True, False, 1)'
ok "$RUNCAST" predict --method structural --app m --size 10 --procs 4 --platform-file c.yaml --at $start --json --no-store
is "$(json "$width > $known")" True

begin 'a model is not surer than a model can be, unless its file says so'
printf 'model e\ninput N from size\ntotal t = N\n' > e.rcm
ok "$RUNCAST" model add e.rcm
ok "$RUNCAST" predict --method structural --app e --size 10 --procs 1 --no-store --json
is "$(json "j['model']['expected_error_fraction'], 9.4 < j['interval_s']['low'] < 9.8 < 10.2 < j['interval_s']['high'] < 10.6")" '(0.05, True)'
printf '    accuracy 1%%\n' >> e.rcm
ok "$RUNCAST" model eval e.rcm --set N=10
prints 'expected error of the model: 1 %'

begin 'old samples, and a mistyped series, are told'
from_forecast --at $((start + 25))
is "$(json "j['notes'][-1][:6]")" 'cpu[a3' 'not old yet'
from_forecast --at $((start + 3000))
complains 'the newest sample is 00:50:00 old; the interval was 10 s'
model series cpu last 2h > w.rcm
ok "$RUNCAST" model eval w.rcm --hosts a1 --set N=10 --at $((start + 3000))
complains 'cpu[a1]: the newest sample is 00:50:00 old; the interval was 10 s'
model forecast cpuu else 1 > typo.rcm
ok "$RUNCAST" model check typo.rcm
complains "warning: unknown series 'cpuu' of 'cpu'; did you mean 'cpu'?"
ok "$RUNCAST" model eval typo.rcm --platform-file c.yaml --set N=10 --at $start
complains "the database has no recent series 'cpuu' for cpu[a1] and 3 more"
complains "cpu: the database has no series 'cpuu' of any host; check the name"
model forecast cpu > f.rcm
for days in 2 20; do
    fails "$RUNCAST" model eval f.rcm --platform-file c.yaml --set N=10 --at $((start + days * 86400))
    complains "cpu: the database has no cpu of 'a1' from the last 24 h"
    grep -q 'longer window' err && fault 'a forecast has no window'
done

begin 'a run that is longer than what can be foreseen is told so'
model forecast cpu else 1 > f.rcm
ok "$RUNCAST" model add f.rcm
ok "$RUNCAST" predict --method structural --app m --size 10 --procs 4 --platform-file c.yaml --at $start --no-store
prints 'load: forecast from 4 series'
ok "$RUNCAST" predict --method structural --app m --size 100000 --procs 4 --platform-file c.yaml --at $start --no-store
is "$(grep -cE '^load: forecast from 4 series, samples up to ' out)" 1
is "$(grep -cE '^constant load assumed: after 00:30:00 of a run of [0-9:-]+$' out)" 1
ok "$RUNCAST" model eval f.rcm --platform-file c.yaml --set N=100000 --at $start
prints 'horizon 00:30:00 of a run of '
prints '; constant values are assumed after that'

begin 'values that cannot be are refused'
for waits in 0 -3 0.5 'N - 10'; do
    { model forecast cpu else 1; echo "    waits $waits"; } > f.rcm
    fails "$RUNCAST" model eval f.rcm --platform-file c.yaml --set N=10 --at $start
    complains "'waits' is ${waits/N - 10/0}; it must be at least 1"
    [ "$waits" = 'N - 10' ] && continue
    fails "$RUNCAST" model check f.rcm
    complains "'waits' is $waits; it must be at least 1"
done
model forecast cpu else 7 > f.rcm
fails "$RUNCAST" model check f.rcm
complains "'else' of 'cpu' is 7; a fraction of a core is at most 1"
fails "$RUNCAST" model eval f.rcm --platform-file c.yaml --set N=10 --at $start
complains 'cpu is a fraction of a core and cannot be 7'
model forecast cpu else 1 > f.rcm
for wrong in cpu=3 'cpu[a1]=normal(85, 5)' N=-5 N=0 P=-1 P=0; do
    fails "$RUNCAST" model eval f.rcm --platform-file c.yaml --set N=10 --set "$wrong" --at $start
    is "$(cat out)" '' "$wrong"
done
complains '0 processes; a run has at least one'
printf 'model i\ninput N from size\ninput iterations = 5\ntotal t = iterations * N\n' > i.rcm
ok "$RUNCAST" model add i.rcm
fails "$RUNCAST" predict --method structural --app i --size 10 --procs 1 --set iterations=-1
complains 'the result is -10 s, not a positive time'
fails "$RUNCAST" model eval i.rcm --set N=10 --set iterations=0
ok "$RUNCAST" series delete --host a1 --metric cpu
# An import refuses such samples, but a store may have them from before.
series a1 3600 0 10 0.5 0.4
python3 - "$RUNCAST_DB" << 'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("UPDATE sample SET value = 100 * value WHERE series_id = "
           "(SELECT id FROM series WHERE host = 'a1' AND metric = 'cpu')")
db.commit()
END
from_forecast --at $start
complains 'cpu[a1]: samples of 50, but a fraction of a core is at most 1; are they in percent?'
model series cpu > w.rcm
ok "$RUNCAST" model eval w.rcm --hosts a1 --set N=10 --at $start
complains 'are they in percent?'

finish
