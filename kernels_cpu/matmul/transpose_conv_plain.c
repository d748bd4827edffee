/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_conv_plain.c - the reference kernel of transposed convolutions: their definition, for all types. */
#include "kernels_cpu/matmul/transpose_conv.h"
#include "kernels_cpu/matmul/window_plain.h"
#include "kernels_cpu/quant/widen.h"

static enum status tconv_plain_prepare(struct cpu_call *c, const struct tconv *t, struct err *err)
{
    struct window_plain w = {.g = t->g, .transposed = true, .groups = 1};
    struct reference_product *p = &w.p;
    const bool quant = t->input->type != TYPE_FLOAT32;
    struct requant_spec spec;
    enum status st = ST_OK;

    /* Integer sums take the bias at the end: the same. */
    *p = (struct reference_product){.x = t->input, .w = t->filter, .bias = t->bias, .bias_first = t->bias_first && !quant};
    if (quant) {
        spec = tconv_quant_spec(t, c->node->out[0]);
        st = tconv_quant_check(t, c->node->out[0], err);
    } else if (t->filter->type != TYPE_FLOAT32) {
        p->kind = REFERENCE_HYBRID_FLOATS;
        p->asymmetric = true;
        st = quant_check_filter(t->filter, 0, err);
    }
    return st ? st : window_plain_prepare(c, &w, quant ? &spec : NULL, t->activation, err);
}

const struct tconv_impl tconv_plain = {tconv_plain_prepare, window_plain_compute};
