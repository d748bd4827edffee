/* SPDX-License-Identifier: Apache-2.0 */
/* conv_impl.c - checks types and chooses what runs a convolution. */
#include "kernels_cpu/matmul/conv_impl.h"
#include "kernels_cpu/quant/quant_check.h"
#include "kernels_cpu/quant/widen.h"

static enum status choose(const struct cpu_call *c, const struct conv_family *f, const struct conv_impl **impl, struct err *err)
{
    const struct node *n = c->node;
    const struct tensor *input = n->in[CONV_INPUT], *filter = n->in[CONV_FILTER], *bias = node_in(n, CONV_BIAS);

    if (input->type != TYPE_FLOAT32 && input->type != TYPE_UINT8 && input->type != TYPE_INT8 && input->type != TYPE_INT16)
        return cpu_bad_type(n, input, err);
    if (n->out[0]->type != input->type)
        return cpu_bad_type(n, n->out[0], err);
    if (!f->filter_ok(input->type, filter->type))
        return cpu_bad_type(n, filter, err);
    if (bias && !f->bias_ok(input->type, bias->type))
        return cpu_bad_type(n, bias, err);
    if (c->mode == CPU_REFERENCE)
        *impl = f->plain;
    else
        *impl = input->type != TYPE_FLOAT32 ? f->quant : filter->type == TYPE_FLOAT32 ? f->f32 : f->hybrid;
    return ST_OK;
}

enum status conv_impl_prepare(struct cpu_call *c, const struct conv_family *f, struct err *err)
{
    const struct conv_impl *impl = NULL;
    struct conv_geometry g;
    enum status st;

    if ((st = choose(c, f, &impl, err)) || (st = f->geometry(c->node, &g, err)))
        return st;
    c->compute = impl->compute;
    return impl->prepare(c, &g, err);
}

enum status conv_bias_check(const struct node *n, int32_t oc, struct err *err)
{
    const struct tensor *bias = node_in(n, CONV_BIAS);

    if (bias && tensor_elems(bias) != (size_t)oc)
        return err_set(err, ST_BAD_MODEL, "%zu bias values for %d output channels", tensor_elems(bias), (int)oc);
    return ST_OK;
}

enum status conv_quant_check(const struct node *n, int32_t dim, struct err *err)
{
    const struct tensor *input = n->in[CONV_INPUT], *output = n->out[0];
    enum status st;

    if ((st = quant_check(input, err)) || (st = quant_check(output, err)) ||
        (st = quant_check_filter(n->in[CONV_FILTER], dim, err)) || (st = quant_check_symmetric(input, err)))
        return st;
    return quant_check_symmetric(output, err);
}
