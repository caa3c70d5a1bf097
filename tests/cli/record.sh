#!/bin/bash
# Recording runs: the program must not notice, and the run must be stored.
# Under nohup, or behind &, signals are ignored, and programs inherit that: tests mean all of them.
[ -n "$RECORD_SIGNALS" ] || RECORD_SIGNALS=1 exec env --default-signal "$BASH" "$0"
. "$(dirname "$0")/harness.sh"
. "$SOURCE_ROOT/tests/cli/recorded_runs.sh"
here=$(hostname)

begin 'a run is stored with what is known of it'
ok monitored --size 64Ki --param k=3 --param eps=1e-3 --platform here -- sh -c 'sleep 0.4; exit 0'
complains 'runcast: run 1 stored: '
complains 'ok, CPU availability 0.5'
[ ! -s out ] || fault "standard output has: $(cat out)"
"$RUNCAST" runs show 1 --json > out
is "$(json "[j['runs'][0][k] for k in ('app', 'size', 'procs', 'platform', 'hosts', 'status')]")" \
    "['s', 65536, 1, 'here', ['$here'], 'ok']"
is "$(json "j['runs'][0]['params']")" "{'k': 3, 'eps': 0.001}"
is "$(json "j['runs'][0]['cpu_minavg'], j['runs'][0]['cpu_avgmin'], j['runs'][0]['bw_avgmin']")" '(0.5, 0.5, None)'
is "$(json "0.4 <= j['runs'][0]['time_s'] < 10 and j['runs'][0]['memory_bytes'] > 0")" True
is "$(json "abs(__import__('datetime').datetime.fromisoformat(j['runs'][0]['start'][:-1] + '+00:00').timestamp() - $EPOCHSECONDS) < 60")" True
ok "$RUNCAST" series list --json
is "$(json "sorted(s['metric'] for s in j['series'])")" "['cpu', 'memory']"
is "$(json "min(s['sample_count'] for s in j['series']) >= 3")" True
no_agents
ok "$RUNCAST" db check

begin 'exit statuses are those of the program'
for code in 0 1 2 3 77 126 127 128 255; do
    run rec -q -- sh -c "exit $code"
    want_status $code
    silent
done
is "$(last status)" failed
for number in 1 2 3 6 9 11 13 15; do
    is "$(python3 - "$RUNCAST" $number << 'END'
import subprocess, sys
command = [sys.argv[1], 'record', '--app', 't', '--size', '1', '--procs', '1', '--local', '--no-monitor', '-q', '--']
print(subprocess.run(command + ['sh', '-c', f'kill -{sys.argv[2]} $$'], check=False).returncode)
END
)" "-$number" "signal $number"
done
run rec -- sh -c 'kill -TERM $$'
want_status 143
is "$(last status)" interrupted
run rec -- sh -c 'kill -SEGV $$'
want_status 139
is "$(last status)" failed
before=$(count_runs)
run rec -- ./nosuch
want_status 127
complains "cannot start './nosuch': No such file"
echo text > text
run rec -- ./text
want_status 126
run rec -- nosuch-program
want_status 127
is "$(count_runs)" "$before" 'runs of programs that never began'

begin 'input, output, descriptors and environment pass untouched'
head -c 300000 /dev/urandom > random
rec -q -- cat < random > copy || fault 'cat failed'
cmp -s random copy || fault 'what came out is not what went in'
head -c 300000 random | monitored -q -- sh -c 'cat; echo more >&2; echo third >&3' 2> err 3> third | cat > copy
cmp -s random copy || fault 'through pipes it is not what went in'
is "$(cat err)" more
is "$(cat third)" third
env | grep -v '^_=' | sort > env1 # bash's own name for what it starts
rec -q -- env | grep -v '^_=' | sort > env2
diff env1 env2 > changes || fault "the environment differs: $(cat changes)"
rec -q -- sh -c 'ls -l /proc/self/fd | grep -c ":"' > with
sh -c 'ls -l /proc/self/fd | grep -c ":"' > without
is "$(cat with)" "$(cat without)" 'open descriptors'
rec -q -- sh -c 'exec cat > /dev/null' < /dev/null > out 2>&1
is "$(cat out)" ''

begin 'a signal to the recorder alone reaches the program, once'
cat > counting << 'END'
#!/bin/bash
# Counts signals until it has slept for a second, and tells.
trap 'echo USR1' USR1; trap 'echo USR2' USR2; trap 'echo TERM' TERM; trap 'echo HUP' HUP; trap 'echo INT' INT
echo ready
end=$((${EPOCHREALTIME/./} + 1000000))
while [ "${EPOCHREALTIME/./}" -lt $end ]; do sleep 0.02; done
exit 5
END
chmod +x counting
# signalled WHOM: sends three signals to the process (or "-", its group) and keeps what it says
signalled() {
    setsid "$RUNCAST" record --app t --size 10 --procs 1 --local --no-monitor -q -- ./counting > said 2> err &
    recorder=$!
    for _ in $(seq 100); do grep -q ready said && break; sleep 0.02; done
    for signal in USR1 HUP TERM; do
        kill -$signal -- "$1$recorder" 2> /dev/null || kill -$signal -- "$1$(pgrep -P $recorder | head -1)"
        sleep 0.15
    done
    wait $recorder
    status=$?
}
signalled ''
is "$(sort said | tr '\n' ' ')" 'HUP TERM USR1 ready '
is $status 5
is "$(last status)" interrupted

begin 'a signal to the whole group reaches the program, once'
signalled -
is "$(sort said | tr '\n' ' ')" 'HUP TERM USR1 ready '
is $status 5

begin 'what ends it before its time is an interruption'
run timeout -s INT 0.7 "$RUNCAST" record --app t --size 1 --procs 1 --local --no-monitor -- sleep 20
is "$(last status)" interrupted
run timeout 0.7 "$RUNCAST" record --app t --size 1 --procs 1 --local --no-monitor -- sleep 20
is "$(last status)" interrupted
is "$(python3 -c "print($(last time_s) < 15)")" True

begin 'nohup stays nohup'
nohup "$RUNCAST" record --app t --size 10 --procs 1 --local --no-monitor -- sleep 0.6 > out 2> err < /dev/null &
recorder=$!
sleep 0.3
kill -HUP $recorder
wait $recorder
is $? 0
is "$(last status)" ok

begin 'on a terminal: it has it, Ctrl-C and Ctrl-Z and fg work'
cat > terminal.py << 'END'
import os, pty, select, sys, time
def session(record, keys):
    """Types (what to wait for, what to type) into an interactive shell and returns all that it showed."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ['PS1'] = '$ '
        os.execvp('bash', ['bash', '--norc', '--noprofile', '-i'])
    shown, deadline = b'', time.time() + 20
    for wanted, typed in keys:
        at = len(shown)
        while wanted.encode() not in shown[at:] and time.time() < deadline:
            if select.select([fd], [], [], 0.1)[0]:
                try:
                    shown += os.read(fd, 4096)
                except OSError:
                    break
        time.sleep(0.2)
        os.write(fd, typed.replace('RECORD', record).encode())
    while time.time() < deadline:
        try:
            data = os.read(fd, 4096)
        except OSError:
            break
        shown += data
    os.waitpid(pid, 0)
    return shown.decode(errors='replace')
record = f'{sys.argv[1]} record --app tty --size 1 --procs 1 --local --no-monitor --'
if sys.argv[2] == 'c':
    print(session(record, [('$ ', "RECORD sh -c 'test -t 0 && test -t 1 && echo has-tt''y; sleep 9'\r"), ('has-tty', '\x03'), ('stored', 'echo status=$?\r'), ('status=1', 'exit\r')]))
else:
    print(session(record, [('$ ', "RECORD sh -c 'echo be''gun; sleep 0.5; echo done-n''ow'\r"), ('begun', '\x1a'), ('Stopped', 'jobs; fg\r'), ('stored', 'echo status=$?\r'), ('status=0', 'exit\r')]))
END
python3 terminal.py "$RUNCAST" c > out
prints 'has-tty'
prints 'status=130'
is "$(last status)" interrupted
python3 terminal.py "$RUNCAST" z > out
prints 'Stopped'
prints 'done-now'
prints 'status=0'
is "$(last status)" failed 'status of a run that was stopped for a while'
if command -v script > /dev/null; then
    script -qec "$RUNCAST record --app tty --size 1 --procs 1 --local --no-monitor -q -- tty" /dev/null > out
    prints /dev/
fi

finish
