/* SPDX-License-Identifier: Apache-2.0 */
/* require.h - --require of tools that run a model: the share of nodes that delegates must run. */
#pragma once

#include "lib/base/err.h"

#define REQUIRE_HELP "Fail (exit status 1) unless delegates run all nodes (full), or this share of them (90%)."

/* Read "full" as 100, "90%" as 90, "" as 0. Fails with ST_USAGE for anything else. */
enum status require_read(const char *text, double *percent, struct err *err);
