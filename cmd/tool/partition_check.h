/* SPDX-License-Identifier: Apache-2.0 */
/* partition_check.h - the check that the flags which limit a delegate's nodes make sense on a command line. */
#pragma once

#include "cmd/tool/cli.h"
#include "lib/base/err.h"
#include "lib/delegate/partition_flags.h"

/* Whether a delegate was asked for: not at all, refused by a flag (--use_gpu=false), or asked for. */
enum asked_delegate { DELEGATE_NOT_ASKED, DELEGATE_REFUSED, DELEGATE_ASKED };

/* Check the flags: ST_USAGE if --no_delegate_nodes is no list of nodes, if a flag limits a delegate's nodes but no delegate was
 * asked for, and if --gpu_experimental_enable_quant and --gpu_quant were both given and contradict each other. If delegates were
 * refused, a flag without effect only causes a warning: command lines are made from others. */
enum status partition_flags_check(const struct cli *c, const struct partition_flags *f, enum asked_delegate delegate,
                                  struct err *err);

/* ---- --require of tools that run a model: the share of nodes that delegates must run ---- */

#define REQUIRE_HELP "Fail (exit status 1) unless delegates run all nodes (full), or this share of them (90%)."

/* Read "full" as 100, "90%" as 90, "" as 0. Fails with ST_USAGE for anything else. */
enum status require_read(const char *text, double *percent, struct err *err);
