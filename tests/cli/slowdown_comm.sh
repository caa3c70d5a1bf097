#!/bin/bash
# 'runcast slowdown comm' and 'slowdown burst': what a rate rests on is told, and options that nothing
# would come of are refused.
. "$(dirname "$0")/harness.sh"

# 1000 messages of 10000 bytes took too long, and were left out.
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
link=(--platform farm --link 'a,b' --now 5MB/s)

begin 'what an idle rate rests on is told, to people and programs alike'
ok "${comm[@]}" "${link[@]}" --burst 300x3000
complains 'note: not all bursts around 300x3000 were measured'
ok "${comm[@]}" "${link[@]}" --burst 300x3000 --json
is "$(json "[n.split(' were')[0] for n in j['notes']]")" "['not all bursts around 300x3000']"
ok "${comm[@]}" "${link[@]}" --burst 5000x10 --json
is "$(json "[n.split(' was')[0] for n in j['notes']]")" "['no burst near 5000x10']"
ok "${comm[@]}" "${link[@]}" --burst 100x3000 --json # between two that were measured
is "$(json "j['notes']")" '[]'
ok "${comm[@]}" "${link[@]}" --burst 1000x1000 --json # measured itself
is "$(json "j['notes'], j['slowdown']['mean']")" '([], 2)'
ok "${comm[@]}" --idle 1MB/s --now 2MB/s
complains 'note: the link does better now than when idle'
ok "${comm[@]}" --idle 1MB/s --now 2MB/s --json
is "$(json "len(j['notes'])")" 1

# undescribed VERB KEYS: those keys of its JSON that its section of docs/slowdown.md does not have.
undescribed() {
    json "[k for k in $2 if '\`%s\`' % k not in
        open('$SOURCE_ROOT/docs/slowdown.md').read().split('### JSON of \`slowdown $1\`')[1].split('\n## ')[0]]"
}

begin 'every field of the JSON is described'
ok "${comm[@]}" "${link[@]}" --burst 300x3000 --explain --json
is "$(undescribed comm '[*j, "above", "below"]')" '[]'
ok "$RUNCAST" slowdown allocate "$SOURCE_ROOT/examples/slowdown/tasks.yaml" --json
is "$(undescribed allocate '[*j, *j["tasks"][0]]')" '[]'

begin 'options that nothing would come of are refused'
misused "${comm[@]}" --idle 2MB/s --now 1MB/s --burst 10x100
complains '--burst is for rates that were calibrated'
misused "${comm[@]}" --idle 2MB/s --now 1MB/s --link a,b
complains '--link is for rates that were calibrated'
misused "${comm[@]}" --idle 2MB/s --now 1MB/s --db other.db
complains '--db is for rates that were calibrated'
misused "${comm[@]}" --idle 2MB/s --now 1MB/s --platform farm
complains '--idle and --platform say the same'
misused "${comm[@]}" --idle 2MB/s --now 1MB/s --word-bytes 8
complains '--word-bytes: nothing is given in words'
misused "${comm[@]}" "${link[@]}" --burst 100x1000 --word-bytes 8
complains '--word-bytes: nothing is given in words'
misused "${comm[@]}" --idle 2Mw/s --now 1MB/s --word-bytes 0
complains '--word-bytes: a word has more than 0 bytes'
misused "$RUNCAST" slowdown burst --to localhost --launcher ./here -b 10x100 --word-bytes 8
complains '--word-bytes: no --burst is given in words'
misused "$RUNCAST" slowdown burst --to localhost --launcher ./here --key 0123456789abcdef
complains '--key: with --launcher the receiver picks the key'
misused "$RUNCAST" slowdown burst --to localhost:5001 --key 0123456789abcdef --program ./runcast
complains '--program: it is for --launcher'

begin 'rates without a unit are bytes/s, and that is told'
ok "${comm[@]}" --idle 200 --now 800bit/s --explain
prints 'Eq. 3: 1.6 kbit/s when idle / 800 bit/s now = 2'
complains 'note: --idle has no unit: 200 bytes/s'
ok "${comm[@]}" --idle 200B/s --now 1e2 --json
is "$(json "j['slowdown']['mean'], [n.split(' (')[0] for n in j['notes']]")" \
    "(2, ['--now has no unit: 1e2 bytes/s'])"
ok "$RUNCAST" slowdown local -c 0.5:0.5 --delay alpha-farm --bandwidth 1000000 --explain
prints 'k = 8 Mbit/s'
complains 'note: --bandwidth has no unit: 1000000 bytes/s'
ok "$RUNCAST" slowdown predict -d 10s -c 1 --cores 2 --draws 10 --communicating 0.5 --idle 2MB/s --now 1000000 --json
is "$(json "[n.split(' (')[0] for n in j['notes']]")" "['--now has no unit: 1000000 bytes/s']"
printf 'nodes: [{name: a}]\ndelay: alpha-farm\nbandwidth: 1000000\ncompetitors: [{shares: "0.5:0.5"}]\n' > nodes.yaml
ok "$RUNCAST" slowdown aggregate --policy load --nodes nodes.yaml
complains "note: 'bandwidth' in the file has no unit: 1e+06 bytes/s"
ok "$RUNCAST" slowdown local --help
grep -qE 'bytes/s without a' out || fault "$(cat out)"

begin 'what a calibration lacks is told with what it has, and how to add it'
fails "${comm[@]}" --platform farm --link a,zz --burst 100x1000 --now 5MB/s
complains "--link: there is no host 'zz' in the calibration"
complains "hint: the calibration has 'a', 'b'; 'runcast slowdown calibrate --platform farm --hosts a,zz --only bursts' adds"
fails "${comm[@]}" --platform farm --link b,b --burst 100x1000 --now 5MB/s
complains "'runcast slowdown calibrate --platform farm --hosts b --loopback --only bursts' adds"
fails "$RUNCAST" slowdown local -c 1 --platform farm --host unheard-of
complains "hint: the calibration has 'a', 'b'; 'runcast slowdown calibrate --platform farm --hosts unheard-of --only"
printf 'nodes: [{name: a, weight: 2}, {name: zz}]\n' > nodes.yaml
fails "$RUNCAST" slowdown aggregate --policy load --nodes nodes.yaml --platform farm
complains "the weight of node 'zz' is not known"
complains "hint: the calibration has 'a', 'b'; 'runcast slowdown calibrate --platform farm --hosts zz --only weights' adds"
python3 -c 'print("nodes: [{name: a, weight: 1}" + "".join(f", {{name: a-rather-long-name-{i}}}" for i in range(9)) + "]")' > nodes.yaml
fails "$RUNCAST" slowdown aggregate --policy load --nodes nodes.yaml --platform farm
complains '--hosts HOSTS --only weights' # no command with half a name

begin 'a burst that is none is named once'
for option in 'calibrate --hosts a,b --bursts' 'burst --to localhost:1 --key 0123456789abcdef --burst'; do
    # shellcheck disable=SC2086 # words
    misused "$RUNCAST" slowdown $option 0x100
    complains "${option##* }: '0x100': a burst has a whole number of messages"
    # shellcheck disable=SC2086
    misused "$RUNCAST" slowdown $option 10x8
    complains "${option##* }: '10x8': a message has from 16 bytes"
    # shellcheck disable=SC2086
    misused "$RUNCAST" slowdown $option 10
    complains "${option##* }: '10' is no burst"
    complains 'hint: a burst is messages x bytes of each'
done

begin 'words have the bytes that are said'
ok "${comm[@]}" --idle 2Mw/s --now 4MB/s --json
is "$(json "j['slowdown']['mean']")" 2
ok "${comm[@]}" --idle 2Mw/s --now 4MB/s --word-bytes 8 --json
is "$(json "j['slowdown']['mean']")" 4
ok "${comm[@]}" --idle 8MB/s --now 1Mw/s --word-bytes 8 --json
is "$(json "j['slowdown']['mean']")" 1
ok "${comm[@]}" "${link[@]}" --burst 100x125w --word-bytes 8 --json
is "$(json "j['bytes'], j['notes']")" '(1000, [])'

finish
