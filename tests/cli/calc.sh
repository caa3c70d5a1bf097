#!/bin/bash
# Calculating with values of which only a distribution is known.
. "$(dirname "$0")/harness.sh"

begin 'a normal is shown for people'
ok "$RUNCAST" calc 'normal(12, 0.3) * 17'
is "$(awk '$1 == "kind" || $1 == "mean" || $1 == "sd" { printf "%s ", $2 }' out)" 'normal 204 5.1 '
prints '193.8 to 214.2'
prints '195.611 to 212.389'
silent

begin 'the kind can be asked for'
ok "$RUNCAST" calc 'normal(12,0.3)*17' --as interval --json
is "$(json "j['kind'], round(j['lo'], 9), round(j['hi'], 9)")" "('interval', 193.8, 214.2)"
ok "$RUNCAST" calc 'normal(12,0.3)*17' --as point --json
is "$(json "j['kind'], j['mean'], j['sd']")" "('point', 204, 0)"
ok "$RUNCAST" calc '3 + 4' --as interval --json
is "$(json "j['kind'], j['mean']")" "('point', 7)"
misused "$RUNCAST" calc 1 --as uniform

begin 'JSON tells the same of every kind'
for kind in point normal interval histogram sample; do
    ok "$RUNCAST" calc 'x = normal(50, 2); x / 2 + interval(1, 2)' --as $kind --json
    is "$(json "j['kind'], sorted(j), list(j['quantiles']), round(j['quantiles']['50'] - 26.5)")" \
        "('$kind', ['hi', 'high', 'kind', 'level', 'lo', 'low', 'mean', 'quantiles', 'sd'], ['5', '25', '50', '75', '95'], 0)"
    is "$(json "j['lo'] <= j['low'] <= j['quantiles']['5'] + 1e-9 and j['high'] <= j['hi']")" True "$kind"
done

begin 'a name is one quantity'
for kind in normal interval sample; do
    ok "$RUNCAST" calc 'x = normal(5, 1); x - x' --as $kind --json
    is "$(json "j['kind'], j['mean'], j['sd']")" "('$kind', 0, 0)"
done
ok "$RUNCAST" calc 'x = interval(4,5); y = interval(1,2); (x - y)/(x + y)'
prints '0.333333 to 0.666667'

begin 'draws follow from the seed'
ok "$RUNCAST" calc 'exp(normal(0, 1))' --as sample --draws 500 --json
first=$(json "j['mean']")
ok "$RUNCAST" calc 'exp(normal(0, 1))' --as sample --draws 500 --seed 1 --json
is "$(json "j['mean']")" "$first"
ok "$RUNCAST" calc 'exp(normal(0, 1))' --as sample --draws 500 --seed 2 --json
[ "$(json "j['mean']")" != "$first" ] || fault 'another seed gives the same draws'

begin 'the rules can be chosen'
ok "$RUNCAST" calc 'normal(8, 0.6) * normal(5, 0.8)' --rules dissertation --correlated --json
is "$(json "round(j['sd'], 9)")" 9.88
ok "$RUNCAST" calc 'max(normal(8, 0.6), normal(7, 2))' --extreme mean --json
is "$(json "j['mean'], j['sd']")" '(8, 0.6)'
ok "$RUNCAST" calc 'max(normal(8, 0.6), normal(7, 2))' --extreme end --json
is "$(json "j['mean'], j['sd']")" '(7, 2)'
ok "$RUNCAST" calc 'interval(0, 100)' --level 0.5 --json
is "$(json "j['level'], j['low'], j['high']")" '(0.5, 25, 75)'
misused "$RUNCAST" calc 1 --correlated
misused "$RUNCAST" calc 1 --level 1
misused "$RUNCAST" calc 1 --draws 0
misused "$RUNCAST" calc 1 --draws 100000000
misused "$RUNCAST" calc
misused "$RUNCAST" calc 1 2

begin 'faults are shown with a caret'
fails "$RUNCAST" calc '1 + (2 * )'
complains "expression:1:10: ')' where a value should stand"
is "$(tail -2 err)" '  1 + (2 * )
           ^'
is "$(wc -l < err)" 3 'lines'
fails "$RUNCAST" calc 'y = interval(-1, 1);
	µ = 3'
complains "expression:2:2: 'µ' where a value should stand"
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
complains 'within one another'
is "$(awk '{ if (length > most) most = length } END { print (most < 200) }' err)" 1
fails "$RUNCAST" calc "$(printf '1+%.0s' {1..40000})1"
complains 'longer than 65536'
ok "$RUNCAST" calc "$(printf '1+%.0s' {1..9000})1"
prints 9001

finish
