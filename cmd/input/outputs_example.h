/* SPDX-License-Identifier: Apache-2.0 */
/* outputs_example.h - writes the outputs of the last run as TensorFlow's tf.Example (--output_proto_filepath). */
#pragma once

#include "lib/session/session.h"

/* Write a feature for each output, named by its tensor; if two have one name, readers use the last. Floats of 32 and 64 bits are a
 * float_list, integers of 8 bits and more an int64_list; outputs of other types are left out with a warning. Fails with ST_NOMEM,
 * ST_IO or ST_FAILED. */
enum status outputs_write_example(const struct session *s, const char *path, struct err *err);
