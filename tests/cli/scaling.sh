# scaling.sh - shared by the tests of 'runcast scale'.  Source it after harness.sh.
# shellcheck shell=bash

mkdir tmp
export TMPDIR=$WORK/tmp
export APP_MARK=$$ # marks processes that programs leave behind

cat > p.yaml << 'END'
name: two
currency: units
clusters:
  - name: A
    hosts: a[01-32]
    cores: 1
    memory: 2GiB
    speed: 2.4Gf
    cost: 1
    networks:
      - {name: ethernet, bandwidth: 100Mbit, latency: 70us}
      - {name: fast, bandwidth: 2Gbit, latency: 7us}
    overrides:
      - {hosts: "a[20-32]", speed: 2.2Gf}
  - name: B
    hosts: b[01-16]
    cores: 4
    memory: 8GiB
    speed: 2Gf
    cost: 2
    networks:
      - {name: ethernet, bandwidth: 100Mbit, latency: 70us}
links:
  - {between: [A, B], bandwidth: 100Mbit, latency: 1ms}
END
# A program whose run time follows the model: the work of a process, and communication that grows with
# processes; and APP_LINK more across both clusters.
cat > app.sh << 'END'
#!/bin/bash
# app.sh LOG P ROWS COLS HOSTS
echo "$*" >> "$1"
ulimit -Sn >> files
(sleep "77$APP_MARK.1" &)
setsid sleep "77$APP_MARK.2" &
sleep "${APP_SLEEP:-0}"
awk -v p="$2" -v rows="$3" -v cols="$4" -v hosts="$5" -v link="${APP_LINK:-5}" 'BEGIN {
    work = rows * cols / p
    seconds = work * 1e-3 + (p > 1 ? 3 + 2 * log(p) / log(2) + work * 1e-4 : 0)
    if (hosts ~ /a[0-9]/ && hosts ~ /b[0-9]/)
        seconds += link
    print "starting {"
    printf "{\"parts\": {\"seconds\": 1},\n \"seconds\": %.12g,\n", seconds
    printf " \"memory\": %.12g}\n", 1e6 + 16 * work
}'
END
chmod +x app.sh

scale() { "$RUNCAST" scale "$@"; }
# number EXPRESSION WANTED: a number of the JSON in out, to four digits.
number() { is "$(json "'%.4g' % ($1)")" "$2" "$1"; }
nothing_left() {
    is "$(pgrep -fc "sleep 77$APP_MARK\.[12]")" 0 'processes left'
    is "$(ls tmp)" '' 'left in TMPDIR'
}
