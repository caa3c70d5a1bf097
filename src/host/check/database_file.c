// SPDX-License-Identifier: GPL-3.0-or-later
/* database_file.c - the check of the database file: type, permissions, free space. */
#include "host/check/check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/unit.h"

/* Cuts `path` down to the directory that it is in. */
static void to_parent(char *path)
{
    char *slash = strrchr(path, '/');

    if (!slash)
        snprintf(path, 2, ".");
    else
        slash[slash == path] = '\0';
}

/* Judges the file of the database itself; `status` is of it. */
static void judge_file(const struct rc_check_db *db, const struct stat *status,
                       struct rc_finding *finding)
{
    static const char magic[] = "SQLite format 3";
    char start[sizeof magic] = "", size[RC_UNIT_SIZE];

    if (!S_ISREG(status->st_mode)) {
        rc_check_fact(finding, " is not a file");
        rc_check_judge(finding, RC_VERDICT_BROKEN, "use another file with %s", db->option);
        return;
    }
    rc_unit_format((double)status->st_size, RC_BYTES, size);
    rc_check_fact(finding, ", %s", size);
    if (rc_file_read(db->path, start, sizeof start) ||
        faccessat(AT_FDCWD, db->path, W_OK, AT_EACCESS)) {
        rc_check_fact(finding, ", cannot be %s (%s)", start[0] ? "written" : "read",
                      strerror(errno));
        rc_check_judge(finding, RC_VERDICT_BROKEN,
                       "get permission to read and write it, or use another file with %s",
                       db->option);
    } else if (status->st_size > 0 && memcmp(start, magic, sizeof magic - 1) != 0) {
        rc_check_fact(finding, ", is not a database of runcast");
        rc_check_judge(finding, RC_VERDICT_BROKEN, "use another file with %s", db->option);
    }
}

/* Network file systems, where SQLite on two machines at once would spoil the database. */
static bool is_remote(const char *directory)
{
    static const uint32_t remote[] = {
        0x6969 /* NFS */,        0x517b /* SMB */,        0xff534d42 /* CIFS */,
        0xfe534d42 /* SMB2 */,   0x0bd00bd0 /* Lustre */, 0x47504653 /* GPFS */,
        0x19830326 /* BeeGFS */, 0x00c36400 /* Ceph */,   0x5346414f /* AFS */,
    };
    struct statfs status;

    if (statfs(directory, &status))
        return false;
    for (size_t i = 0; i < sizeof remote / sizeof *remote; i++)
        if ((uint32_t)status.f_type == remote[i])
            return true;
    return false;
}

static void judge_space(const char *directory, const char *option, struct rc_finding *finding)
{
    static const double little = 100e6;
    struct statvfs space;
    char free_text[RC_UNIT_SIZE];
    double left;

    if (statvfs(directory, &space))
        return;
    left = (double)space.f_bavail * (double)space.f_frsize;
    rc_unit_format(left, RC_BYTES, free_text);
    rc_check_fact(finding, "; %s free", free_text);
    if (left < little)
        rc_check_judge(finding, RC_VERDICT_LIMITED, "free some space, or use another file with %s",
                       option);
    if (is_remote(directory)) {
        rc_check_fact(finding, ", on a network file system");
        rc_check_judge(finding, RC_VERDICT_LIMITED,
                       "use it from one machine at a time, or use a file on a local disk with %s",
                       option);
    }
}

void rc_check_database(struct rc_finding *finding)
{
    const struct rc_check_db *db = &finding->context->db;
    char directory[4096];
    struct stat status;

    if (!db->path) {
        rc_check_fact(finding, "%s", db->error->text);
        rc_check_judge(finding, RC_VERDICT_BROKEN, "name a database file with %s", db->option);
        return;
    }
    rc_check_fact(finding, "%.300s", db->path);
    if (stat(db->path, &status) == 0)
        judge_file(db, &status, finding);
    else
        rc_check_fact(finding, ", does not exist yet");
    snprintf(directory, sizeof directory, "%s", db->path);
    to_parent(directory);
    while (db->is_default && strcmp(directory, "/") != 0 && strcmp(directory, ".") != 0 &&
           access(directory, F_OK) && errno == ENOENT)
        to_parent(directory);
    /* Whether files may be made there, tried without making one. */
    if (faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS)) {
        int number = errno;

        rc_check_fact(finding, "; cannot create files in %.150s (%s)", directory, strerror(number));
        rc_check_judge(finding, RC_VERDICT_BROKEN, "%s, or use another file with %s",
                       number == ENOENT ? "make the directory (mkdir -p)"
                                        : "get permission to write there",
                       db->option);
    }
    judge_space(directory, db->option, finding);
}
