// SPDX-License-Identifier: BSD-2-Clause
/* cgroup.c - finds control groups in /proc.
 *
 * Users name groups, so these texts may have anything: malformed lines are skipped. */
#include "base/cgroup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

enum { FIELD_SIZE = 4096, LINE_FIELDS = 5 };

/* What matters of a line of mountinfo. */
struct mount {
    char root[FIELD_SIZE];
    char point[FIELD_SIZE];
    char type[32];
    char options[FIELD_SIZE]; /* of the file system: for version 1, the controllers */
};

/* Copies a field and undoes its escapes ("\040" for a space); -1 if it is too long. */
static int copy_field(char *to, size_t size, const char *from, size_t length)
{
    size_t used = 0;

    for (size_t i = 0; i < length; i++) {
        if (used + 1 >= size)
            return -1;
        if (from[i] == '\\' && i + 3 < length && from[i + 1] >= '0' && from[i + 1] <= '3') {
            to[used++] =
                (char)((from[i + 1] & 3) << 6 | (from[i + 2] & 7) << 3 | (from[i + 3] & 7));
            i += 3;
        } else {
            to[used++] = from[i];
        }
    }
    to[used] = '\0';
    return 0;
}

/* "36 35 98:0 /root /point rw,... shared:1 - type source options" */
static int read_mount(const char *line, size_t length, struct mount *mount)
{
    const char *end = line + length, *tail = memmem(line, length, " - ", 3), *field = line;
    size_t part;

    if (!tail)
        return -1;
    for (int i = 0; i < LINE_FIELDS; i++) {
        part = strcspn(field, " \n");
        if (field + part > tail)
            return -1;
        if ((i == 3 && copy_field(mount->root, sizeof mount->root, field, part)) ||
            (i == 4 && copy_field(mount->point, sizeof mount->point, field, part)))
            return -1;
        field += part + 1;
    }
    tail += 3;
    part = strcspn(tail, " \n");
    if (copy_field(mount->type, sizeof mount->type, tail, part) || tail[part] != ' ')
        return -1;
    tail += part + 1;
    part = strcspn(tail, " \n");
    if (tail[part] != ' ')
        return -1;
    tail += part + 1;
    return copy_field(mount->options, sizeof mount->options, tail, (size_t)(end - tail));
}

/* Finds the mount of a version 1 controller, or of version 2 if `controller` is NULL. */
static int find_mount(const char *mountinfo, const char *controller, struct mount *mount)
{
    for (const char *line = mountinfo; *line;) {
        size_t length = strcspn(line, "\n");

        if (read_mount(line, length, mount) == 0 &&
            (controller ? strcmp(mount->type, "cgroup") == 0 &&
                              rc_text_has_word(mount->options, controller, ',')
                        : strcmp(mount->type, "cgroup2") == 0))
            return 0;
        line += length + (line[length] == '\n');
    }
    return -1;
}

/* Finds a process's group, as the hierarchy names it: "4:memory:/a/b", or "0::/a/b". */
static int find_group(const char *cgroup, const char *controller, char *path, size_t size)
{
    for (const char *line = cgroup; *line;) {
        size_t length = strcspn(line, "\n");
        const char *names = memchr(line, ':', length);
        const char *group =
            names ? memchr(names + 1, ':', (size_t)(line + length - names - 1)) : NULL;
        char controllers[256];

        if (group &&
            copy_field(controllers, sizeof controllers, names + 1, (size_t)(group - names - 1)) ==
                0 &&
            (controller ? rc_text_has_word(controllers, controller, ',') : !controllers[0])) {
            int written =
                snprintf(path, size, "%.*s", (int)(length - (size_t)(group + 1 - line)), group + 1);

            return written < 0 || (size_t)written >= size ? -1 : 0;
        }
        line += length + (line[length] == '\n');
    }
    return -1;
}

enum rc_cgroup_kind rc_cgroup_kinds(const char *mountinfo)
{
    struct mount mount;
    int kind = RC_CGROUP_NONE;

    for (const char *line = mountinfo; *line;) {
        size_t length = strcspn(line, "\n");

        if (read_mount(line, length, &mount) == 0) {
            /* systemd's own hierarchy has a name instead of a controller. */
            if (strcmp(mount.type, "cgroup") == 0 && !strstr(mount.options, "name="))
                kind |= RC_CGROUP_V1;
            if (strcmp(mount.type, "cgroup2") == 0)
                kind |= RC_CGROUP_V2;
        }
        line += length + (line[length] == '\n');
    }
    return (enum rc_cgroup_kind)kind;
}

int rc_cgroup_find(const char *mountinfo, const char *cgroup, const char *controller,
                   struct rc_cgroup *place)
{
    struct mount mount;
    char group[FIELD_SIZE];
    const char *below = group;
    size_t root;
    int length;

    place->version = find_mount(mountinfo, controller, &mount) == 0 ? 1 : 2;
    if (place->version == 2 && find_mount(mountinfo, NULL, &mount))
        return -1;
    if (find_group(cgroup, place->version == 1 ? controller : NULL, group, sizeof group))
        return -1;
    root = strcmp(mount.root, "/") == 0 ? 0 : strlen(mount.root);
    /* A container may see only a part of the hierarchy, without the name of its group. */
    if (strncmp(group, mount.root, root) == 0 && (group[root] == '/' || group[root] == '\0'))
        below = group + root;
    else
        below = "";
    if (strncmp(below, "/..", 3) == 0 || strcmp(below, "/") == 0)
        below = "";
    place->top = strlen(mount.point);
    length = snprintf(place->directory, sizeof place->directory, "%s%s", mount.point, below);
    return length < 0 || (size_t)length >= sizeof place->directory ? -1 : 0;
}

bool rc_cgroup_up(struct rc_cgroup *place)
{
    char *slash = strrchr(place->directory, '/');

    if (!slash || (size_t)(slash - place->directory) < place->top)
        return false;
    *slash = '\0';
    return true;
}

bool rc_cgroup_occupied(const char *directory)
{
    char path[FIELD_SIZE + 32], text[32];

    /* Only the machine's top is of no type. */
    snprintf(path, sizeof path, "%s/cgroup.type", directory);
    if (rc_file_read(path, text, sizeof text))
        return false;
    snprintf(path, sizeof path, "%s/cgroup.procs", directory);
    return rc_file_read(path, text, sizeof text) == 0 && text[0];
}

int rc_cgroup_own(const char *controller, struct rc_cgroup *place, enum rc_cgroup_kind *kind)
{
    enum { MOUNTS_SIZE = 1 << 20, GROUPS_SIZE = 1 << 16 };
    char *mounts = malloc(MOUNTS_SIZE), *groups = malloc(GROUPS_SIZE);
    int status = -1;

    *kind = RC_CGROUP_NONE;
    if (mounts && groups && rc_file_read("/proc/self/mountinfo", mounts, MOUNTS_SIZE) == 0 &&
        rc_file_read("/proc/self/cgroup", groups, GROUPS_SIZE) == 0) {
        *kind = rc_cgroup_kinds(mounts);
        status = rc_cgroup_find(mounts, groups, controller, place);
    }
    free(mounts);
    free(groups);
    return status;
}
