/* Comma-separated tables: every shape that spreadsheets and scripts write, and the broken ones. */
#include "unit.h"

#include <errno.h>

#include "base/csv.h"

/* Hands out a text in pieces of `step` bytes. */
struct pieces {
    const char *text;
    size_t length, at, step;
};

static ptrdiff_t read_piece(void *data, char *buffer, size_t size)
{
    struct pieces *pieces = data;
    size_t left = pieces->length - pieces->at, n = pieces->step;

    n = n < left ? n : left;
    n = n < size ? n : size;
    memcpy(buffer, pieces->text + pieces->at, n);
    pieces->at += n;
    return (ptrdiff_t)n;
}

/* All rows as "a|b;" and errors as "!line:column;", going on after errors. */
static void read_all(const char *text, size_t length, size_t step, char *out, size_t size)
{
    struct pieces pieces = {text, length, 0, step};
    struct rc_csv *csv = rc_csv_create((struct rc_csv_source){read_piece, &pieces}, "t.csv");
    struct rc_csv_row row;
    struct rc_error error;
    size_t used = 0;
    int got;

    *out = '\0';
    while ((got = rc_csv_next(csv, &row, &error)) != 0) {
        if (got < 0) {
            used += (size_t)snprintf(out + used, size - used, "!%u:%u;", error.line, error.column);
            assert_string_equal(error.file, "t.csv");
            continue;
        }
        for (size_t i = 0; i < row.n_fields; i++) {
            assert_int_equal(strlen(row.fields[i].text), row.fields[i].length);
            used +=
                (size_t)snprintf(out + used, size - used, "%s%s", i ? "|" : "", row.fields[i].text);
        }
        used += (size_t)snprintf(out + used, size - used, ";");
    }
    rc_csv_destroy(csv);
}

static void tables_are_read_whatever_the_pieces(void **state)
{
    static const struct {
        const char *text, *rows;
    } cases[] = {
        {"a,b\n1,2\n", "a|b;1|2;"},
        {"a,b\r\n1,2\r\n", "a|b;1|2;"},
        {"a,b\n1,2", "a|b;1|2;"},
        {"\xef\xbb\xbf"
         "a,b\n",
         "a|b;"},
        {"\n\na\n\r\n\nb\n\n", "a;b;"},
        {" a , b\t\n", "a|b;"},
        {"a,b\n,\n \t\n , \n1,\n", "a|b;1|;"},     /* rows of nothing */
        {"# made by \"me\na\n#,\"\nb\n#", "a;b;"}, /* remarks, whatever is in them */
        {"\"#a\"\n", "#a;"},
        {"\"a,b\",\"c\"\"d\"\n", "a,b|c\"d;"},
        {"\"x\ny\",2\n3,4\n", "x\ny|2;3|4;"},
        {"\"\",\"\"\"\"\n", "|\";"},
        {" \"q\" ,2\n", "q|2;"},
        {"\" keep \"\n", " keep ;"},
        {"", ""},
        {"\n", ""},
        {"\xef\xbb\xbf", ""},
        {"a,b\n\"never closed,2\nc,d\n", "a|b;!2:1;c|d;"},
        {"a\nb\"c\nd\n", "a;!2:2;d;"},
        {"a,\"b\"c\nd\n", "!1:6;d;"},
        {"\xc3\xa4,x\"\nd\n", "!1:4;d;"},       /* columns count characters */
        {"\"a\nb\",c\"d\ne\n", "!2:5;!2:2;e;"}, /* goes on with the next line, not the next row */
        {"\"open", "!1:1;"},
        {"a\"\"b,1\nc\n", "!1:2;c;"},
        {"a;b\n1;2,5\n", "a|b;1|2,5;"}, /* other separators */
        {"a\tb\n1\t\n \t2\n", "a|b;1|;|2;"},
        {"# x,y\n;;\na|b|\n1|x;y,z|\n", "a|b|;1|x;y,z|;"},
        {"\"a,b\";c\n\"1;2\";\"3\ny\"\n", "a,b|c;1;2|3\ny;"},
        {"a,b;c;d\n", "a|b;c;d;"}, /* the comma comes first */
        {"a;b;c|d\n", "a|b|c|d;"},
        {"a\nb;c\n", "a;b;c;"}, /* one column */
        {"a,\tb\n1,\t2\n", "a|b;1|2;"},
    };
    char rows[2000];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t step = 1; step < 9; step++) {
            read_all(cases[i].text, strlen(cases[i].text), step, rows, sizeof rows);
            if (strcmp(rows, cases[i].rows) != 0)
                fail_msg("case %zu in steps of %zu: '%s', not '%s'", i, step, rows, cases[i].rows);
        }
}

static void nul_bytes_are_refused(void **state)
{
    char rows[100];

    (void)state;
    read_all("a\nb\0c\nd\n", 8, 3, rows, sizeof rows);
    assert_string_equal(rows, "a;!2:2;d;");
}

static void places_are_told(void **state)
{
    static const char text[] = "a,b\n\"x\ny\", z\n1,2\n";
    struct pieces pieces = {text, strlen(text), 0, 100};
    struct rc_csv *csv = rc_csv_create((struct rc_csv_source){read_piece, &pieces}, "t");
    struct rc_csv_row row;

    (void)state;
    assert_int_equal(rc_csv_next(csv, &row, NULL), 1);
    assert_int_equal(rc_csv_next(csv, &row, NULL), 1);
    assert_int_equal(row.line, 2);
    assert_int_equal(row.fields[0].line, 2);
    assert_int_equal(row.fields[0].column, 1);
    assert_true(row.fields[0].quoted);
    assert_int_equal(row.fields[1].line, 3);
    assert_int_equal(row.fields[1].column, 5);
    assert_false(row.fields[1].quoted);
    assert_int_equal(rc_csv_next(csv, &row, NULL), 1);
    assert_int_equal(row.line, 4);
    assert_int_equal(rc_csv_position(csv), strlen(text));
    rc_csv_destroy(csv);
}

static void limits_hold(void **state)
{
    size_t length = 3 * (size_t)RC_CSV_ROW_MAX;
    char *text = malloc(length), rows[200];

    (void)state;
    memset(text, 'x', length);
    memcpy(text, "a\n", 2);
    read_all(text, length, 1 << 16, rows, sizeof rows); /* no line end at all */
    assert_string_equal(rows, "a;!2:1;");
    memset(text, ',', length);
    memcpy(text + RC_CSV_FIELDS_MAX + 10, "\nz\n", 3);
    read_all(text, RC_CSV_FIELDS_MAX + 13, 1 << 16, rows, sizeof rows);
    assert_string_equal(rows, "!1:1025;z;");
    free(text);
}

static ptrdiff_t fail_to_read(void *data, char *buffer, size_t size)
{
    (void)data, (void)buffer, (void)size;
    errno = EIO;
    return -1;
}

static void failing_to_read_is_no_fault_of_the_table(void **state)
{
    struct rc_csv *csv = rc_csv_create((struct rc_csv_source){fail_to_read, NULL}, "t");
    struct rc_csv_row row;
    struct rc_error error;

    (void)state;
    assert_int_equal(rc_csv_next(csv, &row, &error), -1);
    assert_int_equal(error.line, 0);
    assert_non_null(strstr(error.text, "cannot read t"));
    rc_csv_destroy(csv);
}

/* A line that is too long, and then a failure: the table must not seem to end there. */
static ptrdiff_t read_then_fail(void *data, char *buffer, size_t size)
{
    size_t *left = data;

    if (*left == 0)
        return fail_to_read(NULL, buffer, size);
    size = size < *left ? size : *left;
    memset(buffer, 'x', size);
    *left -= size;
    return (ptrdiff_t)size;
}

static void failing_behind_a_bad_line_is_told(void **state)
{
    size_t left = RC_CSV_ROW_MAX + 200000;
    struct rc_csv *csv = rc_csv_create((struct rc_csv_source){read_then_fail, &left}, "t");
    struct rc_csv_row row;
    struct rc_error error;

    (void)state;
    assert_int_equal(rc_csv_next(csv, &row, &error), -1);
    assert_int_equal(error.line, 1);
    assert_int_equal(rc_csv_next(csv, &row, &error), -1);
    assert_int_equal(error.line, 0);
    assert_non_null(strstr(error.text, "cannot read t"));
    rc_csv_destroy(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_read_whatever_the_pieces),
        cmocka_unit_test(nul_bytes_are_refused),
        cmocka_unit_test(places_are_told),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(failing_to_read_is_no_fault_of_the_table),
        cmocka_unit_test(failing_behind_a_bad_line_is_told),
    };

    return RUN_TESTS(tests);
}
