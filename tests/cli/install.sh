#!/bin/bash
# The installed program, library, header and pkg-config file work.
. "$(dirname "$0")/harness.sh"

build=$(dirname "$RUNCAST")
begin 'meson install puts everything in its place'
ok env DESTDIR="$WORK/root" meson install -C "$build" --no-rebuild
root=$WORK/root$(meson introspect "$build" --buildoptions |
    python3 -c 'import json,sys; print([o["value"] for o in json.load(sys.stdin) if o["name"] == "prefix"][0])')
for file in bin/runcast include/runcast.h share/man/man1/runcast.1 share/man/man1/runcast-import.1 share/man/man1/runcast-runs.1 \
    share/runcast/schemas/runcast.predict.json \
    share/bash-completion/completions/runcast.bash share/zsh/site-functions/_runcast \
    share/fish/vendor_completions.d/runcast.fish; do
    [ -s "$root/$file" ] || fault "$file is missing"
done
is "$(find "$root/include" -type f | wc -l)" 1 'installed headers'

begin 'a program builds against the installed library, static and shared, in C and C++'
pc=$(find "$root" -name runcast.pc)
[ -n "$pc" ] || fault 'no runcast.pc'
library=$(dirname "$(dirname "$pc")")
cat > user.c << 'END'
#include <runcast.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    struct rc_error error;
    struct rc_db *store = rc_db_open("user.db", RC_DB_CREATE, NULL, &error);
    struct rc_run run;
    struct rc_db_run_import import;

    memset(&import, 0, sizeof import);
    if (!store || rc_db_run_import(store, "user.csv", &import, NULL, &error)) {
        puts(error.text);
        return 1;
    }
    struct rc_run_cursor *cursor = rc_db_run_find(store, NULL, RC_FIELD_ALL, &error);
    while (rc_db_run_next(cursor, &run, &error) > 0)
        printf("%s %g\n", run.app, run.seconds);
    rc_db_run_cursor_close(cursor);
    rc_db_close(store);
    return 0;
}
END
printf 'app,n,p,seconds\nlu,1,1,2.5\n' > user.csv
ok gcc -std=c11 -Wall -Wextra -Werror -I"$root/include" user.c -o user-shared -L"$library" -lruncast
[ "$(LD_LIBRARY_PATH=$library ./user-shared)" = 'lu 2.5' ] || fault 'shared: wrong answer'
rm -f user.db
# shellcheck disable=SC2046
ok gcc -I"$root/include" user.c -o user-static "$library/libruncast.a" \
    $(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --static --libs-only-l runcast | sed 's/-lruncast//')
[ "$(./user-static)" = 'lu 2.5' ] || fault 'static: wrong answer'
cp user.c user.cpp
ok clang -x c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -I"$root/include" user.cpp

begin 'the shared library exports what the header declares, and nothing else'
nm -D --defined-only "$library/libruncast.so" | awk '{ print $3 }' | grep '^rc_' | sort > exported
nm -D --defined-only "$library/libruncast.so" | awk '{ print $3 }' | grep -v '^rc_' > others
is "$(cat others)" '' 'other symbols'
grep -ohE '\brc_[a-z_0-9]+\(' "$root/include/runcast.h" | tr -d '(' | sort -u > declared
while read -r symbol; do
    grep -qx "$symbol" declared || fault "$symbol is exported, but not declared"
done < exported
[ "$(wc -l < exported)" -gt 20 ] || fault 'too few symbols'

finish
