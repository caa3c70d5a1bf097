#!/bin/bash
# Models from runs.
. "$(dirname "$0")/harness.sh"

# runs APP 'PROCS' SIZES LOADED [ITERATIONS]: runs of 2e-7 n^3 / (P cpu) + 60 n^2 log2 P / bw seconds,
# SIZES of them on each number of processes, times iterations / 100 where there are some.
runs() {
    awk -v app="$1" -v procs="$2" -v sizes="$3" -v loaded="$4" -v iterated="${5:-0}" 'BEGIN {
        print "app,n,p,seconds" (loaded ? ",cpu,bw" : "") (iterated ? ",iterations" : "")
        n_procs = split(procs, ps, " ")
        for (i = 1; i <= n_procs; i++)
            for (k = 0; k < sizes; k++) {
                p = ps[i]; n = 400 + 100 * k
                c = loaded ? 0.5 + 0.05 * (k * 3 % 10) : 1
                b = loaded ? 1e6 * (1 + (k * 7 % 5)) : 5e6
                times = iterated ? 50 + 50 * ((k + i) * 5 % 7) : 100
                t = (2e-7 * n ^ 3 / (p * c) + (p > 1 ? 60 * n ^ 2 * log(p) / log(2) / b : 0)) * times / 100
                printf "%s,%d,%d,%.9f", app, n, p, t
                if (loaded) printf ",%.6f,%d", c, b
                if (iterated) printf ",%d", times
                print ""
            }
    }'
}

begin 'wrong calls'
misused "$RUNCAST" fit
complains '--app'
misused "$RUNCAST" fit --app cg --criterion best
complains 'paper'

begin 'without a database, or without runs, there is a hint'
fails "$RUNCAST" fit --app cg
complains 'no database yet'
runs cg '1 2 4 8' 15 1 > cg.csv
ok "$RUNCAST" import cg.csv
fails "$RUNCAST" fit --app none
complains "no runs of 'none'"
complains 'hint: record runs of several sizes on 1, 2, 4 and 8 processes'

begin 'the law of the runs is found'
ok "$RUNCAST" fit --app cg
silent
prints 'cg: 60 runs, size 400 to 1800, processes 1 to 8'
prints '2e-07 n^3 / (cpu P)'
prints '60 n^2 log P / bw'
prints 'stored'

# 2e-7 * 3600^3 / (32 * 0.5) + 60 * 3600^2 * 5 / 2e6 = 583.2 + 1944
begin 'and predicts larger runs'
ok "$RUNCAST" predict --app cg --size 3600 --procs 32 --cpu 0.5 --bandwidth 2MB --json
is "$(json "abs(j['predicted_s'] / 2527.2 - 1) < 0.02")" True
is "$(json "j['interval_s']['low'] < 2527.2 < j['interval_s']['high']")" True

begin 'as JSON'
ok "$RUNCAST" fit --app cg --json
silent
is "$(json "j['run_count'], j['stored'], j['size_range'], round(sum(m['weight'] for m in j['members']), 6)")" \
    "(60, True, {'low': 400, 'high': 1800}, 1.0)"
is "$(json "j['held_out']['ape_p50_fraction'] < 0.01, j['gaps']")" '(True, [])'

begin 'nothing is stored with --no-store'
ok "$RUNCAST" fit --app cg --criterion paper --no-store
prints 'std. error'
is "$("$RUNCAST" db info --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["model_count"])')" 1

begin 'gaps of the runs are shown'
runs alone '4' 5 0 > alone.csv
ok "$RUNCAST" import alone.csv
ok "$RUNCAST" fit --app alone
prints 'gap: one number of processes only'
prints 'gap: no CPU availability in the runs; computation is assumed to take 1/availability times as long'
prints 'gap: no bandwidth in the runs; communication is assumed not to depend on it'
prints 'record next:'
sed '1s/$/,cpu,bw/; 2,$s/$/,0.5,1e6/; s/^alone/even/' alone.csv > even.csv
ok "$RUNCAST" import even.csv
ok "$RUNCAST" fit --app even --no-store
prints 'gap: constant CPU availability; computation is assumed to take 1/availability times as long'
prints 'gap: constant bandwidth; its effect on communication is assumed'

# noisy APP 'SIZES' 'PROCS' ['BYTES' 'SECONDS']: three runs of each size and number of processes, of 1e-6 n^2 / P
# + 0.02 seconds with 3 % of noise; none has its load.  BYTES and SECONDS are expressions of n and p; SECONDS may
# have the bytes read, too.
noisy() {
    awk -v app="$1" -v sizes="$2" -v procs="$3" 'BEGIN {
        print "app,n,p,seconds'"${4:+,bytes_read}"'"
        n_sizes = split(sizes, ns, " "); n_procs = split(procs, ps, " ")
        for (i = 1; i <= n_sizes; i++) for (j = 1; j <= n_procs; j++) for (k = 0; k < 3; k++) {
            n = ns[i]; p = ps[j]; at++; bytes = '"${4:-0}"'
            t = '"${5:-1e-6 * n * n / p + 0.02}"'
            printf "%s,%d,%d,%.9g'"${4:+,%.9g}"'\n", app, n, p, t * (1 + 0.04 * sin(at * at)), bytes
        }
    }' > "$1.csv"
    ok "$RUNCAST" import "$1.csv"
}

begin 'each formula is listed once, with factors that the runs support'
noisy plain '500 1000 2000' '1 2'
ok "$RUNCAST" fit --app plain --json
is "$(json "len({m['formula'] for m in j['members']}) == len(j['members']) > 3")" True
is "$(json "round(sum(m['weight'] for m in j['members']), 6)")" 1.0
is "$(json "j['members'] == sorted(j['members'], key=lambda m: -m['weight'])")" True
# log P is 1 on 2 processes, and counts as 1 on one.
is "$(json "[m['formula'] for m in j['members'] if 'cpu' in m['formula'] or 'bw' in m['formula'] or
    'log P' in m['formula']]")" '[]'
ok "$RUNCAST" fit --app plain
is "$(sed -n 3p out | grep -cE '^ +[2-9][0-9] % +[0-9.]+ % +- +0\.0[12][0-9]* \+ 9\.[89][0-9]*e-07 n\^2 / P$')" 1
is "$(sed -n '3,7s/.* - *//p' out | sort | uniq -d)" ''
# The models are as they were: with half a core, computation takes twice as long.
ok "$RUNCAST" predict --app plain --size 2000 --procs 1 --json
idle=$(json "j['predicted_s']")
ok "$RUNCAST" predict --app plain --size 2000 --procs 1 --cpu 0.5 --json
is "$(json "1.95 < j['predicted_s'] / $idle < 2.01 or j['predicted_s'] / $idle")" True
ok "$RUNCAST" predict --app plain --size 2000 --procs 1 --cpu 0.5
prints 'no run has a CPU availability: computation is assumed to take 1/availability times as long'

begin 'without runs of several sizes or numbers of processes, formulas have no growth with them'
noisy onep '500 700 1000 1500 2000 3000' 4
ok "$RUNCAST" fit --app onep --json
is "$(json "[m['formula'] for m in j['members'] if 'P' in m['formula']]")" '[]'
is "$(json "len({m['formula'] for m in j['members']}) == len(j['members'])")" True
ok "$RUNCAST" fit --app onep
prints 'gap: one number of processes only; the formulas are for this number, and scaling is a guess'
is "$(sed -n 3p out | grep -cE '0\.02[0-9]* \+ 2\.[45][0-9]*e-07 n\^2$')" 1
noisy onen 1000 '1 2 4 8 16'
ok "$RUNCAST" fit --app onen --json
is "$(json "[m['formula'] for m in j['members'] if 'n' in m['formula']]")" '[]'
ok "$RUNCAST" fit --app onen
prints 'gap: one size only; the formulas are for this size, and growth with size is a guess'

begin 'only runs that can be made are suggested'
ok "$RUNCAST" fit --app onep --json
is "$(json "j['suggested_procs_max'], j['suggested_procs_max_from']")" "(8, 'runs')"
is "$(json "0 < max(s['procs'] for s in j['suggestions']) <= 8")" True
is "$(json "max(s['size'] for s in j['suggestions']) <= 6000")" True
ok "$RUNCAST" fit --app onep
prints '  limited to 8 processes (twice the most of the runs)'
# All runs were made on this host, of which runcast may use one core.
here=$(uname -n) core=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
on_one_core() { taskset -c "$core" "$RUNCAST" "$@"; }
noisy somewhere '500 1000 2000' '1 2'
sed "1s/\$/,hosts/; 2,\$s/\$/,$here/; s/^somewhere/here/" somewhere.csv > here.csv
ok "$RUNCAST" import here.csv
ok on_one_core fit --app here --json
is "$(json "j['suggested_procs_max'], j['suggested_procs_max_from']")" "(1, 'host')"
is "$(json "[s for s in j['suggestions'] if s['procs'] != 1]")" '[]'
ok on_one_core fit --app here
is "$(grep -c ' 1 process (the cores of this host)' out)" 1
# Some runs were made on other hosts, or on unknown ones.
sed "2s/,$here\$/,elsewhere/; s/^here/mixed/" here.csv > mixed.csv
ok "$RUNCAST" import mixed.csv
for app in somewhere mixed; do
    ok on_one_core fit --app $app --json
    is "$(json "j['suggested_procs_max'], j['suggested_procs_max_from']")" "(4, 'runs')" $app
done
# The platform has 6 cores.
printf 'name: small\nclusters:\n  - {name: a, hosts: "a[1-3]", cores: 2, memory: 1GB,
     networks: [{name: eth, bandwidth: 1Gbit, latency: 50us}]}\n' > small.yaml
ok "$RUNCAST" import --platform small onep.csv
ok "$RUNCAST" fit --app onep --platform-file small.yaml --json
is "$(json "j['suggested_procs_max'], j['suggested_procs_max_from']")" "(6, 'platform')"
is "$(json "0 < max(s['procs'] for s in j['suggestions']) <= 6")" True
ok "$RUNCAST" fit --app onep --platform-file small.yaml
prints '  limited to 6 processes (the cores of the platform)'

begin 'bytes that follow from size and processes are no predictor'
formulas_with_bytes() {
    ok "$RUNCAST" fit --app "$1" --json
    json "sum(m['weight'] for m in j['members'] if 'bytes' in m['formula'])"
}
sizes='500 700 1000 1500 2000'
noisy linear "$sizes" '1 2 4' '8 * n' '1e-4 * n + 0.02'
is "$(formulas_with_bytes linear)" 0
noisy square "$sizes" '1 2 4' '8 * n * n' '1e-7 * n * n + 1e-6 * n * n / p'
is "$(formulas_with_bytes square)" 0
noisy constant "$sizes" '1 2 4' '1e6'
is "$(formulas_with_bytes constant)" 0
noisy header '500 1000 2000' '1 2' '8 * n + 4096' '1e-4 * n + 0.2'
is "$(formulas_with_bytes header)" 0
noisy each "$sizes" '1 2 4' '1e6 + 3e5 * p' '1e-6 * n * n / p + 0.01 * p'
is "$(formulas_with_bytes each)" 0

begin 'bytes that vary by themselves are, where the run time depends on them'
noisy files "$sizes" '1 2 4' '1e7 * 10 ^ (at * 7 % 10 / 5)' '1e-8 * bytes + 1e-6 * n * n / p'
is "$(json "$(formulas_with_bytes files) > 0.99")" True
ok "$RUNCAST" fit --app files
is "$(sed -n 3p out | grep -c '9\.9[0-9]*e-09 bytes + 9\.99[0-9]*e-07 n^2 / P$')" 1
# Of a run to come, the bytes are not known; the model is the stored one.
ok "$RUNCAST" predict --app files --size 1000 --procs 2 --json
is "$(json "(lambda i: i['low'] < 0.8 and i['high'] > 4 or i)(j['interval_s'])")" True
noisy similar "$sizes" '1 2 4' '8 * n * n * (0.5 + at * 7 % 10 / 7)' '2e-9 * bytes + 1e-7 * n * n / p'
is "$(json "$(formulas_with_bytes similar) > 0.99")" True
noisy serial "$sizes" 1 '1e7 * 10 ^ (at * 7 % 10 / 5)' '1e-8 * bytes + 1e-6 * n * n / p'
is "$(json "$(formulas_with_bytes serial) > 0.99")" True
noisy unused "$sizes" '1 2 4' '1e7 * 10 ^ (at * 7 % 10 / 5)'
is "$(json "$(formulas_with_bytes unused) < 0.1")" True

begin 'few runs are refused with a hint, and give no model'
runs few '1' 3 0 > few.csv
ok "$RUNCAST" import few.csv
fails "$RUNCAST" fit --app few
complains '3 usable runs; a model needs 4'
complains 'hint: record runs of three or more sizes on 1 process'

begin 'runs that failed are left out'
sed 's/^app,.*/&,status/; t; s/$/,failed/; s/^cg/lost/' cg.csv > lost.csv
ok "$RUNCAST" import lost.csv
fails "$RUNCAST" fit --app lost
complains "no runs of 'lost'"

begin 'further parameters are part of it'
runs iterated '1 2 4 8' 15 1 1 > iterated.csv
ok "$RUNCAST" import iterated.csv
ok "$RUNCAST" fit --app iterated
prints '2e-09 n^3 iterations / (cpu P)'
fails "$RUNCAST" predict --app iterated --size 1000 --procs 4 --cpu 1 --bandwidth 5MB
complains "the model needs the parameter 'iterations'"
ok "$RUNCAST" predict --app iterated --size 1000 --procs 4 --param iterations=1000 --cpu 1 --bandwidth 5MB --json
is "$(json "abs(j['predicted_s'] / (500 + 240) - 1) < 0.02")" True # 2e-9 * 1e9 * 1000 / 4, 0.6 * 1e6 * 1000 * 2 / 5e6

begin 'a parameter that no run has is refused'
fails "$RUNCAST" fit --app iterated --predictor nosuch
complains "no run has a parameter 'nosuch'"
ok "$RUNCAST" predict --app iterated --size 1000 --procs 4 --param iterations=1000 --cpu 1 --bandwidth 5MB # it is as it was

begin 'a parameter that only some runs have is ignored, and that is shown'
printf 'app,n,p,seconds\niterated,1000,4,20\n' > silent.csv
ok "$RUNCAST" import silent.csv
ok "$RUNCAST" fit --app iterated --no-store
prints "parameter 'iterations': ignored, since only 60 runs have it; --predictor iterations uses"
ok "$RUNCAST" fit --app iterated --predictor iterations
prints 'iterated: 60 runs'
prints '2e-09 n^3 iterations / (cpu P)'

begin 'a parameter may be 0'
awk -v OFS=, 'BEGIN { print "app,n,p,seconds,refine"
    for (i = 0; i < 40; i++) { n = 10 + i; p = 1 + i % 2; r = i % 3; print "zero", n, p, n ^ 2 * (1 + r) / p, r } }' > zero.csv
ok "$RUNCAST" import zero.csv
ok "$RUNCAST" predict --app zero --size 30 --procs 2 --param refine=0 --json
is "$(json "abs(j['predicted_s'] / 450 - 1) < 0.02")" True
fails "$RUNCAST" predict --app zero --size 30 --procs 2 --param refine=-1
complains "the model cannot be used for 'refine' = -1"

begin 'a run with one of the two load statistics is used'
# The second half takes twice as long, which a model of all runs cannot have right.
awk -F, -v OFS=, 'NR == 1 { print "app,n,p,seconds,cpu_avgmin,cpu_minavg"; next }
    NR % 2 { print "half", $2, $3, $4, $5, $5; next }
    { print "half", $2, $3, 2 * $4, $5, "" }' cg.csv > half.csv
ok "$RUNCAST" import half.csv
ok "$RUNCAST" fit --app half --json --no-store
is "$(json "j['run_count'], j['held_out']['ape_p50_fraction'] > 0.2, j['runs_without_cpu']")" '(60, True, 0)'
awk -F, -v OFS=, 'NR == 1 { print "app,n,p,seconds,cpu"; next }
    { print "partly", $2, $3, $4, (NR % 3 ? $5 : "") }' cg.csv > partly.csv
ok "$RUNCAST" import partly.csv
ok "$RUNCAST" fit --app partly
prints 'runs without CPU availability: 20, ignored by models that need it'
ok "$RUNCAST" fit --app partly --json --no-store
is "$(json "j['runs_without_cpu']")" 20

begin 'a plot of the model'
misused "$RUNCAST" fit --app cg --plot cg.txt
misused "$RUNCAST" fit --app cg --phases --plot cg.svg
if command -v gnuplot > /dev/null; then
    # The size that has most numbers of processes; then one number of processes only.
    awk 'BEGIN { print "app,n,p,seconds,steps"; for (i = 0; i < 3; i++) for (p = 2; p <= 16; p *= 2) {
        print "drawn,1000," p "," (90 + i) / p + p ",5"; if (p < 16) print "drawn,2000," p "," (900 + i) / p + p ",50" } }' \
        > drawn.csv
    ok "$RUNCAST" import drawn.csv
    ok "$RUNCAST" fit --app drawn --no-store --plot drawn.svg --json
    is "$(cat err)" 'note: parameters of the curve: steps=5'
    for text in 'drawn, size 1000' 'median, 90 % prediction interval' 'measured runs' 'ideal scaling' 'run time (s)' \
        'parallel efficiency, relative to 2 processes' 'efficiency (%)' processes; do
        grep -qF "$text" drawn.svg || fault "no '$text'"
    done
    is "$(grep -c 'predicted run\|time limit' drawn.svg)" 0
    # Runs that have a load are not on the curve, which is for idle hosts.
    ok "$RUNCAST" fit --app cg --no-store --plot cg.svg
    grep -qF 'measured runs (under other load)' cg.svg || fault 'no note on the load'
    awk 'BEGIN { print "app,n,p,seconds"; for (i = 1; i < 20; i++) print "sizes," 100 * i ",4," i * i }' > sizes.csv
    ok "$RUNCAST" import sizes.csv
    ok "$RUNCAST" fit --app sizes --plot sizes.png
    is "$(head -c 4 sizes.png | tail -c 3)" PNG
    ok "$RUNCAST" fit --app sizes --plot sizes.svg
    for text in 'sizes, 4 processes' 'problem size' 'measured runs'; do
        grep -qF "$text" sizes.svg || fault "no '$text'"
    done
else
    skip 'needs gnuplot'
fi

begin 'bandwidths in another unit give the same answers'
awk -F, -v OFS=, 'NR > 1 { $1 = "mbit"; $6 = $6 * 8e-6 } 1' cg.csv > mbit.csv
ok "$RUNCAST" import mbit.csv
ok "$RUNCAST" fit --app mbit
prints '2e-07 n^3 / (cpu P)'

finish
