/* Model files: what is read from them, and that later files win. */
#include "unit.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "model/structural/model.h"

#define M "model m\n"

/* ---- reading ---- */

static struct rc_model *parse(const char *text)
{
    struct rc_error error = {.text = ""};
    struct rc_model *model = rc_structural_model_parse(text, strlen(text), "test.rcm", &error);

    if (!model)
        fail_msg("%s\n%s:%u:%u: %s", text, error.file, error.line, error.column, error.text);
    return model;
}

/* The item of that name (and alternative) in the section; there must be one. */
static const struct rc_item *find(const struct rc_model *model, const char *name,
                                  const char *alternative, int section)
{
    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *item = &model->items[i];

        if (strcmp(item->name, name) == 0 && item->section == section &&
            (!alternative || strcmp(item->alternative, alternative) == 0))
            return item;
    }
    fail_msg("no '%s' in section %d", name, section);
    return NULL;
}

static void assert_formula(const struct rc_expression *expression, const char *text)
{
    assert_non_null(expression);
    assert_string_equal(rc_value_expression_text(expression), text);
}

static void assert_cell(const struct rc_item *item, size_t i, const char *row, const char *column,
                        const char *text)
{
    assert_true(i < item->n_cells);
    assert_string_equal(item->cells[i].row, row);
    assert_string_equal(item->cells[i].column, column);
    assert_formula(item->cells[i].expression, text);
}

/* ---- the example of docs/reference/model-language.md ---- */

static const char sweep[] = "model sweep \"red-black relaxation on strips of columns\"\n"
                            "\n"
                            "input N \"rows and columns of the grid\" from size\n"
                            "input P from processes\n"
                            "input iterations = 10\n"
                            "\n"
                            "input point[h] \"seconds for one point\" = table\n"
                            "    a1    1.07us\n"
                            "    a2    3.10us\n"
                            "    accuracy 5%\n"
                            "    measured 2026-05-04\n"
                            "    source \"25 runs of a grid of 500 points\"\n"
                            "\n"
                            "input bandwidth[x, y] from platform bandwidth\n"
                            "input cpu[h] \"availability\" from series cpu last 5min\n"
                            "\n"
                            "component Compute[h] by benchmark\n"
                            "    = N * N / P * point[h] / cpu[h]\n"
                            "    kind computation\n"
                            "\n"
                            "component Exchange[h] by messages\n"
                            "    = sum(j in neighbours[h]: 2 * N * 8B / bandwidth[h, j])\n"
                            "    kind communication\n"
                            "\n"
                            "total slowest \"all wait for the slowest host\"\n"
                            "    = iterations * max(h in hosts: Compute[h] + Exchange[h])\n"
                            "\n"
                            "profile\n"
                            "    Compute   94%\n"
                            "    Exchange   6%\n";

static void assert_sweep_inputs(const struct rc_model *model)
{
    const struct rc_item *item = &model->items[0];

    assert_string_equal(item->name, "N");
    assert_string_equal(item->description, "rows and columns of the grid");
    assert_int_equal(item->kind, RC_ITEM_INPUT);
    assert_int_equal(item->source, RC_FROM_SIZE);
    assert_int_equal(item->section, -1);
    assert_int_equal(item->line, 3);
    assert_int_equal(item->column, 7);
    assert_null(item->alternative);
    assert_null(item->expression);
    assert_true(isnan(item->meta.accuracy) && isnan(item->meta.measured) &&
                isnan(item->meta.lifetime) && !item->meta.source && !item->meta.note);
    assert_int_equal(model->items[1].source, RC_FROM_PROCESSES);
    assert_null(model->items[1].description);
    assert_int_equal(model->items[2].source, RC_FROM_FORMULA);
    assert_formula(model->items[2].expression, "10");
    item = &model->items[3];
    assert_int_equal(item->source, RC_FROM_TABLE);
    assert_int_equal(item->n_parameters, 1);
    assert_string_equal(item->parameters[0], "h");
    assert_int_equal(item->n_cells, 2);
    assert_cell(item, 0, "a1", "", "1.07us");
    assert_cell(item, 1, "a2", "", "3.10us");
    assert_same(item->meta.accuracy, 0.05);
    assert_same(item->meta.measured, 1777852800);
    assert_string_equal(item->meta.source, "25 runs of a grid of 500 points");
    assert_int_equal(model->items[4].source, RC_FROM_PLATFORM);
    assert_int_equal(model->items[4].field, RC_FIELD_OF_BANDWIDTH);
    assert_int_equal(model->items[4].n_parameters, 2);
    assert_string_equal(model->items[4].parameters[1], "y");
    item = &model->items[5];
    assert_int_equal(item->source, RC_FROM_SERIES);
    assert_string_equal(item->metric, "cpu");
    assert_same(item->window, 300);
    assert_int_equal(item->window_kind, -1);
}

static void the_example_is_read(void **state)
{
    struct rc_model *model = parse(sweep);
    const struct rc_item *item;

    (void)state;
    assert_string_equal(model->name, "sweep");
    assert_string_equal(model->app, "sweep");
    assert_string_equal(model->description, "red-black relaxation on strips of columns");
    assert_int_equal(model->n_files, 1);
    assert_string_equal(model->files[0].name, "test.rcm");
    assert_string_equal(model->files[0].text, sweep);
    assert_int_equal(model->n_items, 9);
    assert_sweep_inputs(model);
    item = &model->items[6];
    assert_int_equal(item->kind, RC_ITEM_COMPONENT);
    assert_string_equal(item->name, "Compute");
    assert_string_equal(item->alternative, "benchmark");
    assert_int_equal(item->task_kind, RC_TASK_COMPUTATION);
    assert_formula(item->expression, "N * N / P * point[h] / cpu[h]");
    assert_int_equal(model->items[7].task_kind, RC_TASK_COMMUNICATION);
    assert_formula(model->items[7].expression,
                   "sum(j in neighbours[h]: 2 * N * 8B / bandwidth[h, j])");
    item = &model->items[8];
    assert_int_equal(item->kind, RC_ITEM_TOTAL);
    assert_string_equal(item->name, "total");
    assert_string_equal(item->alternative, "slowest");
    assert_string_equal(item->description, "all wait for the slowest host");
    assert_int_equal(item->n_parameters, 0);
    assert_int_equal(model->n_profile, 2);
    assert_string_equal(model->profile[1].task, "Exchange");
    assert_same(model->profile[1].share, 0.06);
    assert_int_equal(model->profile[1].line, 30);
    assert_int_equal(model->profile[1].column, 5);
    assert_int_equal(
        model->n_sections + model->n_sets + model->n_uses + model->n_hosts + model->n_omits, 0);
    rc_structural_model_destroy(model);
}

/* ---- what else may stand in a file ---- */

static void every_statement_is_read(void **state)
{
    struct rc_model *model =
        parse("model big-one.2 # a comment\n  app other-app\n  source \"Table 1\"\n  note \"n\"\n"
              "hosts a[1-2], b7,\n    c1\n"
              "omit below 1.5 %\nuse Step by fast\nuse total simple\n"
              "on sun-4.x \"slow\"\nhosts s1\nomit below 0\nuse Step by exact\n"
              "on ultra\nuse Step by fast\n"
              "on sun-4.x\ninput late\n");

    (void)state;
    assert_string_equal(model->name, "big-one.2");
    assert_string_equal(model->app, "other-app");
    assert_null(model->description);
    assert_string_equal(model->meta.source, "Table 1");
    assert_string_equal(model->meta.note, "n");
    assert_int_equal(model->n_sections, 2);
    assert_string_equal(model->sections[0].description, "slow");
    assert_null(model->sections[1].description);
    assert_int_equal(rc_structural_model_find_section(model, "ultra"), 1);
    assert_int_equal(rc_structural_model_find_section(model, "big-one.2"), -1);
    assert_int_equal(find(model, "late", NULL, 0)->source, RC_FROM_USER);
    assert_int_equal(model->n_hosts, 2);
    assert_int_equal(model->hosts[0].n_names, 4);
    assert_string_equal(model->hosts[0].names[3], "c1");
    assert_int_equal(model->hosts[0].section, -1);
    assert_int_equal(model->hosts[0].line, 5);
    assert_int_equal(model->hosts[1].section, 0);
    assert_int_equal(model->n_omits, 2);
    assert_same(model->omits[0].below, 0.015);
    assert_int_equal(model->omits[1].section, 0);
    assert_int_equal(model->n_uses, 4);
    assert_string_equal(model->uses[0].task, "Step");
    assert_string_equal(model->uses[0].alternative, "fast");
    assert_string_equal(model->uses[1].task, "total");
    assert_string_equal(model->uses[1].alternative, "simple");
    assert_int_equal(model->uses[2].section, 0);
    assert_int_equal(model->uses[3].section, 1);
    assert_int_equal(model->uses[3].column, 5);
    rc_structural_model_destroy(model);
}

static void every_clause_is_read(void **state)
{
    struct rc_model *model =
        parse("model m\n"
              "input a[h] from series net.rx-rate as normal last 90s\n"
              "input b[x, y] from platform latency\n    accuracy 300%\n    lifetime 1h30min\n"
              "    measured 2026-11-15 02:47\n    note \"#1\"\n"
              "define f[i, j, k, l]\n  \"over two lines\"\n  = i + j\n    * (k +\n  l)\n"
              "    accuracy 0.25\n");
    const struct rc_item *item = find(model, "a", NULL, -1);

    (void)state;
    assert_string_equal(item->metric, "net.rx-rate");
    assert_same(item->window, 90);
    assert_int_equal(item->window_kind, RC_NORMAL);
    item = find(model, "b", NULL, -1);
    assert_int_equal(item->field, RC_FIELD_OF_LATENCY);
    assert_same(item->meta.accuracy, 3);
    assert_same(item->meta.lifetime, 5400);
    assert_same(item->meta.measured, 1794710820);
    assert_string_equal(item->meta.note, "#1");
    item = find(model, "f", NULL, -1);
    assert_string_equal(item->description, "over two lines");
    assert_int_equal(item->n_parameters, 4);
    assert_formula(item->expression, "i + j\n    * (k +\n  l)");
    assert_same(item->meta.accuracy, 0.25);
    assert_string_equal(rc_structural_platform_field_names[RC_FIELD_OF_COST], "cost");
    rc_structural_model_destroy(model);
}

static void measuring_is_read(void **state)
{
    struct rc_model *model =
        parse("model m\n"
              "input N from size\ninput medial = 2000\n"
              "input add[h]\n    measure operation real-add\n"
              "input bw[x, y] from platform bandwidth\n    measure bandwidth medial * 8B\n"
              "input free[x, y]\n    measure bandwidth\n"
              "input wait[x, y]\n    measure startup\n"
              "input pack[h]\n    measure packing\n"
              "input point[h]\n    measure run\n    at medial / 4\n    per N *\n      N\n"
              "    less 1ms\n    arguments \"--quiet -x\"\n"
              "input all\n    measure together\n    at medial\n");
    const struct rc_measure *measure = &find(model, "add", NULL, -1)->measure;

    (void)state;
    assert_int_equal(measure->kind, RC_MEASURE_OPERATION);
    assert_int_equal(measure->operation, RC_REAL_ADD);
    assert_string_equal(rc_structural_operation_names[RC_INTEGER_MULTIPLY], "integer-multiply");
    measure = &find(model, "bw", NULL, -1)->measure;
    assert_int_equal(measure->kind, RC_MEASURE_BANDWIDTH);
    assert_formula(measure->bytes, "medial * 8B");
    assert_null(find(model, "free", NULL, -1)->measure.bytes);
    assert_int_equal(find(model, "wait", NULL, -1)->measure.kind, RC_MEASURE_STARTUP);
    assert_int_equal(find(model, "pack", NULL, -1)->measure.kind, RC_MEASURE_PACKING);
    measure = &find(model, "point", NULL, -1)->measure;
    assert_int_equal(measure->kind, RC_MEASURE_RUN);
    assert_string_equal(rc_structural_measure_kind_names[measure->kind], "run");
    assert_formula(measure->size, "medial / 4");
    assert_formula(measure->per, "N *\n      N");
    assert_formula(measure->less, "1ms");
    assert_string_equal(measure->arguments, "--quiet -x");
    assert_int_equal(find(model, "all", NULL, -1)->measure.kind, RC_MEASURE_TOGETHER);
    assert_int_equal(find(model, "medial", NULL, -1)->measure.kind, RC_MEASURE_NOTHING);
    rc_structural_model_destroy(model);
}

static void parts_of_recordings_are_read(void **state)
{
    struct rc_model *model =
        parse("model m\n"
              "component A by w = 1\n    traced calls Bcast, MPI_Scatterv\n"
              "component B by w = 1\n    traced computing of rest\n"
              "component C by w = 1\n    traced computing before Gather of first\n"
              "component D by w = 1\n    traced computing after Wait,Waitall\n"
              "input c[h] from forecast cpu\n"
              "total t = A\n    waits once\ntotal u = A\n    waits often\ntotal v = A\n"
              "total w = A\n    waits 2 *\n      rounds\ninput rounds = 3\n"
              "on x\ncomponent A by w\n    accuracy 5%\ntotal t\n    accuracy 5%\n");
    const struct rc_traced *traced = &find(model, "A", "w", -1)->traced;

    (void)state;
    assert_int_equal(traced->what, RC_TRACED_CALLS);
    assert_int_equal(traced->n_calls, 2);
    assert_string_equal(traced->calls[1], "MPI_Scatterv");
    assert_int_equal(traced->ranks, RC_TRACED_ALL);
    traced = &find(model, "B", "w", -1)->traced;
    assert_int_equal(traced->what, RC_TRACED_COMPUTING);
    assert_int_equal(traced->place, RC_TRACED_ANYWHERE);
    assert_int_equal(traced->ranks, RC_TRACED_REST);
    traced = &find(model, "C", "w", -1)->traced;
    assert_int_equal(traced->place, RC_TRACED_BEFORE);
    assert_int_equal(traced->ranks, RC_TRACED_FIRST);
    assert_int_equal(find(model, "D", "w", -1)->traced.place, RC_TRACED_AFTER);
    assert_int_equal(find(model, "c", NULL, -1)->source, RC_FROM_FORECAST);
    assert_string_equal(find(model, "c", NULL, -1)->metric, "cpu");
    assert_int_equal(find(model, "total", "t", -1)->waits, RC_WAITS_ONCE);
    assert_int_equal(find(model, "total", "u", -1)->waits, RC_WAITS_OFTEN);
    assert_int_equal(find(model, "total", "v", -1)->waits, RC_WAITS_NOT_STATED);
    assert_int_equal(find(model, "total", "w", -1)->waits, RC_WAITS_TIMES);
    assert_formula(find(model, "total", "w", -1)->times, "2 *\n      rounds");
    /* what is said of a platform alone keeps the rest */
    assert_int_equal(find(model, "A", "w", 0)->traced.n_calls, 2);
    assert_int_equal(find(model, "total", "t", 0)->waits, RC_WAITS_ONCE);
    rc_structural_model_destroy(model);
}

static void conditions_are_read(void **state)
{
    static const enum rc_relation relations[] = {RC_LESS, RC_AT_LEAST, RC_EQUAL, RC_AT_MOST,
                                                 RC_GREATER};
    static const char *const names[] = {"<", ">=", "=", "<=", ">"};
    struct rc_model *model =
        parse("model m\n"
              "component T[h] by w \"text\" = 1\n    kind io\n"
              "    when a[h] < 1 and (b[h, h]) >= 2\n        and max(1, 2) = count(hosts)\n"
              "    when 3 <= h and 4 > 3\n"
              "total t = T[a1]\n  when 1 < 2\n");
    const struct rc_item *item = find(model, "T", "w", -1);

    (void)state;
    assert_string_equal(item->description, "text");
    assert_int_equal(item->task_kind, RC_TASK_IO);
    assert_string_equal(rc_structural_task_kind_names[RC_TASK_IO], "io");
    assert_int_equal(item->n_conditions, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(item->conditions[i].relation, relations[i]);
        assert_string_equal(rc_structural_relation_names[relations[i]], names[i]);
    }
    assert_formula(item->conditions[1].left, "(b[h, h])");
    assert_formula(item->conditions[2].left, "max(1, 2)");
    assert_formula(item->conditions[2].right, "count(hosts)");
    assert_formula(item->conditions[4].right, "3");
    assert_int_equal(find(model, "total", "t", -1)->n_conditions, 1);
    rc_structural_model_destroy(model);
}

static void assert_set(const struct rc_model *model, size_t i, enum rc_set_kind kind,
                       const char *of, size_t n_hosts)
{
    const struct rc_model_set *set = &model->sets[i];

    assert_true(i < model->n_sets);
    assert_int_equal(set->kind, kind);
    assert_int_equal(set->n_hosts, n_hosts);
    if (of)
        assert_string_equal(set->of, of);
    else
        assert_null(set->of);
}

static void sets_are_lists_or_made_of_sets(void **state)
{
    struct rc_model *model = parse("model m\nset a = b\nset b=hosts\nset c = rest(b)\n"
                                   "set d = first( c )\nset e = last (d)\nset f = b7\n"
                                   "set g = b, c\nset h = b[1-3]\nset i =\n  n.x-1\n"
                                   "on p\nset a = g\n");

    (void)state;
    assert_int_equal(model->n_sets, 10);
    assert_set(model, 0, RC_SET_SAME, "b", 0);
    assert_set(model, 1, RC_SET_SAME, "hosts", 0);
    assert_set(model, 2, RC_SET_REST, "b", 0);
    assert_set(model, 3, RC_SET_FIRST, "c", 0);
    assert_set(model, 4, RC_SET_LAST, "d", 0);
    assert_set(model, 5, RC_SET_LIST, NULL, 1);
    assert_set(model, 6, RC_SET_LIST, NULL, 2);
    assert_set(model, 7, RC_SET_LIST, NULL, 3);
    assert_set(model, 8, RC_SET_LIST, NULL, 1);
    assert_set(model, 9, RC_SET_SAME, "g", 0);
    assert_string_equal(model->sets[6].hosts[0], "b"); /* in a list, a host */
    assert_int_equal(model->sets[9].section, 0);
    assert_int_equal(model->sets[4].line, 6);
    assert_int_equal(model->sets[4].column, 5);
    rc_structural_model_destroy(model);
}

static void tables_are_read(void **state)
{
    struct rc_model *model = parse("model m\n"
                                   "input one[h] = table # of hosts\n"
                                   "  b[1-2]  normal(1, 0.1) # both\n"
                                   "\n# a comment\n"
                                   "  a-1.x   (1 + 2)*max(3, 4)\n"
                                   "  kind-2  -\n"
                                   "input two[x, y]\n"
                                   "  = table\n"
                                   "         a2    a[10-11]\n"
                                   "    a2   1MB   2MB   -\n"
                                   "    a1   -3    4     5\n"
                                   "    note \"x is the row\"\n");
    const struct rc_item *item = find(model, "one", NULL, -1);

    (void)state;
    assert_int_equal(item->n_cells, 3);
    assert_cell(item, 0, "a-1.x", "", "(1 + 2)*max(3, 4)");
    assert_cell(item, 1, "b1", "", "normal(1, 0.1)");
    assert_cell(item, 2, "b2", "", "normal(1, 0.1)");
    assert_ptr_not_equal(item->cells[1].expression, item->cells[2].expression);
    item = find(model, "two", NULL, -1);
    assert_int_equal(item->n_cells, 5);
    assert_cell(item, 0, "a1", "a10", "4");
    assert_cell(item, 1, "a1", "a11", "5");
    assert_cell(item, 2, "a1", "a2", "-3");
    assert_cell(item, 3, "a2", "a10", "2MB");
    assert_cell(item, 4, "a2", "a2", "1MB");
    assert_string_equal(item->meta.note, "x is the row");
    rc_structural_model_destroy(model);
}

/* Words of clauses may be names, where they do not stand alone at the start of a line. */
static void words_of_clauses_may_be_names(void **state)
{
    struct rc_model *model = parse("model m\ninput kind\ninput source[h]\ninput app\n"
                                   "define x[h] = kind * source[h] +\n    source[h] *\n    app\n"
                                   "component use by on = 1\nprofile\n  use 1\n");

    (void)state;
    assert_formula(find(model, "x", NULL, -1)->expression,
                   "kind * source[h] +\n    source[h] *\n    app");
    assert_string_equal(find(model, "use", NULL, -1)->alternative, "on");
    rc_structural_model_destroy(model);
}

static void blanks_and_comments_mean_nothing(void **state)
{
    struct rc_model *model = parse("\xef\xbb\xbf# ein Gr\xc3\xbc\xc3\x9f\r\n"
                                   "model m \"a # \xc3\xbc\"# \"no quote\r\n"
                                   "\r\n"
                                   "define\tx\t[ a ,b ]\r\n"
                                   "\t \t= 1 + # \xe2\x82\xac; not 2\r\n"
                                   " # (\r\n"
                                   "\t2\t\r\n"
                                   "\tsource\"s\"   ");
    const struct rc_item *item = find(model, "x", NULL, -1);
    struct rc_error error = {.text = ""};

    (void)state;
    assert_string_equal(model->description, "a # \xc3\xbc");
    assert_int_equal(item->n_parameters, 2);
    assert_int_equal(item->line, 4);
    assert_int_equal(item->column, 8);
    assert_memory_equal(rc_value_expression_text(item->expression), "1 + ", 4);
    assert_null(strpbrk(rc_value_expression_text(item->expression), "#;(\r\t"));
    assert_string_equal(item->meta.source, "s");
    assert_memory_equal(model->files[0].text, "# ein", 5);
    rc_structural_model_destroy(model);
    /* Columns count characters, also behind a comment and a line end of two. */
    assert_null(rc_structural_model_parse("\xef\xbb\xbf"
                                          "modle m",
                                          10, "f", &error));
    assert_int_equal(error.column, 1);
    assert_null(rc_structural_model_parse("model m \"\xc3\xbc\" x", 14, "f", &error));
    assert_int_equal(error.column, 13);
}

/* ---- files ---- */

static char directory[] = "/tmp/runcast-model-XXXXXX";

static int make_directory(void **state)
{
    (void)state;
    strcpy(strrchr(directory, '-'), "-XXXXXX");
    return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
    char path[64];

    (void)state;
    for (char name = 'a'; name <= 'c'; name++) {
        snprintf(path, sizeof path, "%s/%c", directory, name);
        unlink(path);
    }
    return rmdir(directory);
}

/* Loads the files a, b and c with these texts; NULL ends them. */
static struct rc_model *load(const char *const texts[3], char **text, struct rc_error *error)
{
    char paths[3][64];
    const char *list[3];
    size_t n = 0;

    for (; n < 3 && texts[n]; n++) {
        FILE *file;

        snprintf(paths[n], sizeof paths[n], "%s/%c", directory, (char)('a' + n));
        list[n] = paths[n];
        file = fopen(paths[n], "w");
        assert_non_null(file);
        fputs(texts[n], file);
        assert_int_equal(fclose(file), 0);
    }
    return rc_structural_model_load(list, n, text, error);
}

static void later_files_win(void **state)
{
    const char *const texts[] = {
        ("model m\ninput N = 1\ninput P = 2\nset s = a\nhosts a\nomit below 1%\n"
         "component T by w = 1\ncomponent T by v = 2\nuse T by w\nprofile\n  T 90%\n  U 9%\n"
         "on p\ninput N = 3\nhosts b\nprofile\n  T 80%\n"),
        ("input N = 4\nset s = b, c\nhosts c, d\nomit below 2%\nuse T by v\nprofile\n  T 50%\n"
         "component T[h] by w = 3\n"),
        "component T[h] by v = 4\non q\ninput N = 6\non p\ninput N = 5\n",
    };
    struct rc_error error = {.text = ""};
    char *text = NULL;
    struct rc_model *model = load(texts, &text, &error);

    (void)state;
    if (!model)
        fail_msg("%s:%u: %s", error.file, error.line, error.text);
    assert_null(text);
    assert_int_equal(model->n_files, 3);
    assert_int_equal(model->n_items, 6);
    assert_formula(find(model, "N", NULL, -1)->expression, "4");
    assert_formula(find(model, "N", NULL, 0)->expression, "5");
    assert_formula(find(model, "N", NULL, 1)->expression, "6");
    assert_int_equal(find(model, "N", NULL, -1)->file, 1);
    assert_string_equal(model->items[0].name, "P");
    assert_formula(find(model, "T", "w", -1)->expression, "3");
    assert_int_equal(find(model, "T", "v", -1)->n_parameters, 1);
    assert_int_equal(model->n_sets, 1);
    assert_int_equal(model->sets[0].n_hosts, 2);
    assert_int_equal(model->n_hosts, 2);
    assert_string_equal(model->hosts[0].names[0], "b");
    assert_int_equal(model->hosts[1].n_names, 2);
    assert_int_equal(model->n_omits, 1);
    assert_same(model->omits[0].below, 0.02);
    assert_int_equal(model->n_uses, 1);
    assert_string_equal(model->uses[0].alternative, "v");
    assert_int_equal(model->n_profile, 2);
    assert_same(model->profile[0].share, 0.8);
    assert_int_equal(model->profile[0].section, 0);
    assert_same(model->profile[1].share, 0.5);
    rc_structural_model_destroy(model);
}

/* The texts are refused at that place of file `name`, whose text is handed back. */
static void assert_refused(const char *const texts[3], char name, unsigned line, unsigned column,
                           const char *says)
{
    struct rc_error error = {.text = ""};
    char *text = NULL;
    struct rc_model *model = load(texts, &text, &error);

    if (model || error.line != line || error.column != column || !strstr(error.text, says) ||
        error.file[strlen(directory) + 1] != name)
        fail_msg("%s:%u:%u: %s", error.file, error.line, error.column, error.text);
    assert_non_null(text);
    assert_string_equal(text, texts[name - 'a']);
    free(text);
}

static void several_files_must_fit(void **state)
{
    (void)state;
    assert_refused((const char *const[]){M, M, NULL}, 'b', 1, 1, "only the first file");
    assert_refused((const char *const[]){M, "\ninput N\ninput N\n", NULL}, 'b', 3, 7,
                   "first is in line 2");
    assert_refused((const char *const[]){M "input N\n", "define N = 1\n", NULL}, 'b', 1, 8,
                   "is already the name of an input, in line 2 of /tmp/");
    assert_refused((const char *const[]){M "component T by a = 1\ncomponent T by b = 1\n", "",
                                         "component T[h] by b = 1\n"},
                   'c', 1, 11, "'T' has 1 parameter here but 0 in line 2 of /tmp/");
    assert_refused((const char *const[]){M "input\n", "input N\n", NULL}, 'a', 2, 6,
                   "unexpected end of line");
    assert_refused((const char *const[]){M, "input N \xff", NULL}, 'b', 1, 9, "invalid UTF-8");
}

static void assert_unreadable(const char *path, const char *says)
{
    struct rc_error error = {.text = ""};
    char *text = directory;

    assert_null(rc_structural_model_load(&path, 1, &text, &error));
    assert_null(text);
    if (!strstr(error.text, says) || !strstr(error.text, path))
        fail_msg("%s: %s", path, error.text);
    assert_null(rc_structural_model_load(&path, 1, NULL, NULL));
}

static void unreadable_files_are_told(void **state)
{
    const char *const paths[RC_MODEL_FILES_MAX + 1] = {"a"};
    struct rc_error error = {.text = ""};
    char path[64];

    (void)state;
    assert_unreadable("/nonexistent/x.rcm", "No such file or directory");
    assert_unreadable(directory, "Is a directory");
    snprintf(path, sizeof path, "%s/a", directory);
    assert_int_equal(close(open(path, O_CREAT | O_WRONLY, 0)), 0);
    if (geteuid() != 0) /* root may read it */
        assert_unreadable(path, "Permission denied");
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(truncate(path, RC_MODEL_BYTES_MAX + 100), 0);
    assert_null(rc_structural_model_load((const char *const[]){path}, 1, NULL, &error));
    assert_non_null(strstr(error.text, "more than 1048576 bytes"));
    assert_string_equal(error.file, path);
    assert_null(rc_structural_model_load(paths, RC_MODEL_FILES_MAX + 1, NULL, &error));
    assert_non_null(strstr(error.text, "1 to 16 files"));
    assert_null(rc_structural_model_load(NULL, 0, NULL, &error));
}

int main(void)
{
#define FILES(name) cmocka_unit_test_setup_teardown(name, make_directory, remove_directory)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_is_read),
        cmocka_unit_test(every_statement_is_read),
        cmocka_unit_test(every_clause_is_read),
        cmocka_unit_test(measuring_is_read),
        cmocka_unit_test(parts_of_recordings_are_read),
        cmocka_unit_test(conditions_are_read),
        cmocka_unit_test(sets_are_lists_or_made_of_sets),
        cmocka_unit_test(tables_are_read),
        cmocka_unit_test(words_of_clauses_may_be_names),
        cmocka_unit_test(blanks_and_comments_mean_nothing),
        FILES(later_files_win),
        FILES(several_files_must_fit),
        FILES(unreadable_files_are_told),
    };

    return RUN_TESTS(tests);
}
