#!/bin/bash
# Notes of 'runcast slowdown' on assumed cores, on doubts about the calibration, and on settings
# without effect.
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"
MAKE_CALIBRATION=${MAKE_CALIBRATION:?set MAKE_CALIBRATION to the program that makes calibrations}
examples=$SOURCE_ROOT/examples/slowdown

# notes_on TEXT: one of the notes in the JSON of out has it; no_note_on TEXT: none has.
notes() { json '"\n".join(j["notes"])'; }
# shellcheck disable=SC2154 # the harness sets $last
notes_on() { [[ $(notes) == *"$1"* ]] || fault "$last: no '$1' in: $(notes)"; }
no_note_on() { [[ $(notes) != *"$1"* ]] || fault "$last: '$1' in: $(notes)"; }

local_of() { ok "$RUNCAST" slowdown local --json "$@"; }
predict_of() { ok "$RUNCAST" slowdown predict --dedicated 10s --samples 10 --json "$@"; }
aggregate_of() { ok "$RUNCAST" slowdown aggregate --policy load --hosts-file hosts.yaml --json "$@"; }

# ---- cores ----

begin 'a note on an assumed core, by all verbs'
ok "$RUNCAST" slowdown local --competitor 0.5
complains 'note: unknown number of cores: 1 is assumed (use --cores'
is "$(cat out err | wc -l)" 2 'lines'
local_of --competitor 0.5
notes_on 'unknown number of cores'
is "$(json "j['cores'], j['cores_from']")" "(1, 'assumed')"
predict_of --competitor 0.5
notes_on 'unknown number of cores'
is "$(json "j['local']['cores'], j['local']['cores_from']")" "(1, 'assumed')"
ok "$RUNCAST" slowdown aggregate --policy constraint --hosts-file "$examples/figure12.yaml"
complains 'note: unknown number of cores of 3 hosts: 1 is assumed'
printf 'hosts: [{name: a}, {name: b}]\ncompetitors: [{shares: "1", hosts: [b]}]\n' > hosts.yaml
aggregate_of
notes_on 'unknown number of cores of 1 host:'

begin 'but not if it is given, or does not matter'
local_of --competitor 0.5 --cores 1
no_note_on 'number of cores'
is "$(json "j['cores'], j['cores_from']")" "(1, 'given')"
local_of --competitor 0:1 --delay 0.25
no_note_on 'number of cores'
printf 'hosts: [{name: a}, {name: b, cores: 1}]\ncompetitors: [{shares: "1", hosts: [b]}]\n' > hosts.yaml
aggregate_of
no_note_on 'number of cores'

# ---- calibrations ----

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

begin 'hints name the command that measures'
fails "$RUNCAST" slowdown show --platform farm
complains "hint: 'runcast slowdown calibrate --platform farm' creates one"
fails "$RUNCAST" slowdown local --competitor 1 --platform farm
complains 'no database yet'
complains "hint: 'runcast slowdown calibrate --platform farm' creates one"
ok "$RUNCAST" slowdown local --competitor 0.5:0.5
complains "no delays: communicating competitors are assumed to cause no delay ('runcast slowdown calibrate'"
ok "$RUNCAST" slowdown local --competitor 1,memory-bound=1 --memory-bound 0.5 --cores 2
complains "use 'runcast slowdown calibrate'"
calibration "$(host "$(hostname)" 2)"
sed -i 's/"curves": .*/"curves": []}, "byte_seconds": null}/; /below/d; /"low"/d; s/\[1.5\]/[]/' calibration.json
keep lean
fails "$RUNCAST" slowdown local --competitor 1 --platform farm
complains 'hint: measure it: runcast slowdown calibrate --platform farm'
local_of --competitor 0.5:0.5 --platform lean
notes_on "('runcast slowdown calibrate --measure delay --platform lean'): communicating competitors are assumed to cause no delay"
local_of --competitor 0.5:0.5 --platform lean --bandwidth 1MB/s
notes_on "the calibration of 'lean' has no delays"
notes_on "paper's Alphas"
local_of --competitor 1,memory-bound=1 --memory-bound 0.5 --platform lean
notes_on "'runcast slowdown calibrate --measure memory --platform lean' measures it"

begin 'cores from the calibration of this machine'
misused "$RUNCAST" slowdown local --competitor 1 --host "$(hostname)"
complains '--host has no effect'
complains "hint: 'runcast slowdown calibrate' measures this machine"
calibration "$(host "$(hostname)" 2)"
keep "$(hostname)"
local_of --competitor 1,count=2
is "$(json "j['cores'], j['cores_from'], j['paper']")" "(2, 'calibrated', 1.5)"
notes_on "2 cores assumed, from the calibration of '$(hostname)'"
no_note_on 'unknown number of cores'
predict_of --competitor 1,count=2
is "$(json "j['local']['cores'], j['local']['cores_from']")" "(2, 'calibrated')"
notes_on '2 cores assumed'
local_of --competitor 1,memory-bound=1 --host "$(hostname)" --memory-bound 0.5
is "$(json "j['cores'], j['paper']")" '(2, 1.25)'
local_of --competitor 1,count=2 --cores 1
is "$(json "j['cores'], j['cores_from'], j['paper']")" "(1, 'given', 3)"
no_note_on 'cores assumed'

begin '--delay describes another machine, unless --host names this one'
local_of --competitor 1,count=2 --delay 0.25
is "$(json "j['cores'], j['cores_from']")" "(1, 'assumed')"
local_of --competitor 0.5:0.5,count=2 --delay 0.25 --host "$(hostname)"
is "$(json "j['cores'], j['cores_from']")" "(2, 'calibrated')"
misused "$RUNCAST" slowdown local --competitor 0.5:0.5 --delay calibration.json --host "$(hostname)"
complains '--bandwidth is missing'
misused "$RUNCAST" slowdown local --competitor 1 --host nowhere
complains "--host has no effect: no host 'nowhere' in a calibration of '$(hostname)'"
complains 'hint: --platform selects another'

begin 'the host with that name, or the only host of a platform'
calibration "$(host a 4)"
keep one
local_of --competitor 1,count=4 --platform one
is "$(json "j['cores'], j['paper']")" '(4, 1.25)'
calibration "$(host a 4), $(host b 2)"
keep two
local_of --competitor 1,count=2 --platform two
is "$(json "j['cores_from']")" assumed
local_of --competitor 1,count=2 --platform two --host b
is "$(json "j['cores']")" 2
fails "$RUNCAST" slowdown local --competitor 1 --platform two --host c
complains "no host 'c' in the calibration of 'two'"

begin 'notes on unreliable calibrations'
doubts() { calibration "$(host a 4)" ", \"quick\": [$1], \"lacking\": [$2]"; keep "${3:-bad}"; }
doubts '"weights", "delay"' ''
rests_on() { local_of --competitor 0.5:0.5 --bandwidth 1MB/s --platform bad; }
rests_on
notes_on "the calibration of 'bad' is unreliable: delay measured with --quick"
notes_on "('runcast slowdown calibrate --measure delay --platform bad --hosts ...' measures them again)"
local_of --competitor 1 --platform bad # without the unreliable parts
no_note_on quick
ok "$RUNCAST" slowdown predict --dedicated 10s --competitor 0.5:0.5 --bandwidth 1MB/s --platform bad --samples 10
complains 'delay measured with --quick'
local_of --competitor 0.5:0.5 --bandwidth 1MB/s --delay calibration.json
notes_on 'the calibration in the file is unreliable: delay measured with --quick'
printf 'hosts: [{name: a}]\nbandwidth: 1MB/s\ncompetitors: [{shares: "0.5:0.5"}]\n' > hosts.yaml
aggregate_of --platform bad
notes_on "weights,delay measured with --quick"
ok "$RUNCAST" slowdown show --platform bad
complains "note: the calibration of 'bad' is unreliable: weights,delay measured with --quick"
ok "$RUNCAST" slowdown show --platform bad --json
is "$(json "j['quick'], j['missing'], len(j['notes'])")" "(['weights', 'delay'], [], 1)"
doubts '' '"delay", "memory"'
rests_on
notes_on "the calibration of 'bad' was interrupted: delay incomplete or outdated"
local_of --competitor 1,memory-bound=1 --memory-bound 0.5 --platform bad
notes_on 'memory incomplete'
calibration "$(host a 4 | sed 's/"weight"/"spread": 0.46, &/'), $(host b 4)"
keep bad
rests_on
notes_on "the calibration of 'bad' is unreliable: 'a' may have been busy"
ok "$RUNCAST" slowdown show --platform bad
complains "'a' may have been busy"
calibration "$(host a 4 | sed 's/"weight"/"spread": 0.06, &/')"
keep bad
rests_on
no_note_on busy
calibration "$(host a 4)" ', "quick": ["bursts"]'
sed -i 's/"links": \[\]/"links": [{"from": "a", "to": "a", "bursts": [{"messages": 1, "bytes": 100, "rate": 1e6}]}]/' \
    calibration.json
keep bad
ok "$RUNCAST" slowdown comm --platform bad --link a:a --burst 1x100 --current-rate 1MB/s --json
notes_on 'bursts measured with --quick'

# ---- settings without effect, and invalid ones ----

begin 'a hint on the model that has weights'
fails "$RUNCAST" slowdown local --competitor 1,weight=3 --model paper --cores 1
complains 'hint: use --model queue'
ok "$RUNCAST" slowdown local --competitor 1,weight=3 --model queue --cores 1
for model in paper queue; do
    fails "$RUNCAST" slowdown local --competitor 1,weight=3 --model $model --cores 2
    complains 'hint: omit --model'
done
ok "$RUNCAST" slowdown local --competitor 1,weight=3 --cores 2

begin 'reversed ranges'
misused "$RUNCAST" slowdown local --competitor 0.5..0.2
complains "--competitor '0.5..0.2': computing: reversed range '0.5..0.2'; write 0.2..0.5"
misused "$RUNCAST" slowdown predict --dedicated 10s --competitor 0.1:50%..0.2
complains "communicating: reversed range '50%..0.2'; write 0.2..50%"
misused "$RUNCAST" slowdown local --competitor 1.5..0.2
complains "'1.5..0.2' is not a share between 0 and 1"

begin 'notes on cycles without effect'
vain="cycle= of 2 competitors has no effect: "
local_of --competitor 0.5,cycle=3s,count=2 --cores 1
notes_on "${vain}the slowdown is that of a long run ('runcast slowdown predict' without --model models cycles)"
local_of --competitor 0.5 --cores 1
no_note_on cycle=
printf 'hosts: [{name: a}, {name: b}]\ncompetitors: [{shares: "0.5,cycle=3s"}]\n' > hosts.yaml
aggregate_of
notes_on "${vain}the slowdown is that of a long run"
predict_of --competitor 0.5,cycle=3s,count=2 --cores 1
no_note_on cycle=
predict_of --competitor 1,cycle=3s --competitor 0:1,cycle=3s --competitor 0.5,cycle=3s --cores 1
notes_on "${vain}without changes of activity there are no phases"
printf 'hosts: [{name: a}, {name: b}]\ncompetitors: [{shares: "1,cycle=3s"}]\n' > hosts.yaml
ok "$RUNCAST" slowdown predict --dedicated 10s --samples 10 --hosts-file hosts.yaml --policy load --json
notes_on "${vain}without changes of activity there are no phases"
echo '{"competitors": [{"pid": 7, "competitor": "0.5,cycle=3s"}]}' > seen.json
local_of --observed seen.json --cores 1 # the user did not write it
no_note_on cycle=

# ---- JSON ----

begin 'slowdowns are alike in JSON'
is_value() { is "$(json "j['slowdown']['kind'], round(j['slowdown']['mean'], 3), 'value' in j")" "('$1', $2, False)" "$last"; }
local_of --competitor 0.5 --cores 1
is_value point 1.5
local_of --competitor 0.2..0.6 --cores 1
is_value interval 1.4
local_of --competitor 0.2..0.6,count=2 --model queue --cores 1
is "$(json "j['slowdown']['mean'] == j['queue'], j['slowdown']['low'] < j['slowdown']['mean'] < j['slowdown']['high']")" \
    '(True, True)'
ok "$RUNCAST" slowdown comm --idle-rate 2MB/s --current-rate 1MB/s --json
is_value point 2
printf 'hosts: [{name: a}, {name: b}]\ncompetitors: [{shares: "1", hosts: [b]}]\n' > hosts.yaml
aggregate_of
is_value point 1.333
predict_of --competitor 1 --cores 1
is_value sample 2

begin 'unknown values of a competitor are null in JSON'
local_of --competitor 0.5 --cores 1
is "$(json "[j['competitors'][0][key] for key in ('cycle_s', 'stay_s', 'away_s')]")" '[None, None, None]'
local_of --competitor 0.5,cycle=3s,stay=5s,away=1s --cores 1
is "$(json "[j['competitors'][0][key] for key in ('cycle_s', 'stay_s', 'away_s')]")" '[3, 5, 1]'
predict_of --competitor 0.5 --cores 1
is "$(json "j['local']['competitors'][0]['cycle_s'], j['uncertainty']['longest_cycle_s']")" '(None, None)'

finish
