/* SPDX-License-Identifier: Apache-2.0 */
/* accept.c - the checks that decide whether a node runs on the GPU. */
#include "lib/gl/lower/exact.h"
#include "lib/gl/lower/floats.h"
#include "lib/gl/lower/int64.h"
#include "lib/gl/lower/quantized.h"

static bool check_shape(const struct gl_limits *lim, const struct tensor *t, struct reason *why)
{
    struct ir_shape s;

    if (!ir_shape_of(t, &s))
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "%s is empty", TENSOR_TEXT(t));
    return gl_fits(lim, ir_type_of(t), s, why);
}

/* A scale, and no zero point, for each block of the last axis, as the CPU takes them. */
static bool check_blocks(const struct graph *g, const struct tensor *t, uint32_t i, struct reason *why)
{
    const struct quant *q = &t->quant;
    const struct tensor *s = q->block_scales >= 0 && (uint32_t)q->block_scales < g->n_tensors ? &g->tensors[q->block_scales] : NULL;
    const size_t block = (size_t)q->block_size;

    if (!s || !s->is_const || !s->data || (s->type != TYPE_FLOAT16 && s->type != TYPE_FLOAT32) || !t->rank ||
        (size_t)t->dim[t->rank - 1] % block || tensor_elems(s) != tensor_elems(t) / block || q->block_zero_points >= 0)
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "constant input %u is quantized by blocks of %d without scales", i,
                          q->block_size);
    return true;
}

/* `reals`: it becomes floats wherever it does not fit what the kernel takes. */
static bool check_constant(const struct graph *g, const struct gl_kernel *k, const struct tensor *t, uint32_t i, uint32_t types,
                           bool reals, struct reason *why)
{
    uint32_t allowed = types | 1u << TYPE_INT32 | 1u << TYPE_INT64;

    if (types & TAKES_FLOAT)
        allowed |= TAKES_SHORT_FLOAT | TAKES_QUANTIZED;
    if (types & TAKES_FLOAT && reals)
        allowed |= 1u << TYPE_INT4 | 1u << TYPE_INT2;
    if (t->sparsity && !k->reads_sparse)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "constant input %u is stored sparse", i);
    if (!(allowed >> t->type & 1))
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "constant input %u has type %s", i, type_name(t->type));
    if (t->quant.block_size > 0 && !reals)
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "constant input %u is quantized by blocks", i);
    if (t->quant.n_axes)
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "constant input %u is quantized along %u axes", i, t->quant.n_axes);
    return t->quant.block_size <= 0 || check_blocks(g, t, i, why);
}

/* Of the types that a kernel takes: floats of 16 bits are such; a quantized tensor stands for floats, or what moves any moves those
 * of integers, too. */
static uint32_t types_of(const struct node *n, const struct gl_kernel *k, uint32_t types, enum gpu_quant quant)
{
    uint32_t all = types ? types : TAKES_FLOAT;

    if (all & TAKES_FLOAT)
        all |= TAKES_SHORT_FLOAT;
    if (all & TAKES_INT && gl_int64_move(n))
        all |= 1u << TYPE_UINT32;
    if (gl_exact_computes(n, quant))
        return gl_exact_moves(n) ? all | TAKES_QUANTIZED : all;
    return quant == GPU_QUANT_SIMULATE ? all | k->quantized : all;
}

/* A tensor of plain integers where integers are taken. One of the same type that stands for reals beside it would be another type
 * to lowering. */
static bool takes_plain(const struct node *n, const struct tensor *t, uint32_t types, enum gpu_quant quant)
{
    if (!tensor_is_plain(t) || !(types & 1u << TYPE_INT32))
        return false;
    for (uint32_t i = 0; i < n->n_in + n->n_out && !gl_exact_computes(n, quant); i++) {
        const struct tensor *other = i < n->n_in ? n->in[i] : n->out[i - n->n_in];

        if (other && other->type == t->type && ir_is_quantized(other))
            return false;
    }
    return true;
}

/* Of a tensor made at run time. `plain`: it is taken as such. */
static bool check_quantized(const struct tensor *t, const struct gl_kernel *k, bool integers, bool plain, struct reason *why)
{
    return integers || plain || !(k->quantized >> t->type & 1) || gl_quantized_fits(t, why);
}

static bool check_all_quantized(const struct node *n, const struct gl_kernel *k, enum gpu_quant quant, struct reason *why)
{
    const uint32_t in = types_of(n, k, k->in_types, quant), out = types_of(n, k, k->out_types, quant);
    const bool integers = gl_exact_computes(n, quant);

    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && !n->in[i]->is_const && !check_quantized(n->in[i], k, integers, takes_plain(n, n->in[i], in, quant), why))
            return false;
    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i] && !check_quantized(n->out[i], k, integers, takes_plain(n, n->out[i], out, quant), why))
            return false;
    if (k->same_steps && n->n_in && n->in[0] && n->n_out && n->out[0] && ir_is_quantized(n->in[0]) &&
        !gl_same_steps(n->in[0], n->out[0]))
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "input and output have different scales or zero points");
    return true;
}

static bool check_tensors(const struct gl_limits *lim, enum gpu_quant quant, const struct graph *g, const struct node *n,
                          const struct gl_kernel *k, struct reason *why)
{
    const bool reals = !gl_exact_computes(n, quant);
    bool computes;
    const uint32_t words = gl_int64_takes(n, &computes) ? IR_TAKES_INT64 : 0;
    const uint32_t in = types_of(n, k, k->in_types, quant) | words, out = types_of(n, k, k->out_types, quant) | words;

    for (uint32_t i = 0; i < n->n_in; i++) {
        const struct tensor *t = n->in[i];

        if (!t || (n->variable && t->type == TYPE_RESOURCE)) /* its number: n->variable is what is read */
            continue;
        if (t->is_const ? !check_constant(g, k, t, i, in, reals, why) : !check_shape(lim, t, why))
            return false;
        if (t->is_variable && !k->updates_variables)
            return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "input %u is a variable: its content stays with the CPU",
                              i);
        if (!t->is_const && !(in >> t->type & 1) && !takes_plain(n, t, in, quant))
            return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input %u has type %s", i, type_name(t->type));
    }
    for (uint32_t i = 0; i < n->n_out; i++) {
        const struct tensor *t = n->out[i];

        if (!t)
            continue;
        if (!(out >> t->type & 1) && !takes_plain(n, t, out, quant))
            return reason_set(why, REASON_UNSUPPORTED_OUTPUT_TYPE, "output %u has type %s", i, type_name(t->type));
        if (!check_shape(lim, t, why))
            return false;
    }
    return quant == GPU_QUANT_EXACT || check_all_quantized(n, k, quant, why);
}

/* Of a node for which gl_kernel_of() is NULL. */
static bool refuse(const struct node *n, struct reason *why)
{
    if (!n->op || !n->op->gl)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR, "no shader for this operator");
    return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "no exact integer shader for this operator");
}

bool gl_accept(const struct gl_limits *lim, enum gpu_quant quant, const struct graph *g, const struct node *n, struct reason *why)
{
    const struct gl_kernel *k = gl_kernel_of(n, quant);
    bool computes;

    if (!k)
        return refuse(n, why);
    if (n->version > k->max_version && k->max_version != GL_ANY_VERSION)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VERSION, "version %d, at most %d is supported", n->version,
                          k->max_version);
    if (n->dynamic)
        return reason_set(why, REASON_DYNAMIC_SHAPE, "the output's shape is known only while running");
    for (uint32_t i = 0; i < n->n_in; i++) /* strings, whose size a session alone takes for unknown, are refused for their type */
        if (n->in[i] && n->in[i]->is_dynamic && n->in[i]->type != TYPE_STRING)
            return reason_set(why, REASON_DYNAMIC_SHAPE, "the shape of input %u is known only while running", i);
    if (!check_tensors(lim, quant, g, n, k, why))
        return false;
    if (gl_int64_takes(n, &computes) && computes)
        return gl_int64_fit(lim, n, why);
    return !k->accept || k->accept(lim, n, why);
}
