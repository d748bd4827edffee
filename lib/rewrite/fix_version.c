/* SPDX-License-Identifier: Apache-2.0 */
/* fix_version.c - the least version of an operator for its options and tensors, of operators on floats.
 *
 * As TFLite's converter numbers them: new types raise a version, and new options with another value than their default. */
#include "lib/rewrite/fix_impl.h"

static bool all_float(const struct tensor *const *t, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (t[i] && t[i]->type != TYPE_FLOAT32 && t[i]->type != TYPE_INT32)
            return false;
    return true;
}

static int32_t widest(const struct tensor *const *t, uint32_t n)
{
    int32_t rank = 0;

    for (uint32_t i = 0; i < n; i++)
        if (t[i] && t[i]->rank > rank)
            rank = t[i]->rank;
    return rank;
}

/* Of operators that moved to 8 bits with version 2 and have no options that count. */
static int32_t by_type(const struct tensor *x)
{
    switch (x->type) {
    case TYPE_FLOAT32:
    case TYPE_INT32:
    case TYPE_INT64:
    case TYPE_UINT8: return 1;
    case TYPE_INT8: return 2;
    default: return 3;
    }
}

static int32_t of_strided_slice(const struct opt_strided_slice *o, const struct tensor *x)
{
    if (o && (o->offset || o->ellipsis_mask || o->new_axis_mask))
        return 0;
    return x->rank > 4 ? 4 : x->type == TYPE_BOOL ? 3 : x->type == TYPE_INT16 ? 4 : by_type(x);
}

static int32_t of_fully_connected(const struct opt_fully_connected *o, const struct tensor *const *in, uint32_t n_in)
{
    if (n_in < 3 || !in[2])
        return 6;
    return o && o->keep_num_dims ? 5 : o && o->weights_format ? 2 : 1;
}

static int32_t of_depthwise(const struct opt_depthwise_conv_2d *o)
{
    return o && (o->dilation_width_factor > 1 || o->dilation_height_factor > 1) ? 2 : 1;
}

/* Grouped convolutions are version 6. */
static int32_t of_conv(const struct tensor *const *in, uint32_t n_in)
{
    return n_in > 1 && in[0] && in[1] && in[0]->rank == 4 && in[1]->rank == 4 && in[0]->dim[3] != in[1]->dim[3] ? 6 : 1;
}

static int32_t of_floats(int32_t builtin, const void *opt, const struct tensor *const *in, uint32_t n_in)
{
    switch (builtin) {
    case BUILTIN_CONV_2D: return of_conv(in, n_in);
    case BUILTIN_DEPTHWISE_CONV_2D: return of_depthwise(opt);
    case BUILTIN_FULLY_CONNECTED: return of_fully_connected(opt, in, n_in);
    case BUILTIN_TRANSPOSE_CONV: return n_in > 3 && in[3] ? 3 : 1;
    case BUILTIN_ADD:
    case BUILTIN_SUB:
    case BUILTIN_MUL:
    case BUILTIN_DIV:
    case BUILTIN_PAD: return widest(in, n_in) > 4 ? 0 : 1;
    case BUILTIN_AVERAGE_POOL_2D:
    case BUILTIN_MAX_POOL_2D:
    case BUILTIN_LOGISTIC:
    case BUILTIN_RELU:
    case BUILTIN_RELU6:
    case BUILTIN_PRELU:
    case BUILTIN_SOFTMAX:
    case BUILTIN_TANH:
    case BUILTIN_MEAN:
    case BUILTIN_SUM:
    case BUILTIN_RSQRT:
    case BUILTIN_MAXIMUM:
    case BUILTIN_MINIMUM: return 1;
    case BUILTIN_RESIZE_BILINEAR: {
        const struct opt_resize_bilinear *o = opt;

        return o && o->half_pixel_centers ? 3 : 1;
    }
    default: return 0;
    }
}

int32_t fix_version(int32_t builtin, const void *opt, const struct tensor *const *in, uint32_t n_in,
                    const struct tensor *const *out, uint32_t n_out)
{
    if (!n_in || !in[0])
        return 0;
    switch (builtin) {
    case BUILTIN_RESHAPE: return 1;
    case BUILTIN_CONCATENATION:
    case BUILTIN_TILE:
    case BUILTIN_GATHER: return by_type(in[0]);
    case BUILTIN_TRANSPOSE: return in[0]->rank > 4 ? 4 : by_type(in[0]);
    case BUILTIN_STRIDED_SLICE: return of_strided_slice(opt, in[0]);
    default: return all_float(in, n_in) && all_float(out, n_out) ? of_floats(builtin, opt, in, n_in) : 0;
    }
}
