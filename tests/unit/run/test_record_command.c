/* How many processes a command starts, and on which hosts. */
#include "unit.h"

#include "run/launch_layout.h"
#include "run/host_slots.h"

static char directory[] = "/tmp/runcast-record-XXXXXX";

static int write_file(const char *name, const char *text)
{
    char path[200];
    FILE *out;

    snprintf(path, sizeof path, "%s/%s", directory, name);
    out = fopen(path, "w");
    return !out || fputs(text, out) < 0 || fclose(out);
}

static int make_files(void **state)
{
    (void)state;
    return !mkdtemp(directory) || chdir(directory) ||
           write_file("slots", "# ours\na1 slots=4 max_slots=8\n  \na2 slots=2\nu@a3 slots=4\n") ||
           write_file("colons", "a1:2\na2:3\n") || write_file("bare", "a1\na2\na3\n") ||
           write_file("pbs", "n1\nn1\nn2\nn2\nn3\n") ||
           write_file("sge", "g1 4 all.q@g1 UNDEFINED\ng2 4 all.q@g2 UNDEFINED\n") ||
           write_file("bad", "a1\n^a2\n");
}

static int remove_files(void **state)
{
    char command[100];

    (void)state;
    snprintf(command, sizeof command, "rm -r %s", directory);
    return chdir("/") || system(command);
}

/* ---- the command lines ---- */

/* A variable of the environment as "NAME=VALUE"; several between blanks. */
static const char *variable(void *data, const char *name)
{
    static char value[200];
    const char *at = data;
    size_t length = strlen(name);

    while (at && *at) {
        if (strncmp(at, name, length) == 0 && at[length] == '=') {
            snprintf(value, sizeof value, "%.*s", (int)strcspn(at + length + 1, " "),
                     at + length + 1);
            return value;
        }
        at = strchr(at, ' ');
        at = at ? at + 1 : NULL;
    }
    return NULL;
}

static int lab(void *data, const char *name, struct rc_hostlist *nodes, struct rc_error *error)
{
    char text[50];

    (void)data;
    snprintf(text, sizeof text, "%s[1-3]", name ? name : "lab");
    return rc_platform_hostlist_expand(text, strlen(text), 10, nodes, error);
}

static int read_line(const char *line, const char *environment, struct rc_launch *launch,
                     struct rc_error *error)
{
    union {
        const char *given;
        char *taken;
    } data = {environment};
    const struct rc_launch_world world = {"here", variable, lab, data.taken};
    char copy[500], *words[64], *save;
    size_t n = 0;
    int status;

    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
        words[n++] = word;
    words[n] = NULL;
    launch->hosts_wanted = true;
    status = rc_run_launch_read(launch, words, &world, error);
    return status;
}

struct good {
    const char *line, *environment;
    int64_t processes;
    const char *hosts, *programs;
};

static const struct good good[] = {
    {"mpirun -np 8 ./prog -n 3", NULL, 8, "here", "prog"},
    {"mpirun -n 8 ./prog", NULL, 8, "here", "prog"},
    {"/usr/bin/mpiexec --np 2 prog", NULL, 2, "here", "prog"},
    {"orterun -c 3 --bind-to core --mca btl tcp,self prog", NULL, 3, "here", "prog"},
    {"prterun --np 4 --display map prog", NULL, 4, "here", "prog"},
    {"prterun --pmixmca key value --np 4 prog", NULL, 4, "here", "prog"},
    {"mpirun --np=4 prog", NULL, 4, "here", "prog"},
    {"mpirun -np 2 -x PATH -- prog -np 7", NULL, 2, "here", "prog"},
    {"mpirun -n 1 a : -n 2 b : -n 3 /x/c", NULL, 6, "here", "a,b,c"},
    {"mpirun -np 2 numactl -N 0 ./prog", NULL, 2, "here", "prog"},
    /* hosts, each filled up to its slots */
    {"mpirun -np 4 -H a1:2,a2:2,a3 prog", NULL, 4, "a[1-2]", "prog"},
    {"mpirun -np 3 --host a1,a2,a3,a4 prog", NULL, 3, "a[1-3]", "prog"},
    {"mpirun -np 9 -H a1,a2 prog", NULL, 9, "a[1-2]", "prog"},
    {"mpirun -np 2 -H localhost:2 prog", NULL, 2, "here", "prog"},
    {"mpirun -np 5 --hostfile slots prog", NULL, 5, "a[1-2]", "prog"},
    {"mpirun -np 4 -machinefile slots prog", NULL, 4, "a1", "prog"},
    {"mpirun -np 2 --hostfile bare --map-by node prog", NULL, 2, "a[1-2]", "prog"},
    {"mpirun -np 4 --hostfile bare -npernode 2 prog", NULL, 4, "a[1-2]", "prog"},
    {"mpirun --hostfile bare -npernode 2 prog", NULL, 6, "a[1-3]", "prog"},
    {"mpirun --hostfile bare --pernode prog", NULL, 3, "a[1-3]", "prog"},
    {"mpirun -H a1,a2 --map-by ppr:4:node prog", NULL, 8, "a[1-2]", "prog"},
    {"mpirun -np 4 -H a1:8,a2:8 -bynode prog", NULL, 4, "a[1-2]", "prog"},
    {"mpirun -n 2 -H a1 x : -n 2 -H a2 y", NULL, 4, "a[1-2]", "x,y"},
    {"mpiexec -n 4 -hosts a1,a2,a3 prog", NULL, 4, "a[1-3]", "prog"},
    {"mpiexec -n 4 -ppn 2 -hosts a1,a2,a3 prog", NULL, 4, "a[1-2]", "prog"},
    {"mpiexec.hydra -n 5 -f colons prog", NULL, 5, "a[1-2]", "prog"},
    {"mpirun.mpich -n 2 -machinefile bare -genv A B prog", NULL, 2, "a[1-2]", "prog"},
    /* what stands before */
    {"env A=1 -u B mpirun -n 2 prog", NULL, 2, "here", "prog"},
    {"/usr/bin/time -v -o file nice -n 5 taskset -c 0-3 mpirun -n 2 prog", NULL, 2, "here", "prog"},
    {"numactl --cpunodebind 0 --localalloc mpirun -n 2 prog", NULL, 2, "here", "prog"},
    {"timeout -k 5 60 stdbuf -oL mpirun -n 2 prog", NULL, 2, "here", "prog"},
    /* Slurm */
    {"srun -n 4 prog", "SLURM_JOB_NODELIST=c[1-4]", 4, "c[1-4]", "prog"},
    {"srun -n4 -N2 -c 2 --mpi=pmix prog", "SLURM_JOB_NODELIST=c[1-4]", 4, "c[1-2]", "prog"},
    {"srun prog", "SLURM_NTASKS=6 SLURM_JOB_NODELIST=c[1-3] SLURM_TASKS_PER_NODE=2(x3)", 6,
     "c[1-3]", "prog"},
    /* all nodes of the allocation, however many processes each could take, as with its own -N */
    {"srun -n 4 prog", "SLURM_JOB_NODELIST=c[1-4] SLURM_TASKS_PER_NODE=8(x4)", 4, "c[1-4]", "prog"},
    {"srun -n 2 prog", "SLURM_JOB_NODELIST=c[1-4] SLURM_TASKS_PER_NODE=8(x4)", 2, "c[1-2]", "prog"},
    {"srun -N 3 -n 2 prog", "SLURM_JOB_NODELIST=c[1-4]", 2, "c[1-2]", "prog"},
    {"srun --ntasks=2 -w d1,d7 prog", NULL, 2, "d[1,7]", "prog"},
    {"srun -N 2 --ntasks-per-node 3 -w d[1-2] prog", NULL, 6, "d[1-2]", "prog"},
    {"mpirun prog", "SLURM_NTASKS=5 SLURM_JOB_NODELIST=c[1-3] SLURM_TASKS_PER_NODE=2(x2),1", 5,
     "c[1-3]", "prog"},
    {"mpirun -n 2 prog", "SLURM_NTASKS=5 SLURM_JOB_NODELIST=c[1-3] SLURM_TASKS_PER_NODE=2(x2),1", 2,
     "c1", "prog"},
    /* host files that the environment names */
    {"mpirun -n 4 prog", "PBS_NODEFILE=pbs", 4, "n[1-2]", "prog"},
    {"mpirun -n 5 prog", "PE_HOSTFILE=sge", 5, "g[1-2]", "prog"},
    {"mpiexec -n 2 prog", "HYDRA_HOST_FILE=bare", 2, "a[1-2]", "prog"},
    /* labs */
    {"runcast lab mpirun -p 2 ./prog", NULL, 2, "lab[1-2]", "prog"},
    {"./build/runcast lab mpirun --mpi mpich prog", NULL, 3, "lab[1-3]", "prog"},
    {"runcast lab mpirun --procs 4 --per-host 2 --lab x -- prog : a", NULL, 4, "x[1-2]", "prog"},
    {"runcast lab mpirun --hosts lab[2-3] -p 8 prog", NULL, 8, "lab[2-3]", "prog"},
};

static void command_lines_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        struct rc_launch launch = {0};
        struct rc_error error = {0};
        char *hosts = NULL;

        if (read_line(good[i].line, good[i].environment, &launch, &error))
            fail_msg("%s: %s", good[i].line, error.text);
        hosts = rc_platform_hostlist_compress((const char *const *)launch.hosts.names,
                                              launch.hosts.count, &error);
        if (launch.processes != good[i].processes || !hosts || strcmp(hosts, good[i].hosts) != 0 ||
            strcmp(launch.programs, good[i].programs) != 0)
            fail_msg("%s: %lld processes of %s on %s", good[i].line, (long long)launch.processes,
                     launch.programs, hosts ? hosts : "nothing");
        free(hosts);
        rc_run_launch_free(&launch);
    }
}

static const struct {
    const char *line, *text, *code; /* parts of the error's text and code */
} bad[] = {
    {"mpirun prog", "unknown number of processes", "processes"},
    {"mpirun -n 0 prog", "no number of processes in 'n 0'", "processes"},
    {"mpirun -n x prog", "no number of processes in 'n x'", "processes"},
    {"mpirun -n", "missing value after", "processes"},
    {"mpirun --fancy 4 -n 8 prog", "unknown option '--fancy' of mpirun", "processes"},
    {"mpirun -n 4 --hostfile bare prog", "the host file has no slots", "hosts"},
    {"mpirun -n 4 --hostfile nosuch prog", "nosuch", "hosts"},
    {"mpirun -n 4 --hostfile bad prog", "'^' before a host", "hosts"},
    {"mpirun -n 4 -H a1:x prog", "after the colon", "hosts"},
    {"mpirun -n 4 -H , prog", "empty", "hosts"},
    {"mpirun --rankfile f -n 4 prog", "'rankfile'", "hosts"},
    {"mpirun -n 4 -H a1,a2 --map-by ppr:2:socket prog", "ppr:2:socket", "hosts"},
    {"mpirun -n 2 a : b", "unknown number of processes", "processes"},
    {"srun -n 4 prog", "unknown hosts", "hosts"},
};

static void unknown_processes_or_hosts_are_asked_for(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct rc_launch launch = {0};
        struct rc_error error = {0};

        if (read_line(bad[i].line, NULL, &launch, &error) == 0 ||
            !strstr(error.text, bad[i].text) || !strstr(error.code, bad[i].code))
            fail_msg("%s: '%s' '%s'", bad[i].line, error.text, error.code);
        rc_run_launch_free(&launch);
    }
}

static void other_commands_are_one_process_here(void **state)
{
    static const char *const allocations[] = {"SLURM_JOB_NODELIST=a[1-2]", "PBS_NODEFILE=pbs"};
    struct rc_launch launch = {0};
    struct rc_error error = {0};

    (void)state;
    assert_int_equal(read_line("nice ./prog -n 5", NULL, &launch, &error), 0);
    assert_int_equal(launch.processes, 1);
    assert_true(launch.local && launch.assumed);
    assert_string_equal(launch.programs, "prog");
    rc_run_launch_free(&launch);

    launch = (struct rc_launch){.processes = 1, .local = true};
    assert_int_equal(read_line("./prog", NULL, &launch, &error), 0);
    assert_false(launch.assumed);

    launch = (struct rc_launch){.processes = 2};
    assert_int_equal(read_line("./prog", NULL, &launch, &error), -1);
    assert_string_equal(error.text, "unknown launcher './prog'");
    for (size_t i = 0; i < COUNT(allocations); i++) {
        launch = (struct rc_launch){0};
        assert_int_equal(read_line("sh -c mpirun", allocations[i], &launch, &error), -1);
        assert_non_null(strstr(error.text, "unknown launcher 'sh'"));
        assert_non_null(strstr(error.code, "processes-or-hosts"));
    }
}

static void options_win(void **state)
{
    struct rc_launch launch = {.processes = 7, .local = true};
    struct rc_error error = {0};

    (void)state;
    assert_int_equal(read_line("./anything -n 3", NULL, &launch, &error), 0);
    assert_int_equal(launch.processes, 7);
    assert_string_equal(launch.programs, "anything");
    rc_run_launch_free(&launch);

    launch = (struct rc_launch){.processes = 7};
    assert_int_equal(read_line("mpirun -np 2 -H a1,a2 prog", NULL, &launch, &error), 0);
    assert_int_equal(launch.processes, 7);
    assert_int_equal(launch.hosts.count, 2);
    rc_run_launch_free(&launch);

    /* What cannot be read does no harm where all is said. */
    launch = (struct rc_launch){.processes = 7, .local = true};
    assert_int_equal(read_line("mpirun --fancy prog", NULL, &launch, &error), 0);
    rc_run_launch_free(&launch);
}

static void names_of_this_machine(void **state)
{
    (void)state;
    assert_true(rc_run_is_this_host("here", "here"));
    assert_true(rc_run_is_this_host("localhost", "here"));
    assert_true(rc_run_is_this_host("here.org", "here"));
    assert_true(rc_run_is_this_host("here", "here.org"));
    assert_false(rc_run_is_this_host("here.com", "here.org"));
    assert_false(rc_run_is_this_host("her", "here"));
    assert_false(rc_run_is_this_host("there", "here"));
}

/* ---- lists and files of hosts ---- */

static void host_files_of_all_kinds(void **state)
{
    static const struct {
        const char *text;
        const char *name;
        int64_t said, named;
        unsigned line; /* of a fault; 0: none */
    } files[] = {
        {"a1 slots=4\n", "a1", 4, 1, 0},
        {"a1 SLOTS=4 max-slots=9 # x\n", "a1", 4, 1, 0},
        {"a1:3 binding=user:1\r\n", "a1", 3, 1, 0},
        {"a1\na1\n\na1", "a1", 0, 3, 0},
        {"me@a1 5 all.q x\n", "a1", 5, 1, 0},
        {"fe80::1\n", "fe80::1", 0, 1, 0},
        {"a1\na2 slots=0\n", NULL, 0, 0, 2},
        {"a1 slots=many\n", NULL, 0, 0, 1},
        {"\n\n-rf\n", NULL, 0, 0, 3},
        {"+n0\n", NULL, 0, 0, 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        struct rc_slots slots = {0};
        struct rc_error error = {0};
        int status =
            rc_run_slots_parse_file(&slots, files[i].text, strlen(files[i].text), "f", &error);

        assert_int_equal(status, files[i].line ? -1 : 0);
        assert_int_equal(error.line, files[i].line);
        if (status == 0) {
            assert_string_equal(slots.hosts[0].name, files[i].name);
            assert_int_equal(slots.hosts[0].said, files[i].said);
            assert_int_equal(slots.hosts[0].named, files[i].named);
        }
        rc_run_slots_free(&slots);
    }
}

static void too_many_hosts_are_refused(void **state)
{
    struct rc_slots slots = {0};
    struct rc_error error = {0};
    char name[20];
    int status = 0;

    (void)state;
    for (int i = 0; i <= RC_SLOTS_HOSTS_MAX && status == 0; i++) {
        snprintf(name, sizeof name, "h%d", i);
        status = rc_run_slots_add(&slots, name, strlen(name), 1, &error);
    }
    assert_int_equal(status, -1);
    assert_int_equal(slots.n, RC_SLOTS_HOSTS_MAX);
    rc_run_slots_free(&slots);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(command_lines_are_read),
        cmocka_unit_test(unknown_processes_or_hosts_are_asked_for),
        cmocka_unit_test(other_commands_are_one_process_here),
        cmocka_unit_test(options_win),
        cmocka_unit_test(names_of_this_machine),
        cmocka_unit_test(host_files_of_all_kinds),
        cmocka_unit_test(too_many_hosts_are_refused),
    };

    return cmocka_run_group_tests(tests, make_files, remove_files);
}
