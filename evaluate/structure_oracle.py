# SPDX-License-Identifier: GPL-3.0-or-later
"""The narrowest possible interval: the distribution of the load, the present level of each host and its
start are known, but not the future levels."""
import random

RUNS, DRAWS = 108, 300


class Load:
    """As runcast has it: a level is held for a while; the next is the same with probability `again`,
    otherwise any; each time give or take `spread`."""

    def __init__(self, levels, dwell, again, spread):
        self.levels, self.dwell, self.again, self.spread = levels, dwell, again, spread

    def value(self, level, dice):
        return min(1, self.levels[level] + dice.uniform(-self.spread, self.spread))

    def next(self, level, dice):
        """Level, value and how long it stays."""
        if dice.random() >= self.again:
            level = dice.randrange(len(self.levels))
        return [level, self.value(level, dice), dice.uniform(*self.dwell)]

    def some_moment(self, dice):
        """Level, value, how long it has been there, and how long it will be: long ones are met more
        often."""
        level, length = dice.randrange(len(self.levels)), 0
        while dice.random() * self.dwell[1] > length:
            length = dice.uniform(*self.dwell)
        age = dice.uniform(0, length)
        return level, self.value(level, dice), age, length - age

    def left(self, age, dice):
        """How much longer something may stay that has been there for so long."""
        return dice.uniform(max(self.dwell[0], age), self.dwell[1]) - age


# Of processors, as src/testbed/load/load_pattern.c has them.
MODAL = Load([.94, .94, .94, .49, .49, .33], (10, 60), .7, .04)


def run(load, speeds, work, states, dice):
    """How long a program takes that goes at the pace of the slowest host at each moment."""
    states = [list(state) for state in states]
    done = time = 0
    while True:
        pace = min(speed * state[1] for speed, state in zip(speeds, states))
        step = min(state[2] for state in states)
        if done + pace * step >= work:
            return time + (work - done) / pace
        done, time = done + pace * step, time + step
        for state in states:
            state[2] -= step
            if state[2] <= 1e-9:
                state[:] = load.next(state[0], dice)


def judge(load, speeds, seconds, level, seed=1):
    """Of a program that takes so long on idle hosts of these speeds, on average over runs: the share
    inside, and the relative width, of the interval for `level`."""
    dice = random.Random(seed)
    work, inside, width = seconds * min(speeds), 0, 0
    for _ in range(RUNS):
        now = [load.some_moment(dice) for _ in speeds]
        came = run(load, speeds, work, [(at, value, left) for at, value, _, left in now], dice)
        foreseen = sorted(run(load, speeds, work, [(at, value, load.left(age, dice))
                                                   for at, value, age, _ in now], dice)
                          for _ in range(DRAWS))
        low = foreseen[round((1 - level) / 2 * (DRAWS - 1))]
        high = foreseen[round((1 + level) / 2 * (DRAWS - 1))]
        inside += low <= came <= high
        width += (high - low) / came
    return {"n": RUNS, "inside": 100 * inside / RUNS, "width": width / RUNS}
