#!/bin/bash
# Predictions from models of the runs in the store.
. "$(dirname "$0")/harness.sh"

# The law 2e-6 n^2 / (p cpu) + 30 n log2(p) / bw, without noise.  Further arguments: sizes.
law() {
    awk 'function law(n, p, cpu, bw) { return 2e-6 * n * n / (p * cpu) + 30 * n * log(p) / log(2) / bw }
    BEGIN {
        print "app,n,p,seconds,cpu,bw,start"
        for (i = 0; i < 60; i++) {
            n = 300 + (i * 7919) % 1700; p = 2 ^ int(i % 6 < 4 ? i % 2 : i % 4)
            cpu = 0.4 + (i * 37 % 60) / 100; bw = 2000 + (i * 7877) % 9000
            printf "md,%d,%d,%.9g,%.2f,%d,%d\n", n, p, law(n, p, cpu, bw), cpu, bw, 1794700000 + i
        }
    }'
}

begin 'without runs, it says what to record first'
fails "$RUNCAST" predict --app md --size 1000 --procs 4
table 10 > other.csv
ok "$RUNCAST" import other.csv
fails "$RUNCAST" predict --app md --size 1000 --procs 4
complains "the store has no run of 'md' to learn from"
complains 'record runs on 1, 2, 4 and 8 processes first'
fails "$RUNCAST" predict --app md --size 1000 --procs 4 --platform intel
complains "the store has no run of 'md' to learn from"

begin 'what makes no sense is refused'
misused "$RUNCAST" predict --size 1000 --procs 4
misused "$RUNCAST" predict --app md --size 1000
misused "$RUNCAST" predict --app md --size 0 --procs 4
misused "$RUNCAST" predict --app md --size 1000 --procs 0
misused "$RUNCAST" predict --app md --size 1000 --procs 4 --cpu 1.5
misused "$RUNCAST" predict --app md --size 1000 --procs 4 --bw 0
misused "$RUNCAST" predict --app md --size 1000 --procs 4 --quantiles 5,101
misused "$RUNCAST" predict --app md --size 1000 --procs 4 --param iterations
misused "$RUNCAST" predict --app md --size 1000 --procs 4 --param n=5
misused "$RUNCAST" predict --app md --size 1000 --procs 4 --hosts a1 --cpu 0.5
misused "$RUNCAST" predict --app md --size 1000 --procs 4 --out x.csv
misused "$RUNCAST" predict --app md --csv x.csv --size 4
misused "$RUNCAST" predict --app md --size 1000 --procs 4 --plot x.txt

begin 'a model is fitted on the way, and kept'
law > runs.csv
ok "$RUNCAST" import runs.csv
ok "$RUNCAST" predict --app md --size 1000 --procs 4 --cpu 0.5 --bw 5000
prints 'md, n = 1000 on 4 processes: '
prints 'from 60 runs, fitted just now'
prints 'CPU 0.5, bandwidth 40 kbit/s, as given'
ok "$RUNCAST" predict --app md --size 1000 --procs 4 --cpu 0.5 --bw 5000 --json
# 2e-6 * 1000^2 / (4 * 0.5) + 30 * 1000 * 2 / 5000 = 1 + 12
is "$(json "abs(j['predicted'] / 13 - 1) < 0.02 or j['predicted']")" True
is "$(json "j['lo90'] <= j['predicted'] <= j['hi90'] and j['hi90'] < 1.3 * j['lo90']")" True
is "$(json "j['model']['fitted'], j['model']['runs'], j['id'], j['load']['source']")" \
    "(False, 60, None, 'given')"
is "$(json "sorted(j['quantiles'], key=float)")" "['5', '25', '50', '75', '95']"
ok "$RUNCAST" predict --app md --size 1000 --procs 4 --cpu 0.5 --bw 5000 --json --quantiles 2.5,97.5
is "$(json "list(j['quantiles'])")" "['2.5', '97.5']"

begin 'how far it goes beyond the runs is said'
ok "$RUNCAST" predict --app md --size 4000 --procs 16 --cpu 0.5 --bw 5000
prints 'beyond  n is 2 times the largest seen'
prints 'beyond  p is 2 times the largest seen'
ok "$RUNCAST" predict --app md --size 4000 --procs 16 --cpu 0.5 --bw 5000 --json
is "$(json "round(j['beyond']['n'], 1), j['beyond']['p']")" '(2.0, 2)'

begin 'without a load, a dedicated machine is meant, and it is kept'
ok "$RUNCAST" predict --app md --size 1000 --procs 2
prints 'a dedicated machine, since nothing is known of the load to come'
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts zz1 --json
is "$(json "j['load']['source'], j['load']['cpu'], j['load']['missing'], j['hosts'], j['id']")" \
    "('dedicated', 1, 'zz1', 'zz1', 4)" # each was kept as regression's, and as the joint answer
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --no-store --json
is "$(json "j['id']")" None

begin 'new runs are learnt first'
law | sed -n '1p;20,22p' | sed 's/,17947/,17948/' > more.csv
ok "$RUNCAST" import more.csv
ok "$RUNCAST" predict --app md --size 1000 --procs 4
prints 'from 63 runs, of which 3 new'
ok "$RUNCAST" predict --app md --size 1000 --procs 4
prints 'from 63 runs'

begin 'the load to come is forecast from the series of the hosts'
series() {
    awk -v low="$1" -v high="$2" 'BEGIN { print "t,value"
        for (i = 0; i < 400; i++) print i * 10 "," (int(i / 20) % 2 ? high : low) }' > series.csv
    ok "$RUNCAST" series import series.csv "$3" "$4" --metric "$5" --time-origin 2026-11-15
}
series 0.5 0.5 --host a1 cpu
series 0.25 0.25 --host a2 cpu
series 5000 5000 --link a1:a2 bandwidth
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts 'a[1-2]' --at 2026-11-15T01:06:30Z --json
# 2e-6 * 1000^2 / (2 * 0.25) + 30 * 1000 / 5000 = 4 + 6
is "$(json "abs(j['predicted'] / 10 - 1) < 0.05 or j['predicted']")" True
is "$(json "j['load']['source'], j['load']['cpu_series'], j['load']['bw_series'], j['hosts']")" \
    "('forecast', 2, 1, 'a[1-2]')"
is "$(json "round(j['load']['cpu'], 6), round(j['load']['bw'])")" '(0.25, 5000)'
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts 'a[1-2]' --at 2026-11-15T01:06:30Z
prints 'from 2 hosts and 1 link, samples up to 2026-11-15T01:06:30Z'
is "$(grep -c 'older than the start' err)" 0
# Where samples have ceased to come, that is told.
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts 'a[1-2]' --at 2026-11-15T21:06:30Z --json \
    --no-store
complains 'note: the last CPU samples of 2 hosts are older than the start, such as that of a1 by 20 h: '
is "$(json "sum('older than the start' in note for note in j['notes'])")" 1
# What comes after --at is not looked at, and nothing is known of a day later.
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts a1 --at 2026-11-14 --json
is "$(json "j['load']['source']")" dedicated
for at in 2026-11-17 2027-02-17; do
    ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts a1 --at $at --json
    is "$(json "j['load']['source']")" dedicated
    complains 'note: the store has no CPU samples of these hosts from the day before: they are taken to be idle'
    is "$(json "sum('from the day before' in note for note in j['notes'])")" 1
done

begin 'of one row, no spread is told'
printf 'n,p,seconds\n1000,2,10\n' > single.csv
ok "$RUNCAST" predict --app md --csv single.csv --out single.out
complains 'standard deviation -, 90th'

begin 'a platform file gives the hosts'
cat > plat.yaml << 'END'
name: plat
clusters:
  - name: a
    hosts: a[1-4]
    cores: 1
    networks: [{name: net, bandwidth: 100Mbit, latency: 50us}]
END
# Without runs there, those on other platforms are learnt from.
at=(--at 2026-11-15T01:06:30Z)
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --platform plat.yaml "${at[@]}" --no-store --json
complains "note: the store has no run of 'md' on 'plat' to learn from: runs on other platforms are learnt from"
is "$(json "j['platform'], j['hosts'], j['model']['runs']")" "('plat', 'a[1-2]', 63)"
is "$(json "sum('other platforms' in note for note in j['notes'])")" 1
there=$(json "j['predicted']")
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts 'a[1-2]' "${at[@]}" --no-store --json
is "$(grep -c 'other platforms' err)" 0
is "$(json "j['predicted']")" "$there"
ok "$RUNCAST" predict --app md --csv single.csv --platform plat.yaml --out single.out
complains "note: the store has no run of 'md' on 'plat' to learn from: runs on other platforms are"
# Where the load is said, samples do not count, however old.
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --platform plat.yaml --cpu 0.5 --at 2026-11-15T21:06:30Z \
    --no-store --json
is "$(json "sum('samples' in note for note in j['notes'])")" 0
# What is fitted or learnt is not kept as if it were of this platform.
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --platform plat.yaml "${at[@]}"
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --platform plat.yaml "${at[@]}"
complains 'runs on other platforms are learnt from'
sed 's/,start/,start,platform/; 2,$s/$/,plat/; s/,17947/,17949/' runs.csv > plat.csv
ok "$RUNCAST" import plat.csv
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --platform plat.yaml --at 2026-11-15T01:06:30Z --json
is "$(json "j['platform'], j['hosts'], j['load']['source'], j['model']['runs']")" \
    "('plat', 'a[1-2]', 'forecast', 60)"
is "$(grep -c 'other platforms' err)" 0
fails "$RUNCAST" predict --app md --size 1000 --procs 5 --platform plat.yaml
complains 'do not fit'

begin 'a table takes the name of a platform from its file'
ok "$RUNCAST" predict --app md --csv single.csv --platform plat.yaml --out single.out
is "$(wc -l < single.out)" 2

begin 'a parameter that no model has is told'
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --param bogus=3 --no-store
complains 'note: --param bogus is not used by the model of the runs of md, which has no such parameter (it has: none)'
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --param bogus=3 --no-store --json
is "$(json "'\n'.join('note: ' + note for note in j['notes'])")" "$(cat err)"

begin 'families that are far apart are told'
# A structural model that says so many times what the law does with the bandwidth of the runs.
times() {
    printf 'model md\ninput N from size\ninput P from processes\n' > md.rcm
    echo "total t = $1 * (2e-6 * N * N / P + 30 * N / 5460)" >> md.rcm
    ok "$RUNCAST" model add --app md md.rcm
    ok "$RUNCAST" predict --app md --size 1000 --procs 2 --no-store --json
    is "$(json "[f['weight'] > 0.1 for f in j['families'] if f['answered']]")" '[True, True]'
}
times 1.5
silent
times 4
complains 'note: families of models are far apart, and the answer is made of all: regression says '
complains ', structure says 2'
is "$(json "len(j['notes'])")" 1
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --no-store --family structure
silent
ok "$RUNCAST" model remove --app md

begin 'hosts that are named fit to the platform file and to the processes'
at=(--at 2026-11-15T01:06:30Z --platform plat.yaml --no-store)
fails "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts 'a1,b7' "${at[@]}"
complains "--hosts: the platform has no host 'b7'"
fails "$RUNCAST" predict --app md --size 1000 --procs 3 --hosts 'a[1-2]' "${at[@]}"
complains '--hosts: 3 processes are 1 more than fit on the 2 hosts'
ok "$RUNCAST" predict --app md --size 1000 --procs 1 --hosts 'a[1-2]' "${at[@]}"
complains '2 hosts, and 1 process: the load of all of these hosts counts'

begin 'a host that nobody watched is taken for idle, and the others are not'
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts 'a[2-3]' "${at[@]}"
prints 'a3 is taken for idle: there are no samples of it from the day before'
complains 'note: the store has no CPU samples of 1 of the 2 hosts from the day before: they are taken to be idle'
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts 'a[2-3]' "${at[@]}" --json
is "$(json "j['load']['source'], j['load']['cpu_series'], round(j['load']['cpu'], 6)")" \
    "('forecast', 1, 0.25)"
is "$(json "j['load']['missing'], j['load']['n_missing'], j['load']['pace']")" "('a3', 1, 1)"

begin 'hosts that are faster than those of the runs are'
cat > fast.yaml << 'END'
name: fast
clusters:
  - name: a
    hosts: a[1-4]
    cores: 1
    speed: 1Gf
    networks: [{name: net, bandwidth: 100Mbit, latency: 50us}]
  - name: b
    hosts: b[1-4]
    cores: 1
    speed: 4Gf
    networks: [{name: net, bandwidth: 100Mbit, latency: 50us}]
END
sed 's/,start/,start,platform,hosts/; 2,$s/$/,fast,a1/; s/,17947/,17950/' runs.csv > fast.csv
ok "$RUNCAST" import fast.csv
at=(--at 2027-02-17 --platform fast.yaml --no-store)
for hosts in 'a[1-2]' 'b[1-2]' a1,b1; do
    ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts "$hosts" "${at[@]}" --json
    json "round(j['predicted'], 3), j['load']['pace']" > "$hosts.txt"
done
cmp 'a[1-2].txt' a1,b1.txt || fault 'the slowest does not count'
is "$(cut -d' ' -f2 'a[1-2].txt')" '1)'
is "$(cut -d' ' -f2 'b[1-2].txt')" '4)'
# 2e-6 * 1000^2 / 2 = 1 s of computing, a quarter of it on b; the rest is communication
python3 - "$(cat 'a[1-2].txt')" "$(cat 'b[1-2].txt')" << 'END' || fault "it is $(cat ./*].txt)"
import sys
slow, fast = (eval(text)[0] for text in sys.argv[1:])
sys.exit(not 0.6 < slow - fast < 0.9)
END
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts 'b[1-2]' "${at[@]}"
prints 'on hosts 4 times as fast as those of the runs'

sed '/speed: 1Gf/d' fast.yaml > some.yaml
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts 'b[1-2]' --at 2027-02-17 --platform some.yaml \
    --no-store --json
complains 'note: the platform says the speeds of some hosts, and not of a[1-4]: all are taken to be as fast'
is "$(json "round(j['predicted'], 3), j['load']['pace']")" "$(cat 'a[1-2].txt')"

begin 'the same question has the same answer'
ok "$RUNCAST" predict --app md --size 900 --procs 2 --cpu 0.7 --bw 6000 --json
first=$(json "j['predicted'], j['quantiles']")
ok "$RUNCAST" predict --app md --size 900 --procs 2 --cpu 0.7 --bw 6000 --json
is "$(json "j['predicted'], j['quantiles']")" "$first"
ok "$RUNCAST" predict --app md --size 900 --procs 2 --cpu 0.7 --bw 6000 --json --seed 2
is "$(json "(j['predicted'], j['quantiles']) == $first")" False

begin 'a store that may only be read still answers'
cp "$RUNCAST" program
ok unprivileged ./program predict --app md --size 1000 --procs 2
complains 'this prediction is not kept'

begin 'every row of a table is predicted'
ok "$RUNCAST" predict --app md --csv runs.csv
is "$(head -n 1 out)" 'app,n,p,seconds,cpu,bw,start,predicted,lo90,hi90'
is "$(wc -l < out)" 61
is "$(head -n 5 out | cut -d, -f1-7)" "$(head -n 5 runs.csv)"
complains '60 rows predicted; of 60 with seconds: error 0.'
ok "$RUNCAST" predict --app md --csv runs.csv --out out.csv --json
is "$(json "j['rows'], j['scored'], j['mean'] < 3, j['p90'] < 8, 0 <= j['coverage'] <= 1")" \
    '(60, 60, True, True, True)'
is "$(wc -l < out.csv)" 61
printf 'n,p,cpu,bw,note\n1000,4,0.5,5000,"a, b"\n1000,4,,,"say ""x"""\n' > planned.csv
ok "$RUNCAST" predict --app md --csv planned.csv
prints '1000,4,0.5,5000,"a, b",1'
prints '1000,4,,,"say ""x""",'
complains '2 rows predicted'
"$RUNCAST" predict --app md --csv - < planned.csv > piped 2> err || fault 'a pipe: failed'
is "$(cmp piped out && echo same)" same

begin 'rows that cannot be predicted are told with line and column, and nothing is written'
printf 'n,p\n1000,4\n-5,4\nten,2\n' > bad.csv
fails "$RUNCAST" predict --app md --csv bad.csv --out never.csv
complains 'bad.csv:3:1: column '"'n'"
complains '1 more rows are bad; nothing was predicted'
[ ! -e never.csv ] || fault 'never.csv was written'
is "$(find . -name 'never.csv*' | wc -l)" 0
printf 'p,seconds\n4,1\n' > bad.csv
fails "$RUNCAST" predict --app md --csv bad.csv
complains "missing column 'n'"
printf 'app,n,p\nga,4,1\n' > bad.csv
fails "$RUNCAST" predict --app md --csv bad.csv
complains "bad.csv:2:1: column 'app': not the app that was asked for"
printf 'n,p,predicted\n4,1,3\n' > bad.csv
fails "$RUNCAST" predict --app md --csv bad.csv
complains "there is a column 'predicted' already"
fails "$RUNCAST" predict --app md --csv none.csv
complains 'none.csv'

begin 'rows are learnt once they are predicted'
# The machine got twice as fast: who learns sees it.
awk -F, 'BEGIN { OFS = "," } NR > 1 { $4 /= 2 } 1' runs.csv > faster.csv
ok "$RUNCAST" predict --app md --csv faster.csv --out one.csv --json
stays=$(json "j['mean']")
ok "$RUNCAST" predict --app md --csv faster.csv --out two.csv --json --learn
is "$(json "j['mean'] < 0.95 * $stays or (j['mean'], $stays)")" True
is "$(cut -d, -f8 one.csv | sed -n 2p)" "$(cut -d, -f8 two.csv | sed -n 2p)" 'the first row'

begin 'by the paper'
ok "$RUNCAST" predict --app md --size 1000 --procs 4 --cpu 0.5 --bw 5000 --criterion paper --json
is "$(json "abs(j['predicted'] / 13 - 1) < 0.1 or j['predicted']")" True
is "$(json "j['model']['criterion'], j['model']['stat']")" "('paper', 'minavg')"

begin 'further parameters are asked for where the time depends on them'
awk 'BEGIN { print "app,n,p,seconds,cpu,bw,steps"
    for (i = 0; i < 40; i++) { n = 100 + i * 53 % 400; s = 10 * (1 + i * 7 % 9); p = 2 ^ (i % 3)
        printf "it,%d,%d,%.9g,1,1000,%d\n", n, p, 1e-5 * n * n * s / p, s } }' > steps.csv
ok "$RUNCAST" import steps.csv
fails "$RUNCAST" predict --app it --size 300 --procs 2 --cpu 1 --bw 1000
complains "the time depends on 'steps', which was not said"
complains 'hint: say --param steps=NUMBER'
ok "$RUNCAST" predict --app it --size 300 --procs 2 --cpu 1 --bw 1000 --param steps=50 --json
# 1e-5 * 300^2 * 50 / 2
is "$(json "abs(j['predicted'] / 22.5 - 1) < 0.05 or j['predicted']")" True

fails "$RUNCAST" predict --app it --size 300 --procs 2 --cpu 1 --bw 1000 --param steps=0
complains "the model means nothing for 'steps' = 0"

begin 'a damaged model is told'
sqlite3 store.db "UPDATE model SET body = '{\"members\": 3}' WHERE family = 'regress'" 2> /dev/null ||
    python3 -c "import sqlite3; c = sqlite3.connect('store.db')
c.execute(\"UPDATE model SET body = '{\\\"members\\\": 3}' WHERE family = 'regress'\"); c.commit()"
fails "$RUNCAST" predict --app md --size 1000 --procs 4
complains 'the stored model is damaged'
complains "hint: make it anew with 'runcast fit'"

begin 'predictions are drawn'
if command -v gnuplot > /dev/null; then
    ok "$RUNCAST" predict --app it --size 300 --procs 2 --param steps=50 --criterion paper --plot time.svg --json
    predicted=$(json "'predicted %.5g' % j['predicted']")
    is "$(grep -c '<svg' time.svg)" 1
    is "$(grep -c 'it, n = 300 on 2 processes' time.svg)" 1
    is "$(grep -c 'run time in seconds' time.svg)" 1
    is "$(grep -c "$predicted" time.svg)" 1
else
    skip 'needs gnuplot'
fi

finish
