#!/bin/bash
# What answers of 'runcast slowdown' tell of themselves: how many cores were taken and why, what is
# to be known of the calibration that they rest on, and what has no effect.
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"
MAKE_CALIBRATION=${MAKE_CALIBRATION:?set MAKE_CALIBRATION to the program that makes calibrations}
examples=$SOURCE_ROOT/examples/slowdown

# tells TEXT: one of the notes in the JSON of out has it; keeps_quiet TEXT: none has.
notes() { json '"\n".join(j["notes"])'; }
# shellcheck disable=SC2154 # the harness sets $last
tells() { [[ $(notes) == *"$1"* ]] || fault "$last: no '$1' in: $(notes)"; }
keeps_quiet() { [[ $(notes) != *"$1"* ]] || fault "$last: '$1' in: $(notes)"; }

local_of() { ok "$RUNCAST" slowdown local --json "$@"; }
predict_of() { ok "$RUNCAST" slowdown predict -d 10s --draws 10 --json "$@"; }
aggregate_of() { ok "$RUNCAST" slowdown aggregate --policy load --nodes nodes.yaml --json "$@"; }

# ---- cores ----

begin 'that one core was taken is told by all who take it'
ok "$RUNCAST" slowdown local -c 0.5
complains 'note: it is not known how many cores the host has: one is taken (--cores'
is "$(cat out err | wc -l)" 2 'lines'
local_of -c 0.5
tells 'not known how many cores'
is "$(json "j['cores'], j['cores_from']")" "(1, 'assumed')"
predict_of -c 0.5
tells 'not known how many cores'
is "$(json "j['local']['cores'], j['local']['cores_from']")" "(1, 'assumed')"
ok "$RUNCAST" slowdown aggregate --policy constraint --nodes "$examples/figure12.yaml"
complains 'note: of 3 nodes it is not known how many cores there are: one is taken'
printf 'nodes: [{name: a}, {name: b}]\ncompetitors: [{shares: "1", nodes: [b]}]\n' > nodes.yaml
aggregate_of
tells 'of 1 node it is not known how many cores'

begin 'but not where it was said, or does not matter'
local_of -c 0.5 --cores 1
keeps_quiet 'how many cores'
is "$(json "j['cores'], j['cores_from']")" "(1, 'given')"
local_of -c 0:1 --delay 0.25
keeps_quiet 'how many cores'
printf 'nodes: [{name: a}, {name: b, cores: 1}]\ncompetitors: [{shares: "1", nodes: [b]}]\n' > nodes.yaml
aggregate_of
keeps_quiet 'how many cores'

# ---- what was calibrated ----

# calibration HOSTS [MORE]: one with these hosts and a delay of 0.1 for each MB/s, in calibration.json.
calibration() {
    cat > calibration.json << END
{"calibration": 1, "made": 1.7e9, "hosts": [$1], "links": [], "delay_from": "a", "delay_to": "a",
 "points": [], "delay": {"constant": 0, "curves": [{"communicating": 1, "at": null,
     "below": {"intercept": 0, "slope": 1e-7}, "above": {"intercept": 0, "slope": 1e-7},
     "low": 1e6, "high": 3e6}]}, "byte_seconds": null${2:-}}
END
}
host() { echo "{\"name\": \"$1\", \"cores\": $2, \"seconds\": 2, \"weight\": 1, \"memory\": [1.5]}"; }
keep() { "$MAKE_CALIBRATION" "$RUNCAST_DB" "$1" calibration.json || fault 'no calibration was made'; }

begin 'where nothing was measured, the command that does is named'
fails "$RUNCAST" slowdown show --platform farm
complains "hint: 'runcast slowdown calibrate --platform farm' makes one"
fails "$RUNCAST" slowdown local -c 1 --platform farm
complains 'no database yet'
complains "hint: 'runcast slowdown calibrate --platform farm' makes one"
ok "$RUNCAST" slowdown local -c 0.5:0.5
complains "no delays were measured ('runcast slowdown calibrate') or given"
ok "$RUNCAST" slowdown local -c 1,memory=1 --memory 0.5 --cores 2
complains "'runcast slowdown calibrate' measures it"
calibration "$(host "$(hostname)" 2)"
sed -i 's/"curves": .*/"curves": []}, "byte_seconds": null}/; /below/d; /"low"/d; s/\[1.5\]/[]/' calibration.json
keep lean
fails "$RUNCAST" slowdown local -c 1 --platform farm
complains "hint: 'runcast slowdown calibrate --platform farm' makes one"
local_of -c 0.5:0.5 --platform lean
tells "('runcast slowdown calibrate --only delay --platform lean'): communicating competitors are taken to cost"
local_of -c 0.5:0.5 --platform lean --bandwidth 1MB/s
tells "the calibration of 'lean' has no delays"
tells "paper's Alphas"
local_of -c 1,memory=1 --memory 0.5 --platform lean
tells "'runcast slowdown calibrate --only memory --platform lean' measures it"

begin 'cores of a machine that was calibrated are its own'
misused "$RUNCAST" slowdown local -c 1 --host "$(hostname)"
complains '--host has no effect'
complains "hint: 'runcast slowdown calibrate' measures this machine"
calibration "$(host "$(hostname)" 2)"
keep "$(hostname)"
local_of -c 1,count=2
is "$(json "j['cores'], j['cores_from'], j['paper']")" "(2, 'calibrated', 1.5)"
tells "the host is taken to have 2 cores, as '$(hostname)' had"
keeps_quiet 'not known how many cores'
predict_of -c 1,count=2
is "$(json "j['local']['cores'], j['local']['cores_from']")" "(2, 'calibrated')"
tells 'taken to have 2 cores'
local_of -c 1,memory=1 --host "$(hostname)" --memory 0.5
is "$(json "j['cores'], j['paper']")" '(2, 1.25)'
local_of -c 1,count=2 --cores 1
is "$(json "j['cores'], j['cores_from'], j['paper']")" "(1, 'given', 3)"
keeps_quiet 'taken to have'

begin 'who gives delays speaks of another machine, unless the host is named'
local_of -c 1,count=2 --delay 0.25
is "$(json "j['cores'], j['cores_from']")" "(1, 'assumed')"
local_of -c 0.5:0.5,count=2 --delay 0.25 --host "$(hostname)"
is "$(json "j['cores'], j['cores_from']")" "(2, 'calibrated')"
misused "$RUNCAST" slowdown local -c 0.5:0.5 --delay calibration.json --host "$(hostname)"
complains '--bandwidth is missing'
misused "$RUNCAST" slowdown local -c 1 --host nowhere
complains "--host has no effect: there is no 'nowhere' in a calibration of '$(hostname)'"
complains 'hint: --platform names another'

begin 'of a platform, the host that is named, or its only one'
calibration "$(host a 4)"
keep one
local_of -c 1,count=4 --platform one
is "$(json "j['cores'], j['paper']")" '(4, 1.25)'
calibration "$(host a 4), $(host b 2)"
keep two
local_of -c 1,count=2 --platform two
is "$(json "j['cores_from']")" assumed
local_of -c 1,count=2 --platform two --host b
is "$(json "j['cores']")" 2
fails "$RUNCAST" slowdown local -c 1 --platform two --host c
complains "there is no host 'c' in the calibration of 'two'"

begin 'how a calibration was measured is told by answers that rest on it'
doubts() { calibration "$(host a 4)" ", \"quick\": [$1], \"lacking\": [$2]"; keep "${3:-bad}"; }
doubts '"weights", "delay"' ''
rests_on() { local_of -c 0.5:0.5 --bandwidth 1MB/s --platform bad; }
rests_on
tells "the calibration of 'bad' has delay by --quick, which is not to be trusted"
tells "('runcast slowdown calibrate --only delay --platform bad --hosts ...' measures it)"
local_of -c 1 --platform bad # nothing of what is in doubt
keeps_quiet quick
ok "$RUNCAST" slowdown predict -d 10s -c 0.5:0.5 --bandwidth 1MB/s --platform bad --draws 10
complains 'has delay by --quick'
local_of -c 0.5:0.5 --bandwidth 1MB/s --delay calibration.json
tells 'the calibration in the file has delay by --quick, which is not to be trusted'
printf 'nodes: [{name: a}]\nbandwidth: 1MB/s\ncompetitors: [{shares: "0.5:0.5"}]\n' > nodes.yaml
aggregate_of --platform bad
tells "has weights,delay by --quick"
ok "$RUNCAST" slowdown show --platform bad
complains "note: the calibration of 'bad' has weights,delay by --quick, which is not to be trusted"
ok "$RUNCAST" slowdown show --platform bad --json
is "$(json "j['quick'], j['lacking'], len(j['notes'])")" "(['weights', 'delay'], [], 1)"
doubts '' '"delay", "memory"'
rests_on
tells "the calibration of 'bad' was broken off: of delay something is lacking, or older"
local_of -c 1,memory=1 --memory 0.5 --platform bad
tells 'of memory something is lacking'
calibration "$(host a 4 | sed 's/"weight"/"spread": 0.46, &/'), $(host b 4)"
keep bad
rests_on
tells "the calibration of 'bad' was made while 'a' did not seem idle"
ok "$RUNCAST" slowdown show --platform bad
complains "while 'a' did not seem idle"
calibration "$(host a 4 | sed 's/"weight"/"spread": 0.06, &/')"
keep bad
rests_on
keeps_quiet idle
calibration "$(host a 4)" ', "quick": ["bursts"]'
sed -i 's/"links": \[\]/"links": [{"from": "a", "to": "a", "bursts": [{"messages": 1, "bytes": 100, "rate": 1e6}]}]/' \
    calibration.json
keep bad
ok "$RUNCAST" slowdown comm --platform bad --link a,a --burst 1x100 --now 1MB/s --json
tells 'has bursts by --quick'

# ---- what has no effect, or cannot be ----

begin 'which model knows of weights is told where the one that is asked for does not'
fails "$RUNCAST" slowdown local -c 1,weight=3 --model paper --cores 1
complains 'hint: --model queue knows of weights'
ok "$RUNCAST" slowdown local -c 1,weight=3 --model queue --cores 1
for model in paper queue; do
    fails "$RUNCAST" slowdown local -c 1,weight=3 --model $model --cores 2
    complains 'hint: leave out --model'
done
ok "$RUNCAST" slowdown local -c 1,weight=3 --cores 2

begin 'a range upside down is called that'
misused "$RUNCAST" slowdown local -c 0.5..0.2
complains "--competitor '0.5..0.2': computing: the range '0.5..0.2' is upside down: write 0.2..0.5"
misused "$RUNCAST" slowdown predict -d 10s -c 0.1:50%..0.2
complains "communicating: the range '50%..0.2' is upside down: write 0.2..50%"
misused "$RUNCAST" slowdown local -c 1.5..0.2
complains "'1.5..0.2' is not a share between 0 and 1"

begin 'cycles that change nothing are told'
vain="cycle= of 2 competitors changes nothing: "
local_of -c 0.5,cycle=3s,count=2 --cores 1
tells "${vain}a slowdown is that of a long run ('runcast slowdown predict' reckons with cycles)"
local_of -c 0.5 --cores 1
keeps_quiet cycle=
printf 'nodes: [{name: a}, {name: b}]\ncompetitors: [{shares: "0.5,cycle=3s"}]\n' > nodes.yaml
aggregate_of
tells "${vain}a slowdown is that of a long run"
predict_of -c 0.5,cycle=3s,count=2 --cores 1
keeps_quiet cycle=
predict_of -c 1,cycle=3s -c 0:1,cycle=3s -c 0.5,cycle=3s --cores 1
tells "${vain}what does the same all the time has no phases"
printf 'nodes: [{name: a}, {name: b}]\ncompetitors: [{shares: "1,cycle=3s"}]\n' > nodes.yaml
ok "$RUNCAST" slowdown predict -d 10s --draws 10 --nodes nodes.yaml --policy load --json
tells "${vain}what does the same all the time has no phases"
echo '{"competitors": [{"pid": 7, "competitor": "0.5,cycle=3s"}]}' > seen.json
local_of --observed seen.json --cores 1 # nobody has said it
keeps_quiet cycle=

# ---- JSON ----

begin 'slowdowns are alike in JSON'
is_value() { is "$(json "j['slowdown']['kind'], round(j['slowdown']['mean'], 3), 'value' in j")" "('$1', $2, False)" "$last"; }
local_of -c 0.5 --cores 1
is_value point 1.5
local_of -c 0.2..0.6 --cores 1
is_value interval 1.4
local_of -c 0.2..0.6,count=2 --model queue --cores 1
is "$(json "j['slowdown']['mean'] == j['queue'], j['slowdown']['lo'] < j['slowdown']['mean'] < j['slowdown']['hi']")" \
    '(True, True)'
ok "$RUNCAST" slowdown comm --idle 2MB/s --now 1MB/s --json
is_value point 2
printf 'nodes: [{name: a}, {name: b}]\ncompetitors: [{shares: "1", nodes: [b]}]\n' > nodes.yaml
aggregate_of
is_value point 1.333
predict_of -c 1 --cores 1
is_value sample 2

begin 'what is not known of a competitor is null in JSON'
local_of -c 0.5 --cores 1
is "$(json "[j['competitors'][0][key] for key in ('cycle', 'stay', 'away')]")" '[None, None, None]'
local_of -c 0.5,cycle=3s,stay=5s,away=1s --cores 1
is "$(json "[j['competitors'][0][key] for key in ('cycle', 'stay', 'away')]")" '[3, 5, 1]'
predict_of -c 0.5 --cores 1
is "$(json "j['local']['competitors'][0]['cycle'], j['width']['longest_cycle']")" '(None, None)'

finish
