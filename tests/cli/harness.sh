# harness.sh - what the command-line tests share.  Source it first.
#
# A test is a group of lines between `begin 'what it shows'` and the next begin or `finish`; it
# fails if any check in it fails.  Output is TAP.  Each script runs in a temporary directory of its
# own with a separate database.
# shellcheck shell=bash
set -u

RUNCAST=${RUNCAST:?set RUNCAST to the program to test}
SOURCE_ROOT=${SOURCE_ROOT:?set SOURCE_ROOT to the top of the sources}
# shellcheck disable=SC2034 # the scripts use it
SANITIZED=${RUNCAST_SANITIZED:-0}
# shellcheck disable=SC2034 # 1: all rounds and programs; 0: a few of them, for 'make test'
LONG=${RUNCAST_TEST_LONG:-1}
WORK=$(mktemp -d "${TMPDIR:-/tmp}/runcast-test-XXXXXX")
cd "$WORK" || exit 1
# python3 may be a wrapper script (pyenv).  Calling the interpreter directly is faster.
PYTHON=$(python3 -c 'import sys; print(sys.executable)')
mkdir "$WORK.bin" && ln -s "$PYTHON" "$WORK.bin/python3" && PATH=$WORK.bin:$PATH
export RUNCAST_DB=$WORK/store.db HOME=$WORK LC_ALL=C.UTF-8
unset XDG_DATA_HOME COLUMNS
# Waiting ranks yield the core, as there may be more ranks than cores.
export OMPI_MCA_mpi_yield_when_idle=1
trap 'cd /; rm -rf "$WORK" "$WORK.bin" "$WORK.json"' EXIT

test_count=0 test_name='' test_faults='' test_skip='' n_documents=0

# Prints how long each test takes.
test_began=$EPOCHREALTIME
print_seconds() {
    local micros=$((${EPOCHREALTIME/./} - ${test_began/./}))
    printf '# took %d.%03d s\n' $((micros / 1000000)) $((micros / 1000 % 1000))
}

end_test() {
    [ -n "$test_name" ] || return 0
    if [ -n "$test_skip" ]; then
        echo "ok $test_count - $test_name # SKIP $test_skip"
    elif [ -z "$test_faults" ]; then
        echo "ok $test_count - $test_name"
    else
        echo "not ok $test_count - $test_name"
        printf '%s' "$test_faults" | sed 's/^/# /'
    fi
    print_seconds
}

begin() {
    end_test
    test_count=$((test_count + 1)) test_name=$1 test_faults='' test_skip='' test_began=$EPOCHREALTIME
}

finish() {
    end_test
    test_name=''
    check_documents
    echo "1..$test_count"
}

# skip REASON: the other build runs this test.  skip 'needs WHAT': this machine lacks WHAT.
skip() { test_skip=$1; }

# The JSON documents that commands wrote match their JSON Schemas.
check_documents() {
    local faults
    set -- "$WORK.json"/*
    [ -e "$1" ] || return 0
    begin 'documents of --json match their schemas'
    faults=$("$SOURCE_ROOT/tools/check-json" "$SOURCE_ROOT" "$@")
    case $? in
    0) ;;
    77) skip "$faults" ;;
    *) fault "$faults" ;;
    esac
    end_test
    test_name=''
}

# Keeps a JSON document in out for check_documents.
keep_document() {
    local head=''
    read -r -N 40 head < out
    if [[ $head == '{'*'"schema": "runcast.'* ]]; then
        mkdir -p "$WORK.json"
        n_documents=$((n_documents + 1))
        cp out "$WORK.json/$test_count-$n_documents.json"
    fi
}

fault() {
    test_faults+="$1"$'\n'
}

# run COMMAND...: keeps its output in out and err, and its exit status.
run() {
    "$@" > out 2> err < /dev/null
    status=$?
    last="$*"
    [ $status -ne 0 ] || keep_document
    if grep -qE 'AddressSanitizer|runtime error:|LeakSanitizer' err; then
        fault "$last: $(cat err)"
    fi
}

# ok COMMAND... / fails COMMAND... / misused COMMAND...: runs it and wants status 0, 1 or 2.
ok() { run "$@"; want_status 0; }
fails() { run "$@"; want_status 1; }
misused() { run "$@"; want_status 2; }

want_status() {
    [ "$status" -eq "$1" ] || fault "$last: exit status $status, not $1; $(head -c 600 out err)"
}

# prints TEXT: it stands on standard output; complains TEXT: on standard error.
prints() { grep -qF -- "$1" out || fault "$last: no '$1' in: $(head -c 600 out)"; }
complains() { grep -qF -- "$1" err || fault "$last: no '$1' in: $(head -c 600 err)"; }
silent() { [ ! -s err ] || fault "$last: said: $(head -c 600 err)"; }

# is ACTUAL WANTED [WHAT]
is() { [ "$1" = "$2" ] || fault "${3:-value}: '$1', not '$2'"; }

# json EXPRESSION: what python makes of the JSON in out, as `j`.
json() { python3 -IS -c "import json; j = json.load(open('out')); print(($1))"; }

# How many runs the store holds; further arguments are filters.
count_runs() { "$RUNCAST" runs list --columns id "$@" | tail -n +2 | wc -l; }

# level HOST VALUE...: a sample of CPU every 10 s for two hours before $NOW, which the test sets, going
# round the values, each of which stays for 60 s.
level() {
    local host=$1
    shift
    awk -v now="$NOW" -v values="$*" 'BEGIN {
        n = split(values, value, " ")
        print "t,value"
        for (i = 720; i >= 0; i--)
            printf "%d,%s\n", now - 10 * i, value[int((720 - i) / 6) % n + 1]
    }' > "$host.csv"
    "$RUNCAST" series import "$host.csv" --host "$host" --metric cpu > /dev/null
}

# launch MPI RANKS PROGRAM...: the words of a command that starts it
launch() {
    case $1 in
    openmpi) echo "mpirun.openmpi --allow-run-as-root --oversubscribe -np ${*:2}" ;;
    mpich) echo "mpirun.mpich -np ${*:2}" ;;
    esac
}

# plain_only: ends the script in the sanitized build.  The rest runs programs built without sanitizers.
plain_only() {
    [ "$SANITIZED" = 1 ] || return 0
    finish
    exit 0
}

# prefer_this_test: raises the priority of this script's processes, for tests that measure CPU shares (needs
# root).  With autogroups, the session has its own priority.  It is changed only if this script leads the session.
prefer_this_test() {
    local session
    read -r _ _ _ _ _ session _ < /proc/$$/stat
    renice -n -20 -p $$ > /dev/null 2>&1
    [ "$session" != $$ ] || { echo -20 > /proc/$$/autogroup; } 2> /dev/null
}

# Command prefix: real-time scheduling, if permitted.
# shellcheck disable=SC2034 # the scripts use it
undisturbed=()
if chrt -r 1 true 2> /dev/null; then # shellcheck disable=SC2034
    undisturbed=(chrt -r 1)
fi

# unprivileged COMMAND...: runs it as a user who can read the test directory but not write to it.
unprivileged() {
    if am_root; then
        chmod a+rX "$WORK" "$WORK"/*
        setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
    else
        chmod a-w "$WORK" "$WORK"/*
        "$@"
        local result=$?
        chmod u+w "$WORK" "$WORK"/*
        return $result
    fi
}

am_root() { [ "$(id -u)" -eq 0 ]; }

# table ROWS [APP]: a table of runs on standard output.
table() {
    awk -v rows="$1" -v app="${2:-app}" 'BEGIN {
        print "app,n,p,seconds,platform,cpu,bw,iterations"
        for (i = 1; i <= rows; i++)
            printf "%s%d,%d,%d,%.3f,plat%d,%.2f,%d,%d\n", app, i % 3, 100 + i % 977, 2 ^ (i % 6),
                1 + i % 1013 / 7, i % 4, (i % 100) / 100, 1000 + i, 1 + (i - 1) % 50
    }'
}
