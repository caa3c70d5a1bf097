#!/bin/bash
# Loads: reports, traffic, termination and errors.
. "$(dirname "$0")/harness.sh"

CORE=$(python3 -c 'import os; print(max(os.sched_getaffinity(0)))')
KEY=0123456789abcdef
cat > here << 'END'
#!/bin/sh
# A launcher for a host that is this one.
shift
exec "$@"
END
chmod +x here
far=(--launcher ./here --program "$RUNCAST")

begin 'the report tells what was asked and used'
ok "$RUNCAST" load cpu --fraction 0.25 --procs 2 --core "$CORE" --for 1s
prints 'load cpu for 1 s'
prints 'leaves a competitor'
ok "$RUNCAST" load cpu --fraction 0.25 --procs 2 --core "$CORE" --for 1s --probe --json
is "$(json "len(j['processes']), j['cores'][0]['processes'], j['cores'][0]['leaves']")" '(2, 2, 0.5)'
is "$(json "j['processes'][0]['core'] == $CORE and 0 < j['processes'][0]['used'] <= 0.27")" True
is "$(json "0 < j['cores'][0]['probe'] < 1")" True

begin 'processes that could not have what they were to use are told'
ok "$RUNCAST" load cpu --fraction 0.9 --procs 2 --core "$CORE" --for 1s
complains 'the cores did not give all that was asked for: 2 of 2 processes used less than 0.9, the least 0.'
ok "$RUNCAST" load cpu --fraction 0.04 --core "$CORE" --for 0.5s # cannot be short by 0.05
silent

begin 'loads that cannot be are refused'
misused "$RUNCAST" load cpu --fraction 1.5
complains '--fraction: 1.5 is not above 0 and up to 1'
misused "$RUNCAST" load cpu --fraction 0
misused "$RUNCAST" load cpu --for 0
misused "$RUNCAST" load cpu --for soon
complains '--for:'
fails "$RUNCAST" load cpu --core 1023
complains 'core 1023 does not exist or is not allowed'
fails "$RUNCAST" load cpu --core 0,x
complains "'0,x' is not a list of cores"
fails "$RUNCAST" load cpu --procs 100000
complains 'more than the 4096'
misused "$RUNCAST" load net --to localhost:1 --key $KEY --rate 0
complains '--rate: it must be greater than 0'
misused "$RUNCAST" load net --to localhost:1 --key $KEY
misused "$RUNCAST" load net --to localhost --rate 1Mbit
complains 'the port is missing'
misused "$RUNCAST" load net --to localhost:99999 --key $KEY --rate 1Mbit
misused "$RUNCAST" load net --to localhost:1 --rate 1Mbit
complains '--key is missing'
misused "$RUNCAST" load net --to localhost:1 --key $KEY --rate 1Mbit --message 3
misused "$RUNCAST" load net --rate 1Mbit
misused "$RUNCAST" load net --to -oProxyCommand=x --rate 1Mbit "${far[@]}"
misused "$RUNCAST" load mix --compute 0.6 --communicate 0.5 --to localhost "${far[@]}"
complains 'together at most 1'
misused "$RUNCAST" load mix --communicate 0.5
misused "$RUNCAST" load random --to localhost "${far[@]}"
misused "$RUNCAST" load random --speed-up 0
misused "$RUNCAST" load replay
printf 't,value\n0,0.2\n60,0.2\n' > fifth.csv
misused "$RUNCAST" load replay fifth.csv --loop
fails "$RUNCAST" load replay nothing.csv
printf 't,value\n0,0.5\n1,1.5\n' > wrong.csv
fails "$RUNCAST" load replay wrong.csv
complains 'wrong.csv:3'
printf 't,value\n0,0.5\n' > short.csv
fails "$RUNCAST" load replay short.csv
complains 'no length'

begin 'a far end that is not there is told in one line'
fails "$RUNCAST" load net --to no-such-host.invalid:5001 --key $KEY --rate 1Mbit
complains "no address for 'no-such-host.invalid'"
is "$(cat out)" '' 'the report'
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
fails "$RUNCAST" load net --to "127.0.0.1:$port" --key $KEY --rate 1Mbit
complains "cannot connect to 127.0.0.1 port $port: Connection refused"
complains 'hint: nobody listens there'
is "$(cat out)" '' 'the report'
fails "$RUNCAST" load net --to localhost --rate 1Mbit --launcher ./nothing-here
complains "no program './nothing-here'"
fails "$RUNCAST" load net --to localhost --rate 1Mbit --launcher false
complains 'no receiver on localhost'
fails "$RUNCAST" load net --to localhost --rate 1Mbit --launcher ./here --program "$WORK/none"
complains 'no receiver on localhost: ./here: '

begin 'a port that is in use is told'
python3 -c 'import socket, time
s = socket.socket(socket.AF_INET6); s.bind(("::", 0)); s.listen(); print(s.getsockname()[1], flush=True)
time.sleep(60)' > port 2> /dev/null &
taken=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
if [ -s port ]; then
    fails "$RUNCAST" load net --listen "$(cat port)"
    complains "cannot listen on port $(cat port): Address already in use"
else
    skip 'needs IPv6'
fi
kill $taken
wait $taken 2> /dev/null

begin 'no load comes: the receiver ends'
fails "$RUNCAST" load net --listen 0 --for 0.2s
complains 'no load came within 0.2 s'

begin 'the rate is held, and both ends count the same'
for direction in send receive both; do
    ok "$RUNCAST" load net --to 127.0.0.1 --rate 20Mbit --for 2s --direction $direction --json "${far[@]}"
    is "$(json "[round(s['rate'] / 2.5e6, 1) for s in j['streams']] in ([1.0], [1.0, 1.0])")" True "$(cat out)"
    is "$(json "all(s['sent_bytes'] == s['far_received_bytes'] and s['received_bytes'] == s['far_sent_bytes'] for s in j['streams'])")" True
    silent
done
ok "$RUNCAST" load net --to 127.0.0.1 --rate 100kbit --for 2s --message 500 "${far[@]}"
prints 'asked'
prints '100 kbit/s'

begin 'a rate that the link cannot take is told'
ok "$RUNCAST" load net --to 127.0.0.1 --rate 10000Gbit --for 1s "${far[@]}"
complains 'the link did not take all that was asked for'

begin 'it goes by IPv6 too'
if [ -n "$(cat /proc/net/if_inet6 2> /dev/null)" ]; then
    ok "$RUNCAST" load net --to ::1 --rate 8Mbit --for 1s --json "${far[@]}"
    is "$(json "j['streams'][0]['far_received_bytes'] > 0")" True
else
    skip 'needs IPv6'
fi

# listen ARGUMENTS...: a receiver by hand, in the background; its number is `receiver`, its port `port`.
listen() {
    : > waiting # output of the previous receiver
    "$RUNCAST" load net --listen 0 --bind 127.0.0.1 --key $KEY "$@" > received 2> waiting &
    receiver=$!
    for _ in $(seq 200); do grep -q 'listening on port' waiting && break; sleep 0.05; done
    port=$(sed -n 's/.*listening on port \([0-9]*\);.*/\1/p' waiting)
}

begin 'the receiver by hand refuses whoever has not the key, and serves one load'
listen --json
fails "$RUNCAST" load net --to "127.0.0.1:$port" --key wrong$KEY --rate 1Mbit --for 1s
complains "wrong key"
printf 'GET / HTTP/1.0\r\n\r\n' > "/dev/tcp/127.0.0.1/$port" # a stranger
ok "$RUNCAST" load mix --to "127.0.0.1:$port" --key $KEY --compute 0 --communicate 0.5 --cycle 0.1s --procs 3 \
    --for 1s --direction both --json
sent=$(json "sum(p['sent_bytes'] for p in j['processes'])")
wait $receiver
is $? 0 'the receiver'
cp received out
is "$(json "j['connections'], j['refused'], j['received_bytes']")" "(3, 2, $sent)"
fails "$RUNCAST" load net --to "127.0.0.1:$port" --key $KEY --rate 1Mbit
complains 'Connection refused'

begin 'a receiver that dies midway is told, with what was imposed'
listen
"$RUNCAST" load net --to "127.0.0.1:$port" --key $KEY --rate 8Mbit --for 50s > out 2> err &
sender=$!
sleep 1
kill -9 $receiver
wait $receiver 2> /dev/null
wait $sender
is $? 1 'exit status'
complains 'runcast: load net: the other host closed the connection'
prints 'load net for'

begin 'what listens there must be a receiver'
rm port # left by the previous test
python3 -c 'import socket
s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1], flush=True)
c = s.accept()[0]; c.sendall(b"220 mail\r\n"); c.recv(1)' > port &
other=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
fails "$RUNCAST" load net --to "127.0.0.1:$(cat port)" --key $KEY --rate 1Mbit
complains 'is not a runcast receiver'
wait $other

begin 'load mix computes and communicates for its parts of the time'
ok "$RUNCAST" load mix --compute 0.3 --communicate 0.4 --cycle 0.05s --burst 20 --message 4000 --to localhost \
    --for 3s --json "${far[@]}"
is "$(json "abs(j['processes'][0]['compute'] - 0.3) < 0.05 and abs(j['processes'][0]['communicate'] - 0.4) < 0.05")" True "$(cat out)"
is "$(json "j['processes'][0]['messages'] >= 20 * j['processes'][0]['bursts'] > 0")" True
ok "$RUNCAST" load mix --compute 0.5 --cycle 0.1s --steady --burst 10 --to localhost --for 1s --json "${far[@]}"
is "$(json "j['asked_communicate'], j['processes'][0]['bursts'] - j['processes'][0]['cycles'] in (0, 1)")" '(None, True)'
begin 'load mix with work to do: each cycle has its CPU time and its bursts, however long that takes'
ok "$RUNCAST" load mix --work --compute 0.6 --cycle 0.02s --steady --procs 2 --core "$CORE" --for 2s --json
is "$(json "j['work'], all(0.012 * (p['cycles'] - 1) <= p['computed_seconds'] <= 0.015 * (p['cycles'] + 1) for p in j['processes'])")" '(True, True)' "$(cat out)"
is "$(json "all(p['compute'] > p['used'] for p in j['processes'])")" True "$(cat out)"
ok "$RUNCAST" load mix --work --compute 0.2 --bursts 3 --cycle 0.02s --burst 10 --to localhost --for 1s --json "${far[@]}"
is "$(json "0 < 3 * j['processes'][0]['cycles'] <= j['processes'][0]['bursts'] <= 3 * j['processes'][0]['cycles'] + 3")" True "$(cat out)"
ok "$RUNCAST" load mix --work --compute 0.3 --communicate 0.5 --cycle 0.05s --burst 20 --message 4000 --to localhost \
    --for 2s --json "${far[@]}"
is "$(json "0 < j['processes'][0]['compute_alone'] < j['processes'][0]['communicate_alone'] < 1")" True "$(cat out)"
ok "$RUNCAST" load mix --work --bursts 2 --cycle 0.1s --burst 10 --to localhost --for 1s "${far[@]}"
prints 'asked, when alone: computing 0.5, communicating 2 bursts in each cycle'

begin 'load mix without a far end only computes'
ok "$RUNCAST" load mix --for 0.5s --core "$CORE" --probe
prints 'communicating never'
prints 'the probe on core'

begin 'load random is the same for a seed and a name'
ok "$RUNCAST" load random --pattern modal --seed 3 --name a --speed-up 100 --for 1s --core "$CORE" --json
first=$(json "j['source'], j['asked_availability']")
ok "$RUNCAST" load random --pattern modal --seed 3 --name a --speed-up 100 --for 1s --core "$CORE" --json
is "$(json "j['source'], j['asked_availability']")" "$first"
ok "$RUNCAST" load random --pattern bursty --speed-up 100 --for 1s --core "$CORE" --to localhost \
    --bandwidth 10Mbit "${far[@]}"
prints 'mean availability of the link'

begin 'load replay takes a series of the store, goes round, and tells what cannot be'
printf 't,value\n0,0\n1,1\n2,1\n' > steps.csv
ok "$RUNCAST" series import steps.csv --host h --metric cpu --time-origin 2026-11-15
ok "$RUNCAST" load replay --host h --speed-up 10 --loop --for 0.6s --core "$CORE" --json --procs 4
is "$(json "round(j['asked_availability'], 2), round(j['availability'], 2)")" '(0.5, 0.6)'
complains '4 processes leave 0.2 of a core at the least'
ok "$RUNCAST" load replay steps.csv --speed-up 10 --core "$CORE" --json
is "$(json "round(j['seconds'], 3)")" 0.2
fails "$RUNCAST" load replay --host nobody
printf 't,value\n0,12\n1,13\n' > much.csv
ok "$RUNCAST" series import much.csv --host h --metric bw --time-origin 2026-11-15
fails "$RUNCAST" load replay --host h --metric bw
complains 'no availability'

# How many processes have this text among their words.
running() { pgrep -f -c -- "$1"; }

# gone TEXT: no process with it is left, given a little time.
gone() {
    for _ in $(seq 100); do
        [ "$(running "$1")" -eq 0 ] && return
        sleep 0.1
    done
    fault "still there: $(pgrep -f -a -- "$1")"
}

begin 'a signal ends it with a report, and leaves nothing behind'
for signal in TERM INT; do
    python3 - "$signal" "$RUNCAST" load cpu --procs 3 --fraction 0.1 --for 47.125s > out 2> err << 'END'
import signal, subprocess, sys, time
child = subprocess.Popen(sys.argv[2:], preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
time.sleep(0.7)
child.send_signal(getattr(signal, "SIG" + sys.argv[1]))
print("ended by", signal.Signals(-child.wait()).name)
END
    prints '(interrupted)'
    prints "ended by SIG$signal"
    gone 47.125s
done

begin 'kill -9 leaves nothing behind, here and at the far end'
"$RUNCAST" load cpu --procs 3 --fraction 0.1 --for 48.125s > out 2> err &
victim=$!
sleep 0.7
is "$(running 48.125s)" 4 'processes'
kill -9 $victim
wait $victim 2> /dev/null
gone 48.125s
"$RUNCAST" load mix --procs 2 --to localhost --for 49.125s "${far[@]}" > out 2> err &
victim=$!
sleep 1
is "$(pgrep -f -c -- "$RUNCAST load net --listen 0 --announce")" 3 'processes of the receiver'
kill -9 $victim
wait $victim 2> /dev/null
gone 49.125s
gone "$RUNCAST load net --listen 0 --announce"

begin 'output that cannot be written is a failure'
"$RUNCAST" load cpu --fraction 0.1 --for 0.1s > /dev/full 2> err
is $? 1 'exit status'
complains 'cannot write to standard output'

begin 'between two hosts: a slow link takes what it takes'
if ! am_root || ! ip netns add rc-load-$$ 2> /dev/null; then
    skip 'needs root, and network namespaces'
else
    ip link add rcl$$ type veth peer name rcr$$ netns rc-load-$$
    ip address add 198.18.77.1/30 dev rcl$$
    ip link set rcl$$ up
    ip -n rc-load-$$ address add 198.18.77.2/30 dev rcr$$
    ip -n rc-load-$$ link set rcr$$ up
    ok "$RUNCAST" load net --to rc-load-$$ --launcher 'ip netns exec' --address 198.18.77.2 \
        --program "$RUNCAST" --rate 40Mbit --for 2s --direction both --json
    is "$(json "[round(s['rate'] / 5e6, 1) for s in j['streams']]")" '[1.0, 1.0]'
    if tc qdisc add dev rcl$$ root tbf rate 8mbit burst 20kb latency 50ms 2> /dev/null; then
        ok "$RUNCAST" load net --to rc-load-$$ --launcher 'ip netns exec' --address 198.18.77.2 \
            --program "$RUNCAST" --rate 40Mbit --for 4s --json
        is "$(json "0.7 < j['streams'][0]['rate'] / 1e6 <= 1.05")" True "$(cat out)"
        complains 'the link did not take all'
        ip netns exec rc-load-$$ tc qdisc add dev rcr$$ root tbf rate 8mbit burst 20kb latency 50ms
        # Much more than the link has: what is not asked for at all need not be waited for.
        for direction in receive both; do
            ok "$RUNCAST" load net --to rc-load-$$ --launcher 'ip netns exec' --address 198.18.77.2 \
                --program "$RUNCAST" --rate 2Gbit --for 3s --direction $direction --json
            is "$(json "all(0.6 < s['rate'] / 1e6 <= 1.05 for s in j['streams'])")" True "$(cat out)"
            # All has arrived, and it is not much more than the link brings in that time.
            is "$(json "all(s['received_bytes'] == s['far_sent_bytes'] <= 4.5e6 for s in j['streams'])")" True "$(cat out)"
            complains "the link did not take all that was asked for (receive)"
            is "$(grep -c 'did not tell' err)" 0 'far ends that did not tell'
        done
    fi
    ip netns delete rc-load-$$
    ip link delete rcl$$ 2> /dev/null
fi

finish
