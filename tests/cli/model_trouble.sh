#!/bin/bash
# Structural models that are no models, are too much, or never end.
. "$(dirname "$0")/harness.sh"

# short_lines: no line of the complaint is longer than a terminal can show.
short_lines() {
    is "$(awk '{ if (length > most) most = length } END { print (most < 250) }' err)" 1 'short lines'
}

# Each verb on a file, as FILE.rcm and with --with: it must fail with these words.
refused() {
    local verb
    for verb in check eval explain accuracy; do
        fails timeout 30 "$RUNCAST" model $verb "$1"
        complains "$2"
        is "$(cat out)" '' "$verb $1"
        short_lines
        fails timeout 30 "$RUNCAST" model $verb good.rcm --with "$1"
        complains "$2"
    done
}

printf 'model good\ninput N = 1\ntotal t = N\n' > good.rcm
printf 'app,n,p,seconds\ngood,1,1,1\n' > good.csv
"$RUNCAST" import good.csv > /dev/null

begin 'files that cannot be read are reported'
refused nowhere.rcm 'nowhere.rcm: No such file or directory'
mkdir folder.rcm
refused folder.rcm 'folder.rcm: Is a directory'
: > empty.rcm
fails "$RUNCAST" model check empty.rcm
complains 'empty.rcm:1:1: the file has no statements'
complains 'hint: begin the model with: model NAME'
printf '\n# nothing\n\n' > comment.rcm
fails "$RUNCAST" model eval comment.rcm
complains 'the file has no statements'

begin 'a file without permission is reported'
cp good.rcm locked.rcm
chmod 000 locked.rcm
cp "$RUNCAST" program # where it was built, others may not look
chmod 755 "$WORK"
as_nobody=()
am_root && as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fails "${as_nobody[@]}" ./program model eval locked.rcm
complains 'locked.rcm: Permission denied'
ok "${as_nobody[@]}" ./program model eval good.rcm

begin 'a further file may be empty'
ok "$RUNCAST" model eval good.rcm --with empty.rcm --with comment.rcm --json
is "$(json "j['mean_s']")" 1

begin 'a line of 10 MB is refused'
head -c 10000000 /dev/zero | tr '\0' a > long.rcm
refused long.rcm 'more than 1048576 bytes'
{ printf 'model m\ntotal t = '; head -c 1000000 /dev/zero | tr '\0' 1; } > digits.rcm
refused digits.rcm 'digits.rcm:'
{ printf 'model m # '; head -c 1000000 /dev/zero | tr '\0' x; printf '\ntotal t = 1 +\n'; } > far.rcm
fails "$RUNCAST" model check far.rcm
complains 'far.rcm:2:'
short_lines

begin '10 000 brackets are refused'
brackets=$(printf '(%.0s' {1..10000})
{ echo 'model m'; echo "total t = ${brackets}1"; } > deep.rcm
fails "$RUNCAST" model eval deep.rcm
complains 'deep.rcm:2:'
complains 'nested brackets'
short_lines
fails "$RUNCAST" model eval good.rcm --set "N=${brackets}1"
complains 'nested brackets'
{ echo 'model m'; echo "total t = x${brackets//(/[}"; } > deep.rcm
fails "$RUNCAST" model eval deep.rcm
complains 'deep.rcm:2:'

begin 'bytes that are not text are refused'
printf 'model m\ntotal t = 1\0 + 1\n' > nul.rcm
refused nul.rcm 'nul.rcm:2:12: NUL byte'
printf 'model m\ntotal t = 1 # \xff\n' > latin.rcm
refused latin.rcm 'latin.rcm:2:15: '
head -c 3000 /dev/urandom > noise.rcm
fails "$RUNCAST" model check noise.rcm
printf 'model m\ntotal t = \e[31mred\n' > escape.rcm
fails "$RUNCAST" model check escape.rcm
grep -q $'\e' err && fault 'an escape reaches the terminal'
printf 'model m "\e[31m"\ntotal t = nothing\n' > escape.rcm
run "$RUNCAST" model check escape.rcm
cat out err > all
grep -q $'\e' all && fault 'an escape of a text reaches the terminal'

begin 'more files than there may be are refused'
many=()
for _ in {1..15}; do many+=(--with empty.rcm); done
ok "$RUNCAST" model eval good.rcm "${many[@]}"
fails "$RUNCAST" model eval good.rcm "${many[@]}" --with empty.rcm
complains 'more than 16 files'

begin 'alternatives that refer to alternatives end'
{
    echo 'model chain'
    for i in $(seq 0 39); do echo "component T$i by w = T$((i + 1)).w + T$((i + 1)).w"; done
    echo 'component T40 by w = 1'
    echo 'total t = T0.w'
} > chain.rcm
for verb in check eval explain; do
    ok timeout 30 "$RUNCAST" model $verb chain.rcm --json
done
[ ! -s out ] || is "$(json "j['mean_s'] == 2 ** 40")" True
sed 's/\.w + /.w * /; s/= T\([0-9]*\)\.w/= T\1/; s/T\([0-9]*\)\.w$/T\1/' chain.rcm > tasks.rcm
ok timeout 30 "$RUNCAST" model eval tasks.rcm

begin 'many alternatives and many references are checked'
{
    echo 'model many'
    for i in $(seq 1000); do echo "component T by w$i = 1"; done
    echo "total t = T$(printf '+T%.0s' {1..9000})"
} > alternatives.rcm
ok timeout 30 "$RUNCAST" model check alternatives.rcm
ok timeout 30 "$RUNCAST" model eval alternatives.rcm --json
is "$(json "j['mean_s']")" 9001

begin 'circles end, and are reported'
printf 'model m\ndefine a = b\ndefine b = a\ntotal t = a\n' > circle.rcm
fails timeout 30 "$RUNCAST" model eval circle.rcm
complains 'refer'
fails timeout 30 "$RUNCAST" model check circle.rcm
complains 'refers to itself'
printf 'model m\ncomponent T by w = T.v + T.v\ncomponent T by v = T.w + T.w\ntotal t = T\n' > circle.rcm
for verb in check eval explain; do
    fails timeout 30 "$RUNCAST" model $verb circle.rcm
done
printf 'model m\nset a = b\nset b = a\ntotal t = count(a)\n' > circle.rcm
fails timeout 30 "$RUNCAST" model eval circle.rcm --hosts x
complains 'the set is made from itself'
fails timeout 30 "$RUNCAST" model check circle.rcm

begin 'conditions of two parameters are refused or carried out, but do not crash'
cat > pairs.rcm << 'END'
model pairs
hosts a1,a2
input b[x, y] = table
        a1  a2
    a1  3   4
    a2  5   6
component T[x, y] by w = b[x, y]
    when b[x, y] > 2
total t = T[a1, a2]
END
"$RUNCAST" model eval pairs.rcm > out 2> err
ended=$?
[ $ended -le 1 ] || fault "exit status $ended: $(head -c 300 err)"
fails "$RUNCAST" model check pairs.rcm

begin 'many hosts take their time, but come to an end'
printf 'model many\ntotal t = sum(h in hosts: count(others[h]))\n' > many.rcm
ok timeout 100 "$RUNCAST" model eval many.rcm --hosts 'a[1-3000]' --json
is "$(json "j['mean_s']")" $((3000 * 2999))
printf 'model many\ntotal t = sum(h in hosts: sum(j in hosts: 1))\n' > many.rcm
fails timeout 100 "$RUNCAST" model eval many.rcm --hosts 'a[1-3000]'
complains 'steps'
fails timeout 100 "$RUNCAST" model eval many.rcm --hosts 'a[1-3000]' --set N=1
misused timeout 100 "$RUNCAST" model eval many.rcm --hosts 'a[1-999999]'

begin 'Ctrl-C ends a comparison, and says so'
awk 'BEGIN { print "app,n,p,seconds"; for (i = 1; i <= 30000; i++) print "slow," i ",1," i }' > slow.csv
ok "$RUNCAST" import slow.csv
cat > slow.rcm << 'END'
model slow
input N from size
component A by w = N * normal(1, 0.1)
component B by w = N * interval(0, 1) / 10
total t = A + B
END
cp store.db before.db
# Sooner or later, until one is caught: how long a comparison takes differs from machine to machine.
for delay in 2 1 0.5; do
    python3 - "$RUNCAST" $delay << 'END' > signalled.out 2>&1
import signal, subprocess, sys, time
child = subprocess.Popen([sys.argv[1], 'model', 'accuracy', 'slow.rcm', '--as', 'sample', '--json'],
                         stdout=open('interrupted.out', 'w'),
                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
time.sleep(float(sys.argv[2]))
child.send_signal(signal.SIGINT)
sys.exit(0 if child.wait(60) == -signal.SIGINT else 1)
END
    caught=$?
    [ $caught -eq 0 ] && break
done
is "$caught" 0 'ended by SIGINT'
grep -q 'interrupted' signalled.out || fault "it said: $(cat signalled.out)"
is "$(cat interrupted.out)" '' 'half a result'
ok "$RUNCAST" db check
is "$(find . -name 'store.db-*')" '' 'left behind'

finish
