/* SPDX-License-Identifier: Apache-2.0 */
/* dump_ir.c - JSON and DOT of an ir. */
#include "lib/gl/ir/dump_ir.h"

#include <string.h>

#include "lib/base/file_write.h"
#include "lib/gl/ir/kernel.h"
#include "lib/gl/ir/text.h"

/* Text between quotation marks of JSON or DOT, whose names come from files that anybody wrote. */
static void add_quoted(struct text *t, const char *s)
{
    text_add(t, "\"");
    for (; *s; s++)
        if (*s == '"' || *s == '\\')
            text_add(t, "\\%c", *s);
        else if ((unsigned char)*s < ' ')
            text_add(t, "?");
        else
            text_bytes(t, s, 1);
    text_add(t, "\"");
}

static const char *type_word(enum ir_type type)
{
    return (const char *[]){"float", "int", "bool"}[type];
}

static const char *format_word(enum gl_format format)
{
    return (const char *[]){"float32", "float16", "int32", "int8", "uint8"}[format];
}

static const char *storage_word(enum gl_storage storage)
{
    return (const char *[]){"buffer", "image", "texture"}[storage];
}

static void add_shape(struct text *t, struct ir_shape s)
{
    text_add(t, "[%d,%d,%d,%d]", s.b, s.h, s.w, s.c);
}

static void add_id(struct text *t, const struct ir_value *v)
{
    if (v)
        text_add(t, "%u", v->id);
    else
        text_add(t, "null");
}

/* What of the values some operation or the border names: seen[ir->n_values]. */
static void mark(void *arg, struct ir_value **operand)
{
    ((bool *)arg)[(*operand)->id] = true;
}

static bool *seen_values(const struct ir *ir, struct arena *a)
{
    bool *seen = ARENA_ARRAY(a, ir->n_values + 1, bool);

    for (uint32_t i = 0; seen && i < ir->n_ops; i++) {
        ir_each_operand(ir->ops[i], mark, seen);
        seen[ir->ops[i]->out->id] = true;
        if (ir->ops[i]->out2)
            seen[ir->ops[i]->out2->id] = true;
    }
    for (uint32_t i = 0; seen && i < ir->n_values; i++)
        seen[i] |= ir->values[i]->is_input || ir->values[i]->is_output;
    for (uint32_t i = 0; seen && i < ir->n_values; i++)
        if (seen[i])
            seen[ir_root(ir->values[i])->id] = true;
    return seen;
}

/* ---- JSON ---- */

static void add_axis_map(struct text *t, const char *axis, const struct ir_axis_map *m)
{
    text_add(t, "\"%s\": {\"before\": %d, \"length\": %d, \"shift\": %d, \"mirrors\": %s, \"twice\": %s}", axis, m->before,
             m->length, m->shift, m->mirrors ? "true" : "false", m->twice ? "true" : "false");
}

static void add_blend_axis(struct text *t, const char *axis, const struct ir_blend_axis *a)
{
    text_add(t, "\"%s\": {\"length\": %d, \"scale\": %.9g}", axis, a->length, (double)a->scale);
}

static void add_value(struct text *t, const struct ir_value *v, bool stored)
{
    text_add(t, "  {\"id\": %u, \"name\": ", v->id);
    if (v->tensor)
        add_quoted(t, v->tensor->name);
    else
        text_add(t, "null");
    text_add(t, ", \"type\": \"%s\", \"shape\": ", type_word(v->type));
    add_shape(t, v->shape);
    text_add(t, ", \"constant\": %s, \"input\": %s, \"output\": %s", v->data ? "true" : "false", v->is_input ? "true" : "false",
             v->is_output ? "true" : "false");
    if (stored)
        text_add(t, ", \"format\": \"%s\", \"storage\": \"%s\", \"view\": ", format_word(v->format), storage_word(v->storage));
    else
        text_add(t, ", \"format\": null, \"storage\": null, \"view\": ");
    if (v->view.of) {
        text_add(t, "{\"of\": %u, \"at\": ", v->view.of->id);
        add_shape(t, v->view.at);
        text_add(t, ", \"pitch\": ");
        add_shape(t, v->view.pitch);
        text_add(t, ", \"map\": %s", v->view.map ? "{" : "null");
        if (v->view.map) {
            add_axis_map(t, "h", &v->view.map->h);
            text_add(t, ", ");
            add_axis_map(t, "w", &v->view.map->w);
            text_add(t, "}");
        }
        text_add(t, ", \"blend\": %s", v->view.blend ? "{" : "null");
        if (v->view.blend) {
            text_add(t, "\"center\": %g, ", (double)v->view.blend->center);
            add_blend_axis(t, "h", &v->view.blend->h);
            text_add(t, ", ");
            add_blend_axis(t, "w", &v->view.blend->w);
            text_add(t, "}");
        }
        if (v->view.blocks)
            text_add(t, ", \"blocks\": [%d,%d,%d]", v->view.blocks->h, v->view.blocks->w, v->view.blocks->channels);
        text_add(t, "}}");
    } else {
        text_add(t, "null}");
    }
}

static void add_epilogue(struct text *t, const struct ir_epilogue *list)
{
    text_add(t, "[");
    for (const struct ir_epilogue *e = list; e; e = e->next) {
        text_add(t, "%s{\"function\": ", e == list ? "" : ", ");
        add_quoted(t, e->fn->name);
        text_add(t, ", \"operands\": [");
        for (uint32_t i = 0; i < e->fn->arity; i++) {
            text_add(t, "%s", i ? ", " : "");
            if (!e->operand[i] && e->back[i])
                text_add(t, "{\"back\": %u}", e->back[i]);
            else
                add_id(t, e->operand[i]);
        }
        text_add(t, "]}");
    }
    text_add(t, "]");
}

static void add_op(struct text *t, const struct ir_op *op)
{
    text_add(t, "  {\"kind\": ");
    add_quoted(t, op->kind->name);
    text_add(t, ", \"variant\": ");
    if (op->variant)
        add_quoted(t, op->variant->name);
    else
        text_add(t, "null");
    text_add(t, ", \"nodes\": [");
    for (uint32_t i = 0; i < op->n_nodes; i++)
        text_add(t, "%s%u", i ? ", " : "", op->nodes[i]->index);
    text_add(t, "], \"in\": [");
    for (uint32_t i = 0; i < op->n_in; i++) {
        text_add(t, "%s", i ? ", " : "");
        add_id(t, op->in[i]);
    }
    text_add(t, "], \"out\": ");
    add_id(t, op->out);
    text_add(t, ", \"out2\": ");
    add_id(t, op->out2);
    text_add(t, ", \"epilogue\": ");
    add_epilogue(t, op->epilogue);
    text_add(t, "}");
}

static void add_json(struct text *t, const struct ir *ir, const bool *seen, const char *pass, uint32_t number)
{
    bool stored = false, first = true;

    for (uint32_t i = 0; i < ir->n_values; i++)
        stored |= ir->values[i]->storage != GL_STORAGE_BUFFER || ir->values[i]->view.of;
    for (uint32_t i = 0; i < ir->n_ops; i++)
        stored |= ir->ops[i]->variant != NULL;
    text_add(t, "{\n \"pass\": ");
    add_quoted(t, pass);
    text_add(t, ",\n \"number\": %u,\n \"subgraph\": %u,\n \"first_node\": %u,\n \"values\": [\n", number, ir->graph->subgraph,
             ir->first_node);
    for (uint32_t i = 0; i < ir->n_values; i++)
        if (seen[i]) {
            text_add(t, "%s", first ? "" : ",\n");
            add_value(t, ir->values[i], stored);
            first = false;
        }
    text_add(t, "\n ],\n \"operations\": [\n");
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        text_add(t, "%s", i ? ",\n" : "");
        add_op(t, ir->ops[i]);
    }
    text_add(t, "\n ]\n}\n");
}

/* ---- DOT ---- */

/* "conv 4x2 +RELU6", then the nodes and what comes out. */
static void add_box(struct text *t, const struct ir_op *op, uint32_t i)
{
    struct text label = {.arena = t->arena};

    text_add(&label, "%s", op->kind->name);
    if (op->variant && op->variant->name[0])
        text_add(&label, " %s", op->variant->name);
    for (const struct ir_epilogue *e = op->epilogue; e; e = e->next)
        text_add(&label, " +%s", e->fn->name);
    text_add(&label, " ");
    add_shape(&label, op->out->shape);
    if (op->n_nodes)
        text_add(&label, " node %u %s", op->nodes[0]->index, op->nodes[0]->name);
    if (op->n_nodes > 1)
        text_add(&label, " and %u more", op->n_nodes - 1);
    if (op->out->view.of)
        text_add(&label, " in value %u", op->out->view.of->id);
    text_add(t, " op%u [shape=box, label=", i);
    if (label.failed)
        t->failed = true;
    else
        add_quoted(t, label.s);
    text_add(t, "];\n");
}

struct edges {
    const struct ir *ir;
    struct text *t;
    uint32_t to;
};

static void add_edge(void *arg, struct ir_value **operand)
{
    const struct edges *e = arg;

    if ((*operand)->data)
        return;
    for (uint32_t i = 0; i < e->ir->n_ops; i++)
        if (e->ir->ops[i]->out == *operand || e->ir->ops[i]->out2 == *operand) {
            text_add(e->t, " op%u -> op%u;\n", i, e->to);
            return;
        }
    text_add(e->t, " value%u -> op%u;\n", (*operand)->id, e->to);
}

static void add_dot(struct text *t, const struct ir *ir, const bool *seen)
{
    text_add(t, "digraph partition {\n");
    for (uint32_t i = 0; i < ir->n_values; i++) {
        const struct ir_value *v = ir->values[i];

        if (!seen[i] || !(v->is_input || v->is_output))
            continue;
        text_add(t, " value%u [label=", i);
        add_quoted(t, v->tensor ? v->tensor->name : "");
        text_add(t, "];\n");
    }
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        struct edges e = {ir, t, i};

        add_box(t, ir->ops[i], i);
        ir_each_operand(ir->ops[i], add_edge, &e);
        if (ir->ops[i]->out->is_output)
            text_add(t, " op%u -> value%u;\n", i, ir->ops[i]->out->id);
    }
    text_add(t, "}\n");
}

/* ---- files ---- */

static enum status write(const struct ir *ir, const char *dir, const char *pass, uint32_t number, const char *ending,
                         const struct text *t, struct err *err)
{
    char path[4096], subgraph[24] = "";
    enum status st;
    int n;

    if (ir->graph->subgraph)
        snprintf(subgraph, sizeof subgraph, "subgraph%u-", ir->graph->subgraph);
    n = snprintf(path, sizeof path, "%s/%snode%u-%02u-%s.%s", dir, subgraph, ir->first_node, number, pass, ending);
    if (n < 0 || (size_t)n >= sizeof path)
        return err_set(err, ST_IO, "%.100s...: the path of a graph is too long", dir);
    for (char *c = path + strlen(dir) + 1; *c; c++)
        if (*c == ' ')
            *c = '_';
    st = file_write(path, &(struct file_piece){t->s, t->n}, 1, err);
    return st == ST_FAILED ? ST_IO : st;
}

enum status gl_dump_ir_try(const char *dir, struct err *err)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/node0-00-lowered.json", dir);

    if (n < 0 || (size_t)n >= sizeof path)
        return err_set(err, ST_IO, "%.100s...: the path of a graph is too long", dir);
    return file_try_write(path, err);
}

enum status gl_dump_ir(const struct ir *ir, const char *dir, const char *pass, uint32_t number, struct err *err)
{
    struct arena a = {0};
    struct text json = {.arena = &a}, dot = {.arena = &a};
    const bool *seen = seen_values(ir, &a);
    enum status st;

    if (seen) {
        add_json(&json, ir, seen, pass, number);
        add_dot(&dot, ir, seen);
    }
    st = !seen || json.failed || dot.failed ? ir_nomem(err) : write(ir, dir, pass, number, "json", &json, err);
    if (!st)
        st = write(ir, dir, pass, number, "dot", &dot, err);
    arena_free(&a);
    return st;
}
