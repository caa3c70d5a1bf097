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
launched=(--launcher ./here --runcast-path "$RUNCAST")

begin 'the report has the requested and the used shares'
ok "$RUNCAST" load cpu --fraction 0.25 --procs 2 --core "$CORE" --duration 1s
prints 'load cpu: 1 s'
prints 'left for a competitor'
ok "$RUNCAST" load cpu --fraction 0.25 --procs 2 --core "$CORE" --duration 1s --verify --json
is "$(json "len(j['processes']), j['loaded_cores'][0]['procs'], j['loaded_cores'][0]['left_fraction']")" '(2, 2, 0.5)'
is "$(json "j['processes'][0]['core'] == $CORE and 0 < j['processes'][0]['used_fraction'] <= 0.27")" True
is "$(json "0 < j['loaded_cores'][0]['competitor_fraction'] < 1")" True

begin 'a note reports processes that used less than requested'
ok "$RUNCAST" load cpu --fraction 0.9 --procs 2 --core "$CORE" --duration 1s
complains 'the load was smaller than requested: 2 of 2 processes used less than 0.9 of a core, one only 0.'
ok "$RUNCAST" load cpu --fraction 0.04 --core "$CORE" --duration 0.5s # cannot be short by 0.05
silent

begin 'loads that cannot be are refused'
misused "$RUNCAST" load cpu --fraction 1.5
complains '--fraction: 1.5 is not greater than 0 and at most 1'
misused "$RUNCAST" load cpu --fraction 0
misused "$RUNCAST" load cpu --duration 0
misused "$RUNCAST" load cpu --duration soon
complains '--duration:'
fails "$RUNCAST" load cpu --core 1023
complains 'core 1023 does not exist or is not allowed'
fails "$RUNCAST" load cpu --core 0,x
complains "'0,x' is not a list of cores"
fails "$RUNCAST" load cpu --procs 100000
complains 'a load has at most 4096'
misused "$RUNCAST" load net --connect localhost:1 --receiver-key $KEY --rate 0
complains '--rate: must be greater than 0'
misused "$RUNCAST" load net --connect localhost:1 --receiver-key $KEY
misused "$RUNCAST" load net --connect localhost --rate 1Mbit
complains 'missing port'
misused "$RUNCAST" load net --connect localhost:99999 --receiver-key $KEY --rate 1Mbit
misused "$RUNCAST" load net --connect localhost:1 --rate 1Mbit
complains 'missing --receiver-key'
misused "$RUNCAST" load net --connect localhost:1 --receiver-key $KEY --rate 1Mbit --message 3
misused "$RUNCAST" load net --rate 1Mbit
misused "$RUNCAST" load net --connect -oProxyCommand=x --rate 1Mbit "${launched[@]}"
misused "$RUNCAST" load mix --compute 0.6 --communicate 0.5 --connect localhost "${launched[@]}"
complains 'together at most 1'
misused "$RUNCAST" load mix --communicate 0.5
misused "$RUNCAST" load random --connect localhost "${launched[@]}"
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
complains 'samples at one time only'

begin 'a missing receiver is an error of one line'
fails "$RUNCAST" load net --connect no-such-host.invalid:5001 --receiver-key $KEY --rate 1Mbit
complains "no address for 'no-such-host.invalid'"
is "$(cat out)" '' 'the report'
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
fails "$RUNCAST" load net --connect "127.0.0.1:$port" --receiver-key $KEY --rate 1Mbit
complains "cannot connect to 127.0.0.1 port $port: Connection refused"
complains "hint: start 'runcast load net --listen PORT' there first"
is "$(cat out)" '' 'the report'
fails "$RUNCAST" load net --connect localhost --rate 1Mbit --launcher ./nothing-here
complains "cannot find the program './nothing-here'"
fails "$RUNCAST" load net --connect localhost --rate 1Mbit --launcher false
complains 'no receiver on localhost'
fails "$RUNCAST" load net --connect localhost --rate 1Mbit --launcher ./here --runcast-path "$WORK/none"
complains 'no receiver on localhost: ./here: '

begin 'a port in use is an error'
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

begin 'without a sender, the receiver ends'
fails "$RUNCAST" load net --listen 0 --duration 0.2s
complains 'no sender connected within 0.2 s'

begin 'the rate is right, and sender and receiver count the same'
for direction in send receive both; do
    ok "$RUNCAST" load net --connect 127.0.0.1 --rate 20Mbit --duration 2s --direction $direction --json "${launched[@]}"
    is "$(json "[round(s['imposed_bytes_per_s'] / 2.5e6, 1) for s in j['streams']] in ([1.0], [1.0, 1.0])")" True "$(cat out)"
    is "$(json "all(s['sent_bytes'] == s['peer_received_bytes'] and s['received_bytes'] == s['peer_sent_bytes'] for s in j['streams'])")" True
    silent
done
ok "$RUNCAST" load net --connect 127.0.0.1 --rate 100kbit --duration 2s --message 500 "${launched[@]}"
prints 'requested'
prints '100 kbit/s'

begin 'a note reports a rate above that of the link'
ok "$RUNCAST" load net --connect 127.0.0.1 --rate 10000Gbit --duration 1s "${launched[@]}"
complains 'the link is slower than --rate'

begin 'it goes by IPv6 too'
if [ -n "$(cat /proc/net/if_inet6 2> /dev/null)" ]; then
    ok "$RUNCAST" load net --connect ::1 --rate 8Mbit --duration 1s --json "${launched[@]}"
    is "$(json "j['streams'][0]['peer_received_bytes'] > 0")" True
else
    skip 'needs IPv6'
fi

# listen ARGUMENTS...: a receiver by hand, in the background; its number is `receiver`, its port `port`.
listen() {
    : > waiting # output of the previous receiver
    "$RUNCAST" load net --listen 0 --bind 127.0.0.1 --receiver-key $KEY "$@" > received 2> waiting &
    receiver=$!
    for _ in $(seq 200); do grep -q 'listening on port' waiting && break; sleep 0.05; done
    port=$(sed -n 's/.*listening on port \([0-9]*\);.*/\1/p' waiting)
}

begin 'a receiver started by hand refuses senders without the key, and serves one load'
listen --json
fails "$RUNCAST" load net --connect "127.0.0.1:$port" --receiver-key wrong$KEY --rate 1Mbit --duration 1s
complains 'wrong key'
printf 'GET / HTTP/1.0\r\n\r\n' > "/dev/tcp/127.0.0.1/$port" # a stranger
ok "$RUNCAST" load mix --connect "127.0.0.1:$port" --receiver-key $KEY --compute 0 --communicate 0.5 --cycle 0.1s --procs 3 \
    --duration 1s --direction both --json
sent=$(json "sum(p['sent_bytes'] for p in j['processes'])")
wait $receiver
is $? 0 'the receiver'
cp received out
keep_document
is "$(json "j['connections'], j['refused'], j['received_bytes']")" "(3, 2, $sent)"
is "$(json "'2 connections without the key refused' in j['notes']")" True
fails "$RUNCAST" load net --connect "127.0.0.1:$port" --receiver-key $KEY --rate 1Mbit
complains 'Connection refused'

begin 'the death of the receiver is an error, with a report of the load so far'
listen
"$RUNCAST" load net --connect "127.0.0.1:$port" --receiver-key $KEY --rate 8Mbit --duration 50s > out 2> err &
sender=$!
sleep 1
kill -9 $receiver
wait $receiver 2> /dev/null
wait $sender
is $? 1 'exit status'
complains 'runcast: load net: the other host closed the connection'
prints 'load net:'

begin 'another server is not a receiver'
rm port # left by the previous test
python3 -c 'import socket
s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1], flush=True)
c = s.accept()[0]; c.sendall(b"220 mail\r\n"); c.recv(1)' > port &
other=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
fails "$RUNCAST" load net --connect "127.0.0.1:$(cat port)" --receiver-key $KEY --rate 1Mbit
complains 'is not a runcast receiver'
wait $other

begin 'load mix computes and communicates for its shares of the time'
ok "$RUNCAST" load mix --compute 0.3 --communicate 0.4 --cycle 0.05s --messages 20 --message 4000 --connect localhost \
    --duration 3s --json "${launched[@]}"
is "$(json "abs(j['processes'][0]['compute_fraction'] - 0.3) < 0.05 and abs(j['processes'][0]['communicate_fraction'] - 0.4) < 0.05")" True "$(cat out)"
is "$(json "j['processes'][0]['messages'] >= 20 * j['processes'][0]['burst_count'] > 0")" True
ok "$RUNCAST" load mix --compute 0.5 --cycle 0.1s --steady --messages 10 --connect localhost --duration 1s --json "${launched[@]}"
is "$(json "j['requested_communicate_fraction'], j['processes'][0]['burst_count'] - j['processes'][0]['cycle_count'] in (0, 1)")" '(None, True)'
begin 'load mix with fixed work: each cycle has its CPU time and its bursts, however long that takes'
ok "$RUNCAST" load mix --fixed-work --compute 0.6 --cycle 0.02s --steady --procs 2 --core "$CORE" --duration 2s --json
is "$(json "j['fixed_work'], all(0.012 * (p['cycle_count'] - 1) <= p['compute_time_s'] <= 0.015 * (p['cycle_count'] + 1) for p in j['processes'])")" '(True, True)' "$(cat out)"
is "$(json "all(p['compute_fraction'] > p['used_fraction'] for p in j['processes'])")" True "$(cat out)"
ok "$RUNCAST" load mix --fixed-work --compute 0.2 --bursts-per-cycle 3 --cycle 0.02s --messages 10 --connect localhost --duration 1s --json "${launched[@]}"
is "$(json "0 < 3 * j['processes'][0]['cycle_count'] <= j['processes'][0]['burst_count'] <= 3 * j['processes'][0]['cycle_count'] + 3")" True "$(cat out)"
ok "$RUNCAST" load mix --fixed-work --compute 0.3 --communicate 0.5 --cycle 0.05s --messages 20 --message 4000 --connect localhost \
    --duration 2s --json "${launched[@]}"
is "$(json "0 < j['processes'][0]['idle_core_compute_fraction'] < j['processes'][0]['idle_core_communicate_fraction'] < 1")" True "$(cat out)"
ok "$RUNCAST" load mix --fixed-work --bursts-per-cycle 2 --cycle 0.1s --messages 10 --connect localhost --duration 1s "${launched[@]}"
prints 'requested on an idle core: computing 0.5, communicating 2 bursts in each cycle'

begin 'load mix without a receiver only computes'
ok "$RUNCAST" load mix --duration 0.5s --core "$CORE" --verify
prints 'communicating never'
prints 'a competing process on core'

begin 'load random is the same for a seed and a host'
ok "$RUNCAST" load random --pattern modal --seed 3 --host a --speed-up 100 --duration 1s --core "$CORE" --json
first=$(json "j['load_source'], j['requested_cpu_availability']")
ok "$RUNCAST" load random --pattern modal --seed 3 --host a --speed-up 100 --duration 1s --core "$CORE" --json
is "$(json "j['load_source'], j['requested_cpu_availability']")" "$first"
ok "$RUNCAST" load random --pattern bursty --speed-up 100 --duration 1s --core "$CORE" --connect localhost \
    --link-rate 10Mbit "${launched[@]}"
prints 'mean available part of the link'

begin 'load replay replays a series of the database, repeats it, and rejects other values'
printf 't,value\n0,0\n1,1\n2,1\n' > steps.csv
ok "$RUNCAST" series import steps.csv --host h --metric cpu --time-origin 2026-11-15
ok "$RUNCAST" load replay --host h --speed-up 10 --loop --duration 0.6s --core "$CORE" --json --procs 4
is "$(json "round(j['requested_cpu_availability'], 2), round(j['imposed_cpu_availability'], 2)")" '(0.5, 0.6)'
complains '4 processes cannot make the CPU availability smaller than 0.2'
ok "$RUNCAST" load replay steps.csv --speed-up 10 --core "$CORE" --json
is "$(json "round(j['duration_s'], 3)")" 0.2
fails "$RUNCAST" load replay --host nobody
printf 't,value\n0,12\n1,13\n' > much.csv
ok "$RUNCAST" series import much.csv --host h --metric bw --time-origin 2026-11-15
fails "$RUNCAST" load replay --host h --metric bw
complains 'is not an availability from 0 to 1'

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

begin 'a signal ends a load with a report, and no process stays'
for signal in TERM INT; do
    python3 - "$signal" "$RUNCAST" load cpu --procs 3 --fraction 0.1 --duration 47.125s > out 2> err << 'END'
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

begin 'kill -9 leaves no process behind, neither of the sender nor of the receiver'
"$RUNCAST" load cpu --procs 3 --fraction 0.1 --duration 48.125s > out 2> err &
victim=$!
sleep 0.7
is "$(running 48.125s)" 4 'processes'
kill -9 $victim
wait $victim 2> /dev/null
gone 48.125s
"$RUNCAST" load mix --procs 2 --connect localhost --duration 49.125s "${launched[@]}" > out 2> err &
victim=$!
sleep 1
is "$(pgrep -f -c -- "$RUNCAST load net --listen 0 --announce")" 3 'processes of the receiver'
kill -9 $victim
wait $victim 2> /dev/null
gone 49.125s
gone "$RUNCAST load net --listen 0 --announce"

begin 'output that cannot be written is a failure'
"$RUNCAST" load cpu --fraction 0.1 --duration 0.1s > /dev/full 2> err
is $? 1 'exit status'
complains 'cannot write to standard output'

begin 'between two hosts, a slow link limits the rate'
if ! am_root || ! ip netns add rc-load-$$ 2> /dev/null; then
    skip 'needs root, and network namespaces'
else
    ip link add rcl$$ type veth peer name rcr$$ netns rc-load-$$
    ip address add 198.18.77.1/30 dev rcl$$
    ip link set rcl$$ up
    ip -n rc-load-$$ address add 198.18.77.2/30 dev rcr$$
    ip -n rc-load-$$ link set rcr$$ up
    ok "$RUNCAST" load net --connect rc-load-$$ --launcher 'ip netns exec' --address 198.18.77.2 \
        --runcast-path "$RUNCAST" --rate 40Mbit --duration 2s --direction both --json
    is "$(json "[round(s['imposed_bytes_per_s'] / 5e6, 1) for s in j['streams']]")" '[1.0, 1.0]'
    if tc qdisc add dev rcl$$ root tbf rate 8mbit burst 20kb latency 50ms 2> /dev/null; then
        ok "$RUNCAST" load net --connect rc-load-$$ --launcher 'ip netns exec' --address 198.18.77.2 \
            --runcast-path "$RUNCAST" --rate 40Mbit --duration 4s --json
        is "$(json "0.7 < j['streams'][0]['imposed_bytes_per_s'] / 1e6 <= 1.05")" True "$(cat out)"
        complains 'the link is slower than --rate'
        ip netns exec rc-load-$$ tc qdisc add dev rcr$$ root tbf rate 8mbit burst 20kb latency 50ms
        # Much more than the rate of the link: bytes that were never requested need no waiting.
        for direction in receive both; do
            ok "$RUNCAST" load net --connect rc-load-$$ --launcher 'ip netns exec' --address 198.18.77.2 \
                --runcast-path "$RUNCAST" --rate 2Gbit --duration 3s --direction $direction --json
            is "$(json "all(0.6 < s['imposed_bytes_per_s'] / 1e6 <= 1.05 for s in j['streams'])")" True "$(cat out)"
            # All has arrived, and it is not much more than the link transfers in that time.
            is "$(json "all(s['received_bytes'] == s['peer_sent_bytes'] <= 4.5e6 for s in j['streams'])")" True "$(cat out)"
            complains 'the link is slower than --rate (receive)'
            is "$(grep -c 'no report from the receiver' err)" 0 'receivers without a report'
        done
    fi
    ip netns delete rc-load-$$
    ip link delete rcl$$ 2> /dev/null
fi

finish
