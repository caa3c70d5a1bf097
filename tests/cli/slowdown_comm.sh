#!/bin/bash
# 'runcast slowdown comm' and 'slowdown burst': notes on rates, and options without effect.
. "$(dirname "$0")/harness.sh"

# Bursts of 1000 messages of 10000 bytes took too long, and are missing.
cat > calibration.json << 'END'
{"calibration": 1, "made": 1.7e9,
 "hosts": [{"name": "a", "cores": 1, "seconds": null, "weight": null, "memory": []},
           {"name": "b", "cores": 1, "seconds": null, "weight": null, "memory": []}],
 "links": [{"from": "a", "to": "b", "bursts": [
     {"messages": 100, "bytes": 1000, "rate": 1e7}, {"messages": 100, "bytes": 10000, "rate": 2e7},
     {"messages": 1000, "bytes": 1000, "rate": 1e7}]}],
 "delay_from": "", "delay_to": "", "points": [], "delay": {"constant": 0, "curves": []},
 "byte_seconds": null}
END
"$MAKE_CALIBRATION" "$RUNCAST_DB" farm calibration.json || exit 1
comm=("$RUNCAST" slowdown comm)
link=(--platform farm --link 'a:b' --current-rate 5MB/s)

begin 'notes on the measured bursts of an idle rate'
ok "${comm[@]}" "${link[@]}" --burst 300x3000
complains 'note: some bursts around 300x3000 were not measured'
ok "${comm[@]}" "${link[@]}" --burst 300x3000 --json
is "$(json "[n.split(' were')[0] for n in j['notes']]")" "['some bursts around 300x3000']"
ok "${comm[@]}" "${link[@]}" --burst 5000x10 --json
is "$(json "[n.split(' on this')[0] for n in j['notes']]")" "['no measured burst near 5000x10']"
ok "${comm[@]}" "${link[@]}" --burst 100x3000 --json # between two that were measured
is "$(json "j['notes']")" '[]'
ok "${comm[@]}" "${link[@]}" --burst 1000x1000 --json # measured itself
is "$(json "j['notes'], j['slowdown']['mean']")" '([], 2)'
ok "${comm[@]}" --idle-rate 1MB/s --current-rate 2MB/s
complains 'note: the current rate is above the idle rate'
ok "${comm[@]}" --idle-rate 1MB/s --current-rate 2MB/s --json
is "$(json "len(j['notes'])")" 1

# undescribed VERB KEYS: keys of its JSON that are not in its section of the reference.
undescribed() {
    json "[k for k in $2 if '\`%s\`' % k not in
        open('$SOURCE_ROOT/docs/reference/slowdown-files.md').read().split('### slowdown $1')[1].split('\n## ')[0]]"
}

begin 'every field of the JSON is described'
ok "${comm[@]}" "${link[@]}" --burst 300x3000 --explain --json
is "$(undescribed comm '[*j, "numerator", "denominator"]')" '[]'
ok "$RUNCAST" slowdown allocate "$SOURCE_ROOT/examples/slowdown/tasks.yaml" --json
is "$(undescribed allocate '[*j, *j["tasks"][0]]')" '[]'

begin 'options without effect are refused'
misused "${comm[@]}" --idle-rate 2MB/s --current-rate 1MB/s --burst 10x100
complains '--burst has no effect with --idle-rate'
misused "${comm[@]}" --idle-rate 2MB/s --current-rate 1MB/s --link a:b
complains '--link has no effect with --idle-rate'
misused "${comm[@]}" --idle-rate 2MB/s --current-rate 1MB/s --db other.db
complains '--db has no effect with --idle-rate'
misused "${comm[@]}" --idle-rate 2MB/s --current-rate 1MB/s --platform farm
complains 'use either --idle-rate or --platform'
misused "${comm[@]}" --idle-rate 2MB/s --current-rate 1MB/s --word-bytes 8
complains '--word-bytes has no effect: no value is in words'
misused "${comm[@]}" "${link[@]}" --burst 100x1000 --word-bytes 8
complains '--word-bytes has no effect: no value is in words'
misused "${comm[@]}" --idle-rate 2Mw/s --current-rate 1MB/s --word-bytes 0
complains '--word-bytes: must be greater than 0'
misused "$RUNCAST" slowdown burst --connect localhost --launcher ./here --burst 10x100 --word-bytes 8
complains '--word-bytes has no effect: no --burst is in words'
misused "$RUNCAST" slowdown burst --connect localhost --launcher ./here --receiver-key 0123456789abcdef
complains '--receiver-key: with --launcher, the receiver chooses the key'
misused "$RUNCAST" slowdown burst --connect localhost:5001 --receiver-key 0123456789abcdef --runcast-path ./runcast
complains '--runcast-path needs --launcher'

begin 'notes on rates without a unit'
ok "${comm[@]}" --idle-rate 200 --current-rate 800bit/s --explain
prints 'Eq. 3: idle rate / current rate: 1.6 kbit/s / 800 bit/s = 2'
complains 'note: --idle-rate 200 has no unit: bytes/s is assumed'
ok "${comm[@]}" --idle-rate 200B/s --current-rate 1e2 --json
is "$(json "j['slowdown']['mean'], [n.split(' (')[0] for n in j['notes']]")" \
    "(2, ['--current-rate 1e2 has no unit: bytes/s is assumed'])"
ok "$RUNCAST" slowdown local --competitor 0.5:0.5 --delay alpha-farm --bandwidth 1000000 --explain
prints 'available bandwidth: 8 Mbit/s'
complains 'note: --bandwidth 1000000 has no unit: bytes/s is assumed'
ok "$RUNCAST" slowdown predict --dedicated 10s --competitor 1 --cores 2 --samples 10 --communicating 0.5 --idle-rate 2MB/s --current-rate 1000000 --json
is "$(json "[n.split(' (')[0] for n in j['notes']]")" "['--current-rate 1000000 has no unit: bytes/s is assumed']"
printf 'hosts: [{name: a}]\ndelay: alpha-farm\nbandwidth: 1000000\ncompetitors: [{shares: "0.5:0.5"}]\n' > hosts.yaml
ok "$RUNCAST" slowdown aggregate --policy load --hosts-file hosts.yaml
complains "note: 'bandwidth' 1e+06 in the file has no unit: bytes/s is assumed"
ok "$RUNCAST" slowdown local --help
grep -qE 'number in bytes/s' out || fault "$(cat out)"

begin 'hints on hosts that a calibration does not have'
fails "${comm[@]}" --platform farm --link a:zz --burst 100x1000 --current-rate 5MB/s
complains "--link: no host 'zz' in the calibration"
complains "hint: the calibration has 'a', 'b'; 'runcast slowdown calibrate --platform farm --hosts a,zz --measure bursts' adds"
fails "${comm[@]}" --platform farm --link b:b --burst 100x1000 --current-rate 5MB/s
complains "'runcast slowdown calibrate --platform farm --hosts b --loopback --measure bursts' adds"
fails "$RUNCAST" slowdown local --competitor 1 --platform farm --host unheard-of
complains "hint: the calibration has 'a', 'b'; 'runcast slowdown calibrate --platform farm --hosts unheard-of --measure"
printf 'hosts: [{name: a, weight: 2}, {name: zz}]\n' > hosts.yaml
fails "$RUNCAST" slowdown aggregate --policy load --hosts-file hosts.yaml --platform farm
complains "unknown weight of host 'zz'"
complains "hint: the calibration has 'a', 'b'; 'runcast slowdown calibrate --platform farm --hosts zz --measure weights' adds"
python3 -c 'print("hosts: [{name: a, weight: 1}" + "".join(f", {{name: a-rather-long-name-{i}}}" for i in range(9)) + "]")' > hosts.yaml
fails "$RUNCAST" slowdown aggregate --policy load --hosts-file hosts.yaml --platform farm
complains '--hosts HOSTS --measure weights' # no command with a truncated name

begin 'invalid bursts'
for option in 'calibrate --hosts a,b --bursts' 'burst --connect localhost:1 --receiver-key 0123456789abcdef --burst'; do
    # shellcheck disable=SC2086 # words
    misused "$RUNCAST" slowdown $option 0x100
    complains "${option##* }: '0x100': number of messages must be whole"
    # shellcheck disable=SC2086
    misused "$RUNCAST" slowdown $option 10x8
    complains "${option##* }: '10x8': a message needs from 16 bytes"
    # shellcheck disable=SC2086
    misused "$RUNCAST" slowdown $option 10
    complains "${option##* }: invalid burst '10'"
    complains 'hint: write messages x size'
done

begin 'sizes of words'
ok "${comm[@]}" --idle-rate 2Mw/s --current-rate 4MB/s --json
is "$(json "j['slowdown']['mean']")" 2
ok "${comm[@]}" --idle-rate 2Mw/s --current-rate 4MB/s --word-bytes 8 --json
is "$(json "j['slowdown']['mean']")" 4
ok "${comm[@]}" --idle-rate 8MB/s --current-rate 1Mw/s --word-bytes 8 --json
is "$(json "j['slowdown']['mean']")" 1
ok "${comm[@]}" "${link[@]}" --burst 100x125w --word-bytes 8 --json
is "$(json "j['message_bytes'], j['notes']")" '(1000, [])'

finish
