/* SPDX-License-Identifier: Apache-2.0 */
/* device_io.h - inputs and outputs of a session in buffers on the device of its delegate, as far as nobody else needs them.
 *
 * Runs then bring and fetch nothing; what the CPU reads or makes stays in host memory, and each tensor has the reason. */
#ifndef DELEGAUGE_DEVICE_IO_H
#define DELEGAUGE_DEVICE_IO_H

#include "lib/session/session.h"

struct device_tensor {
    uint32_t buffer;       /* 0: none, it is in host memory */
    enum delegate_way way; /* where it has one: whether a dispatch changes its layout */
    char why[160];         /* where it has none; "" where nobody asked, as it has no bytes */
};

/* Zeros where all is in host memory. */
struct device_io {
    struct session *session; /* borrowed, prepared */
    struct delegate *delegate;
    struct device_tensor *inputs, *outputs; /* [n_inputs], [n_outputs]; malloc */
    uint32_t n_inputs, n_outputs;
};

/* Makes a dense buffer for each input and output of s and binds it (session_bind_input), where `d` was opened with
 * delegate.io_in_buffers; else, and where d is NULL, *io is zeros. `io` is to be freed before the delegate is closed, after
 * failures too, and anew after each session_prepare. Fails as making buffers does. */
enum status device_io_open(struct device_io *io, struct session *s, struct delegate *d, struct err *err);

/* Copies what the session's inputs hold in host memory into their buffers; and outputs from theirs to their tensors, once all runs
 * are done. Fail as the delegate's buffer_write and buffer_read do. */
enum status device_io_write(const struct device_io *io, struct err *err);
enum status device_io_read(const struct device_io *io, struct err *err);

/* How many of t[n] have a buffer; how many of these need no dispatch that changes their layout. */
uint32_t device_io_count(const struct device_tensor *t, uint32_t n, bool direct);

/* Tensor i that runs bring to the device or fetch from it all the same, and that is neither input nor output of the model; false
 * beyond the last. */
bool device_io_inner(const struct device_io *io, uint32_t i, struct delegate_crossing *out);

/* Accepts zeros; leaves them. */
void device_io_free(struct device_io *io);

#endif
