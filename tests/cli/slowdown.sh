#!/bin/bash
# 'runcast slowdown local', 'comm', 'aggregate', 'predict' and 'allocate': every worked number of
# Figueira and Berman (2001), and what users may get wrong.
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"
MAKE_CALIBRATION=${MAKE_CALIBRATION:?set MAKE_CALIBRATION to the program that makes calibrations}
examples=$SOURCE_ROOT/examples/slowdown

# number EXPRESSION WANTED [DIGITS]: a number in the JSON of out, rounded to so many digits (2).
number() { is "$(json "'%.${3:-2}f' % ($1)")" "$2" "$1"; }

local_of() { ok "$RUNCAST" slowdown local --json "$@"; }
aggregate_of() { ok "$RUNCAST" slowdown aggregate --json --hosts-file "$examples/$1.yaml" "${@:2}"; }
allocate() { ok "$RUNCAST" slowdown allocate "$examples/tasks.yaml" "$@"; }

# ---- local slowdown ----

begin 'one competitor that communicates for 45 %: 1.56 (section 4.1)'
local_of --competitor 0.55:0.45 --bandwidth 0.45Mw/s --delay alpha-farm --cores 1
number "j['slowdown']['mean']" 1.56
number "j['terms'][1]['delay']" 0.0205 4
is "$(json "j['model'], abs(j['queue'] - j['paper']) < 1e-9, j['notes']")" "('paper', True, [])"
local_of --competitor 0.55:0.45 --bandwidth 14.4Mbit/s --delay alpha-farm
number "j['slowdown']['mean']" 1.56
local_of --competitor 0.55:0.45 --bandwidth 0.45Mw/s --word-bytes 8 --delay alpha-farm
number "j['slowdown']['mean']" 1.56
number "j['bandwidth_bytes_per_s']" 3600000 0
ok "$RUNCAST" slowdown local --competitor 0.55:0.45 --bandwidth 0.45Mw/s --delay alpha-farm --explain
prints '1 + 0.55 x 1 + 0.45 x 0.0205 = 1.56'

begin 'two that communicate for 24 %: 2.6 (section 4.2)'
local_of --competitor 0.76:0.24 --competitor 0.76:0.24 --delay 0.25
number "j['slowdown']['mean']" 2.6 1
number "j['terms'][2]['compute_probability']" 0.58
number "j['terms'][1]['compute_probability']" 0.36
number "1 - j['terms'][0]['communicate_probability']" 0.42
ok "$RUNCAST" slowdown local --competitor 76%:24%,count=2 --delay 0.25 --explain
prints '1 + 0.578 x 2 + 0.365 x 1 + 0.422 x 0.25 = 2.63'
prints 'by the queueing model, which slows down competitors, too: 2.801'
is "$(wc -l < err)" 1 'notes'

begin 'the probabilities of section 4'
local_of --competitor 0.6:0.4 --competitor 0.7:0.3
number "j['terms'][1]['compute_probability']" 0.4600 4 # 0.60 x 0.30 + 0.70 x 0.40
number "j['terms'][2]['compute_probability']" 0.4200 4 # 0.60 x 0.70

begin 'the lines of Figure 2, on both sides of their breaks'
for point in 1:1:0.29 1:2.37:1.2378 1:3:1.2; do
    IFS=: read -r n k delay <<< "$point"
    local_of --competitor "0:1,count=$n" --bandwidth "${k}Mw/s" --delay alpha-farm
    number "j['terms'][$n]['delay']" "$(printf %.4f "$delay")" 4
done
for point in 2:1:0.87 2:1.74:2.48 2:3:2.48; do
    IFS=: read -r n k delay <<< "$point"
    local_of --competitor "0:1,count=$n" --bandwidth "${k}Mw/s" --delay alpha-farm
    number "j['terms'][$n]['delay']" "$(printf %.4f "$delay")" 4
done

begin 'notes on delays below 0, and of more than two'
local_of --competitor 0:1 --bandwidth 0.1Mw/s --delay alpha-farm
number "j['slowdown']['mean']" 1.00
is "$(json "'negative' in j['notes'][0]")" True
ok "$RUNCAST" slowdown local --competitor 0:1,count=3 --bandwidth 3Mw/s --delay alpha-farm
complains 'up to 2 communicating at once'

begin 'notes on assumptions without delays'
ok "$RUNCAST" slowdown local --competitor 0.5:0.5
complains 'assumed to cause no delay'
ok "$RUNCAST" slowdown local --competitor 0.5:0.5 --bandwidth 1Mw/s
complains "paper's Alphas"
ok "$RUNCAST" slowdown local --competitor 0.5 --cores 1
[ "$(wc -l < out)" -eq 1 ] || fault "$(cat out)"

begin 'cores, weights and ranges'
local_of --competitor 1,count=3 --cores 4
number "j['slowdown']['mean']" 1.00
local_of --competitor 1,count=4 --cores 4
number "j['slowdown']['mean']" 1.25
local_of --competitor 1,weight=3
number "j['slowdown']['mean']" 4.00
is "$(json "j['model'], j['paper']")" "('queue', None)"
local_of --competitor 1,nice=19 --model queue
[ "$(json "j['slowdown']['mean'] < 1.05")" = True ] || fault "$(cat out)"
fails "$RUNCAST" slowdown local --competitor 1,weight=3 --model paper
complains 'Eq. 2 has no weights'
local_of --competitor 1,weight=3 --competitor 1 --cores 2
number "j['slowdown']['mean']" 2.00 # one core for the heavy one, half of the other
is "$(json "j['model'], j['slowdown']['kind']")" "('simulation', 'point')"
local_of --competitor 0.2..0.6
is "$(json "j['slowdown']['kind'], round(j['slowdown']['low'], 6), round(j['slowdown']['high'], 6)")" \
    "('interval', 1.2, 1.6)"
local_of --competitor 0.5,count=2 --model queue
number "j['slowdown']['mean']" 2.20

begin 'ten thousand competitors'
local_of --competitor 0.5:0.3,count=10000 --delay 0.1
is "$(json "abs(sum(t['compute_probability'] for t in j['terms']) - 1) < 1e-12")" True
is "$(json "abs(sum(t['communicate_probability'] for t in j['terms']) - 1) < 1e-12")" True
ok "$RUNCAST" slowdown local --competitor 0.5:0.3,count=10000 --delay 0.1 --explain
prints '(computing)'

begin 'competitors that were observed'
echo '{"competitors": [{"pid": 7, "competitor": "0.55:0.45"}]}' > seen.json
local_of --observed seen.json --bandwidth 0.45Mw/s --delay alpha-farm
number "j['slowdown']['mean']" 1.56
echo '{"cores": 4, "competitors": [{"competitor": "1,count=4"}]}' > seen.json
local_of --observed seen.json
is "$(json "j['cores'], j['slowdown']['mean'], j['cores_from']")" "(4, 1.25, 'observed')"
local_of --observed seen.json --cores 1
is "$(json "j['cores'], j['slowdown']['mean'], j['cores_from']")" "(1, 5, 'given')"
ok "$RUNCAST" slowdown predict --dedicated 10s --observed seen.json --samples 10 --json
is "$(json "j['local']['cores'], [n for n in j['notes'] if 'number of cores' in n]")" '(4, [])'
echo '{"cores": "many", "competitors": []}' > seen.json
fails "$RUNCAST" slowdown local --observed seen.json
complains "seen.json: 'cores' must be a whole number"
echo '{"processes": []}' > seen.json
fails "$RUNCAST" slowdown local --observed seen.json
complains 'seen.json'

# ---- what users get wrong ----

begin 'wrong arguments are named'
misused "$RUNCAST" slowdown local
complains '--competitor'
misused "$RUNCAST" slowdown local --competitor 1.5:0.2
complains "--competitor '1.5:0.2': computing: '1.5'"
misused "$RUNCAST" slowdown local --competitor -0.5
complains '--competitor'
misused "$RUNCAST" slowdown local --competitor 0.6:0.6
complains 'shares of computing (0.6) and communicating (0.6) of a competitor sum to more than 1'
misused "$RUNCAST" slowdown local --competitor 0.5:0.5 --bandwidth -1Mw/s --delay alpha-farm
complains '--bandwidth'
misused "$RUNCAST" slowdown local --competitor 0.5:0.5 --delay alpha-farm
complains '--bandwidth is missing'
misused "$RUNCAST" slowdown local --competitor 0.5:0.5 --delay -0.25
complains '--delay'
fails "$RUNCAST" slowdown local --competitor 0.5:0.5 --delay no-such-file
complains 'no-such-file'
misused "$RUNCAST" slowdown local --competitor 1 --memory-bound 2
complains '--memory-bound'
misused "$RUNCAST" slowdown local --competitor 1 --word-bytes 0
complains '--word-bytes'
misused "$RUNCAST" slowdown comm --idle-rate 0 --current-rate 1MB/s
complains '--idle-rate'
misused "$RUNCAST" slowdown comm --idle-rate 1MB/s
complains '--current-rate'
misused "$RUNCAST" slowdown comm --current-rate 1MB/s
complains '--idle-rate'
misused "$RUNCAST" slowdown aggregate --hosts-file "$examples/table12.yaml"
complains '--policy'
misused "$RUNCAST" slowdown aggregate --policy load --hosts-file "$examples/figure11.yaml" --communicating 0.2
complains '--link-slowdown'
misused "$RUNCAST" slowdown aggregate --policy load --hosts-file "$examples/figure11.yaml" \
    --communicating 2 --link-slowdown 2
complains '--communicating'
misused "$RUNCAST" slowdown aggregate --policy load --hosts-file "$examples/figure11.yaml" \
    --communicating 0.2 --link-slowdown 0.5
complains '--link-slowdown: must be at least 1, and is 0.5'
misused "$RUNCAST" slowdown predict --dedicated 10s --competitor 1 --communicating 0.2 --link-slowdown 0.5
complains '--link-slowdown: must be at least 1, and is 0.5'
misused "$RUNCAST" slowdown predict --competitor 1
complains '--dedicated'
misused "$RUNCAST" slowdown predict --dedicated 10s
complains '--competitor'
misused "$RUNCAST" slowdown predict --dedicated 10s --competitor 1 --plot picture.txt
misused "$RUNCAST" slowdown predict --dedicated 10s --competitor 1 --current-rate 1MB/s
complains 'either --idle-rate and --current-rate, or --link-slowdown'
fails "$RUNCAST" slowdown local --competitor 1 --platform nowhere
complains 'no database yet'

# wants_effect OPTION COMMAND...: an option that would change nothing is refused, and named.
wants_effect() { misused "$RUNCAST" slowdown "${@:2}"; complains "$1 has no effect"; }

begin 'options that would have no effect are refused'
constraint=(--hosts-file "$examples/figure12.yaml" --policy constraint)
wants_effect --dedicated-uniform aggregate --hosts-file "$examples/figure11.yaml" --policy load --dedicated-uniform
wants_effect --dedicated-uniform predict --dedicated 1s --hosts-file "$examples/figure11.yaml" --policy load \
    --dedicated-uniform
fails "$RUNCAST" slowdown aggregate --hosts-file "$examples/table14.yaml" --policy constraint --dedicated-uniform
complains "'dedicated' of host 'alpha1'"
for option in '--policy load' --dedicated-uniform '--coupling tight'; do
    # shellcheck disable=SC2086 # an option and its value
    wants_effect "${option%% *}" predict --dedicated 10s --competitor 1 $option
done
for option in '--delay 1' '--bandwidth 1MB/s' --shared-link '--cores 1' '--procs 1' '--memory-bound 0' \
    '--host a' '--word-bytes 4'; do
    # shellcheck disable=SC2086
    wants_effect "${option%% *}" predict --dedicated 10s "${constraint[@]}" $option
done
ok "$RUNCAST" slowdown predict --dedicated 10s "${constraint[@]}" --word-bytes 8 --communicating 0.5 --idle-rate 2Mw/s \
    --current-rate 8MB/s --json --samples 10
number "j['link_slowdown']" 2.00
wants_effect --word-bytes local --competitor 1 --word-bytes 4
wants_effect --word-bytes local --competitor 0.5:0.5 --delay 0.25 --word-bytes 4
wants_effect --word-bytes predict --dedicated 10s --competitor 1 --communicating 0.5 --idle-rate 2MB/s --current-rate 1MB/s --word-bytes 4
local_of --competitor 0.5:0.5 --delay alpha-farm --bandwidth 4MB/s --word-bytes 4
wants_effect --bandwidth local --competitor 0.5:0.5 --delay 0.25 --bandwidth 1MB/s
wants_effect --host local --competitor 1 --host nowhere
wants_effect --shared-link local --competitor 0.5:0.5,count=2 --shared-link --model paper
wants_effect --platform local --competitor 0.5:0.5 --delay 0.25 --platform nowhere

begin 'notes on options without effect'
ok "$RUNCAST" slowdown local --competitor 1 --delay 0.25
complains '--delay has no effect'
local_of --competitor 0.5:0.5 --delay 0.25 --shared-link
is "$(json "'--shared-link has no effect' in j['notes'][0]")" True
ok "$RUNCAST" slowdown local --competitor 1,memory-bound=0.5 --cores 2
complains '--memory-bound of the program is missing'
ok "$RUNCAST" slowdown local --competitor 1,stay=1h,away=1h
complains '1 competitor comes and goes: assumed to be always present'
local_of --competitor 0.5:0.5,count=600 --delay 0 --shared-link
is "$(json "j['queue'], 'no answer of the queueing model' in j['notes'][0]")" '(None, True)'

begin 'faults of files have their place'
printf 'hosts:\n  - {name: a, work: 1/2}\n  - {name: b, work: 2/3}\n' > hosts.yaml
fails "$RUNCAST" slowdown aggregate --policy constraint --hosts-file hosts.yaml
complains 'hosts.yaml:2:'
printf 'hosts: [{name: a}]\ncompetitors:\n  - {shares: "1", hosts: [b]}\n' > hosts.yaml
fails "$RUNCAST" slowdown aggregate --policy load --hosts-file hosts.yaml
complains "no host 'b'"
printf 'machines: [a]\ntasks:\n  - {name: A, seconds: [soon]}\n' > tasks.yaml
fails "$RUNCAST" slowdown allocate tasks.yaml
complains 'tasks.yaml:3:'

# ---- communication slowdown ----

begin 'Eq. 3 with the rates of Figures 7 to 10'
ok "$RUNCAST" slowdown comm --idle-rate 6.21Mw/s --current-rate 3.67Mw/s --json
number "j['slowdown']['mean']" 1.69
ok "$RUNCAST" slowdown comm --idle-rate 6.21Mw/s --current-rate 1.95Mw/s --json
number "j['slowdown']['mean']" 3.18
ok "$RUNCAST" slowdown comm --idle-rate 0.91Mw/s --current-rate 0.33Mw/s --json
number "j['slowdown']['mean']" 2.76
ok "$RUNCAST" slowdown comm --idle-rate 0.48Mw/s --current-rate 0.28Mw/s --json
number "j['slowdown']['mean']" 1.71
ok "$RUNCAST" slowdown comm --idle-rate 12MB/s --current-rate 48Mbit/s --explain
prints 'Eq. 3: idle rate / current rate: 96 Mbit/s / 48 Mbit/s = 2'
ok "$RUNCAST" slowdown comm --idle-rate 1MB/s --current-rate 2MB/s
complains 'the current rate is above the idle rate'

# ---- aggregate slowdown ----

begin 'load-dependent partitioning: 1.9, 4/3 and 4/2.33'
aggregate_of figure11 --policy load
number "j['numerator']" 7.00
number "j['denominator']" 3.67
number "j['slowdown']['mean']" 1.9 1
aggregate_of figure14-1 --policy load
number "j['slowdown']['mean']" 1.33
aggregate_of figure14-2 --policy load
number "j['slowdown']['mean']" 1.714 3
ok "$RUNCAST" slowdown aggregate --hosts-file "$examples/figure11.yaml" --policy load --explain
prints '7 / 3.67 = 1.91'

begin 'uniform and constraint-based partitioning: 3, 2, 2 and 1.67 (section 6.2)'
aggregate_of figure12 --policy constraint
number "j['slowdown']['mean']" 3.00
is "$(json "j['slowest_host']")" node1
aggregate_of figure12-slow --policy constraint
number "j['slowdown']['mean']" 2.00
is "$(json "j['slowest_host']")" node2
aggregate_of figure13 --policy constraint --dedicated-uniform
number "j['slowdown']['mean']" 2.00
aggregate_of figure13-slow --policy constraint --dedicated-uniform
number "j['slowdown']['mean']" 1.67
is "$(json "j['slowest_host']")" node4

begin 'Table 12: 3.0 against a uniform run, 2.25 by Eq. 8'
aggregate_of table12 --policy constraint --dedicated-uniform
number "j['slowdown']['mean']" 3.00
is "$(json "['%.2f' % n['extra_work_fraction'] for n in j['hosts']]")" "['0.00', '-0.33', '0.00', '0.33']"
is "$(json "['%.2f' % n['relative_time'] for n in j['hosts']]")" "['3.00', '1.33', '2.00', '1.33']"
aggregate_of table12 --policy constraint
number "j['slowdown']['mean']" 2.25

begin 'Tables 13 to 15: 2.00 and 2.45; a competitor that waits for a slower host slows down less'
aggregate_of table14 --policy constraint
number "j['slowdown']['mean']" 2.00
is "$(json "['%.2f' % n['dedicated_relative_time'] for n in j['hosts']]")" "['0.22', '0.43', '0.67', '1.33']"
is "$(json "['%.2f' % n['relative_time'] for n in j['hosts']]")" "['0.22', '0.43', '2.67', '1.33']"
aggregate_of table15 --policy constraint
number "j['slowdown']['mean']" 2.45
is "$(json "['%.2f' % n['slowdown'] for n in j['hosts']]")" "['4.00', '1.33', '3.00', '2.00']"
is "$(json "['%.2f' % n['relative_time'] for n in j['hosts']]")" "['1.42', '0.47', '3.27', '1.45']"
ok "$RUNCAST" slowdown aggregate --hosts-file "$examples/table15.yaml" --policy constraint --explain
grep -q 'rs1 .*<- slowest' out || fault "$(cat out)"
prints '3.27 / 1.33 = 2.45'

begin 'the network inside the aggregate factor'
aggregate_of table15 --policy constraint --communicating 20% --link-slowdown 3
number "j['slowdown']['mean']" 2.564 3

# ---- equations ----

# sums: whether 1 and all terms of each equation come to its value.
sums="all(abs(1 + sum(t['adds'] for t in e['terms']) - e['value']) < 1e-9 for e in j['equations'])"

begin 'equations in JSON'
local_of --competitor 0.76:0.24,count=2 --delay 0.25 --explain
is "$(json "[(e['name'], e['text'], round(e['value'], 3)) for e in j['equations']]")" \
    "[('Eq. 2', '1 + 0.578 x 2 + 0.365 x 1 + 0.422 x 0.25 = 2.63', 2.626), \
('queue', '1 + 1.7 (computing) + 0.422 x 0.25 = 2.8', 2.801)]"
is "$(json "[(t['by'], round(t['probability'], 4), t['multiplier']) for t in j['equations'][0]['terms']]")" \
    "[('computing', 0.5776, 2), ('computing', 0.3648, 1), ('communicating', 0.4224, 0.25)]"
is "$(json "$sums, j['equations'][0]['value'] == j['paper'], j['equations'][1]['value'] == j['queue']")" \
    '(True, True, True)'
local_of --competitor 0.76:0.24,count=2 --delay 0.25
is "$(json "'equations' in j")" False
local_of --competitor 0.5:0.3,count=100 --delay 0.1 --explain # too many to list
is "$(json "[t['by'] for t in j['equations'][0]['terms']], $sums")" "(['computing', 'communicating'], True)"
ok "$RUNCAST" slowdown comm --idle-rate 12MB/s --current-rate 48Mbit/s --explain --json
is "$(json "j['equations']")" "[{'name': 'Eq. 3', 'text': 'idle rate / current rate: 96 Mbit/s / 48 Mbit/s = 2', \
'value': 2, 'numerator': 12000000, 'denominator': 6000000}]"
aggregate_of table15 --policy constraint --communicating 20% --link-slowdown 3 --explain
is "$(json "[(e['name'], e['text'].split(': ')[-1]) for e in j['equations']]")" \
    "[('Eq. 9', '3.27 / 1.33 = 2.45'), ('with messages', '(1 - 0.2) x 2.455 + 0.2 x 3 = 2.564')]"
is "$(json "[e['value'] for e in j['equations']] == [j['compute_slowdown'], j['slowdown']['mean']]")" True
ok "$RUNCAST" slowdown predict --dedicated 10s --competitor 0.5 --samples 10 --explain --json
is "$(json "[e['text'] for e in j['equations']]")" "['1 + 0.5 x 1 = 1.5', '1 + 0.5 (computing) = 1.5']"
ok "$RUNCAST" slowdown predict --dedicated 10s --hosts-file "$examples/figure11.yaml" --policy load --samples 10 --explain --json
is "$(json "[(e['name'], e['text']) for e in j['equations']]")" \
    "[('Eq. 5', 'sum of w / sum of w/sd: 7 / 3.67 = 1.91')]"

# ---- tasks in sequence ----

begin 'the mappings of Tables 1 to 4: 16, 38 and 48'
allocate --json
is "$(json "j['time_s'], [t['machine'] for t in j['tasks']], j['tie']")" "(16, ['M1', 'M1'], False)"
allocate --json --slowdown M1=3
is "$(json "j['time_s'], [t['machine'] for t in j['tasks']], j['tie']")" "(38, ['M2', 'M1'], False)"
allocate --json --slowdown M1=3 --slowdown 'M1>M2=3' --slowdown 'M2>M1=3'
is "$(json "j['time_s'], [t['machine'] for t in j['tasks']], j['tie']")" "(48, ['M1', 'M1'], True)"
allocate --slowdown M1=3 --slowdown 'M1<>M2=3'
prints 'tie: another mapping'
prints 'total time: 48 s'
allocate --slowdown M1=3
prints 'total time: 38 s'
grep -q '^A  *M2  *18 s  *8 s$' out || fault "$(cat out)"
misused "$RUNCAST" slowdown allocate "$examples/tasks.yaml" --slowdown M3=2
complains "no machine 'M3'"
misused "$RUNCAST" slowdown allocate "$examples/tasks.yaml" --slowdown M1=-2
for slow in M1=0.5 'M1>M2=0.99' 'M1<>M2=0'; do
    misused "$RUNCAST" slowdown allocate "$examples/tasks.yaml" --slowdown "$slow"
    complains "--slowdown: '$slow': slowdown must be from 1"
done
allocate --json --slowdown M1=1
is "$(json "j['time_s']")" 16
misused "$RUNCAST" slowdown allocate "$examples/tasks.yaml" --slowdown M1=2 --slowdown M2=2 --slowdown M1=3
complains '--slowdown M1=3: duplicate'

# ---- predictions ----

begin 'a prediction is a distribution, and wide where cycles are long (section 4.3)'
ok "$RUNCAST" slowdown predict --dedicated 120s --competitor 0.5:0.5,cycle=10s --json
cp out short
ok "$RUNCAST" slowdown predict --dedicated 120s --competitor 0.5:0.5,cycle=288s --json
cp out long
is "$(python3 -c "
import json
short, long = json.load(open('short')), json.load(open('long'))
print(long['uncertainty']['variation_fraction'] > 5 * short['uncertainty']['variation_fraction'],
      long['uncertainty']['long_cycles'],
      abs(short['slowdown']['mean'] - 1.5) < 0.03, short['local']['paper'],
      abs(short['time']['sd_s'] / short['time']['mean_s'] - 0.05) < 0.01)")" 'True 1 True 1.5 True'
ok "$RUNCAST" slowdown predict --dedicated 120s --competitor 0.5:0.5,cycle=288s --explain
prints 'competitors with cycles that are long for the run: 1 (up to 00:04:48)'
prints '(90 % interval: '
prints 'run time in seconds:'
prints '1 + 0.5 x 1 = 1.5'

begin 'with --model, the time is the dedicated time x the slowdown of the equation (Eq. 1)'
by_model() { ok "$RUNCAST" slowdown predict --dedicated 100s --model-error 0 --json "$@"; }
by_model --competitor 0.55:0.45 --bandwidth 0.45Mw/s --delay alpha-farm --cores 1 --model paper
number "j['time']['p50_s']" 155.92 # section 4.1: 1 + 0.55 x 1 + 0.45 x 0.0205
is "$(json "j['model'], j['coupling'], j['time']['interval_s']['low'] == j['time']['interval_s']['high']")" \
    "('paper', None, True)"
by_model --competitor 0.76:0.24,count=2 --delay 0.25 --cores 1 --model paper
number "j['time']['p50_s']" 262.56 # section 4.2: 1 + 0.5776 x 2 + 0.3648 + 0.4224 x 0.25
by_model --competitor 0.76:0.24,count=2 --delay 0.25 --cores 1 --model queue
is "$(json "abs(j['time']['p50_s'] / 100 / j['local']['queue'] - 1) < 1e-9")" True
# section 5.2, Figure 9: messages take 0.91 / 0.33 = 2.76 times as long
by_model --competitor 0.76:0.24,count=2 --delay 0.25 --cores 1 --model paper --communicating 0.2 \
    --idle-rate 0.91Mw/s --current-rate 0.33Mw/s
number "j['time']['p50_s']" 265.20 # 100 x (0.8 x 2.6256 + 0.2 x 2.7576)
by_model --hosts-file "$examples/table15.yaml" --policy constraint --model paper
number "j['time']['p50_s']" 245.45 # Eq. 9: 3.27273 / 1.33333
by_model --competitor 0.4..0.6,cycle=10s,stay=3h --cores 1 --model paper
is "$(json "1.40 < j['slowdown']['p05'] < 1.42 and 1.58 < j['slowdown']['p95'] < 1.60")" True
complains '1 competitor comes and goes: assumed to be always present'
complains 'cycle= of 1 competitor has no effect: the slowdown is that of a long run'
ok "$RUNCAST" slowdown predict --dedicated 100s --competitor 0.5 --cores 1 --model paper --explain
prints 'Eq. 1: 100 s x 1.5'
wants_effect --coupling predict --dedicated 1s "${constraint[@]}" --model paper --coupling tight
fails "$RUNCAST" slowdown predict --dedicated 10s --competitor 1,weight=3 --cores 1 --model paper
complains 'Eq. 2 has no weights'

begin 'the same seed gives the same answer'
ok "$RUNCAST" slowdown predict --dedicated 1h --competitor 0.5,cycle=30min,stay=1h,away=1h --seed 4 --samples 200 --json
cp out first
ok "$RUNCAST" slowdown predict --dedicated 1h --competitor 0.5,cycle=30min,stay=1h,away=1h --seed 4 --samples 200 --json
cmp -s out first || fault 'the answers differ'
is "$(json "j['uncertainty']['come_and_go']")" 1

begin 'predictions of parallel programs agree with the equations'
ok "$RUNCAST" slowdown predict --dedicated 120s --hosts-file "$examples/table15.yaml" --policy constraint --json --samples 200 \
    --model-error 0
number "j['slowdown']['mean']" 2.45
number "j['time']['mean_s']" 294.5 1
ok "$RUNCAST" slowdown predict --dedicated 100s --hosts-file "$examples/figure11.yaml" --policy load --json --samples 200 \
    --communicating 0.3 --idle-rate 10MB/s --current-rate 5MB/s --coupling loose
number "j['slowdown']['mean']" 1.936 3 # 0.7 x 7/3.67 + 0.3 x 2
ok "$RUNCAST" slowdown predict --dedicated 100s --hosts-file "$examples/figure12.yaml" --policy constraint --samples 200
prints 'Eq. 9: 3'

begin 'a current rate above the idle rate changes nothing'
ok "$RUNCAST" slowdown predict --dedicated 10s --competitor 1 --cores 2 --communicating 0.5 --idle-rate 1MB/s --current-rate 2MB/s --json \
    --samples 10 --model-error 0
is "$(json "j['link_slowdown'], j['slowdown']['mean'], [n[:27] for n in j['notes']]")" \
    "(1, 1, ['the current rate is above t'])"

begin 'a note on an unknown number of cores'
ok "$RUNCAST" slowdown predict --dedicated 10s --competitor 1 --samples 10
complains 'unknown number of cores'
ok "$RUNCAST" slowdown predict --dedicated 10s --competitor 1 --samples 10 --cores 1
! grep -q 'number of cores' err || fault "$(cat err)"
ok "$RUNCAST" slowdown predict --dedicated 10s "${constraint[@]}" --samples 10 --json
is "$(json "'unknown number of cores of 3 hosts' in j['notes'][-1]")" True

begin 'notes on many hosts are counted, and omitted beyond a limit'
python3 - > hosts.yaml << 'END'
print('hosts:')
for i in range(30):
    print(f'  - {{name: n{i}, cores: 1}}')
print('competitors: [{shares: "?"}]')
END
ok "$RUNCAST" slowdown aggregate --policy load --hosts-file hosts.yaml --json
is "$(json "len(j['notes']), j['notes'][-1]")" "(25, '6 more notes omitted')"
ok "$RUNCAST" slowdown aggregate --policy load --hosts-file hosts.yaml
complains 'note: 6 more notes omitted'

begin 'more competitors than can be simulated'
ok "$RUNCAST" slowdown predict --dedicated 10s --competitor 0.5,count=100 --cores 8 --json --model-error 0
is "$(json "abs(j['slowdown']['mean'] / j['local']['queue'] - 1) < 1e-6")" True
is "$(json "'too many competitors to simulate' in j['notes'][0]")" True
fails "$RUNCAST" slowdown local --competitor 0.5,count=100,weight=2 --cores 8
complains 'at most 64 competitors can be simulated, not 100'
printf 'hosts: [{name: a, cores: 1}]\ncompetitors: [{shares: "1,count=100"}]\n' > hosts.yaml
ok "$RUNCAST" slowdown predict --dedicated 10s --hosts-file hosts.yaml --policy load --json --model-error 0
number "j['slowdown']['mean']" 101.00
is "$(json "'too many competitors to simulate' in j['notes'][0]")" True

begin 'weights on several cores are simulated'
ok "$RUNCAST" slowdown predict --dedicated 10s --competitor 1,weight=3 --competitor 1 --cores 2 --json --model-error 0
number "j['slowdown']['mean']" 2.00 # one core for the heavy one, half of the other

begin 'unknown competitors are estimated from the load of the host'
ok "$RUNCAST" slowdown predict --dedicated 100s --competitor '?' --json
is "$(json "j['uncertainty']['unknown_competitors'], [j['local']['competitors'][0][k] for k in ('compute_fraction', 'compute_range')]")" \
    "(1, [None, {'min': 0, 'max': 1}])"
is "$(json "'1 unknown competitor' in j['notes'][0]")" True
now=$(date +%s)
{ echo t,value; for i in 50 40 30 20 10; do echo "$((now - i)),0.8"; done; } > cpu.csv
ok "$RUNCAST" series import cpu.csv --host h1 --metric cpu
ok "$RUNCAST" slowdown predict --dedicated 100s --competitor '?' --host h1 --json
number "j['slowdown']['mean']" 1.25
is "$(json "'last 7 days' in j['notes'][0] and '5 samples' in j['notes'][0]")" True
ok "$RUNCAST" slowdown local --competitor '?' --host h1
complains 'shares are from the load of h1'
sed 's/0\.8$/0.2/' cpu.csv > busy.csv
ok "$RUNCAST" series import busy.csv --host h3 --metric cpu
local_of --competitor '?' --host h3 # a fifth of the core: there are four others
is "$(json "any('load of h3 was higher' in n and '3 more' in n for n in j['notes'])")" True
local_of --competitor '?,count=4' --host h3 --cores 1
number "j['slowdown']['mean']" 5.00
is "$(json "len(j['notes'])")" 1
fails "$RUNCAST" slowdown local --competitor '?' --host h2
complains "'h2'"

if command -v gnuplot > /dev/null; then
    begin 'a plot of a prediction'
    ok "$RUNCAST" slowdown predict --dedicated 100s --competitor 0.5,cycle=100s --plot picture.svg
    grep -q '<svg' picture.svg || fault 'no plot'
fi

# ---- calibrations ----

cat > calibration.json << 'END'
{"calibration": 1, "made": 1.7e9,
 "hosts": [{"name": "a", "cores": 4, "seconds": 2, "weight": 2, "memory": [1.5]},
           {"name": "b", "cores": 1, "seconds": 4, "weight": 1, "memory": []}],
 "links": [{"from": "a", "to": "b", "bursts": [
     {"messages": 100, "bytes": 1000, "rate": 1e7}, {"messages": 100, "bytes": 10000, "rate": 2e7},
     {"messages": 1000, "bytes": 1000, "rate": 1e7},
     {"messages": 1000, "bytes": 10000, "rate": 2e7}]}],
 "delay_from": "a", "delay_to": "b",
 "points": [{"communicating": 1, "bandwidth": 1e6, "delay": 0.1},
            {"communicating": 1, "bandwidth": 3e6, "delay": 0.3}],
 "delay": {"constant": 0, "curves": [{"communicating": 1, "at": null,
     "below": {"intercept": 0, "slope": 1e-7}, "above": {"intercept": 0, "slope": 1e-7},
     "low": 1e6, "high": 3e6}]}, "byte_seconds": null}
END

begin 'a calibration gives delays, rates, weights and cores'
"$MAKE_CALIBRATION" "$RUNCAST_DB" farm calibration.json || fault 'no calibration was made'
local_of --competitor 0.5:0.5 --bandwidth 2MB/s --platform farm
number "j['slowdown']['mean']" 1.60
local_of --competitor 0.5:0.5 --bandwidth 2MB/s --delay calibration.json
number "j['slowdown']['mean']" 1.60
ok "$RUNCAST" slowdown show --platform farm --json
is "$(json "j['created'][:10], j['hosts'][0]['memory_slowdowns'], 'made' in j")" "('2023-11-14', [1.5], False)"
cp out document.json
local_of --competitor 0.5:0.5 --bandwidth 2MB/s --delay document.json
number "j['slowdown']['mean']" 1.60
local_of --competitor 0.5:0.5 --bandwidth 9MB/s --platform farm
is "$(json "'outside' in j['notes'][0]")" True
local_of --competitor 1,memory-bound=1 --platform farm --host a --memory-bound 0.5
is "$(json "j['cores'], j['slowdown']['mean']")" '(4, 1.25)'
ok "$RUNCAST" slowdown local --competitor 1 --platform farm --host a --memory-bound 0.5
complains 'no competitor waits for memory'
ok "$RUNCAST" slowdown local --competitor 1,memory-bound=1 --platform farm --host b --memory-bound 0.5
complains 'on one core'
misused "$RUNCAST" slowdown local --competitor 0.5:0.5 --platform farm
complains '--bandwidth is missing'
"$MAKE_CALIBRATION" "$RUNCAST_DB" "$(hostname)" calibration.json || fault 'no calibration was made'
local_of --competitor 0.5:0.5
number "j['slowdown']['mean']" 1.65 # 0.5 and, at 3 MB/s, half of 0.3
is "$(json "'full speed of the link from \'a\' to \'b\', 24 Mbit/s' in j['notes'][1]")" True
ok "$RUNCAST" slowdown predict --dedicated 10s --competitor 0.5:0.5 --samples 10
complains 'full speed of the link'
misused "$RUNCAST" slowdown local --competitor 0.5:0.5 --delay calibration.json
complains '--bandwidth is missing'
fails "$RUNCAST" slowdown local --competitor 1 --platform farm --host c
complains "--host: no host 'c'"
ok "$RUNCAST" slowdown comm --platform farm --link a:b --burst 100x10000 --current-rate 5MB/s --json
number "j['slowdown']['mean']" 4.00
ok "$RUNCAST" slowdown comm --platform farm --link a:b --burst 10x10 --current-rate 5MB/s --explain
complains 'no measured burst near 10x10'
fails "$RUNCAST" slowdown comm --platform farm --link b:a --burst 10x10 --current-rate 5MB/s
complains "from 'b' to 'a'"
fails "$RUNCAST" slowdown comm --platform farm --link b:c --burst 10x10 --current-rate 5MB/s
complains "no host 'c'"
misused "$RUNCAST" slowdown comm --platform farm --link a --burst 10x10 --current-rate 5MB/s
misused "$RUNCAST" slowdown comm --platform farm --link a:b --burst many --current-rate 5MB/s
complains '--burst'
fails "$RUNCAST" slowdown comm --platform nowhere --link a:b --burst 10x10 --current-rate 5MB/s
complains "'nowhere'"
printf 'hosts: [{name: a}, {name: b}]\ncompetitors: [{shares: "1", hosts: [b]}]\n' > hosts.yaml
ok "$RUNCAST" slowdown aggregate --policy load --hosts-file hosts.yaml --platform farm --json
number "j['slowdown']['mean']" 1.20 # 3 / 2.5
printf 'hosts: [{name: x, weight: 1}, {name: y, weight: 1}, {name: b}]\n' > hosts.yaml
ok "$RUNCAST" slowdown aggregate --policy load --hosts-file hosts.yaml --platform farm --json
is "$(json "j['notes'][0]")" "2 hosts are not in the calibration of 'farm': 'x', 'y'"
is "$(json "len(j['notes']), j['notes'][1]")" "(2, \"the calibration has 'a', 'b'; 'runcast slowdown calibrate \
--platform farm --hosts x,y --measure weights' adds to it\")"
printf 'hosts: [{name: b, memory-bound: 0.5}]\nshared-link: yes\ncompetitors: [{shares: "1,stay=1s,count=2"}]\n' > hosts.yaml
ok "$RUNCAST" slowdown aggregate --policy load --hosts-file hosts.yaml
complains "memory contention on 'b' is ignored"
complains "'shared-link' in the file has no effect"
complains '2 competitors come and go'
prints 'slowdown of the program on 1 host: '
printf 'hosts: [{name: b, slowdown: 2}]\nbandwidth: 1MB/s\ncompetitors: [{shares: "0:1"}]\n' > hosts.yaml
ok "$RUNCAST" slowdown aggregate --policy load --hosts-file hosts.yaml --json
is "$(json "'competitors on \'b\' are ignored' in j['notes'][0], 'no competitor communicates' in j['notes'][1]")" \
    '(True, True)'
printf 'hosts: [{name: a}, {name: b}]\ncompetitors: [{shares: "0.5:0.5", hosts: [b]}]\n' > hosts.yaml
fails "$RUNCAST" slowdown aggregate --policy load --hosts-file hosts.yaml --platform farm
complains 'bandwidth'
echo 'bandwidth: 2MB/s' >> hosts.yaml
ok "$RUNCAST" slowdown aggregate --policy load --hosts-file hosts.yaml --platform farm --json
number "j['hosts'][1]['slowdown']" 1.60

finish
