#!/bin/bash
# The models that come with runcast: sound, and with the predictions that paper and pencil give.
. "$(dirname "$0")/harness.sh"

for file in "$SOURCE_ROOT"/models/*.rcm; do
    name=$(basename "$file" .rcm)
    begin "models/$name.rcm is sound"
    ok "$RUNCAST" model check "$file" --json
    is "$(json "j['error_count'], j['warning_count'], j['model']")" "(0, 0, '$name')"
done

# Each case is the arguments of 'runcast model', then '= MEAN'.
for golden in "$SOURCE_ROOT"/tests/golden/*.golden; do
    name=$(basename "$golden" .golden)
    begin "models/$name.rcm predicts as calculated"
    cases=0 arguments=''
    while IFS= read -r line; do
        case $line in
        '' | '#'*) ;;
        '= '*)
            eval "set -- $arguments"
            verb=$1
            shift
            ok "$RUNCAST" model "$verb" "$SOURCE_ROOT/models/$name.rcm" "$@" --json
            is "$(json "abs(j['mean_s'] / ${line#= } - 1) < 1e-9 or j['mean_s']")" True \
                "$arguments: expected ${line#= }"
            cases=$((cases + 1))
            ;;
        *) arguments=$line ;;
        esac
    done < "$golden"
    [ "$cases" -ge 4 ] || fault "only $cases cases in $golden"
done

begin 'the platform files of the same names choose the same parts'
for name in pcl linux alpha; do
    ok "$RUNCAST" model eval "$SOURCE_ROOT/models/ga.rcm" --on $name --set N=1000 --json
    mean=$(json "j['mean_s']")
    ok "$RUNCAST" model eval "$SOURCE_ROOT/models/ga.rcm" --set N=1000 --json \
        --platform-file "$SOURCE_ROOT/examples/$name.yaml"
    is "$(json "j['section'], j['mean_s']")" "('$name', $mean)"
done

begin 'every model has its golden file'
is "$(cd "$SOURCE_ROOT/models" && printf '%s\n' *.rcm | sed 's/\.rcm$//')" \
    "$(cd "$SOURCE_ROOT/tests/golden" && printf '%s\n' *.golden | sed 's/\.golden$//')"

finish
