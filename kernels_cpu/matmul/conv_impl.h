/* SPDX-License-Identifier: Apache-2.0 */
/* conv_impl.h - the inputs, type checks and implementations per combination of types that CONV_2D and DEPTHWISE_CONV_2D share.
 *
 * conv.c and depthwise_conv.c each have a struct conv_family; the files _f32, _quant (_int), _hybrid and _plain beside them have
 * the implementations. */
#ifndef DELEGAUGE_KERNELS_CPU_MATMUL_CONV_IMPL_H
#define DELEGAUGE_KERNELS_CPU_MATMUL_CONV_IMPL_H

#include "kernels_cpu/common/conv_geometry.h"
#include "kernels_cpu/quant/fused_activation.h"

enum { CONV_INPUT, CONV_FILTER, CONV_BIAS };

/* One combination of types. prepare checks quantization and fills c->packed, whose first member must be this pointer, since run
 * finds itself by it; `g` is copied. Inputs, types and shapes have been checked. */
struct conv_impl {
    enum status (*prepare)(struct cpu_call *c, const struct conv_geometry *g, struct err *err);
    enum status (*run)(struct cpu_call *c, struct err *err);
};

/* An operator: its geometry, the types that go with an input of this type, the implementation of all types as CPU_REFERENCE, and
 * one each of float, integer and float with integer weights as CPU_FAST. */
struct conv_family {
    /* Fills g from the node's shapes and options. */
    enum status (*geometry)(const struct node *n, struct conv_geometry *g, struct err *err);
    bool (*filter_ok)(enum tensor_type input, enum tensor_type filter);
    bool (*bias_ok)(enum tensor_type input, enum tensor_type bias);
    const struct conv_impl *plain, *f32, *quant, *hybrid;
};

/* cpu_kernel.prepare of such an operator: checks the types (ST_UNSUPPORTED for others), chooses by mode and type, and prepares. */
enum status conv_impl_prepare(struct cpu_call *c, const struct conv_family *f, struct err *err);

/* cpu_kernel.run of such an operator: runs the implementation that conv_impl_prepare has chosen. */
enum status conv_impl_run(struct cpu_call *c, struct err *err);

/* Checks the quantization of input, filter (whose channels are dimension `dim`) and output: one scale of input and output, one or
 * one per channel of the filter; zero points 0 if 16 bits or per channel. */
enum status conv_quant_check(const struct node *n, int32_t dim, struct err *err);

/* Fail with ST_BAD_MODEL unless the bias, if there is one, has one value for each of the oc output channels. */
enum status conv_bias_check(const struct node *n, int32_t oc, struct err *err);

#endif
