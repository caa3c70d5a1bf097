#!/bin/bash
# Predictions from models of the runs in the database.
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

begin 'without runs, the hint is what to record first'
fails "$RUNCAST" predict --app md --size 1000 --procs 4
table 10 > other.csv
ok "$RUNCAST" import other.csv
fails "$RUNCAST" predict --app md --size 1000 --procs 4
complains "no runs of 'md' in the database"
complains 'hint: record runs of several sizes on 1, 2, 4 and 8 processes'
fails "$RUNCAST" predict --app md --size 1000 --procs 4 --platform intel
complains "no runs of 'md' in the database"

begin 'what makes no sense is refused'
misused "$RUNCAST" predict --size 1000 --procs 4
misused "$RUNCAST" predict --app md --size 1000
misused "$RUNCAST" predict --app md --size 0 --procs 4
misused "$RUNCAST" predict --app md --size 1000 --procs 0
misused "$RUNCAST" predict --app md --size 1000 --procs 4 --cpu 1.5
misused "$RUNCAST" predict --app md --size 1000 --procs 4 --bandwidth 0
for wrong in 99 0.5,95 1 0 101% -0.5 half; do
    misused "$RUNCAST" predict --app md --size 1000 --procs 4 --quantiles $wrong
    complains 'quantiles are fractions of 1, such as 0.95'
done
misused "$RUNCAST" predict --app md --size 1000 --procs 4 --param iterations
misused "$RUNCAST" predict --app md --size 1000 --procs 4 --param n=5
misused "$RUNCAST" predict --app md --size 1000 --procs 4 --hosts a1 --cpu 0.5
misused "$RUNCAST" predict --app md --size 1000 --procs 4 --output x.csv
misused "$RUNCAST" predict --app md --input x.csv --size 4
misused "$RUNCAST" predict --app md --size 1000 --procs 4 --plot x.txt
misused "$RUNCAST" predict --app md --size 1000 --procs 4 --platform intel --platform-file x.yaml
complains 'use --platform or --platform-file, not both'

begin 'a size, processes and hosts that are left out are those in which all runs agree'
alike() { "$RUNCAST" predict --app alike --extrapolate --no-store "$@"; }
printf 'app,n,p,seconds,hosts\n' > alike.csv
printf 'alike,4,2,%s,"b2,b1"\n' 10 10.1 9.9 10.2 >> alike.csv
ok "$RUNCAST" import alike.csv
ok alike
says 'alike, size 4, 2 processes: '
says 'size: 4 (that of all 4 runs)'
says 'processes: 2 (that of all 4 runs)'
says 'hosts: b2,b1 (those of all 4 runs)'
ok alike --size 4 --json
is "$(json "j['defaults'], sorted(j['hosts']), j['procs']")" "(['procs', 'hosts'], ['b1', 'b2'], 2)"
for procs in 1 4; do # fewer than hosts, and more than they have had
    ok alike --procs $procs --json
    is "$(json "j['defaults'], j['hosts']")" "(['size'], [])"
done
ok alike --hosts c1 --json
is "$(json "j['defaults'], j['hosts']")" "(['size', 'procs'], ['c1'])"
ok alike --cpu 0.5 --json
is "$(json "j['defaults'], j['hosts']")" "(['size', 'procs'], [])"
printf 'app,n,p,seconds,hosts\nalike,8,2,20,b[1-2]\n' > differs.csv
ok "$RUNCAST" import differs.csv
misused alike
complains 'the runs differ in the size'
complains 'hint: use --size N'
ok alike --size 8 --json
is "$(json "j['defaults'], sorted(j['hosts'])")" "(['procs', 'hosts'], ['b1', 'b2'])"
printf 'app,n,p,seconds,hosts\nalike,8,4,10,\n' > differs.csv
ok "$RUNCAST" import differs.csv
ok alike --size 8 --procs 2 --json
is "$(json "j['defaults'], j['hosts']")" "([], [])"
misused "$RUNCAST" predict --app unknown
complains "there are no runs of 'unknown' to take the size from"

begin 'a model is fitted if there is none, and stored'
law > runs.csv
ok "$RUNCAST" import runs.csv
ok "$RUNCAST" predict --app md --size 1000 --procs 4 --cpu 0.5 --bandwidth 5000
prints 'md, size 1000, 4 processes: '
prints 'models (minavg), 60 runs, fitted now'
prints 'load: CPU availability 0.5, bandwidth 40 kbit/s (given)'
ok "$RUNCAST" predict --app md --size 1000 --procs 4 --cpu 0.5 --bandwidth 5000 --json
# 2e-6 * 1000^2 / (4 * 0.5) + 30 * 1000 * 2 / 5000 = 1 + 12
is "$(json "abs(j['predicted_s'] / 13 - 1) < 0.02 or j['predicted_s']")" True
is "$(json "j['interval_s']['low'] <= j['predicted_s'] <= j['interval_s']['high'] and j['interval_s']['high'] < 1.3 * j['interval_s']['low']")" True
is "$(json "j['model']['fitted'], j['model']['run_count'], j['id'], j['load']['source']")" \
    "(False, 60, None, 'given')"
is "$(json "[key for key in j if key[0] == 'p' and key[1].isdigit()]")" \
    "['p05_s', 'p10_s', 'p25_s', 'p50_s', 'p75_s', 'p90_s', 'p95_s', 'p99_s']"
is "$(json "j['p05_s'] < j['p50_s'] < j['p99_s'] and j['interval_s']['level']")" 0.9
is "$(json "list(j)[:5] + [j['app'], j['size'], j['procs'], j['schema'], j['method']]")" \
    "['schema', 'app', 'size', 'procs', 'params', 'md', 1000, 4, 'runcast.predict/1', 'regression']"

begin 'quantiles are fractions of 1'
question=(--app md --size 1000 --procs 4 --cpu 0.5 --bandwidth 5000)
p99=$(json "j['p99_s']")
ok "$RUNCAST" predict "${question[@]}" --json --quantiles 0.025,0.99,99.9%
is "$(json "[key for key in j if key[0] == 'p' and key[1].isdigit()]")" "['p025_s', 'p99_s', 'p999_s']"
is "$(json "j['p99_s']")" "$p99" '0.99 is the 99th percentile'
ok "$RUNCAST" predict "${question[@]}" --quantiles 0.05,0.025,0.5,0.99
is "$(grep -o '^P[0-9.]*: ' out | tr -d '\n')" 'P05: P2.5: P50: P99: '
ok "$RUNCAST" predict "${question[@]}"
is "$(grep -o '^P[0-9.]*: ' out | tr -d '\n')" 'P95: P99: '
misused "$RUNCAST" predict "${question[@]}" --quantiles 99
complains '--quantiles 99: quantiles are fractions of 1, such as 0.95'

begin 'a time limit at a chosen risk'
ok "$RUNCAST" predict "${question[@]}"
prints 'time limit: --time=00:01:00'
prints 'probability of exceeding the time limit: 0.01 (by the model alone; no past predictions)'
ok "$RUNCAST" predict --app md --size 1e6 --procs 8 --cpu 0.5 --bandwidth 5000 --method regression --extrapolate
is "$(grep -cE '^time limit: --time=[1-9][0-9]*-[0-2][0-9]:[0-5][0-9]:00$' out)" 1 'days as sbatch takes them'
limit() { # RISK [OPTION...]: the time limit before it is rounded
    ok "$RUNCAST" predict "${question[@]}" --json --risk "$@"
    json "j['time_limit']['unrounded_s']"
}
ok "$RUNCAST" predict "${question[@]}" --json
is "$(json "j['time_limit_s'], j['time_limit']['risk'], j['p99_s'] <= j['time_limit']['unrounded_s'] < 1.02 * j['p99_s']")" \
    '(60, 0.01, True)'
is "$(limit 1%)" "$(limit 0.01)"
is "$(python3 -c "print($(limit 0.5) < $(limit 10%) < $(limit 0.001))")" True
ok "$RUNCAST" predict "${question[@]}" --risk 0.001 --samples 50
complains 'note: --samples 50 are few for --risk 0.001; the time limit is extrapolated from them'
for wrong in 0 1 100% -0.1 2; do
    misused "$RUNCAST" predict "${question[@]}" --risk $wrong
    complains '--risk must be between 0 and 1'
done
misused "$RUNCAST" predict --app md --input x.csv --risk 0.1

begin 'an extrapolation is shown'
ok "$RUNCAST" predict --app md --size 4000 --procs 16 --cpu 0.5 --bandwidth 5000
prints 'extrapolation: size is 2 times the largest of the runs'
prints 'extrapolation: number of processes is 2 times the largest of the runs'
ok "$RUNCAST" predict --app md --size 4000 --procs 16 --cpu 0.5 --bandwidth 5000 --json
is "$(json "round(j['extrapolation']['size_factor'], 1), j['extrapolation']['procs_factor']")" '(2.0, 2)'

begin 'the predicted time is the median, however wide the distribution is'
printf 'app,n,p,seconds\n' > few.csv
for i in 1 2 3 4 5 6 7 8 9; do echo "cg,$((i * 1000)),$((1 << i % 3)),$((i * i * 7 / (1 + i % 3) + i)).5"; done >> few.csv
ok "$RUNCAST" import few.csv
ok "$RUNCAST" predict --app cg --size 5000 --procs 64 --no-store --json
is "$(json "j['predicted_s'] == j['p50_s'], j['p95_s'] > 10 * j['p05_s'], j['mean_s'] > j['p50_s']")" '(True, True, True)'

begin 'far beyond the runs, regression alone does not predict'
fails "$RUNCAST" predict --app md --size 40000 --procs 4 --cpu 0.5 --bandwidth 5000
complains 'the size is beyond the runs by a factor of 20'
complains 'hint: record a run with --size '
complains ' first; --extrapolate predicts all the same'
fails "$RUNCAST" predict --app md --size 1000 --procs 256 --no-store --json
complains 'the number of processes is beyond the runs by a factor of 32'
fails "$RUNCAST" predict --app md --size 1000 --procs 4,256
fails "$RUNCAST" predict --app md --size 10 --procs 4 --no-store
complains 'the size is beyond the runs by a factor of 30'
ok "$RUNCAST" predict --app md --size 40000 --procs 4 --cpu 0.5 --bandwidth 5000 --extrapolate --json
is "$(json "j['extrapolation']['size_factor'] > 19")" True
misused "$RUNCAST" predict --app md --input x.csv --extrapolate
printf 'app,n,p,seconds\nodd,1000,1,10\nodd,2000,1,900\nodd,1500,1,3\nodd,1200,1,7000\nodd,1100,1,0.4\n' > odd.csv
ok "$RUNCAST" import odd.csv
fails "$RUNCAST" predict --app odd --size 1900 --procs 1 --no-store
complains 'the runs do not show the run time: the ends of the 90 % interval differ by a factor of '
ok "$RUNCAST" predict --app odd --size 1900 --procs 1 --no-store --extrapolate

begin 'without a load, the prediction is for idle hosts, and is stored'
ok "$RUNCAST" predict --app md --size 1000 --procs 2
is "$(grep -cE '^load: CPU availability 1, bandwidth [0-9.]+ kbit/s \(idle hosts assumed\)$' out)" 1
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts zz1 --json
is "$(json "j['load']['source'], j['load']['cpu_availability'], j['load']['host_without_cpu_samples'], j['hosts'], j['id']")" \
    "('dedicated', 1, 'zz1', ['zz1'], 4)" # each is stored for regression, and as the combined one
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --no-store --json
is "$(json "j['id']")" None

begin 'new runs are learned first'
law | sed -n '1p;20,22p' | sed 's/,17947/,17948/' > more.csv
ok "$RUNCAST" import more.csv
ok "$RUNCAST" predict --app md --size 1000 --procs 4
prints ', 63 runs, 3 added since the last fit'
ok "$RUNCAST" predict --app md --size 1000 --procs 4
prints ', 63 runs'

begin 'load is forecast from the series of the hosts'
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
is "$(json "abs(j['predicted_s'] / 10 - 1) < 0.05 or j['predicted_s']")" True
is "$(json "j['load']['source'], j['load']['hosts_with_cpu_samples'], j['load']['links_with_bandwidth_samples'], j['hosts']")" \
    "('forecast', 2, 1, ['a1', 'a2'])"
is "$(json "round(j['load']['cpu_availability'], 6), round(j['load']['bandwidth_bytes_per_s'])")" '(0.25, 5000)'
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts 'a[1-2]' --at 2026-11-15T01:06:30Z
prints 'from 2 hosts and 1 link, samples up to 2026-11-15T01:06:30Z'
is "$(grep -c 'older than the start' err)" 0
# A note warns about old samples.
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts 'a[1-2]' --at 2026-11-15T21:06:30Z --json \
    --no-store
complains 'note: old samples: the last CPU sample of a1 is 20:00:00 older than the start (and of 1 more host); '
is "$(json "sum('older than the start' in note for note in j['notes'])")" 1
# Samples after --at are ignored, and so are those of more than a day before.
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts a1 --at 2026-11-14 --json
is "$(json "j['load']['source']")" dedicated
for at in 2026-11-17 2027-02-17; do
    ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts a1 --at $at --json
    is "$(json "j['load']['source']")" dedicated
    complains 'note: no CPU samples of a1 in the day before; assumed to be idle'
    is "$(json "sum('in the day before' in note for note in j['notes'])")" 1
done

begin 'one row has no standard deviation'
printf 'n,p,seconds\n1000,2,10\n' > single.csv
ok "$RUNCAST" predict --app md --input single.csv --output single.out
complains '(standard deviation -, P90 '

begin 'a platform file gives the hosts'
cat > plat.yaml << 'END'
name: plat
clusters:
  - name: a
    hosts: a[1-4]
    cores: 1
    networks: [{name: net, bandwidth: 100Mbit, latency: 50us}]
END
# Without runs there, the model uses those on other platforms.
at=(--at 2026-11-15T01:06:30Z)
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --platform-file plat.yaml "${at[@]}" --no-store --json
complains "note: no runs of 'md' on 'plat' in the database; the model uses runs on other platforms"
is "$(json "j['platform'], j['hosts'], j['model']['run_count']")" "('plat', ['a1', 'a2'], 63)"
is "$(json "sum('other platforms' in note for note in j['notes'])")" 1
there=$(json "j['predicted_s']")
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts 'a[1-2]' "${at[@]}" --no-store --json
is "$(grep -c 'other platforms' err)" 0
is "$(json "j['predicted_s']")" "$there"
ok "$RUNCAST" predict --app md --input single.csv --platform-file plat.yaml --output single.out
complains "note: no runs of 'md' on 'plat' in the database; the model uses runs on other platforms"
# With a given load, samples are not used, however old.
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --platform-file plat.yaml --cpu 0.5 --at 2026-11-15T21:06:30Z \
    --no-store --json
is "$(json "sum('samples' in note for note in j['notes'])")" 0
# Such a model is not stored for this platform.
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --platform-file plat.yaml "${at[@]}"
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --platform-file plat.yaml "${at[@]}"
complains 'the model uses runs on other platforms'
sed 's/,start/,start,platform/; 2,$s/$/,plat/; s/,17947/,17949/' runs.csv > plat.csv
ok "$RUNCAST" import plat.csv
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --platform-file plat.yaml --at 2026-11-15T01:06:30Z --json
is "$(json "j['platform'], j['hosts'], j['load']['source'], j['model']['run_count']")" \
    "('plat', ['a1', 'a2'], 'forecast', 60)"
is "$(grep -c 'other platforms' err)" 0
fails "$RUNCAST" predict --app md --size 1000 --procs 5 --platform-file plat.yaml
complains 'do not fit'

begin 'a table takes the name of a platform from its file'
ok "$RUNCAST" predict --app md --input single.csv --platform-file plat.yaml --output single.out
is "$(wc -l < single.out)" 2

begin 'a parameter without effect is noted'
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --param bogus=3 --no-store
complains 'note: --param bogus has no effect: the regression model of md has no such parameter (it has: none)'
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --param bogus=3 --no-store --json
is "$(json "'\n'.join('note: ' + note for note in j['notes'])")" "$(cat err)"

begin 'a note shows methods that disagree'
# A structural model with so many times the time of the law, with the bandwidth of the runs.
times() {
    printf 'model md\ninput N from size\ninput P from processes\n' > md.rcm
    echo "total t = $1 * (2e-6 * N * N / P + 30 * N / 5460)" >> md.rcm
    ok "$RUNCAST" model add --app md md.rcm
    ok "$RUNCAST" predict --app md --size 1000 --procs 2 --no-store --json
    is "$(json "[f['weight'] > 0.1 for f in j['methods']]")" '[True, True]'
}
times 1.5
silent
times 4
complains 'note: the methods disagree: regression '
complains ', structural 2'
is "$(json "len(j['notes'])")" 1
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --no-store --method structural
silent
ok "$RUNCAST" model remove --app md

begin 'named hosts must be in the platform file, and have room'
at=(--at 2026-11-15T01:06:30Z --platform-file plat.yaml --no-store)
fails "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts 'a1,b7' "${at[@]}"
complains "--hosts: the platform has no host 'b7'"
fails "$RUNCAST" predict --app md --size 1000 --procs 3 --hosts 'a[1-2]' "${at[@]}"
complains '--hosts: 3 processes do not fit on the 2 hosts, which have room for 2'
ok "$RUNCAST" predict --app md --size 1000 --procs 1 --hosts 'a[1-2]' "${at[@]}"
complains '2 hosts for 1 process: the prediction uses the load of all hosts'

begin 'a host without samples is assumed to be idle, and the others are not'
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts 'a[2-3]' "${at[@]}"
prints 'no samples: CPU of a3 in the day before; assumed to be idle'
complains 'note: no CPU samples of a3 in the day before; assumed to be idle'
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts 'a[2-3]' "${at[@]}" --json
is "$(json "j['load']['source'], j['load']['hosts_with_cpu_samples'], round(j['load']['cpu_availability'], 6)")" \
    "('forecast', 1, 0.25)"
is "$(json "j['load']['host_without_cpu_samples'], j['load']['hosts_without_cpu_samples'], j['load']['host_speed_ratio']")" "('a3', 1, 1)"

begin 'the speed of hosts counts'
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
at=(--at 2027-02-17 --platform-file fast.yaml --no-store)
for hosts in 'a[1-2]' 'b[1-2]' a1,b1; do
    ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts "$hosts" "${at[@]}" --json
    json "round(j['predicted_s'], 3), j['load']['host_speed_ratio']" > "$hosts.txt"
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
prints 'host speed: 4 times that of the runs'

sed '/speed: 1Gf/d' fast.yaml > some.yaml
ok "$RUNCAST" predict --app md --size 1000 --procs 2 --hosts 'b[1-2]' --at 2027-02-17 --platform-file some.yaml \
    --no-store --json
complains 'note: the platform file has speeds of some hosts, but not of a[1-4]: all are assumed equally fast'
is "$(json "round(j['predicted_s'], 3), j['load']['host_speed_ratio']")" "$(cat 'a[1-2].txt')"

begin 'the same question has the same answer'
ok "$RUNCAST" predict --app md --size 900 --procs 2 --cpu 0.7 --bandwidth 6000 --json
times="[j['predicted_s']] + [j[k] for k in j if k[0] == 'p' and k[1].isdigit()]"
first=$(json "$times")
ok "$RUNCAST" predict --app md --size 900 --procs 2 --cpu 0.7 --bandwidth 6000 --json
is "$(json "$times")" "$first"
is "$(json "len($times)")" 9
ok "$RUNCAST" predict --app md --size 900 --procs 2 --cpu 0.7 --bandwidth 6000 --json --seed 2
is "$(json "$times == $first")" False

begin 'a read-only database still answers'
cp "$RUNCAST" program
ok unprivileged ./program predict --app md --size 1000 --procs 2
complains 'note: the prediction was not stored'

begin 'every row of a table is predicted'
ok "$RUNCAST" predict --app md --input runs.csv
is "$(head -n 1 out)" 'app,n,p,seconds,cpu,bw,start,predicted_s,low_s,high_s'
is "$(wc -l < out)" 61
is "$(head -n 5 out | cut -d, -f1-7)" "$(head -n 5 runs.csv)"
complains 'rows predicted: 60'
complains 'rows with a run time: 60'
complains 'MAPE: 0.'
ok "$RUNCAST" predict --app md --input runs.csv --output out.csv --json
is "$(json "j['schema']")" runcast.predict.input/1
is "$(json "j['rows'], j['scored'], j['mape_fraction'] < 0.03, j['ape_p90_fraction'] < 0.08, 0 <= j['coverage_fraction'] <= 1")" \
    '(60, 60, True, True, True)'
is "$(wc -l < out.csv)" 61
printf 'Grid size,Tasks\n1000,4\n' > usual.csv
ok "$RUNCAST" predict --app md --input usual.csv
complains "note: columns recognized: n is 'Grid size', p is 'Tasks'"
prints '1000,4,'
printf 'n,p,cpu,bw,note\n1000,4,0.5,5000,"a, b"\n1000,4,,,"say ""x"""\n' > planned.csv
ok "$RUNCAST" predict --app md --input planned.csv
prints '1000,4,0.5,5000,"a, b",1'
prints '1000,4,,,"say ""x""",'
complains 'rows predicted: 2'
"$RUNCAST" predict --app md --input - < planned.csv > piped 2> err || fault 'a pipe: failed'
is "$(cmp piped out && echo same)" same

begin 'rows with errors are reported with line and column, and nothing is written'
printf 'n,p\n1000,4\n-5,4\nten,2\n' > bad.csv
fails "$RUNCAST" predict --app md --input bad.csv --output never.csv
complains 'bad.csv:3:1: column '"'n'"
complains '1 more rows have errors; nothing was predicted'
[ ! -e never.csv ] || fault 'never.csv was written'
is "$(find . -name 'never.csv*' | wc -l)" 0
printf 'p,seconds\n4,1\n' > bad.csv
fails "$RUNCAST" predict --app md --input bad.csv
complains "missing column 'n'"
printf 'app,n,p\nga,4,1\n' > bad.csv
fails "$RUNCAST" predict --app md --input bad.csv
complains "bad.csv:2:1: column 'app': not the app that was asked for"
printf 'n,p,predicted_s\n4,1,3\n' > bad.csv
fails "$RUNCAST" predict --app md --input bad.csv
complains "the table already has a column 'predicted_s'"
fails "$RUNCAST" predict --app md --input none.csv
complains 'none.csv'

begin 'rows are learned once they are predicted'
# The machine became twice as fast; only learning shows it.
awk -F, 'BEGIN { OFS = "," } NR > 1 { $4 /= 2 } 1' runs.csv > half.csv
{ cat half.csv; sed 1d half.csv; sed 1d half.csv; } > faster.csv
ok "$RUNCAST" predict --app md --input faster.csv --output one.csv --json
stays=$(json "j['mape_fraction']")
ok "$RUNCAST" predict --app md --input faster.csv --output two.csv --json --learn
is "$(json "j['mape_fraction'] < 0.95 * $stays or (j['mape_fraction'], $stays)")" True
is "$(cut -d, -f8 one.csv | sed -n 2p)" "$(cut -d, -f8 two.csv | sed -n 2p)" 'the first row'

begin 'by the paper'
ok "$RUNCAST" predict --app md --size 1000 --procs 4 --cpu 0.5 --bandwidth 5000 --criterion paper --json
is "$(json "abs(j['predicted_s'] / 13 - 1) < 0.1 or j['predicted_s']")" True
is "$(json "j['model']['criterion'], j['model']['stat']")" "('paper', 'minavg')"

begin 'parameters of the model are required'
awk 'BEGIN { print "app,n,p,seconds,cpu,bw,steps"
    for (i = 0; i < 40; i++) { n = 100 + i * 53 % 400; s = 10 * (1 + i * 7 % 9); p = 2 ^ (i % 3)
        printf "it,%d,%d,%.9g,1,1000,%d\n", n, p, 1e-5 * n * n * s / p, s } }' > steps.csv
ok "$RUNCAST" import steps.csv
fails "$RUNCAST" predict --app it --size 300 --procs 2 --cpu 1 --bandwidth 1000
complains "the model needs the parameter 'steps'"
complains 'hint: use --param steps=NUMBER (10 to 90 in the runs)'
ok "$RUNCAST" predict --app it --size 300 --procs 2 --cpu 1 --bandwidth 1000 --param steps=50 --json
# 1e-5 * 300^2 * 50 / 2
is "$(json "abs(j['predicted_s'] / 22.5 - 1) < 0.05 or j['predicted_s']")" True

fails "$RUNCAST" predict --app it --size 300 --procs 2 --cpu 1 --bandwidth 1000 --param steps=0
complains "the model cannot be used for 'steps' = 0"

# The texts of an SVG file: SERIES TITLE LABEL...
has_texts() {
    is "$(grep -c '<svg' "$1")" 1 "$1"
    for text in "${@:2}"; do
        grep -qF "$text" "$1" || fault "$1: no '$text'"
    done
}

begin 'the scaling curve over problem sizes is drawn'
if command -v gnuplot > which; then
    ok "$RUNCAST" predict --app it --size 600 --procs 2 --param steps=50 --plot curve.svg --json --no-store
    is "$(json "j['extrapolation']['size_factor'] > 1, j['p50_s'] > 0")" '(True, True)'
    has_texts curve.svg 'it, 2 processes' 'problem size' 'run time (s)' 'median, 90 % prediction interval' \
        'measured runs' 'predicted run'
    is "$(cat err)" 'note: parameters of the curve: steps=50'
    # it gives the same answer as without a plot
    drawn=$(json "j['predicted_s']")
    ok "$RUNCAST" predict --app it --size 600 --procs 2 --param steps=50 --json --no-store
    is "$(json "j['predicted_s']")" "$drawn"
else
    skip 'needs gnuplot'
fi

begin 'the scaling curve over numbers of processes is drawn'
if command -v gnuplot > which; then
    ok "$RUNCAST" predict --app md --size 1000 --procs 4 --platform plat --hosts a1 --plot curve.svg --no-store
    has_texts curve.svg 'md, size 1000, on a1 (plat)' 'processes' 'predicted run'
    ok "$RUNCAST" predict --app it --size 600 --procs 2 --param steps=50 --plot curve.png --no-store
    is "$(head -c 4 curve.png | tail -c 3)" PNG
    fails "$RUNCAST" predict --app md --size 1000 --procs 4 --plot nowhere/curve.svg --no-store
    complains 'drawing nowhere/curve.svg'
else
    skip 'needs gnuplot'
fi

begin 'the plot has ideal scaling, efficiency and the time limit'
if command -v gnuplot > which; then
    awk 'BEGIN { print "app,n,p,seconds"; for (i = 0; i < 4; i++) for (p = 2; p <= 16; p *= 2)
        print "wide,1000," p "," (90 + i) / p + p }' > wide.csv
    ok "$RUNCAST" import wide.csv
    ok "$RUNCAST" predict --app wide --size 1000 --procs 32 --risk 2% --plot wide.svg --no-store
    has_texts wide.svg 'ideal scaling' 'time limit, risk 0.02' 'efficiency (%)' \
        'parallel efficiency, relative to 2 processes' 'predicted run' 'processes' 'run time (s)'
    # A load that is not that of the measured runs.
    ok "$RUNCAST" predict --app wide --size 1000 --procs 8 --cpu 0.5 --plot load.svg --no-store
    has_texts load.svg 'measured runs (under other load)' \
        'parallel efficiency, relative to 2 processes under the same load'
    # In weak scaling, more processes never shorten the run.
    awk 'BEGIN { print "app,n,p,seconds"; for (i = 0; i < 4; i++) for (p = 2; p <= 16; p *= 2)
        print "weak,1000," p "," 90 + i + 5 * p }' > weak.csv
    ok "$RUNCAST" import weak.csv
    ok "$RUNCAST" predict --app weak --size 1000 --procs 32 --plot weak.svg --no-store
    has_texts weak.svg 'processes' 'time limit, risk 0.01'
    is "$(grep -c 'ideal scaling\|efficiency' weak.svg)" 0
    # Over sizes, nothing is parallel.
    ok "$RUNCAST" predict --app it --size 600 --procs 2 --param steps=50 --plot sizes.svg --no-store
    has_texts sizes.svg 'time limit, risk 0.01'
    is "$(grep -c 'ideal scaling\|efficiency' sizes.svg)" 0
    # Of a table, over the number of processes, whatever varies in the runs.
    ok "$RUNCAST" predict --app it --size 600 --procs 4,8,16 --param steps=50 --plot table.svg --no-store
    has_texts table.svg 'it, size 600' 'predicted runs' 'parallel efficiency, relative to 4 processes'
    is "$(grep -c 'time limit' table.svg)" 0
else
    skip 'needs gnuplot'
fi

begin 'runs of about the asked size are drawn'
if command -v gnuplot > which; then
    awk 'BEGIN { print "app,n,p,seconds"
        for (i = 0; i < 12; i++) for (p = 1; p <= 16; p *= 2) print "near," 900 + 10 * i "," p "," (90 + i) / p + p }' > near.csv
    ok "$RUNCAST" import near.csv
    ok "$RUNCAST" predict --app near --size 1005 --procs 4 --plot near.svg --no-store
    silent
    has_texts near.svg 'measured runs, size 905 to 1105' 'predicted run'
    ok "$RUNCAST" predict --app near --size 500 --procs 4 --plot far.svg --no-store
    is "$(cat err)" 'note: the plot has no measured runs: the database has none of size 450 to 550'
    is "$(grep -c 'measured runs' far.svg)" 0
    # Runs with other parameters are not on the curve.
    ok "$RUNCAST" predict --app it --size 600 --procs 2 --param steps=51 --plot other.svg --no-store
    complains 'note: the plot has no measured runs: the database has none of 2 processes with these parameters'
    is "$(grep -c 'measured runs' other.svg)" 0
else
    skip 'needs gnuplot'
fi

begin 'several numbers of processes make a table'
cat > st.rcm << 'END'
model st
input N from size
input P from processes
total t = N / P + 10
    accuracy 0%
END
ok "$RUNCAST" model add --app st st.rcm
ok "$RUNCAST" predict --app st --method structural --size 100 --procs 8,1,2..4,2 --json
is "$(json "j['schema'], j['app'], j['size'], j['relative_to_procs'], j['currency'], j['notes']")" \
    "('runcast.predict.procs/1', 'st', 100, 1, None, [])"
is "$(json "[(r['procs'], r['method'], round(r['predicted_s'], 6)) for r in j['scaling']]")" \
    "[(1, 'structural', 110), (2, 'structural', 60), (3, 'structural', 43.333333), (4, 'structural', 35), (8, 'structural', 22.5)]"
is "$(json "[(round(r['speedup'], 3), round(r['efficiency_fraction'], 3), round(r['core_hours'], 6), r['cost']) for r in j['scaling']]")" \
    '[(1, 1, 0.030556, None), (1.833, 0.917, 0.033333, None), (2.538, 0.846, 0.036111, None), (3.143, 0.786, 0.038889, None), (4.889, 0.611, 0.05, None)]'
ok "$RUNCAST" predict --app st --method structural --size 100 --procs 2,8
is "$(awk '$1 == 8 { print $1, $2, $9, $10, $11 }' out)" '8 22.5 2.67 67 %'
prints 'speedup, efficiency: relative to 2 processes'
prints 'methods: structural'
# A range of at most 32 numbers is whole; of a longer one, there are powers of two and the ends.
for range in 5..36=32 5..37=5 5-37=5 3,5..37=6 100..1000000=15; do
    ok "$RUNCAST" predict --app st --method structural --size 100 --procs "${range%=*}" --json
    is "$(json "len(j['scaling'])")" "${range#*=}" "$range"
done
is "$(json "[r['procs'] for r in j['scaling']][:3] + [j['scaling'][-1]['procs']]")" '[100, 128, 256, 1000000]'
ok "$RUNCAST" predict --app st --method structural --size 100 --procs 4..4 --json --no-store
is "$(json "j['schema'], j['procs']")" "('runcast.predict/1', 4)"
for wrong in 0 1.5 x 8..4 1,,2 1..2..3; do
    misused "$RUNCAST" predict --app st --size 100 --procs $wrong
done
for option in --explain '--probe=x{skeleton}' --quantiles=0.5 --risk=0.1 --phases; do
    misused "$RUNCAST" predict --app st --size 100 --procs 1,2 "$option"
    complains '--explain, --phases, --probe, --quantiles and --risk: only with one number of processes'
done

begin 'a row of the table is the answer for its number of processes'
cat > costs.yaml << 'END'
name: costs
currency: EUR
clusters:
  - name: C
    cost: 2
    networks: [{name: net, bandwidth: 100Mbit, latency: 50us}]
    hosts: c[1-4]
    cores: 2
END
# Tables are not stored; a model is.
stored() { python3 -c "import sqlite3; print(sqlite3.connect('store.db').execute('SELECT count(*) FROM prediction').fetchone()[0])"; }
before=$(stored)
ok "$RUNCAST" predict --app md --size 1000 --procs 1..8,16,32 --platform-file costs.yaml --at 2026-11-15 --json
cp out table.json
complains 'note: --procs: 2 of the numbers do not fit on the hosts, such as 16; at most 8 processes fit'
is "$(stored)" "$before"
is "$(json "[r['procs'] for r in j['scaling']], j['currency']")" "([1, 2, 3, 4, 5, 6, 7, 8], 'EUR')"
is "$(json "all(r['cost'] == 2 * r['core_hours'] for r in j['scaling'])")" True
for procs in 1 3 8; do
    ok "$RUNCAST" predict --app md --size 1000 --procs $procs --platform-file costs.yaml --at 2026-11-15 --no-store --json
    is "$(json "[j[key] for key in ('predicted_s', 'mean_s', 'interval_s', 'hosts', 'method')] == \
        [[r[key] for key in ('predicted_s', 'mean_s', 'interval_s', 'hosts', 'method')] \
        for r in __import__('json').load(open('table.json'))['scaling'] if r['procs'] == $procs][0]")" True "$procs processes"
done
ok "$RUNCAST" predict --app md --size 1000 --procs 1..8 --platform-file costs.yaml --at 2026-11-15
prints 'cost, EUR'
prints 'md, size 1000, platform costs'
# Notes are printed once.
ok "$RUNCAST" predict --app md --size 1000 --procs 1,2,4 --param depth=3 --hosts 'a[1-2]'
is "$(grep -c 'note: --param depth has no effect' err)" 1
is "$(grep -c 'note: 2 hosts for 1 process' err)" 1
ok "$RUNCAST" predict --app md --size 1000 --procs 1..8,64
prints 'extrapolation: largest number of processes is 8 times the largest of the runs'
fails "$RUNCAST" predict --app md --size 1000 --procs 16,32 --platform-file costs.yaml
complains '16 processes do not fit on C, which has room for 8'
fails "$RUNCAST" predict --app nothing --size 1000 --procs 16,32
complains "no runs of 'nothing' in the database"

begin 'a damaged model is reported'
sqlite3 store.db "UPDATE model SET body = '{\"members\": 3}' WHERE family = 'regress'" 2> /dev/null ||
    python3 -c "import sqlite3; c = sqlite3.connect('store.db')
c.execute(\"UPDATE model SET body = '{\\\"members\\\": 3}' WHERE family = 'regress'\"); c.commit()"
fails "$RUNCAST" predict --app md --size 1000 --procs 4
complains 'the stored model is damaged'
complains "hint: fit it again with 'runcast fit'"

finish
