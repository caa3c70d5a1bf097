#!/bin/bash
# 'runcast slowdown observe': competitors, observed.
. "$SOURCE_ROOT/tests/cli/harness.sh"
prefer_this_test

# The receiver is on this host, by a launcher that omits the host's name.
printf '#!/bin/sh\nshift\nexec "$@"\n' > here
chmod +x here
far=(--launcher ./here --runcast-path "$RUNCAST")

begin 'help, and what is wrong'
ok "$RUNCAST" slowdown observe --help
prints '--duration TIME'
prints '--exclude NAMES'
misused "$RUNCAST" slowdown observe --duration 0
complains '--duration: must be greater than 0'
misused "$RUNCAST" slowdown observe --duration soon
misused "$RUNCAST" slowdown observe --interval 0.1ms
complains '--interval: must be from 1ms to 1s'
misused "$RUNCAST" slowdown observe --byte-cost 2s
complains '--byte-cost: must be from 0 to 1s'
misused "$RUNCAST" slowdown observe --scope world
misused "$RUNCAST" slowdown observe somebody

begin 'a computing process, by PID or name, and its exclusion'
bash -c 'exec -a spinner bash -c "while :; do :; done"' &
spinner=$!
ok "$RUNCAST" slowdown observe --duration 1 --only $spinner --json
is "$(json "[c['pid'] for c in j['competitors']]")" "[$spinner]" "$(cat out)"
is "$(json "all(c['compute_fraction'] > 0.9 and c['communicate_fraction'] < 0.05 and c['count'] == 1 for c in j['competitors'])")" True
is "$(json "j['excluded'] > 0 and not j['interrupted'] and j['scope'] in ('machine', 'group')")" True
cores=$(python3 -c 'import os; print(len(os.sched_getaffinity(0)))')
is "$(json "j['cores']")" "$cores"
ok "$RUNCAST" slowdown observe --duration 0.3 --only $spinner
prints "$spinner  bash"
grep -qE "^  --competitor .* --cores $cores\$" out || fault "no --cores $cores: $(cat out)"
prints '--competitor '
ok "$RUNCAST" slowdown observe --duration 0.3 --exclude "nobody,$spinner" --json
is "$(json "$spinner in [c['pid'] for c in j['competitors']]")" False
is "$(json "j['excluded'], [n for n in j['notes'] if '--' in n]")" \
    "(1, ['--exclude: no process matches nobody'])"
ok "$RUNCAST" slowdown observe --duration 0.1 --exclude nosuch
complains 'note: --exclude: no process matches nosuch'
ok "$RUNCAST" slowdown observe --duration 0.1 --json
is "$(json "j['excluded'], [n for n in j['notes'] if '--' in n]")" '(0, [])'
ok "$RUNCAST" slowdown observe --duration 0.1 --only no-such-program
prints 'no active processes'
complains 'note: --only: no process matches no-such-program'
ok "$RUNCAST" slowdown observe --duration 0.1 --only no-such-program --json
is "$(json "j['notes']")" "['--only: no process matches no-such-program']"
misused "$RUNCAST" slowdown observe --only ,,
complains '--only: empty list'
misused "$RUNCAST" slowdown observe --exclude ,
complains '--exclude: empty list'

begin 'a nice process has a weight'
renice -n 5 $spinner > /dev/null
ok "$RUNCAST" slowdown observe --duration 0.3 --only $spinner --json
# If each session is a group, nice values count within it.
if [ "$(cat /proc/sys/kernel/sched_autogroup_enabled 2> /dev/null)" = 1 ]; then
    is "$(json "[0 < c['cpu_weight'] <= 1 for c in j['competitors']]")" '[True]'
else
    is "$(json "[round(c['cpu_weight'], 2) for c in j['competitors']]")" '[0.33]'
fi
kill $spinner
wait $spinner 2> /dev/null

# interrupt SIGNAL SECONDS COMMAND...: sends it the signal after that time; its exit status is in $status.
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

begin 'Ctrl-C is a normal end'
interrupt SIGINT 1 "$RUNCAST" slowdown observe --duration 1000 --json
want_status 0
is "$(json "j['interrupted'] and j['duration_s'] < 900")" True "$(cat out err)"
interrupt SIGINT 1 "$RUNCAST" slowdown observe --duration 1000
want_status 0
prints '(interrupted)'
interrupt SIGTERM 1 "$RUNCAST" slowdown observe --duration 1000 --json
want_status 241 # by the signal
is "$(json "j['interrupted']")" True "$(cat out err)"

begin 'notes on too few samples'
ok "$RUNCAST" slowdown observe --duration 0.1
complains 'too few for reliable shares; at least 50 samples and'
ok "$RUNCAST" slowdown observe --duration 0.1 --json
is "$(json "j['too_few_samples'], j['sample_count'] > 0, sum('too few' in n for n in j['notes'])")" '(True, True, 1)'
ok "$RUNCAST" slowdown observe --duration 2 --interval 500ms --json # only 4 samples
is "$(json "j['too_few_samples'], j['sample_count'] < 10, sum('too few' in n for n in j['notes'])")" '(True, True, 1)'
ok "$RUNCAST" slowdown observe --duration 3 --json # a slow observer may take fewer samples
is "$(json "j['too_few_samples'] == (j['sample_count'] < 50), sum('too few' in n for n in j['notes']) == j['too_few_samples']")" \
    '(True, True)'

# begun PID: `processes` of a load, with those of its receiver, once they communicate.
begun() {
    local tries=40
    while [ $((tries -= 1)) -gt 0 ]; do
        processes=$(pgrep -P "$1" | paste -s -d ,)
        processes+=$(pgrep -P "${processes:-$1}" | sed 's/^/,/' | tr -d '\n')
        "$RUNCAST" slowdown observe --duration 0.2 --only "${processes:-none}" --json > out 2> err
        [ "$(json "sum(c['communicate_fraction'] > 0 for c in j['competitors'])")" -lt 2 ] || return 0
    done
}

# mix COMPUTE COMMUNICATE ARGUMENTS...: observe and a load of those shares report the same, unless the
# load or its receiver had to wait for a core, or did not reach its shares.
mix() {
    local compute=$1 communicate=$2
    shift 2
    "${undisturbed[@]}" "$RUNCAST" load mix --compute "$compute" --communicate "$communicate" --connect 127.0.0.1 --duration 60s --json \
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
# The process with the most computing is the mix, the other one its receiver.
found = [c for c in json.load(open("out"))["competitors"] if c["command"] == "runcast" and c["communicate_fraction"]]
found.sort(key=lambda c: -c["compute_fraction"])
if not found:
    print("not seen")
elif max(c["waited_fraction"] for c in found) > 0.05:
    print("busy: waited", [c["waited_fraction"] for c in found])
elif max(abs(mix[k + "_fraction"] - report["requested_" + k + "_fraction"]) for k in ("compute", "communicate")) > 0.05:
    print("busy: it could not do what it was to do", mix)
elif all(abs(found[0][k + '_fraction'] - mix[k + '_fraction']) <= 0.1 for k in ("compute", "communicate")):
    print("close")
else:
    print("not close", found, mix)
END
}

begin 'observed shares are those of a load'
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

begin 'the text for --competitor'
ok "$RUNCAST" slowdown observe --duration 0.5 --json
is "$(json "all(abs(float(c['competitor'].split(':')[0]) - c['compute_fraction']) < 0.0011 for c in j['competitors'])")" True "$(cat out)"

begin 'every field of the JSON is described'
ok "$RUNCAST" slowdown observe --duration 0.5 --json
is "$(json "[k for k in [*j, *(k for c in j['competitors'] for k in c)]
    if '\`%s\`' % k not in open('$SOURCE_ROOT/docs/reference/slowdown-files.md').read().split('### slowdown observe')[1].split('\n## ')[0].split('\n### ')[0]]")" '[]'

finish
