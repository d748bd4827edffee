/* SPDX-License-Identifier: Apache-2.0 */
/* fully_connected.h - the shared part of FULLY_CONNECTED's implementations for the various types.
 *
 * Inputs of any rank count as rows of `depth` elements. The bias, which may be missing, has one value per unit. */
#ifndef DELEGAUGE_KERNELS_CPU_MATMUL_FULLY_CONNECTED_H
#define DELEGAUGE_KERNELS_CPU_MATMUL_FULLY_CONNECTED_H

#include "kernels_cpu/matmul/gemm.h"
#include "kernels_cpu/quant/requant.h"

enum { FC_INPUT, FC_FILTER, FC_BIAS };

/* y[batch][units] = x[batch][depth] times the transpose of filter[units][depth]. No overflow: fc_shape has checked that the tensors
 * are of these sizes. */
struct fc_shape {
    size_t batch, units, depth;
    bool fixed_point; /* integer sums are scaled in fixed point, as TFLite does with sparse and shuffled weights */
};

/* One combination of types. prepare checks quantization and fills c->packed, whose first member must be this pointer, since run
 * finds itself by it; it fails with ST_BAD_MODEL or ST_UNSUPPORTED if the types or their quantization are not this one's. It reads
 * a constant filter once and for all: fc_stored_prepare's lives no longer. */
struct fc_impl {
    enum status (*prepare)(struct cpu_call *c, struct fc_shape s, struct err *err);
    enum status (*run)(struct cpu_call *c, struct err *err);
};

/* Return true if the filter is stored in another order than [units][depth]: sparse, or in 4x16 blocks. */
bool fc_stored(const struct node *n);

/* Of such a node: ST_UNSUPPORTED or ST_BAD_MODEL for orders that TFLite's kernels do not read either. */
enum status fc_stored_check(const struct node *n, struct fc_shape s, struct err *err);

/* Such a node with its filter in plain order, `data` (as many bytes as the tensor has), and without a second output. */
struct fc_plain_node {
    struct node node;
    struct tensor filter, *in[3];
    struct opt_fully_connected opt;
};
void fc_plain_node(const struct node *n, struct fc_shape s, void *data, struct fc_plain_node *out);

/* Prepares `impl` with the filter in plain order, a copy that is gone afterwards; fails as fc_stored_check. */
enum status fc_stored_prepare(struct cpu_call *c, struct fc_shape s, const struct fc_impl *impl, struct err *err);

/* Fills the second output of a node with 4x16 blocks: the UINT8 input as INT8 bits, in the order in which TFLite's kernel reads it
 * beside these blocks. Nothing reads it here. */
void fc_shuffle_input(const struct cpu_call *c);

/* The product on the gemm loops, all but x, y, w and post, which the caller sets; elements of x and y have so many bytes. One
 * position for each row of x, one tap. */
struct gemm fc_gemm(const struct fc_shape *s, const struct gemm_isa *isa, size_t x_bytes, size_t y_bytes);

/* CPU_FAST by types; CPU_REFERENCE; and, for weights with a scale per block, both: plain loops have no other beside them. */
extern const struct fc_impl fc_f32, fc_quant, fc_hybrid, fc_plain, fc_blockwise;

/* Integer activations: checks quantization (ST_BAD_MODEL), which the other two rely on; how sums are scaled (borrowing the node's
 * tensors); whether sums take 64 bits: INT16 without a bias, with an INT64 one, or with INT16 weights. */
enum status fc_quant_check(const struct node *n, struct err *err);
struct requant_spec fc_quant_spec(const struct node *n, struct fc_shape s);
bool fc_quant_is_wide(const struct node *n);

#endif
