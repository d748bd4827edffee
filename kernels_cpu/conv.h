/* conv.h - what CONV_2D's implementations for the various types share with conv.c. */
#ifndef DELEGAUGE_CONV_H
#define DELEGAUGE_CONV_H

#include "activation.h"
#include "conv_geometry.h"

enum { CONV_INPUT, CONV_FILTER, CONV_BIAS };

/* One combination of types. prepare fills c->packed, whose first member must be this pointer. */
struct conv_impl {
    enum status (*prepare)(struct cpu_call *c, const struct conv_geometry *g, struct err *err);
    enum status (*run)(struct cpu_call *c, struct err *err);
};

extern const struct conv_impl conv_f32, conv_quant, conv_hybrid;

#endif
