/* SPDX-License-Identifier: Apache-2.0 */
/* device_io_report.h - which inputs and outputs were in buffers on the device, and what crossed all the same: as text and JSON. */
#ifndef DELEGAUGE_CMD_DEVICE_IO_REPORT_H
#define DELEGAUGE_CMD_DEVICE_IO_REPORT_H

#include "cmd/print/report.h"
#include "lib/session/device_io.h"

/* Nothing where all is in host memory; with a warning for each tensor that crosses. */
void device_io_say(const struct device_io *io);

/* "device_io": null where all is in host memory. */
void device_io_put(struct report *r, struct json *in, const struct device_io *io);

#endif
