/* test_hostlist.c - host list expressions, both ways. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "platform/hostlist.h"

/* Expands `text` and checks the names, given with blanks between them. */
static void check_expansion(const char *text, const char *names)
{
    struct rc_hostlist list;
    struct rc_error error = {0};
    char joined[1024] = "";

    if (rc_platform_hostlist_expand(text, strlen(text), RC_HOSTS_MAX, &list, &error))
        fail_msg("'%s': %s", text, error.text);
    for (size_t i = 0; i < list.count; i++) {
        strcat(joined, i ? " " : "");
        strcat(joined, list.names[i]);
    }
    assert_string_equal(joined, names);
    rc_platform_hostlist_free(&list);
}

static void check_fault(const char *text, size_t most, unsigned column, const char *message)
{
    struct rc_hostlist list;
    struct rc_error error = {0};

    assert_int_equal(rc_platform_hostlist_expand(text, strlen(text), most, &list, &error), -1);
    assert_string_equal(error.text, message);
    assert_int_equal(error.column, column);
    assert_int_equal(list.count, 0);
    assert_null(list.names);
}

static void check_compression(const char *const *names, size_t count, const char *expected)
{
    struct rc_error error = {0};
    char *text = rc_platform_hostlist_compress(names, count, &error);

    if (!text)
        fail_msg("%s", error.text);
    assert_string_equal(text, expected);
    free(text);
}

#define COMPRESSED(expected, ...)                                                                  \
    check_compression((const char *[]){__VA_ARGS__},                                               \
                      sizeof((const char *[]){__VA_ARGS__}) / sizeof(const char *), expected)

static void expands_names(void **state)
{
    (void)state;
    check_expansion("a", "a");
    check_expansion("a,b1, c.example.org ,d-e_f", "a b1 c.example.org d-e_f");
    check_expansion("10.0.0.1,fe80::1", "10.0.0.1 fe80::1");
    check_expansion("h\xc3\xb6hle[1-2]", "h\xc3\xb6hle1 h\xc3\xb6hle2");
}

static void expands_ranges(void **state)
{
    (void)state;
    check_expansion("a[001-003]", "a001 a002 a003");
    check_expansion("a[001-003,007],b1", "a001 a002 a003 a007 b1");
    check_expansion("a[8-11]", "a8 a9 a10 a11");
    check_expansion("a[08-11]", "a08 a09 a10 a11");
    check_expansion("a[98-101]", "a98 a99 a100 a101");
    check_expansion("a[098-101]", "a098 a099 a100 a101");
    check_expansion("a[09-10,9]", "a09 a10 a9");
    check_expansion("a[3,1]", "a3 a1");
    check_expansion("a[0-1]x", "a0x a1x");
    check_expansion("[1-2]", "1 2");
    check_expansion("a[5-5]", "a5");
    check_expansion("a[999999999999999998-999999999999999999]",
                    "a999999999999999998 a999999999999999999");
}

static void expands_products(void **state)
{
    (void)state;
    check_expansion("r[1-2]n[01-03]", "r1n01 r1n02 r1n03 r2n01 r2n02 r2n03");
    check_expansion("[1-2][3-4]", "13 14 23 24");
    check_expansion("a[1][2][3][4][5][6][7][8]z", "a12345678z");
}

static void names_faults(void **state)
{
    (void)state;
    check_fault("", 9, 1, "missing host name");
    check_fault("  ", 9, 3, "missing host name");
    check_fault("a,,b", 9, 3, "missing host name");
    check_fault("a,b,", 9, 5, "missing host name");
    check_fault("a b", 9, 3, "missing ',' between two hosts");
    check_fault("b,a[003-001]", 9, 5, "the range 003-001 is backwards");
    check_fault("a[1-3", 9, 2, "this '[' has no ']'");
    check_fault("a[", 9, 2, "this '[' has no ']'");
    check_fault("a[1-3,", 9, 2, "this '[' has no ']'");
    check_fault("a1]", 9, 3, "this ']' has no '['");
    check_fault("a[]", 9, 3, "missing number in brackets");
    check_fault("a[1-]", 9, 5, "missing number in brackets");
    check_fault("a[1,,2]", 9, 5, "missing number in brackets");
    check_fault("a[x]", 9, 3, "missing number in brackets");
    check_fault("a[1:2]", 9, 4, "brackets may contain only numbers, '-' and ','");
    check_fault("a[1-010]", 99, 3, "the bounds of the range 1-010 differ in leading zeros");
    check_fault("a[1234567890123456789]", 9, 3, "a number of more than 18 digits");
    check_fault("a[1][1][1][1][1][1][1][1]b[1]", 9, 27,
                "more than 8 pairs of brackets in one entry");
    check_fault("a;b", 9, 2, "a host name may have only letters, digits and '.', '-', '_', ':'");
    check_fault("a, -oProxyCommand", 9, 4, "a host name may not begin with '-'");
    check_fault("\xc3\xb6,\xc3\xb6\xc3\xb6,]", 9, 6, "this ']' has no '['");
    check_fault("a\x01", 9, 0, "a list of hosts must be UTF-8, without control characters");
}

static void names_what_comes_twice(void **state)
{
    (void)state;
    check_fault("b,a,c,a,b", 9, 7, "the host a is given twice");
    check_fault("x,a[1-4],a[6,3]", 9, 10, "the host a3 is given twice");
    check_fault("a[1-2,11][1-2,11],b", 99, 1, "the host a111 is given twice");
}

static void keeps_limits(void **state)
{
    char text[600];

    (void)state;
    check_fault("b,a[1-9]", 9, 3, "more than 9 hosts");
    check_expansion("b,a[1-8]", "b a1 a2 a3 a4 a5 a6 a7 a8");
    check_fault("a[1-100001]", SIZE_MAX, 1, "more than 100000 hosts");
    check_fault("a[0-999999999][0-999999999][0-999999999]", SIZE_MAX, 1, "more than 100000 hosts");
    memset(text, 'x', sizeof text);
    text[255] = '\0';
    check_expansion(text, text);
    text[255] = 'x';
    text[256] = '\0';
    check_fault(text, 9, 1, "a name of more than 255 bytes");
    strcpy(text + 254, "[9-10]");
    check_fault(text, 9, 1, "a name of more than 255 bytes");
}

static void compresses_names(void **state)
{
    (void)state;
    check_compression(NULL, 0, "");
    COMPRESSED("a", "a");
    COMPRESSED("a[001-003]", "a001", "a002", "a003");
    COMPRESSED("a[001-003,007],b1", "a001", "a002", "a003", "a007", "b1");
    COMPRESSED("a[9-11]", "a9", "a10", "a11");
    COMPRESSED("a[09-11]", "a09", "a10", "a11");
    COMPRESSED("a[9,010-011]", "a9", "a010", "a011");
    COMPRESSED("a[1,01]", "a1", "a01");
    COMPRESSED("a[3,1-2]", "a3", "a1", "a2");
    COMPRESSED("n[1-3].cluster5", "n1.cluster5", "n2.cluster5", "n3.cluster5");
    COMPRESSED("r[1-2]n[01-03]", "r1n01", "r1n02", "r1n03", "r2n01", "r2n02", "r2n03");
    COMPRESSED("r1n[01-03],r2n[01-02]", "r1n01", "r1n02", "r1n03", "r2n01", "r2n02");
    COMPRESSED("a1234567890123456789,a1234567890123456780", "a1234567890123456789",
               "a1234567890123456780");
    COMPRESSED("a1,b1,a2", "a1", "b1", "a2");
}

static void refuses_to_compress(void **state)
{
    static const char *const bad[] = {"", "-x", "a,b", "a[1]", "a b", "a\n", "\xff"};
    struct rc_error error;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        error.text[0] = '\0';
        assert_null(rc_platform_hostlist_compress(&bad[i], 1, &error));
        assert_non_null(strstr(error.text, "is not a host name"));
    }
    assert_null(rc_platform_hostlist_compress(bad, RC_HOSTS_MAX + 1, &error));
}

/* Writes a name with up to three numbers, from so few that neighbours often fit together. */
static void random_name(struct rc_random *random, char *name, size_t size)
{
    static const char *const words[] = {"a", "b", "n", "-x", ".r", "", "0"};
    size_t length;

    length = (size_t)snprintf(name, size, "%c", "abz"[rc_random_below(random, 3)]);
    for (uint64_t i = rc_random_below(random, 4); i > 0; i--)
        length +=
            (size_t)snprintf(name + length, size - length, "%s%0*d",
                             words[rc_random_below(random, 7)], (int)rc_random_below(random, 4),
                             (int)rc_random_below(random, 12));
}

/* Names that differ, in a row of small steps or at random. */
static size_t random_names(struct rc_random *random, char names[][64], size_t most)
{
    size_t count = 0, want = 1 + rc_random_below(random, most);
    uint64_t stepped = rc_random_below(random, 2), step = 0;

    for (size_t tries = 0; count < want && tries < 4 * most; tries++, step++) {
        size_t i = 0;

        if (stepped)
            snprintf(names[count], 64, "r%dn%02d", (int)(step / 7), (int)(step % 7));
        else
            random_name(random, names[count], 64);
        while (i < count && strcmp(names[i], names[count]) != 0)
            i++;
        count += i == count && rc_random_below(random, 8) != 0;
    }
    return count;
}

static void comes_back_the_same(void **state)
{
    enum { NAMES = 40, ROUNDS = 3000 };
    struct rc_random *random = rc_random_create(20080917, 0);
    static char names[NAMES + 1][64];
    const char *pointers[NAMES + 1];
    struct rc_hostlist list;
    struct rc_error error = {0};

    (void)state;
    assert_non_null(random);
    for (int round = 0; round < ROUNDS; round++) {
        size_t count = random_names(random, names, NAMES);
        char *text;

        if (count == 0)
            continue;
        for (size_t i = 0; i < count; i++)
            pointers[i] = names[i];
        text = rc_platform_hostlist_compress(pointers, count, &error);
        if (!text || rc_platform_hostlist_expand(text, strlen(text), RC_HOSTS_MAX, &list, &error))
            fail_msg("round %d: '%s': %s", round, text ? text : "", error.text);
        assert_int_equal(list.count, count);
        for (size_t i = 0; i < count; i++)
            assert_string_equal(list.names[i], names[i]);
        rc_platform_hostlist_free(&list);
        free(text);
    }
    rc_random_destroy(random);
}

static void expands_up_to_the_limit(void **state)
{
    static const char text[] = "a[00000-99999]";
    struct rc_hostlist list;
    char *back;

    (void)state;
    assert_int_equal(rc_platform_hostlist_expand(text, strlen(text), SIZE_MAX, &list, NULL), 0);
    assert_int_equal(list.count, RC_HOSTS_MAX);
    back = rc_platform_hostlist_compress((const char *const *)list.names, list.count, NULL);
    assert_string_equal(back, text);
    free(back);
    rc_platform_hostlist_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expands_names),          cmocka_unit_test(expands_ranges),
        cmocka_unit_test(expands_products),       cmocka_unit_test(names_faults),
        cmocka_unit_test(names_what_comes_twice), cmocka_unit_test(keeps_limits),
        cmocka_unit_test(compresses_names),       cmocka_unit_test(refuses_to_compress),
        cmocka_unit_test(comes_back_the_same),    cmocka_unit_test(expands_up_to_the_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
