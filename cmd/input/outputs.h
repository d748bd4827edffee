/* SPDX-License-Identifier: Apache-2.0 */
/* outputs.h - the outputs of the last run as raw files. */
#ifndef DELEGAUGE_CMD_OUTPUTS_H
#define DELEGAUGE_CMD_OUTPUTS_H

#include "lib/session/session.h"

/* Write output_<i>.bin, the raw bytes of the i-th output, into `dir`, which is made if it is missing. */
enum status outputs_write_dir(const struct session *s, const char *dir, struct err *err);

/* Write all outputs one after the other into one file. */
enum status outputs_write_file(const struct session *s, const char *path, struct err *err);

#endif
