#!/bin/bash
# Division of work over hosts.
. "$(dirname "$0")/harness.sh"

# json EXPRESSION: as in the harness; `policies` are the policies by name.
json() { python3 -IS -c "import json; j = json.load(open('out')); policies = {p['policy']: p for p in j['policies']}
print(($1))"; }

NOW=1794700000

split() { "$RUNCAST" split --app sor --at $NOW "$@"; }
units() { json "[h['units'] for h in j['hosts']]"; }

begin 'wrong options are refused'
misused split --size 30
misused "$RUNCAST" split --size 30 --hosts a,b
misused split --hosts a,b
misused split --size 0 --hosts a,b
misused split --size 0.5 --hosts a,b
misused split --size 30 --hosts a,a
misused split --size 30 --hosts a,b --policy best
misused split --size 30 --hosts a,b --confidence 0.9
misused split --size 30 --hosts a,b --policy quantile --confidence 1
misused split --size 30 --hosts a,b --policy vtf --tuning-factor 1
misused split --size 30 --hosts a,b --speed 2 --speed 3
complains "--speed: '3' is given twice for all hosts"
misused split --size 30 --hosts a,b --speed c=2
complains "--speed: 'c' is not one of --hosts"
misused split --size 30 --hosts a,b --speed a=0
misused split --size 30 --hosts a,b --speed a=2
complains 'missing speed of b'
complains 'hint: use --speed b=SPEED'
misused split --size 30 --hosts a,b --speed a=2 --speed b=3Gf
complains '--speed: b (3e+09) is over 1000 times as fast as a (2)'
misused split --size 30 --hosts a,b --running
misused split --size 30 --hosts a,b --done 0.3
misused split --size 30 --hosts a,b --running --done 1
complains '--done: no work remains'
misused split --size 30 --hosts a,b --running --done 0.5 --done a=0.1
misused split --size 30 --hosts a,b --current 0.5
misused split --size 30 --hosts a,b --current 0.5,0.5,
misused split --size 30 --hosts a,b --current 1,0
misused split --size 30 --hosts a,b --factors 0,1
misused split --size 30 --hosts a,b --memory-per-unit 1MB
misused split --size 30 --hosts a,b --dedicated 0
complains "--dedicated: '0' is out of range: 1e-09 to 1000000000000"
misused split --size 30 --hosts a,b --dedicated 40s --dedicated 50s
complains '--dedicated is given twice; it is one time, for all hosts together'
misused split --size 30.5 --hosts a,b --dedicated 40s
complains '--size is not a whole number from 1 to 9e15; give the units with --units U'
ok split --size 30.5 --units 30 --hosts a,b --dedicated 40s
misused split --size 30 --hosts a,b --policy mean --window 0
complains '--window is out of range: 0.001 to 1000000000 seconds'
misused split --size 30 --hosts a,b --tuning-factor 1e9
complains '--tuning-factor is out of range: -10 to 10'
misused split --size 30 --hosts a,b --policy vtf --factors 2,1,0
complains "--factors: '2,1,0' is not rising: LEAST,MIDDLE,MOST"
misused split --size 30 --hosts a,b --policy vtf --factors 0,1,1e9
complains "--factors: '0,1,1e9' is out of range: -10 to 10"
misused split --size 30 --hosts a,b --policy mean --speed a=1e40 --speed b=1
complains "--speed: 'a=1e40' is out of range: 1e-12 to 1e+30"

begin 'options without effect are refused'
for given in '--factors 0,1,2' '--high-power 3' '--high-variability 0.1'; do
    # shellcheck disable=SC2086 # an option and its value
    misused split --size 30 --hosts a,b --policy mean $given
    complains "${given% *} needs --policy vtf, or --explain, which shows all policies"
    # shellcheck disable=SC2086
    ok split --size 30 --hosts a,b --policy mean $given --explain
done
misused split --size 30 --hosts a,b --dedicated 60 --current 0.5,0.5
complains '--current needs --running --done SHARE'

begin 'a value given twice is refused, and that of a host counts before that of all'
for given in '--done a=0.1' '--done 0.1' '--max-units a=20' '--max-units 20' '--fixed b=1' '--speed a=1'; do
    # shellcheck disable=SC2086
    misused split --size 30 --hosts a,b --dedicated 60 --running --done a=0.2 $given $given
    complains "${given% *}: '"
    complains ' is given twice'
done
for given in '--max-units 20 --max-units a=15' '--max-units a=15 --max-units 20'; do
    # shellcheck disable=SC2086
    ok split --size 35 --hosts a,b --policy mean $given --json
    is "$(units)" '[15, 20]' "$given"
done

begin 'without a dedicated run time, the error shows what to do'
fails split --size 30 --hosts a,b
complains 'the dedicated run time is unknown'
complains 'hint: give its run time on idle hosts with --dedicated TIME'
fails split --size 30 --hosts a,b --policy forecast

begin 'hosts without samples are assumed idle, with a note'
ok split --size 30 --hosts a,b --speed a=1 --speed b=2 --policy mean
complains 'no CPU samples of these hosts in the day before; assumed to be idle'
complains 'runcast monitor'
complains 'no database is used: '
prints 'sor, 30 units on 2 hosts, policy mean (tuning factor 0)'
prints '--split 0.333333,0.666667'

# Table 1.2: 10 and 5 s for a unit alone; 12 and 12 s under load.
level a 0.833333333333
level b 0.416666666667
begin 'old samples are noted'
ok "$RUNCAST" split --app sor --at $((NOW + 240)) --size 30 --hosts a,b --policy mean
silent
ok "$RUNCAST" split --app sor --at $((NOW + 72000)) --size 30 --hosts a,b --policy mean --json
complains 'note: old samples: the last CPU sample of a is 20:00:00 older than the start (and of 1 more host); '
is "$(json "len(j['notes'])")" 1

begin 'times are balanced'
ok split --size 30 --hosts a,b --speed 1 --speed b=2 --policy mean --json
is "$(units)" '[15, 15]'
ok split --size 30 --hosts a,b --speed a=1 --speed b=2 --policy mean --json
silent
is "$(units)" '[15, 15]'
is "$(json "j['dedicated_from'], policies['mean'].get('mean_s')")" "('unknown', None)"
for policy in mean vtf 95tf last forecast optimal quantile; do
    ok split --size 30 --hosts a,b --speed a=1 --speed b=2 --policy $policy --dedicated 150 --json
    is "$(units)" '[15, 15]' "$policy"
    # 15 units of 12 s
    is "$(json "round(policies['$policy']['mean_s'], 6)")" 180.0 "$policy"
done

# Availabilities of 0.5 +- 0.02 and 0.5 +- 0.3.
level c 0.48 0.52
level d 0.2 0.8
begin 'the tuning factor: conservative, optimistic, and by Figure 5.3'
for case in '2 True' '0 None' '-2 False'; do
    ok split --size 300 --hosts c,d --tuning-factor "${case% *}" --window 2h --json
    is "$(json "None if abs(j['split'][0] - 0.5) < 0.01 else j['split'][0] > 0.5")" "${case#* }"
    is "$(json "j['policy'], policies['tuned']['tuning_factor']")" "('tuned', ${case% *})"
done
ok split --size 300 --hosts c,d --policy vtf --window 2h --json
is "$(json "policies['vtf']['tuning_factor'], [h['tuning_value'] for h in j['hosts']]")" \
    '(0.5, [0, 1])'
ok split --size 300 --hosts c,d --policy vtf --window 2h --json --speed c=1 --speed d=3
is "$(json "[h['tuning_value'] for h in j['hosts']]")" '[0, 2]'
ok split --size 300 --hosts c,d --policy vtf --window 2h --json --speed c=1 --speed d=3 \
    --high-power 3
is "$(json "[h['tuning_value'] for h in j['hosts']]")" '[0, 1]'
ok split --size 300 --hosts c,d --policy vtf --window 2h --json --high-variability 0.01 \
    --factors 0,3,5
is "$(json "policies['vtf']['tuning_factor']")" 3

begin 'no host gets more than it can take'
ok split --size 30 --hosts a,b --policy mean --max-units a=4 --json
is "$(units)" '[4, 26]'
fails split --size 30 --hosts a,b --policy mean --max-units 10
complains 'the hosts can take only 20 of 30 units'
complains 'hint: take more hosts, or hosts with more memory'
complains 'or a larger --max-units'
cat > two.yaml << 'END'
name: two
clusters:
  - name: all
    hosts: a,b
    cores: 1
    memory: 10MB
    speed: 1Gf
    networks:
      - {name: eth, bandwidth: 1Gbit, latency: 50us}
    overrides:
      - {hosts: b, memory: 1GB, speed: 2Gf}
END
ok split --size 30 --hosts a,b --policy mean --platform-file two.yaml --json
is "$(units)" '[15, 15]'
ok split --size 30 --hosts a,b --policy mean --platform-file two.yaml --memory-per-unit 1MB --json
is "$(units)" '[10, 20]'
ok split --size 30 --hosts a,b --dedicated 150 --platform-file two.yaml --memory-per-unit 1MB --json
is "$(units)" '[10, 20]'
fails split --size 30 --hosts a,z --policy mean --platform-file two.yaml
complains "--hosts: no host 'z' in the platform two"

begin 'platform speeds of some hosts only do not count'
sed 's/, speed: 2Gf//; s/    speed: 1Gf//' two.yaml > none.yaml
sed 's/    speed: 1Gf//' two.yaml > half.yaml
ok split --size 30 --hosts a,b --policy mean --platform-file none.yaml --json
silent
cp out none
ok split --size 30 --hosts a,b --policy mean --platform-file half.yaml --json
complains 'note: the platform file has speeds of some hosts, but not of a: all are assumed equally fast'
complains "(add 'speed: 2Gf', or their speed, to half.yaml)"
is "$(units)" "$(cp none out; units)"
ok split --size 30 --hosts a,b --policy mean --platform-file half.yaml --speed a=1Gf --json
silent
is "$(units)" '[15, 15]'
misused split --size 30 --hosts a,b,c --policy mean --speed a=1Gf --speed b=1Gf
complains 'missing speed of c'

begin 'more processes than a host has cores are refused'
fails split --size 30 --hosts a,b --policy mean --platform-file two.yaml --per-host 2
complains '--per-host: 2 processes do not fit on a, which has 1 core'
complains 'hint: use at most --per-host 1, or other hosts'
ok split --size 30 --hosts a,b --policy mean --per-host 2

begin 'a host without work is left out'
ok split --size 30 --hosts a,b --policy mean --dedicated 10 --fixed a=1000
prints '--split 1'
prints 'without a (no work): start the program on the other hosts only'

begin 'fractions are in the form of --split, and come to the same units'
ok split --size 1999 --hosts a,b,c --policy mean
is "$(grep -c '^--split [0-9.,]*$' out)" 1
split=$(sed -n 's/^--split //p' out)
ok split --size 1999 --hosts a,b,c --policy mean --json
# as the programs in apps/ do it
is "$(json "(lambda f: [round(sum(f[:i + 1]) * 1999) - round(sum(f[:i]) * 1999) for i in range(3)])(
    [$split])")" "$(units)"

begin 'the remaining work of a run is divided again'
ok split --size 30 --hosts a,b --speed a=1 --speed b=2 --dedicated 150 --running --done 0.4 \
    --current 10,20 --json
is "$(units)" '[15, 15]'
is "$(json "[round(policies[p]['mean_s'], 6) for p in ('optimal', 'current')]")" \
    '[108.0, 144.0]'
ok split --size 30 --hosts a,b --speed a=1 --speed b=2 --dedicated 150 --running --done a=0.3 \
    --done b=0.1 --coupling loose --json
is "$(units)" '[9, 9]'
is "$(json "j['units'], round(j['done_fraction'], 6), round(policies['optimal']['mean_s'], 6)")" \
    '(18, 0.4, 108.0)'
ok split --size 30 --hosts a,b --dedicated 150 --running --done 0.4
prints '30 units for the rest of the run on 2 hosts'

begin 'savings of moving work'
# 0.6 of 12 s for each of 15 and of 20 units
ok split --size 30 --hosts a,b --speed a=1 --speed b=2 --dedicated 150 --running --done 0.4 \
    --current 10,20
silent
prints 'current division: 10,20 units; predicted remaining time: 00:02:24'
is "$(grep -c '90 % interval' out)" 0
prints 'moving saves: 36 s on average (25 %), less the time to move the data'
ok split --size 30 --hosts a,b --speed a=1 --speed b=2 --dedicated 150 --running --done 0.4 \
    --current 0.5,0.5 --json
silent
is "$(json "round(j['moving_saves_s'], 6)")" 0
ok split --size 30 --hosts a,b --speed a=1 --speed b=2 --dedicated 150 --running --done 0.4 \
    --current 0.5,0.5
prints 'moving saves: nothing'
ok split --size 30 --hosts a,b --speed a=1 --speed b=2 --dedicated 150 --running --done 0.4 \
    --current 1,3
complains '--current sums to 4, not to 1 or the number of units; it is scaled to the shares 0.25,0.75'
ok split --size 30 --hosts a,b --policy mean --running --done 0.4 --current 10,20
prints 'current division: 10,20 units; its remaining time, and what moving saves, are unknown'

begin 'all policies, with an explanation'
ok split --size 300 --hosts c,d --dedicated 60 --explain
prints 'dedicated run time, with equal work on each host: 00:01:00 (given by --dedicated)'
prints 'load scenarios: the same for all policies, each '
prints 'coupling: tight: at each time, the slowest host determines the speed'
for policy in mean vtf 95tf last forecast optimal quantile; do
    is "$(grep -c "^$policy " out)" 1 "$policy"
done
grep -q '^policy .* fastest ' out || fault "$(cat out)"
ok split --size 300 --hosts c,d --dedicated 60 --json
is "$(json "all(0 <= p['fastest_fraction'] <= 1 for p in j['policies']), sum(p['fastest_fraction'] for p in j['policies']) >= 1 - 1e-9")" \
    '(True, True)'
is "$(json "all(p['fastest_fraction'] == q['fastest_fraction'] for p in j['policies'] for q in j['policies'] if p['host_units'] == q['host_units'])")" \
    True 'equal divisions are equally often the fastest'
ok split --size 300 --hosts c,d --policy last --explain
prints 'dedicated run time: unknown, so only speeds are compared'

begin 'optimal is no worse than the others on the load scenarios, and the same every time'
ok split --size 3000 --hosts c,d --dedicated 60 --json
is "$(json "all(policies['optimal']['mean_s'] <= p['mean_s']
    for p in policies.values())")" True
cp out first
ok split --size 3000 --hosts c,d --dedicated 60 --json
is "$(cmp out first)" ''
ok split --size 3000 --hosts c,d --dedicated 60 --policy quantile --confidence 0.95 --json
is "$(json "all(policies['quantile']['confidence_time_s'] <= p['confidence_time_s']
    for p in policies.values())")" True

begin 'optimal is shrunk towards a policy that balances times'
# A host that jumps at random; two hours of that are but few runs of this length.
awk -v now=$NOW 'BEGIN { print "t,value"; v = 0.5
    for (i = 720; i >= 0; i--) {
        x = (x * 1103515245 % 2147483648 + 12345) % 2147483648
        if (x / 2147483648 < 0.04) v = 1.4 - v
        printf "%d,%g\n", now - 10 * i, v } }' > jumps.csv
ok "$RUNCAST" series import jumps.csv --host j --metric cpu
ok split --size 3000 --hosts c,j --dedicated 300 --coupling loose --json
is "$(json "0 <= j['optimal_weight'] < 1 or j['optimal_weight']")" True
is "$(json "j['optimal_shrunk_to'] in ('mean', 'vtf', '95tf', 'last', 'forecast')")" True
is "$(json "all(policies['optimal']['mean_s'] <= policies[p]['mean_s'] * (1 + 1e-9)
    for p in ('mean', 'vtf', '95tf', 'last', 'forecast'))")" True
weight=$(json "'shrinkage: optimal has weight %.0f %% on the best division of these scenarios' % (
    100 * j['optimal_weight'])")
policy=$(json "'  that by %s, since the past is only ' % j['optimal_shrunk_to']")
ok split --size 3000 --hosts c,j --dedicated 300 --coupling loose --explain
prints "$weight"
prints "$policy"
# Loads that stay leave nothing to chance.
ok split --size 30 --hosts a,b --speed a=1 --speed b=2 --dedicated 150 --json
is "$(json "j['optimal_weight'], j['optimal_shrunk_to']")" '(1, None)'

begin 'the dedicated run time comes from the regression model'
awk 'BEGIN {
    print "app,n,p,seconds,cpu"
    for (i = 0; i < 40; i++) {
        n = 300 + (i * 7919) % 1700; p = 2 ^ (i % 4)
        printf "sor,%d,%d,%.9g,1\n", n, p, 2e-4 * n * n / p
    }
}' > runs.csv
ok "$RUNCAST" import runs.csv
ok split --size 1000 --hosts a,b --json
is "$(json "j['dedicated_from'], abs(j['dedicated_s'] / 100 - 1) < 0.02 or j['dedicated_s']")" \
    "('regression', True)"
ok split --size 1000 --hosts a,b --explain
prints '(by the regression model)'

begin 'parameters of the run count'
misused split --size 30 --hosts a,b --param iterations
complains "--param: 'iterations' is not NAME=NUMBER"
misused split --size 30 --hosts a,b --param seconds=3
complains "--param: 'seconds' is no parameter; use the option for it"
misused split --size 30 --hosts a,b --param iterations=3 --param iterations=4
complains "--param: 'iterations' is given twice"
ok split --size 1000 --hosts a,b --param iteratoins=3
complains 'note: --param iteratoins has no effect: the regression model of sor has no such parameter (it has: none)'
ok split --size 1000 --hosts a,b --dedicated 60 --param iterations=3
complains '--param iterations has no effect with --dedicated'
ok split --size 1000 --hosts a,b --policy mean --param iterations=3 --dedicated 60
complains '--param iterations has no effect'

begin 'processes of one host share its work'
misused split --size 30 --hosts a,b --per-host 0
ok split --size 30 --hosts a,b --speed a=1 --speed b=2 --policy mean --per-host 2 --json
is "$(json "[round(30 * s) for s in j['split']], j['per_host']")" '([8, 7, 8, 7], 2)'
is "$(units)" '[15, 15]'
ok split --size 2 --hosts a,b --policy mean --per-host 2
complains 'a has fewer units than processes; use a smaller --per-host'
# 40 runs as above: four processes take half as long as two.
ok split --size 1000 --hosts a,b --per-host 2 --json
is "$(json "abs(j['dedicated_s'] / 50 - 1) < 0.02 or j['dedicated_s']")" True

begin 'speeds of hosts come from runs on one host each'
cat > alone.csv << 'END'
app,n,p,seconds,cpu_avgmin,hosts,iterations
mill,100,1,40,1,a,10
mill,100,1,40,0.5,b,10
mill,1000,1,9,1,a,10
mill,100,1,7,1,b,5
END
ok "$RUNCAST" import alone.csv
# 40 s on a; 20 s on b with all of its core; 5 iterations are another thing.
ok "$RUNCAST" split --app mill --at $NOW --size 200 --hosts a,b --policy last --json
is "$(units)" '[100, 100]'
is "$(json "j['speeds_from'], j['dedicated_from']")" "('runs', 'unknown')"
ok "$RUNCAST" split --app mill --at $NOW --size 200 --hosts a,b --dedicated 100 --explain
prints 'speeds of hosts: by runs on one host each'
ok "$RUNCAST" split --app mill --at $NOW --size 300 --hosts a,b --policy last --speed a=1 \
    --speed b=1 --json
is "$(units)" '[200, 100]'
ok "$RUNCAST" split --app mill --at $NOW --size 200 --hosts a,c --policy last --json
is "$(json "j['speeds_from']")" equal

begin 'the interval includes the variation of runs'
cat > uneven.csv << 'END'
app,n,p,seconds,cpu,hosts
jig,100,1,36,1,a
jig,100,1,44,1,a
jig,100,1,20,1,b
END
ok "$RUNCAST" import uneven.csv
ok "$RUNCAST" split --app jig --at $NOW --size 200 --hosts a,b --dedicated 100 --json
# 40 s on a, give or take a tenth, of two runs; one of the three numbers is free.
is "$(json "round(j['model_error_fraction'], 6)")" 0.141421
is "$(json "0.7 < policies['optimal']['interval_s']['low'] / policies['optimal']['mean_s'] < 0.85 and
    1.2 < policies['optimal']['interval_s']['high'] / policies['optimal']['mean_s'] < 1.35")" True
ok "$RUNCAST" split --app jig --at $NOW --size 200 --hosts a,b --dedicated 100 --explain
prints '), with a model error of 14 %'
prints 'model error: 14 % (standard deviation), included in the intervals'

begin 'times of a unit on each host come from the structural model'
cat > sweep.rcm << 'END'
model sweep
input N from size
input P from processes
input iterations = 10
input point[h] "seconds for a point" = table
    a    20ms
    b    10ms
input message = 1s
input cpu[h] from forecast cpu else 1
component Compute[h] by benchmark = N / P * point[h] / cpu[h]
    kind computation
component Exchange by messages = message
    kind communication
total slowest = iterations * (max(h in hosts: Compute[h]) + Exchange)
END
ok "$RUNCAST" model add sweep.rcm
# As Table 1.2: 10 points of 20 and 10 ms each in an iteration, and 0.833 and 0.417 of a core.
ok "$RUNCAST" split --app sweep --at $NOW --size 20 --hosts a,b --json
is "$(units)" '[10, 10]'
# 10 x (10 x 20 ms + 1 s) with all of it; 10 x (10 x 24 ms + 1 s) under load.
is "$(json "j['dedicated_from'], round(j['dedicated_s'], 6)")" "('structural', 12)"
is "$(json "round(policies['optimal']['mean_s'], 6)")" 12.4
ok "$RUNCAST" split --app sweep --at $NOW --size 20 --hosts a,b --param iterations=20 --json
is "$(json "round(policies['optimal']['mean_s'], 6)")" 24.8
ok "$RUNCAST" split --app sweep --at $NOW --size 20 --hosts a,b --explain
prints 'dedicated run time, with equal work on each host: 12 s (by the structural model)'
prints 'speeds of hosts: by the structural model'
# A parameter that the model has no input for is of a run that it does not know, as for predict.
fails "$RUNCAST" split --app sweep --at $NOW --size 20 --hosts a,b --param iteration=20
complains "structural model: the model 'sweep' has no input for the parameter 'iteration'"
complains "(its inputs are: iterations, message); runs: no runs of 'sweep' in the database"
misused "$RUNCAST" split --app sweep --at $NOW --size 20 --hosts a,b --param N=20
ok "$RUNCAST" split --app sweep --at $NOW --size 20 --hosts a,b --fixed 2s --json
is "$(json "round(policies['optimal']['mean_s'], 6)")" 4.4
# A quarter of it is done, the load is another, and the split that there is was for idle hosts.
ok "$RUNCAST" split --app sweep --at $NOW --size 30 --hosts a,b --running --done 0.25 \
    --current 10,20 --json
is "$(units)" '[15, 15]'
# 7.5 iterations of 15 x 24 ms, or of 20 x 24 ms, and of a message
is "$(json "[round(policies[p]['mean_s'], 6) for p in ('optimal', 'current')]")" '[10.2, 11.1]'
# The model does not name this host.
fails "$RUNCAST" split --app sweep --at $NOW --size 30 --hosts a,c
complains 'the dedicated run time is unknown: structural model: '

begin 'a note names what the structural model lacks'
sed -e 's/model sweep/model sor/' sweep.rcm > sor.rcm
ok "$RUNCAST" model add sor.rcm
ok split --size 1000 --hosts a,b --json
is "$(json "j['dedicated_from'], j['notes']")" "('structural', [])"
ok split --size 1000 --hosts a,c --json
is "$(json "j['dedicated_from'], len(j['notes'])")" "('regression', 1)"
complains 'note: the structural model of sor is not used: '
complains "'c'"
ok split --size 1000 --hosts a,b --param depth=3 --json
is "$(json "j['dedicated_from'], len(j['notes'])")" "('regression', 2)"
complains "note: the structural model of sor is not used: the model 'sor' has no input for the parameter 'depth'"
complains 'note: --param depth has no effect: the regression model of sor has no such parameter'
ok "$RUNCAST" model remove --app sor

begin 'the interval includes the error of the model'
awk 'BEGIN {
    print "app,n,p,seconds,cpu"
    for (i = 0; i < 60; i++) {
        n = 300 + (i * 7919) % 1700; p = 2 ^ (i % 4)
        printf "rough,%d,%d,%.9g,1\n", n, p, 2e-4 * n * n / p * (1 + 0.1 * (i * 37 % 7 - 3) / 3)
    }
}' > rough.csv
ok "$RUNCAST" import rough.csv
ok "$RUNCAST" split --app rough --at $NOW --size 1000 --hosts a,b --json
# Errors of up to 10 %, of which 6.7 % is the standard deviation.
is "$(json "0.04 < j['model_error_fraction'] < 0.12 or j['model_error_fraction']")" True
is "$(json "(lambda p: 0.8 < p['interval_s']['low'] / p['mean_s'] < 0.95 and
    1.05 < p['interval_s']['high'] / p['mean_s'] < 1.25 or p)(policies['optimal'])")" True
ok "$RUNCAST" split --app rough --at $NOW --size 1000 --hosts a,b
is "$(grep -cE 'with a model error of [0-9.]+ %$' out)" 1
# Two inputs of which no accuracy is stated count as 10 % each, which is two standard deviations.
ok "$RUNCAST" split --app sweep --at $NOW --size 20 --hosts a,b --json
is "$(json "abs(j['model_error_fraction'] / (0.05 * 2 ** 0.5) - 1) < 0.1 or j['model_error_fraction']")" True
is "$(json "(lambda p: p['interval_s']['low'] < 0.98 * p['mean_s'] < 1.02 * p['mean_s'] < p['interval_s']['high'])(
    policies['optimal'])")" True
# The error of --dedicated is unknown.
ok split --size 300 --hosts c,d --dedicated 60 --json
is "$(json "j['model_error_fraction']")" None
ok split --size 300 --hosts c,d --dedicated 60 --explain
prints '), from the load only'
prints 'model error: unknown; the intervals include only the variation of the load'

begin 'no interval where neither load nor model error are known'
missing='and the error of --dedicated is unknown)'
ok split --size 300 --hosts idle1,idle2 --dedicated 60 --explain
prints "predicted run time: 00:01:00 (interval: unknown; no samples of the load, $missing"
prints 'model error: unknown'
is "$(grep -cE 'intervals|from the load only' out)" 0
is "$(grep -cE '^optimal +- +00:01:00 +- +- +150,150$' out)" 1
ok split --size 300 --hosts idle1,idle2 --dedicated 60 --json
is "$(json "{(p['predicted_s'], p['mean_s'], p['sd_s'], p['interval_s'], p.get('confidence_time_s'))
    for p in j['policies']}")" "{(60, 60, None, None, None)}"
# A load that was constant so far may still change.
level steady 0.5
ok split --size 300 --hosts steady,idle1 --dedicated 60
is "$(grep -cE "interval: unknown; the load did not vary, $missing" out)" 1
# With the load of one host, the interval has that of the load.
ok split --size 300 --hosts c,idle1 --dedicated 60
prints '), from the load only'
# Two samples do not show how the load varies.
printf 't,value\n%d,0.5\n%d,0.75\n' $((NOW - 10)) $((NOW - 5)) > new.csv
ok "$RUNCAST" series import new.csv --host new --metric cpu
ok split --size 300 --hosts idle1,new --dedicated 60
prints "(interval: unknown; too few samples of the load, $missing"

begin 'speeds of the platform count where the model has none'
cat > plain.rcm << 'END'
model plain
input N from size
input P from processes
input point "seconds for a point" = 100ms
input cpu[h] from forecast cpu else 1
component Compute[h] by benchmark = N / P * point / cpu[h]
    kind computation
total slowest = max(h in hosts: Compute[h])
END
ok "$RUNCAST" model add plain.rcm
# No samples of these hosts: they are idle.
sed -e 's/hosts: a,b/hosts: e,f/' -e 's/hosts: b/hosts: f/' -e 's/name: two/name: idle/' two.yaml \
    > idle.yaml
idle() { "$RUNCAST" split --app "$1" --at $NOW --size "$2" --hosts "$3" --platform-file idle.yaml "${@:4}"; }
# No run has its hosts, so the model is that of the slowest.  60 points of 100 ms.
ok idle plain 60 e,f --json
is "$(json "'\n'.join('note: ' + note for note in j['notes'])")" "$(cat err)"
complains "no run of 'plain' in the database has one of these hosts; all runs are assumed to be on the slowest host"
is "$(units)" '[20, 40]'
is "$(json "round(policies['optimal']['mean_s'], 6), j['speeds_from']")" "(2.0, 'platform')"
ok idle plain 60 f --json
is "$(json "round(policies['optimal']['mean_s'], 6) == 3 or policies")" True
# A run on the fast one.
printf 'app,n,p,seconds,cpu,hosts\nplain,60,1,6,1,f\n' > fast.csv
ok "$RUNCAST" import fast.csv
ok idle plain 60 e,f --explain
is "$(grep -c "no run of 'plain'" err)" 0
prints 'speeds of hosts: by the platform file'
ok idle plain 60 e,f --json
is "$(units)" '[20, 40]'
is "$(json "round(policies['optimal']['mean_s'], 6)")" 4.0
# Without speeds, all are alike.
ok "$RUNCAST" split --app plain --at $NOW --size 60 --hosts e,f --json
is "$(json "j['speeds_from'], [h['units'] for h in j['hosts']]")" "('equal', [30, 30])"
# A model with times of hosts counts before the platform; where these are equal, a note is shown.
ok "$RUNCAST" split --app sweep --at $NOW --size 20 --hosts a,b --platform-file two.yaml --json
is "$(json "j['speeds_from'], round(policies['optimal']['mean_s'], 6)")" "('structural', 12.4)"
sed -e 's/model sweep/model level/' -e 's/a    20ms/e    10ms/' -e 's/b    10ms/f    10ms/' \
    sweep.rcm > level.rcm
ok "$RUNCAST" model add level.rcm
ok idle level 60 e,f --json
is "$(units)" '[30, 30]'
complains "the speeds of the platform file have no effect: the structural model of level has its own times for each host"

begin 'the time by the regression model is that of the hosts of its runs'
awk 'BEGIN {
    print "app,n,p,seconds,cpu,hosts"
    for (i = 0; i < 40; i++) {
        n = 300 + (i * 7919) % 1700; p = 1 + i % 2
        printf "mow,%d,%d,%.9g,1,e\n", n, p, 2e-4 * n * n / p    }
}' > mow.csv
ok "$RUNCAST" import mow.csv
# 200 s on one process there; the other host is twice as fast.
ok idle mow 1000 f --json
complains "note: no runs of 'mow' on 'idle' in the database; the model uses runs on other platforms"
is "$(json "abs(j['dedicated_s'] / 100 - 1) < 0.02 or j['dedicated_s']")" True
ok idle mow 1000 e,f --json
is "$(json "abs(j['dedicated_s'] / 100 - 1) < 0.02 or j['dedicated_s'], j['speeds_from']")" \
    "(True, 'platform')"
is "$(json "abs(policies['optimal']['mean_s'] / (200 / 3) - 1) < 0.02 or policies")" True

begin 'runs on the platform count alone, where there are some'
sed 's/hosts$/hosts,platform/; 2,$s/$/,idle/' mow.csv | awk -F, -v OFS=, 'NR > 1 { $4 *= 3 } 1' \
    > there.csv
ok "$RUNCAST" import there.csv
ok idle mow 1000 f --json
is "$(json "abs(j['dedicated_s'] / 300 - 1) < 0.02 or j['dedicated_s']")" True
is "$(grep -c 'other platforms' err)" 0

begin 'plots'
if [ -n "$(command -v gnuplot)" ]; then
    ok split --size 300 --hosts c,d --dedicated 60 --plot split.svg
    is "$(grep -c 'probability of having finished' split.svg)" 1
    is "$(grep -c 'sor, size 300: 300 units on 2 hosts, policy optimal' split.svg)" 1
    is "$(grep -c 'optimal (chosen)' split.svg)" 1
    is "$(grep -c 'host, in the order of ranks' split.svg)" 1
    is "$(grep -c '>run time in s<' split.svg)" 1
    ok split --size 300 --hosts c,d --dedicated 60 --running --done 0.5 --plot rest.svg
    is "$(grep -c 'remaining run time in s' rest.svg)" 1
    ok split --size 300 --hosts c,d --policy last --plot paces.svg
    is "$(grep -c 'share of the work' paces.svg)" 1
fi
misused split --size 30 --hosts a,b --plot split.gif

begin 'later samples are ignored'
ok "$RUNCAST" split --app sor --at $((NOW - 86400)) --size 30 --hosts a,b --policy mean
complains 'no CPU samples of these hosts in the day before'

finish
