#!/bin/bash
# What answers of 'runcast slowdown' tell of themselves: how many cores were taken and why, what is
# to be known of the calibration that they rest on, and what has no effect.
# shellcheck source=harness.sh
. "$(dirname "$0")/harness.sh"
examples=$SOURCE_ROOT/examples/slowdown

# tells TEXT: one of the notes in the JSON of out has it; keeps_quiet TEXT: none has.
notes() { json '"\n".join(j["notes"])'; }
tells() { notes | grep -qF -- "$1" || fault "$last: no '$1' in: $(notes)"; }
keeps_quiet() { ! notes | grep -qF -- "$1" || fault "$last: '$1' in: $(notes)"; }

local_of() { ok "$RUNCAST" slowdown local --json "$@"; }
predict_of() { ok "$RUNCAST" slowdown predict -d 10s --draws 10 --json "$@"; }
aggregate_of() { ok "$RUNCAST" slowdown aggregate --policy load --nodes nodes.yaml --json "$@"; }

# ---- cores ----

begin 'that one core was taken is told by all who take it'
ok "$RUNCAST" slowdown local -c 0.5
prints 'note: it is not known how many cores the host has: one is taken (--cores'
is "$(wc -l < out)" 2 'lines'
local_of -c 0.5
tells 'not known how many cores'
is "$(json "j['cores'], j['cores_from']")" "(1, 'assumed')"
predict_of -c 0.5
tells 'not known how many cores'
is "$(json "j['local']['cores'], j['local']['cores_from']")" "(1, 'assumed')"
ok "$RUNCAST" slowdown aggregate --policy constraint --nodes "$examples/figure12.yaml"
prints 'note: of 3 nodes it is not known how many cores there are: one is taken'
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

finish
