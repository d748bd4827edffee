/* SPDX-License-Identifier: Apache-2.0 */
/* activation.h - the functions that nodes may fuse, which are operators of their own as well. */
#pragma once

/* RELU and its kin let NaN pass, as the CPU kernels do. ir_activation() (ir.h) applies them by enum activation. */
extern const struct ir_fn fn_relu, fn_relu6, fn_relu_n1_to_1, fn_tanh, fn_logistic;
