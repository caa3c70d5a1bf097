#!/bin/bash
# Watching hosts: what is stored, on which time, which links are probed, what is refused.
. "$(dirname "$0")/harness.sh"
. "$SOURCE_ROOT/tests/cli/watching.sh"

begin 'samples of all hosts are stored, each once'
ok watch --hosts 'a[1-3]' --for 2s
silent
prints 'watched 3 hosts for 2'
prints ' samples stored in 12 series, 0 lost'
for host in a1 a2 a3; do
    is "$(stored $host)" "$(sent $host)" "samples of $host"
    [ "$(stored $host)" -ge 1 ] || fault "only $(stored $host) samples of $host"
done
is "$(stored a1 load1)" "$(sent a1)"
ok "$RUNCAST" db check
none_left

begin 'the JSON tells the same'
fresh
ok watch --hosts a1,a2 --for 2s --json
is "$(json "[h['host'] for h in j['hosts']], [h['state'] for h in j['hosts']]")" "(['a1', 'a2'], ['up', 'up'])"
is "$(json "j['stored'] == sum(h['samples'] for h in j['hosts']) and j['lost']")" 0
is "$(json "j['hosts'][0]['cores'], j['hosts'][0]['cpu'], j['interrupted']")" '(2, 0.5, False)'

begin 'clocks that are wrong are put right'
fresh
echo 'ahead=5000' > a1.conf
echo 'ahead=-5000 delay=0.02' > a2.conf
echo 'step=3:900' > a3.conf
echo 'step=3:-900' > a4.conf
before=$(date +%s)
ok watch --hosts 'a[1-4]' --for 2s --json
is "$(json "[round(h['offset']) for h in j['hosts']]")" '[5000, -5000, 900, -900]'
after=$(date +%s)
for host in a1 a2 a3 a4; do
    "$RUNCAST" series export --host $host --metric cpu > $host.csv
    # Rising, between beginning and end, and nearly a period apart, whatever the clock did
    is "$(python3 - $host.csv "$before" "$after" << 'END'
import csv, sys
t = [float(row["t"]) for row in csv.DictReader(open(sys.argv[1]))]
steps = [b - a for a, b in zip(t, t[1:])]
print(min(steps) > 0 and t[0] >= float(sys.argv[2]) and t[-1] <= float(sys.argv[3]) + 1, len(t) > 3)
END
)" 'True True' "times of $host"
done

begin 'links are probed, one at a time on each host, within their bytes'
fresh
ok watch --hosts 'a[1-4]' --links ring --link-every 1s --link-bytes 36MB --burst 4KiB --for 2.4s --json
is "$(json "len(j['links']), min(l['probes'] - l['failures'] for l in j['links']) >= 2")" '(4, True)'
# 36 MB an hour, at most 3602 probes in it
is "$(json "max(l['bytes'] / max(1, l['probes']) for l in j['links']) <= 36e6 / 3602")" True
is "$("$RUNCAST" series list --json | python3 -c "
import json, sys
s = json.load(sys.stdin)['series']
print(sorted({(x['host'], x['peer']) for x in s if x['metric'] == 'bandwidth'}))")" \
    "[('a1', 'a2'), ('a2', 'a3'), ('a3', 'a4'), ('a4', 'a1')]"
is "$(python3 - << 'END'
import glob, re
busy = {}
for name in glob.glob("*.log"):
    near, begun = name[:-4], {}
    for line in open(name):
        word = line.split()
        if word[0] == "probe":
            begun[word[1]] = (word[2], float(word[-1]))
        elif word[0] == "probed":
            far, at = begun.pop(word[1])
            for host in (near, far):
                busy.setdefault(host, []).append((at, float(word[-1])))
spans = [sorted(b) for b in busy.values()]
print(len(busy), any(a[1] > b[0] for s in spans for a, b in zip(s, s[1:])))
END
)" '4 False' 'hosts with probes, and whether any overlap'

begin 'a link that cannot be probed is told'
fresh
echo 'nolink' > a2.conf
ok watch --hosts a1,a2 --links 'a1>a2' --link-every 1s --burst 1KiB --for 2s --json
is "$(json "j['links'][0]['failures'] >= 1, j['links'][0]['reason']")" "(True, 'a2: cannot listen')"

begin 'hosts come from a platform file'
fresh
cat > p.yaml << 'END'
name: small
clusters:
  - name: c
    hosts: a[1-2]
    cores: 2
    networks:
      - {name: n, bandwidth: 1Gbit, latency: 50us}
END
ok "$RUNCAST" platform check p.yaml
ok watch --platform p.yaml --for 2s --json
is "$(json "[h['host'] for h in j['hosts']]")" "['a1', 'a2']"
ok watch --platform p.yaml --hosts a2 --for 2s --json
is "$(json "[h['host'] for h in j['hosts']]")" "['a2']"
fails watch --platform p.yaml --hosts a7 --for 0.8s
complains "there is no host 'a7' in it"

begin 'real sensors are watched, and their links'
fresh
printf '#!/bin/sh\nshift\nexec "$@"\n' > here
chmod +x here
ok "$RUNCAST" watch --hosts localhost,127.0.0.1 --launcher ./here --program "$RUNCAST" --every 0.5 \
    --probe-every never --links ring --link-every 2s --link-bytes 100GB --burst 8KiB --for 1.8s --json
silent
is "$(json "[h['state'] for h in j['hosts']], min(h['messages'] for h in j['hosts']) >= 2")" "(['up', 'up'], True)"
is "$(json "[(l['failures'], l['bandwidth'] > 0, l['latency'] > 0) for l in j['links']]")" \
    '[(0, True, True), (0, True, True)]'
is "$(json "all(0 <= h['cpu'] <= 1 and h['memory'] > 0 and abs(h['offset']) < 1 for h in j['hosts'])")" True
is "$(pgrep -fc -- "$RUNCAST sense --agent")" 0 'sensors left'

begin 'what cannot be is refused'
misused "$RUNCAST" watch
complains 'say which hosts'
misused watch --hosts 'a[1-'
misused watch --hosts a1,a2 --links a1
complains "'a1' is no link: write a1:a2"
misused watch --hosts a1,a2 --links 'a1>a3'
misused watch --hosts a1 --links ring
misused watch --hosts a1 --every 0
misused watch --hosts a1 --for soon
misused watch --hosts a1 --probe-every x
# What sensors would refuse
misused watch --hosts a1 --every 0.05
complains '--every: from 0.1s'
misused watch --hosts a1 --probe-every 5s
complains '--probe-every: at least 10s'
misused watch --hosts a1,a2 --links ring --link-every 0.1s
fails watch --hosts a1,a2 --links ring --link-bytes 1MB
complains 'less than one burst of 65536'
fails "$RUNCAST" watch --hosts a1 --launcher no-such-launcher
complains "no program 'no-such-launcher'"
fails watch --hosts a1 --db /nowhere/store.db

begin 'on a terminal a table stands in one place'
fresh
if ! command -v script > /dev/null; then
    skip 'needs script(1)'
else
    # Lost twice, and then not tried again for two seconds, in which the table is drawn.
    echo 'count=1' > a2.conf
    script -qec "stty cols 100; '$RUNCAST' watch --launcher ./agent.py --every 0.2 --hosts a1,a2 --for 4.5s" \
        /dev/null > out 2>&1 < /dev/null
    prints $'\033['
    prints '1 up, 1 lost'
    is "$(grep -c 'is lost' out)" 0 'lines about losses'
    prints 'watched 2 hosts'
fi

finish
