/* SPDX-License-Identifier: Apache-2.0 */
/* html_impl.h - functions that html.c, charts and pictures share: markup that goes into the page as it is, and text that is
 * escaped. */
#pragma once

#include "cmd/print/html.h"

/* Close a table or a row of figures that is open. */
void html_between(struct html *h);

/* Add markup. Text that may come from outside goes through html_text, never through here. */
void html_raw(struct html *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Count the bytes of pictures that are to come; false, and not counted, if the page had more than `most`, which is always the same.
 */
bool html_has_room(struct html *h, size_t bytes, size_t most);

/* Add text, escaped for content and for attributes. */
void html_text(struct html *h, const char *text);
