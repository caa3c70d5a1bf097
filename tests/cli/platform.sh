#!/bin/bash
# Platform files.
. "$(dirname "$0")/harness.sh"

cat > good.yaml << 'END'
name: lab
clusters:
  - name: A
    hosts: a[01-04]
    cores: 2
    memory: 2GiB
    speed: 2.2Gf
    networks:
      - {name: ethernet, bandwidth: 1Gbit, latency: 50us}
    cost: 0.05
    placement: {per_host: 1, order: spread}
  - name: B
    hosts: b1,b[5-6]
    cores: 4
    networks:
      - name: ethernet
        bandwidth: 100Mbit
        latency: 70us
links:
  - between: [A, B]
    bandwidth: 1Gbit
    latency: 1ms
END

begin 'a good file passes'
ok "$RUNCAST" platform check good.yaml
is "$(cat out)" 'good.yaml: ok: 2 clusters, 7 hosts, 20 cores, 1 link'
silent
ok "$RUNCAST" platform check "$SOURCE_ROOT"/examples/*.yaml
ok "$RUNCAST" platform check good.yaml --json
is "$(json "[j['files'][0][k] for k in ('file', 'ok', 'cluster_count', 'host_count', 'core_count', 'link_count')]")" \
    "['good.yaml', True, 2, 7, 20, 1]"
sed 's/cores/coers/' good.yaml > bad.yaml
fails "$RUNCAST" platform check good.yaml bad.yaml --json
keep_document
is "$(json "[f['ok'] for f in j['files']], j['files'][1]['error']['line'] > 0, 'coers' in j['files'][1]['error']['message']")" \
    '([True, False], True, True)'

begin 'it is shown as text and JSON'
ok "$RUNCAST" platform show good.yaml
prints 'a[01-04]'
prints '1 Gbit/s'
ok "$RUNCAST" platform show good.yaml --json
is "$(json "[c['name'] for c in j['clusters']]")" "['A', 'B']"
is "$(json "j['clusters'][0]['networks'][0]['bandwidth_bytes_per_s'], j['clusters'][0]['networks'][0]['latency_s']")" \
    '(125000000, 5e-05)'
is "$(json "j['clusters'][0]['hosts'], j['clusters'][0]['cost_per_core_hour']")" "(['a01', 'a02', 'a03', 'a04'], 0.05)"

begin 'placement decides the memory of a process'
ok "$RUNCAST" platform show good.yaml --cluster A --procs 3
prints '2 GiB'
fails "$RUNCAST" platform show good.yaml --cluster A --procs 5
fails "$RUNCAST" platform show good.yaml --cluster Z --procs 1

# wrong SED-SCRIPT LINE TEXT...: the edited file is refused at that line, with those texts.
wrong() {
    local script=$1 line=$2
    shift 2
    sed "$script" good.yaml > bad.yaml
    fails "$RUNCAST" platform check bad.yaml
    complains "bad.yaml:$line:"
    for text; do complains "$text"; done
}

begin 'faults name line, key and expected values'
wrong '5s/cores/coers/' 5 coers 'cores'
wrong '5s/2/two/' 5 cores
wrong '5d' 3 cores
wrong '6s/2GiB/2G/' 6 memory '2GiB'
wrong '9s/1Gbit/1Gb/' 9 bandwidth '1Gbit'
wrong '4s/a\[01-04\]/a[04-01]/' 4 hosts
wrong '12s/B/A/' 12 name
wrong '11s/spread/everywhere/' 11 order 'packed'
wrong '20s/B/C/' 20 between
wrong '1s/lab/[lab/' 2
wrong '13s/b1/a01/' 13 a01

begin 'several files are checked, and every fault is reported'
sed '5s/2/two/' good.yaml > bad1.yaml
sed '5s/2/0/' good.yaml > bad2.yaml
fails "$RUNCAST" platform check bad1.yaml good.yaml bad2.yaml
complains 'bad1.yaml:5'
complains 'bad2.yaml:5'
prints 'good.yaml: ok'
fails "$RUNCAST" platform check nosuch.yaml
complains 'nosuch.yaml'

begin 'hostile files give an error and not a crash'
head -c 2000000 /dev/zero | tr '\0' '[' > deep.yaml
head -c 100000 /dev/urandom > noise.yaml
printf 'a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n' > laugh.yaml
: > empty.yaml
for file in deep noise laugh empty; do
    fails "$RUNCAST" platform check $file.yaml
done

finish
