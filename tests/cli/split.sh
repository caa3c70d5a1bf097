#!/bin/bash
# How much work each host gets.
. "$(dirname "$0")/harness.sh"

NOW=1794700000

# level HOST VALUE...: a sample every 10 s for two hours before $NOW, going round the values, each
# of which stays for 60 s.
level() {
    local host=$1
    shift
    awk -v now=$NOW -v values="$*" 'BEGIN {
        n = split(values, value, " ")
        print "t,value"
        for (i = 720; i >= 0; i--)
            printf "%d,%s\n", now - 10 * i, value[int((720 - i) / 6) % n + 1]
    }' > "$host.csv"
    "$RUNCAST" series import "$host.csv" --host "$host" --metric cpu > /dev/null
}
split() { "$RUNCAST" split --app sor --at $NOW "$@"; }
units() { json "[h['units'] for h in j['hosts']]"; }

begin 'what makes no sense is refused'
misused split --size 30
misused "$RUNCAST" split --size 30 --hosts a,b
misused split --hosts a,b
misused split --size 0 --hosts a,b
misused split --size 0.5 --hosts a,b
misused split --size 30 --hosts a,a
misused split --size 30 --hosts a,b --policy best
misused split --size 30 --hosts a,b --quantile 0.9
misused split --size 30 --hosts a,b --policy quantile --quantile 1
misused split --size 30 --hosts a,b --policy vtf --tuning-factor 1
misused split --size 30 --hosts a,b --speed 2
complains '--speed: say of which hosts: HOSTS=VALUE'
misused split --size 30 --hosts a,b --speed c=2
complains "--speed: 'c' is not one of --hosts"
misused split --size 30 --hosts a,b --speed a=0
misused split --size 30 --hosts a,b --speed a=2
complains 'the speed of b is not known, but that of others is'
complains 'hint: say it: --speed b=SPEED'
misused split --size 30 --hosts a,b --running
misused split --size 30 --hosts a,b --done 0.3
misused split --size 30 --hosts a,b --running --done 1
complains '--done: nothing is left to divide'
misused split --size 30 --hosts a,b --running --done 0.5 --done a=0.1
misused split --size 30 --hosts a,b --current 0.5
misused split --size 30 --hosts a,b --current 0.5,0.5,
misused split --size 30 --hosts a,b --current 1,0
misused split --size 30 --hosts a,b --factors 0,1
misused split --size 30 --hosts a,b --memory-per-unit 1MB
misused split --size 30 --hosts a,b --idle-time 0

begin 'without the time of the run, it says what to do'
fails split --size 30 --hosts a,b
complains 'how long the run takes is not known'
complains 'hint: say how long it takes on idle hosts, --idle-time TIME'
fails split --size 30 --hosts a,b --policy forecast

begin 'hosts without samples are taken to be idle, and that is said'
ok split --size 30 --hosts a,b --speed a=1 --speed b=2 --policy mean
complains 'the store has no CPU samples of a from the day before'
complains 'runcast watch'
complains 'nothing is read from a store: '
prints 'sor, 30 units on 2 hosts, by mean (tuning factor 0)'
prints '--split 0.333333,0.666667'

# Table 1.2: 10 and 5 s for a unit alone; 12 and 12 s under load.
level a 0.833333333333
level b 0.416666666667
begin 'times are balanced'
ok split --size 30 --hosts a,b --speed a=1 --speed b=2 --policy mean --json
silent
is "$(units)" '[15, 15]'
is "$(json "j['idle_time_from'], j['policies']['mean'].get('mean')")" "('unknown', None)"
for policy in mean vtf 95tf last forecast optimal quantile; do
    ok split --size 30 --hosts a,b --speed a=1 --speed b=2 --policy $policy --idle-time 150 --json
    is "$(units)" '[15, 15]' "$policy"
    # 15 units of 12 s
    is "$(json "round(j['policies']['$policy']['mean'], 6)")" 180.0 "$policy"
done

# Availabilities of 0.5 +- 0.02 and 0.5 +- 0.3.
level c 0.48 0.52
level d 0.2 0.8
begin 'the tuning factor: conservative, optimistic, and by Figure 5.3'
for case in '2 True' '0 None' '-2 False'; do
    ok split --size 300 --hosts c,d --tuning-factor "${case% *}" --window 2h --json
    is "$(json "None if abs(j['split'][0] - 0.5) < 0.01 else j['split'][0] > 0.5")" "${case#* }"
    is "$(json "j['policy'], j['policies']['tuned']['factor']")" "('tuned', ${case% *})"
done
ok split --size 300 --hosts c,d --policy vtf --window 2h --json
is "$(json "j['policies']['vtf']['factor'], [h['tuning_value'] for h in j['hosts']]")" \
    '(0.5, [0, 1])'
ok split --size 300 --hosts c,d --policy vtf --window 2h --json --speed c=1 --speed d=3
is "$(json "[h['tuning_value'] for h in j['hosts']]")" '[0, 2]'
ok split --size 300 --hosts c,d --policy vtf --window 2h --json --speed c=1 --speed d=3 \
    --high-power 3
is "$(json "[h['tuning_value'] for h in j['hosts']]")" '[0, 1]'
ok split --size 300 --hosts c,d --policy vtf --window 2h --json --high-variability 0.01 \
    --factors 0,3,5
is "$(json "j['policies']['vtf']['factor']")" 3

begin 'room is kept'
ok split --size 30 --hosts a,b --policy mean --most a=4 --json
is "$(units)" '[4, 26]'
fails split --size 30 --hosts a,b --policy mean --most 10
complains 'the hosts have room for 20 of 30 units'
complains 'hint: take more hosts, or hosts with more memory'
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
ok split --size 30 --hosts a,b --policy mean --platform two.yaml --json
is "$(units)" '[15, 15]'
ok split --size 30 --hosts a,b --policy mean --platform two.yaml --memory-per-unit 1MB --json
is "$(units)" '[10, 20]'
ok split --size 30 --hosts a,b --idle-time 150 --platform two.yaml --memory-per-unit 1MB --json
is "$(units)" '[10, 20]'
fails split --size 30 --hosts a,z --policy mean --platform two.yaml
complains "two has no host 'z'"

begin 'a host that would get nothing is left out'
ok split --size 30 --hosts a,b --policy mean --idle-time 10 --fixed a=1000
prints '--split 1'
prints 'without a, which would get no work'

begin 'fractions are in the form of --split, and come to the same units'
ok split --size 1999 --hosts a,b,c --policy mean
is "$(grep -c '^--split [0-9.,]*$' out)" 1
split=$(sed -n 's/^--split //p' out)
ok split --size 1999 --hosts a,b,c --policy mean --json
# as the programs in apps/ do it
is "$(json "(lambda f: [round(sum(f[:i + 1]) * 1999) - round(sum(f[:i]) * 1999) for i in range(3)])(
    [$split])")" "$(units)"

begin 'what is left of a run is divided anew'
ok split --size 30 --hosts a,b --speed a=1 --speed b=2 --idle-time 150 --running --done 0.4 \
    --current 10,20 --json
is "$(units)" '[15, 15]'
is "$(json "[round(j['policies'][p]['mean'], 6) for p in ('optimal', 'current')]")" \
    '[108.0, 144.0]'
ok split --size 30 --hosts a,b --speed a=1 --speed b=2 --idle-time 150 --running --done a=0.3 \
    --done b=0.1 --waits once --json
is "$(units)" '[9, 9]'
is "$(json "j['units'], round(j['done'], 6), round(j['policies']['optimal']['mean'], 6)")" \
    '(18, 0.4, 108.0)'
ok split --size 30 --hosts a,b --idle-time 150 --running --done 0.4
prints '30 units for the rest of the run on 2 hosts'

begin 'all policies are told, and why'
ok split --size 300 --hosts c,d --idle-time 60 --explain
prints 'With the same work on each host, the run takes 1 min when they are idle, as you say.'
prints 'All splits are tried on the same futures'
prints 'Processes wait for one another often'
for policy in mean vtf 95tf last forecast optimal; do
    is "$(grep -c "^$policy " out)" 1 "$policy"
done
ok split --size 300 --hosts c,d --policy last --explain
prints 'How long the run takes is not known, so only paces are compared'

begin 'optimal is no worse than the others on the futures, and the same every time'
ok split --size 3000 --hosts c,d --idle-time 60 --json
is "$(json "all(j['policies']['optimal']['mean'] <= p['mean']
    for p in j['policies'].values())")" True
cp out first
ok split --size 3000 --hosts c,d --idle-time 60 --json
is "$(cmp out first)" ''
ok split --size 3000 --hosts c,d --idle-time 60 --policy quantile --quantile 0.95 --json
is "$(json "all(j['policies']['quantile']['at_quantile'] <= p['at_quantile']
    for p in j['policies'].values())")" True

begin 'the time of the run comes from its regression model'
awk 'BEGIN {
    print "app,n,p,seconds,cpu"
    for (i = 0; i < 40; i++) {
        n = 300 + (i * 7919) % 1700; p = 2 ^ (i % 4)
        printf "sor,%d,%d,%.9g,1\n", n, p, 2e-4 * n * n / p
    }
}' > runs.csv
ok "$RUNCAST" runs import runs.csv
ok split --size 1000 --hosts a,b --json
is "$(json "j['idle_time_from'], abs(j['idle_time'] / 100 - 1) < 0.02 or j['idle_time']")" \
    "('model', True)"
ok split --size 1000 --hosts a,b --explain
prints 'when they are idle, by its regression model'

begin 'later samples are not looked at'
ok "$RUNCAST" split --app sor --at $((NOW - 86400)) --size 30 --hosts a,b --policy mean
complains 'the store has no CPU samples of a from the day before'

finish
