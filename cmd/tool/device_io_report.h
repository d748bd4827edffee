/* SPDX-License-Identifier: Apache-2.0 */
/* device_io_report.h - the inputs and outputs in buffers on the device, and the tensors that crossed all the same: as text and
 * JSON. */
#pragma once

#include "cmd/print/report.h"
#include "lib/session/device_io.h"

/* Print the buffers, with a warning for each tensor that crosses; nothing if all is in host memory. */
void device_io_say(const struct device_io *io);

/* Put "device_io": null if all is in host memory. */
void device_io_put(struct report *r, struct json *in, const struct device_io *io);
