/* SPDX-License-Identifier: Apache-2.0 */
/* outputs.h - writes the outputs of the last run as raw files. */
#pragma once

#include "lib/session/session.h"

/* Write output i as output_<i>.bin into folder `dir`, created if missing. */
enum status outputs_write_dir(const struct session *s, const char *dir, struct err *err);

/* Write all outputs, one behind the other, to one file. */
enum status outputs_write_file(const struct session *s, const char *path, struct err *err);
