/* SPDX-License-Identifier: Apache-2.0 */
/* fully_connected.h - FULLY_CONNECTED's shapes, checks and implementations per combination of types.
 *
 * An input of any rank counts as rows of `depth` elements. The bias, which may be missing, has one value per unit. */
#pragma once

#include "kernels_cpu/matmul/gemm.h"
#include "kernels_cpu/quant/requant.h"

enum { FC_INPUT, FC_FILTER, FC_BIAS };

/* Sizes of y[batch][units] = x[batch][depth] times the transpose of filter[units][depth]. fc_shape has checked that the tensors
 * have these sizes, so products of them do not overflow. */
struct fc_shape {
    size_t batch, units, depth;
    bool fixed_point; /* scale integer sums in fixed point, as TFLite does with sparse and shuffled weights */
};

/* Implementation for one combination of types. prepare checks quantization and fills c->packed. Fails with ST_BAD_MODEL or
 * ST_UNSUPPORTED if types or quantization do not suit it. prepare must not keep a pointer to a constant filter, since
 * fc_stored_prepare frees its copy. */
struct fc_impl {
    enum status (*prepare)(struct cpu_call *c, struct fc_shape s, struct err *err);
    void (*compute)(struct cpu_call *c);
};

/* Return true if the filter is not stored [units][depth] but sparse or in 4x16 blocks. */
bool fc_stored(const struct node *n);

/* Check a node for which fc_stored is true. Fails with ST_UNSUPPORTED or ST_BAD_MODEL if TFLite's kernels do not read its filter
 * either. */
enum status fc_stored_check(const struct node *n, struct fc_shape s, struct err *err);

/* Copy of a node with its filter in plain order and without a second output. */
struct fc_plain_node {
    struct node node;
    struct tensor filter, *in[3];
    struct opt_fully_connected opt;
};
void fc_plain_node(const struct node *n, struct fc_shape s, void *data, struct fc_plain_node *out);

/* Prepare `impl` on a temporary copy of the filter in plain order; fails as fc_stored_check and impl->prepare, and with ST_NOMEM.
 */
enum status fc_stored_prepare(struct cpu_call *c, struct fc_shape s, const struct fc_impl *impl, struct err *err);

/* Fill the second output of a node with 4x16 blocks: the UINT8 input as INT8 bits, in the order in which TFLite's kernel reads it
 * with these blocks. Nothing here reads it. */
void fc_shuffle_input(const struct cpu_call *c);

/* Return the product for the gemm loops: one position for each row of x, one tap; elements of x and y have x_bytes and y_bytes. The
 * caller sets x, y, w and post. */
struct gemm fc_gemm(const struct fc_shape *s, const struct gemm_isa *isa, size_t x_bytes, size_t y_bytes);

/* CPU_FAST: float32, integers, float32 with integer weights (fc_hybrid). CPU_REFERENCE: fc_plain. Both run fc_blockwise, whose
 * loops are plain, for weights with a scale per block. */
extern const struct fc_impl fc_f32, fc_quant, fc_hybrid, fc_plain, fc_blockwise;

/* Integer activations. fc_quant_check checks quantization, which the others rely on; fails with ST_BAD_MODEL, or with
 * ST_UNSUPPORTED for unsupported zero points. fc_quant_spec returns the scaling and borrows the node's tensors. fc_quant_is_wide
 * returns true if sums have 64 bits: INT16 input with no bias, an INT64 bias or INT16 weights. */
enum status fc_quant_check(const struct node *n, struct err *err);
struct requant_spec fc_quant_spec(const struct node *n, struct fc_shape s);
bool fc_quant_is_wide(const struct node *n);
