/* depthwise_conv.h - what DEPTHWISE_CONV_2D's implementations for the various types share. */
#ifndef DELEGAUGE_DEPTHWISE_CONV_H
#define DELEGAUGE_DEPTHWISE_CONV_H

#include "activation.h"
#include "conv_geometry.h"

enum { DW_INPUT, DW_FILTER, DW_BIAS };

/* One combination of types. prepare fills c->packed, whose first member must be this pointer. Output channel oc reads input
 * channel oc / (g->oc / g->ic). */
struct dw_impl {
    enum status (*prepare)(struct cpu_call *c, const struct conv_geometry *g, struct err *err);
    enum status (*run)(struct cpu_call *c, struct err *err);
};

extern const struct dw_impl dw_f32, dw_quant, dw_hybrid;

#endif
