/* SPDX-License-Identifier: Apache-2.0 */
/* exact.c - see exact.h */
#include "lib/gl/lower/exact.h"

#include <string.h>

#include "lib/gl/lower/quantized.h"
#include "lib/graph/float_weights.h"

#define EXACT(name, kernel)        extern const struct gl_kernel gl_##kernel;
#define EXACT_CUSTOM(name, kernel) extern const struct gl_kernel gl_##kernel;
#include "lib/gl/lower/exact.def"

/* Tables by kind of row, since most rows of one would have room for what only few say. */
static const struct {
    const struct gl_kernel *kernel;
    int32_t builtin;
} computed[] = {
#define EXACT(name, kernel) {&gl_##kernel, BUILTIN_##name},
#include "lib/gl/lower/exact.def"
};

static const struct {
    const struct gl_kernel *kernel;
    const char *name;
} customs[] = {
#define EXACT_CUSTOM(name, kernel) {&gl_##kernel, name},
#include "lib/gl/lower/exact.def"
};

static const struct {
    int16_t builtin;
    bool any_steps;
} own[] = {
#define EXACT_MOVES(name)  {BUILTIN_##name, false},
#define EXACT_COUNTS(name) {BUILTIN_##name, true},
#include "lib/gl/lower/exact.def"
};

static const struct {
    bool (*holds)(const struct node *n);
    int32_t builtin;
} as_reals[] = {
#define EXACT_REALS(name, rule) {gl_reals_##rule, BUILTIN_##name},
#include "lib/gl/lower/exact.def"
};
_Static_assert(BUILTIN_COUNT <= INT16_MAX, "numbers of operators fit 16 bits");

/* What exact.def says of a node. */
struct row {
    bool there;
    bool any_steps;
    const struct gl_kernel *kernel; /* NULL: the operator's own */
};

static struct row row_of(const struct node *n)
{
    for (size_t i = 0; i < sizeof computed / sizeof *computed; i++)
        if (computed[i].builtin == n->builtin)
            return (struct row){true, false, computed[i].kernel};
    for (size_t i = 0; i < sizeof customs / sizeof *customs; i++)
        if (n->builtin == BUILTIN_CUSTOM && n->op && !strcmp(customs[i].name, n->op->name))
            return (struct row){true, false, customs[i].kernel};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own[i].builtin == n->builtin)
            return (struct row){true, own[i].any_steps, NULL};
    return (struct row){0};
}

static bool has_quantized(const struct node *n)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && ir_is_quantized(n->in[i]))
            return true;
    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i] && ir_is_quantized(n->out[i]))
            return true;
    return false;
}

bool gl_exact_concerns(const struct node *n)
{
    return has_quantized(n) || node_is_hybrid(n);
}

/* Made at run time, with steps, and of none of these types. */
static bool is_none_of(uint32_t types, const struct tensor *t)
{
    return t && (ir_is_quantized(t) || (t->type == TYPE_INT32 && t->quant.n && !t->is_const)) && !(types >> t->type & 1);
}

/* Its steps have no reals on the device. */
static bool is_coarse(const struct tensor *t)
{
    struct reason why;

    return t && ir_is_quantized(t) && !gl_quantized_fits(t, &why);
}

/* The operator's own kernel takes all quantized tensors of the node as the reals that they stand for. */
static bool takes_reals(const struct node *n)
{
    const struct gl_kernel *k = n->op->gl;

    for (uint32_t i = 0; k && i < n->n_in; i++)
        if (is_none_of(k->quantized | k->in_types, n->in[i]) || is_coarse(n->in[i]))
            return false;
    for (uint32_t i = 0; k && i < n->n_out; i++)
        if (is_none_of(k->quantized | k->out_types, n->out[i]) || is_coarse(n->out[i]))
            return false;
    if (!k || gl_exact_counts(n))
        return false;
    for (size_t i = 0; i < sizeof as_reals / sizeof *as_reals; i++)
        if (as_reals[i].builtin == n->builtin)
            return as_reals[i].holds(n);
    return gl_exact_moves(n) && gl_reals_same_steps(n);
}

bool gl_exact_computes(const struct node *n, enum gpu_quant quant)
{
    if (quant == GPU_QUANT_EXACT)
        return gl_exact_concerns(n);
    return quant == GPU_QUANT_SIMULATE && n->op && row_of(n).there && has_quantized(n) && !takes_reals(n);
}

bool gl_exact_moves(const struct node *n)
{
    struct row row = row_of(n);

    return row.there && !row.kernel;
}

bool gl_exact_counts(const struct node *n)
{
    return row_of(n).any_steps;
}

bool gl_reals_always(const struct node *n)
{
    (void)n;
    return true;
}

bool gl_reals_same_steps(const struct node *n)
{
    const struct tensor *first = NULL;

    for (uint32_t i = 0; i < n->n_in + n->n_out; i++) {
        const struct tensor *t = i < n->n_in ? n->in[i] : n->out[i - n->n_in];

        if (!t || !tensor_is_quantized(t))
            continue;
        if (first && !gl_same_steps(first, t))
            return false;
        first = t;
    }
    return true;
}

const struct gl_kernel *gl_kernel_of(const struct node *n, enum gpu_quant quant)
{
    struct row row;

    if (!n->op)
        return NULL;
    if (!gl_exact_computes(n, quant))
        return n->op->gl;
    row = row_of(n);
    return row.kernel ? row.kernel : row.there ? n->op->gl : NULL;
}

void gl_exact_begin(struct ir *ir)
{
    ir->exact = ir->lowering.exact = true;
    for (uint32_t i = 0; i < ir->graph->n_nodes; i++)
        ir->in_order |= node_is_hybrid(&ir->graph->nodes[i]);
    for (uint32_t i = 0; i < ir->n_inputs; i++)
        ir->by_tensor[ir->inputs[i]->tensor->index] = ir->inputs[i];
    for (uint32_t i = 0; i < ir->n_outputs; i++) {
        struct ir_value **v = &ir->by_tensor[ir->outputs[i]->tensor->index];

        if (*v)
            ir->outputs[i] = *v;
        *v = ir->outputs[i];
        (*v)->is_output = true;
    }
}
