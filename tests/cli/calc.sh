#!/bin/bash
# Expressions over stochastic values.
. "$(dirname "$0")/harness.sh"

begin 'a normal is shown for people'
ok "$RUNCAST" calc 'normal(12, 0.3) * 17'
is "$(awk '$1 == "kind" || $1 == "mean" || $1 == "sd" { printf "%s ", $2 }' out)" 'normal 204 5.1 '
prints '193.8 to 214.2'
prints '195.611 to 212.389'
silent

begin 'the kind can be asked for'
ok "$RUNCAST" calc 'normal(12,0.3)*17' --as interval --json
is "$(json "j['kind'], round(j['low'], 9), round(j['high'], 9)")" "('interval', 193.8, 214.2)"
ok "$RUNCAST" calc 'normal(12,0.3)*17' --as point --json
is "$(json "j['kind'], j['mean'], j['sd']")" "('point', 204, 0)"
ok "$RUNCAST" calc '3 + 4' --as interval --json
is "$(json "j['kind'], j['mean']")" "('point', 7)"
misused "$RUNCAST" calc 1 --as uniform

begin 'the JSON of every kind has the same keys'
for kind in point normal interval histogram sample; do
    ok "$RUNCAST" calc 'x = normal(50, 2); x / 2 + interval(1, 2)' --as $kind --json
    is "$(json "j['kind'], sorted(j), sorted(j['interval']), round(j['p50'] - 26.5)")" \
        "('$kind', ['high', 'interval', 'kind', 'low', 'mean', 'p05', 'p25', 'p50', 'p75', 'p95', 'schema', 'sd'], ['high', 'level', 'low'], 0)"
    is "$(json "j['low'] <= j['interval']['low'] <= j['p05'] + 1e-9 and j['interval']['high'] <= j['high']")" True "$kind"
done

begin 'modal values keep their modes'
modes='modal(0.94:0.02:0.5, 0.49:0.03:0.3, 0.33:0.01:0.2)'
ok "$RUNCAST" calc "$modes" --json
is "$(json "j['kind'], round(j['mean'], 9), [(m['mean'], m['sd'], m['share']) for m in j['modes']]")" \
    "('modal', 0.683, [(0.33, 0.01, 0.2), (0.49, 0.03, 0.3), (0.94, 0.02, 0.5)])"
ok "$RUNCAST" calc "60s / $modes"
prints 'mode 3         181.985, sd 5.5'
ok "$RUNCAST" calc "$modes" --as normal --rules dissertation --json # Eq. 4.10 and 4.11
is "$(json "j['kind'], round(j['mean'], 9), round(j['sd'], 9)")" "('normal', 0.683, 0.021)"
ok "$RUNCAST" calc "$modes" --as sample --json
is "$(json "0.67 < j['mean'] < 0.70 and 0.25 < j['sd'] < 0.28")" True
fails "$RUNCAST" calc 'modal(1:0.1:0.5, 2:0.1:0.4)'
complains 'the probabilities of modes sum to 0.9, not to 1'
fails "$RUNCAST" calc 'modal(1:0.1)'
complains "expected ':'"

begin 'a name is one quantity'
for kind in normal interval sample; do
    ok "$RUNCAST" calc 'x = normal(5, 1); x - x' --as $kind --json
    is "$(json "j['kind'], j['mean'], j['sd']")" "('$kind', 0, 0)"
done
ok "$RUNCAST" calc 'x = interval(4,5); y = interval(1,2); (x - y)/(x + y)'
prints '0.333333 to 0.666667'

begin 'the seed determines the samples'
ok "$RUNCAST" calc 'exp(normal(0, 1))' --as sample --samples 500 --json
first=$(json "j['mean']")
ok "$RUNCAST" calc 'exp(normal(0, 1))' --as sample --samples 500 --seed 1 --json
is "$(json "j['mean']")" "$first"
ok "$RUNCAST" calc 'exp(normal(0, 1))' --as sample --samples 500 --seed 2 --json
[ "$(json "j['mean']")" != "$first" ] || fault 'another seed gives the same samples'

begin 'the rules can be chosen'
ok "$RUNCAST" calc 'normal(8, 0.6) * normal(5, 0.8)' --rules dissertation --correlated --json
is "$(json "round(j['sd'], 9)")" 9.88
ok "$RUNCAST" calc 'max(normal(8, 0.6), normal(7, 2))' --extreme mean --json
is "$(json "j['mean'], j['sd']")" '(8, 0.6)'
ok "$RUNCAST" calc 'max(normal(8, 0.6), normal(7, 2))' --extreme end --json
is "$(json "j['mean'], j['sd']")" '(7, 2)'
ok "$RUNCAST" calc 'interval(0, 100)' --level 0.5 --json
is "$(json "j['interval']['level'], j['interval']['low'], j['interval']['high']")" '(0.5, 25, 75)'
misused "$RUNCAST" calc 1 --correlated
misused "$RUNCAST" calc 1 --level 1
misused "$RUNCAST" calc 1 --samples 0
misused "$RUNCAST" calc 1 --samples 100000000
misused "$RUNCAST" calc
misused "$RUNCAST" calc 1 2

begin 'faults are shown with a caret'
fails "$RUNCAST" calc '1 + (2 * )'
complains "expression:1:10: unexpected ')'; expected a value"
is "$(tail -2 err)" '  1 + (2 * )
           ^'
is "$(wc -l < err)" 3 'lines'
fails "$RUNCAST" calc 'y = interval(-1, 1);
	µ = 3'
complains "expression:2:2: unexpected 'µ'; expected a value"
is "$(tail -1 err)" '   ^'
fails "$RUNCAST" calc 'y = interval(-1, 1); 1 / y'
complains 'expression:1:24: division'
fails "$RUNCAST" calc 64K
complains 'hint: write 64KiB'
fails "$RUNCAST" calc '100Mbit/s'
complains "without '/s'"
fails "$RUNCAST" calc $'1 + \e[31m'
grep -q $'\e' err && fault 'an escape reaches the terminal'
fails "$RUNCAST" calc ''
complains 'the expression ends'

begin 'long and deep expressions are refused'
fails "$RUNCAST" calc "$(printf '(%.0s' {1..10000})"
complains 'nested brackets'
is "$(awk '{ if (length > most) most = length } END { print (most < 200) }' err)" 1
fails "$RUNCAST" calc "$(printf '1+%.0s' {1..40000})1"
complains 'longer than 65536'
ok "$RUNCAST" calc "$(printf '1+%.0s' {1..9000})1"
prints 9001

# sampled FILE [SHIFT]: a table with a sample each 10 s for ten minutes, up to 2026-11-15T10:00.
sampled() {
    awk -v shift="${1:-0}" 'BEGIN {
        print "t,value"
        for (i = 1; i <= 60; i++)
            printf "%d,%.3f\n", 1794736800 - 600 + 10 * i, 0.2 + ((i * 37 + shift) % 61) / 100
    }'
}
at=2026-11-15T10:00

begin 'a series is a sample of what it was in a window'
sampled > s.csv
sampled 17 > other.csv
for host in a1 copy node-7.lab; do ok "$RUNCAST" series import s.csv --host $host --metric cpu; done
ok "$RUNCAST" series import other.csv --host a2 --metric cpu
ok "$RUNCAST" series import other.csv --link a1:a2 --metric bandwidth
ok "$RUNCAST" calc 'series[a1, cpu]' --at $at --window 10min --json
is "$(json "j['kind'], 0.2 <= j['low'] < 0.23, 0.78 < j['high'] <= 0.81, abs(j['mean'] - 0.5) < 0.02")" \
    "('sample', True, True, True)"
ok "$RUNCAST" calc 'series[a1, a2, bandwidth]' --at $at --json
is "$(json "j['kind']")" sample
ok "$RUNCAST" calc 'series[a1, cpu]' --at $at --window 15s --json
is "$(json "j['sd'] > 0")" True # the sample before the window counts, too
ok "$RUNCAST" calc 'series[a1, cpu]' --at $at --as normal --json
is "$(json "j['kind'], j['sd'] > 0.1")" "('normal', True)"
ok "$RUNCAST" calc 'series[a1, cpu]' --at $at --samples 77 --as sample --seed 9
silent

begin 'the value before the window is valid in it until the next sample'
printf 't,value\n1000,1\n1100,2\n' > two.csv
ok "$RUNCAST" series import two.csv --host two --metric m
ok "$RUNCAST" calc 'series[two, m]' --at 1110 --window 60 --json # 1 for 50 s, 2 for 10 s
is "$(json "j['low'], j['high'], abs(j['mean'] - 7 / 6) < 0.02")" '(1, 2, True)'
ok "$RUNCAST" calc 'series[two, m]' --at 1010 --window 60 --json # nothing was before
is "$(json "j['mean'], j['sd']")" '(1, 0)'

begin 'samples of all series are of the same instants'
ok "$RUNCAST" calc 'series[a1, cpu] - series[a1, cpu]' --at $at --json
is "$(json "j['kind'], j['mean'], j['sd']")" "('sample', 0, 0)"
ok "$RUNCAST" calc 'x = normal(0, 1); series[a1, cpu] + x - (series[copy, cpu] + x)' --at $at --json
is "$(json "max(abs(j['low']), abs(j['high'])) < 1e-12")" True
ok "$RUNCAST" calc 'series[a1, cpu] - series[a2, cpu]' --at $at --json
is "$(json "j['sd'] > 0.1")" True
ok "$RUNCAST" calc 'series[a1, cpu]' --at $at --json
first=$(json "j['mean']")
ok "$RUNCAST" calc 'series[a1, cpu] + 0 * series[a2, cpu] * normal(0, 1)' --at $at --json
is "$(json "round(j['mean'], 12)")" "$(python3 -c "print(round($first, 12))")" 'other samples change none'
ok "$RUNCAST" calc 'series[a1, cpu]' --at $at --seed 2 --json
[ "$(json "j['mean']")" != "$first" ] || fault 'another seed gives the same samples'

begin 'hosts make a set'
ok "$RUNCAST" calc 'max(h in hosts: 10 / series[h, cpu])' --hosts 'a[1-2],node-7.lab' --at $at --json
is "$(json "j['kind'], j['high'] <= 50 and j['mean'] > 20")" "('sample', True)"
ok "$RUNCAST" calc 'max(h in hosts: series[h, cpu]) - series[a1, cpu]' --hosts a1,copy --at $at --json
is "$(json "j['mean'], j['sd']")" '(0, 0)'
ok "$RUNCAST" calc 'count(hosts)' --hosts 'a[01-12]' --json
is "$(json "j['mean']")" 12
fails "$RUNCAST" calc 'max(h in hosts: 1)'
complains 'hint: name its hosts with --hosts'
fails "$RUNCAST" calc 'max(h in nodes: 1)' --hosts a1
complains "unknown set 'nodes'"
misused "$RUNCAST" calc 1 --hosts 'a[1-'
complains '--hosts'

begin 'an unusable series is an error with a hint'
fails "$RUNCAST" calc '1 / series[a1, cpu]' --at 2026-11-16
complains "the series 'cpu' of a1 has no sample from 2026-11-15T23:55:00Z to 2026-11-16T00:00:00Z"
complains 'use --at 2026-11-15T10:00:00Z, or a longer window'
is "$(tail -1 err)" '      ^'
fails "$RUNCAST" calc 'series[a1, cpu]' --at 2020-01-01
complains 'use --at 2026-11-15T10:00:00Z'
fails "$RUNCAST" calc 'series[a1, cpux]' --at $at
complains "did you mean 'cpu' of a1?"
fails "$RUNCAST" calc 'series[a1, a2, bandwith]' --at $at
complains "did you mean 'bandwidth' of a1:a2?"
fails "$RUNCAST" calc 'series[elsewhere, temperature]'
complains "hint: 'runcast series list'"
fails "$RUNCAST" calc 'series[a1]'
complains 'series[HOST, METRIC]'
fails "$RUNCAST" calc 'series[a1, cpu] + more' --at $at
complains "unknown name 'more'"
fails "$RUNCAST" calc 'series[a1, cpu]' --db none.db
complains 'no database yet'
[ ! -e none.db ] || fault 'a store was made'
ok "$RUNCAST" calc '1 + 1' --db none.db
misused "$RUNCAST" calc 1 --window 0
misused "$RUNCAST" calc 1 --at soon

# magic FILE: how it begins.
magic() { head -c 5 "$1" | od -An -c | tr -d ' \n'; }

begin 'results are plotted'
if ! command -v gnuplot > /dev/null; then
    skip 'needs gnuplot'
else
    for kind in point normal interval histogram sample; do
        ok "$RUNCAST" calc 'x = normal(50, 2); x / 2 + interval(1, 2)' --as $kind --plot $kind.svg
        prints "$([ $kind = point ] && echo value || echo mean)"
        silent
        is "$(magic $kind.svg)" '<?xml' $kind
        is "$(grep . $kind.svg | tail -n 1)" '</svg>' $kind
    done
    ok "$RUNCAST" calc 'exp(normal(0, 1))' --as sample --plot a.png --json
    is "$(json "j['kind'], sorted(j)")" \
        "('sample', ['high', 'interval', 'kind', 'low', 'mean', 'p05', 'p25', 'p50', 'p75', 'p95', 'schema', 'sd'])"
    is "$(magic a.png)" '211PNG\r'
    ok "$RUNCAST" calc 'histogram(1:1:0.3, 2:3:0.7)' --plot a.pdf
    is "$(magic a.pdf)" '%PDF-'
    ok "$RUNCAST" calc 'max(h in hosts: series[h, cpu])' --hosts a1,a2 --at $at --plot h.svg
    grep -q 'max(h in hosts: series\[h, cpu\])' h.svg || fault 'there is no title'
    for expression in 0 -1e-300 1e200 'normal(1e9, 1e-3)' 'interval(-1e-9, 1e9)'; do
        ok "$RUNCAST" calc --plot odd.svg -- "$expression"
        silent
    done
    fails "$RUNCAST" calc --plot huge.svg 1e308
    complains 'too large'
    prints 'value'
    is "$(find . -name '*runcast-plot*')" '' 'left behind'
fi

begin 'a plot that fails keeps the older file, and the result is still printed'
echo old > old.svg
misused "$RUNCAST" calc 1 --plot old.gif
complains 'hint: use a file name that ends in .svg, .png or .pdf'
is "$(cat out)" ''
mkdir empty fake
fails env PATH="$WORK/empty" "$RUNCAST" calc 1 --plot old.svg
prints 'value'
complains "gnuplot is not installed"
complains 'hint: apt install gnuplot-nox'
printf '#!/bin/sh\necho "<svg>half"\necho "  line 0: out of ink" >&2\nexit 1\n' > fake/gnuplot
chmod +x fake/gnuplot
fails env PATH="$WORK/fake:$PATH" "$RUNCAST" calc 1 --plot old.svg --json
is "$(json "j['mean']")" 1
complains 'gnuplot failed: line 0: out of ink'
printf '#!/bin/sh\nexit 0\n' > fake/gnuplot
fails env PATH="$WORK/fake:$PATH" "$RUNCAST" calc 1 --plot old.svg
printf '#!/bin/sh\necho new\n' > fake/gnuplot
fails env PATH="$WORK/fake:$PATH" "$RUNCAST" calc 1 --plot nowhere/new.svg
complains 'No such file or directory'
mkdir folder.svg
fails env PATH="$WORK/fake:$PATH" "$RUNCAST" calc 1 --plot folder.svg
mkdir locked
cp old.svg locked/old.svg
cp "$RUNCAST" program # where it was built, others may not look
chmod 755 "$WORK"
chmod 555 locked
as_nobody=()
am_root && as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fails "${as_nobody[@]}" env PATH="$WORK/fake:$PATH" ./program calc 1 --plot locked/old.svg
complains 'Permission denied'
prints 'value'
is "$(cat locked/old.svg)" old
chmod 755 locked
is "$(cat old.svg)" old
ok env PATH="$WORK/fake:$PATH" "$RUNCAST" calc 1 --plot old.svg
is "$(cat old.svg)" new
is "$(find . -name '*runcast-plot*')" '' 'left behind'

begin 'Ctrl-C ends gnuplot, and leaves nothing behind'
printf '#!/bin/sh\necho $$ > started\nexec sleep 1000\n' > fake/gnuplot
PATH="$WORK/fake:$PATH" setsid "$RUNCAST" calc 1 --plot old.svg > out 2> err &
caller=$! # which ignores SIGINT, as all background processes of a script
for _ in $(seq 300); do [ -s started ] && break; sleep 0.1; done
kill -TERM $caller
wait $caller
is $? 143
complains 'interrupted'
prints 'value'
kill -0 "$(cat started)" 2> /dev/null && fault 'gnuplot goes on'
is "$(cat old.svg)" new
is "$(find . -name '*runcast-plot*')" '' 'left behind'

finish
