/* SPDX-License-Identifier: Apache-2.0 */
/* fully_connected_quant.c - FULLY_CONNECTED on UINT8, INT8 and INT16 activations.
 *
 * TFLite scales these sums in double precision, unlike those of convolutions. Where the CPU multiplies bytes, INT8 inputs become or
 * stay bytes, as in conv_quant.c. */
#include <string.h>

#include "kernels_cpu/matmul/fully_connected.h"
#include "kernels_cpu/matmul/gemm_bytes.h"
#include "kernels_cpu/matmul/int_weights.h"
#include "kernels_cpu/quant/widen.h"

struct fc_plan {
    struct fc_shape s;
    const struct gemm_type *type;
    const struct gemm_isa *isa;
    struct requant requant;
    struct int_weights weights;
    bool bytes;    /* on gemm_bytes: the weights are constant */
    size_t w, x;   /* offsets: of packed weights in packed or scratch, of the copied input in scratch */
    size_t offset; /* in packed: requant.offset, of bytes */
};

/* Store in offset[unit] the share of the input's zero point in the sum. */
static void offsets_sum(const struct fc_plan *p, const struct tensor *input, const int16_t *widened, int32_t *offset)
{
    for (size_t unit = 0; unit < p->s.units; unit++, widened += p->s.depth) {
        uint32_t sum = 0;

        for (size_t k = 0; k < p->s.depth; k++)
            sum += (uint32_t)widened[k];
        offset[unit] = (int32_t)(0 - sum * (uint32_t)gemm_bytes_zero(input));
    }
}

static void pack(const struct cpu_call *c, const int16_t *widened, char *base)
{
    const struct fc_plan *p = c->packed;
    const size_t zero = 0;
    struct gemm_source source = {widened, &zero, 1, p->s.depth};

    p->type->pack(p->isa, 1, p->s.depth, p->s.units, source, base + p->w);
    if (p->bytes)
        offsets_sum(p, c->node->in[FC_INPUT], widened, (int32_t *)((char *)c->packed + p->offset));
}

enum status fc_quant_check(const struct node *n, struct err *err)
{
    const struct tensor *input = n->in[FC_INPUT], *filter = n->in[FC_FILTER], *output = n->out[0];
    enum status st;

    if ((st = quant_check(input, err)) || (st = quant_check(output, err)) ||
        (st = quant_check_channels(filter, 0, (size_t)filter->dim[0], "the filter", err)))
        return st;
    if ((filter->quant.n > 1 || (filter->type != TYPE_INT8 && filter->type != TYPE_UINT8)) && quant_has_zero(filter))
        return err_set(err, ST_UNSUPPORTED, "the filter's zero point is not 0");
    if (input->type == TYPE_INT16 && (quant_zero(input) || quant_zero(output)))
        return err_set(err, ST_UNSUPPORTED, "zero points of 16-bit tensors must be 0, not %d and %d", (int)quant_zero(input),
                       (int)quant_zero(output));
    return ST_OK;
}

struct requant_spec fc_quant_spec(const struct node *n, struct fc_shape s)
{
    const struct opt_fully_connected *o = n->opt;
    const struct tensor *filter = n->in[FC_FILTER];

    return (struct requant_spec){
        .kind = s.fixed_point                ? REQUANT_FIXED
                : filter->type == TYPE_INT16 ? REQUANT_FIXED_WIDE
                                             : REQUANT_REAL,
        .input = n->in[FC_INPUT],
        .filter = filter,
        .output = n->out[0],
        .bias = node_in(n, FC_BIAS),
        .channels = s.units,
        .activation = o->activation,
        .float_product = filter->type == TYPE_INT16 && filter->quant.n == 1,
    };
}

bool fc_quant_is_wide(const struct node *n)
{
    const struct tensor *bias = node_in(n, FC_BIAS);

    return n->in[FC_INPUT]->type == TYPE_INT16 && (!bias || bias->type == TYPE_INT64 || n->in[FC_FILTER]->type == TYPE_INT16);
}

/* Return true if the gemm loops on bytes can run: INT8 input, constant weights of at most 8 bits that need no zero point. */
static bool can_use_bytes(const struct node *n)
{
    const struct tensor *filter = n->in[FC_FILTER];

    return n->in[FC_INPUT]->type == TYPE_INT8 && filter->is_const && type_bits(filter->type) <= 8 && filter->type != TYPE_UINT8 &&
           !quant_zero(filter) && gemm_bytes.isa();
}

static enum status fc_quant_prepare(struct cpu_call *c, struct fc_shape s, struct err *err)
{
    struct requant_spec rs = fc_quant_spec(c->node, s);
    const struct tensor *filter = c->node->in[FC_FILTER];
    struct fc_plan p = {.s = s, .weights = int_weights_init(filter, quant_zero(filter))};
    struct layout packed = {0}, scratch = {0};
    struct fc_plan *kept;
    size_t requant;
    enum status st = fc_quant_check(c->node, err);

    if (st)
        return st;
    p.bytes = can_use_bytes(c->node);
    p.type = p.bytes ? &gemm_bytes : fc_quant_is_wide(c->node) ? &gemm_i16_wide : &gemm_i16;
    p.isa = p.type->isa();
    layout_add(&packed, 1, sizeof p);
    requant = requant_layout(&packed, s.units);
    p.offset = layout_add(&packed, p.bytes ? s.units : 0, sizeof(int32_t));
    p.w = layout_add(int_weights_layout(&p.weights, &packed, &scratch), 1, gemm_packed_bytes(p.type, p.isa, 1, s.depth, s.units));
    p.x = layout_add(&scratch, s.batch * s.depth + GEMM_BEYOND, p.type->bytes);
    if ((st = cpu_pack(c, packed.bytes, err)))
        return st;
    kept = c->packed;
    *kept = p;
    c->scratch_bytes = scratch.bytes;
    if ((st = requant_init(&kept->requant, &rs, (char *)c->packed + requant, err)))
        return st;
    if (p.bytes)
        kept->requant.offset = (int32_t *)((char *)c->packed + p.offset);
    return int_weights_prepare(c, &kept->weights, pack, err);
}

static void copy_input(struct cpu_call *c, const struct fc_plan *p, char *x)
{
    const struct tensor *input = c->node->in[FC_INPUT];
    const size_t elems = p->s.batch * p->s.depth;

    if (p->bytes)
        gemm_bytes_lifted(input->data, elems, x);
    else
        widen_all(c->threads, input->type, input->data, quant_zero(input), elems, (int16_t *)(void *)x);
    memset(x + elems * p->type->bytes, 0, GEMM_BEYOND * p->type->bytes);
}

static void fc_quant_run(struct cpu_call *c)
{
    struct fc_plan *p = c->packed;
    const struct tensor *output = c->node->out[0];
    char *x = (char *)c->scratch + p->x;
    struct gemm gemm = fc_gemm(&p->s, p->isa, p->type->bytes, type_bits(output->type) / 8);

    requant_set_bias(&p->requant, node_in(c->node, FC_BIAS), p->s.units);
    copy_input(c, p, x);
    gemm.x = x;
    gemm.y = output->data;
    gemm.w = int_weights_run(c, &p->weights, pack) + p->w;
    gemm.post = &p->requant;
    gemm_run(&gemm, c->threads);
}

const struct fc_impl fc_quant = {fc_quant_prepare, fc_quant_run};
