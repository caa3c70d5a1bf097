/* Model files: what is refused, and where the fault is. */
#include "unit.h"

#include "model/structural/model.h"

/* ---- what is refused ---- */

#define M "model m\n"

static const struct fault {
    const char *text;
    unsigned line, column;
    const char *says, *hint; /* parts of the error; NULL: there is no hint */
} faults[] = {
    /* the file */
    {"", 1, 1, "the file has no statements", "begin the model with: model"},
    {"# nothing\n\n", 1, 1, "has no statements", "begin the model with: model"},
    {"input N\n", 1, 1, "unexpected 'input'; expected the statement 'model'",
     "begin the model with"},
    {"  model m\n", 1, 3, "indented line without a statement above", NULL},
    {M "\ncomponnet X\n", 3, 1, "unexpected 'componnet'; expected a statement (model, set,",
     "'component'?"},
    {M "modl x\n", 2, 1, "unexpected 'modl'; expected a statement", "'model'?"},
    {M "=x\n", 2, 1, "unexpected '='; expected a statement", "indent the lines"},
    {M "input N\naccuracy 5%\n", 3, 1, "unexpected 'accuracy'; expected a statement",
     "indent the lines"},
    {M "\"text\"\n", 2, 1, "unexpected quoted text; expected a statement", NULL},
    {M "model n\n", 2, 1, "duplicate 'model'; the first is in line 1", NULL},
    {M "input N \"abc\n", 2, 9, "missing closing '\"' in this line", NULL},
    {M "input N \"a\" # \"\n  note \"b\n\"\n", 3, 8, "missing closing", NULL},
    {M "input N\rinput M\n", 2, 8, "CR without LF", NULL},
    {M "input \x01\n", 2, 7, "control character (byte 0x01)", NULL},
    {M "# \xc3\xbc\x1b[2J\n", 2, 4, "control character (byte 0x1b)", NULL},
    {M "# \xe2\x80\xae\n", 2, 3, "control character", NULL},
    {M "# \xc3\xbc\xff\n", 2, 4, "invalid UTF-8 (byte 0xff)", NULL},
    {M "# \xc3", 2, 3, "invalid UTF-8 (byte 0xc3)", NULL},
    {M "# \x80", 2, 3, "invalid UTF-8 (byte 0x80)", NULL},
    /* model, on */
    {"model\n", 1, 6, "unexpected end of line; expected the name of the model", NULL},
    {"model m by\n", 1, 9, "unexpected 'by'; expected 'app', 'source' or 'note'", NULL},
    {"model m\n  ap x\n", 2, 3, "unexpected 'ap'; expected 'app', 'source' or 'note'", "'app'?"},
    {"model m\n  app\n", 2, 6, "unexpected end of line; expected the name of an app", NULL},
    {"model m\n  app a b\n", 2, 9, "unexpected 'b'; expected the end of the line", NULL},
    {"model m\n  app a note \"b\"\n", 2, 9, "unexpected 'note'; expected the end",
     "a new line for each clause"},
    {"model m\n  app a\n  app b\n", 3, 3, "duplicate 'app'; the first is in line 2", NULL},
    {"model m\n  note b\n", 2, 8, "unexpected 'b'; expected a text in double quotes", NULL},
    {"model m\n  accuracy 5%\n", 2, 3, "unexpected 'accuracy'; expected 'app',", NULL},
    {M "on\n", 2, 3, "unexpected end of line; expected the name of a platform", NULL},
    {M "on -x\n", 2, 4, "unexpected '-x'; expected the name of a platform", NULL},
    {M "on x y\n", 2, 6, "unexpected 'y'; expected the end of the line", NULL},
    /* measuring, recordings, waiting */
    {M "input a[h]\n  measure speed\n", 3, 11, "unexpected 'speed'; expected operation, bandwidth,",
     NULL},
    {M "input a[h]\n  measure operation add\n", 3, 21, "unexpected 'add'; expected real-add,",
     NULL},
    {M "input a[h]\n  measure startup x\n", 3, 19, "unexpected 'x'; expected the end of the line",
     NULL},
    {M "input a[h]\n  measure bandwidth\n", 2, 7, "does not fit the 1 parameter of 'a'", NULL},
    {M "input a\n  measure operation real-add\n", 2, 7, "does not fit the 0 parameters", NULL},
    {M "input a[h]\n  measure run\n", 2, 7, "has no problem size", "write at FORMULA"},
    {M "input a[h]\n  at 5\n", 2, 7, "has 'at', but no 'measure run'", "'measure run' or"},
    {M "input a[h]\n  measure run\n  at 5 +\n", 4, 9, "the expression ends", NULL},
    {M "input a[h]\n  measure run\n  at 5\n  at 6\n", 5, 3, "duplicate 'at'", NULL},
    {M "input a[h]\n  measure run\n  at 5\n  arguments x\n", 5, 13,
     "unexpected 'x'; expected a text", NULL},
    {M "define a = 1\n  measure startup\n", 3, 3, "a definition has no 'measure'", NULL},
    {M "component A by w = 1\n  traced Bcast\n", 3, 10, "unexpected 'Bcast'; expected calls or",
     NULL},
    {M "component A by w = 1\n  traced calls\n", 3, 15,
     "unexpected end of line; expected the name of an MPI call", NULL},
    {M "component A by w = 1\n  traced calls a,\n", 3, 18,
     "unexpected end of line; expected the name of an MPI call", NULL},
    {M "component A by w = 1\n  traced computing of last\n", 3, 23,
     "unexpected 'last'; expected all,", "'rest'?"},
    {M "component A by w = 1\n  traced computing x\n", 3, 20, "unexpected 'x'; expected the end",
     NULL},
    {M "input a\n  traced computing\n", 3, 3, "an input has no 'traced'", NULL},
    {M "total t = 1\n  waits\n", 3, 8, "unexpected end of line; expected a formula", NULL},
    {M "total t = 1\n  waits 2 *\n", 3, 12, "the expression ends", NULL},
    {M "total t = 1\n  waits once more\n", 3, 14, "unexpected 'more'; expected the end of the line",
     NULL},
    {M "input c from forecast cpu\n", 2, 23, "'from forecast' needs an input with one or", NULL},
    {M "input c[h] from forecast\n", 2, 25, "unexpected end of line; expected the name of a metric",
     NULL},
    /* heads of items */
    {M "input\n", 2, 6, "unexpected end of line; expected the name of an input", NULL},
    {M "input 2N\n", 2, 7, "unexpected '2N'; expected the name of an input",
     "begin the name with a letter"},
    {M "input N-1\n", 2, 8, "unexpected '-1'; expected '=' or another clause", NULL},
    {M "input Gr\xc3\xbc\xc3\x9f"
       "e\n",
     2, 9,
     "'\xc3\xbc\xc3\x9f"
     "e'; expected '='",
     NULL},
    {M "input sum\n", 2, 7, "'sum' is a reserved word", NULL},
    {M "define hosts = 1\n", 2, 8, "'hosts' is a reserved word", NULL},
    {M "component total by x = 1\n", 2, 11, "'total' is a reserved word", NULL},
    {M "set left = a1\n", 2, 5, "'left' is a reserved word", NULL},
    {M "input a[in]\n", 2, 9, "'in' is a reserved word", NULL},
    {M "input a[]\n", 2, 9, "unexpected ']'; expected the name of a parameter", NULL},
    {M "input a[x\n", 2, 10, "unexpected end of line; expected ',' or ']'", NULL},
    {M "input a[x y]\n", 2, 11, "unexpected 'y'; expected ',' or ']'", NULL},
    {M "input a[x, y, x]\n", 2, 15, "duplicate parameter 'x'", NULL},
    {M "input a[p, q, r, s, t]\n", 2, 21, "more than 4 parameters", NULL},
    {M "component T[h]\n  = 1\n", 2, 15, "unexpected end of line; expected 'by' and the name",
     NULL},
    {M "component T[h] bye w = 1\n", 2, 16, "unexpected 'bye'; expected 'by' and the name",
     "'by'?"},
    {M "component T[h] by = 1\n", 2, 19, "unexpected '='; expected the name of an alternative",
     NULL},
    {M "component T by a-b = 1\n", 2, 17, "unexpected '-b'; expected '=' or another clause", NULL},
    {M "component T by a.b = 1\n", 2, 17, "unexpected '.b'; expected '=' or another clause", NULL},
    {M "total t[h] = 1\n", 2, 8, "a total has no parameters", NULL},
    {M "total t by x = 1\n", 2, 9, "unexpected 'by'; expected '=' or another clause", NULL},
    {M "define x\n", 2, 8, "'x' has no formula", "= FORMULA"},
    {M "component T by w \"t\"\n  kind io\n", 2, 11, "'T' by 'w' has no formula", "= FORMULA"},
    {M "total t\n  note \"n\"\n", 2, 7, "'t' has no formula", "= FORMULA"},
    {M "input N \"text\" \"more\"\n", 2, 16,
     "unexpected quoted text; expected '=' or another clause", NULL},
    {M "input N form size\n", 2, 9, "unexpected 'form'; expected '=' or another clause", NULL},
    /* clauses */
    {M "define x = 1\n  when 1 < 2\n", 3, 3, "a definition has no 'when'", NULL},
    {M "total t = 1\n  kind io\n", 3, 3, "a total has no 'kind'", NULL},
    {M "component T by w = 1\n  lifetime 1h\n", 3, 3, "a component has no 'lifetime'", NULL},
    {M "define x from size\n", 2, 10, "a definition has no 'from'", NULL},
    {M "define x = 1\n  accurcy 5%\n", 3, 3, "", "'accuracy'?"},
    {M "define x = 1 note \"n\"\n", 2, 14, "", "a new line for each clause"},
    {M "define x = 1\n  accuracy 1%\n  accuracy 2%\n", 4, 3,
     "duplicate 'accuracy'; the first "
     "is in line 3",
     NULL},
    {M "input x = 1\n  from size\n", 3, 3, "duplicate '=' or 'from'; the first is in line 2", NULL},
    {M "input x from size\n  = 1\n", 3, 3, "duplicate '=' or 'from'; the first is in line 2", NULL},
    {M "input x\n  =\n", 3, 4, "unexpected end of line; expected a formula", NULL},
    {M "define x = 1 +\n    * 2\n", 3, 5, "unexpected '*'; expected a value", NULL},
    {M "define x =\n  # (\n\t(1\n  note \"n\"\n", 4, 4, "", NULL},
    {M "input x from\n", 2, 13,
     "unexpected end of line; expected size, processes, platform, series", NULL},
    {M "input x from sise\n", 2, 14, "unexpected 'sise'; expected size, processes", "'size'?"},
    {M "input x from size 3\n", 2, 19, "unexpected '3'; expected the end of the line", NULL},
    {M "input x[h] from size\n", 2, 17,
     "'from size' needs an input with no parameter, but 'x' "
     "has 1",
     NULL},
    {M "input x from platform\n", 2, 22, "unexpected end of line; expected speed, cores,", NULL},
    {M "input x[h] from platform sped\n", 2, 26, "unexpected 'sped'; expected speed", "'speed'?"},
    {M "input x from platform speed\n", 2, 23,
     "'from platform speed' needs an input with one "
     "parameter, but 'x' has 0",
     NULL},
    {M "input x[a, b] from platform cores\n", 2, 29, "with one parameter, but 'x' has 2", NULL},
    {M "input x from platform latency\n", 2, 23, "with one or two parameters, but 'x' has 0", NULL},
    {M "input x from series cpu\n", 2, 21, "'from series' needs an input with one or two", NULL},
    {M "input x[h] from series\n", 2, 23, "unexpected end of line; expected the name of a metric",
     NULL},
    {M "input x[h] from series cpu for 5min\n", 2, 28,
     "unexpected 'for'; expected 'last', 'as', 'else' or", NULL},
    {M "input x[h] from series cpu last 5 parsec\n", 2, 35,
     "unexpected 'parsec'; expected 'last', 'as'", NULL},
    {M "input x[h] from series cpu last 5parsec\n", 2, 33, "'5parsec' is not a time", NULL},
    {M "input x[h] from series cpu last 0s\n", 2, 33, "'0s' is not above 0", NULL},
    {M "input x[h] from series cpu last\n", 2, 32, "unexpected end of line; expected a time", NULL},
    {M "input x[h] from series cpu last 1s last 2s\n", 2, 36, "duplicate 'last'", NULL},
    {M "input x[h] from series cpu as norml\n", 2, 31, "unexpected 'norml'; expected point, normal",
     "'normal'?"},
    {M "input x[h] from series cpu as point as point\n", 2, 37, "duplicate 'as'", NULL},
    {M "component T by w = 1\n  kind\n", 3, 7, "unexpected end of line; expected computation,",
     NULL},
    {M "component T by w = 1\n  kind comunication\n", 3, 8,
     "unexpected 'comunication'; expected computation, "
     "communication or io",
     "'communication'?"},
    {M "input x\n  accuracy\n", 3, 11, "unexpected end of line; expected a share such as 5%", NULL},
    {M "input x\n  accuracy good\n", 3, 12, "'good' is not a fraction such as", NULL},
    {M "input x\n  accuracy -1%\n", 3, 12, "'-1%' is below 0", NULL},
    {M "input x\n  accuracy \"5%\"\n", 3, 12, "unexpected quoted text; expected a share", NULL},
    {M "input x\n  measured\n", 3, 11, "unexpected end of line; expected a date such as", NULL},
    {M "input x\n  measured 2026-13-01\n", 3, 12, "'2026-13-01' is not a time such as", NULL},
    {M "input x\n  lifetime 5 parsecs\n", 3, 12, "'5 parsecs' is not a time", NULL},
    {M "input x\n  lifetime -5s\n", 3, 12, "'-5s' is not above 0", NULL},
    /* conditions */
    {M "total t = 1\n  when\n", 3, 7, "unexpected end of line; expected a comparison (<, <=,",
     NULL},
    {M "total t = 1\n  when 1\n", 3, 9, "unexpected end of line; expected a comparison", NULL},
    {M "total t = 1\n  when 1 and 2 < 3\n", 3, 10, "unexpected 'and'; expected a comparison", NULL},
    {M "total t = 1\n  when < 1\n", 3, 8, "unexpected '<'; expected a formula", NULL},
    {M "total t = 1\n  when 1 < \n", 3, 11, "unexpected end of line; expected a formula", NULL},
    {M "total t = 1\n  when 1 < and 2 < 3\n", 3, 12, "unexpected 'and'; expected a formula", NULL},
    {M "total t = 1\n  when 1 < 2 and\n", 3, 17, "unexpected end of line; expected a comparison",
     NULL},
    {M "total t = 1\n  when 1 < x < 2\n", 3, 14, "unexpected second comparison",
     "join comparisons with 'and'"},
    {M "total t = 1\n  when 1 == 2\n", 3, 11, "unexpected second comparison", "<, <=, >, >= or ="},
    {M "total t = 1\n  when 1 < 2 +\n      and 3 < 4\n", 3, 15,
     "the expression ends; expected a value", NULL},
    {M "total t = 1\n  when 1<1 and 2<2 and 3<3 and 4<4 and 5<5 and 6<6 and 7<7 and 8<8 and\n"
       "    9<9\n",
     4, 5, "more than 8 conditions", NULL},
    /* tables */
    {M "define x[h] = table\n", 2, 15, "only an input has a table, not a definition", NULL},
    {M "input x = table\n", 2, 11, "a table needs an input with one or two parameters, but", NULL},
    {M "input x[h] = table a1 2\n", 2, 20, "unexpected 'a1'; expected the end of the line",
     "in the lines below"},
    {M "input x[h] = table\n", 2, 19, "unexpected end of line; expected a line with a host and its",
     NULL},
    {M "input x[h] = table\n  note \"n\"\n", 2, 19, "unexpected end of line; expected a line with",
     NULL},
    {M "input x[h] = table\n  a1\n", 3, 5,
     "unexpected end of line; expected a value, or '-' for none,", NULL},
    {M "input x[h] = table\n  a1 1 + 2\n", 3, 8, "unexpected '+'; expected the end of the line",
     "brackets"},
    {M "input x[h] = table\n  a1 (1 +) 2\n", 3, 10, "", NULL},
    {M "input x[h] = table\n  a1 1\n  a[2-1] 1\n", 4, 5, "", NULL},
    {M "input x[h] = table\n  a1 1\n  b 2\n  a[1-2] 3\n", 5, 3,
     "duplicate line for host a1; "
     "the first is in line 3",
     NULL},
    {M "input x[h] = table\n  b 1\n  a 1\n  b 1\n  a 1\n", 5, 3,
     "for host b; the first is "
     "in line 3",
     NULL},
    {M "input x[h] = table\n  a1 1 # 5\n  a2 \xc3\xbc\n", 4, 6, "", NULL},
    {M "input x[h, g] = table\n", 2, 22,
     "unexpected end of line; expected a line with the hosts of the", NULL},
    {M "input x[h, g] = table\n  a1\n", 3, 5, "unexpected end of line; expected a line with a host",
     NULL},
    {M "input x[h, g] = table\n  a1 a2\n  a1 1\n", 4, 7,
     "unexpected end of line; expected a value for a2, or "
     "'-'",
     NULL},
    {M "input x[h, g] = table\n  a1 a2\n  a1 1 2 3\n", 4, 10,
     "unexpected '3'; expected the end of the line", "the table has 2 columns"},
    {M "input x[h, g] = table\n  a1 a1\n  a1 1 2\n", 3, 6, "duplicate column for host a1", NULL},
    {M "input x[h, g] = table\n  a1\n  a1 1\n  a1 2\n", 5, 3, "duplicate line for host", NULL},
    /* sets and hosts */
    {M "set\n", 2, 4, "unexpected end of line; expected the name of a set", NULL},
    {M "set a\n", 2, 6, "unexpected end of line; expected '='", NULL},
    {M "set a =\n", 2, 8, "unexpected end of line; expected a list of hosts", NULL},
    {M "set a = frist(hosts)\n", 2, 9, "unexpected 'frist'; expected first, last or rest of a set",
     "'first'?"},
    {M "set a = first()\n", 2, 15, "unexpected ')'; expected the name of a set", NULL},
    {M "set a = first(hosts\n", 2, 20, "unexpected end of line; expected ')'", NULL},
    {M "set a = first(hosts) b\n", 2, 22, "unexpected 'b'; expected the end of the line", NULL},
    {M "set a = b1,\n  c[2\n", 3, 4, "this '[' has no ']'", NULL},
    {M "set a = \xc3\xbc,!\n", 2, 11, "a host name may have only", NULL},
    {M "hosts\n", 2, 6, "unexpected end of line; expected a list of hosts", NULL},
    {M "hosts a1,\n\n  a1\n", 4, 3, "the host a1 is given twice", NULL},
    {M "hosts a1 a2\n", 2, 10, "missing ',' between two hosts", NULL},
    {M "hosts a1\nhosts a2\n", 3, 1, "duplicate 'hosts'; the first is in line 2", NULL},
    /* shares and alternatives */
    {M "omit 5%\n", 2, 6, "unexpected '5%'; expected 'below'", NULL},
    {M "omit belo 5%\n", 2, 6, "unexpected 'belo'; expected 'below'", "'below'?"},
    {M "omit below\n", 2, 11, "unexpected end of line; expected a share", NULL},
    {M "omit below 101%\n", 2, 12, "'101%' is more than 100%", NULL},
    {M "omit below 1%\nomit below 1%\n", 3, 1, "duplicate 'omit'; the first is in line 2", NULL},
    {M "use T\n", 2, 6, "unexpected end of line; expected 'by' and the name of an alternative",
     NULL},
    {M "use T by\n", 2, 9, "unexpected end of line; expected the name of an alternative", NULL},
    {M "use T by a b\n", 2, 12, "unexpected 'b'; expected the end of the line", NULL},
    {M "use total by x\n", 2, 14, "unexpected 'x'; expected the end of the line", NULL},
    {M "use T by a\nuse T by b\n", 3, 5, "duplicate 'use' of 'T'; the first is in line 2", NULL},
    {M "profile\n", 2, 8, "unexpected end of line; expected a line with a task and its share",
     NULL},
    {M "profile T 5%\n", 2, 9, "unexpected 'T'; expected the end of the line", NULL},
    {M "profile\n  T\n", 3, 4, "unexpected end of line; expected a share", NULL},
    {M "profile\n  T 5% 6\n", 3, 5, "'5% 6' is not a fraction", NULL},
    {M "profile\n  T 120%\n", 3, 5, "'120%' is more than 100%", NULL},
    {M "profile\n  T 60%\n  U 50%\n", 4, 3, "the shares sum to 110%, more than 100%", NULL},
    {M "profile\n  T 5%\n  T 6%\n", 4, 3, "duplicate share of 'T'; the first is in", NULL},
    {M "profile\n  T 5%\nprofile\n  U 6%\n", 4, 1, "duplicate profile; the first ends in line 3",
     NULL},
    /* names that meet */
    {M "input x\n\ninput x = 1\n", 4, 7, "duplicate 'x'; the first is in line 2", NULL},
    {M "component T by w = 1\ncomponent T by w = 2\n", 3, 11,
     "duplicate 'T' by 'w'; the first "
     "is in line 2",
     NULL},
    {M "total t = 1\ntotal t = 2\n", 3, 7, "duplicate total 't'; the first is in line 2", NULL},
    {M "set a = b\nset a = c\n", 3, 5, "duplicate set 'a'; the first is in line 2", NULL},
    {M "on p\ninput x\non q\ninput x\non p\ninput x\n", 7, 7, "the first is in line 3", NULL},
    {M "input x\non p\ndefine x = 1\n", 4, 8, "'x' is already the name of an input, in line 2",
     NULL},
    {M "component x by w = 1\ninput x\n", 3, 7, "'x' is already the name of a task, in line 2",
     NULL},
    {M "set x = a\ninput x\n", 3, 7, "'x' is already the name of a set, in line 2", NULL},
    {M "define x = 1\nset x = a\n", 3, 5, "'x' is already the name of a definition, in", NULL},
    {M "component T by a = 1\non p\ncomponent T[h] by a = 1\n", 4, 11,
     "'T' has 1 parameter here but "
     "0 in line 2",
     NULL},
};

static void faults_are_placed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const struct fault *fault = &faults[i];
        struct rc_error error = {.text = ""};
        struct rc_model *model =
            rc_structural_model_parse(fault->text, strlen(fault->text), "f", &error);

        if (model || strcmp(error.file, "f") != 0 || error.line != fault->line ||
            error.column != fault->column || !strstr(error.text, fault->says) || !error.text[0] ||
            (fault->hint ? !strstr(error.hint, fault->hint) : error.hint[0]))
            fail_msg("%s\n%s:%u:%u: %s (%s)", fault->text, error.file, error.line, error.column,
                     error.text, error.hint);
        rc_structural_model_destroy(model);
        assert_null(rc_structural_model_parse(fault->text, strlen(fault->text), "f", NULL));
    }
}

/* ---- limits ---- */

struct text {
    char *data;
    size_t length, size;
};

static void add(struct text *text, const char *part)
{
    size_t length = strlen(part);

    if (text->length + length >= text->size) {
        text->size = 2 * (text->length + length + 1);
        text->data = realloc(text->data, text->size);
        assert_non_null(text->data);
    }
    memcpy(text->data + text->length, part, length + 1);
    text->length += length;
}

/* `start`, `n` times `part` ("%zu" is the number, from 1), `end`: refused with those words, or
 * taken where there are none. */
static void assert_repeated(const char *start, const char *part, size_t n, const char *end,
                            unsigned line, const char *says)
{
    struct text text = {0};
    struct rc_error error = {.text = ""};
    struct rc_model *model;
    const char *number = strstr(part, "%zu");
    char one[200];

    add(&text, start);
    for (size_t i = 1; i <= n; i++) {
        if (number)
            snprintf(one, sizeof one, "%.*s%zu%s", (int)(number - part), part, i, number + 3);
        add(&text, number ? one : part);
    }
    add(&text, end);
    model = rc_structural_model_parse(text.data, text.length, "f", &error);
    if (says ? model || !strstr(error.text, says) || error.line != line : !model)
        fail_msg("%zu times '%s': %u:%u: %s", n, part, error.line, error.column, error.text);
    rc_structural_model_destroy(model);
    free(text.data);
}

static void limits_hold(void **state)
{
    struct rc_error error = {.text = ""};

    (void)state;
    assert_repeated(M, "input i%zu\n", 2000, "", 0, NULL);
    assert_repeated(M, "input i%zu\n", 2001, "", 2002, "more than 2000 inputs");
    assert_repeated(M, "on p%zu\n", 100, "", 0, NULL);
    assert_repeated(M, "on p%zu\n", 101, "", 102, "more than 100 sections 'on'");
    assert_repeated(M, "set s%zu = a[1-100]\n", 1001, "", 1002, "more than 100000 hosts");
    assert_repeated(M, "set s%zu = a\n", 2001, "", 2002, "more than 2000 sets");
    assert_repeated(M, "use s%zu by a\n", 2001, "", 2002, "more than 2000 'use'");
    assert_repeated(M "profile\n", " s%zu 0\n", 2001, "", 2003, "more than 2000 lines of profiles");
    assert_repeated(M "hosts a[1-99999]\nset s = ", "b%zu,", 2, "c", 3, "more than 100000 hosts");
    assert_repeated(M "input x[h] = table\n", "  h%zu-[1-1000] 1\n", 100, "", 0, NULL);
    assert_repeated(M "input x[h] = table\n  a 1\n", "  h%zu-[1-1000] 1\n", 100, "", 103,
                    "more than 100000 hosts");
    assert_repeated(M "input y[h] = table\n  a 1\ninput x[h] = table\n", "  h%zu-[1-1000] 1\n", 100,
                    "", 104, "tables have more than 100000 values");
    assert_repeated(M "input x[h] = table\n  a[1-100000] 0", "+%zu", 1000, "", 3,
                    "more than 4194304 characters");
    assert_repeated(M "define x = ", "(", 10000, "1", 2, "nested brackets");
    assert_repeated(M "input x[h] = table\n  a ", "[", 10000, "1", 3, "");
    assert_repeated(M "total t = 1\n  when ", "(", 10000, "1 < 2", 3, "a comparison");
    assert_repeated(M "hosts a", "[1]", 10000, "", 2, "more than 8 pairs of brackets");
    assert_repeated(M "define x = 1", "+ 1", 100000, "", 2, "longer than");
    assert_repeated(M "input ", "a", 101, "", 2, "the name has more than 100");
    assert_repeated(M "input a", "a", 99, "", 0, NULL);
    assert_repeated(M "omit below 0.", "0", 1000, "1", 2, "expected a share");
    assert_repeated(M "#", "a", RC_MODEL_BYTES_MAX - 9, "", 0, NULL);
    assert_repeated(M "#", "a", RC_MODEL_BYTES_MAX - 8, "", 0, "more than 1048576 bytes");
    assert_repeated("", "0123456789", 1000000, "", 0, "more than 1048576 bytes");
    assert_null(rc_structural_model_parse("model m\n#\0x", 11, "f", &error));
    assert_string_equal(error.text, "NUL byte; not a text file");
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_placed),
        cmocka_unit_test(limits_hold),
    };

    return RUN_TESTS(tests);
}
