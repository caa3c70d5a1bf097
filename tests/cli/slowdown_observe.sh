#!/bin/bash
# 'runcast slowdown observe': competitors, observed.
. "$SOURCE_ROOT/tests/cli/harness.sh"
prefer_this_test

# The far end is this host, by a launcher that leaves the host's name away.
printf '#!/bin/sh\nshift\nexec "$@"\n' > here
chmod +x here
far=(--launcher ./here --program "$RUNCAST")

begin 'help, and what is wrong'
ok "$RUNCAST" slowdown observe --help
prints '--duration TIME'
prints '--exclude NAME|PID,...'
misused "$RUNCAST" slowdown observe --duration 0
complains '--duration must be greater than 0'
misused "$RUNCAST" slowdown observe --duration soon
misused "$RUNCAST" slowdown observe --interval 0.1ms
complains '--interval is from 1ms to 1s'
misused "$RUNCAST" slowdown observe --byte-cost 2s
complains '--byte-cost is from 0 to 1s'
misused "$RUNCAST" slowdown observe --scope world
misused "$RUNCAST" slowdown observe somebody

begin 'a process that computes is told, by its number or name, and left out when asked'
bash --competitor 'exec -a spinner bash --competitor "while :; do :; done"' &
spinner=$!
ok "$RUNCAST" slowdown observe --duration 1 --only $spinner --json
is "$(json "[c['pid'] for c in j['competitors']]")" "[$spinner]" "$(cat out)"
is "$(json "all(c['compute'] > 0.9 and c['communicate'] < 0.05 and c['count'] == 1 for c in j['competitors'])")" True
is "$(json "j['left_out_asked'] > 0 and not j['interrupted'] and j['scope'] in ('machine', 'group')")" True
cores=$(python3 -c 'import os; print(len(os.sched_getaffinity(0)))')
is "$(json "j['cores']")" "$cores"
ok "$RUNCAST" slowdown observe --duration 0.3 --only $spinner
prints "$spinner  bash"
grep -qE "^  --competitor .* --cores $cores\$" out || fault "no --cores $cores: $(cat out)"
prints '--competitor '
ok "$RUNCAST" slowdown observe --duration 0.3 --exclude "nobody,$spinner" --json
is "$(json "$spinner in [c['pid'] for c in j['competitors']]")" False
is "$(json "j['left_out_asked'], [n for n in j['notes'] if '--' in n]")" \
    "(1, ['no process has a name or number of --except: nobody'])"
ok "$RUNCAST" slowdown observe --duration 0.1 --exclude nosuch
complains 'note: no process has a name or number of --except: nosuch'
ok "$RUNCAST" slowdown observe --duration 0.1 --json
is "$(json "j['left_out_asked'], [n for n in j['notes'] if '--' in n]")" '(0, [])'
ok "$RUNCAST" slowdown observe --duration 0.1 --only no-such-program
prints 'no process does anything worth telling'
complains 'note: no process has a name or number of --only: no-such-program'
ok "$RUNCAST" slowdown observe --duration 0.1 --only no-such-program --json
is "$(json "j['notes']")" "['no process has a name or number of --only: no-such-program']"
misused "$RUNCAST" slowdown observe --only ,,
complains '--only: it names nobody'
misused "$RUNCAST" slowdown observe --exclude ,
complains '--except: it names nobody'

begin 'a nice process has a weight'
renice -n 5 $spinner > /dev/null
ok "$RUNCAST" slowdown observe --duration 0.3 --only $spinner --json
# Where each session is a group of its own, nice values count within it.
if [ "$(cat /proc/sys/kernel/sched_autogroup_enabled 2> /dev/null)" = 1 ]; then
    is "$(json "[0 < c['weight'] <= 1 for c in j['competitors']]")" '[True]'
else
    is "$(json "[round(c['weight'], 2) for c in j['competitors']]")" '[0.33]'
fi
kill $spinner
wait $spinner 2> /dev/null

# interrupt SIGNAL SECONDS COMMAND...: sends it the signal after so long, and keeps its exit status.
interrupt() {
    python3 - "$@" > out 2> err << 'END'
import signal, subprocess, sys, time
child = subprocess.Popen(sys.argv[3:], preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
time.sleep(float(sys.argv[2]))
child.send_signal(signal.Signals[sys.argv[1]])
sys.exit(child.wait(timeout=60) % 256)
END
    # shellcheck disable=SC2034 # the harness shows them
    status=$? last="$*"
}

begin 'Ctrl-C answers with what was seen, as an end like any other'
interrupt SIGINT 1 "$RUNCAST" slowdown observe --duration 1000 --json
want_status 0
is "$(json "j['interrupted'] and j['seconds'] < 900")" True "$(cat out err)"
interrupt SIGINT 1 "$RUNCAST" slowdown observe --duration 1000
want_status 0
prints '(interrupted)'
interrupt SIGTERM 1 "$RUNCAST" slowdown observe --duration 1000 --json
want_status 241 # by the signal
is "$(json "j['interrupted']")" True "$(cat out err)"

begin 'what was seen for too short a time is told'
ok "$RUNCAST" slowdown observe --duration 0.1
complains 'too short to trust these shares; it takes 50 looks and'
ok "$RUNCAST" slowdown observe --duration 0.1 --json
is "$(json "j['too_short'], j['looks'] > 0, sum('too short' in n for n in j['notes'])")" '(True, True, 1)'
ok "$RUNCAST" slowdown observe --duration 2 --interval 500ms --json # but 4 looks
is "$(json "j['too_short'], j['looks'] < 10, sum('too short' in n for n in j['notes'])")" '(True, True, 1)'
ok "$RUNCAST" slowdown observe --duration 3 --json # a slow observer may look less often than it should
is "$(json "j['too_short'] == (j['looks'] < 50), sum('too short' in n for n in j['notes']) == j['too_short']")" \
    '(True, True)'

# begun PID: `processes` of a load, those of its far end among them, once they communicate.
begun() {
    local tries=40
    while [ $((tries -= 1)) -gt 0 ]; do
        processes=$(pgrep -P "$1" | paste -s -d ,)
        processes+=$(pgrep -P "${processes:-$1}" | sed 's/^/,/' | tr -d '\n')
        "$RUNCAST" slowdown observe --duration 0.2 --only "${processes:-none}" --json > out 2> err
        [ "$(json "sum(c['communicate'] > 0 for c in j['competitors'])")" -lt 2 ] || return 0
    done
}

# mix COMPUTE COMMUNICATE ARGUMENTS...: what observe says of a program that does so is what that says
# of itself, unless it or its far end had to wait for a core, or it did not get what it asked for.
mix() {
    local compute=$1 communicate=$2
    shift 2
    "${undisturbed[@]}" "$RUNCAST" load mix --compute "$compute" --communicate "$communicate" --to 127.0.0.1 --for 60s --json \
        "$@" "${far[@]}" > mix.json 2> mix.err &
    local load=$!
    begun $load
    ok "$RUNCAST" slowdown observe --duration 2 --only "$processes" --json
    kill -TERM $load # it reports all the same
    wait $load 2> /dev/null
    python3 - > verdict << 'END'
import json
report = json.load(open("mix.json"))
mix = report["processes"][0]
# The process with the most computing is the mix, the other one its far end.
found = [c for c in json.load(open("out"))["competitors"] if c["command"] == "runcast" and c["communicate"]]
found.sort(key=lambda c: -c["compute"])
if not found:
    print("not seen")
elif max(c["waited"] for c in found) > 0.05:
    print("busy: waited", [c["waited"] for c in found])
elif max(abs(mix[k] - report["asked_" + k]) for k in ("compute", "communicate")) > 0.05:
    print("busy: it could not do what it was to do", mix)
elif all(abs(found[0][k] - mix[k]) <= 0.1 for k in ("compute", "communicate")):
    print("close")
else:
    print("not close", found, mix)
END
}

begin 'a program is seen to do what it says it does'
cases=('0.3 0.5 --cycle 0.2s')
# A sanitized observer is several times slower than cycles of 10 ms.
[ "$SANITIZED" = 1 ] || cases+=('0.3 0.4 --cycle 0.01s --direction both')
for parts in "${cases[@]}"; do
    # shellcheck disable=SC2086 # words
    mix $parts
    case $(cat verdict) in
        close) ;;
        busy*) [ -n "$test_faults" ] || skip 'needs idle cores' ;;
        *) fault "$parts: $(cat verdict)" ;;
    esac
done

begin 'what it prints is what others take'
ok "$RUNCAST" slowdown observe --duration 0.5 --json
is "$(json "all(abs(float(c['competitor'].split(':')[0]) - c['compute']) < 0.0011 for c in j['competitors'])")" True "$(cat out)"

begin 'every field of the JSON is described'
ok "$RUNCAST" slowdown observe --duration 0.5 --json
is "$(json "[k for k in [*j, *(k for c in j['competitors'] for k in c)]
    if '| \`%s\`' % k not in open('$SOURCE_ROOT/docs/slowdown-observe.md').read().replace('\`, \`', '\` | \`')]")" '[]'

finish
