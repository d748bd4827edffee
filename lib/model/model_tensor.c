/* SPDX-License-Identifier: Apache-2.0 */
/* model_tensor.c - reads a tensor: type, shape, quantization. */
#include <string.h>

#include "lib/model/model_impl.h"

static const uint8_t type_of_file[] = {
    TYPE_FLOAT32,   TYPE_FLOAT16, TYPE_INT32,    TYPE_UINT8,      TYPE_INT64,  TYPE_STRING,        TYPE_BOOL,        TYPE_INT16,
    TYPE_COMPLEX64, TYPE_INT8,    TYPE_FLOAT64,  TYPE_COMPLEX128, TYPE_UINT64, TYPE_RESOURCE,      TYPE_VARIANT,     TYPE_UINT32,
    TYPE_UINT16,    TYPE_INT4,    TYPE_BFLOAT16, TYPE_INT2,       TYPE_UINT4,  TYPE_FLOAT8_E4M3FN, TYPE_FLOAT8_E5M2,
};

enum tensor_type model_type_from_file(int8_t number)
{
    return number >= 0 && (size_t)number < sizeof type_of_file ? type_of_file[number] : TYPE_NONE;
}

int8_t model_type_to_file(enum tensor_type type)
{
    const uint8_t *at = type ? memchr(type_of_file, type, sizeof type_of_file) : NULL;

    return at ? (int8_t)(at - type_of_file) : -1;
}

static enum tensor_type read_type(struct fb *f, const struct fb_table *from, unsigned id)
{
    int8_t number = fb_i8(f, from, id, 0);
    enum tensor_type type = model_type_from_file(number);

    if (type == TYPE_NONE)
        fb_fail(f, ST_UNSUPPORTED, "tensor type %d is unknown", number);
    return type;
}

static void read_shape(struct fb *f, const struct fb_table *from, struct tensor *t)
{
    uint32_t rank;
    const int32_t *dim = fb_array(f, from, TENSOR_SHAPE, sizeof *dim, &rank, "the shape");

    if (f->st)
        return;
    if (rank > TENSOR_MAX_RANK)
        fb_fail(f, ST_UNSUPPORTED, "rank %u, the most supported is %d", rank, TENSOR_MAX_RANK);
    else
        f->st = tensor_set_shape(t, rank ? dim : t->dim, (int32_t)rank, f->err);
    t->signature = fb_array(f, from, TENSOR_SHAPE_SIGNATURE, sizeof *dim, &t->n_signature, "the shape signature");
}

static void read_blocks(struct fb *f, const struct fb_table *from, uint8_t kind, struct quant *q)
{
    struct fb_table t = fb_child(f, from, QUANTIZATION_DETAILS, "quantization details");
    bool blockwise = kind == DETAILS_BLOCKWISE;

    if (!t.at)
        return;
    q->block_scales = fb_i32(f, &t, BLOCK_SCALES, 0);
    q->block_zero_points = fb_i32(f, &t, BLOCK_ZERO_POINTS, 0);
    q->block_size = fb_i32(f, &t, BLOCK_SIZE, 0);
    if (blockwise)
        q->block_shape = fb_array(f, &t, BLOCK_SHAPE, 4, &q->n_block_shape, "the block shape");
    else
        q->axes = fb_array(f, &t, BLOCK_AXES, 4, &q->n_axes, "the quantized dimensions");
    if (q->block_size < 0 || (blockwise && !q->block_size && !q->n_block_shape))
        fb_fail(f, ST_BAD_MODEL, "quantized in blocks of %d", q->block_size);
}

/* TFLite's rules: as many zero points as scales; one pair for the tensor or one for each index of a dimension. */
static void check_quant(struct fb *f, struct tensor *t, uint32_t n_zero_points)
{
    struct quant *q = &t->quant;

    /* Converters of 2020 wrote the filter's dimension into the bias; TFLite refuses those files, TFLite Micro runs them. */
    if (t->rank == 1 && q->n > 1 && (int64_t)q->n == t->dim[0])
        q->dim = 0;
    if (q->n != n_zero_points)
        fb_fail(f, ST_BAD_MODEL, "%u scales but %u zero points", q->n, n_zero_points);
    else if (q->n > 1 && t->rank && (q->dim < 0 || q->dim >= t->rank))
        fb_fail(f, ST_BAD_MODEL, "quantized along dimension %d of %s", q->dim, TENSOR_TEXT(t));
    else if (q->n > 1 && t->rank && (int64_t)q->n != t->dim[q->dim])
        fb_fail(f, ST_BAD_MODEL, "%u scales for dimension %d of %s", q->n, q->dim, TENSOR_TEXT(t));
}

static void read_quant(struct fb *f, const struct fb_table *from, struct tensor *t)
{
    struct fb_table at = fb_child(f, from, TENSOR_QUANTIZATION, "quantization");
    struct quant *q = &t->quant;
    uint32_t n_zero_points;
    uint8_t details;

    if (!at.at)
        return;
    q->min = fb_array(f, &at, QUANTIZATION_MIN, 4, &q->n_min, "quantization minima");
    q->max = fb_array(f, &at, QUANTIZATION_MAX, 4, &q->n_max, "quantization maxima");
    q->scale = fb_array(f, &at, QUANTIZATION_SCALE, 4, &q->n, "scales");
    q->zero_point = fb_array(f, &at, QUANTIZATION_ZERO_POINT, 8, &n_zero_points, "zero points");
    q->dim = fb_i32(f, &at, QUANTIZATION_DIMENSION, 0);
    details = fb_u8(f, &at, QUANTIZATION_DETAILS_TYPE, DETAILS_NONE);
    if (details == DETAILS_BLOCKWISE || details == DETAILS_MULTI_AXIS)
        read_blocks(f, &at, details, q);
    if (q->n) /* zero points without scales mean nothing */
        check_quant(f, t, n_zero_points);
    else
        q->zero_point = NULL;
}

static void read_variants(struct fb *f, const struct fb_table *from, struct tensor *t)
{
    struct fb_vector v = fb_tables(f, from, TENSOR_VARIANTS, "variant types");
    struct tensor_variant *variants;

    if (!v.n || !(variants = FB_ARRAY(f, v.n, struct tensor_variant)))
        return;
    for (uint32_t i = 0; i < v.n && !f->st; i++) {
        struct fb_table at = fb_item(f, &v, i, "the variant type");

        variants[i].type = read_type(f, &at, VARIANT_TYPE);
        variants[i].dim = fb_array(f, &at, VARIANT_SHAPE, 4, &variants[i].rank, "the variant's shape");
        variants[i].has_rank = fb_bool(f, &at, VARIANT_HAS_RANK, false);
    }
    t->variants = variants;
    t->n_variants = v.n;
}

void model_read_tensor(struct loader *l, const struct fb_table *from, struct tensor *t)
{
    struct fb *f = &l->fb;
    const char *name = fb_string(f, from, TENSOR_NAME, "the name");
    uint32_t external = fb_u32(f, from, TENSOR_EXTERNAL_BUFFER, 0);

    t->name = name ? name : "";
    t->type = read_type(f, from, TENSOR_TYPE);
    t->buffer = fb_u32(f, from, TENSOR_BUFFER, 0);
    t->is_variable = fb_bool(f, from, TENSOR_IS_VARIABLE, false);
    t->has_rank = fb_bool(f, from, TENSOR_HAS_RANK, false);
    read_shape(f, from, t);
    read_quant(f, from, t);
    model_read_sparsity(l, from, t);
    read_variants(f, from, t);
    if (t->buffer >= l->n_file_buffers && t->buffer)
        fb_fail(f, ST_BAD_MODEL, "buffer %u of %u", t->buffer, l->n_file_buffers);
    else if (external && t->buffer && l->m->buffers[t->buffer].bytes)
        fb_fail(f, ST_BAD_MODEL, "its data is in buffer %u and in external buffer %u", t->buffer, external);
    else if (external)
        t->buffer = model_external_buffer(l, external);
    if (!f->st)
        model_attach_data(l, t);
    if (f->st)
        fb_prefix(f, "tensor %u \"%.80s\"", t->index, t->name);
}
