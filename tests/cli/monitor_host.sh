#!/bin/bash
# Monitoring this host: samples, their storage, the end, and the protocol of an agent.
. "$(dirname "$0")/harness.sh"

begin 'samples are shown and stored'
ok "$RUNCAST" monitor --duration 0.65s --interval 0.2s --probe-interval never --json
silent
shown=$(wc -l < out)
[ "$shown" -ge 1 ] || fault 'no sample'
is "$(python3 -c "
import json
samples = [json.loads(line) for line in open('out')]
good = all(0 <= s['cpu'] <= 1 and s['memory_bytes'] > 0 and s['load1'] >= 0 and s['in_bytes_per_s'] >= 0
           and s['out_bytes_per_s'] >= 0 for s in samples)
print(good and samples == sorted(samples, key=lambda s: s['time']))")" True 'samples'
ok "$RUNCAST" series list --json
is "$(json 'sorted(s["metric"] for s in j["series"])')" \
    "['cpu', 'in', 'load1', 'load15', 'load5', 'memory', 'out']" 'metrics'
is "$(json '{s["sample_count"] for s in j["series"]}')" "{$shown}" 'samples stored'
is "$(json '{s["host"] for s in j["series"]}')" "{'$(hostname)'}" 'host'
ok "$RUNCAST" db check

begin 'a table for people'
ok "$RUNCAST" monitor --duration 0.3s --interval 0.1s --no-store
prints 'CPU availability'
prints 'time'
prints 'memory'
[ "$(wc -l < out)" -ge 2 ] || fault "$(cat out)"

begin 'with --quiet nothing is shown, and all is stored'
ok "$RUNCAST" monitor --duration 0.5s --interval 0.2s --probe-interval never --quiet --db quiet.db
silent
[ ! -s out ] || fault "it printed: $(cat out)"
ok "$RUNCAST" series list --db quiet.db --json
is "$(json 'min(s["sample_count"] for s in j["series"]) >= 1')" True 'samples stored'

begin 'the end shows what was stored, and where'
ok "$RUNCAST" monitor --duration 0.5s --interval 0.2s --probe-interval never --db stored.db
is "$(grep -c "^[0-9]* samples stored in [0-9]* series of $(hostname): stored.db$" out)" 1 "$(tail -1 out)"
is "$(sed -n 's/ samples stored in .*//p' out)" "$("$RUNCAST" series list --db stored.db --json |
    python3 -c "import json, sys; print(sum(s['sample_count'] for s in json.load(sys.stdin)['series']))")"

begin '--no-store stores nothing'
ok "$RUNCAST" monitor --duration 0.2s --interval 0.1s --no-store --db none.db
[ ! -e none.db ] || fault 'there is a database'

begin 'wrong calls are refused'
misused "$RUNCAST" monitor --interval 0.01s
complains '--interval must be from 0.1s'
misused "$RUNCAST" monitor --probe-interval 1s
complains '10s or more'
misused "$RUNCAST" monitor --probe-interval often
complains '--probe-interval'
misused "$RUNCAST" monitor --duration 0s
misused "$RUNCAST" monitor what
for option in '--launcher ssh' '--runcast-path x' '--links ring' '--link-interval 1s' '--link-bytes 1MB' '--probe-bytes 1KiB'; do
    # shellcheck disable=SC2086 # an option and its value
    misused "$RUNCAST" monitor $option
    complains "${option%% *} needs --hosts or --platform-file"
done
misused "$RUNCAST" monitor --hosts a1 --agent
complains '--agent is only for this host'
misused "$RUNCAST" monitor --hosts a1 --no-store
complains '--no-store is only for this host'
fails "$RUNCAST" monitor --duration 0.2s --interval 0.1s --db /nowhere/store.db
complains 'opening the database'

begin 'Ctrl-C ends it, and all samples are stored'
"$RUNCAST" monitor --interval 0.2s --db stop.db > out 2> err &
pid=$!
for _ in $(seq 100); do
    [ "$(wc -l < out)" -lt 3 ] || break
    sleep 0.1
done
kill -TERM $pid
wait $pid
is $? 143 'status'
ok "$RUNCAST" series list --db stop.db --json
is "$(json 'min(s["sample_count"] for s in j["series"]) >= 1')" True 'samples stored'

begin 'a locked database is reported once, and takes all in the end'
ok "$RUNCAST" monitor --duration 0.2s --interval 0.1s --db locked.db
python3 - "$RUNCAST" << 'END' > out 2> err
import sqlite3, subprocess, sys, time
lock = sqlite3.connect("locked.db", isolation_level=None)
child = subprocess.Popen([sys.argv[1], "monitor", "--interval", "0.1s", "--duration", "3.5s", "--db", "locked.db", "--json"])
time.sleep(0.3)
lock.execute("BEGIN IMMEDIATE")
time.sleep(1.6)
lock.execute("ROLLBACK")
sys.exit(child.wait())
END
is $? 0 'exit status'
is "$(grep -c 'storing samples: another process has locked the database' err)" 1 "$(cat err)"
complains 'the database accepts samples again'
"$RUNCAST" series export --db locked.db --metric load1 --host "$(hostname)" | cut -d, -f1 > stored
missing=$(python3 -c "
import json
from datetime import datetime
stored = [float(line) for line in open('stored') if line[0].isdigit()]
shown = [datetime.fromisoformat(json.loads(line)['time'].replace('Z', '+00:00')).timestamp() for line in open('out')]
print(sum(min(abs(time - t) for t in stored) > 2e-6 for time in shown))")
is "$missing" 0 'samples that were shown and not stored'

# talk.py: two agents that measure the link between them, as a monitor has them do it.
cat > talk.py << 'END'
import json, socket, subprocess, sys
program = sys.argv[1]

class Agent:
    def __init__(self, *words):
        self.child = subprocess.Popen([program, "monitor", "--agent", "--interval", "0.1s", *words],
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.seen = []
    def read(self, kind):
        for line in self.child.stdout:
            self.seen.append(json.loads(line))
            if kind in self.seen[-1]:
                return self.seen[-1][kind]
        sys.exit(f"no {kind}: {self.seen}")
    def ask(self, line, kind):
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()
        return self.read(kind)
    def end(self):
        self.child.stdin.close()
        rest = self.child.stdout.read()
        return self.child.wait(timeout=10)

a, b = Agent(), Agent("--probe-interval", "never")
assert a.read("hello") == 1 and b.read("hello") == 1
assert a.seen[0]["cores"] >= 1 and a.seen[0]["every"] == 0.1 and a.seen[0]["host"]
assert a.ask("clock 5", "clock")["id"] == 5
assert 0 <= b.read("sample")["cpu"] <= 1
assert a.ask("nonsense", "error")["id"] == 0
assert a.ask("probe 9 x", "error")["id"] == 9
assert "long" in a.ask("x" * 5000, "error")["text"]

there = b.ask("listen 1 127.0.0.1", "listening")
assert there["id"] == 1
assert b.ask("listen 2 *", "error")["id"] == 2       # one at a time
wrong = there["key"][:-1] + ("0" if there["key"][-1] != "0" else "1")
refused = a.ask(f"probe 3 127.0.0.1 {there['port']} {wrong} 4096 1000000", "error")
assert refused["id"] == 3 and "key" in refused["text"], refused
link = a.ask(f"probe 4 127.0.0.1 {there['port']} {there['key']} 4096 1000000000", "link")
assert link["id"] == 4 and link["bandwidth"] > 0 and link["latency"] > 0, link
assert 4096 <= link["bytes"] <= 1000000000 and link["seconds"] > 0, link
# The port is closed, and the key is of no use any more.
assert "connect" in a.ask(f"probe 5 127.0.0.1 {there['port']} {there['key']} 4096 1000000",
                          "error")["text"]
# The agent may take a moment to see that the last probe has ended.
while True:
    b.child.stdin.write("listen 6 *\n")
    b.child.stdin.flush()
    line = {}
    while "listening" not in line and "error" not in line:
        line = json.loads(b.child.stdout.readline())
    if "listening" in line:
        break
# It ends with its input, and so do its children.
assert a.end() == 0 and b.end() == 0
try:
    socket.create_connection(("127.0.0.1", line["listening"]["port"]), 1)
    sys.exit("the port is still open")
except OSError:
    pass
c = Agent()
c.read("hello")
c.child.stdout.close()        # no reader: it ends
c.child.wait(timeout=10)
d = Agent()
d.read("hello")
port = d.ask("listen 1 127.0.0.1", "listening")["port"]
d.child.kill()                # its children end with it
d.child.wait()
for attempt in range(100):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        break
else:
    sys.exit("the port is still open after a kill")
print("ok")
END

begin 'an agent answers a monitor'
run timeout 60 python3 talk.py "$RUNCAST"
prints ok
silent

finish
