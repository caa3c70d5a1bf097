#!/bin/bash
# Checks of this machine.
. "$(dirname "$0")/harness.sh"

begin 'doctor reports, and succeeds if runcast can work'
ok "$RUNCAST" doctor
prints 'usable'
prints 'monotonic clock'
prints ' GiB in total'
prints 'SimGrid'

begin 'in JSON, each check has a verdict, and advice unless it is ok'
ok "$RUNCAST" doctor --json
is "$(json "all(c['verdict'] in ('ok', 'limited', 'missing', 'broken') for c in j['checks'])")" True
is "$(json "all(c['advice'] for c in j['checks'] if c['verdict'] != 'ok')")" True
is "$(json "len(j['checks']) >= 12")" True

begin 'an absent program is missing, with advice to install it'
mkdir bin
ok env PATH="$WORK/bin" "$RUNCAST" doctor --json
is "$(json "[c['verdict'] for c in j['checks'] if c['name'] == 'gnuplot']")" "['missing']"
is "$(json "['apt-get install' in c['advice'] for c in j['checks'] if c['name'] == 'gnuplot']")" '[True]'

begin 'a program is found, and broken if it does not answer'
printf '#!/bin/sh\necho "gnuplot 9.8 patchlevel 7"\n' > bin/gnuplot
chmod +x bin/gnuplot
ok env PATH="$WORK/bin:$PATH" "$RUNCAST" doctor --json
is "$(json "[c['verdict'] for c in j['checks'] if c['name'] == 'gnuplot']")" "['ok']"
is "$(json "['9.8' in c['fact'] for c in j['checks'] if c['name'] == 'gnuplot']")" '[True]'
printf '#!/bin/sh\nexit 3\n' > bin/gnuplot
ok env PATH="$WORK/bin:$PATH" "$RUNCAST" doctor --json
is "$(json "[c['verdict'] for c in j['checks'] if c['name'] == 'gnuplot']")" "['broken']"

begin 'an impossible place of the database is a failure'
fails "$RUNCAST" doctor --db /proc/nowhere/store.db

begin 'nothing is left behind'
before=$(ip netns list 2> /dev/null; find /sys/fs/cgroup -maxdepth 4 -name '*runcast*' 2> /dev/null)
for _ in 1 2 3; do ok "$RUNCAST" doctor; done
is "$(ip netns list 2> /dev/null; find /sys/fs/cgroup -maxdepth 4 -name '*runcast*' 2> /dev/null)" "$before"
[ ! -e "$RUNCAST_DB" ] || fault 'doctor made a database'

finish
