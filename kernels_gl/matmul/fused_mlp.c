/* SPDX-License-Identifier: Apache-2.0 */
/* fused_mlp.c - see fused_mlp.h */
#include "kernels_gl/matmul/fused_mlp.h"

#include <stdio.h>
#include <string.h>

#include "kernels_gl/common/kinds.h"
#include "kernels_gl/common/window.h"
#include "kernels_gl/matmul/conv_common.h"
#include "lib/gl/lower/activation.h"
#include "lib/gl/passes/choose.h"

#define MOST_LAYERS   8
#define LANES         128
#define MOST_SLICES   LANES /* of a layer's input and output */
#define MOST_PRODUCTS 2048  /* of vectors, of each layer: more of them are better spread over all of the device */

struct fused_mlp {
    struct ir_op *layer[MOST_LAYERS]; /* [n] as they are apart; the last one without epilogues */
    uint32_t n;
};

/* Return true if the function is short enough to be written out for each layer. */
static bool is_function_between(const struct ir_epilogue *e)
{
    static const struct ir_fn *const fns[] = {&fn_relu, &fn_relu6, &fn_relu_n1_to_1, &fn_tanh, &fn_logistic};

    for (size_t i = 0; e && !e->next && i < sizeof fns / sizeof *fns; i++)
        if (e->fn == fns[i])
            return true;
    return !e;
}

static bool is_layer(const struct ir_op *op)
{
    const struct ir_value *x = op->in[0], *y = op->out;

    return op->kind == &gl_kind_conv && conv_is_product(op) && x->type == IR_FLOAT && op->stores == IR_FLOAT && y->shape.h == 1 &&
           y->shape.w == 1 && ir_slices(x->shape) <= MOST_SLICES && ir_slices(y->shape) <= MOST_SLICES &&
           ir_slices(x->shape) * ir_slices(y->shape) <= MOST_PRODUCTS;
}

/* Small layers spend most of their time on a dispatch and a barrier. On a CPU dispatches cost little, and layers share a program.
 */
static bool is_worth_it(const struct ir *ir)
{
    return !ir->limits->policy.software || gl_is_asked_for(ir, &gl_kind_fused_mlp);
}

/* Start the chain with the layers of `first`. False if memory runs out. */
static bool take_layers(struct ir *ir, struct ir_op *first, struct fused_mlp *c)
{
    if (first->kind != &gl_kind_fused_mlp) {
        c->layer[c->n++] = first;
        return true;
    }
    *c = *(const struct fused_mlp *)first->attr;
    if (!(c->layer[c->n - 1] = ARENA_NEW(ir->arena, struct ir_op)))
        return false;
    *c->layer[c->n - 1] = *((const struct fused_mlp *)first->attr)->layer[c->n - 1];
    c->layer[c->n - 1]->epilogue = first->epilogue;
    return true;
}

bool fused_mlp_join(struct ir *ir, struct ir_op *op, struct ir_op *first, bool *done)
{
    const bool goes_on = first->kind == &gl_kind_fused_mlp && ((const struct fused_mlp *)first->attr)->n < MOST_LAYERS;
    struct fused_mlp *c;
    struct ir_op *last;

    *done = is_layer(op) && (goes_on || is_layer(first)) && is_function_between(first->epilogue) && !ir->limits->policy.any_batch &&
            is_worth_it(ir);
    if (!*done)
        return true;
    if (!(last = ir_join(ir, op, first, &gl_kind_fused_mlp, sizeof *c)) || !take_layers(ir, first, c = op->attr))
        return false;
    c->layer[c->n++] = last;
    return true;
}

/* ---- the dispatch ---- */

/* Invocations that share the sum of each vector of output. */
static int32_t parts_of(const struct ir_op *layer)
{
    int32_t parts = 1;

    while (2 * parts * ir_slices(layer->out->shape) <= LANES && 2 * parts <= ir_slices(layer->in[0]->shape))
        parts *= 2;
    return parts;
}

struct packed {
    struct filter filter[MOST_LAYERS]; /* [n] */
    size_t first[MOST_LAYERS + 1];     /* vectors before each, and all */
};

/* Biases and weights of each layer, as window.h has them. */
static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct packed *k = arg;
    float *v = to;

    for (size_t layer = 0, end = first + n; first < end; layer++) {
        const size_t stop = k->first[layer + 1] < end ? k->first[layer + 1] : end;

        if (first >= stop)
            continue;
        window_pack(&k->filter[layer], first - k->first[layer], stop - first, v);
        v += 4 * (stop - first);
        first = stop;
    }
}

/* Its numbers and function, and the call of it. */
static void define_layer(struct gl_shader *p, uint32_t i, const struct ir_op *layer, int32_t first, char *call, size_t size)
{
    static const char *const names[] = {"IN", "OUT", "CHANNELS", "PARTS", "FIRST"};
    const int32_t values[] = {ir_slices(layer->in[0]->shape), ir_slices(layer->out->shape), layer->out->shape.c, parts_of(layer),
                              first};
    char name[24];

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(name, sizeof name, "%s%u", names[k], i);
        gl_param(p, name, values[k]);
    }
    snprintf(name, sizeof name, "FUNCTION%u(a)", i);
    gl_define_text(p, name, layer->epilogue ? layer->epilogue->fn->f : "a");
    snprintf(call, size, "LAYER(IN%u, OUT%u, CHANNELS%u, PARTS%u, FIRST%u, FUNCTION%u) ", i, i, i, i, i, i);
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct fused_mlp *c = op->attr;
    char layers[MOST_LAYERS * 80] = "";
    struct packed k = {.first = {0}};
    int32_t widest = ir_slices(op->in[0]->shape);

    gl_source(p, fused_mlp_comp);
    gl_operands(p, "x");
    for (uint32_t i = 0; i < c->n; i++) {
        const struct ir_op *layer = c->layer[i];
        const int32_t in = ir_slices(layer->in[0]->shape), out = ir_slices(layer->out->shape);

        k.filter[i] = conv_filter(layer);
        k.first[i + 1] = k.first[i] + window_heads(false, false, (size_t)out) + (size_t)out * (size_t)(4 * in);
        define_layer(p, i, layer, (int32_t)k.first[i], layers + strlen(layers), sizeof layers - strlen(layers));
        widest = out > widest ? out : widest;
    }
    gl_weights(p, "w", k.first[c->n], pack, &k, sizeof k);
    gl_define_text(p, "LAYERS", layers);
    GL_DEFINES(p, "LANES WIDEST", LANES, widest);
    gl_shared(p, 16u * (uint32_t)(LANES + widest));
    gl_group(p, LANES, 1);
    gl_grid_of(p, op->out->shape.b, 1, LANES, 1);
}

static bool fits(const struct ir_op *op, const struct gl_limits *lim)
{
    return lim->group_size[0] >= LANES && lim->group_invocations >= LANES && lim->shared_bytes >= 16 * (LANES + MOST_SLICES) &&
           op->out->shape.b <= (int64_t)lim->group_count[2];
}

static uint64_t iterations(const struct ir_op *op)
{
    const struct fused_mlp *c = op->attr;
    uint64_t n = GL_PASSES(1) + GL_PASSES(1);

    for (uint32_t i = 0; i < c->n; i++) {
        const uint64_t in = (uint64_t)ir_slices(c->layer[i]->in[0]->shape), parts = (uint64_t)parts_of(c->layer[i]);

        n += GL_PASSES((in + parts - 1) / parts) + GL_PASSES(parts);
    }
    return n;
}

static bool expand_apart(struct ir *ir, const struct ir_op *op)
{
    const struct fused_mlp *c = op->attr;

    for (uint32_t i = 0; i < c->n; i++)
        if (!ir_append(ir, c->layer[i]))
            return false;
    return ir_hand_over(op, c->layer[c->n - 1]);
}

static const struct gl_variant variants[] = {
    {"workgroup", fits, emit, .iterations = iterations},
    {"apart", NULL, .expand = expand_apart},
};

static bool reorder(struct ir *ir, struct ir_op *op, struct ir_shape from, bool *done)
{
    return conv_reorder(ir, ((const struct fused_mlp *)op->attr)->layer[0], from, done);
}

const struct ir_kind gl_kind_fused_mlp = {.name = "chain", .constants = 1, GL_VARIANTS(variants), IR_TRAITS(.reorder = reorder)};
