/* fully_connected.h - what FULLY_CONNECTED's implementations for the various types share. */
#ifndef DELEGAUGE_FULLY_CONNECTED_H
#define DELEGAUGE_FULLY_CONNECTED_H

#include "activation.h"

enum { FC_INPUT, FC_FILTER, FC_BIAS };

/* y[batch][units] = x[batch][depth] times the transpose of filter[units][depth]. */
struct fc_shape { size_t batch, units, depth; };

/* One combination of types. prepare fills c->packed, whose first member must be this pointer. */
struct fc_impl {
    enum status (*prepare)(struct cpu_call *c, struct fc_shape s, struct err *err);
    enum status (*run)(struct cpu_call *c, struct err *err);
};

extern const struct fc_impl fc_f32, fc_quant, fc_hybrid, fc_blockwise;

#endif
