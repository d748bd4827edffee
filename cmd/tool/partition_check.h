/* SPDX-License-Identifier: Apache-2.0 */
/* partition_check.h - whether the flags that limit what a delegate is given make sense on a command line. */
#ifndef DELEGAUGE_CMD_PARTITION_CHECK_H
#define DELEGAUGE_CMD_PARTITION_CHECK_H

#include "cmd/tool/cli.h"
#include "lib/delegate/partition_flags.h"

/* Whether a delegate was asked for: not at all, or in so many words that none is wanted (--use_gpu=false). */
enum asked_delegate { DELEGATE_NOT_ASKED, DELEGATE_REFUSED, DELEGATE_ASKED };

/* ST_USAGE where --no_delegate_nodes is no list of nodes, where a flag limits what no delegate was asked to take, and where
 * --gpu_experimental_enable_quant and --gpu_quant were both given and one takes back what the other asks for. Where delegates were
 * refused, a flag without effect is but warned of: command lines are made from others. */
enum status partition_flags_check(const struct cli *c, const struct partition_flags *f, enum asked_delegate delegate,
                                  struct err *err);

#endif
