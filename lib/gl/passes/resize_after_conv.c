/* SPDX-License-Identifier: Apache-2.0 */
/* resize_after_conv.c - the pass "enlarge late": the product of each pixel's channels with weights is computed before an image is
 * enlarged by means of its pixels, instead of after that.
 *
 * Both are linear, and they work on different axes, so they give the same in either order but for rounding; a bias passes a mean as
 * it is, as the mean's weights sum to 1. Of an image of a quarter of the pixels the product is a quarter of the work, and of an
 * output of fewer channels the enlargement is less, too. The functions behind the product are applied to what is enlarged. So a sum
 * beyond float32 is NaN behind the enlargement, where a function as RELU6 would have made 6 of its infinity before; halves hold so
 * much less that nothing is exchanged where values may be such. */
#include "lib/gl/passes/choose.h"
#include "lib/gl/passes/passes.h"

/* What the operation, a product by pixel, could be computed before. NULL: nothing, or it would not pay: the enlargement is for it
 * alone and must not have more slices to make. */
static struct ir_op *mean_before(const struct ir *ir, const struct ir_op *op)
{
    struct ir_op *mean = op->n_in ? op->in[0]->producer : NULL;
    struct ir_shape x, y;

    if (!mean || !ir_traits(op)->by_pixel || !ir_traits(op)->by_pixel(op) || !ir_traits(mean)->is_mean ||
        !ir_traits(mean)->is_mean(mean) || mean->epilogue || mean->out->n_uses != 1 || !gl_may_merge(ir, op, mean))
        return NULL;
    x = mean->in[0]->shape;
    y = mean->out->shape;
    return (int64_t)x.h * x.w < (int64_t)y.h * y.w && ir_slices(op->out->shape) <= ir_slices(x) ? mean : NULL;
}

/* Each takes the other's place, in the list, too: what op read and what its functions read is there by then. False: out of memory.
 */
static bool exchange(struct ir *ir, struct ir_op *op, struct ir_op *mean)
{
    const struct ir_shape x = mean->in[0]->shape;
    struct ir_value *y = op->out, *few = ir_temp(ir, IR_FLOAT, (struct ir_shape){x.b, x.h, x.w, y->shape.c});
    const uint32_t at = op->at;

    if (!few || !ir_merge_nodes(ir, mean, op)) /* whose functions it applies */
        return false;
    few->producer = op;
    few->n_uses = 1;
    y->producer = mean;
    op->in[0] = mean->in[0];
    op->out = mean->in[0] = few;
    mean->out = y;
    mean->epilogue = op->epilogue;
    op->epilogue = NULL;
    ir->ops[op->at = mean->at] = op;
    ir->ops[mean->at = at] = mean;
    return true;
}

enum status gl_resize_after_conv(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    (void)lim;
    for (uint32_t i = 0; i < ir->n_ops; i++)
        ir->ops[i]->at = i;
    for (uint32_t i = 0; i < ir->n_ops && !ir->half; i++) {
        struct ir_op *op = ir->ops[i], *mean;

        while ((mean = mean_before(ir, op)))
            if (!exchange(ir, op, mean))
                return ir_nomem(err);
    }
    return ST_OK;
}
