#!/bin/bash
# A full disk, a read-only database, other files, a newer database: each is a clear error, and nothing changes.
. "$(dirname "$0")/harness.sh"

table 2000 > few.csv
table 60000 more > many.csv
"$RUNCAST" import few.csv > /dev/null

# unchanged FILE: it is as it was when keep was called for it.
keep() { sha256sum "$1" > "$(basename "$1").sum"; }
unchanged() { sha256sum --status -c "$(basename "$1").sum" || fault "$1 was changed"; }

begin 'a file that is not a database is refused and unchanged'
echo 'dear diary' > diary.txt
head -c 5000 /dev/urandom > noise.bin
printf 'SQLite format 3' > short.db
for file in diary.txt noise.bin short.db; do
    keep "$file"
    for command in 'runs list' 'import few.csv' 'db check' 'series list' 'runs delete --all'; do
        # shellcheck disable=SC2086
        fails "$RUNCAST" $command --db "$file"
        complains "runcast: opening the database $file: "
        unchanged "$file"
    done
done
fails "$RUNCAST" runs list --db diary.txt
complains "not a runcast database"
fails "$RUNCAST" import few.csv --db "$WORK"
complains 'not a file'

begin 'another SQLite file is refused and unchanged'
sqlite3 theirs.db 'CREATE TABLE diary (entry TEXT); INSERT INTO diary VALUES (1)'
keep theirs.db
fails "$RUNCAST" import few.csv --db theirs.db
complains "an SQLite file, but not a runcast database"
unchanged theirs.db

begin 'a database of a newer version is refused and unchanged'
cp store.db newer.db
sqlite3 newer.db 'PRAGMA user_version = 1000' > /dev/null
keep newer.db
for command in 'runs list' 'import many.csv' 'db check'; do
    # shellcheck disable=SC2086
    fails "$RUNCAST" $command --db newer.db
    complains 'written by a newer runcast (format 1000'
    complains 'hint: use the newer version of runcast'
    unchanged newer.db
done

begin 'damage of a database is reported'
cp store.db damaged.db
# shellcheck disable=SC2034
for page in 3 4 5 6 7 8 9 10 11 12; do
    printf 'damage damage damage' | dd of=damaged.db bs=1 seek=$((page * 4096 + 8)) conv=notrunc status=none
done
run "$RUNCAST" db check --db damaged.db
want_status 1
cat out err > all
grep -qE 'fault|damaged|malformed' all || fault "printed: $(cat all)"

begin 'an empty file becomes a database'
: > empty.db
fails "$RUNCAST" runs list --db empty.db
complains 'empty file'
ok "$RUNCAST" import few.csv --db empty.db
is "$(count_runs --db empty.db)" 2000

begin 'a read-only database can be read; writing to it is an error'
mkdir closed
cp store.db closed/store.db
chmod 444 closed/store.db
chmod 555 closed
chmod 755 "$WORK"
chmod 644 few.csv many.csv
as_nobody=()
am_root && as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
cp "$RUNCAST" program # where another user can reach it
keep closed/store.db
ok "${as_nobody[@]}" ./program runs list --db closed/store.db
is "$(wc -l < out)" 2001 'lines'
ok "${as_nobody[@]}" ./program db check --db closed/store.db
fails "${as_nobody[@]}" ./program import many.csv --db closed/store.db
complains 'the database is read-only'
complains 'hint: '
ok "${as_nobody[@]}" ./program db info --db closed/store.db --json
is "$(json "j['wal']")" True
if am_root; then
    fails "${as_nobody[@]}" ./program import many.csv --db closed/new.db
    complains 'cannot make a file in closed: Permission denied'
fi
unchanged closed/store.db
is "$(ls closed)" store.db 'files beside it'
chmod 755 closed

begin 'a full disk is an error, and nothing changes'
if ! am_root || ! unshare --mount true 2> /dev/null; then
    skip 'needs root, to mount a file system'
else
    mkdir small
    cat > full.sh << 'END'
mount -t tmpfs -o size=1500k none small || exit 77
cp store.db small/store.db
export RUNCAST_DB=small/store.db
"$RUNCAST" runs export | sha256sum > before
"$RUNCAST" import many.csv > full.out 2> full.err
echo $? > full.status
"$RUNCAST" db check > full.check 2>&1
echo $? >> full.status
"$RUNCAST" runs export | sha256sum > after
ls small > full.files
RUNCAST_DB=small/second.db
dd if=/dev/zero of=small/ballast bs=1k 2> /dev/null
"$RUNCAST" import few.csv > new.out 2> new.err
echo $? >> full.status
END
    export RUNCAST
    unshare --mount bash full.sh
    is $? 0 'mount'
    is "$(tr '\n' ' ' < full.status)" '1 0 1 ' 'statuses of import, check, and import into a new database'
    cp full.err err
    complains 'the disk is full; nothing was stored'
    complains 'hint: free space on the disk'
    is "$(cat after)" "$(cat before)" 'runs'
    is "$(cat full.files)" store.db 'files left'
    cp new.err err
    complains 'disk'
fi

begin 'a limit on file sizes is an error, and nothing changes'
cp store.db limited.db
before=$("$RUNCAST" runs export --db limited.db | sha256sum)
(
    trap '' XFSZ
    ulimit -f 400
    "$RUNCAST" import many.csv --db limited.db > out 2> err
    echo $? > limited.status
)
is "$(cat limited.status)" 1
grep -q '^runcast: importing many.csv: ' err || fault "printed: $(cat err)"
is "$("$RUNCAST" runs export --db limited.db | sha256sum)" "$before"
ok "$RUNCAST" db check --db limited.db

begin 'wide tables, long lines and binary files are errors, not crashes'
head -c 3000000 /dev/zero | tr '\0' 'x' > line.csv
head -c 3000 /dev/zero | tr '\0' ',' > wide.csv
head -c 100000 /dev/urandom > binary.csv
head -c 3000000 /dev/zero > zero.csv
for file in line wide binary zero; do
    fails "$RUNCAST" import $file.csv
    fails "$RUNCAST" import $file.csv --skip-bad
    fails "$RUNCAST" series import $file.csv --host h --metric m
done

finish
