/* test_platform.c - platform files: what they mean, and how their faults are told. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "platform/platform.h"
#include "platform/schema.h"

static const char whole[] = "name: white-rose\n"
                            "currency: GBP\n"
                            "clusters:\n"
                            "  - name: A\n"
                            "    hosts: a[001-064]\n"
                            "    cores: 2\n"
                            "    memory: 2GiB\n"
                            "    speed: 2.2Gf\n"
                            "    networks:\n"
                            "      - name: ethernet\n"
                            "        bandwidth: 1Gbit\n"
                            "        latency: 50us\n"
                            "      - {name: myrinet, bandwidth: 250MB/s, latency: 0}\n"
                            "    cost: 0.05\n"
                            "    placement:\n"
                            "      per_host: 1\n"
                            "      order: spread\n"
                            "    overrides:\n"
                            "      - hosts: a[001-004]\n"
                            "        cores: 4\n"
                            "        memory: 8GiB\n"
                            "      - hosts: a064\n"
                            "        speed: 3Gf\n"
                            "  - name: B\n"
                            "    hosts: b1\n"
                            "    cores: '16'\n"
                            "    networks: [{name: x, bandwidth: 1, latency: 1ms}]\n"
                            "links:\n"
                            "  - between: [A, B]\n"
                            "    bandwidth: 1Gbit\n"
                            "    latency: 1ms\n";

static struct rc_platform *parse(const char *text, struct rc_error *error)
{
    return rc_platform_parse(text, strlen(text), "test.yaml", error);
}

static struct rc_platform *parse_good(const char *text)
{
    struct rc_error error = {0};
    struct rc_platform *platform = parse(text, &error);

    if (!platform)
        fail_msg("%u:%u: %s", error.line, error.column, error.text);
    return platform;
}

/* The text must be refused, there, with a message that begins so. */
static void refused(const char *text, unsigned line, unsigned column, const char *message)
{
    struct rc_error error = {0};

    assert_null(parse(text, &error));
    if (strncmp(error.text, message, strlen(message)) != 0 || error.line != line ||
        error.column != column)
        fail_msg("%u:%u: %s\nexpected %u:%u: %s", error.line, error.column, error.text, line,
                 column, message);
    assert_string_equal(error.file, "test.yaml");
}

static void refused_with_hint(const char *text, unsigned line, unsigned column, const char *message,
                              const char *hint)
{
    struct rc_error error = {0};

    refused(text, line, column, message);
    assert_null(parse(text, &error));
    assert_string_equal(error.hint, hint);
}

/* The whole file with `from` replaced by `to`, in a place of its own. */
static const char *with(const char *from, const char *to)
{
    static char text[4096];
    const char *at = strstr(whole, from);

    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from));
    return text;
}

/* A file with one cluster A and these further lines in it, which start on line 9. */
static const char *cluster(const char *lines)
{
    static char text[4096];

    snprintf(text, sizeof text,
             "name: p\nclusters:\n- name: A\n  hosts: a[1-8]\n  networks:\n"
             "  - name: n\n    bandwidth: 1Gbit\n    latency: 0\n%s",
             lines);
    return text;
}

static void reads_everything(void **state)
{
    struct rc_platform *p = parse_good(whole);
    const struct rc_cluster *a = &p->clusters[0], *b = &p->clusters[1];

    (void)state;
    assert_string_equal(p->name, "white-rose");
    assert_string_equal(p->currency, "GBP");
    assert_int_equal(p->n_clusters, 2);
    assert_string_equal(a->name, "A");
    assert_int_equal(a->n_hosts, 64);
    assert_string_equal(a->hosts[0].name, "a001");
    assert_string_equal(a->hosts[63].name, "a064");
    assert_int_equal(a->hosts[3].cores, 4);
    assert_int_equal(a->hosts[4].cores, 2);
    assert_true(a->hosts[0].memory == 8589934592.0);
    assert_true(a->hosts[4].memory == 2147483648.0);
    assert_true(a->hosts[0].speed == 2.2e9 && a->hosts[62].speed == 2.2e9);
    assert_true(a->hosts[63].speed == 3e9 && a->hosts[63].cores == 2);
    assert_int_equal(a->n_networks, 2);
    assert_string_equal(a->networks[0].name, "ethernet");
    assert_true(a->networks[0].bandwidth == 125e6);
    assert_true(fabs(a->networks[0].latency - 50e-6) < 1e-15);
    assert_true(a->networks[1].bandwidth == 250e6 && a->networks[1].latency == 0);
    assert_true(a->core_hour_cost == 0.05);
    assert_int_equal(a->per_host, 1);
    assert_int_equal(a->order, RC_PLACE_SPREAD);
    assert_int_equal(b->n_hosts, 1);
    assert_int_equal(b->hosts[0].cores, 16);
    assert_true(isnan(b->hosts[0].memory) && isnan(b->hosts[0].speed) && isnan(b->core_hour_cost));
    assert_int_equal(b->per_host, 0);
    assert_int_equal(b->order, RC_PLACE_PACKED);
    assert_int_equal(p->n_links, 1);
    assert_int_equal(p->links[0].cluster[0], 0);
    assert_int_equal(p->links[0].cluster[1], 1);
    assert_true(p->links[0].bandwidth == 125e6 && p->links[0].latency == 1e-3);
    assert_int_equal(rc_platform_host_count(p), 65);
    assert_int_equal(rc_platform_core_count(p), 4 * 4 + 60 * 2 + 16);
    rc_platform_destroy(p);
    rc_platform_destroy(NULL);
}

static void leaves_out_what_may_be(void **state)
{
    struct rc_platform *p = parse_good(cluster("  cores: 1\n  overrides: []\nlinks: []\n"));

    (void)state;
    assert_string_equal(p->currency, "");
    assert_int_equal(p->n_links, 0);
    assert_int_equal(rc_platform_cluster_capacity(&p->clusters[0]), 8);
    rc_platform_destroy(p);
    rc_platform_destroy(parse_good(cluster("  cores: 1\n  placement: {}\n")));
    p = parse_good(cluster("  cores: 1\n  placement: {contiguous: yes}\n"));
    assert_true(p->clusters[0].contiguous);
    rc_platform_destroy(p);
    p = parse_good(cluster("  cores: 1\n  placement: {contiguous: no}\n"));
    assert_false(p->clusters[0].contiguous);
    rc_platform_destroy(p);
    rc_platform_destroy(parse_good(cluster("  cores: 1\n  placement: {per_host: 65536}\n")));
    rc_platform_destroy(parse_good("\xef\xbb\xbf" /* a byte order mark */
                                   "%YAML 1.1\n---\nname: p\r\nclusters:\r\n- name: A\r\n"
                                   "  hosts: a\r\n  cores: 1\r\n"
                                   "  networks: [{name: n, bandwidth: 1, latency: 0}]\r\n"));
}

static void refuses_what_is_no_yaml(void **state)
{
    (void)state;
    refused("", 1, 1, "the file is empty");
    refused("# a comment\n", 1, 1, "the file is empty");
    refused("---\n", 2, 1, "expected a mapping (key: value), found nothing");
    refused("- a\n", 1, 1, "expected a mapping (key: value), found a list");
    refused("hello", 1, 1, "expected a mapping (key: value), found text");
    refused("name: p\nclusters: [a\n", 3, 1, "not valid YAML: while parsing a flow sequence");
    refused_with_hint("name: p\nclusters:\n\t- a\n", 3, 1,
                      "not valid YAML: while scanning for the next token",
                      "indent with spaces, not tabs, and put quotes around a value that begins "
                      "with a sign");
    refused_with_hint("name: p\n  cores: 2\n", 2, 8,
                      "not valid YAML: mapping values are not allowed",
                      "look for a key that is indented too far, or put quotes around a value "
                      "with ': ' in it");
    refused("name: p\nb\xc3\xb6: \xff\n", 2, 5, "not a YAML text: invalid leading UTF-8 octet");
    refused("name: a\x01z\n", 1, 8, "not a YAML text: control characters are not allowed");
    refused("\xff\xfen\0a\0", 1, 1, "not a YAML text: UTF-16, not UTF-8");
}

static void refuses_what_is_not_for_here(void **state)
{
    (void)state;
    refused("name: &x p\n", 1, 7, "anchors (&) cannot be used here");
    refused("name: p\nclusters: &c []\n", 2, 11, "anchors (&) cannot be used here");
    refused("name: p\ncurrency: *x\n", 2, 11, "aliases (*) cannot be used here");
    refused("name: !!str p\n", 1, 7, "tags (!) cannot be used here");
    refused("name: p\nclusters: !x {a: b}\n", 2, 11, "tags (!) cannot be used here");
    refused("name: p\n---\nname: q\n", 2, 1, "a second document ('---') begins here");
    refused(cluster("  cores: 1\n...\n---\n"), 11, 1, "a second document ('---') begins here");
}

static void keeps_limits(void **state)
{
    struct rc_buffer text = RC_BUFFER_INIT(1 << 22);
    struct rc_error error = {0};

    (void)state;
    refused("a: [[[[[[[[[[[[[[[[", 1, 19, "lists and mappings nested more than 16 deep");
    for (int i = 0; i < 100001; i++)
        assert_int_equal(rc_buffer_add_text(&text, i ? ",a" : "[a"), 0);
    refused(text.data, 1, 200000, "more than 100000 keys and values");
    rc_buffer_clear(&text);
    for (int i = 0; i < 1 << 19; i++)
        assert_int_equal(rc_buffer_add_text(&text, "#\n"), 0);
    assert_null(rc_platform_parse(text.data, text.length, "test.yaml", &error));
    assert_string_equal(error.text, "the file is empty");
    rc_buffer_add_text(&text, "\n");
    assert_null(rc_platform_parse(text.data, text.length, "test.yaml", &error));
    assert_string_equal(error.text, "larger than 1 MiB");
    rc_buffer_clear(&text);
    rc_buffer_add_text(&text,
                       "name: p\nclusters:\n- name: A\n  cores: 1\n  hosts: a\n  networks:\n");
    for (int i = 0; i < 65; i++)
        rc_buffer_printf(&text, "  - {name: n%d, bandwidth: 1, latency: 0}\n", i);
    refused(text.data, 7, 3,
            "clusters[0].networks: expected a list of networks, each begun with "
            "'- ', found a list of 65; there must be at most 64");
    rc_buffer_free(&text);
    refused(with("hosts: b1", "hosts: b[1-99937]"), 25, 12,
            "clusters[1].hosts: more than 100000 hosts in all clusters");
    refused(with("hosts: b1", "hosts: b1,b[1-100001]"), 25, 15,
            "clusters[1].hosts: more than 100000 hosts");
}

static void names_unknown_keys(void **state)
{
    (void)state;
    refused_with_hint(with("networks:", "network:"), 9, 5,
                      "clusters[0]: unknown key 'network'; expected one of name, hosts, cores, "
                      "memory, speed, networks, cost, placement, overrides",
                      "did you mean 'networks'?");
    refused_with_hint(with("latency: 50us", "latncy: 50us"), 12, 9,
                      "clusters[0].networks[0]: unknown key 'latncy'; expected one of name, "
                      "bandwidth, latency",
                      "did you mean 'latency'?");
    refused_with_hint(with("links:", "zzz:"), 28, 1,
                      "unknown key 'zzz'; expected one of name, currency, clusters, links", "");
    refused("name: p\n? [a]\n: b\n", 2, 3, "a key must be text, not a list");
    refused("\"a\\0b\": c\n", 1, 1, "expected one line of text without control characters");
}

static void names_repeated_and_missing_keys(void **state)
{
    (void)state;
    refused(with("speed: 2.2Gf", "cores: 2"), 8, 5, "clusters[0]: duplicate key 'cores'");
    refused("clusters: []\n", 1, 11,
            "clusters: expected a list of clusters, each begun with '- ', found a list of 0; "
            "there must be at least 1");
    refused("name: p\n", 1, 1,
            "missing key 'clusters'; expected a list of clusters, each begun with '- '");
    refused(with("    cores: 2\n", ""), 4, 5,
            "clusters[0]: missing key 'cores'; expected a whole number from 1 to 65536");
    refused(with("        latency: 50us\n", ""), 10, 9,
            "clusters[0].networks[0]: missing key 'latency'; expected a time such as 50us");
    refused(with("hosts: a064\n        ", ""), 22, 9,
            "clusters[0].overrides[1]: missing key 'hosts'; expected host names");
    refused(with("- between: [A, B]\n    ", "- "), 29, 5,
            "links[0]: missing key 'between'; expected the names of two clusters");
}

static void names_wrong_kinds(void **state)
{
    (void)state;
    refused(with("a[001-064]", "[001-064]"), 5, 12,
            "clusters[0].hosts: expected host names in one string, such as a[001-064] or a1,b1, "
            "found a list");
    refused(with("2GiB", "{a: b}"), 7, 13,
            "clusters[0].memory: expected a size such as 2GiB, found a mapping (key: value)");
    refused(with(" 2GiB", ""), 7, 12,
            "clusters[0].memory: expected a size such as 2GiB, found nothing");
    refused(with("- name: A", "- A\n  - name: A"), 4, 5,
            "clusters[0]: expected a mapping (key: value), found text");
    refused(with("[{name: x, bandwidth: 1, latency: 1ms}]", "{name: x}"), 27, 15,
            "clusters[1].networks: expected a list of networks, each begun with '- ', found a "
            "mapping (key: value)");
    refused(with("order: spread", "order: [spread]"), 17, 14,
            "clusters[0].placement.order: expected one of packed, spread, found a list");
    refused_with_hint(with("order: spread", "order: spred"), 17, 14,
                      "clusters[0].placement.order: unknown word 'spred'; expected one of packed, "
                      "spread",
                      "did you mean 'spread'?");
    refused(with("[A, B]", "[A]"), 29, 14,
            "links[0].between: expected the names of two clusters, such as [A, B], found a list "
            "of 1; there must be exactly 2");
    refused(with("[A, B]", "[A, [B]]"), 29, 18, "links[0].between[1]: expected text, found a list");
    refused(with("name: white-rose", "name: |\n  white\n  rose\n"), 1, 7,
            "name: expected one line of text without control characters");
}

static void names_bad_quantities(void **state)
{
    (void)state;
    refused_with_hint(with("250MB/s", "100Mb"), 13, 36,
                      "clusters[0].networks[1].bandwidth: '100Mb' is not a rate such as",
                      "write 100Mbit (bits) or 100MB (bytes)");
    refused_with_hint(with("2GiB", "2G"), 7, 13, "clusters[0].memory: '2G' is not a size such as",
                      "write 2GiB (powers of 1024) or 2GB (powers of 1000)");
    refused(with("8GiB", "8 apples"), 21, 17, "clusters[0].overrides[0].memory: '8 apples' is");
    refused(with("memory: 2GiB", "memory: 0"), 7, 13, "clusters[0].memory: '0' is not more than 0");
    refused(with("2.2Gf", "-1Gf"), 8, 12, "clusters[0].speed: '-1Gf' is not more than 0");
    refused(with("2.2Gf", "nan"), 8, 12, "clusters[0].speed: 'nan' is not a speed such as");
    refused(with("2.2Gf", ".inf"), 8, 12, "clusters[0].speed: '.inf' is not a speed such as");
    refused(with("1Gbit", "0"), 11, 20, "clusters[0].networks[0].bandwidth: '0' is not more than");
    refused(with("50us", "-1us"), 12, 18,
            "clusters[0].networks[0].latency: '-1us' is not 0 or more");
    refused(with("2.2Gf", "'2 '"), 8, 12, "clusters[0].speed: ");
    refused(with("0.05", "5 GBP"), 14, 11,
            "clusters[0].cost: '5 GBP' is not a number such as 0.05");
    refused(with("0.05", "-0.05"), 14, 11, "clusters[0].cost: '-0.05' is not 0 or more");
    refused(with("2.2Gf", "1000000000000000000000000000000000000000000000000000000000000000000f"),
            8, 12, "clusters[0].speed: expected a quantity, found a text of more than 64 bytes");
    refused(with("bandwidth: 1Gbit\n    latency: 1ms", "bandwidth: x\n    latency: 1ms"), 30, 16,
            "links[0].bandwidth: 'x' is not a rate such as");
}

static void names_bad_counts(void **state)
{
    static const char *const bad[] = {
        "0", "-1", "65537", "1.5", "two", "1e3", "99999999999999999999"};
    char text[64], message[128];

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(text, sizeof text, "cores: %s\n", bad[i]);
        snprintf(message, sizeof message,
                 "clusters[0].cores: '%s' is not a whole number from 1 to 65536", bad[i]);
        refused(with("cores: 2\n", text), 6, 12, message);
    }
    refused(with("per_host: 1", "per_host: 0"), 16, 17,
            "clusters[0].placement.per_host: '0' is not a whole number from 1 to 65536");
    refused(with("cores: 4", "cores: 4x"), 20, 16,
            "clusters[0].overrides[0].cores: '4x' is not a whole number from 1 to 65536");
}

static void names_bad_names(void **state)
{
    char text[256] = "name: ";

    (void)state;
    memset(text + 6, 'x', 129);
    strcpy(text + 6 + 129, "");
    refused(with("name: white-rose", text), 1, 7,
            "name: expected a name of at most 128 bytes, found 129");
    refused(with("name: B", "name: 'B '"), 24, 11,
            "clusters[1].name: a name may not begin or end with a space");
    refused(with("name: B", "name: A"), 24, 11, "clusters[1].name: duplicate cluster 'A'");
    refused(with("name: myrinet", "name: ethernet"), 13, 16,
            "clusters[0].networks[1].name: duplicate network 'ethernet'");
}

static void names_bad_hosts(void **state)
{
    (void)state;
    refused(with("a[001-064]", "b9, a[064-001]"), 5, 18,
            "clusters[0].hosts: the range 064-001 is backwards");
    refused(with("a[001-064]", "'b9, a[064-001]'"), 5, 19,
            "clusters[0].hosts: the range 064-001 is backwards");
    refused(with("a[001-064]", "\"b9, a[064-0\\x301]\""), 5, 12,
            "clusters[0].hosts: the range 064-001 is backwards");
    refused(with("a[001-064]", "a[001-064],a7,a007"), 5, 26,
            "clusters[0].hosts: the host a007 is given twice");
    refused(with("hosts: b1", "hosts: b1,a064"), 25, 12,
            "clusters[1].hosts: the host a064 is also in the cluster 'A'");
    refused(with("hosts: a064", "hosts: a[064-065]"), 22, 16,
            "clusters[0].overrides[1].hosts: no host a065 in the cluster 'A'");
    refused(with("hosts: a064", "hosts: a064,a004"), 22, 16,
            "clusters[0].overrides[1].hosts: the host a004 is also in an earlier override");
    refused(with("        speed: 3Gf\n", ""), 22, 9,
            "clusters[0].overrides[1]: expected at least one of cores, memory and speed");
}

static void names_bad_links(void **state)
{
    (void)state;
    refused(with("[A, B]", "[A, C]"), 29, 18, "links[0].between[1]: no cluster 'C'");
    refused(with("[A, B]", "[B, B]"), 29, 14,
            "links[0].between: expected two different clusters, found 'B' twice");
    refused(with("links:\n", "links:\n  - {between: [B, A], bandwidth: 1, latency: 0}\n"), 30, 14,
            "links[1].between: duplicate link between 'A' and 'B'");
    refused_with_hint(cluster("  cores: 1\nlinks: [{between: [A, B], bandwidth: 1, latency: 0}]\n"),
                      10, 23, "links[0].between[1]: no cluster 'B'",
                      "a link joins two clusters, but the only one is 'A'");
}

static void finds_places_by_path(void **state)
{
    static const struct {
        const char *path;
        size_t offset;
        unsigned line, column;
    } places[] = {
        {"", 0, 1, 1},
        {"name", 0, 1, 7},
        {"name", 3, 1, 10},
        {"clusters", 0, 4, 3},
        {"clusters[1].name", 0, 24, 11},
        {"clusters[1].cores", 1, 26, 14}, /* behind the quote */
        {"clusters[0].networks[1].bandwidth", 0, 13, 36},
        {"clusters[0].networks[7].bandwidth", 0, 10, 7}, /* not there: the list */
        {"clusters[0].placement.order", 0, 17, 14},
        {"links[0].between[1]", 0, 29, 18},
        {"links[0].nothing", 0, 29, 5},
    };
    struct rc_yaml yaml;

    (void)state;
    assert_int_equal(rc_platform_yaml_open(&yaml, whole, strlen(whole), "test.yaml",
                                           &rc_platform_schema, rc_platform_expected, NULL),
                     0);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        unsigned line, column;

        rc_platform_yaml_locate(&yaml, places[i].path, places[i].offset, &line, &column);
        if (line != places[i].line || column != places[i].column)
            fail_msg("'%s': %u:%u", places[i].path, line, column);
    }
    rc_platform_yaml_close(&yaml);
}

static void loads_files(void **state)
{
    char path[] = "/tmp/test_platform_XXXXXX";
    struct rc_error error = {0};
    struct rc_platform *platform;
    int descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;

    (void)state;
    assert_non_null(file);
    fputs(whole, file);
    fclose(file);
    platform = rc_platform_load(path, &error);
    assert_non_null(platform);
    rc_platform_destroy(platform);
    file = fopen(path, "a");
    assert_non_null(file);
    for (int i = 0; i < 1 << 20; i++)
        fputc('\n', file);
    fclose(file);
    assert_null(rc_platform_load(path, &error));
    assert_string_equal(error.text, "larger than 1 MiB");
    assert_string_equal(error.file, path);
    remove(path);
    assert_null(rc_platform_load(path, &error));
    assert_non_null(strstr(error.text, "No such file"));
    assert_null(rc_platform_load("/", &error));
    assert_null(rc_platform_load("/", NULL));
}

/* ---- placement ---- */

static void check_placement(const struct rc_cluster *cluster, int64_t processes, const char *counts,
                            double memory)
{
    int placed[8];
    char text[64] = "";
    double per_process = rc_platform_cluster_memory_per_process(cluster, processes);

    assert_true(cluster->n_hosts <= 8);
    assert_int_equal(rc_platform_cluster_place(cluster, processes, placed), 0);
    for (size_t i = 0; i < cluster->n_hosts; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d", i ? " " : "", placed[i]);
    assert_string_equal(text, counts);
    if (isnan(memory))
        assert_true(isnan(per_process));
    else
        assert_true(per_process == memory);
}

static void places_packed(void **state)
{
    struct rc_host hosts[3] = {{NULL, 2, 8, NAN}, {NULL, 4, 8, NAN}, {NULL, 2, 4, NAN}};
    struct rc_cluster c = {.hosts = hosts, .n_hosts = 3, .order = RC_PLACE_PACKED};
    int counts[3];

    (void)state;
    assert_int_equal(rc_platform_cluster_capacity(&c), 8);
    assert_int_equal(rc_platform_cluster_slots(&c, 1), 4);
    check_placement(&c, 0, "0 0 0", NAN);
    check_placement(&c, 1, "1 0 0", 8);
    check_placement(&c, 2, "2 0 0", 4);
    check_placement(&c, 3, "2 1 0", 4);
    check_placement(&c, 6, "2 4 0", 2); /* 8 bytes for 4 processes */
    check_placement(&c, 8, "2 4 2", 2);
    assert_int_equal(rc_platform_cluster_place(&c, 9, counts), -1);
    assert_int_equal(rc_platform_cluster_place(&c, -1, counts), -1);
    assert_true(isnan(rc_platform_cluster_memory_per_process(&c, 9)));
    c.per_host = 3; /* more than some have cores */
    assert_int_equal(rc_platform_cluster_capacity(&c), 9);
    check_placement(&c, 7, "3 3 1", 8.0 / 3);
    hosts[2].memory = NAN;
    check_placement(&c, 6, "3 3 0", 8.0 / 3); /* the host without is not used */
    check_placement(&c, 7, "3 3 1", NAN);
}

static void places_spread(void **state)
{
    struct rc_host hosts[4] = {
        {NULL, 2, 8, NAN}, {NULL, 4, 8, NAN}, {NULL, 1, 4, NAN}, {NULL, 4, 2, NAN}};
    struct rc_cluster c = {.hosts = hosts, .n_hosts = 4, .order = RC_PLACE_SPREAD};
    int counts[4];

    (void)state;
    check_placement(&c, 0, "0 0 0 0", NAN);
    check_placement(&c, 1, "1 0 0 0", 8);
    check_placement(&c, 3, "1 1 1 0", 4);
    check_placement(&c, 4, "1 1 1 1", 2);
    check_placement(&c, 5, "2 1 1 1", 2);
    check_placement(&c, 7, "2 2 1 2", 1); /* the third is full after one */
    check_placement(&c, 8, "2 3 1 2", 1);
    check_placement(&c, 10, "2 4 1 3", 2.0 / 3);
    check_placement(&c, 11, "2 4 1 4", 0.5);
    assert_int_equal(rc_platform_cluster_place(&c, 12, counts), -1);
    c.per_host = 1;
    check_placement(&c, 2, "1 1 0 0", 8);
    check_placement(&c, 4, "1 1 1 1", 2);
    assert_int_equal(rc_platform_cluster_place(&c, 5, counts), -1);
}

/* Spread by its words: one to each host in turn, the full ones passed over. */
static void spread_is_turn_by_turn(void **state)
{
    struct rc_host hosts[5] = {{NULL, 3, 1, NAN},
                               {NULL, 1, 1, NAN},
                               {NULL, 7, 1, NAN},
                               {NULL, 2, 1, NAN},
                               {NULL, 5, 1, NAN}};
    struct rc_cluster c = {.hosts = hosts, .n_hosts = 5, .order = RC_PLACE_SPREAD};
    int counts[5], turns[5] = {0};
    size_t at = 0;

    (void)state;
    for (int64_t processes = 1; processes <= 18; processes++) {
        while (turns[at % 5] == hosts[at % 5].cores)
            at++;
        turns[at++ % 5]++;
        assert_int_equal(rc_platform_cluster_place(&c, processes, counts), 0);
        assert_memory_equal(counts, turns, sizeof counts);
    }
}

static void groups_hosts_that_are_alike(void **state)
{
    struct rc_platform *p = parse_good(whole);
    struct rc_host_group *groups;
    int counts[64];

    (void)state;
    assert_int_equal(rc_platform_cluster_groups(&p->clusters[0], NULL, &groups, NULL), 3);
    assert_string_equal(groups[0].hosts, "a[001-004]");
    assert_string_equal(groups[1].hosts, "a[005-063]");
    assert_string_equal(groups[2].hosts, "a064");
    assert_int_equal(groups[0].cores, 4);
    assert_true(groups[2].speed == 3e9);
    rc_platform_host_groups_free(groups, 3);
    assert_int_equal(rc_platform_cluster_place(&p->clusters[0], 63, counts), 0);
    assert_int_equal(rc_platform_cluster_groups(&p->clusters[0], counts, &groups, NULL), 3);
    assert_int_equal(groups[1].processes, 1);
    assert_int_equal(groups[2].processes, 0);
    rc_platform_host_groups_free(groups, 3);
    rc_platform_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_everything),
        cmocka_unit_test(leaves_out_what_may_be),
        cmocka_unit_test(refuses_what_is_no_yaml),
        cmocka_unit_test(refuses_what_is_not_for_here),
        cmocka_unit_test(keeps_limits),
        cmocka_unit_test(names_unknown_keys),
        cmocka_unit_test(names_repeated_and_missing_keys),
        cmocka_unit_test(names_wrong_kinds),
        cmocka_unit_test(names_bad_quantities),
        cmocka_unit_test(names_bad_counts),
        cmocka_unit_test(names_bad_names),
        cmocka_unit_test(names_bad_hosts),
        cmocka_unit_test(names_bad_links),
        cmocka_unit_test(finds_places_by_path),
        cmocka_unit_test(loads_files),
        cmocka_unit_test(places_packed),
        cmocka_unit_test(places_spread),
        cmocka_unit_test(spread_is_turn_by_turn),
        cmocka_unit_test(groups_hosts_that_are_alike),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
