/* test_doctor.c - the parsers that checks of this machine rest on. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/check/check.h"
#include "host/sense/own_cgroup.h"
#include "host/sense/proc_files.h"

static void test_version(void **state)
{
    static const struct {
        const char *text, *marker, *version;
    } cases[] = {
        {"mpirun (Open MPI) 4.1.4\n\nReport bugs to http://www.open-mpi.org/\n", "", "4.1.4"},
        {"mpicc: Open MPI 4.1.4 (Language: C)\n", "", "4.1.4"},
        {"HYDRA build details:\n    Version:                                 4.0.2\n", "", "4.0.2"},
        {"mpicc for MPICH version 4.0.2\nUsing built-in specs.\ngcc version 12.2.0\n", "", "4.0.2"},
        {"mpirun (Open MPI) 5.0.0rc12\n", "", "5.0.0rc12"},
        {"gnuplot 5.4 patchlevel 4\n", "gnuplot ", "5.4.4"},
        {"gnuplot 6.0 patchlevel rc2\n", "gnuplot ", "6.0.rc2"},
        {"OpenSSH_9.2p1 Debian-2+deb12u7, OpenSSL 3.0.17 1 Jul 2025\n", "", "9.2p1"},
        {"slurm-wlm 22.05.8\n", "slurm", "22.05.8"},
        {"ip utility, iproute2-6.1.0, libbpf 1.1.0\n", "", "6.1.0"},
        {"SimGrid version 3.32\nCopyright 2004-2022.\n", "SimGrid", "3.32"},
        {"built in 2024, 10 times. Version 1.2.\n", "", "1.2"},
        {"command not found\n", "", NULL},
        {"version 12\n", "", NULL},
        {"gcc 12.2\n", "gnuplot ", NULL},
        {"", "", NULL},
    };
    char version[RC_VERSION_SIZE], line[200];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int status = rc_check_version(cases[i].text, cases[i].marker, version);

        assert_int_equal(status, cases[i].version ? 0 : -1);
        assert_string_equal(version, cases[i].version ? cases[i].version : "");
    }
    memset(line, '1', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    line[1] = '.';
    assert_int_equal(rc_check_version(line, "", version), 0);
    assert_int_equal(strlen(version), RC_VERSION_SIZE - 1);
}

static void test_mpi_name(void **state)
{
    (void)state;
    assert_string_equal(rc_check_mpi_name("mpirun (Open MPI) 4.1.4"), "Open MPI");
    assert_string_equal(rc_check_mpi_name("mpiexec (OpenRTE) 4.0.3"), "Open MPI");
    assert_string_equal(rc_check_mpi_name("HYDRA build details:"), "MPICH");
    assert_string_equal(rc_check_mpi_name("mpicc for MPICH version 4.0.2"), "MPICH");
    assert_string_equal(rc_check_mpi_name(
                            "Intel(R) MPI Library for Linux* OS, Version 2021.9 (HYDRA)"),
                        "Intel MPI");
    assert_null(rc_check_mpi_name("gcc (Debian 12.2.0-14) 12.2.0"));
    assert_null(rc_check_mpi_name(""));
}

static void test_status_hex(void **state)
{
    static const char text[] = "Name:\tsh\nCapPrm:\t0000000000000000\nCapEff:\t000001fffeffffff\n";
    uint64_t value = 1;

    (void)state;
    assert_int_equal(rc_check_status_hex(text, "CapEff", &value), 0);
    assert_true(value == 0x1fffeffffffULL);
    assert_int_equal(rc_check_status_hex(text, "CapPrm", &value), 0);
    assert_true(value == 0);
    assert_int_equal(rc_check_status_hex(text, "Cap", &value), -1);
    assert_int_equal(rc_check_status_hex(text, "Name", &value), -1);
    assert_int_equal(rc_check_status_hex("CapEff:", "CapEff", &value), -1);
    assert_int_equal(rc_check_status_hex("", "CapEff", &value), -1);
}

static void test_has_word(void **state)
{
    (void)state;
    assert_true(rc_text_has_word("cpuset cpu io\n", "cpu", ' '));
    assert_true(rc_text_has_word("rw,cpu,cpuacct", "cpu", ','));
    assert_false(rc_text_has_word("cpuset cpuacct", "cpu", ' '));
    assert_false(rc_text_has_word("", "cpu", ' '));
}

static const char v2_mounts[] =
    "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
    "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";
static const char v1_mounts[] =
    "31 30 0:27 / /sys/fs/cgroup/cpu,cpuacct rw shared:3 - cgroup cgroup rw,cpu,cpuacct\n"
    "32 30 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
    "33 30 0:29 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd\n";
static const char unified_mount[] = "34 30 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

static void test_kind(void **state)
{
    char both[1024];

    (void)state;
    snprintf(both, sizeof both, "%s%s", v1_mounts, unified_mount);
    assert_int_equal(rc_cgroup_kinds(v1_mounts), RC_CGROUP_V1);
    assert_int_equal(rc_cgroup_kinds(v2_mounts), RC_CGROUP_V2);
    assert_int_equal(rc_cgroup_kinds(both), RC_CGROUP_HYBRID);
    /* Version 2 with systemd's own version 1 hierarchy beside it has no second home for limits. */
    assert_int_equal(rc_cgroup_kinds("33 30 0:29 / /s rw - cgroup cgroup rw,name=systemd\n"),
                     RC_CGROUP_NONE);
    assert_int_equal(rc_cgroup_kinds(""), RC_CGROUP_NONE);
    assert_int_equal(rc_cgroup_kinds("nonsense\n\n - \n1 2 3 - cgroup2\n"), RC_CGROUP_NONE);
}

static void test_find(void **state)
{
    static const char groups[] = "5:cpu,cpuacct:/a/b\n4:memory:/m\n0::/user.slice/x:y\n";
    struct rc_cgroup place;

    (void)state;
    assert_int_equal(rc_cgroup_find(v1_mounts, groups, "cpu", &place), 0);
    assert_int_equal(place.version, 1);
    assert_string_equal(place.directory, "/sys/fs/cgroup/cpu,cpuacct/a/b");
    assert_true(rc_cgroup_up(&place));
    assert_string_equal(place.directory, "/sys/fs/cgroup/cpu,cpuacct/a");
    assert_true(rc_cgroup_up(&place));
    assert_string_equal(place.directory, "/sys/fs/cgroup/cpu,cpuacct");
    assert_false(rc_cgroup_up(&place));
    assert_string_equal(place.directory, "/sys/fs/cgroup/cpu,cpuacct");

    assert_int_equal(rc_cgroup_find(v1_mounts, groups, "memory", &place), 0);
    assert_string_equal(place.directory, "/sys/fs/cgroup/memory/m");
    assert_int_equal(rc_cgroup_find(v2_mounts, groups, "memory", &place), 0);
    assert_int_equal(place.version, 2);
    assert_string_equal(place.directory, "/sys/fs/cgroup/user.slice/x:y");
    assert_int_equal(rc_cgroup_find(v2_mounts, "0::/\n", "cpu", &place), 0);
    assert_string_equal(place.directory, "/sys/fs/cgroup");
    assert_int_equal(rc_cgroup_find(v1_mounts, groups, "pids", &place), -1);
    assert_int_equal(rc_cgroup_find(v2_mounts, "", "cpu", &place), -1);
    assert_int_equal(rc_cgroup_find("", groups, "cpu", &place), -1);
}

/* What a container sees: a part of the hierarchy, or a group outside of what is mounted. */
static void test_find_in_container(void **state)
{
    static const char part[] =
        "40 39 0:28 /docker/abc /sys/fs/cgroup/my\\040memory ro - cgroup cgroup rw,memory\n";
    struct rc_cgroup place;

    (void)state;
    assert_int_equal(rc_cgroup_find(part, "4:memory:/docker/abc\n", "memory", &place), 0);
    assert_string_equal(place.directory, "/sys/fs/cgroup/my memory");
    assert_int_equal(rc_cgroup_find(part, "4:memory:/docker/abc/d\n", "memory", &place), 0);
    assert_string_equal(place.directory, "/sys/fs/cgroup/my memory/d");
    assert_int_equal(rc_cgroup_find(part, "4:memory:/docker/abcd\n", "memory", &place), 0);
    assert_string_equal(place.directory, "/sys/fs/cgroup/my memory");
    assert_int_equal(rc_cgroup_find(v2_mounts, "0::/../../x\n", "cpu", &place), 0);
    assert_string_equal(place.directory, "/sys/fs/cgroup");
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The machine's top has processes and no type; a container's has both. */
static void test_occupied(void **state)
{
    char directory[] = "/tmp/runcast-test-XXXXXX", procs[64], type[64];

    (void)state;
    assert_non_null(mkdtemp(directory));
    snprintf(procs, sizeof procs, "%s/cgroup.procs", directory);
    snprintf(type, sizeof type, "%s/cgroup.type", directory);
    write_file(procs, "1\n7\n");
    assert_false(rc_cgroup_occupied(directory));
    write_file(type, "domain\n");
    assert_true(rc_cgroup_occupied(directory));
    write_file(procs, "0\n"); /* a process that cannot be seen from here */
    assert_true(rc_cgroup_occupied(directory));
    write_file(procs, "");
    assert_false(rc_cgroup_occupied(directory));
    assert_int_equal(unlink(procs) | unlink(type) | rmdir(directory), 0);
}

static void test_limits(void **state)
{
    double cores;

    (void)state;
    assert_int_equal(rc_sense_proc_group_max_read("max 100000", &cores), 0);
    assert_true(isinf(cores));
    assert_int_equal(rc_sense_proc_group_max_read("150000 100000", &cores), 0);
    assert_true(cores == 1.5);
    assert_int_equal(rc_sense_proc_group_max_read("150000", &cores), -1);
    assert_int_equal(rc_sense_proc_group_max_read("", &cores), -1);
    assert_int_equal(rc_sense_proc_group_max_read("50000 0", &cores), -1);
    assert_true(isinf(rc_check_memory_max("max")));
    assert_true(isinf(rc_check_memory_max("9223372036854771712")));
    assert_true(rc_check_memory_max("1073741824") == 1073741824.0);
    assert_true(isnan(rc_check_memory_max("")));
}

/* The quota of a version 1 group with these files. */
static double quota_v1(const char *quota, const char *period)
{
    static const char *const names[] = {"cpu.cfs_quota_us", "cpu.cfs_period_us"};
    const char *const texts[] = {quota, period};
    struct rc_sense_group group = {.cpu = {.version = 1, .directory = "/tmp/rc-quota-XXXXXX"}};
    char path[5000];
    double cores;

    assert_non_null(mkdtemp(group.cpu.directory));
    group.cpu.top = strlen(group.cpu.directory);
    for (int i = 0; i < 2; i++) {
        FILE *file;

        snprintf(path, sizeof path, "%s/%s", group.cpu.directory, names[i]);
        file = fopen(path, "w");
        assert_non_null(file);
        fputs(texts[i], file);
        fclose(file);
    }
    cores = rc_sense_group_quota(&group);
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", group.cpu.directory, names[i]);
        unlink(path);
    }
    rmdir(group.cpu.directory);
    return cores;
}

static void test_quota_of_version_1(void **state)
{
    (void)state;
    assert_true(isinf(quota_v1("-1\n", "100000\n")));
    assert_true(quota_v1("50000\n", "100000\n") == 0.5);
    assert_true(isinf(quota_v1("50000\n", "0\n"))); /* no period: no limit is known */
}

static void test_finding(void **state)
{
    struct rc_finding finding = {.verdict = RC_VERDICT_OK};

    (void)state;
    rc_check_fact(&finding, "%s", "one");
    rc_check_fact(&finding, ", %d", 2);
    assert_string_equal(finding.fact, "one, 2");
    rc_check_judge(&finding, RC_VERDICT_OK, "nothing");
    assert_string_equal(finding.advice, "");
    rc_check_judge(&finding, RC_VERDICT_MISSING, "get it");
    rc_check_judge(&finding, RC_VERDICT_LIMITED, "get more");
    assert_int_equal(finding.verdict, RC_VERDICT_MISSING);
    assert_string_equal(finding.advice, "get it");
    for (int i = 0; i < 1000; i++)
        rc_check_fact(&finding, "\xc3\xa4");
    assert_true(strlen(finding.fact) < sizeof finding.fact);
}

/* Programs that read the report find a check by its id. */
static void test_table(void **state)
{
    (void)state;
    for (const struct rc_check *check = rc_checks; check < rc_checks + RC_CHECKS; check++) {
        assert_true(check->area && check->title && check->needed_for && check->run);
        for (const struct rc_check *other = check + 1; other < rc_checks + RC_CHECKS; other++)
            assert_string_not_equal(check->id, other->id);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_mpi_name),
        cmocka_unit_test(test_status_hex),
        cmocka_unit_test(test_has_word),
        cmocka_unit_test(test_kind),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_find_in_container),
        cmocka_unit_test(test_occupied),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_quota_of_version_1),
        cmocka_unit_test(test_finding),
        cmocka_unit_test(test_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
