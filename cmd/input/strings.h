/* SPDX-License-Identifier: Apache-2.0 */
/* strings.h - string tensors as inputs. TFLite's layout: int32 count, count + 1 int32 offsets, then the bytes. */
#pragma once

#include "lib/session/session.h"

/* Set input i of a prepared session from strings ended by NUL (optional for the last one), as many as the tensor has elements.
 * Messages of a failure begin with `what`. */
enum status strings_set(struct session *s, uint32_t i, const char *text, size_t bytes, const char *what, struct err *err);

/* Set every element to the same English text. */
enum status strings_set_default(struct session *s, uint32_t i, struct err *err);
