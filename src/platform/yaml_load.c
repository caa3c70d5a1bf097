// SPDX-License-Identifier: GPL-3.0-or-later
/* yaml_load.c - structs from a YAML text that has passed rc_platform_yaml_check(), by libcyaml. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "platform/yaml_check.h"

/* The first message is the cause; those that follow it trace the way to the place. */
struct capture {
    char text[256];
};

RC_PRINTF(3, 0)
static void keep_first(cyaml_log_t level, void *context, const char *format, va_list arguments)
{
    struct capture *capture = context;

    (void)level;
    if (capture->text[0])
        return;
    vsnprintf(capture->text, sizeof capture->text, format, arguments);
    capture->text[strcspn(capture->text, "\n")] = '\0';
}

static struct cyaml_config configure(struct capture *capture)
{
    return (struct cyaml_config){
        .log_fn = keep_first,
        .log_ctx = capture,
        .log_level = CYAML_LOG_ERROR,
        .mem_fn = cyaml_mem,
        .flags = CYAML_CFG_NO_ALIAS,
    };
}

void *rc_platform_yaml_load(const char *text, size_t length, const char *name,
                            const struct cyaml_schema_value *schema, struct rc_error *error)
{
    struct capture capture = {""};
    struct cyaml_config config = configure(&capture);
    void *raw = NULL;
    enum cyaml_err status =
        cyaml_load_data((const uint8_t *)text, length, &config, schema, &raw, NULL);

    if (status == CYAML_ERR_OOM) {
        rc_error_no_memory(error);
        return NULL;
    }
    if (status != CYAML_OK || !raw) {
        rc_error_at(error, name, 0, 0, "%s%s%s", cyaml_strerror(status),
                    capture.text[0] ? ": " : "", capture.text);
        return NULL;
    }
    return raw;
}

void rc_platform_yaml_unload(const struct cyaml_schema_value *schema, void *raw)
{
    struct capture capture = {""};
    struct cyaml_config config = configure(&capture);

    if (raw)
        cyaml_free(&config, schema, raw, 0);
}
