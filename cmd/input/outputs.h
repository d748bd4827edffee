/* SPDX-License-Identifier: Apache-2.0 */
/* outputs.h - writes the outputs of the last run as raw files. */
#pragma once

#include "lib/session/session.h"

/* Write output i as output_<i>.bin into folder `dir`, created if missing. */
enum status outputs_write_dir(const struct session *s, const char *dir, struct err *err);

/* Write all outputs, one behind the other, to one file. */
enum status outputs_write_file(const struct session *s, const char *path, struct err *err);

/* ---- the outputs of the last run as TensorFlow's tf.Example (--output_proto_filepath) ---- */

/* Write a feature for each output, named by its tensor; if two have one name, readers use the last. Floats of 32 and 64 bits are a
 * float_list, integers of 8 bits and more an int64_list; outputs of other types are left out with a warning. Fails with ST_NOMEM,
 * ST_IO or ST_FAILED. */
enum status outputs_write_example(const struct session *s, const char *path, struct err *err);
