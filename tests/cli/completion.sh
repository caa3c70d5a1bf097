#!/bin/bash
# Shell completion: the scripts are valid, and complete in the shells.
. "$(dirname "$0")/harness.sh"

for shell in bash zsh fish; do
    "$RUNCAST" completion "$shell" > "runcast.$shell"
done
touch t.csv

begin 'the scripts have no syntax errors'
ok bash -n runcast.bash
[ -z "$(command -v zsh)" ] || ok zsh -n runcast.zsh
[ -z "$(command -v fish)" ] || ok fish -n runcast.fish

begin 'another shell is a usage error'
misused "$RUNCAST" completion tcsh
complains "unknown shell 'tcsh'; use bash, zsh or fish"

begin 'bash completes commands, options, their short forms and values'
complete_bash() {
    bash -c '. ./runcast.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _runcast
        printf "%s\n" "${COMPREPLY[@]}"' complete "$@"
}
is "$(complete_bash runcast docto)" doctor
is "$(complete_bash runcast lab stat)" status
is "$(complete_bash runcast lab up --no)" --nodes
is "$(complete_bash runcast load random --pattern mo)" modal
is "$(complete_bash runcast lab mpirun -p x)" ''
is "$(complete_bash runcast load replay t.c)" t.csv
is "$(complete_bash runcast completion 'fi')" fish

# zsh.py: types lines with <TAB> into an interactive zsh, in which runcast prints its arguments.
cat > zsh.py <<'END'
import os, pty, select, sys, time

pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(TERM="dumb", PS1="> ")
    os.execvp("zsh", ["zsh", "-f", "-i"])


def read_until(text, seconds=20):
    seen, end = "", time.monotonic() + seconds
    while text not in seen and time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                seen += os.read(terminal, 4096).decode(errors="replace")
            except OSError:
                break
    return seen


def enter(line):
    os.write(terminal, (line + "\n").encode())


enter("unsetopt ALWAYS_LAST_PROMPT AUTO_MENU; unset zle_bracketed_paste; autoload -Uz compinit; compinit -u -D; "
      "source ./runcast.zsh; runcast() { print -r -- \"ARGS:\" \"$@\" \":END\" }; print REA''DY")
read_until("READY")
for line in sys.argv[1:]:
    enter(line + "\t")
    seen = read_until(":END")
    print(seen.split("ARGS: ")[-1].split(" :END")[0] if " :END" in seen else "nothing from " + repr(seen))
enter("exit")
END

begin 'zsh completes commands, options and values'
if [ -z "$(command -v zsh)" ]; then
    skip 'needs zsh'
else
    ok timeout 100 python3 zsh.py 'runcast docto' 'runcast lab stat' 'runcast lab up --no' 'runcast load random --pattern mo' \
        'runcast load replay t.c' 'runcast completion fi'
    is "$(sed 's/ *$//' out)" 'doctor
lab status
lab up --nodes
load random --pattern modal
load replay t.csv
completion fish' 'completions'
fi

begin 'fish completes commands, options and values'
if [ -z "$(command -v fish)" ]; then
    skip 'needs fish'
else
    # shellcheck disable=SC2016 # fish expands it
    complete_fish() { fish --no-config -c 'source runcast.fish; complete -C $argv' "$1" | cut -f 1; }
    is "$(complete_fish 'runcast docto')" doctor
    is "$(complete_fish 'runcast lab stat')" status
    is "$(complete_fish 'runcast lab up --no')" --nodes
    is "$(complete_fish 'runcast load random --pattern mo')" modal
    is "$(complete_fish 'runcast load replay t.c')" t.csv
    is "$(complete_fish 'runcast completion fi')" fish
    is "$(complete_fish 'runcast calc --json --')" "$(complete_fish 'runcast calc --')"
fi

finish
