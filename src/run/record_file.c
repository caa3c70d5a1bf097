// SPDX-License-Identifier: GPL-3.0-or-later
/* record_file.c - a record as a file, for when the database cannot be written.
 *
 *   {"runcast_record": 1,
 *    "run": {"app": "md", "n": 1000, "p": 8, "seconds": 12.5, ..., "params": {"steps": 100},
 *            "meta": {"job": "1234"}},
 *    "series": [{"host": "a1", "peer": "", "metric": "cpu", "samples": [[T, VALUE], ...]}, ...]}
 *
 * Numbers that are not known are null or left out. */
#include "run/record.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/json.h"
#include "db/run.h"

enum { FORMAT = 1, NAME_PART = 60 };

/* The numbers of a run. */
static const struct {
    const char *name;
    size_t offset;
} numbers[] = {
    {"n", offsetof(struct rc_run, n)},
    {"seconds", offsetof(struct rc_run, seconds)},
    {"start", offsetof(struct rc_run, start)},
    {"memory", offsetof(struct rc_run, memory)},
    {"cpu_minavg", offsetof(struct rc_run, cpu_minavg)},
    {"cpu_avgmin", offsetof(struct rc_run, cpu_avgmin)},
    {"bw_minavg", offsetof(struct rc_run, bw_minavg)},
    {"bw_avgmin", offsetof(struct rc_run, bw_avgmin)},
    {"bytes_read", offsetof(struct rc_run, bytes_read)},
    {"bytes_written", offsetof(struct rc_run, bytes_written)},
};

static double *number_at(struct rc_run *run, size_t i)
{
    return (double *)((char *)run + numbers[i].offset);
}

/* ---- writing ---- */

static json_t *run_json(const struct rc_run *run)
{
    json_t *object = json_object(), *params = json_object(), *meta = json_object();
    struct rc_run copy = *run;
    int failed = 0;

    failed |= rc_json_set(object, "app", rc_json_text(run->app));
    failed |= rc_json_set(object, "platform", rc_json_text(run->platform));
    failed |= rc_json_set(object, "hosts", rc_json_text(run->hosts));
    failed |= rc_json_set(object, "p", json_integer(run->p));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        failed |= rc_json_set(object, numbers[i].name, rc_json_number(*number_at(&copy, i)));
    failed |= rc_json_set(object, "status", rc_json_text(rc_db_run_status_name(run->status)));
    for (size_t i = 0; i < run->n_params; i++)
        failed |= rc_json_set(params, run->params[i].name, rc_json_number(run->params[i].value));
    failed |= rc_json_set(object, "params", params);
    for (size_t i = 0; i < run->n_meta; i++)
        failed |= rc_json_set(meta, run->meta[i].name, rc_json_text(run->meta[i].text));
    failed |= rc_json_set(object, "meta", meta);
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}

/* A series may be long: it is written as it is. */
static void write_track(FILE *out, const struct rc_track *track)
{
    const char *const names[][2] = {{"host", track->host},
                                    {"peer", track->peer},
                                    {"metric", track->metric}};

    for (size_t i = 0; i < 3; i++) {
        json_t *text = rc_json_text(names[i][1]);

        fprintf(out, "%s\"%s\":", i ? ", " : "{", names[i][0]);
        rc_json_write(out, text, false);
        json_decref(text);
    }
    fputs(", \"samples\": [", out);
    for (size_t i = 0; i < track->n; i++)
        fprintf(out, "%s[%.17g,%.17g]", i ? "," : "", track->samples[i].t, track->samples[i].value);
    fputs("]}", out);
}

static int write_all(FILE *out, const struct rc_record *record, struct rc_error *error)
{
    json_t *run = run_json(&record->run);

    if (!run)
        return rc_error_no_memory(error);
    fprintf(out, "{\"runcast_record\": %d,\n\"run\": ", FORMAT);
    rc_json_write(out, run, false);
    json_decref(run);
    fputs(",\n\"series\": [", out);
    for (size_t i = 0; i < record->tracks.n; i++) {
        fputs(i ? ",\n" : "\n", out);
        write_track(out, &record->tracks.items[i]);
    }
    fputs("]}\n", out);
    if (fflush(out) || ferror(out) || fsync(fileno(out)))
        return rc_error_errno(error, errno, "cannot write the file");
    return 0;
}

int rc_run_record_write(const struct rc_record *record, const char *path, struct rc_error *error)
{
    char part[4096];
    FILE *out;
    int fd, status;

    /* Of this process alone, and never a file that is there: it may be anybody's. */
    if (snprintf(part, sizeof part, "%s.%ld.part", path, (long)getpid()) >= (int)sizeof part)
        return rc_error_set(error, "the path is too long");
    fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    out = fd < 0 ? NULL : fdopen(fd, "w");
    if (!out) {
        rc_error_errno(error, errno, "cannot make %.300s", part);
        if (fd >= 0)
            close(fd);
        return -1;
    }
    status = write_all(out, record, error);
    if (fclose(out) && status == 0)
        status = rc_error_errno(error, errno, "cannot write the file");
    /* link() never takes the place of a file that is there; not all file systems have it. */
    if (status == 0 && link(part, path) &&
        (errno == EEXIST || access(path, F_OK) == 0 || rename(part, path)))
        status = rc_error_errno(error, errno, "cannot make %.300s", path);
    unlink(part);
    return status;
}

/* The app as a part of the name of a file. */
static void plain_name(const char *app, char name[NAME_PART])
{
    size_t n = 0;

    for (; app[n] && n < NAME_PART - 1; n++) {
        char c = app[n];

        name[n] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          c == '-' || c == '.'
                      ? c
                      : '_';
    }
    name[n] = '\0';
    if (name[0] == '.')
        name[0] = '_';
}

int rc_run_record_save(const struct rc_record *record, const char *const *directories, char *path,
                       size_t size, struct rc_error *error)
{
    char app[NAME_PART], when[32];
    time_t start = isnan(record->run.start) ? 0 : (time_t)record->run.start;
    struct tm tm;

    plain_name(record->run.app, app);
    gmtime_r(&start, &tm);
    strftime(when, sizeof when, "%Y%m%dT%H%M%SZ", &tm);
    for (; *directories; directories++)
        if (snprintf(path, size, "%s/runcast-record-%s-%s-%ld.json", *directories, app, when,
                     (long)getpid()) < (int)size &&
            rc_run_record_write(record, path, error) == 0)
            return 0;
    if (size > 0)
        path[0] = '\0';
    return -1;
}

/* ---- reading ---- */

/* What is being read, and how to complain about it. */
struct reading {
    struct rc_record *record;
    const char *name;
    struct rc_error *error;
};

static int fault(const struct reading *r, const char *what)
{
    return rc_error_at(r->error, r->name, 0, 0, "not a recorded run: %s", what);
}

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : "";
}

static int read_params(const struct reading *r, json_t *params)
{
    struct rc_record *record = r->record;
    const char *name;
    json_t *value;

    if (!params)
        return 0;
    if (!json_is_object(params) || json_object_size(params) > RC_RUN_PARAMS_COUNT)
        return fault(r, "parameters must be an object of numbers");
    record->params = calloc(json_object_size(params) + 1, sizeof *record->params);
    if (!record->params)
        return rc_error_no_memory(r->error);
    record->run.params = record->params;
    json_object_foreach(params, name, value)
    {
        if (!json_is_number(value))
            return fault(r, "a parameter is not a number");
        record->params[record->run.n_params++] = (struct rc_param){name, json_number_value(value)};
    }
    return 0;
}

static int read_meta(const struct reading *r, json_t *meta)
{
    struct rc_record *record = r->record;
    const char *name;
    json_t *value;

    if (!meta)
        return 0;
    if (!json_is_object(meta) || json_object_size(meta) > RC_RUN_META_COUNT)
        return fault(r, "metadata must be an object of texts");
    record->meta = calloc(json_object_size(meta) + 1, sizeof *record->meta);
    if (!record->meta)
        return rc_error_no_memory(r->error);
    record->run.meta = record->meta;
    json_object_foreach(meta, name, value)
    {
        if (!json_is_string(value))
            return fault(r, "metadata must be an object of texts");
        record->meta[record->run.n_meta++] = (struct rc_meta){name, json_string_value(value)};
    }
    return 0;
}

static int read_status(const struct reading *r, const char *text)
{
    for (int status = RC_RUN_OK; status <= RC_RUN_INTERRUPTED; status++)
        if (strcmp(text, rc_db_run_status_name((enum rc_run_status)status)) == 0) {
            r->record->run.status = (enum rc_run_status)status;
            return 0;
        }
    return fault(r, "status must be ok, failed or interrupted");
}

static int read_run(const struct reading *r, json_t *object)
{
    struct rc_run *run = &r->record->run;

    if (!json_is_object(object))
        return fault(r, "no run in the file");
    run->app = text_of(object, "app");
    run->platform = text_of(object, "platform");
    run->hosts = text_of(object, "hosts");
    run->p = json_integer_value(json_object_get(object, "p"));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const json_t *value = json_object_get(object, numbers[i].name);

        if (value && !json_is_number(value) && !json_is_null(value))
            return fault(r, "expected a number");
        *number_at(run, i) = json_is_number(value) ? json_number_value(value) : (double)NAN;
    }
    if (read_status(r, text_of(object, "status")) ||
        read_params(r, json_object_get(object, "params")) ||
        read_meta(r, json_object_get(object, "meta")))
        return -1;
    return rc_db_run_check(run, r->error);
}

static int read_series(const struct reading *r, const json_t *series)
{
    const struct rc_series_key key = {text_of(series, "host"), text_of(series, "peer"),
                                      text_of(series, "metric")};
    const json_t *samples = json_object_get(series, "samples"), *pair;
    size_t i;

    if (!*key.host || !*key.metric || !json_is_array(samples))
        return fault(r, "a series without host, metric or samples");
    json_array_foreach(samples, i, pair)
    {
        const struct rc_sample sample = {json_number_value(json_array_get(pair, 0)),
                                         json_number_value(json_array_get(pair, 1))};

        if (json_array_size(pair) != 2 || !json_is_number(json_array_get(pair, 0)) ||
            !json_is_number(json_array_get(pair, 1)))
            return fault(r, "a sample is not a pair of numbers");
        if (rc_run_tracks_add(&r->record->tracks, &key, &sample))
            return rc_error_no_memory(r->error);
    }
    return r->record->tracks.dropped ? fault(r, "times of a series do not rise, or too many "
                                                "samples")
                                     : 0;
}

int rc_run_record_parse(struct rc_record *record, const char *text, size_t length, const char *name,
                        struct rc_error *error)
{
    const struct reading r = {record, name, error};
    json_error_t problem;
    const json_t *list, *one;
    size_t i;

    rc_run_record_init(record);
    record->source = json_loadb(text, length, JSON_REJECT_DUPLICATES, &problem);
    if (!record->source)
        return rc_error_at(error, name, problem.line > 0 ? (unsigned)problem.line : 0,
                           problem.column > 0 ? (unsigned)problem.column : 0, "%s", problem.text);
    if (json_integer_value(json_object_get(record->source, "runcast_record")) != FORMAT)
        return fault(&r, "no \"runcast_record\": 1 in it");
    if (read_run(&r, json_object_get(record->source, "run")))
        return -1;
    list = json_object_get(record->source, "series");
    json_array_foreach(list, i, one) if (read_series(&r, one)) return -1;
    return 0;
}

bool rc_run_record_is_file(const char *path)
{
    struct stat status;
    FILE *in;
    int first;

    /* A pipe could be read only once. */
    if (stat(path, &status) || !S_ISREG(status.st_mode) || !(in = fopen(path, "re")))
        return false;
    first = getc(in);
    fclose(in);
    return first == '{';
}

int rc_run_record_import(struct rc_db *db, const char *path, struct rc_db_run_import *import,
                         struct rc_error *error)
{
    struct rc_buffer text = RC_BUFFER_INIT(RC_RECORD_FILE_MAX);
    char digest_text[RC_DIGEST_TEXT_SIZE];
    struct rc_digest digest;
    struct rc_record record;
    int status;

    import->id = 0;
    import->added = import->skipped = import->deleted = 0;
    import->known = 0;
    rc_run_record_init(&record);
    status = rc_buffer_read_file(&text, path, error);
    if (status == 0 && text.length == RC_RECORD_FILE_MAX)
        status = rc_error_at(error, path, 0, 0, "the file is too large");
    if (status == 0)
        status = rc_run_record_parse(&record, text.data ? text.data : "", text.length, path, error);
    if (status == 0) {
        rc_digest_begin(&digest);
        rc_digest_add(&digest, text.data, text.length);
        rc_digest_end(&digest, digest_text);
        rc_buffer_free(&text);
        status = rc_run_record_store_import(db, &record, path, digest_text, import, error);
    }
    rc_buffer_free(&text);
    rc_run_record_free(&record);
    return status;
}
