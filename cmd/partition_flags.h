/* SPDX-License-Identifier: Apache-2.0 */
/* partition_flags.h - the flags that limit what a delegate is given, the same in every tool. */
#ifndef DELEGAUGE_CMD_PARTITION_FLAGS_H
#define DELEGAUGE_CMD_PARTITION_FLAGS_H

#include "../lib/flag.h"

/* The rows for a struct partition_options. */
extern const struct flag partition_flag_table[];

#endif
