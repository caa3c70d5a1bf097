#!/bin/bash
# A small part of evaluate/regress, with fixed seeds: models are trained on 60 simulated runs and predict
# 20, with the known load and with the load forecast at their start.
. "$(dirname "$0")/harness.sh"

begin 'simulated runs are predicted'
if ! command -v smpicc > /dev/null || ! command -v smpirun > /dev/null; then
    skip 'needs SimGrid'
    finish
    exit 0
fi
mkdir apps tmp
export RUNCAST_APPS=$WORK/apps TMPDIR=$WORK/tmp RUNCAST_EVALUATE=$WORK/evaluate
ok smpicc -std=c17 -D_GNU_SOURCE -DAPP_SMPI -O1 "$SOURCE_ROOT/apps/md.c" "$SOURCE_ROOT/apps/app.c" \
    "$SOURCE_ROOT/apps/app_checkpoint.c" -o apps/md -lm
ok "$SOURCE_ROOT/evaluate/regress" "$RUNCAST" small
cp out found

# at_most KEY NUMBER: whether the MAPE of a kind of prediction is at most that.
at_most() {
    awk -v key="$1" -v most="$2" '$1 == key { good = $2 <= most } END { exit !good }' found ||
        fault "MAPE of $1 above $2 %: $(tr '\n' ' ' < found)"
}
error_of() { awk -v key="$1" '$1 == key { print $2 }' found; }

begin 'with a known load the error is small'
at_most known 3

begin 'with a forecast it is close to the oracle, and below simple forecasts'
at_most forecast "$(awk -v oracle="$(error_of oracle)" 'BEGIN { print 1.06 * oracle }')"
at_most forecast "$(awk -v last="$(error_of last)" 'BEGIN { print 0.9 * last }')"
at_most forecast "$(awk -v average="$(error_of average)" 'BEGIN { print 0.9 * average }')"

finish
