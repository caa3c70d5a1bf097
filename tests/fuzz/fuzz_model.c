/* fuzz_model.c - any bytes as a model file; a byte 0x1c begins a further file. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "base/text.h"
#include "platform/hostlist.h"
#include "model/structural/parse.h"

/* An error names a file, a place that is in its text, and shows nothing that is no text. */
static void check_error(const struct rc_model *model, const struct rc_error *error)
{
    const char *text = NULL;

    must(error->text[0] && rc_text_is_printable(error->text, strlen(error->text)));
    must(rc_text_is_printable(error->hint, strlen(error->hint)));
    must(error->line > 0 && error->column > 0);
    for (size_t i = 0; i < model->n_files; i++)
        if (strcmp(model->files[i].name, error->file) == 0)
            text = model->files[i].text;
    must(text != NULL);
    for (unsigned line = 1; line < error->line && text; line++) {
        text = strchr(text, '\n');
        must(text != NULL);
        text++;
    }
    must(error->column <= (text ? strcspn(text, "\n") + 1 : 1));
}

static void check_names(char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        must(rc_platform_hostlist_is_name(names[i]));
}

static void check_source(const struct rc_item *item)
{
    must(!item->expression == (item->source != RC_FROM_FORMULA));
    must(!item->metric == (item->source != RC_FROM_SERIES));
    must(item->n_cells == 0 || item->source == RC_FROM_TABLE);
    must(item->source == RC_FROM_FORMULA || item->kind == RC_ITEM_INPUT);
    must(item->window > 0 && item->window_kind < RC_VALUE_KINDS);
    for (size_t i = 0; i < item->n_cells; i++) {
        const struct rc_cell *cell = &item->cells[i], *before = cell - 1;

        must(rc_platform_hostlist_is_name(cell->row) && cell->expression);
        must(item->n_parameters == 2 ? rc_platform_hostlist_is_name(cell->column)
                                     : !cell->column[0]);
        if (i > 0)
            must(strcmp(before->row, cell->row) < 0 ||
                 (strcmp(before->row, cell->row) == 0 && strcmp(before->column, cell->column) < 0));
    }
}

static void check_item(const struct rc_model *model, const struct rc_item *item)
{
    must(item->name[0] && item->section < (int)model->n_sections && item->file < model->n_files &&
         item->line > 0 && item->column > 0);
    must(!item->alternative == (item->kind == RC_ITEM_INPUT || item->kind == RC_ITEM_DEFINE));
    must(item->n_parameters <= RC_MODEL_PARAMETERS_MAX);
    must(item->n_conditions <= RC_MODEL_CONDITIONS_MAX);
    for (size_t i = 0; i < item->n_conditions; i++)
        must(item->conditions[i].left && item->conditions[i].right);
    must(isnan(item->meta.accuracy) || item->meta.accuracy >= 0);
    must(isnan(item->meta.lifetime) || item->meta.lifetime > 0);
    check_source(item);
    for (const struct rc_item *other = model->items; other < item; other++) {
        if (strcmp(other->name, item->name) != 0)
            continue;
        must(other->kind == item->kind);
        must(item->kind != RC_ITEM_COMPONENT || other->n_parameters == item->n_parameters);
        must(other->section != item->section ||
             (item->alternative && strcmp(other->alternative, item->alternative) != 0));
    }
}

static void check_model(const struct rc_model *model)
{
    must(model->name && model->app);
    for (size_t i = 0; i < model->n_items; i++)
        check_item(model, &model->items[i]);
    for (size_t i = 0; i < model->n_sets; i++) {
        const struct rc_model_set *set = &model->sets[i];

        check_names(set->hosts, set->n_hosts);
        must(!set->of == (set->kind == RC_SET_LIST) && !set->of == (set->n_hosts > 0));
    }
    for (size_t i = 0; i < model->n_hosts; i++)
        check_names(model->hosts[i].names, model->hosts[i].n_names);
    for (size_t i = 0; i < model->n_profile; i++)
        must(model->profile[i].share >= 0 && model->profile[i].share <= 1);
    for (size_t i = 0; i < model->n_uses; i++)
        must(model->uses[i].task[0] && model->uses[i].alternative[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"first", "second", "third"};
    struct rc_error error = {.text = ""};
    struct rc_model_parser parser = {.error = &error};
    const char *text = (const char *)data, *next;
    int status = rc_structural_model_parser_begin(&parser);

    for (size_t i = 0; i < 3 && status == 0; i++) {
        next = size && i < 2 ? memchr(text, 0x1c, size) : NULL;
        status = rc_structural_model_parser_add(&parser, text, next ? (size_t)(next - text) : size,
                                                names[i]);
        if (!next)
            break;
        size -= (size_t)(next + 1 - text);
        text = next + 1;
    }
    if (status == 0)
        status = rc_structural_model_parser_finish(&parser);
    if (status == 0)
        check_model(parser.model);
    else if (parser.model)
        check_error(parser.model, &error);
    rc_structural_model_destroy(parser.model);
    return 0;
}
