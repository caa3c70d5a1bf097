#!/bin/bash
# The commands in the README and the documentation work, and print what the pages show.
. "${0%/*}/harness.sh"

cd "$SOURCE_ROOT" || exit 1
for page in README.md docs/*.md docs/tutorials/*.md docs/guides/*.md docs/reference/*.md docs/explanation/*.md; do
    grep -q '^ *\$ ' "$page" || continue
    begin "the commands of $page"
    faults=$(python3 tools/check-docs . "$RUNCAST" "$page")
    case $? in
    0) ;;
    77) skip "$faults" ;;
    *) fault "$faults" ;;
    esac
done
finish
