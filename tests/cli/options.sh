#!/bin/bash
# One option name has one meaning in all commands.
. "${0%/*}/harness.sh"

cat > check.py <<'E2'
import collections, json, re, sys

tables = json.load(open("tables.json"))
names = {entry["name"]: entry for entry in tables["option_names"]}
leaves = []
for command in tables["commands"]:
    leaves += [(f"{command['name']} {verb['name']}", verb) for verb in command.get("verbs", [])]
    if "options" in command:
        leaves.append((command["name"], command))
uses = [(path, option) for path, leaf in leaves for option in leaf["options"]]


def faults_of_meaning():
    for path, option in uses:
        entry, place = names.get(option["name"]), f"{path} --{option['name']}"
        if not entry:
            yield f"{place}: not in src/cmd/core/option_names.c"
            continue
        if option.get("letter") != entry["letter"]:
            yield f"{place}: short form {option.get('letter')}, not {entry['letter']}"
        if not option["help"].startswith(entry["meaning"]):
            yield f"{place}: the help begins with '{option['help'][:50]}', not '{entry['meaning']}'"
        given, wanted = option.get("argument"), entry["argument"]
        if (given is None) != (wanted is None):
            yield f"{place}: takes {given}, not {wanted}"
        elif given and given != wanted and not re.match(re.escape(wanted) + r"[|,\[]", given):
            yield f"{place}: the argument is called {given}, not {wanted}"


def faults_of_units():
    units = collections.defaultdict(lambda: collections.defaultdict(list))
    for path, option in uses:
        if "dimension" in option:
            units[option["name"]][option["dimension"]].append(path)
    for name, used in units.items():
        if len(used) > 1:
            yield f"--{name}: units differ: {dict(used)}"


def faults_of_names():
    used = {option["name"] for _, option in uses}
    yield from (f"--{name}: no command has it" for name in names if name not in used)
    letters = collections.Counter(entry["letter"] for entry in names.values() if entry["letter"])
    yield from (f"-{letter}: {count} names" for letter, count in letters.items() if count > 1)
    listed = list(names)
    if listed != sorted(listed):
        yield "the list is not sorted"


faults = list({"meaning": faults_of_meaning, "units": faults_of_units,
               "names": faults_of_names}[sys.argv[1]]())
only = sys.argv[2:]
print("\n".join(fault for fault in faults if not only or fault.split()[0] in only))
E2

# no_faults WHAT: check.py reports no faults of that kind.
no_faults() {
    ok "$RUNCAST" help --json
    cp out tables.json
    ok python3 check.py "$1"
    is "$(cat out)" '' faults
}

begin 'every option has the meaning, the short form and the argument of its name'
no_faults meaning

begin 'an option has the same unit in all commands'
no_faults units

begin 'each listed name and short form is used, and listed once'
no_faults names

finish
