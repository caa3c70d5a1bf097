#!/bin/bash
# Help, versions, mistyped words, exit statuses, completion.
. "$(dirname "$0")/harness.sh"

begin 'the version is printed'
ok "$RUNCAST" --version
is "$(cat out)" "runcast $(sed -n "s/^  version: '\(.*\)',/\1/p" "$SOURCE_ROOT/meson.build")"

begin 'help lists the commands by purpose'
ok "$RUNCAST" --help
prints 'Core commands'
prints 'Prediction methods'
silent

begin 'every command has help'
ok "$RUNCAST" help --json
json "'\n'.join(c['name'] + ' ' + v['name'] for c in j['commands'] for v in c.get('verbs', []))" > verbs
json "'\n'.join(c['name'] for c in j['commands'])" >> verbs
[ "$(wc -l < verbs)" -ge 15 ] || fault 'too few commands'
while read -r words; do
    # shellcheck disable=SC2086
    ok "$RUNCAST" $words --help
    prints "usage: runcast $words"
    # shellcheck disable=SC2086
    ok "$RUNCAST" help $words
done < verbs

begin 'no line of help is wider than a terminal of 80 columns'
while read -r words; do
    # shellcheck disable=SC2086
    "$RUNCAST" $words --help | awk -v w="$words" 'length > 80 { print w ": " $0 }' >> wide
done < verbs
is "$(cat wide)" ''

begin 'a mistyped command is recognised'
misused "$RUNCAST" rnus
complains "runcast: command line: unknown command 'rnus'"
complains "hint: did you mean 'runcast runs'?"
misused "$RUNCAST" runs lst
complains "did you mean 'runcast runs list'?"
misused "$RUNCAST" xyzzy
complains '--help'

begin 'wrong calls end with status 2 and a message'
misused "$RUNCAST"
misused "$RUNCAST" runs
misused "$RUNCAST" runs --json
misused "$RUNCAST" --nonsense
misused "$RUNCAST" runs list --ap x
complains 'did you mean --app?'
misused "$RUNCAST" import
complains 'FILE.csv'
misused "$RUNCAST" db info extra
complains "unexpected argument 'extra'"
misused "$RUNCAST" runs list --procs many
complains '--procs'
misused "$RUNCAST" runs list --since tomorrow
misused "$RUNCAST" runs export --csv --json
misused "$RUNCAST" completion tcsh

begin 'errors are one line and a hint'
fails "$RUNCAST" runs list
is "$(wc -l < err)" 2 'lines'
complains 'runcast: opening the database'
complains 'hint: '

begin 'output that cannot be written is an error'
if [ -w /dev/full ]; then
    "$RUNCAST" --help > /dev/full 2> err
    is $? 1 'status'
    complains 'cannot write to standard output'
else
    skip 'needs /dev/full'
fi

begin 'a reader that stops reading causes no message'
table 50000 > t.csv
ok "$RUNCAST" import t.csv
"$RUNCAST" runs list 2> err | head -1 > out
silent
prints 'app'

begin 'bash completes commands, verbs, options and choices'
"$RUNCAST" completion bash > completion.bash
complete_words() {
    bash -c '. ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _runcast
        printf "%s\n" "${COMPREPLY[@]}"' complete "$@"
}
is "$(complete_words runcast ru)" runs
is "$(complete_words runcast runs exp)" export
is "$(complete_words runcast runs list --pl)" --platform
is "$(complete_words runcast runs list --status fa)" failed
is "$(complete_words runcast import t.c)" t.csv
is "$(complete_words runcast doctor --js)" --json
is "$(complete_words runcast runs list --app x)" ''

begin 'the default database is made where the XDG rules put it'
unset RUNCAST_DB
ok "$RUNCAST" import t.csv
[ -f "$HOME/.local/share/runcast/runcast.db" ] || fault 'not in HOME'
XDG_DATA_HOME=$WORK/xdg ok "$RUNCAST" import t.csv
[ -f "$WORK/xdg/runcast/runcast.db" ] || fault 'not in XDG_DATA_HOME'
HOME='' fails "$RUNCAST" runs list
complains '--db FILE or RUNCAST_DB'
fails "$RUNCAST" import t.csv --db nowhere/store.db
complains 'nowhere/store.db'
complains 'make the directory first'
[ ! -e nowhere ] || fault 'a directory was made for a path that the user typed'

finish
