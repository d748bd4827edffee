/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile_text.h - an op profile as the tables that TFLite's profiler prints. */
#ifndef DELEGAUGE_CMD_OP_PROFILE_TEXT_H
#define DELEGAUGE_CMD_OP_PROFILE_TEXT_H

#include "../lib/op_profile.h"

/* TFLite's four tables under `title`. Fails only with ST_NOMEM, before anything is printed. */
enum status op_profile_say(const struct op_profile *p, const char *title, struct err *err);

#endif
