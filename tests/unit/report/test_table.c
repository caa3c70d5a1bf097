/* Tables, progress lines, JSON and options: what people and programs get to see. */
#include "manual_clock.h"
#include "unit.h"

#include <locale.h>

#include "base/json.h"
#include "base/option.h"
#include "base/progress.h"
#include "report/table.h"

/* What was written to `file`, which is closed; free it. */
static char *content(FILE *file)
{
    long length = ftell(file);
    char *text = calloc((size_t)length + 1, 1);

    rewind(file);
    assert_int_equal(fread(text, 1, (size_t)length, file), length);
    fclose(file);
    return text;
}

static const struct rc_column three[] = {{.title = "app"},
                                         {.title = "n", .right = true},
                                         {.title = "hosts"}};

static void columns_align(void **state)
{
    FILE *out = tmpfile();
    struct rc_table *table = rc_table_create(out, three, 3, 0);
    char *text;

    (void)state;
    rc_table_text(table, "lu");
    rc_table_number(table, 1000);
    rc_table_text(table, "a[1-4]");
    rc_table_text(table, "m\xc3\xa4rz"); /* four characters, five bytes */
    rc_table_number(table, NAN);
    rc_table_text(table, "b");
    assert_int_equal(rc_table_finish(table), 0);
    text = content(out);
    assert_string_equal(text, "app      n  hosts\n"
                              "lu    1000  a[1-4]\n"
                              "m\xc3\xa4rz     -  b\n");
    free(text);
}

static void a_narrow_terminal_cuts_text_but_no_number(void **state)
{
    FILE *out = tmpfile();
    struct rc_table *table = rc_table_create(out, three, 3, 30);
    char *text;

    (void)state;
    rc_table_text(table, "an-app-with-a-long-name");
    rc_table_number(table, 123456789);
    rc_table_text(table, "a[001-064],b[001-064]");
    rc_table_finish(table);
    text = content(out);
    assert_non_null(strstr(text, "123456789"));
    assert_non_null(strstr(text, "\xe2\x80\xa6"));
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        assert_true(strlen(line) <=
                    30 + 2 * 2); /* an ellipsis is three bytes wide and one column */
    free(text);
}

static void wrapped_columns_keep_all_words(void **state)
{
    static const struct rc_column columns[] = {{.title = "k"}, {.title = "v", .wrap = true}};
    FILE *out = tmpfile();
    struct rc_table *table = rc_table_create(out, columns, 2, 24);
    char *text;

    (void)state;
    rc_table_text(table, "x");
    rc_table_text(table, "one two three four five six");
    rc_table_finish(table);
    text = content(out);
    assert_string_equal(text, "k  v\nx  one two three four\n   five six\n");
    free(text);
}

static void long_tables_stream(void **state)
{
    FILE *out = tmpfile();
    struct rc_table *table = rc_table_create(out, three, 3, 0);
    char *text;
    size_t lines = 0;

    (void)state;
    for (int i = 0; i < 10000; i++) {
        rc_table_text(table, i == 9999 ? "much-wider-than-before" : "x");
        rc_table_integer(table, i);
        rc_table_text(table, "h");
        if (i == 5000) {
            fflush(out);
            assert_true(ftell(out) > 5000); /* earlier rows are out already */
        }
    }
    rc_table_finish(table);
    text = content(out);
    for (char *c = text; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 10001);
    assert_non_null(strstr(text, "much-wider-than-before  9999  h\n"));
    free(text);
}

static void control_characters_do_not_reach_the_terminal(void **state)
{
    static const struct rc_column one[] = {{.title = "x"}};
    FILE *out = tmpfile();
    struct rc_table *table = rc_table_create(out, one, 1, 0);
    char *text;

    (void)state;
    rc_table_text(table, "a\033[2Jb\nc");
    rc_table_finish(table);
    text = content(out);
    assert_string_equal(text, "x\na?[2Jb?c\n");
    free(text);
}

static void progress_shows_share_and_time_left(void **state)
{
    char line[100];

    (void)state;
    rc_progress_line(line, sizeof line, "importing", 50, 200, 10, 100);
    assert_string_equal(line, "importing [#####..................]  25%  left: 30 s");
    rc_progress_line(line, sizeof line, "importing", 300, 200, 10, 100);
    assert_non_null(strstr(line, "100%"));
    rc_progress_line(line, sizeof line, "reading", 12345, 0, 10, 100);
    assert_string_equal(line, "reading: 12345");
    rc_progress_line(line, sizeof line, "deleting", 0, 0, 12.7, 100);
    assert_string_equal(line, "deleting, for 12 s so far");
    assert_true(rc_progress_line(line, sizeof line, "importing", 50, 200, 10, 20) < 20);
}

static void progress_is_silent_where_there_is_no_terminal(void **state)
{
    struct manual_clock manual;
    struct rc_progress progress;
    FILE *out = tmpfile();

    (void)state;
    manual_clock_init(&manual, 0);
    rc_progress_begin(&progress, out, &manual.clock, "x");
    manual_clock_advance(&manual, 10);
    rc_progress_update(&progress, 1, 2);
    rc_progress_say(&progress, "waiting");
    rc_progress_end(&progress);
    assert_int_equal(ftell(out), 0);
    fclose(out);
}

static void json_numbers_are_short_and_exact(void **state)
{
    FILE *out = tmpfile();
    json_t *object = json_object();
    char *text;

    (void)state;
    rc_json_set(object, "a", rc_json_number(0.1));
    rc_json_set(object, "b", rc_json_number(3));
    rc_json_set(object, "c", rc_json_number(NAN));
    rc_json_set(object, "d", rc_json_text("q\"\\\n\x01\xc3\xa4"));
    rc_json_set(object, "e", rc_json_text("bad\xff"));
    assert_int_equal(rc_json_set(object, "f", NULL), -1);
    rc_json_write(out, object, false);
    json_decref(object);
    text = content(out);
    assert_string_equal(text, "{\"a\": 0.1, \"b\": 3, \"c\": null, \"d\": "
                              "\"q\\\"\\\\\\n\\u0001\xc3\xa4\", \"e\": \"bad?\"}");
    object = json_loads(text, 0, NULL); /* others can read it */
    assert_non_null(object);
    assert_string_equal(json_string_value(json_object_get(object, "d")), "q\"\\\n\x01\xc3\xa4");
    json_decref(object);
    free(text);
}

static void json_streams_are_valid_whatever_their_length(void **state)
{
    (void)state;
    for (int count = 0; count < 3; count++) {
        FILE *out = tmpfile();
        struct rc_json_stream stream;
        json_t *object;
        char *text;

        rc_json_stream_begin(&stream, out, "runcast.test/1", "list");
        for (int i = 0; i < count; i++)
            assert_int_equal(rc_json_stream_add(&stream, json_integer(i)), 0);
        rc_json_stream_end(&stream);
        text = content(out);
        object = json_loads(text, 0, NULL);
        assert_int_equal(json_array_size(json_object_get(object, "list")), count);
        assert_string_equal(json_string_value(json_object_get(object, "schema")), "runcast.test/1");
        json_decref(object);
        free(text);
    }
}

/* ---- options ---- */

struct values {
    bool flag;
    const char *text, *choice;
    int64_t count;
    double time, since;
    struct rc_range range;
};

static const char *const colours[] = {"red", "green", NULL};

static const struct rc_option table[] = {
    {.name = "flag",
     .letter = 'f',
     .kind = RC_OPTION_FLAG,
     .help = "a flag",
     .offset = offsetof(struct values, flag)},
    {.name = "text",
     .letter = 't',
     .kind = RC_OPTION_TEXT,
     .argument = "TEXT",
     .help = "a text",
     .offset = offsetof(struct values, text)},
    {.name = "choice",
     .kind = RC_OPTION_CHOICE,
     .argument = "COLOUR",
     .help = "a colour",
     .choices = colours,
     .offset = offsetof(struct values, choice)},
    {.name = "count",
     .kind = RC_OPTION_INTEGER,
     .argument = "N",
     .help = "how many",
     .least = 1,
     .offset = offsetof(struct values, count)},
    {.name = "for",
     .kind = RC_OPTION_QUANTITY,
     .argument = "TIME",
     .help = "how long",
     .dimension = RC_SECONDS,
     .offset = offsetof(struct values, time)},
    {.name = "since",
     .kind = RC_OPTION_SINCE,
     .argument = "TIME",
     .help = "since when",
     .offset = offsetof(struct values, since)},
    {.name = "range",
     .kind = RC_OPTION_RANGE,
     .argument = "A..B",
     .help = "from and to",
     .dimension = RC_COUNT,
     .offset = offsetof(struct values, range)},
    {.name = NULL},
};

/* Parses words that are separated by single blanks. */
static int parse_command(const char *line, int command_at, struct values *values, char *arguments,
                         struct rc_error *error)
{
    static char copy[300];
    char *words[33], *rest = copy, *word;
    int count = 0, n_arguments, status;

    memset(values, 0, sizeof *values);
    memset(error, 0, sizeof *error);
    snprintf(copy, sizeof copy, "%s", line);
    while ((word = strsep(&rest, " ")))
        words[count++] = word;
    words[count] = NULL;
    status = rc_option_parse(table, values, count, words, command_at, &n_arguments, 1e9, error);
    *arguments = '\0';
    for (int i = 0; status == 0 && i < n_arguments; i++)
        strcat(strcat(arguments, words[i]), ";");
    if (status == 0)
        assert_null(words[n_arguments]); /* as exec() wants it */
    return status;
}

static int parse(const char *line, struct values *values, char *arguments, struct rc_error *error)
{
    return parse_command(line, 0, values, arguments, error);
}

static void options_and_arguments_come_in_any_order(void **state)
{
    struct values values;
    struct rc_error error;
    char arguments[300];

    (void)state;
    assert_int_equal(parse("a --flag b --text=x --choice green --count 3 - --for 1.5h --since 1h "
                           "--range 4..8 -- --flag",
                           &values, arguments, &error),
                     0);
    assert_string_equal(arguments, "a;b;-;--flag;");
    assert_true(values.flag);
    assert_string_equal(values.text, "x");
    assert_string_equal(values.choice, "green");
    assert_int_equal(values.count, 3);
    assert_same(values.time, 5400);
    assert_same(values.since, 1e9 - 3600);
    assert_true(values.range.low == 4 && values.range.high == 8);
    assert_int_equal(parse("-ftx", &values, arguments, &error), 0);
    assert_true(values.flag);
    assert_string_equal(values.text, "x");
    assert_int_equal(parse("-t x -f", &values, arguments, &error), 0);
    assert_string_equal(values.text, "x");
    /* One dash will do before a whole name, as people type -np. */
    assert_int_equal(parse("-flag -count 5 -text=y", &values, arguments, &error), 0);
    assert_true(values.flag);
    assert_int_equal(values.count, 5);
    assert_string_equal(values.text, "y");
    assert_int_equal(parse("-flags", &values, arguments, &error), -1);
}

/* What follows is a command of its own: from its first word on, no option is ours. */
static void arguments_can_end_the_options(void **state)
{
    static const struct {
        const char *line;
        int command_at;
        const char *arguments, *text;
        bool flag;
    } cases[] = {
        {"prog --flag -x", 1, "prog;--flag;-x;", NULL, false},
        {"--flag prog --text=a", 1, "prog;--text=a;", NULL, true},
        {"--text t -- prog --flag", 1, "prog;--flag;", "t", false},
        {"prog -- x", 1, "prog;--;x;", NULL, false},
        {"-- prog -- x", 1, "prog;--;x;", NULL, false},
        {"node --flag x", 2, "node;--flag;x;", NULL, false},
        {"node --flag -- x --flag", 2, "node;x;--flag;", NULL, true}, /* "--" says whose they are */
        {"-- --flag x", 1, "--flag;x;", NULL, false},
        {"node -- prog --flag", 2, "node;prog;--flag;", NULL, false}, /* "--" between the two */
        {"node -- prog -- x", 2, "node;prog;--;x;", NULL, false},
        {"node prog -- x", 2, "node;prog;--;x;", NULL, false},
        {"-f node -- -- x", 2, "node;--;x;", NULL, true},
        {"node -t t prog - -ft", 3, "node;prog;-;-ft;", "t", false},
        {"- --flag", 1, "-;--flag;", NULL, false},
        {"--flag", 1, "", NULL, true},
        {"a --flag b", 4, "a;b;", NULL, true},
    };
    struct values values;
    struct rc_error error;
    char arguments[300];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (parse_command(cases[i].line, cases[i].command_at, &values, arguments, &error))
            fail_msg("%s: %s", cases[i].line, error.text);
        if (strcmp(arguments, cases[i].arguments) != 0 || values.flag != cases[i].flag)
            fail_msg("%s: '%s', %d", cases[i].line, arguments, values.flag);
        assert_true(values.text ? cases[i].text && strcmp(values.text, cases[i].text) == 0
                                : !cases[i].text);
    }
    assert_int_equal(parse_command("--falg prog", 1, &values, arguments, &error), -1);
    assert_string_equal(error.text, "unknown option '--falg'");
}

static void wrong_options_say_what_is_wrong(void **state)
{
    static const struct {
        const char *line, *text, *hint;
    } cases[] = {
        {"--falg", "unknown option '--falg'", "did you mean --flag?"},
        {"--xyzzy", "unknown option '--xyzzy'", ""},
        {"-x", "unknown option '-x'", ""},
        {"--text", "--text needs a value: --text TEXT", ""},
        {"-t", "-t needs a value: -t TEXT", ""},
        {"--flag=1", "--flag takes no value", ""},
        {"--choice blue", "--choice: 'blue' is not one of: red, green", ""},
        {"--count 0", "--count: 0 is less than 1", ""},
        {"--count many", "--count: 'many' is not a whole number", ""},
        {"--for 5parsec", "--for: '5parsec' is not a time such as", ""},
        {"--text=", "--text: empty text", ""},
        {"--range 8..4", "--range: '8..4' ends before it begins", ""},
    };
    struct values values;
    struct rc_error error;
    char arguments[300];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(parse(cases[i].line, &values, arguments, &error), -1);
        if (!strstr(error.text, cases[i].text) || !strstr(error.hint, cases[i].hint))
            fail_msg("%s: '%s' / '%s'", cases[i].line, error.text, error.hint);
    }
}

static void help_comes_from_the_same_table(void **state)
{
    FILE *out = tmpfile();
    char *text;

    (void)state;
    rc_option_help(table, out, 60);
    text = content(out);
    assert_non_null(strstr(text, "  -f, --flag              a flag\n"));
    assert_non_null(strstr(text, "      --choice COLOUR     a colour\n"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_align),
        cmocka_unit_test(a_narrow_terminal_cuts_text_but_no_number),
        cmocka_unit_test(wrapped_columns_keep_all_words),
        cmocka_unit_test(long_tables_stream),
        cmocka_unit_test(control_characters_do_not_reach_the_terminal),
        cmocka_unit_test(progress_shows_share_and_time_left),
        cmocka_unit_test(progress_is_silent_where_there_is_no_terminal),
        cmocka_unit_test(json_numbers_are_short_and_exact),
        cmocka_unit_test(json_streams_are_valid_whatever_their_length),
        cmocka_unit_test(options_and_arguments_come_in_any_order),
        cmocka_unit_test(arguments_can_end_the_options),
        cmocka_unit_test(wrong_options_say_what_is_wrong),
        cmocka_unit_test(help_comes_from_the_same_table),
    };

    setlocale(LC_CTYPE, "C.UTF-8");
    return RUN_TESTS(tests);
}
