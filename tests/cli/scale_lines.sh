#!/bin/bash
# 'runcast scale' at the limits of its models: communication hidden behind computation, nonlinear
# times, and the notes about them.
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"
# shellcheck source=scaling.sh
. "$(dirname "$0")/scaling.sh"

cat > p.yaml << 'END'
name: two
currency: units
clusters:
  - name: A
    hosts: a[01-64]
    cores: 1
    memory: 256MiB
    cost: 1
    networks:
      - {name: ethernet, bandwidth: 100Mbit, latency: 70us}
  - name: B
    hosts: b[01-64]
    cores: 1
    memory: 256MiB
    cost: 1
    networks:
      - {name: ethernet, bandwidth: 100Mbit, latency: 70us}
links:
  - {between: [A, B], bandwidth: 100Mbit, latency: 1ms}
END

# add APP CLUSTER SECONDS [BYTES] [ROWS..]: two runs each of blocks of 128 x 1024 and 32 x 1024, or
# of those rows, on 1, 4 and 8 hosts of the cluster.  SECONDS and BYTES are of p and work, in awk.
add() {
    awk -v app="$1" -v host="${2,,}" -v sizes="${*:5}" 'BEGIN {
        print "app,n,p,seconds,platform,hosts,memory,rows,cols,network,per_host"
        n = split(sizes == "" ? "128 32" : sizes, rows, " ")
        for (p = 1; p <= 8; p *= p == 1 ? 4 : 2)
            for (i = 1; i <= n; i++)
                for (k = 0; k < 2; k++) {
                    work = rows[i] * 1024
                    printf "%s,1024,%d,%.12g,two,%s[01-%02d],%.12g,%d,1024,1,1\n", app, p,
                        '"$3"', host, p, '"${4:-1e6}"', rows[i] * p
                }
    }' > runs.csv
    ok "$RUNCAST" import runs.csv
}
# target APP: what the runs of it are for.
target() { words=(--app "$1" --platform-file p.yaml --cluster A --size 4096x1024 --procs 32); }

begin 'hidden communication never makes a run shorter than its computation'
# messages take 200 s, and computation 131 s with the block of the target: the longer one counts
add hides A '(p > 1 && work * 1e-3 < 200 ? 200 : work * 1e-3)'
target hides
ok scale fit "${words[@]}" --repeat 2
complains 'note: communication is hidden behind computation (gamma is below 0)'
ok scale predict "${words[@]}" --json
number "j['point_s']" 200
is "$(json "any('hidden behind computation' in note for note in j['notes'])")" True
ok scale predict "${words[@]}" --procs 8 --json
number "j['point_s']" 524.3
number "j['communication_time']['interval_s']['low']" 0
is "$(json "500 < j['time']['interval_s']['low'] <= j['time']['mean_s'] < 550")" True
ok scale predict "${words[@]}" --procs 8 --explain
prints 'communication: 0 s (alpha 00:03:20, gamma work -00:08:44; hidden behind computation)'
prints '= -324.29 s, below 0: hidden behind computation, so 0 s'
prints '6. T = Tcomp + Tcomm = 524.29 + 0 = 524.29 s'
ok scale compare --app hides --platform-file p.yaml --size 4096x1024 --procs A:4,A:32
complains 'note: A ethernet, 1 per host: communication is hidden behind computation'
ok scale compare --app hides --platform-file p.yaml --size 4096x1024 --procs A:4,A:32 --json
is "$(json "[c['parts'][0]['procs'] for c in j['choices'] if c['state'] == 'ok']")" '[32, 4]'
is "$(json "abs(j['choices'][1]['time_s'] / 1048.6 - 1) < 0.01")" True

begin 'fit, predict and compare warn of nonlinear times'
add bent A 'work ^ 1.5 * 1e-6 + (p > 1 ? 5 : 0)' 1e6 128 64 32
target bent
ok scale fit "${words[@]}" --repeat 2 --check-linearity
prints 'NOT LINEAR: computation is not linear in work'
is "$(grep -c 'computation is not linear' out)" 1 'how often fit warns'
ok scale predict "${words[@]}"
complains 'note: computation is not linear in work'
ok scale predict "${words[@]}" --json
is "$(json "sum('computation is not linear in work' in note for note in j['notes'])")" 1
ok scale compare --app bent --platform-file p.yaml --size 4096x1024 --procs A:32
complains 'note: A ethernet, 1 per host: computation is not linear in work'
ok scale compare --app bent --platform-file p.yaml --size 4096x1024 --procs A:32 --json
is "$(json "sum('computation is not linear in work' in note for note in j['notes'])")" 1
is "$(json "sum('computation is not linear in work' in n for n in j['choices'][0]['notes'])")" 1
ok scale fit "${words[@]}" --repeat 2 --check-linearity --work 'cells^1.5'
ok scale predict "${words[@]}"
is "$(grep -c 'linear' out)" 0 'of work that is right'

begin 'one process of a cluster communicates with another cluster'
for cluster in A B; do
    add pair "$cluster" 'work * 1e-3 + (p > 1 ? 100 + log(p) / log(2) : 0)'
    ok scale fit --app pair --platform-file p.yaml --cluster "$cluster" --size 4096x1024 --procs 32
done
pair=(--app pair --platform-file p.yaml --size 4096x1024 --procs 'A:1,B:32')
ok scale predict "${pair[@]}" --split 1:31 --explain
complains "note: A: one process has neighbours on other clusters"
prints '4. alpha(2) = c + d log2 np = 100 + 1 x 1 = 101 s'
prints '6. T = Tcomp + Tcomm = 131.07 + 101 = 232.07 s'
ok scale predict --app pair --platform-file p.yaml --size 128x1024 --procs A:1 --explain
prints '5. Tcomm(1) = 0 s'
prints '6. T = Tcomp = 131.07 s'

begin 'the cost of a plan includes measured communication'
add costs A 'work * 1e-3 + (p > 1 ? 1000 : 0)'
target costs
ok scale plan "${words[@]}" --repeat 1 --json
number "j['plans'][0]['target_core_hours']" "$(python3 -c 'print("%.4g" % (32 * 1131.072 / 3600))')"
number "j['plans'][0]['runs'][0]['core_hours']" "$(python3 -c 'print("%.4g" % (131.072 / 3600))')"
number "j['plans'][0]['runs'][3]['core_hours'] / 4 * 3600" 1033

finish
