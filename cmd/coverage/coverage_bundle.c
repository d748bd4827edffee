/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_bundle.c - sections from the directory of a bundle, and of models what their graphs and weights are. */
#include "cmd/coverage/op_coverage.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/host/files.h"
#include "cmd/host/say.h"
#include "cmd/tool/report_parts.h"
#include "lib/base/file_write.h"
#include "lib/model/bundle.h"

/* A listing, and where its models are written. */
struct listing {
    struct coverage_run *r;
    struct bundle *bundle;
    struct results tree;
    struct result_table *table;
    int failed; /* exit status of the first model that was not opened; 0: all were */
};

bool coverage_wants_bundle(const struct coverage_run *r)
{
    return r->flags.list || *r->flags.extract_model;
}

/* Flags of what is asked about a model would be dropped in silence; those of a file of flags may be for other calls. */
static enum status check_flags(const struct cli *c, struct err *err)
{
    static const char *const used[] = {"graph",   "list", "extract_model", "inline_weights",
                                       "weights", "json", "config",        "log_prefix"};

    for (uint32_t i = 0; i < c->n_rows; i++) {
        const struct cli_row *row = &c->rows[i];
        bool is_used = !row->given || row->taken;

        for (size_t k = 0; k < sizeof used / sizeof *used; k++)
            is_used |= !strcmp(row->flag->name, used[k]);
        if (!is_used)
            return err_set(err, ST_USAGE, "--%s changes nothing with --list and --extract_model", row->flag->name);
    }
    return ST_OK;
}

/* ---- one model of the list ---- */

static uint32_t count_ops(const struct model *m)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < m->n_subgraphs; i++)
        n += m->subgraphs[i].n_ops;
    return n;
}

static void put_operators(struct report *r, struct json *in, const struct model *m)
{
    struct json *list = json_array(r, in, "operators");
    uint32_t *count = calloc((size_t)m->n_opcodes + 1, sizeof *count);

    for (uint32_t i = 0; count && i < m->n_subgraphs; i++)
        for (uint32_t k = 0; k < m->subgraphs[i].n_ops; k++)
            count[m->subgraphs[i].ops[k].opcode]++;
    for (uint32_t i = 0; count && i < m->n_opcodes; i++) {
        struct json *o = json_object(r, list, NULL);

        json_string(r, o, "name", model_op_name(m, &(struct model_op){.opcode = i}));
        json_number(r, o, "count", count[i]);
    }
    free(count);
}

static void add_signatures(struct listing *l, struct json *row, const struct model *m)
{
    struct report *r = l->tree.report;
    struct json *list = json_array(r, row, "signatures");

    result_text(l->table, "%s", m->n_signatures ? "" : "-");
    for (uint32_t i = 0; i < m->n_signatures; i++) {
        json_string(r, list, NULL, m->signatures[i].key);
        if (i < 4)
            result_append(l->table, "%s%.60s", i ? ", " : "", m->signatures[i].key);
        else if (i == 4)
            result_append(l->table, ", %u more", m->n_signatures - 4);
    }
}

static uint64_t group_bytes(const struct model *m, uint32_t group)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < m->n_buffers; i++)
        bytes += m->buffers[i].external && m->buffers[i].external->group == group ? m->buffers[i].bytes : 0;
    return bytes;
}

static void add_weights(struct listing *l, struct json *row, const struct model *m)
{
    struct report *r = l->tree.report;
    struct json *list = json_array(r, row, "weights");
    uint32_t n = 0;

    result_text(l->table, "%s", model_has_external(m) ? "" : "-");
    for (uint32_t i = 0; i < m->n_groups; i++) {
        const struct model_group *g = &m->groups[i];
        struct json *o;

        if (!g->range.data)
            continue;
        o = json_object(r, list, NULL);
        json_string(r, o, "group", g->name);
        json_string(r, o, "place", g->place);
        json_number(r, o, "bytes", (double)group_bytes(m, i));
        result_append(l->table, "%s%.60s: %" PRIu64 " bytes in %.200s", n++ ? ", " : "", g->name, group_bytes(m, i), g->place);
    }
}

/* One that cannot be opened keeps no other from being. */
static void add_model(struct listing *l, const struct bundle_section *s, struct json *row)
{
    struct report *r = l->tree.report;
    char name[1100], number[BUNDLE_NAME_SIZE];
    struct model *m;
    struct err err;
    enum status st;

    snprintf(name, sizeof name, l->bundle->n_models > 1 ? "%.1000s#%.80s" : "%.1000s", l->r->path,
             bundle_name(l->bundle, s, number));
    if ((st = model_open_section(l->bundle, s, l->r->path, name, l->r->tool.weights, &m, &err))) {
        say_error(st, &err);
        l->failed = l->failed ? l->failed : status_exit_code(st);
        json_string(r, row, "failure", err.msg);
        json_null(r, row, "node_count");
        json_array(r, row, "operators");
        json_array(r, row, "signatures");
        json_array(r, row, "weights");
        result_text(l->table, "failed");
        result_skip(l->table, 0);
        return;
    }
    json_null(r, row, "failure");
    json_number(r, row, "node_count", count_ops(m));
    put_operators(r, row, m);
    result_text(l->table, "%u", count_ops(m));
    add_signatures(l, row, m);
    add_weights(l, row, m);
    model_close(m);
}

/* ---- the list ---- */

static const char *or_dash(const char *text)
{
    return *text ? text : "-";
}

static void add_section(struct listing *l, uint32_t i, struct json *list)
{
    const struct bundle_section *s = &l->bundle->sections[i];
    struct report *r = l->tree.report;
    struct json *row = json_object(r, list, NULL);

    JSON_NUMBERS(r, row, {"section", i}, {"offset", (double)s->at}, {"bytes", (double)s->bytes});
    JSON_STRINGS(r, row, {"name", *s->name ? s->name : NULL}, {"type", s->type},
                 {"model_type", *s->model_type ? s->model_type : NULL}, {"backend", *s->backend ? s->backend : NULL});
    result_text(l->table, "%u", i);
    result_text(l->table, "%s", s->type);
    result_text(l->table, "%s", or_dash(*s->name ? s->name : s->model_type));
    result_text(l->table, "%" PRIu64, s->bytes);
    if (s->kind == SECTION_MODEL) {
        add_model(l, s, row);
        return;
    }
    json_null(r, row, "failure");
    json_null(r, row, "node_count");
    json_array(r, row, "operators");
    json_array(r, row, "signatures");
    json_array(r, row, "weights");
    result_skip(l->table, 0);
}

static void add_list(struct listing *l)
{
    static const struct result_column columns[] = {{.title = "section", .right = true},
                                                   {.title = "type"},
                                                   {.title = "name"},
                                                   {.title = "bytes", .right = true},
                                                   {.title = "nodes", .right = true},
                                                   {.title = "signatures"},
                                                   {.title = "weights outside"}};
    static const char *const kinds[] = {"model", "MediaPipe bundle", "LiteRT-LM bundle"};
    const struct bundle *b = l->bundle;
    struct json *root = report_root(l->tree.report);
    struct json *list = json_array(l->tree.report, root, "sections");
    char sections[SAY_COUNT_SIZE], models[SAY_COUNT_SIZE];

    result_line(l->tree.parts[0], RESULT_PLAIN, "%.1023s: %s of %" PRIu64 " bytes, %s, %s", l->r->path, kinds[b->kind],
                b->file.bytes, say_count(b->n, "section", sections), say_count(b->n_models, "model", models));
    result_gap(l->tree.parts[0]);
    l->table = results_table(l->tree.parts[0], columns, sizeof columns / sizeof *columns, NULL);
    for (uint32_t i = 0; i < b->n; i++)
        add_section(l, i, list);
}

/* ---- one model as a file ---- */

static enum status write_section(const struct listing *l, const struct bundle_section *s, const char *path, struct err *err)
{
    struct file_range range;
    enum status st = file_map_range(&l->bundle->file, s->at, s->bytes, &range, err);

    if (st)
        return err_prefix(err, st, "%s", l->r->path);
    st = file_write(path, &(struct file_piece){range.data, range.bytes}, 1, err);
    file_unmap(&range);
    return st;
}

/* As it is, unless weights are to be put into it. What is no sound model is not written. */
static enum status write_model(struct listing *l, const struct bundle_section *s, const char *path, struct err *err)
{
    struct model *m;
    enum status st = model_open_section(l->bundle, s, l->r->path, l->r->path, l->r->tool.weights, &m, err);
    const bool whole = !st && l->r->flags.inline_weights && model_has_external(m);
    struct json *o;

    if (st)
        return st;
    st = whole ? model_write(m, path, err) : write_section(l, s, path, err);
    if (!st) {
        result_line(l->tree.parts[0], RESULT_PLAIN, "Extracted: section %u as %.1023s%s", (unsigned)(s - l->bundle->sections), path,
                    whole                   ? ", with its weights in it"
                    : model_has_external(m) ? ", as it is: its weights stay outside"
                                            : ", as it is");
        o = json_object(l->tree.report, report_root(l->tree.report), "extracted");
        json_number(l->tree.report, o, "section", (double)(s - l->bundle->sections));
        json_string(l->tree.report, o, "path", path);
        json_bool(l->tree.report, o, "weights_put_in", whole);
    }
    model_close(m);
    return st;
}

static enum status extract(struct listing *l, struct err *err)
{
    const char *text = l->r->flags.extract_model, *mark = strchr(text, '=');
    const struct bundle_section *s;
    char name[256];
    enum status st;

    if (!json_given(l->tree.report, report_root(l->tree.report), "extracted", *text))
        return ST_OK;
    if (!mark || !mark[1] || (size_t)(mark - text) >= sizeof name)
        return err_set(err, ST_USAGE, "--extract_model=%.100s: expected NAME=OUT.tflite, as --list names the models", text);
    snprintf(name, sizeof name, "%.*s", (int)(mark - text), text);
    if (file_is_same(mark + 1, l->r->path) || (*l->r->tool.json && file_is_same(mark + 1, l->r->tool.json)))
        return err_set(err, ST_USAGE, "--extract_model: %.200s would be overwritten", mark + 1);
    if ((st = bundle_choose(l->bundle, name, &s, err)))
        return err_prefix(err, st, "--extract_model");
    return write_model(l, s, mark + 1, err);
}

/* By the models that will be listed or written. */
static enum status check_weights(const struct listing *l, struct err *err)
{
    struct arena a = {0};
    const char **paths = ARENA_ARRAY(&a, l->bundle->n, const char *);
    uint32_t n = 0;
    enum status st;

    for (uint32_t i = 0; paths && i < l->bundle->n; i++) {
        if (l->bundle->sections[i].kind != SECTION_MODEL)
            continue;
        paths[n] = l->bundle->n_models > 1 ? arena_printf(&a, "%s#%u", l->r->path, i) : l->r->path;
        if (!paths[n++])
            paths = NULL;
    }
    st = paths ? tool_check_weights(&l->r->tool, paths, n, err) : err_set(err, ST_NOMEM, "out of memory for paths");
    arena_free(&a);
    return st;
}

static enum status list(struct listing *l, struct err *err)
{
    struct coverage_run *r = l->r;
    enum status st = check_weights(l, err);

    if (st)
        return st;
    report_origin(l->tree.report, &r->tool, "op_coverage_sections");
    json_string(l->tree.report, report_root(l->tree.report), "path", r->path);
    if (r->flags.list)
        add_list(l);
    else
        json_null(l->tree.report, report_root(l->tree.report), "sections");
    if ((st = extract(l, err)) || (st = results_say(l->tree.parts[0], RESULT_TEXT, err)) || !*r->tool.json)
        return st;
    return report_write(l->tree.report, r->tool.json, err);
}

int coverage_bundle(struct coverage_run *r)
{
    struct listing l = {.r = r};
    struct arena paths = {0};
    const char *name;
    struct err err;
    enum status st;
    int code;

    if ((st = check_flags(&r->tool.cli, &err)) || (st = tool_take_operand(&r->tool, "graph", &r->flags.graph, &err)))
        return say_error(st, &err);
    if (!*r->flags.graph)
        return say_error(err_set(&err, ST_USAGE, "--graph=FILE is needed: the bundle or model"), &err);
    (void)bundle_split(r->flags.graph, &paths, &name);
    arena_free(&paths);
    if (*name)
        return say_error(err_set(&err, ST_USAGE, "--list and --extract_model look at the whole bundle: leave #%.100s away", name),
                         &err);
    r->path = r->flags.graph;
    if ((st = tool_keep_model(&r->tool, r->path, &err)) || (st = bundle_open(r->path, &l.bundle, &err)))
        return say_error(st, &err);
    results_init(&l.tree, NULL, 1, *r->tool.json);
    code = (st = list(&l, &err)) ? say_error(st, &err) : l.failed;
    results_fini(&l.tree);
    bundle_close(l.bundle);
    return code;
}
