/* SPDX-License-Identifier: Apache-2.0 */
/* model_graph.c - reads a subgraph: tensors, operators, and every index between them. */
#include <stdlib.h>

#include "lib/model/model_impl.h"

/* What is known of a tensor while the operators of its subgraph are walked. */
struct use {
    uint32_t writer; /* 1 + the operator that wrote it last; 0: none */
    bool is_input;   /* of the subgraph */
};

static void check_indices(struct fb *f, const int32_t *index, uint32_t n, const struct model_subgraph *g, int32_t lowest,
                          const char *what)
{
    for (uint32_t i = 0; i < n && !f->st; i++)
        if (index[i] < lowest || (index[i] >= 0 && (uint32_t)index[i] >= g->n_tensors))
            fb_fail(f, ST_BAD_MODEL, "%s %u is tensor %d of %u", what, i, index[i], g->n_tensors);
}

static const int32_t *read_indices(struct fb *f, const struct fb_table *from, unsigned id, const struct model_subgraph *g,
                                   uint32_t *n, int32_t lowest, const char *what)
{
    const int32_t *index = fb_array(f, from, id, sizeof *index, n, what);

    check_indices(f, index, *n, g, lowest, what);
    return index;
}

static void read_custom(struct loader *l, const struct fb_table *from, struct model_op *op)
{
    struct fb *f = &l->fb;
    struct fb_vector v = fb_vector(f, from, OPERATOR_CUSTOM, 1, "custom options");
    uint64_t offset = fb_u64(f, from, OPERATOR_CUSTOM_OFFSET, 0), size = fb_u64(f, from, OPERATOR_CUSTOM_SIZE, 0);

    op->custom = v.data;
    op->n_custom = v.n;
    if (offset > 1 && !v.n) { /* 1 is the placeholder of a file not finished; 0 says that there are none */
        op->custom = model_outside(l, offset, size, "custom options");
        op->n_custom = size;
    }
}

/* A constant lies in a read-only map, so that writing one must be impossible, not only senseless. */
static void check_outputs(struct loader *l, const struct model_subgraph *g, const struct model_op *op, uint32_t number,
                          struct use *use)
{
    struct fb *f = &l->fb;

    for (uint32_t i = 0; i < op->n_outputs && !f->st; i++) {
        const struct tensor *t = &g->tensors[op->outputs[i]];

        if (t->is_const)
            fb_fail(f, ST_BAD_MODEL, "output %u is the constant tensor %u \"%.80s\"", i, t->index, t->name);
        use[t->index].writer = number + 1;
    }
    for (uint32_t i = 0; i < op->n_inputs && !f->st; i++)
        if (op->inputs[i] >= 0 && use[op->inputs[i]].writer == number + 1)
            fb_fail(f, ST_BAD_MODEL, "tensor %d is an input and an output of it", op->inputs[i]);
}

static void read_op(struct loader *l, const struct fb_table *from, const struct model_subgraph *g, struct model_op *op)
{
    struct fb *f = &l->fb;

    op->inputs = read_indices(f, from, OPERATOR_INPUTS, g, &op->n_inputs, -1, "input");
    op->outputs = read_indices(f, from, OPERATOR_OUTPUTS, g, &op->n_outputs, 0, "output");
    op->intermediates = read_indices(f, from, OPERATOR_INTERMEDIATES, g, &op->n_intermediates, -1, "intermediate");
    op->mutating = fb_bools(f, from, OPERATOR_MUTATING, &op->n_mutating, "mutating_variable_inputs");
    model_read_options(l, from, op);
    read_custom(l, from, op);
}

static void read_ops(struct loader *l, const struct fb_table *from, struct model_subgraph *g, struct use *use)
{
    struct fb *f = &l->fb;
    struct fb_vector v = fb_tables(f, from, SUBGRAPH_OPERATORS, "operators");

    if (!(g->ops = FB_ARRAY(f, v.n, struct model_op)))
        return;
    g->n_ops = v.n;
    for (uint32_t i = 0; i < v.n && !f->st; i++) {
        struct fb_table at = fb_item(f, &v, i, "the operator");
        struct model_op *op = &g->ops[i];

        op->opcode = fb_u32(f, &at, OPERATOR_OPCODE, 0);
        if (op->opcode >= l->m->n_opcodes) {
            fb_fail(f, ST_BAD_MODEL, "node %u has operator code %u of %u", i, op->opcode, l->m->n_opcodes);
            return;
        }
        read_op(l, &at, g, op);
        if (!f->st)
            check_outputs(l, g, op, i, use);
        if (f->st)
            fb_prefix(f, "node %u %.80s", i, model_op_name(l->m, op));
    }
}

static void read_tensors(struct loader *l, const struct fb_table *from, struct model_subgraph *g)
{
    struct fb *f = &l->fb;
    struct fb_vector v = fb_tables(f, from, SUBGRAPH_TENSORS, "tensors");

    if (!(g->tensors = FB_ARRAY(f, v.n, struct tensor)))
        return;
    g->n_tensors = v.n;
    for (uint32_t i = 0; i < v.n && !f->st; i++) {
        struct fb_table at = fb_item(f, &v, i, "the tensor");

        g->tensors[i].index = i;
        if (!f->st)
            model_read_tensor(l, &at, &g->tensors[i]);
    }
}

static void check_tensor_references(struct fb *f, const struct model_subgraph *g)
{
    for (uint32_t i = 0; i < g->n_tensors && !f->st; i++) {
        const struct quant *q = &g->tensors[i].quant;
        const int32_t refs[] = {q->block_scales, q->block_zero_points};

        if (!q->block_size && !q->n_block_shape && !q->n_axes)
            continue;
        check_indices(f, refs, 2, g, -1, "block quantization");
        if (f->st)
            fb_prefix(f, "tensor %u \"%.80s\"", i, g->tensors[i].name);
    }
}

/* Some files give an input a constant as well. What the caller passes wins; the constant is in a read-only map. */
static void mark_inputs(struct model_subgraph *g, struct use *use)
{
    for (uint32_t i = 0; i < g->n_inputs; i++) {
        struct tensor *t = &g->tensors[g->inputs[i]];

        t->data = NULL;
        t->is_const = t->is_known = false;
        if (t->type == TYPE_STRING)
            t->bytes = 0;
        use[t->index].is_input = true;
    }
}

/* A tensor without elements that nobody computes: its (missing) content is as fixed as any constant's, and shape inference
 * may rely on it, as in a RESHAPE to a scalar. */
static void mark_empty_constants(struct model_subgraph *g, const struct use *use)
{
    static const uint64_t nothing;

    for (uint32_t i = 0; i < g->n_tensors; i++) {
        struct tensor *t = &g->tensors[i];

        if (t->data || t->is_variable || use[i].writer || use[i].is_input || !type_bits(t->type) || tensor_elems(t))
            continue;
        t->data = (void *)&nothing;
        t->is_const = t->is_known = true;
    }
}

void model_read_subgraph(struct loader *l, const struct fb_table *from, struct model_subgraph *g)
{
    struct fb *f = &l->fb;
    const char *name = fb_string(f, from, SUBGRAPH_NAME, "the name");
    struct use *use;

    g->name = name ? name : "";
    g->debug_metadata_index = fb_i32(f, from, SUBGRAPH_DEBUG_METADATA, -1);
    read_tensors(l, from, g);
    check_tensor_references(f, g);
    g->inputs = read_indices(f, from, SUBGRAPH_INPUTS, g, &g->n_inputs, 0, "input");
    g->outputs = read_indices(f, from, SUBGRAPH_OUTPUTS, g, &g->n_outputs, 0, "output");
    if (f->st)
        return;
    if (!(use = calloc(g->n_tensors + 1, sizeof *use))) {
        fb_fail(f, ST_NOMEM, "out of memory for %u tensors", g->n_tensors);
        return;
    }
    mark_inputs(g, use);
    read_ops(l, from, g, use);
    if (!f->st)
        mark_empty_constants(g, use);
    free(use);
}
