/* SPDX-License-Identifier: Apache-2.0 */
/* devices.h - --list_gpus: the devices that delegates of this build could use. */
#pragma once

#include "cmd/tool/tool.h"

/* Print the devices as text, and with --json as a JSON document ("list_gpus" in schema/json/report.schema.json). Fails with the
 * status of the last delegate type if none has a device, then without a document, and as report_write does. */
enum status devices_list(const struct tool *t, struct err *err);
