# recorded_runs.sh - shared by the tests of 'runcast record'.  Source it after harness.sh.
# shellcheck shell=bash

unset "${!SLURM_@}" "${!OMPI_@}" PBS_NODEFILE PE_HOSTFILE HYDRA_HOST_FILE

# Replaces the agent, with a known answer: half of a core every 0.1 s.
cat > agent << 'END'
#!/bin/bash
echo $$ >> "$(dirname "$0")/agents"
printf '{"hello": 1, "version": "0", "host": "x", "cores": 2, "every": 0.1}\n'
while :; do
    printf '{"sample": {"time": %s, "cpu": 0.5, "memory": 1000}}\n' "$EPOCHREALTIME"
    line=
    read -r -t 0.1 line
    case $? in
        0) case $line in clock*) printf '{"clock": {"id": %s, "time": %s}}\n' "${line#clock }" "$EPOCHREALTIME" ;; esac ;;
        1) exit ;;
    esac
done
END
chmod +x agent

# rec [OPTION...] -- COMMAND...: one process on this machine, no sensors
rec() { "$RUNCAST" record --app t --size 10 --procs 1 --local --no-monitor "$@"; }
# monitored [OPTION...] -- COMMAND...: with that agent
monitored() { "$RUNCAST" record --app s --size 10 --procs 1 --local --runcast-path "$WORK/agent" --interval 0.1s "$@"; }
# last FIELD: of the newest run
last() {
    "$RUNCAST" runs export --json | python3 -c "import json, sys; print(json.load(sys.stdin)['runs'][-1]['$1'])"
}
# no_agents: no agent is left after a while
no_agents() {
    local pid
    while read -r pid; do
        for _ in $(seq 50); do
            kill -0 "$pid" 2> /dev/null || break
            sleep 0.05
        done
        kill -0 "$pid" 2> /dev/null && fault "agent $pid is left behind"
    done < agents
}
