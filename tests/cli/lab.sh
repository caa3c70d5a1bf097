#!/bin/bash
# Virtual nodes: properties, shares and rates, and removal without a trace.
# shellcheck disable=SC2016 # programs in nodes expand their own words
. "$(dirname "$0")/harness.sh"

# lab VERB...: with a time limit.  RUNCAST_TEST_LAB marks its processes.
lab() { RUNCAST_TEST_LAB=$base timeout -k 5 60 "$RUNCAST" lab "$@"; }

# Names of labs that no other run of this script has: letters for the number of this process.
base=q number=$$
while [ $number -gt 0 ]; do
    base+=$(printf "\\x$(printf %x $((97 + number % 26)))")
    number=$((number / 26))
done
one=${base}a other=${base}aa # one is the beginning of the other's name
jobs=()

remove_all() {
    [ ${#jobs[@]} -eq 0 ] || kill -9 "${jobs[@]}" 2> /dev/null
    for name in "$one" "$other"; do
        lab down --lab "$name" > /dev/null 2>&1
    done
}

if ! am_root; then
    begin 'virtual nodes need root'
    fails lab up --lab "$one"
    complains 'virtual nodes need root'
    begin 'virtual nodes'
    skip 'needs root'
    finish
    exit 0
fi
# Shares are such that two runs of this script fit on two cores.
run lab up --lab "$one" --nodes 4 --cpu-share 0.12
# shellcheck disable=SC2154 # run sets it
if [ "$status" -ne 0 ]; then
    begin 'virtual nodes'
    skip "needs virtual nodes: $(head -1 err)"
    finish
    exit 0
fi
trap 'remove_all; cd /; rm -rf "$WORK" "$WORK.bin"' EXIT

# left: what is left of the labs of this script.  What has ended and waits for its parent is not.
left() {
    find /sys/fs/cgroup -maxdepth 4 -type d -path "*/runcast-c*/$base*"
    find /run/runcast/lab -maxdepth 1 -name "$base*"
    grep -lsz "^RUNCAST_TEST_LAB=$base" /proc/[0-9]*/environ
    ip -o link | grep " $base"
}
# nothing_left [WHAT]
nothing_left() {
    local what patience=0
    # The last of its processes may take a moment to end.
    while what=$(left | head -5) && [ -n "$what" ] && [ $((++patience)) -lt 100 ]; do
        sleep 0.02
    done
    [ -z "$what" ] || fault "${1:-$last}: left: $what"
}
# state NAME EXPRESSION: from lab.json, in Python
state() { python3 -c "import json; j = json.load(open('/run/runcast/lab/$1/lab.json')); print($2)"; }
json_of() { lab status --lab "$1" --json > out && json "$2" 2> /dev/null; }
# awaited COMMAND...: until it is true, for at most ten seconds
awaited() {
    local patience=0
    until "$@" || [ $((++patience)) -ge 500 ]; do
        sleep 0.02
    done
    [ $patience -lt 500 ] || fault "waited in vain for: $*"
}
# busy NAME N: so many processes are in the first node of that lab
busy() { [ "$(json_of "$1" "j['labs'][0]['nodes'][0]['procs']")" = "$2" ]; }
gone() { ! kill -0 "$1" 2> /dev/null; }

# ---- one lab ----

begin 'up and status show a lab'
prints "lab '$one': up"
complains 'note: CPU shares are accurate for programs that compute for'
is "$(wc -l < err)" 1 notes
is "$(grep -c "^${one}[1-4]  *10\.213\.[0-9]*\.[1-4]  *[0-9]*  *0.12  *none  *0\$" out)" 4 nodes
ok lab status --lab "$one"
prints "lab '$one': up"
ok lab status
prints "lab '$one': up"
ok lab status --lab "$one" --json
is "$(json "[(n['name'], n['cpu_share'], n['link_bytes_per_s'], n['procs']) for n in j['labs'][0]['nodes'][:2]]")" \
    "[('${one}1', 0.12, None, 0), ('${one}2', 0.12, None, 0)]"
is "$(json "len(j['labs']), j['labs'][0]['name'], j['labs'][0]['state'], j['labs'][0]['grain_s']")" \
    "(1, '$one', 'up', 0.00025)"
is "$(json "len({n['address'] for n in j['labs'][0]['nodes']})")" 4 addresses

begin 'a program in a node sees the node'
ok lab exec "${one}2" hostname
prints "${one}2"
ok lab exec "${one}2" sh -c 'echo "$TMPDIR $HOSTNAME"; echo x > "$TMPDIR/file"; cat /proc/self/status'
prints "/run/runcast/lab/$one/tmp/${one}2 ${one}2"
is "$(cat "/run/runcast/lab/$one/tmp/${one}2/file")" x
is "$(awk '/^Cpus_allowed_list/ { print $2 }' out)" \
    "$(json_of "$one" "j['labs'][0]['nodes'][1]['core']")" core
for node in 1 2 3 4; do
    ok lab exec "${one}1" getent hosts "$one$node"
    prints "$(json_of "$one" "j['labs'][0]['nodes'][$node - 1]['address']")"
done
ok lab exec "${one}1" sh -c 'ip -o link show'
is "$(wc -l < out)" 2 devices
# As on other machines, whatever this one prefers.
allowed=$(tr ' ' '\n' < /proc/sys/net/ipv4/tcp_allowed_congestion_control | grep -xm1 cubic || echo reno)
ok lab exec "${one}1" cat /proc/sys/net/ipv4/tcp_congestion_control
is "$(cat out)" "$allowed" 'congestion control'
# The machine's own names and network are as they were.
run getent hosts "${one}1"
want_status 2
[ "$(hostname)" != "${one}2" ] || fault 'the machine has the name of the node'
# Nodes reach one another, and nothing else.
cat > talk.py << 'END'
import socket, sys
if sys.argv[1] == "listen":
    s = socket.create_server(("", 7000))
    print("ready", flush=True)
    c = s.accept()[0]
    c.sendall(b"from " + socket.gethostname().encode())
else:
    print(socket.create_connection((sys.argv[1], 7000), 20).recv(100).decode())
END
lab exec "${one}3" python3 "$WORK/talk.py" listen > listening &
jobs=($!)
awaited grep -q ready listening
ok lab exec "${one}1" python3 "$WORK/talk.py" "${one}3"
prints "from ${one}3"
wait "${jobs[0]}"
jobs=()
run lab exec "${one}1" ip route get 192.0.2.1
[ "$status" -ne 0 ] || fault 'a node has a way out'

begin 'programs in a node have short time slices, and keep their priority'
cat > slice.py << 'END'
import ctypes, platform, struct
number = {"x86_64": 315, "aarch64": 275}.get(platform.machine())
release = tuple(map(int, platform.release().split("-")[0].split(".")[:2]))
if number is None or release < (6, 12):
    print("no slices to be asked for")
else:
    told = ctypes.create_string_buffer(48)
    assert ctypes.CDLL(None).syscall(number, 0, told, 48, 0) == 0
    _, policy, _, nice, _, slice_ = struct.unpack("IIQiIQ", told.raw[:32])
    print("policy", policy, "nice", nice, "slice", slice_)
END
ok nice -n 5 "$RUNCAST" lab exec "${one}1" python3 "$WORK/slice.py"
grep -qx -e 'policy 0 nice 5 slice 250000' -e 'no slices to be asked for' out || fault "got $(cat out)"
ok chrt --idle 0 "$RUNCAST" lab exec "${one}1" chrt -p 0
prints SCHED_IDLE

begin 'a program gets its arguments, and its exit status is that of the command'
run lab exec "${one}1" sh -c 'exit 7'
want_status 7
run lab exec "${one}1" -- sh -c 'exit 8'
want_status 8
run lab exec "${one}1" sh -c 'kill -TERM $$'
want_status 143
ok lab exec "${one}1" echo --json --name x -- -n
prints '--json --name x -- -n'
ok lab exec "${one}1" -- echo --shell a  b
prints '--shell a b'
ok lab exec --shell "${one}1" -- 'echo $((1 +' '1))'
prints '2'
echo input > in
is "$(lab exec "${one}1" cat < in)" input 'standard input'
run lab exec "${one}1" "$WORK/nothing"
want_status 127
complains "cannot start '$WORK/nothing': No such file"

begin 'errors have one line and a hint'
fails lab up --lab "$one"
complains "the lab '$one' exists already"
complains "runcast lab down $one"
ok lab status --lab "$one" # it still stands
fails lab exec "${one}5" true
complains "the lab '$one' has no node '${one}5'"
complains "its nodes are ${one}1 to ${one}4"
fails lab exec "${one}01" true
complains "has no node '${one}01'"
fails lab exec "${other}1" true
complains "no lab '$other'"
fails lab exec "$one" true
complains "'$one' is not the name of a node"
fails lab exec ../x1 true
complains "is not a valid name of a lab"
misused lab exec "${one}1"
misused lab up --lab "$other" --nodes 0
misused lab up --lab "$other" --cpu-share much
misused lab up --lab "$other" --link-rate 10parsec
for wrong in '--nodes 251' '--cpu-share 0' '--cpu-share 1.01' '--link-rate 1kbit' '--grain 1us' '--grain 1s'; do
    # shellcheck disable=SC2086 # two words
    fails lab up --lab "$other" $wrong
done
fails lab up --lab Name1
complains "'Name1' is not a valid name of a lab"
misused lab status --lab Name1
fails lab up --lab "$other" --nodes 250 --cpu-share 1
complains 'not enough cores for 250 nodes with 1 of a core each'
fails lab set "${one}9" --cpu-share 0.1
complains "has no node '${one}9'"
misused lab set "${one}1"
complains 'missing --cpu-share SHARE or --link-rate RATE'
for wrong in '--cpu-share 0' '--cpu-share 1.01' '--link-rate 1kbit'; do
    # shellcheck disable=SC2086 # two words
    fails lab set "${one}1" $wrong
done
fails lab set "${one}[1-4]" --cpu-share 1
complains 'of its time for its nodes'
is "$(state "$one" "{n['cpu'] for n in j['nodes']}")" '{0.12}' 'shares after what failed'
fails lab mpirun --lab "$one" --hosts "${one}[1-9]" true
complains "has no node '${one}5'"
fails lab mpirun --lab "$one" -p 99999999999 true
complains 'more than 1048576 processes'
misused lab mpirun --lab "$one" --mpi lam true
ok lab down --lab "$other"
complains "no lab '$other': nothing to remove"
misused lab down --all --lab "$one"

begin 'mpirun gets the nodes as hosts'
if command -v mpirun.openmpi > /dev/null; then
    ok lab mpirun --lab "$one" --dry-run -p 6 prog --np 3 -x
    prints "in ${one}1:"
    prints "--np 6 --host ${one}1:2,${one}2:2,${one}3:1,${one}4:1"
    prints 'eth0 --mca pml ob1 --mca mpi_yield_when_idle 1 prog --np 3 -x'
fi
if command -v mpiexec.mpich > /dev/null; then
    ok lab mpirun --lab "$one" --mpi mpich --dry-run --hosts "${one}[3,2]" -- prog -n
    prints "in ${one}3:"
    prints "-n 2 -hosts ${one}3:1,${one}2:1"
fi
is "$(find "/run/runcast/lab/$one" -name 'runcast-agent*' | wc -l)" 1 links

# ---- shares and rates ----

# Spins for some seconds and tells which part of them it had a core.
cat > spin.py << 'END'
import sys, time
def spin(seconds):
    wall, cpu = time.monotonic(), time.process_time()
    while time.monotonic() - wall < seconds:
        pass
    return (time.process_time() - cpu) / (time.monotonic() - wall)
spin(0.5)  # until the weights have settled
print(spin(float(sys.argv[1])))
END
# within VALUE LEAST MOST WHAT: bounds are wide, as the machine may be busy with other things
within() {
    python3 -c "import sys; sys.exit(not $2 <= float('$1') <= $3)" ||
        fault "$4: $1 is not within $2 and $3"
}
# spin NODE SECONDS
spin() { lab exec "$1" python3 "$WORK/spin.py" "$2"; }

begin 'a node has its share, also with idle neighbours, and a change takes effect'
within "$(spin "${one}1" 1)" 0.08 0.17 'the share of a spinner'
ok lab set "${one}1" --cpu-share 0.24 --json
is "$(json "j['schema'], len(j['labs']), j['notes']")" "('runcast.lab.set/1', 1, [])"
is "$(json_of "$one" "[n['cpu_share'] for n in j['labs'][0]['nodes'][:2]]")" '[0.24, 0.12]'
within "$(spin "${one}1" 1)" 0.18 0.30 'the share after a change'
# A change while it runs; all of a node's time is counted, whoever uses it.
cat > growth.py << 'END'
import json, subprocess, sys, time
def look():
    text = subprocess.check_output([sys.argv[1], "lab", "status", "--lab", sys.argv[2], "--json"])
    return time.monotonic(), [n["cpu_time_s"] for n in json.loads(text)["labs"][0]["nodes"]]
before, first = look()
time.sleep(1)
after, second = look()
print(*((b - a) / (after - before) for a, b in zip(first, second)))
END
spin "${one}1" 3 > share &
jobs=($!)
sleep 1
ok lab set "${one}1" --cpu-share 0.12
read -r first _ <<< "$(timeout 60 python3 growth.py "$RUNCAST" "$one")"
within "$first" 0.08 0.17 "the node's time after a change"
wait "${jobs[0]}"
within "$(cat share)" 0.08 0.22 'the share of a spinner that saw the change'
jobs=()
ok lab set "${one}1" --cpu-share 0.24

begin 'an idle lab uses no CPU time'
still() {
    timeout 60 python3 growth.py "$RUNCAST" "$one" |
        python3 -c "import sys; sys.exit(not sum(map(float, input().split())) < 0.01)"
}
still || still || still || fault 'an idle lab goes on'

begin 'a link has its rate in both directions, and a change takes effect'
keeper=$(state "$one" "j['keeper']['pid']")
ends() {
    lab exec "$1" tc qdisc show dev eth0
    nsenter -t "$keeper" -n tc qdisc show dev "$1"
}
is "$(ends "${one}1" | grep -c tbf)" 0 'limits of a link without'
ok lab set "${one}[1-2]" --link-rate 10Mbit
is "$(ends "${one}1" | grep -c 'tbf.* rate 10Mbit ')" 2 'ends with the rate'
is "$(ends "${one}3" | grep -c tbf)" 0 'limits of another link'
is "$(json_of "$one" "[n['link_bytes_per_s'] for n in j['labs'][0]['nodes'][:3]]")" '[1250000, 1250000, None]'
# rate FROM TO: what gets through, in Mbit/s
rate() {
    rm -f serving
    RUNCAST_TEST_LAB=$base timeout -k 5 60 "$RUNCAST" lab exec "$2" iperf3 -s -1 --forceflush > serving &
    jobs=($!)
    awaited grep -qs listening serving
    lab exec "$1" iperf3 -c "$2" -t 2 --json > out || kill "${jobs[0]}" # it would wait for another
    wait "${jobs[0]}"
    jobs=()
    json "j['end']['sum_received']['bits_per_second'] / 1e6"
}
measured=$([ "$LONG" = 1 ] && command -v iperf3)
if [ -n "$measured" ]; then
    within "$(rate "${one}1" "${one}2")" 5 10.5 'Mbit/s at 10Mbit'
    ok lab set "${one}1" --link-rate 40Mbit
    within "$(rate "${one}1" "${one}2")" 5 10.5 'Mbit/s where one end has 10Mbit'
    ok lab set "${one}2" --link-rate 40Mbit
    within "$(rate "${one}1" "${one}2")" 15 42 'Mbit/s at 40Mbit'
fi
# What waits in the queue when a rate is lowered must not block what comes after it.
# arriving NODE: Mbit/s; what a sender says that it has sent may still wait in its socket
arriving() {
    lab exec "$1" python3 -c '
import re, time
def look(): return time.monotonic(), int(re.search(r"eth0: *(\d+)", open("/proc/net/dev").read())[1])
began, before = look()
time.sleep(2)
ended, after = look()
print((after - before) * 8e-6 / (ended - began))'
}
if [ -n "$measured" ]; then
    ok lab set "${one}[1-2]" --link-rate 200Mbit
    rm -f serving
    RUNCAST_TEST_LAB=$base timeout -k 5 60 "$RUNCAST" lab exec "${one}2" iperf3 -s -1 --forceflush > serving 2>&1 &
    jobs=($!)
    awaited grep -qs listening serving
    RUNCAST_TEST_LAB=$base timeout -k 5 60 "$RUNCAST" lab exec "${one}1" iperf3 -c "${one}2" -t 55 > sending 2>&1 &
    jobs+=($!)
    sleep 0.7
    for each in 120 70 45 30 20 14 10; do
        ok lab set "${one}[1-2]" --link-rate ${each}Mbit
        sleep 0.4
    done
    sleep 0.6 # for the sender to find its pace
    within "$(arriving "${one}2")" 5 12 'Mbit/s after the rate was lowered seven times to 10Mbit'
    kill "${jobs[@]}" 2> /dev/null
    wait "${jobs[@]}"
    jobs=()
    ok lab set "${one}[1-2]" --link-rate 40Mbit
fi
is "$(ends "${one}1" | grep -c 'tbf.* rate 40Mbit ')" "$([ -n "$measured" ] && echo 2 || echo 0)"

# ---- two labs ----

begin 'two labs share a core'
ok lab down --lab "$one"
silent
nothing_left
core=$(taskset -cp $$ | sed 's/.*[ ,-]//')
ok taskset -c "$core" timeout 60 env RUNCAST_TEST_LAB="$base" "$RUNCAST" lab up --lab "$one" --nodes 1 --cpu-share 0.2
ok taskset -c "$core" timeout 60 env RUNCAST_TEST_LAB="$base" "$RUNCAST" lab up --lab "$other" --nodes 1 --cpu-share 0.1
is "$(json_of "$one" "j['labs'][0]['nodes'][0]['core']")" "$core"
is "$(json_of "$other" "j['labs'][0]['nodes'][0]['core']")" "$core"
[ "$(state "$one" "j['subnet']")" != "$(state "$other" "j['subnet']")" ] || fault 'one subnet for both'
run lab exec "${one}1" getent hosts "${other}1"
want_status 2
fails lab set "${one}1,${other}1" --cpu-share 0.1
complains 'are in different labs'
spin "${one}1" 1.5 > share-one &
jobs=($!)
spin "${other}1" 1.5 > share-other
wait "${jobs[0]}"
jobs=()
within "$(cat share-one)" 0.14 0.26 'the share in one'
within "$(cat share-other)" 0.06 0.14 'the share in the other'

begin 'down removes that lab, and nothing else'
mkdir -p "/run/runcast/$base"
groups=$(find /sys/fs/cgroup -maxdepth 3 -type d -path "*/runcast-c*/${other}1" | sort)
foreign=$(dirname "$(dirname "$(echo "$groups" | head -1)")")/$base
mkdir "$foreign"
lab exec "${other}1" sleep 60 &
jobs=($!)
awaited busy "$other" 1
lab exec "${one}1" sh -c 'sleep 61 & exec sleep 60' &
awaited busy "$one" 2
ok lab down --lab "$one"
wait $! 2> /dev/null
is "$(find /sys/fs/cgroup -maxdepth 3 -type d -path "*/runcast-c*/${other}1" | sort)" "$groups" groups
is "$(json_of "$other" "j['labs'][0]['state'], j['labs'][0]['nodes'][0]['procs']")" "('up', 1)"
[ -d "$foreign" ] || fault 'a group of somebody else is gone'
[ -d "/run/runcast/$base" ] || fault 'a directory of somebody else is gone'
rmdir "$foreign" "/run/runcast/$base"
fails lab status --lab "$one"
ok lab down --lab "$other"
wait "${jobs[0]}" 2> /dev/null
is $? 137 'what ran in the lab'
jobs=()
nothing_left

# ---- what goes wrong ----

begin 'without root, all verbs but status fail'
chmod 755 "$WORK"
cp "$RUNCAST" "$WORK/runcast"
if setpriv --reuid 65534 --regid 65534 --clear-groups "$WORK/runcast" --version > out 2>&1; then
    for words in up "exec ${one}1 true" "set ${one}1 --cpu-share 0.1" 'mpirun true' down; do
        # shellcheck disable=SC2086 # words
        fails setpriv --reuid 65534 --regid 65534 --clear-groups "$WORK/runcast" lab $words
        is "$(grep -c 'virtual nodes need root' err)" 1 "$words"
        is "$(grep -vc '^hint: ' err)" 1 "lines of $words"
    done
    ok setpriv --reuid 65534 --regid 65534 --clear-groups "$WORK/runcast" lab status
else
    skip 'needs a directory that other users may read'
fi

begin 'without its requirements, up fails and leaves nothing'
for tool in ip tc; do
    hide=
    for place in /usr/sbin /sbin $(type -aP $tool | xargs -n 1 dirname); do
        [ ! -e "$place/$tool" ] || hide+="mount --bind /dev/null $place/$tool; "
    done
    fails unshare -m sh -c "$hide exec \"\$0\" lab up --lab $one --nodes 1 --cpu-share 0.1" "$RUNCAST"
    complains "cannot find the program '$tool'"
    nothing_left
done
fails unshare -m sh -c 'mount -t tmpfs none /sys/fs/cgroup; exec "$0" "$@"' "$RUNCAST" lab up \
    --lab "$one" --nodes 1 --cpu-share 0.1
complains 'control group'
is "$(grep -vc '^hint: ' err)" 1 lines
nothing_left
fails setpriv --bounding-set -sys_admin --inh-caps -sys_admin "$RUNCAST" lab up --lab "$one" \
    --nodes 1 --cpu-share 0.1
complains 'cannot make a network namespace: Operation not permitted'
nothing_left
mkdir fake
printf '#!/bin/sh\necho "Error: Specified qdisc kind is unknown." >&2\nexit 2\n' > fake/tc
chmod +x fake/tc
fails env PATH="$WORK/fake:$PATH" "$RUNCAST" lab up --lab "$one" --nodes 2 --cpu-share 0.1 --link-rate 1Mbit
complains 'cannot set up the network: tc: Error: Specified qdisc kind is unknown.'
nothing_left
ok lab up --lab "$one" --nodes 1 --cpu-share 0.1
fails env PATH="$WORK/fake:$PATH" "$RUNCAST" lab set "${one}1" --link-rate 1Mbit --cpu-share 0.2
complains 'Specified qdisc kind is unknown'
is "$(state "$one" "[(n['cpu'], n['link']) for n in j['nodes']]")" '[(0.1, None)]' 'after what failed'
ok lab down --lab "$one"

begin 'a lab whose supervisor was killed is broken, and can be removed'
ok lab up --lab "$one" --nodes 2 --cpu-share 0.1 --link-rate 1Mbit --json
is "$(json "[n['link_bytes_per_s'] for n in j['labs'][0]['nodes']]")" '[125000, 125000]'
lab exec "${one}1" sleep 60 &
awaited busy "$one" 1
keeper=$(state "$one" "j['keeper']['pid']")
holder=$(state "$one" "j['nodes'][1]['holder']['pid']")
kill -9 "$keeper"
awaited gone "$holder"
ok lab status --lab "$one"
prints "lab '$one': broken: its supervisor has ended"
prints "runcast lab down $one"
for words in "exec ${one}1 true" "set ${one}1 --cpu-share 0.2" "set ${one}1 --link-rate 2Mbit"; do
    # shellcheck disable=SC2086 # words
    fails lab $words
    complains "the lab '$one' is broken"
done
fails lab up --lab "$one" --nodes 1 --cpu-share 0.1
ok lab down --lab "$one"
silent
wait $! 2> /dev/null
is $? 137 'what ran in it'
nothing_left

begin 'a lab of which a node was killed is broken, and can be removed'
ok lab up --lab "$one" --nodes 2 --cpu-share 0.1
kill -9 "$(state "$one" "j['nodes'][1]['holder']['pid']")"
broken() { lab status --lab "$one" | grep -q 'broken: nodes have ended'; }
awaited broken
fails lab exec "${one}2" true
complains "the lab '$one' is broken"
ok lab exec "${one}1" true
ok lab down --lab "$one"
nothing_left

begin 'no process is mistaken for one of a lab'
sleep 60 &
jobs=($!)
# pretend BOOT STARTED: that sleep is its keeper
pretend() {
    python3 - "/run/runcast/lab/$one/lab.json" "${jobs[0]}" "$1" "$2" << 'END'
import json, sys
path, pid, boot, started = sys.argv[1:]
j = json.load(open(path))
j["keeper"] = {"pid": int(pid), "started": int(started)}
j["boot"] = j["boot"] if boot == "this" else boot
json.dump(j, open(path, "w"))
END
}
started=$(sed 's/.*) //' "/proc/${jobs[0]}/stat" | cut -d ' ' -f 20)
for case in 'another' 'this'; do
    ok lab up --lab "$one" --nodes 1 --cpu-share 0.1
    kill -9 "$(state "$one" "j['keeper']['pid']")"
    if [ $case = another ]; then
        pretend another "$started" # the number and the time fit, but the machine was started anew
        ok lab status --lab "$one"
        prints 'stopped by a reboot'
        ok lab up --lab "$other" --nodes 1 --cpu-share 0.1 # what is left takes nothing
        ok lab down --lab "$other"
    else
        pretend this $((started - 1)) # the number was given to another process
        ok lab status --lab "$one"
        prints 'broken: its supervisor has ended'
    fi
    ok lab down --lab "$one"
    nothing_left
    kill -0 "${jobs[0]}" || fault "$case: somebody else's process was ended"
done
kill -9 "${jobs[0]}"
wait "${jobs[0]}" 2> /dev/null
jobs=()

begin 'an incomplete or damaged lab can be removed'
mkdir -p "/run/runcast/lab/$one/tmp/deep/er"
ln -s "$WORK" "/run/runcast/lab/$one/tmp/link"
touch "$WORK/stays"
fails lab status --lab "$one"
complains "the lab '$one' is incomplete"
fails lab up --lab "$one" --nodes 1 --cpu-share 0.1
ok lab down --lab "$one"
nothing_left
[ -e "$WORK/stays" ] || fault 'a link was followed'
for text in '' '{' '{"version": 1}' '[]' '{"version": 99}'; do
    mkdir -p "/run/runcast/lab/$one"
    printf '%s' "$text" > "/run/runcast/lab/$one/lab.json"
    fails lab exec "${one}1" true
    complains "the lab '$one' is incomplete"
    ok lab down --lab "$one"
    nothing_left
done
# Only its groups and what runs in them.
ok lab up --lab "$one" --nodes 1 --cpu-share 0.1
lab exec "${one}1" sleep 60 &
awaited busy "$one" 1
kill -9 "$(state "$one" "j['keeper']['pid']")"
rm -r "/run/runcast/lab/$one"
run lab status
complains "the lab '$one' is incomplete"
ok lab up --lab "$one" --nodes 1 --cpu-share 0.1 # it starts afresh
wait $! 2> /dev/null
is $? 137 'what was left'
is "$(json_of "$one" "j['labs'][0]['nodes'][0]['procs']")" 0
# From within, and with somebody in it who makes new processes all the time.
run lab exec "${one}1" sh -c 'while :; do sleep 0.01 & done & exec "$0" lab down --lab "$1"' \
    "$RUNCAST" "$one"
want_status 0
nothing_left

begin 'with any umask, programs of other users find the nodes'
(umask 077 && lab up --lab "$one" --nodes 1 --cpu-share 0.1 > out)
ok lab exec "${one}1" setpriv --reuid 65534 --regid 65534 --clear-groups \
    sh -c 'getent hosts "$HOSTNAME" && touch "$TMPDIR/x"'
ok lab down --lab "$one"

# ---- nothing is left ----

begin 'up and down leave nothing'
for ((round = 0; round < 20; round++)); do
    ok lab up --lab "$one" --nodes 3 --cpu-share 0.1 --link-rate 1Mbit
    [ $round -lt 19 ] || for holder in $(state "$one" "j['keeper']['pid'], *(n['holder']['pid'] for n in j['nodes'])" |
        tr -d '(,)'); do
        readlink "/proc/$holder/ns/net" >> networks
    done
    [ $((round % 5)) -gt 0 ] || ok lab exec "${one}1" true
    ok lab down --lab "$one"
    silent
done
nothing_left
is "$(sort -u networks | wc -l)" 4 'networks that there were'
no_network() { ! readlink /proc/[0-9]*/ns/net 2> /dev/null | grep -qFxf networks; }
awaited no_network

begin 'down removes all that a killed up leaves'
killed=0
for ((round = 0; round < 20; round++)); do
    RUNCAST_TEST_LAB=$base "$RUNCAST" lab up --lab "$one" --nodes 3 --cpu-share 0.1 --link-rate 1Mbit \
        > /dev/null 2>&1 &
    sleep "0.0$(printf %02d $((round * 2)))"
    kill -9 $! 2> /dev/null
    wait $! 2> /dev/null
    [ $? -ne 137 ] || killed=$((killed + 1))
    ok lab down --lab "$one"
    nothing_left "killed in round $round"
done
[ $killed -gt 0 ] || fault 'it was never killed'

begin 'an interrupt leaves all of a lab, or nothing'
for delay in 0.002 0.005 0.01 0.015 0.02 0.025; do
    for signal in INT TERM; do
        RUNCAST_TEST_LAB=$base timeout --foreground -s $signal $delay "$RUNCAST" lab up --lab "$one" \
            --nodes 3 --cpu-share 0.1 --link-rate 1Mbit > out 2> err
        if [ -n "$(left)" ] && [ "$(json_of "$one" "j['labs'][0]['state']")" != up ]; then
            sleep 0.2
            nothing_left "$signal after $delay s"
        fi
        lab down --lab "$one" 2> /dev/null
    done
done
nothing_left

# ---- workloads ----

# app, size, iterations: as small as they go, as only rightness is looked at
apps='cg 500 3
ehl 64 1
eigen 16 12
ep 12 1
fft 1024 1
ga 20 2
hitemp 8 1
is 2000 1
jacobi3d 12 3
lu 8 2
matmul 32 1
md 40 2
mg 64 8
nbody 24 2
poisson 40 4
sor 40 4
sp 12 1
ssor 40 4'

begin 'every workload is tried here'
is "$(echo "$apps" | cut -d ' ' -f 1 | tr '\n' ' ')" \
    "$(cd "$SOURCE_ROOT/apps" && printf '%s\n' *.c | grep -vE '^(app[._]|microbenchmark)' | sed 's/\.c$//' | tr '\n' ' ')"
names=()
if [ "$LONG" = 0 ]; then
    apps=$(grep -E '^(fft|poisson) ' <<< "$apps")
    names=(fft poisson)
fi
if ! command -v mpicc.openmpi > which && ! command -v mpicc.mpich > which; then
    begin 'workloads run across nodes'
    skip 'needs MPI'
    finish
    exit 0
elif ! "$SOURCE_ROOT/tools/build-apps" "$WORK/apps" "${names[@]}" > apps.log 2>&1; then
    begin 'workloads run across nodes'
    fault "$(cat apps.log)"
    finish
    exit 0
fi

lab up --lab "$one" --nodes 4 --cpu-share 0.32 > /dev/null 2>&1 || ok lab up --lab "$one" --nodes 4 --cpu-share 0.16
for mpi in openmpi mpich; do
    begin "workloads give the right result across nodes with $mpi"
    if [ ! -d "apps/$mpi" ]; then
        skip "needs $mpi"
        continue
    fi
    while read -r app size iterations; do
        case $app in
        poisson) counts='1 2 4 8' ;; # more ranks than nodes, too
        fft) [ "$LONG" = 1 ] || continue ;& # built only for the checks below
        *) counts=4 ;;               # other numbers of them are tried where there are no nodes
        esac
        for ranks in $counts; do
            ok lab mpirun --lab "$one" --mpi $mpi -p "$ranks" "$WORK/apps/$mpi/$app" \
                --size "$size" --iterations "$iterations"
            is "$(json "j['app'], j['p'], j['check']")" "('$app', $ranks, 'ok')" "$app on $ranks"
        done
    done <<< "$apps"
    # Messages between nodes use the links.
    if [ $mpi = openmpi ]; then
        sent() { lab exec "${one}1" awk '/eth0:/ { print $10 }' /proc/net/dev; }
        before=$(sent)
        ok lab mpirun --lab "$one" -p 2 "$WORK/apps/$mpi/fft" --size 65536 --iterations 2
        [ $(($(sent) - before)) -gt 2000000 ] || fault "$mpi sent $(($(sent) - before)) bytes"
    else
        ok lab set "${one}1" --link-rate 1Gbit
        ok lab mpirun --lab "$one" --mpi $mpi -p 2 --dry-run "$WORK/apps/$mpi/fft"
        complains 'MPICH uses shared memory'
        ok lab set "${one}1" --link-rate none
    fi
    case $mpi in openmpi) other_mpi=mpich ;; *) other_mpi=openmpi ;; esac
    if [ -d "apps/$other_mpi" ]; then
        fails lab mpirun --lab "$one" --mpi $mpi -p 2 "$WORK/apps/$other_mpi/poisson"
        complains "is built for another MPI library than $mpi"
        complains "hint: use --mpi $other_mpi"
    fi
    # Ranks are on the right nodes.
    ok lab mpirun --lab "$one" --mpi $mpi -p 6 sh -c 'echo "at $(hostname)"'
    is "$(grep '^at ' out | sort | uniq -c | awk '{ print $1, $3 }' | tr '\n' ' ')" \
        "2 ${one}1 2 ${one}2 1 ${one}3 1 ${one}4 "
    run lab mpirun --lab "$one" --mpi $mpi -p 2 sh -c 'exit 3'
    want_status 3
    idle() { [ "$(json_of "$one" "{n['procs'] for n in j['labs'][0]['nodes']}")" = '{0}' ]; }
    awaited idle
    is "$(find "/run/runcast/lab/$one/tmp" -mindepth 2 | head -3)" '' 'files that are left'
done
ok lab down --lab "$one"
nothing_left

finish
