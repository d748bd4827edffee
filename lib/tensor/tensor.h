/* SPDX-License-Identifier: Apache-2.0 */
/* tensor.h - a tensor: type, shape, quantization, and a pointer to its data.
 *
 * The same struct serves the loaded model (immutable, data points into the file) and the graph of a session (a copy whose
 * shape may be resized and whose data is placed by the plan). Shapes are row-major, last dimension fastest; activations
 * are NHWC. A dimension of 0 is legal: a tensor without elements.
 *
 * Writers: the loader fills everything once; graph_infer and kernels set the shapes of the nodes' results; the plan sets data.
 * Kernels write only the content of their node's outputs and variables. A tensor belongs to one session, and the session to one
 * thread at a time; any thread may read the loaded model's tensors. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/err.h"

/* The loader refuses tensors of higher rank (ST_UNSUPPORTED), so fixed arrays of this length hold any shape. */
#define TENSOR_MAX_RANK 8

/* The numbers are TfLiteType's in TFLite's C ABI (the file uses others; the loader maps them). Elements are little-endian and lie
 * one behind the other; elements smaller than a byte fill it from its low bits. */
enum tensor_type {
    TYPE_NONE = 0, /* no type: the tensor is omitted, or the file gives none */
    TYPE_FLOAT32 = 1,
    TYPE_INT32 = 2,
    TYPE_UINT8 = 3,
    TYPE_INT64 = 4,
    TYPE_STRING = 5, /* int32 count n, n + 1 int32 offsets from the start, then the characters */
    TYPE_BOOL = 6,   /* a byte, 0 or 1 */
    TYPE_INT16 = 7,
    TYPE_COMPLEX64 = 8, /* two floats: real, imaginary */
    TYPE_INT8 = 9,
    TYPE_FLOAT16 = 10, /* IEEE 754 binary16 */
    TYPE_FLOAT64 = 11,
    TYPE_COMPLEX128 = 12, /* two doubles */
    TYPE_UINT64 = 13,
    TYPE_RESOURCE = 14, /* the number of a variable or table: resource.h */
    TYPE_VARIANT = 15,  /* loaded and named only */
    TYPE_UINT32 = 16,
    TYPE_UINT16 = 17,
    TYPE_INT4 = 18,          /* two a byte, -8 .. 7 */
    TYPE_BFLOAT16 = 19,      /* the upper half of a float32 */
    TYPE_INT2 = 20,          /* four a byte, -2 .. 1 */
    TYPE_UINT4 = 21,         /* two a byte, 0 .. 15 */
    TYPE_FLOAT8_E4M3FN = 22, /* loaded and named only, like E5M2 */
    TYPE_FLOAT8_E5M2 = 23,
    TYPE_COUNT
};

/* Quantization: real = scale[i] * (q - zero_point[i]), with i = 0, or the index along dimension `dim` if n > 1. All pointers lead
 * into the model's file or arena. The loader has checked that there are n zero points and that n fits the dimension, but not that
 * scales are above 0: kernels check the scales that they use (kernels_cpu/quant/quant_check.h). */
struct quant {
    uint32_t n;                /* 0: not quantized, 1: per tensor, else one entry per channel */
    int32_t dim;               /* the quantized dimension */
    const float *scale;        /* [n] */
    const int64_t *zero_point; /* [n] */
    const float *min, *max;    /* [n_min], [n_max]; NULL if the file has none */
    uint32_t n_min, n_max;
    /* Blockwise: block_size > 0; block_scales and block_zero_points (-1: none) are tensor indices in the same subgraph. */
    int32_t block_size, block_scales, block_zero_points;
    const int32_t *block_shape; /* [n_block_shape], or NULL */
    uint32_t n_block_shape;
    /* Multi-axis: the quantized dimensions; block_scales and block_zero_points as above. */
    const int32_t *axes; /* [n_axes], or NULL */
    uint32_t n_axes;
};

/* One level of TFLite's sparse format: a dimension, or a dimension within blocks, stored dense or CSR. In a CSR level, position i
 * of the level above has the entries indices[segments[i] .. segments[i + 1] - 1], which the loader has checked to rise and to be in
 * range. */
struct sparse_dim {
    bool csr;
    int32_t dense_size;
    const void *segments, *indices; /* int32, uint16 or uint8 elements, `*_bytes` wide; NULL if dense */
    uint32_t n_segments, n_indices;
    uint8_t segments_bytes, indices_bytes;
};

/* Sparse storage of a constant. The levels are in storage order: first the tensor's own dimensions, then dimensions within blocks;
 * block_map[b] is the tensor's dimension that block level b divides. Only DENSIFY and FULLY_CONNECTED take sparse constants. */
struct sparsity {
    const int32_t *traversal_order, *block_map;
    uint32_t n_traversal_order, n_block_map, n_dims;
    const struct sparse_dim *dims;
};

/* The type and shape of an element of a TYPE_VARIANT tensor. */
struct tensor_variant {
    enum tensor_type type;
    const int32_t *dim; /* [rank] */
    uint32_t rank;
    bool has_rank;
};

/* One tensor. Quantization, sparsity, signature and variants belong to the model's arena, like the name. */
struct tensor {
    const char *name; /* never NULL; may be "" */
    uint32_t index;   /* within its subgraph */
    enum tensor_type type;
    int32_t rank; /* 0 for a scalar */
    int32_t dim[TENSOR_MAX_RANK];
    const int32_t *signature; /* [n_signature] shape with -1 for unknown dimensions, or NULL */
    uint32_t n_signature;
    bool has_rank;      /* false with rank 0: a scalar in older files, an unknown rank in newer ones */
    bool is_variable;   /* keeps its content from one run to the next */
    bool stays_float32; /* not rounded if other tensors are stored as 16-bit floats (whole_floats.h) */
    bool is_resource;   /* stands for a resource variable (node.variable), whose content is in `data` while a partition runs */
    uint32_t buffer;    /* index in the model's buffers; 0 means none */
    struct quant quant;
    const struct sparsity *sparsity;       /* NULL: dense */
    const struct tensor_variant *variants; /* [n_variants], or NULL */
    uint32_t n_variants;

    void *data;      /* constants: in the file, read-only; others: placed by the plan, NULL before */
    size_t bytes;    /* size of the dense content; TYPE_STRING: size of the current content */
    bool is_const;   /* content is fixed: from the file, or folded at plan time */
    bool is_known;   /* content may be read now, by shape inference too: constants, and all tensors while running */
    bool is_dynamic; /* shape is known only while running; data is on the heap, owned by the session */
    bool is_lent;    /* data belongs to the session's caller, and the plan places none (session_lend_input) */
    size_t capacity; /* allocated bytes of data if is_dynamic */
};

/* Return the name as the schema spells it, "FLOAT32"; "?" for a number beyond the schema. Static text. */
const char *type_name(enum tensor_type type);

/* Return the type of that name; TYPE_NONE if no type has it. */
enum tensor_type type_from_name(const char *name);

/* Return the bits of one element: 4 for INT4, 2 for INT2; 0 for STRING, VARIANT and TYPE_NONE. A RESOURCE is the number of a
 * resource (lib/graph/resource.h). */
uint32_t type_bits(enum tensor_type type);

/* Return true for FLOAT16, BFLOAT16, FLOAT32 and FLOAT64. */
static inline bool type_is_float(enum tensor_type type)
{
    return type == TYPE_FLOAT32 || type == TYPE_FLOAT16 || type == TYPE_BFLOAT16 || type == TYPE_FLOAT64;
}

/* Return true for INT8 to INT64 and UINT8 to UINT64. */
static inline bool type_is_integer(enum tensor_type type)
{
    return type == TYPE_INT8 || type == TYPE_UINT8 || type == TYPE_INT16 || type == TYPE_UINT16 || type == TYPE_INT32 ||
           type == TYPE_UINT32 || type == TYPE_INT64 || type == TYPE_UINT64;
}

static inline bool type_is_complex(enum tensor_type type)
{
    return type == TYPE_COMPLEX64 || type == TYPE_COMPLEX128;
}

/* Write the number of elements of a shape (1 for rank 0). Fails with ST_UNSUPPORTED beyond TENSOR_MAX_RANK, with ST_BAD_MODEL on a
 * negative dimension and with ST_NOMEM past 2^40: the number times the size of an element then fits 64 bits. */
enum status shape_elems(const int32_t *dim, int32_t rank, size_t *elems, struct err *err);

/* Return the bytes of `elems` elements, sub-byte types packed, rounded up. */
size_t type_bytes(enum tensor_type type, size_t elems);

/* Set shape and bytes after the checks of shape_elems; a failure leaves *t unchanged. The data pointer stays as it is, and so do
 * the bytes of a STRING, which its content decides. `dim` may be t->dim. */
enum status tensor_set_shape(struct tensor *t, const int32_t *dim, int32_t rank, struct err *err);

/* Make room for t->bytes, aligned to 64, in the heap memory of a tensor that is_dynamic; the old content is lost if the memory must
 * move. ST_NOMEM leaves the tensor without data. */
enum status tensor_reserve(struct tensor *t, struct err *err);

/* Check that data[bytes] is valid TYPE_STRING content with as many strings as the tensor's shape has: int32 count, count + 1 int32
 * offsets from the start, which never decrease, then the characters. Fails with ST_BAD_MODEL. */
enum status tensor_check_strings(const struct tensor *t, const void *data, size_t bytes, struct err *err);

/* Set a variable tensor to its initial content: zeros, or for INT8 its zero point, as in TFLite. */
void tensor_reset(struct tensor *t);

/* Return the product of dim[from .. to - 1], 1 if there are none, of a shape that has been checked. */
size_t shape_count(const int32_t *dim, int32_t from, int32_t to);

/* Return the number of elements of a tensor whose shape has been checked, as for every tensor of a loaded model or a graph. */
size_t tensor_elems(const struct tensor *t);

/* Check the bytes of a BOOL tensor: ST_BAD_MODEL if one is neither 0 nor 1, since kernels could not read it as bool; other types
 * pass. Call it for all data that comes from outside. */
enum status tensor_check_bools(const struct tensor *t, struct err *err);

/* Return true if rank and dimensions are equal; types may differ. */
bool tensor_same_shape(const struct tensor *a, const struct tensor *b);

/* Write "[1,224,224,3]" (cut with "…" if it does not fit) and return `out`. */
const char *shape_text(const int32_t *dim, int32_t rank, char *out, size_t size);

/* A text buffer for messages: TENSOR_TEXT(t) is "FLOAT32[1,224,224,3]", valid until the end of the enclosing block. */
struct tensor_text {
    char s[112];
};
const char *tensor_text(const struct tensor *t, struct tensor_text *out);
#define TENSOR_TEXT(t) tensor_text((t), &(struct tensor_text){{0}})

/* Return element i of an INT32 or INT64 (or INT16, INT8, UINT8, INT4, UINT4, INT2, BOOL) tensor that is_known; no other type may be
 * passed. For the few numbers that give a shape, an axis, an index. */
int64_t tensor_int(const struct tensor *t, size_t i);

/* Convert IEEE 754 binary16 and bfloat16 (the upper half of binary32) to and from float, subnormals, infinities and NaN included.
 * In software, so that all machines round alike. */
static inline float half_to_float(uint16_t h)
{
    const uint32_t magnitude = h & 0x7fffu, sign = (uint32_t)(h & 0x8000u) << 16;
    const float subnormal = (float)(int32_t)magnitude * 0x1p-24f; /* exact */
    /* The exponent's bias is 112 less; the exponent of infinities and NaN is all ones in both. */
    uint32_t bits = (magnitude << 13) + (magnitude < 0x7c00u ? 112u << 23 : 224u << 23), small;
    float f;

    memcpy(&small, &subnormal, sizeof small);
    bits = (magnitude < 0x400u ? small : bits) | sign;
    memcpy(&f, &bits, sizeof f);
    return f;
}

uint16_t half_from_float(float f); /* round to nearest even; overflow gives infinity */
float bfloat_to_float(uint16_t b);
uint16_t bfloat_from_float(float f); /* round to nearest even; overflow gives infinity */

/* Return true for 8- or 16-bit integers with a scale, which represent real numbers; constants included. */
static inline bool tensor_is_quantized(const struct tensor *t)
{
    return t->quant.n && (t->type == TYPE_INT8 || t->type == TYPE_UINT8 || t->type == TYPE_INT16);
}

/* Return true for 8- or 16-bit integers without a scale, which are plain integers. */
static inline bool tensor_is_plain(const struct tensor *t)
{
    return !t->quant.n && (t->type == TYPE_INT8 || t->type == TYPE_UINT8 || t->type == TYPE_INT16 || t->type == TYPE_UINT16);
}
