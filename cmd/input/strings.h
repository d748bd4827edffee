/* SPDX-License-Identifier: Apache-2.0 */
/* strings.h - string tensors for inputs: TFLite's buffer of int32 count, count + 1 int32 offsets, then the bytes. */
#ifndef DELEGAUGE_CMD_STRINGS_H
#define DELEGAUGE_CMD_STRINGS_H

#include "lib/session/session.h"

/* Set input i of a prepared session from strings that each end with a NUL (the last one need not); there must be as many as the
 * tensor has elements. `what` begins the message of a failure. */
enum status strings_set(struct session *s, uint32_t i, const char *text, size_t bytes, const char *what, struct err *err);

/* Set every element to one and the same English text. */
enum status strings_set_default(struct session *s, uint32_t i, struct err *err);

#endif
