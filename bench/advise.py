"""Time of advice on 1024 hosts with a day of samples each, and all numbers of processes.

usage: advise.py PROGRAM [HOSTS] [--json]"""
import json
import os
import random
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

NOW = 1794700000
EVERY, SAMPLES = 10, 8640
TIMES = 5
LEVELS = [.25, .4, .5, .6, .75, .9, 1]


def write_platform(hosts):
    with open("wide.yaml", "w", encoding="utf-8") as file:
        file.write(f"""name: wide
clusters:
  - name: A
    hosts: h[{1:04d}-{hosts:04d}]
    cores: 1
    networks: [{{name: eth, bandwidth: 1Gbit, latency: 50us}}]
""")


def write_runs():
    with open("wide.csv", "w", encoding="utf-8") as file:
        file.write("app,platform,n,p,seconds,cpu,start\n")
        for i in range(60):
            n, p, cpu = 3000 + i * 7919 % 17000, 2 ** (i % 8), .4 + i * 37 % 60 / 100
            seconds = 2e-5 * n * n / p / cpu + 2e-5 * n * p + 1
            file.write(f"md,wide,{n},{p},{seconds:.9g},{cpu},{NOW - 100000 + i}\n")


def fill(path, hosts):
    """Samples straight into the tables: importing them all would take minutes."""
    db = sqlite3.connect(path)
    draw = random.Random(1)
    for host in range(1, hosts + 1):
        level, left, rows = .5, 0, []
        series = db.execute("INSERT INTO series (host, peer, metric, samples) VALUES (?, '', 'cpu', ?)",
                            (f"h{host:04d}", SAMPLES)).lastrowid
        for i in range(SAMPLES):
            if left == 0:
                level, left = draw.choice(LEVELS), draw.randint(6, 60)
            left -= 1
            rows.append((series, NOW - EVERY * (SAMPLES - 1 - i), level))
        db.executemany("INSERT INTO sample VALUES (?, ?, ?)", rows)
    db.commit()
    db.close()


def busy():
    """Seconds that all cores of the machine were busy, since it started."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system, _, _, irq, softirq, steal = map(int, file.readline().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def measure(command):
    """Seconds that passed, and of a core, and how many cores others kept busy meanwhile."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    all_before, before, cpu = busy(), time.monotonic(), used.ru_utime + used.ru_stime
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    passed, cpu = time.monotonic() - before, used.ru_utime + used.ru_stime - cpu
    return {"passed": passed, "cpu": cpu,
            "others": max(0, (busy() - all_before - cpu) / passed)}


def try_hosts(program, hosts):
    """Measurements of repeated advice for so many hosts."""
    store = f"store{hosts}.db"
    write_platform(hosts)
    write_runs()
    subprocess.run([program, "import", "wide.csv", "--db", store], check=True,
                   stdout=subprocess.DEVNULL)
    fill(store, hosts)
    command = [program, "advise", "--app", "md", "--size", "20000", "--platform-file", "wide.yaml",
               "--at", str(NOW), "--db", store]
    measure(command)  # stores the model
    times = [measure(command) for _ in range(TIMES)]
    return {"hosts": hosts} | {what: [each[what] for each in times] for what in times[0]}


def main():
    words = [word for word in sys.argv[1:] if word != "--json"]
    as_json = "--json" in sys.argv
    program = os.path.abspath(words[0])
    most = int(words[1]) if len(words) > 1 else 1024
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        if not as_json:
            print(f"Advice on HOSTS hosts with {SAMPLES} samples each (medians of {TIMES})")
        found = []
        for hosts in (most // 64, most // 8, most):
            found.append(try_hosts(program, hosts))
            passed, cpu, others = (statistics.median(found[-1][what])
                                   for what in ("passed", "cpu", "others"))
            if not as_json:
                print(f"  {hosts:5d} hosts: {passed:.3f} s, of which {cpu:.3f} s of a core, while "
                      f"others had {others:.1f} of {os.cpu_count()} cores")
        if as_json:
            print(json.dumps({"cores": os.cpu_count(), "each": found}))


main()
