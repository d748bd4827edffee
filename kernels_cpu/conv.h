/* conv.h - CONV_2D's implementations. */
#ifndef DELEGAUGE_CONV_H
#define DELEGAUGE_CONV_H

#include "conv_impl.h"

extern const struct conv_impl conv_f32, conv_quant, conv_hybrid;

#endif
