# monitoring.sh - shared by the tests of 'runcast monitor --hosts'.  Source it after harness.sh.
#
# agent.py replaces the agents on hosts: those that behave, and those that do not.
# shellcheck shell=bash
cp "$SOURCE_ROOT/tests/cli/agent.py" .
monitor() { "$RUNCAST" monitor --launcher ./agent.py --interval 0.2 "$@"; }
# How many samples a host sent.
sent() { grep -c '^sample' "$1.log"; }
# The number of stored samples of a series.
stored() { "$RUNCAST" series export --host "$1" --metric "${2:-cpu}" | tail -n +2 | wc -l; }
# Fails if an agent still runs.
none_left() {
    local pid
    # shellcheck disable=SC2013 # numbers have no blanks
    for pid in $(sed -n 's/^start //p' ./*.log 2> /dev/null); do
        for _ in $(seq 40); do
            kill -0 "$pid" 2> /dev/null || continue 2
            sleep 0.05
        done
        fault "process $pid is still there"
    done
}
fresh() { rm -f ./*.log ./*.conf store.db*; }
# wait_for COMMAND...: until it is true, for ten seconds at most.
wait_for() {
    for _ in $(seq 200); do
        "$@" > /dev/null 2>&1 && return
        sleep 0.05
    done
    fault "waited in vain for: $*"
}
