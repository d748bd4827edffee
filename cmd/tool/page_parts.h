/* SPDX-License-Identifier: Apache-2.0 */
/* page_parts.h - the common parts of all pages: the executors of nodes, the model, the machine and the flags.
 *
 * Every number in them is one of the JSON report's. */
#pragma once

#include "cmd/print/results.h"
#include "cmd/tool/tool.h"

#define PAGE_VALUE_SIZE 160

/* Write microseconds as milliseconds: four significant digits, and no exponent; "-" if nothing was measured. The second adds the
 * unit. Return `out`. */
const char *page_in_ms(double us, char out[PAGE_VALUE_SIZE]);
const char *page_ms(double us, char out[PAGE_VALUE_SIZE]);

/* Add the executors of a prepared session with delegate `d` (NULL: none): counts, partitions, and why nodes stay on the CPU. Fails
 * only with ST_NOMEM. */
enum status page_add_assignment(struct result_section *to, const struct session *s, const struct delegate *d, struct err *err);

/* Add the model: the file, and the session's inputs and outputs. */
void page_add_model(struct result_section *to, const char *path, const struct model *m, const struct session *s);

/* Add the given flags; and the machine, the delegate's device, and the given flags. */
void page_add_flags(struct result_section *to, const struct tool *t);
void page_add_environment(struct result_section *to, const struct tool *t);
