/* l2_norm.c - L2_NORMALIZATION over the last dimension. */
#include <math.h>

#include "../lib/kernel.h"

static enum status l2_norm_shape(struct node *n, struct err *err)
{
    const struct opt_l2_norm *o = n->opt;
    enum status st = shape_arity(n, 1, 1, 1, err);

    if (st)
        return st;
    if (o->activation != ACT_NONE)
        return err_set(err, ST_UNSUPPORTED, "fused activation %d; TFLite has none here", (int)o->activation);
    if (n->in[0]->rank < 1)
        return err_set(err, ST_BAD_MODEL, "a scalar has no last dimension");
    return shape_like(n, 0, n->in[0], err);
}

static enum status l2_norm_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *in = c->node->in[0], *out = c->node->out[0];

    if (in->type != TYPE_FLOAT32)
        return cpu_bad_type(c->node, in, err);
    if (out->type != in->type)
        return cpu_bad_type(c->node, out, err);
    return ST_OK;
}

static enum status l2_norm_run(struct cpu_call *c, struct err *err)
{
    const float smallest = 1e-6f;        /* a row of zeros stays one */
    const struct tensor *in = c->node->in[0];
    size_t depth = (size_t)in->dim[in->rank - 1], elems = tensor_elems(in);

    (void)err;
    for (size_t row = 0; row < elems; row += depth) {
        const float *x = (const float *)in->data + row;
        float *y = (float *)c->node->out[0]->data + row, sum = 0, norm;

        for (size_t i = 0; i < depth; i++)
            sum += x[i] * x[i];
        norm = sqrtf(sum);
        norm = norm < smallest ? smallest : norm;
        for (size_t i = 0; i < depth; i++)
            y[i] = x[i] / norm;
    }
    return ST_OK;
}

const struct cpu_kernel cpu_l2_norm = {.shape = l2_norm_shape, .prepare = l2_norm_prepare, .run = l2_norm_run};
