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
    is "$(json "19.5 < j['mean'] < 20.5, j['high'] < 20.5")" '(True, True)' "$window"
done
complains 'cpu[a1]: of the window of 30 d that the model wants, the store lacks the first 29.96 d'
is "$(json "['lacks the first' in n for n in j['notes']]")" '[True]'
model series cpu last 1h > w.rcm
ok "$RUNCAST" model eval w.rcm --hosts a1 --set N=10 --at $start
silent
model series cpu last 1d as normal > w.rcm
ok "$RUNCAST" model eval w.rcm --hosts a1 --set N=10 --at $start
complains 'the store lacks the first'

begin 'processes that do not fit on the hosts are refused, and others that differ in number are told'
model series cpu last 1h else 1 > w.rcm
for host in a2 a3 a4; do series $host 3600 0 10 0.5; done
fails "$RUNCAST" model eval w.rcm --platform c.yaml --set N=10 --set P=8 --at $start
complains '8 processes are 4 more than fit on the 4 hosts'
ok "$RUNCAST" model add w.rcm
fails "$RUNCAST" predict --family structure --app m --size 10 --procs 8 --platform c.yaml \
    --hosts 'a[1-4]' --at $start
complains '8 processes are 4 more than fit on the 4 hosts'
ok "$RUNCAST" predict --family structure --app m --size 10 --procs 8 --hosts 'a[1-4]' --at $start \
    --no-store
complains '8 processes on 4 hosts: what the model says of a host counts once'
ok "$RUNCAST" predict --family structure --app m --size 10 --procs 2 --platform c.yaml \
    --hosts 'a[1-4]' --at $start --no-store
complains '2 processes on 4 hosts: the model reckons with all of these hosts'
ok "$RUNCAST" predict --family structure --app m --size 10 --procs 2 --platform c.yaml \
    --hosts 'a[1-4]' --at $start --no-store --json
is "$(json "['2 processes on 4 hosts' in n for n in j['model']['notes']]")" '[True]'
# one that knows where its processes are is believed
printf 'model k\ninput N from size\ninput p[h] from platform processes\n' > k.rcm
printf 'total t = max(h in hosts: N * p[h])\n' >> k.rcm
ok "$RUNCAST" model add k.rcm
ok "$RUNCAST" predict --family structure --app k --size 10 --procs 2 --platform c.yaml \
    --hosts 'a[1-4]' --no-store
silent
printf 'model f\ninput P from processes\ntotal t = P\n' > f.rcm
ok "$RUNCAST" model eval f.rcm --hosts 'a[1-4]' --set P=7
silent

finish
