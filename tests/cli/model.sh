#!/bin/bash
# Structural models: what a user asks of them, and gets.
. "$(dirname "$0")/harness.sh"

# 12 s on a1, 24 s on a2 at N = 120 on two hosts, and a tenth of N milliseconds for each message.
cat > sweep.rcm << 'END'
model sweep "a sweep over points"
input N "points" from size
input P from processes
input iterations = 10
input point[h] "seconds for a point" = table
    a1    20ms
    a2    40ms
    accuracy 5%
    measured 2026-05-04
    lifetime 30d
    source "25 runs"
input cpu[h] "availability" = 1

component Compute[h] by benchmark
    = N / P * point[h] / cpu[h]
    kind computation
component Compute[h] by guess
    = N / P * 100ms
    accuracy 200%
component Exchange[h] by messages "one for each neighbour"
    = sum(j in neighbours[h]: N * 0.1ms)
    kind communication
component Report by printing = 5s

total slowest "all wait for the slowest host"
    = iterations * max(h in hosts: Compute[h] + Exchange[h]) + Report
total balanced
    = iterations * (Compute[a1] + Exchange[a1]) + Report
    accuracy 50%

profile
    Compute   94%
    Exchange   5%
    Report     1%
omit below 2%
hosts a1,a2
END
at=2026-05-10

# eval_mean ARGUMENTS...: the mean of an evaluation.
eval_mean() {
    ok "$RUNCAST" model eval "$@" --at $at --json
    json "round(j['mean_s'], 9)"
}

begin 'a sound model is checked'
ok "$RUNCAST" model check sweep.rcm
prints 'sweep: 5 inputs, 3 tasks, 2 totals: 0 errors, 0 warnings'
complains 'sweep.rcm: note: inputs to set: N (or the size of a run)'
ok "$RUNCAST" model check sweep.rcm --json
silent
is "$(json "j['model'], j['app'], j['input_count'], j['task_count'], j['total_count'], j['error_count'], j['platforms']")" \
    "('sweep', 'sweep', 5, 3, 2, 0, [])"
is "$(json "[(f['severity'], f['line'], f['column']) for f in j['findings']]")" "[('note', None, None)]"

begin 'what is wrong with a model is shown as compilers do'
sed 's/point\[h\] \/ cpu/pint[h] \/ cpu/; s/^hosts a1,a2/hosts a1,a9/' sweep.rcm > wrong.rcm
fails "$RUNCAST" model check wrong.rcm
prints '1 error'
complains "wrong.rcm:15:15: error: unknown name 'pint'; did you mean 'point'?"
is "$(grep -A2 "'pint'" err | tail -2)" '      = N / P * pint[h] / cpu[h]
                ^'
fails "$RUNCAST" model check wrong.rcm --json
is "$(json "j['error_count'], [f['line'] for f in j['findings'] if f['severity'] == 'error']")" '(1, [15])'
fails "$RUNCAST" model eval wrong.rcm --set N=1 --alternative Compute=benchmark
complains 'pint'

begin 'faults of a file are shown with a caret'
printf 'model m\ncomponent T by w = 1 +\n\ntotal t = T\n' > fault.rcm
for verb in check eval explain accuracy; do
    fails "$RUNCAST" model $verb fault.rcm
    complains 'fault.rcm:2:23: '
    is "$(tail -2 err)" '  component T by w = 1 +
                        ^' $verb
    is "$(cat out)" '' "$verb"
done
printf 'model m\ntotl t = 1\n' > fault.rcm
fails "$RUNCAST" model check fault.rcm
complains "fault.rcm:2:1: "
complains "'total'"
printf 'model m\ntotal t = 1\nprofile\n    T 5%%\ninput N\n  kindly x\n' > fault.rcm
fails "$RUNCAST" model check fault.rcm
complains 'fault.rcm:6:3: '

begin 'a model is evaluated'
ok "$RUNCAST" model eval sweep.rcm --set N=120 --at $at
silent
prints 'sweep, 2 hosts: run time in seconds'
prints 'omitted by the profile: Report'
is "$(awk '$1 == "kind" || $1 == "value" { printf "%s ", $2 }' out)" 'point 24.12 '
ok "$RUNCAST" model eval sweep.rcm --set N=120 --at $at --json
is "$(json "j['model'], j['section'], j['hosts'], j['omitted']")" "('sweep', None, ['a1', 'a2'], ['Report'])"
is "$(json "j['alternatives']['Compute'], j['alternatives']['total']")" "('benchmark', 'slowest')"
is "$(json "round(j['mean_s'], 9), j['kind'], 'late_probability' in j")" "(24.12, 'point', False)"

begin 'hosts, inputs, alternatives and omissions are chosen'
is "$(eval_mean sweep.rcm --set N=120 --hosts a1)" 24
is "$(eval_mean sweep.rcm --set N=120 --set P=4)" 12.12
is "$(eval_mean sweep.rcm --set N=120 --set iterations=1 --set 'cpu[a2]=50%')" 4.812
is "$(eval_mean sweep.rcm --set N=120 --set 'point[a2]=20ms')" 12.12
is "$(eval_mean sweep.rcm --set N=120 --omit 0)" 29.12
is "$(eval_mean sweep.rcm --set N=120 --omit 6%)" 24
is "$(eval_mean sweep.rcm --set N=120 --alternative Report=printing)" 29.12
is "$(eval_mean sweep.rcm --set N=120 --alternative Compute=guess)" 60.12
is "$(eval_mean sweep.rcm --set N=120 --alternative total=balanced)" 12.12
at=2026-07-01 # the benchmark is too old
is "$(eval_mean sweep.rcm --set N=120)" 60.12
at=2026-05-10

begin 'a distribution gives a distribution'
ok "$RUNCAST" model eval sweep.rcm --set N=120 --set 'cpu=normal(0.8, 0.05)' --at $at --json
is "$(json "j['kind'], 30 < j['mean_s'] < 31, j['sd_s'] > 1, j['interval_s']['low'] < j['mean_s'] < j['interval_s']['high']")" \
    "('normal', True, True, True)"
ok "$RUNCAST" model eval sweep.rcm --set N=120 --set 'cpu=interval(0.5, 1)' --at $at --json
is "$(json "j['kind'], round(j['low_s'], 9), round(j['high_s'], 9)")" "('interval', 24.12, 48.12)"
for kind in point normal interval histogram sample; do
    ok "$RUNCAST" model eval sweep.rcm --set N=120 --set 'cpu=normal(0.8, 0.01)' --at $at --as $kind --json
    is "$(json "j['kind'], abs(j['mean_s'] - 30.12) < 0.2")" "('$kind', True)"
done

begin 'a deadline is late with some probability'
ok "$RUNCAST" model eval sweep.rcm --set N=120 --at $at --deadline 24
prints 'longer than 24 s: 100 % probable'
ok "$RUNCAST" model eval sweep.rcm --set N=120 --at $at --deadline 0.5min
prints 'longer than 30 s: 0 % probable'
ok "$RUNCAST" model eval sweep.rcm --set N=120 --at $at --set 'cpu[a2]=interval(0.5, 1)' --deadline 36.12 --json
is "$(json "j['deadline_s'], round(j['late_probability'], 6)")" '(36.12, 0.5)'
misused "$RUNCAST" model eval sweep.rcm --deadline soon
complains '--deadline'

begin 'wrong settings are reported'
fails "$RUNCAST" model eval sweep.rcm --at $at
complains 'N, the problem size, is not set'
complains 'hint: set it with --set N=VALUE'
fails "$RUNCAST" model eval sweep.rcm --set N=1 --set iteration=3
complains "hint: did you mean 'iterations'?"
fails "$RUNCAST" model eval sweep.rcm --set N=1 --set Compute=3
complains "'Compute' is not an input of the model, but computed from inputs"
fails "$RUNCAST" model eval sweep.rcm --set 'N=2 * (3'
is "$(tail -2 err | cut -c1-14)" '  N=2 * (3
          ^'
fails "$RUNCAST" model eval sweep.rcm --set N=1 --set 'cpu[a1]=0' --at $at
complains 'sweep.rcm:15:'
is "$(cat out)" ''
fails "$RUNCAST" model eval sweep.rcm --set N=1 --hosts a1,zz --alternative Compute=benchmark
complains "point has no row for 'zz'"
fails "$RUNCAST" model eval sweep.rcm --set N=1 --alternative Compute=gess
complains "'Compute' has no alternative 'gess'"
fails "$RUNCAST" model eval sweep.rcm --set N=1 --alternative Comput=guess
complains "no task 'Comput'"
fails "$RUNCAST" model eval sweep.rcm --set $'N=\e[31m'
grep -q $'\e' err && fault 'an escape reaches the terminal'
misused "$RUNCAST" model eval sweep.rcm --set N=1 --omit 3
misused "$RUNCAST" model eval sweep.rcm --set N=1 --hosts 'a[1-'
complains '--hosts'
misused "$RUNCAST" model eval sweep.rcm --set N=1 --as uniform
misused "$RUNCAST" model eval sweep.rcm --set N=1 --level 1
misused "$RUNCAST" model eval
misused "$RUNCAST" model eval sweep.rcm sweep.rcm
misused "$RUNCAST" model frobnicate
misused "$RUNCAST" model

# A mistyped host, or the parameter as the model writes it.
begin 'what is set for a host that is not there is not passed over in silence'
for set in 'cpu[a11]=0.1' 'cpu[h]=0.1'; do
    run "$RUNCAST" model eval sweep.rcm --set N=120 --at $at --set "$set"
    [ -s err ] || fault "--set $set: no word"
done

cat > places.rcm << 'END'
model places
input f = 1
input bw[h] from platform bandwidth
total t = f * max(h in hosts: 1MB / bw[h])
on lab "named as the platform"
input f = 2
on attic
hosts attic1
input f = 3
input bw[h] = 1MB
END
cat > lab.yaml << 'END'
name: lab
clusters:
  - {name: l, hosts: "lab[1-4]", cores: 2, networks: [{name: n, bandwidth: 10MB/s, latency: 1ms}]}
  - {name: m, hosts: "m[1-2]", cores: 2, networks: [{name: n, bandwidth: 5MB/s, latency: 1ms}]}
END

begin 'the platform is chosen, or follows from its file'
misused "$RUNCAST" model eval places.rcm
complains 'use --on with one of: lab, attic'
is "$(eval_mean places.rcm --on attic)" 3
is "$(eval_mean places.rcm --platform-file lab.yaml)" 0.4 # 2 * 1/5: all hosts of the file
is "$(json "j['section'], len(j['hosts'])")" "('lab', 6)"
is "$(eval_mean places.rcm --platform-file lab.yaml --hosts 'lab[2-3]')" 0.2
is "$(eval_mean places.rcm --platform-file lab.yaml --on attic)" 3
sed 's/^name: lab/name: cellar/' lab.yaml > cellar.yaml
is "$(eval_mean places.rcm --platform-file cellar.yaml)" 0.2 # no part has that name
is "$(json "j['section']")" None
is "$(eval_mean places.rcm --hosts x --set 'bw[x]=2MB')" 0.5
misused "$RUNCAST" model eval places.rcm --on atic
complains "it has 'on attic'"
fails "$RUNCAST" model eval places.rcm --on lab
complains 'bw comes from a platform file, but none is given'
complains 'hint: name it with --platform-file'
misused "$RUNCAST" model eval places.rcm --platform-file lab.yaml --hosts lab1,stranger
complains "the platform has no host 'stranger'"
fails "$RUNCAST" model eval places.rcm --platform-file none.yaml
complains 'none.yaml: No such file or directory'
echo 'name: [' > bad.yaml
fails "$RUNCAST" model eval places.rcm --platform-file bad.yaml
complains 'bad.yaml:'

begin 'what was meant to be set is not hidden behind another hint'
fails "$RUNCAST" model eval places.rcm --hosts x --set 'bw=g'
complains "'g'"
sed 's/= f \*/= open * f */; s/^input f = 1/input f = 1\ninput open/' places.rcm > open.rcm
fails "$RUNCAST" model eval open.rcm --hosts x --set bw=1MB
complains 'open is not set'
complains 'hint: set it with --set open=VALUE'

begin 'further files substitute, refine and add'
echo 'use Compute by guess' > substitute.rcm
is "$(eval_mean sweep.rcm --set N=120 --with substitute.rcm)" 60.12
is "$(json "j['alternatives']['Compute']")" guess
cat > refine.rcm << 'END'
component Compute[h] by benchmark
    = N / P * point[h] / cpu[h] + 1s
component Compute[h] by halved = Compute.benchmark[h] / 2
    accuracy 1%
END
is "$(eval_mean sweep.rcm --set N=120 --with refine.rcm)" 17.12 # 10 * (3.4 / 2 + 0.012)
is "$(eval_mean sweep.rcm --set N=120 --with refine.rcm --alternative Compute=benchmark)" 34.12
cat > add.rcm << 'END'
input disk = 2s
component Output by writing = disk
    kind io
total slowest = iterations * max(h in hosts: Compute[h] + Exchange[h]) + Report + Output
END
is "$(eval_mean sweep.rcm --set N=120 --with add.rcm)" 26.12
is "$(eval_mean sweep.rcm --set N=120 --with add.rcm --with refine.rcm --with substitute.rcm \
    --alternative total=slowest)" 62.12
ok "$RUNCAST" model check sweep.rcm --with add.rcm --json
is "$(json "j['task_count'], j['total_count'], j['error_count']")" '(4, 2, 0)'
echo 'input N = ' > broken.rcm
fails "$RUNCAST" model eval sweep.rcm --with add.rcm --with broken.rcm
complains 'broken.rcm:1:'
is "$(tail -2 err | head -1)" '  input N = '
echo 'define f = no_such' > add2.rcm
fails "$RUNCAST" model check sweep.rcm --with add2.rcm
complains "add2.rcm:1:12: error: unknown name 'no_such'"
echo 'model other' > second.rcm
fails "$RUNCAST" model eval sweep.rcm --with second.rcm
complains 'second.rcm:1:1: '

begin 'an answer is explained'
ok "$RUNCAST" model explain sweep.rcm --set N=120 --at $at
silent
is "$(head -1 out)" 'sweep: 24.12 s'
is "$(awk '$1 == "Compute[h]" { print $2, $3, $4, $5, $6, $7, $8 }' out)" '1.2 (a1) to 2.4 (a2) 99.5 %'
prints 'omitted: 1 % of the profile, below 2 %'
prints "expected error 200 %; that of 'benchmark' is 5 %"
prints '6-00:00:00'
prints 'table (25 runs)'
ok "$RUNCAST" model explain sweep.rcm --set N=120 --at 2026-07-01
prints 'point was measured 58-00:00:00 ago'
ok "$RUNCAST" model explain sweep.rcm --set N=120 --at $at --json
is "$(json "[p['name'] for p in j['components'][0]['components']], j['components'][0]['alternative']")" \
    "(['Compute', 'Exchange', 'Report'], 'slowest')"
is "$(json "[round(p['share'], 6) if p['share'] is not None else None for p in j['components'][0]['components']]")" \
    '[0.995025, 0.004975, None]'
is "$(json "[(v['index'], round(v['mean'], 9)) for v in j['components'][0]['components'][0]['values']]")" \
    "[('a1', 1.2), ('a2', 2.4)]"
is "$(json "[(w['alternative'], w['expected_error_fraction']) for w in j['components'][0]['components'][0]['not_used']]")" "[('guess', 2)]"
is "$(json "[(i['name'], i['origin']) for i in j['inputs']][:3]")" \
    "[('N', 'set'), ('P', 'processes'), ('iterations', 'the model')]"
is "$(json "[i['accuracy_fraction'] for i in j['inputs'] if i['name'] == 'point']")" '[0.05]'

begin 'what is missing is explained, too'
fails "$RUNCAST" model explain sweep.rcm --at $at
prints 'N, the problem size, is not set'
complains 'hint: set it with --set N=VALUE'
fails "$RUNCAST" model explain sweep.rcm --set N=1 --hosts a1,zz --alternative Compute=benchmark
prints "'benchmark' was requested"

begin 'every alternative that is not used has a reason'
cat > old.rcm << 'END'
model old
input o = 1
    measured 2020-01-01
    lifetime 1d
component T by w = o
    accuracy 5%
total stale = T
total fresh = 2
    accuracy 50%
END
ok "$RUNCAST" model explain old.rcm --json
is "$(json "[bool(w['reason']) for w in j['components'][0]['not_used']]")" '[True]'

begin 'the expected error of the model is included on request'
cat > rough.rcm << 'END'
model rough
component T by guess = 10
    accuracy 20%
total t = T
END
ok "$RUNCAST" model eval rough.rcm
prints 'expected error of the model: 20 % (not included; use --spread)'
prints '--spread'
ok "$RUNCAST" model eval rough.rcm --spread --deadline 12s --json
is "$(json "j['kind'], j['mean_s'], round(j['sd_s'], 9), j['expected_error_fraction'], round(j['late_probability'], 4)")" \
    "('normal', 10, 1, 0.2, 0.0228)"
ok "$RUNCAST" model eval rough.rcm --deadline 12s --json
is "$(json "j['kind'], j['late_probability']")" "('point', 0)"

begin 'what was measured after the time in question has no age'
ok "$RUNCAST" model explain sweep.rcm --set N=120 --at 2026-05-01
prints 'measured later'

begin 'a formula that goes on for too long says what would help'
printf 'model m\ntotal t = sum(i in 1 to 2000: sum(k in 1 to 2000: 1))\n' > long.rcm
fails "$RUNCAST" model eval long.rcm
complains 'steps'
complains 'hint: use fewer members'

begin 'a time that may be negative is reported'
printf 'model m\ninput x = 1\ntotal t = x\n' > minus.rcm
fails "$RUNCAST" model eval minus.rcm --set x=-1
complains 'the result is -1 s, not a positive time'
ok "$RUNCAST" model eval minus.rcm --set 'x=normal(1, 1)'
complains 'may be negative'
ok "$RUNCAST" model eval minus.rcm --set 'x=interval(1, 3)' --deadline 2s
prints 'possible; an interval has no probabilities'
silent

begin 'a series with several modes is a modal value on request'
start=1357862400
{
    echo 'time,value'
    for ((i = 0; i < 360; i++)); do # 20 minutes at 0.9, 10 minutes at 0.45, twice; within 0.01
        echo "$((start - 3600 + 10 * i)),0.$((i % 180 < 120 ? 890 + i * 8 % 21 : 440 + i * 8 % 21))"
    done
} > s.csv
ok "$RUNCAST" series import s.csv --host a1 --metric cpu
printf 'model m\ninput cpu[h] from series cpu last 1h\ntotal t = max(h in hosts: 9 / cpu[h])\n' \
    > sampled.rcm
sed 's/last 1h/& as modal/' sampled.rcm > modal.rcm
ok "$RUNCAST" model eval modal.rcm --hosts a1 --at $start --json
is "$(json "j['kind'], [round(m['mean_s'], 1) for m in j['modes']], [round(m['share'], 2) for m in j['modes']]")" \
    "('modal', [10.0, 20.0], [0.67, 0.33])"
cp out first
ok "$RUNCAST" model eval sampled.rcm --hosts a1 --at $start --as modal --json
cmp -s out first || fault 'the answers differ'
ok "$RUNCAST" model eval modal.rcm --hosts a1 --at $start --deadline 15s
prints 'mode 2         20.'
prints '33'
ok "$RUNCAST" model eval modal.rcm --hosts a1 --at $start --as sample --json
is "$(json "j['kind'], 13 < j['mean_s'] < 13.7")" "('sample', True)"
fails "$RUNCAST" model check <(sed 's/as modal/as bimodal/' modal.rcm)
complains 'point, normal, interval, modal, histogram or sample'

finish
