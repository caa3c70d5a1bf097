#!/bin/bash
# Hosts of several speeds, at 'runcast fit', 'runcast predict' and 'runcast accuracy'.
. "$(dirname "$0")/harness.sh"

NOW=2024-01-15

# 2e-5 n^2 / (P cpu speed) + 30 n log2(P) / bw seconds, give or take 2 %; s1 to s8 have half the
# speed of f1 to f8.
python3 - << 'EOF'
import math
import random

random.seed(7)


def run(kind, start):
    n, p = random.choice([400, 600, 800, 1000, 1200, 1400, 1600]), random.choice([1, 2, 4, 8])
    cpu, bw = random.uniform(0.3, 1), random.uniform(5e3, 2e4)
    seconds = 2e-5 * n * n / (p * cpu * {"f": 1, "s": 0.5}[kind]) + 30 * n * math.log2(p) / bw
    hosts = f"{kind}1" if p == 1 else f"{kind}[1-{p}]"
    return (f'md,plat,"{hosts}",{n},{p},{seconds * math.exp(random.gauss(0, 0.02))},{cpu},{bw},'
            f'{start}\n')


for name, kind, runs, first in (("fast", "f", 40, 1.70e9), ("slow", "s", 45, 1.70e9 + 500),
                                ("fast-later", "f", 60, 1.71e9), ("slow-later", "s", 60, 1.71e9)):
    with open(f"{name}.csv", "w", encoding="utf-8") as out:
        out.write("app,platform,hosts,n,p,seconds,cpu,bw,start\n")
        out.writelines(run(kind, first + 1000 * i) for i in range(runs))
EOF
cat > plat.yaml << 'EOF'
name: plat
clusters:
  - name: f
    hosts: f[1-8]
    cores: 1
    speed: 2Gf
    networks: [{name: net, bandwidth: 100Mbit, latency: 50us}]
  - name: s
    hosts: s[1-8]
    cores: 1
    speed: 1Gf
    networks: [{name: net, bandwidth: 100Mbit, latency: 50us}]
EOF
# The MAPE of the runs of a table, as a fraction.
error_on() {
    ok "$RUNCAST" predict --app md --input "$1" --output predicted.csv --json "${@:2}"
    json "j['mape_fraction']"
}
below() { python3 -c "import sys; sys.exit(not $1 < $2)" || fault "$1 is not below $2"; }

begin 'runs on slow and on fast hosts mislead, which a note reports'
ok "$RUNCAST" import fast.csv
below "$(error_on fast-later.csv)" 0.04
grep -q 'note' err && fault 'there is a note'
ok "$RUNCAST" import slow.csv
below 0.15 "$(error_on fast-later.csv)"
complains 'times as long as the model of the others'
complains 'use a platform file (--platform-file FILE)'
ok "$RUNCAST" fit --app md
complains 'times as long as the model of the others'
ok "$RUNCAST" predict --app md --size 1000 --procs 4
complains 'times as long as the model of the others'

begin 'they do not with a platform file that has the speeds'
below "$(error_on fast-later.csv --platform-file plat.yaml)" 0.04
grep -q 'note' err && fault 'there is a note'
below "$(error_on slow-later.csv --platform-file plat.yaml)" 0.04
below "$(error_on slow-later.csv --platform-file plat.yaml --learn)" 0.04

begin 'speeds of a file stay with the model'
ok "$RUNCAST" fit --app md --platform-file plat.yaml
prints 'md on plat: 85 runs'
prints 'stored'
for kind in fast slow; do
    below "$(error_on $kind-later.csv --platform plat)" 0.04
done
ok "$RUNCAST" fit --app md --platform plat --no-store
grep -q 'note' err && fault 'there is a note'
ok "$RUNCAST" predict --app md --size 1000 --procs 4 --hosts 'f[1-4]' --platform plat --json
is "$(json "j['load']['host_speed_ratio']")" 2
ok "$RUNCAST" predict --app md --size 1000 --procs 4 --hosts 's[1-4]' --platform plat --json
is "$(json "j['load']['host_speed_ratio']")" 1
ok "$RUNCAST" accuracy --app md --platform plat --json
below "$(json "j['replay']['default']['mape_fraction']")" 0.04

begin 'a file with other speeds causes a new fit, which a note contradicts'
sed 's/speed: 2Gf/speed: 9Gf/' plat.yaml > wrong.yaml
ok "$RUNCAST" predict --app md --size 1000 --procs 4 --hosts 'f[1-4]' --platform-file wrong.yaml \
    --no-store
prints 'fitted now'
complains 'check its speed in the platform file'
fails "$RUNCAST" fit --app md --platform-file nowhere.yaml
complains 'nowhere.yaml'

begin 'advice compares hosts by the same model'
ok "$RUNCAST" advise --app md --size 1000 --procs 4 --platform-file plat.yaml --no-store --json
json "{c['cluster']: c['mean_s'] for c in j['shortlist']}" > means
# 5 s of computing on fast hosts, and 10 s on slow ones
python3 - "$(cat means)" << 'EOF' || fault "it is $(cat means)"
import sys
means = eval(sys.argv[1])
sys.exit(not 4.7 < means["s"] - means["f"] < 5.3)
EOF

begin 'a busy fast host and an idle slow one are not a busy slow one'
python3 - << 'EOF'
import datetime

now = datetime.datetime(2024, 1, 15, tzinfo=datetime.timezone.utc).timestamp()
with open("load.csv", "w", encoding="utf-8") as out:
    out.write("host,metric,t,value\n")
    for host, value in (("f1", 0.3), ("f2", 1), ("s1", 1), ("s2", 0.3)):
        out.writelines(f"{host},cpu,{now - 5 - 10 * i},{value}\n" for i in range(300, -1, -1))
EOF
for host in f1 f2 s1 s2; do
    { echo t,value; grep "^$host," load.csv | cut -d, -f3,4; } > "$host.csv"
    ok "$RUNCAST" series import "$host.csv" --host $host --metric cpu
done
predicted() {
    ok "$RUNCAST" predict --app md --size 1600 --procs 2 --hosts "$1" --platform-file plat.yaml \
        --at $NOW --method regression --no-store --json
    json "j['predicted_s'], j['load']['cpu_availability'], j['load']['host_speed_ratio']" | tr -d '()'
}
# computing takes 25.6 s on two idle fast hosts; of f1 and s1, f1 has 0.3 of a fast core, which is
# 0.6 of a slow one
predicted f1,f2 > busy-fast
predicted f1,s1 > both
predicted s1,s2 > busy-slow
predicted f2,s1 > idle-slow
answers=(busy-fast both busy-slow idle-slow)
python3 - "${answers[@]}" << 'EOF' || fault "it is $(cat "${answers[@]}")"
import sys
fast, both, slow, idle = ([float(x) for x in open(name).read().split(",")] for name in sys.argv[1:])
assert abs(both[0] / fast[0] - 1) < 0.02, "both are as slow as the busy fast one"
assert abs(both[1] - 0.6) < 0.01 and both[2] == 1, both
assert 0.28 < fast[1] < 0.32 and fast[2] == 2, fast
assert both[0] < 0.65 * slow[0] and both[0] > 1.3 * idle[0]
EOF

begin 'slowdown is as measured, on any number of cores'
cat > many.yaml << 'EOF'
name: many
clusters:
  - name: m
    hosts: m[1-2]
    cores: 4
    speed: 1Gf
    networks: [{name: net, bandwidth: 100Mbit, latency: 50us}]
  - name: q
    hosts: q1
    cores: 1
    speed: 4Gf
    networks: [{name: net, bandwidth: 100Mbit, latency: 50us}]
EOF
# 100 s on idle hosts, of 1 Gf
{
    echo app,platform,hosts,n,p,seconds,cpu,start
    for i in 1 2 3 4; do echo "one,many,m1,1000,1,100,1,$((1700000000 + 1000 * i))"; done
    for i in 1 2 3 4; do echo "one,many,\"m1,q1\",1000,2,50,1,$((1700010000 + 1000 * i))"; done
} > one.csv
ok "$RUNCAST" import one.csv
sed 's/,0.3$/,0.4/' f1.csv > m1.csv
ok "$RUNCAST" series import m1.csv --host m1 --metric cpu
ok "$RUNCAST" series import m1.csv --host q1 --metric cpu
cp f2.csv m2.csv
ok "$RUNCAST" series import m2.csv --host m2 --metric cpu
# The median of the method slowdown.
slowed() {
    ok "$RUNCAST" predict --app one --size 1000 --procs "$2" --hosts "$1" --platform-file many.yaml \
        --at $NOW --method slowdown --no-store --json
    json "j['p50_s']"
}
near() { python3 -c "import sys; sys.exit(not abs($1 / $2 - 1) < 0.05)" || fault "$1 is not $2"; }
near "$(slowed m2 1)" 100
near "$(slowed m1 1)" 250
# a fast host that has 0.4 of its core is ahead of a slow one that is idle
near "$(slowed m2,q1 2)" 50

finish
