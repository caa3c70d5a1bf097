/* Plots: what gnuplot is told, and the files that it makes. */
#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/process.h"
#include "report/plot.h"

static const double xs[] = {1, 2, 3, 4, 5}, ys[] = {1.1, 1.9, NAN, 4.2, 5.1};
static const double lows[] = {0.9, 1.5, NAN, 4, 4.5}, highs[] = {1.3, 2.1, NAN, 4.5, 6};
static const char *const labels[] = {"a1", "a1,a2", "it's", "\"q\"", "b[1-9]"};

static const struct rc_plot_series one = {.style = RC_PLOT_LINE, .x = xs, .y = ys, .n = 5};

static char *script_of(const struct rc_plot *panels, size_t n)
{
    struct rc_buffer script = RC_BUFFER_INIT(1 << 24);
    struct rc_error error;

    if (rc_plot_script("plot.svg", panels, n, &script, &error))
        fail_msg("%s", error.text);
    return script.data;
}

static void endings_choose_the_format(void **state)
{
    static const char *const good[] = {"a.svg", "a.png", "a.pdf", "/x/y.z/a.b.svg", "./a.pdf"};
    static const char *const bad[] = {"a",      "a.jpg",   "a.svgz", ".svg",
                                      "x/.png", "x.svg/a", "",       "a."};
    struct rc_error error;

    (void)state;
    for (size_t i = 0; i < COUNT(good); i++)
        assert_int_equal(rc_plot_check(good[i], NULL), 0);
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_int_equal(rc_plot_check(bad[i], &error), -1);
        assert_non_null(strstr(error.hint, ".svg"));
    }
}

/* Nothing in a text can end it, or stand on a line of its own. */
static void texts_are_quoted(void **state)
{
    const struct rc_plot_series series = {
        .name = "it's a_b\n!rm -rf /\n'; system('id') #", .x = xs, .y = ys, .n = 5};
    const struct rc_plot plot = {.title = "`id` \\ \x1b[31m {/Bold ^x} @a \xff",
                                 .series = &series,
                                 .n_series = 1};
    char *script = script_of(&plot, 1);

    (void)state;
    assert_non_null(strstr(script, " noenhanced "));
    assert_non_null(strstr(script, "'it''s a_b !rm -rf / ''; system(''id'') #'"));
    assert_non_null(strstr(script, "'`id` \\ ?[31m {/Bold ^x} @a ?'"));
    assert_null(strstr(script, "\n!rm"));
    free(script);
}

static void long_texts_are_cut(void **state)
{
    char text[4000], *script, *at;
    struct rc_plot plot = {.title = text, .series = &one, .n_series = 1};

    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        memset(text, 'x', sizeof text - 1);
        for (size_t i = 0; wide && i + 1 < sizeof text - 1; i += 2)
            memcpy(text + i, "\xc3\xa4", 2);
        text[sizeof text - 1] = '\0';
        script = script_of(&plot, 1);
        at = strstr(script, "…'");
        assert_non_null(at);
        free(script);
    }
}

static void ranges_follow_from_the_data(void **state)
{
    static const double from_zero[] = {0, 10}, heights[] = {5, 25}, tiny[] = {3, 3};
    const struct rc_plot_series area = {
        .style = RC_PLOT_AREA, .x = from_zero, .y = heights, .n = 2};
    const struct rc_plot_series flat = {.style = RC_PLOT_LINE, .x = tiny, .y = tiny, .n = 2};
    const struct rc_plot_series with_diagonal[] = {
        {.style = RC_PLOT_POINTS, .x = from_zero, .y = heights, .n = 2},
        {.style = RC_PLOT_DIAGONAL}};
    const struct rc_plot_series with_reference[] = {
        {.style = RC_PLOT_LINE, .x = from_zero, .y = heights, .n = 2},
        {.style = RC_PLOT_LINE, .x = tiny, .y = tiny, .n = 2, .reference = true}};
    const struct {
        struct rc_plot plot;
        const char *x, *y;
    } cases[] = {
        {{.series = with_reference, .n_series = 2}, "[-0.4:10.4]", "[4.2:25.8]"},
        {{.series = &area, .n_series = 1}, "[-0.4:10.4]", "[0:26]"},
        {{.series = &area, .n_series = 1, .x = {.low = 2, .high = 8}}, "[2:8]", "[0:26]"},
        {{.series = &flat, .n_series = 1}, "[2.7:3.3]", "[2.7:3.3]"},
        {{.series = with_diagonal, .n_series = 2}, "[-1:26]", "[-1:26]"},
        {{.series = &flat, .n_series = 1, .x = {.scale = RC_PLOT_LOG}},
         "[2.857142857142857:",
         ":3"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *script = script_of(&cases[i].plot, 1);
        const char *x = strstr(script, "set xrange "), *y = strstr(script, "set yrange ");

        if (strncmp(x + 11, cases[i].x, strlen(cases[i].x)) != 0 || !strstr(y, cases[i].y))
            fail_msg("case %zu: %.60s %.60s", i, x, y);
        free(script);
    }
}

static void logarithmic_axes_may_have_powers_of_a_step(void **state)
{
    static const double wide[] = {1, 100}, narrow[] = {5, 7}, sizes[] = {1, 3e6};
    const struct rc_plot_series series[] = {
        {.style = RC_PLOT_LINE, .x = wide, .y = wide, .n = 2},
        {.style = RC_PLOT_LINE, .x = narrow, .y = narrow, .n = 2},
        {.style = RC_PLOT_LINE, .x = sizes, .y = sizes, .n = 2}};
    const struct {
        bool bytes;
        const char *numbers;
    } cases[] = {{false, "set xtics nomirror (1, 2, 4, 8, 16, 32, 64)\n"},
                 {false, "set xtics nomirror (5, 6, 7)\n"}, /* too few powers */
                 {true,
                  "set xtics nomirror ('1 B' 1, '8 B' 8, '64 B' 64, '512 B' 512, '4 KiB' 4096, "
                  "'32 KiB' 32768, '256 KiB' 262144, '2 MiB' 2097152)\n"}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct rc_plot plot = {
            .series = &series[i],
            .n_series = 1,
            .x = {.scale = RC_PLOT_LOG, .step = 2, .bytes = cases[i].bytes}};
        char *script = script_of(&plot, 1);

        if (!strstr(script, cases[i].numbers))
            fail_msg("case %zu: %.100s", i, strstr(script, "set xtics"));
        free(script);
    }
}

static void a_colour_bar_stands_for_the_legend(void **state)
{
    static const double ends[] = {1, 2};
    static const unsigned shades[] = {0xFFFFFF, 0x808080, 0x000000};
    const struct rc_plot_colours colours = {"bytes sent", shades, 3, 64, 2e6};
    const struct rc_plot_series series = {
        .name = "unnamed", .style = RC_PLOT_LINE, .x = ends, .y = ends, .n = 2};
    const struct rc_plot plot = {.series = &series, .n_series = 1, .colours = &colours};
    char *script = script_of(&plot, 1), *at = script;
    size_t n = 0;

    (void)state;
    assert_non_null(strstr(script, "set label 'bytes sent' at screen "));
    while ((at = strstr(at, "set object rectangle from screen ")))
        n += at++ != NULL;
    assert_int_equal(n, 3);
    assert_non_null(strstr(script, "fc rgb '#808080'"));
    assert_non_null(strstr(script, "set label '256 B' at screen "));
    assert_non_null(strstr(script, "set label '4 KiB' at screen "));
    assert_non_null(strstr(script, "set label '64 KiB' at screen "));
    assert_non_null(strstr(script, "set label '1 MiB' at screen "));
    assert_null(strstr(script, "set label '2 MiB'"));
    free(script);
}

static void what_cannot_be_drawn_is_refused(void **state)
{
    static const double none[] = {NAN, INFINITY}, negative[] = {-1, 0}, huge[] = {-1e308, 1e308};
    const struct rc_plot_series series[] = {
        {.style = RC_PLOT_LINE, .x = none, .y = none, .n = 2},
        {.style = RC_PLOT_LINE, .x = negative, .y = negative, .n = 2},
        {.style = RC_PLOT_LINE, .x = huge, .y = huge, .n = 2},
        {.style = RC_PLOT_LINE, .x = xs, .y = ys, .n = 0},
        {.style = RC_PLOT_DIAGONAL},
        {.style = RC_PLOT_LINE, .x = xs, .y = ys, .n = RC_PLOT_POINTS_MAX + 1},
    };
    struct rc_buffer script = RC_BUFFER_INIT(1 << 20);
    struct rc_error error;

    (void)state;
    for (size_t i = 0; i < COUNT(series); i++) {
        const struct rc_plot plot = {.series = &series[i],
                                     .n_series = 1,
                                     .x = {.scale = i == 2 ? RC_PLOT_LINEAR : RC_PLOT_LOG}};

        assert_int_equal(rc_plot_script("a.svg", &plot, 1, &script, &error), -1);
        assert_non_null(strstr(error.text, i == 2   ? "too large"
                                           : i == 5 ? "a plot can show"
                                                    : "nothing to draw"));
    }
    assert_int_equal(script.length, 0);
    assert_int_equal(rc_plot_script("a.svg", NULL, 0, &script, &error), -1);
    assert_int_equal(rc_plot_script("a.gif", &(struct rc_plot){.series = &one, .n_series = 1}, 1,
                                    &script, &error),
                     -1);
    rc_buffer_free(&script);
}

/* However much there is to say, every panel has a frame, and all are on the page. */
static void crowded_figures_keep_their_frames(void **state)
{
    struct rc_plot_series many[100];
    struct rc_plot panels[RC_PLOT_PANELS_MAX];
    char *script, *at;
    double top, bottom;

    (void)state;
    for (size_t i = 0; i < COUNT(many); i++)
        many[i] = (struct rc_plot_series){
            .name = "a series with a rather long name, as they are", .x = xs, .y = ys, .n = 5};
    for (size_t i = 0; i < RC_PLOT_PANELS_MAX; i++)
        panels[i] = (struct rc_plot){
            .title = "t", .series = many, .n_series = i ? 2 : 100, .x = {.label = "x"}};
    at = script = script_of(panels, RC_PLOT_PANELS_MAX);
    for (size_t i = 0; i < RC_PLOT_PANELS_MAX; i++) {
        at = strstr(at, "set tmargin at screen ");
        assert_non_null(at);
        assert_int_equal(
            sscanf(at, "set tmargin at screen %lf\nset bmargin at screen %lf", &top, &bottom), 2);
        assert_true(0 < bottom && bottom + 0.05 < top && top < 1);
        at++;
    }
    free(script);
}

/* ---- files ---- */

static char folder[] = "/tmp/runcast-test-plot-XXXXXX";

/* How many files there are. */
static int count_files(void)
{
    DIR *directory = opendir(folder);
    int count = 0;

    while (directory && readdir(directory))
        count++;
    closedir(directory);
    return count - 2;
}

/* The plots that other commands are to make: every style, scale and decoration. */
static void check_all_kinds(const char *ending, const char *magic)
{
    static const double bars[] = {2, 3, 1, 0.5, 0},
                        times[] = {1.7e9, 1700000060, 1700000120, 1700000300, 1700003000};
    const struct rc_plot_series scatter[] = {
        {.name = "runs", .style = RC_PLOT_POINTS, .x = xs, .y = ys, .n = 5},
        {.name = "with spread",
         .style = RC_PLOT_POINTS,
         .x = ys,
         .y = xs,
         .low = lows,
         .high = highs,
         .n = 5},
        {.name = "as modelled", .style = RC_PLOT_DIAGONAL}};
    const struct rc_plot_series line[] = {
        {.name = "forecast",
         .style = RC_PLOT_LINE,
         .x = times,
         .y = ys,
         .low = lows,
         .high = highs,
         .n = 5},
        {.name = "measured", .style = RC_PLOT_STEPS, .x = times, .y = xs, .n = 5}};
    const struct rc_plot_series pareto[] = {
        {.name = "choices", .style = RC_PLOT_POINTS, .x = xs, .y = ys, .labels = labels, .n = 5},
        {.style = RC_PLOT_STEPS, .x = xs, .y = ys, .n = 5, .like = 1}};
    const struct rc_plot_series rest[] = {
        {.name = "bars", .style = RC_PLOT_BARS, .x = xs, .y = bars, .n = 5},
        {.name = "area", .style = RC_PLOT_AREA, .x = xs, .y = bars, .n = 5},
        {.name = "spikes", .style = RC_PLOT_SPIKES, .x = xs, .y = bars, .n = 5}};
    const struct rc_plot_mark marks[] = {{"window", 1700000100, 1700000500},
                                         {"now", 1700002000, 1700002000}};
    const struct rc_plot figures[][2] = {
        {{.title = "Actual against modelled",
          .series = scatter,
          .n_series = 3,
          .x = {.label = "modelled, s", .scale = RC_PLOT_LOG},
          .y = {.label = "actual, s", .scale = RC_PLOT_LOG}}},
        {{.title = "A time line",
          .series = line,
          .n_series = 2,
          .marks = marks,
          .n_marks = 2,
          .x = {.label = "time (UTC)", .scale = RC_PLOT_TIME},
          .y = {.label = "availability"}}},
        {{.title = "Price and time",
          .series = pareto,
          .n_series = 2,
          .x = {.label = "cost"},
          .y = {.label = "seconds"}}},
        {{.series = rest, .n_series = 3, .y = {.label = "y"}},
         {.series = rest + 1, .n_series = 1, .x = {.label = "x"}, .height = 0.5}},
    };

    for (size_t i = 0; i < COUNT(figures); i++) {
        char path[200], start[8] = "";
        struct rc_error error;
        struct stat status;
        int file;

        snprintf(path, sizeof path, "%s/%zu%s", folder, i, ending);
        if (rc_plot_write(path, figures[i], figures[i][1].n_series ? 2 : 1, NULL, &error))
            fail_msg("%s: %s", path, error.text);
        file = open(path, O_RDONLY);
        assert_true(file >= 0 && read(file, start, 7) == 7 && fstat(file, &status) == 0);
        close(file);
        assert_memory_equal(start, magic, strlen(magic));
        assert_true(status.st_size > 2000);
    }
}

static void every_kind_is_drawn(void **state)
{
    char path[100];

    (void)state;
    if (rc_process_find("gnuplot", path, sizeof path))
        skip();
    check_all_kinds(".svg", "<?xml ");
    check_all_kinds(".png", "\x89PNG");
    check_all_kinds(".pdf", "%PDF-");
    assert_int_equal(count_files(), 12);
}

static int cancel(void *data)
{
    (void)data;
    return 1;
}

static void a_failure_leaves_all_as_it_was(void **state)
{
    static const struct rc_monitor stop = {.cancelled = cancel};
    const struct rc_plot plot = {.series = &one, .n_series = 1};
    char path[200], before[4096];
    struct rc_error error;
    int files = count_files(), file;
    const char *search = getenv("PATH");

    (void)state;
    if (rc_process_find("gnuplot", path, sizeof path))
        skip();
    snprintf(before, sizeof before, "%s", search);
    snprintf(path, sizeof path, "%s/old.svg", folder);
    file = open(path, O_WRONLY | O_CREAT, 0640);
    assert_int_equal(write(file, "old", 3), 3);
    close(file);
    assert_int_equal(rc_plot_write(path, &plot, 1, &stop, &error), -1);
    assert_non_null(strstr(error.text, "interrupted"));
    setenv("PATH", folder, 1);
    assert_int_equal(rc_plot_write(path, &plot, 1, NULL, &error), -1);
    assert_non_null(strstr(error.hint, "gnuplot-nox"));
    setenv("PATH", before, 1);
    assert_int_equal(count_files(), files + 1);
    file = open(path, O_RDONLY);
    assert_int_equal(read(file, before, sizeof before), 3);
    close(file);
}

static void links_and_rights_stay(void **state)
{
    const struct rc_plot plot = {.series = &one, .n_series = 1};
    char target[200], link_path[200];
    struct rc_error error;
    struct stat status;

    (void)state;
    if (rc_process_find("gnuplot", target, sizeof target))
        skip();
    snprintf(target, sizeof target, "%s/old.svg", folder);
    snprintf(link_path, sizeof link_path, "%s/link.svg", folder);
    assert_int_equal(symlink("old.svg", link_path), 0);
    assert_int_equal(rc_plot_write(link_path, &plot, 1, NULL, &error), 0);
    assert_int_equal(lstat(link_path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(stat(target, &status), 0);
    assert_true(status.st_size > 2000);
    assert_int_equal(status.st_mode & 0777, 0640);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[300];

    (void)state;
    if (getenv("KEEP_PLOTS")) /* to look at them */
        return 0;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(endings_choose_the_format),
        cmocka_unit_test(texts_are_quoted),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(ranges_follow_from_the_data),
        cmocka_unit_test(logarithmic_axes_may_have_powers_of_a_step),
        cmocka_unit_test(a_colour_bar_stands_for_the_legend),
        cmocka_unit_test(what_cannot_be_drawn_is_refused),
        cmocka_unit_test(crowded_figures_keep_their_frames),
        cmocka_unit_test(every_kind_is_drawn),
        cmocka_unit_test(a_failure_leaves_all_as_it_was),
        cmocka_unit_test(links_and_rights_stay),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
