"""Simulated runs: how long one takes, and how much sooner a sweep is done on all cores.

usage: sim.py PROGRAM"""
import os
import sys
import tempfile

from common import interleave, line, run

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLATFORM = """name: p
clusters:
  - name: c
    hosts: c[1-32]
    cores: 1
    memory: 4GiB
    speed: 1Gf
    networks:
      - name: ethernet
        bandwidth: 1Gbit
        latency: 50us
"""
SWEEP = """platform: p.yaml
loads: [random]
seeds: [1]
over: 7d
repeat: 24
apps:
  - app: poisson
    cluster: c
    sizes: [1000]
    procs: [32]
    arguments: [--iterations, 200]
"""


def main():
    program = os.path.abspath(sys.argv[1])
    apps = os.path.join(ROOT, "build", "apps")
    if not os.path.exists(os.path.join(apps, "smpi", "poisson")):
        print("Simulated runs: 'make apps' builds what they need")
        return
    os.environ["RUNCAST_APPS"] = os.path.join(apps, "smpi")
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        for file, text in (("p.yaml", PLATFORM), ("sweep.yaml", SWEEP)):
            with open(file, "w") as out:
                out.write(text)

        def single():
            return run([program, "lab", "sim", "--platform-file", "p.yaml", "--load", "random", "-p", "32",
                        "--no-store", "--", os.path.join(apps, "smpi", "poisson"), "--size", "1000",
                        "--iterations", "200"])

        def sweep(jobs):
            def step():
                for file in os.listdir():
                    if file.startswith("runs.db"):
                        os.remove(file)
                return run([program, "lab", "sim", "--sweep", "sweep.yaml", "--db", "runs.db",
                            "--jobs", str(jobs)])
            return step

        cores = len(os.sched_getaffinity(0))
        print("poisson on 32 simulated hosts, 200 iterations (medians of 5, in turn)")
        line("one run", interleave(5, single)[0])
        print("A sweep of 24 such runs (medians of 3, in turn)")
        results = interleave(3, sweep(1), sweep(cores))
        line("one at a time", results[0])
        line(f"{cores} at a time", results[1], results[0])


main()
