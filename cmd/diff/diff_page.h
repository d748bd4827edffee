/* SPDX-License-Identifier: Apache-2.0 */
/* diff_page.h - parts of inference_diff's page; diff_html.c puts them together.
 *
 * Each adds sections, or nothing where the comparison has nothing to say of it. Every number is one of the JSON report's, and the
 * sentences are those of the text. */
#ifndef DELEGAUGE_CMD_DIFF_PAGE_H
#define DELEGAUGE_CMD_DIFF_PAGE_H

#include "cmd/diff/inference_diff.h"
#include "cmd/print/html.h"

#define PAGE_FIGURE_SIZE 32

/* A figure as pages have it: four digits that count; "NaN" and "∞" where it is not finite. Returns `out`. */
const char *page_figure(double value, char out[PAGE_FIGURE_SIZE]);

/* Adds each line that `say` prints as a paragraph of its kind; those that begin with a blank are items. Fails only with ST_NOMEM.
 */
enum page_lines { PAGE_NOTES, PAGE_WARNINGS };
enum status page_put_said(struct html *h, const struct comparison *c, void (*say)(const struct comparison *c), enum page_lines kind,
                          struct err *err);

/* The outputs with their distances; where in the worst tensors the errors lie; and how often each comes. */
void page_put_outputs(struct html *h, const struct comparison *c);
void page_put_maps(struct html *h, const struct comparison *c);
void page_put_histograms(struct html *h, const struct comparison *c);

/* Errors along the graph, node by node, or tensor by tensor of two models: what they come to and charts, or a hint without
 * --per_op, which fails only with ST_NOMEM; and their rows, if any. */
enum status page_put_along(struct html *h, const struct comparison *c, struct err *err);
void page_put_nodes(struct html *h, const struct comparison *c);

/* The matrix, why, the bisection, what was extracted, and what to keep in float32: what was asked for of these. Fails only with
 * ST_NOMEM. */
enum status page_put_found(struct html *h, const struct comparison *c, struct err *err);

#endif
