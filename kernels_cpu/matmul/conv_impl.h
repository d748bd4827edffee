/* SPDX-License-Identifier: Apache-2.0 */
/* conv_impl.h - checks of inputs and types, and the choice of implementation, that CONV_2D and DEPTHWISE_CONV_2D share.
 *
 * conv.c and depthwise_conv.c each have a struct conv_family; the files _f32, _quant (_int), _hybrid and _plain beside them have
 * the implementations. */
#pragma once

#include "kernels_cpu/common/conv_geometry.h"

enum { CONV_INPUT, CONV_FILTER, CONV_BIAS };

/* Implementation for one combination of types. prepare copies `g`, checks quantization and fills c->packed. Inputs, types and
 * shapes have been checked. */
struct conv_impl {
    enum status (*prepare)(struct cpu_call *c, const struct conv_geometry *g, struct err *err);
    void (*compute)(struct cpu_call *c);
};

/* An operator: its geometry, the filter and bias types that each input type allows, and its implementations: `plain` for all types
 * as CPU_REFERENCE; float32, integers, and float32 with integer weights as CPU_FAST. */
struct conv_family {
    /* Fill *g from the node's shapes and options. */
    enum status (*geometry)(const struct node *n, struct conv_geometry *g, struct err *err);
    bool (*filter_ok)(enum tensor_type input, enum tensor_type filter);
    bool (*bias_ok)(enum tensor_type input, enum tensor_type bias);
    const struct conv_impl *plain, *f32, *quant, *hybrid;
};

/* cpu_kernel.prepare: check the types (ST_UNSUPPORTED for others), choose the implementation by mode and type, and prepare it. */
enum status conv_impl_prepare(struct cpu_call *c, const struct conv_family *f, struct err *err);

/* Check that input and output have one scale each, 16-bit ones with zero point 0, and the filter one scale or one for each index of
 * dimension `dim`, with zero points of 0; a UINT8 filter must have one scale and may have any zero point. */
enum status conv_quant_check(const struct node *n, int32_t dim, struct err *err);

/* Check that the bias, if there is one, has a value for each of the oc output channels. Fails with ST_BAD_MODEL. */
enum status conv_bias_check(const struct node *n, int32_t oc, struct err *err);
