#!/bin/bash
# Monitoring through a launcher that hangs and belongs to another user.
. "$(dirname "$0")/harness.sh"
. "$SOURCE_ROOT/tests/cli/monitoring.sh"

begin 'a launcher that may not be killed does not keep it from ending'
if ! am_root || ! command -v setpriv > /dev/null; then
    skip 'needs root, to make a launcher that is not ours'
else
    # In a directory of its own, where another user may write
    there=$(mktemp -d /tmp/runcast-hung-XXXXXX)
    chmod 777 "$there"
    cp "$RUNCAST" "$there/runcast"
    cp "$(command -v env)" "$there/root"
    chmod 4755 "$there/root"
    printf 'trap "" TERM\necho $$ > pid\nexec sleep 60\n' > "$there/hung.sh"
    (cd "$there" && timeout 30 setpriv --reuid=65534 --clear-groups ./runcast monitor --hosts a1 --db s.db \
        --launcher './root setpriv --reuid=0 sh hung.sh' --duration 0.8s) > out 2> err
    is $? 1 "exit status: $(cat err)"
    if [ ! -s "$there/pid" ]; then
        skip 'needs a file system that honours the setuid bit'
    else
        complains "the launcher of a1 (process $(cat "$there/pid")) does not end and could not be killed"
        kill -9 "$(cat "$there/pid")" || fault 'it was gone'
    fi
    rm -rf "$there"
fi

finish
