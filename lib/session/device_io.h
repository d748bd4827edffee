/* SPDX-License-Identifier: Apache-2.0 */
/* device_io.h - inputs and outputs of a session in buffers on its delegate's device, so that runs transfer nothing.
 *
 * Tensors that the CPU reads or computes stay in host memory, each with its reason. */
#pragma once

#include "lib/session/session.h"

struct device_tensor {
    uint32_t buffer;       /* 0: none, the tensor is in host memory */
    enum delegate_way way; /* with a buffer: DELEGATE_DIRECT, or DELEGATE_CONVERTED by a dispatch */
    char why[160];         /* without a buffer: the reason; "" if the tensor has no bytes, or its shape is dynamic */
};

/* Zeroed: all inputs and outputs are in host memory. */
struct device_io {
    struct session *session; /* borrowed, prepared */
    struct delegate *delegate;
    struct device_tensor *inputs, *outputs; /* [n_inputs], [n_outputs]; malloc */
    uint32_t n_inputs, n_outputs;
};

/* Make a dense buffer for each input and output of s and bind it (session_bind_input), if d has delegate.io_in_buffers; else, or if
 * d is NULL, zero *io. Free `io` before the delegate is closed, after a failure too; free and open it again after each
 * session_prepare. Fails as delegate_ops.buffer_new does, or with ST_NOMEM. */
enum status device_io_open(struct device_io *io, struct session *s, struct delegate *d, struct err *err);

/* Copy inputs from the session's tensors to their buffers; copy outputs from their buffers to the session's tensors, after all
 * runs. Fail as delegate_ops.buffer_write and buffer_read do. */
enum status device_io_write(const struct device_io *io, struct err *err);
enum status device_io_read(const struct device_io *io, struct err *err);

/* Count the tensors of t[n] that have a buffer; with `direct`, only DELEGATE_DIRECT ones. */
uint32_t device_io_count(const struct device_tensor *t, uint32_t n, bool direct);

/* Store in *out tensor i that runs still transfer through host memory and that is no input or output of the model; return false if
 * i is beyond the last. */
bool device_io_inner(const struct device_io *io, uint32_t i, struct delegate_crossing *out);

/* Free the buffers, and leave *io zeroed; accepts a zeroed one. */
void device_io_free(struct device_io *io);
