#!/bin/bash
# Models for another platform.
. "$(dirname "$0")/harness.sh"

# runs PLATFORM CPU BW: runs of a law whose computation takes CPU and whose communication takes BW
# times as long, on 1, 2, 4 and 8 processes under some load.
runs() {
    awk -v platform="$1" -v cpu="$2" -v bw="$3" -v procs="$4" 'BEGIN {
        print "app,platform,n,p,seconds,cpu_minavg,bw_minavg"
        n_procs = split(procs, ps, " ")
        for (i = 1; i <= n_procs; i++)
            for (k = 0; k < 12; k++) {
                p = ps[i]; n = 400 + 100 * k
                c = (k % 3 == 0) ? 1 : 0.5 + 0.04 * k
                b = 1e6 * (1 + (k * 7 % 5))
                t = cpu * 2e-7 * n ^ 3 / (p * c)
                if (p > 1) t += bw * 60 * n ^ 2 * log(p) / log(2) / b
                printf "cg,%s,%d,%d,%.9f,%.6f,%d\n", platform, n, p, t, c, b
            }
    }'
}

begin 'wrong calls'
misused "$RUNCAST" port --app cg --from intel
complains '--app NAME, --from PLATFORM and --to PLATFORM'
misused "$RUNCAST" port --app cg --from intel --to intel
complains 'the same platform'

begin 'without a database or runs there is a hint'
fails "$RUNCAST" port --app cg --from intel --to amd --criterion paper
complains 'no database yet'
runs intel 1 1 '1 2 4 8' > intel.csv
ok "$RUNCAST" import intel.csv
fails "$RUNCAST" port --app none --from intel --to amd --criterion paper
complains 'none'
fails "$RUNCAST" port --app cg --from intel --to amd --criterion paper
complains 'no run on 1 process on the new platform'
complains 'hint: record dedicated runs on 1 and on 2 processes'

begin 'one-process runs alone are not enough'
runs amd 2.5 0.4 '1' > amd.csv
ok "$RUNCAST" import amd.csv
fails "$RUNCAST" port --app cg --from intel --to amd --criterion paper
complains 'no run on 2 processes on the new platform'

begin 'the two ratios of the runs are found'
runs amd 2.5 0.4 '2' > amd2.csv
ok "$RUNCAST" import amd2.csv
ok "$RUNCAST" port --app cg --from intel --to amd --criterion paper
silent
prints 'Rcpu: 2.5 (computation time on amd / intel)'
prints '  amd: 1 run on 1 process of size 700'
prints '  intel: 1 run on 1 process of size 700'
prints '  dedicated runs'
prints 'Rbw: 0.4 (communication time on amd / intel)'
prints 'model of cg on amd: 5e-07 n^3 / (cpu P) + 24 n^2 log P / bw'

begin 'the same as JSON'
ok "$RUNCAST" port --app cg --from intel --to amd --criterion paper --json
silent
is "$(json "round(j['rcpu'], 6), round(j['rbw'], 6), j['computation']['from_size'], j['computation']['to_size'], j['communication']['procs']")" \
    "(2.5, 0.4, 700, 700, 2)"
is "$(json "j['computation']['dedicated'], j['communication']['visible'], j['run_count']")" \
    '(True, True, 48)'

begin 'the model is in the database, once'
is "$("$RUNCAST" db info --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["model_count"])')" 1

# 5e-7 * 2000^3 / (8 * 0.5) + 24 * 2000^2 * 3 / 2e6 = 1000 + 144
begin 'predictions for the other platform come from it'
ok "$RUNCAST" predict --app cg --platform amd --criterion paper --size 2000 --procs 8 --cpu 0.5 \
    --bandwidth 2MB --json
is "$(json "round(j['predicted_s'], 2)")" 1144.0

begin 'a few new runs there do not replace it'
cat > new.csv << 'END'
app,platform,n,p,seconds,cpu_minavg,bw_minavg
cg,amd,500,4,16,1,5000000
cg,amd,600,4,30,1,5000000
END
ok "$RUNCAST" import new.csv
ok "$RUNCAST" predict --app cg --platform amd --criterion paper --size 2000 --procs 8 --cpu 0.5 \
    --bandwidth 2MB --json
is "$(json "round(j['predicted_s'], 2)")" 1144.0

begin 'formulas have the factors that the runs of the first platform support'
ok "$RUNCAST" port --app cg --from intel --to amd
is "$(grep -c '^model of cg on amd: .* n^2 log P / bw' out)" 1
ok "$RUNCAST" predict --app cg --platform amd --size 2000 --procs 8 --cpu 0.5 --bandwidth 2MB
is "$(grep -c '^model: .* n^2 log P / bw' out)" 1

finish
