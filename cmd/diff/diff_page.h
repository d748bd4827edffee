/* SPDX-License-Identifier: Apache-2.0 */
/* diff_page.h - parts of inference_diff's page; diff_html.c puts them together.
 *
 * Each function adds sections, or nothing if the comparison has no such result. Every number is one of the JSON report's, every
 * sentence one of the text's. */
#ifndef DELEGAUGE_CMD_DIFF_PAGE_H
#define DELEGAUGE_CMD_DIFF_PAGE_H

#include "cmd/diff/inference_diff.h"
#include "cmd/print/html.h"

#define PAGE_FIGURE_SIZE 32

/* Write a figure as pages show it: four significant digits; "NaN" and "∞" if it is not finite. Returns `out`. */
const char *page_figure(double value, char out[PAGE_FIGURE_SIZE]);

/* Add each line that `say` prints as a paragraph of its kind; lines that begin with a blank are items. Fails only with ST_NOMEM.
 */
enum page_lines { PAGE_NOTES, PAGE_WARNINGS };
enum status page_put_said(struct html *h, const struct comparison *c, void (*say)(const struct comparison *c), enum page_lines kind,
                          struct err *err);

/* Add the outputs with their distances; the places of the errors in the worst tensors; and the frequency of each error. */
void page_put_outputs(struct html *h, const struct comparison *c);
void page_put_maps(struct html *h, const struct comparison *c);
void page_put_histograms(struct html *h, const struct comparison *c);

/* Add the errors along the graph, node by node, or tensor by tensor of two models: a summary and charts, or a hint without
 * --per_op, failing only with ST_NOMEM; and their rows, if any. */
enum status page_put_along(struct html *h, const struct comparison *c, struct err *err);
void page_put_nodes(struct html *h, const struct comparison *c);

/* Add the matrix, why, the bisection, the extracted model, and the nodes to keep in float32, if the flags ask for them. Fails only
 * with ST_NOMEM. */
enum status page_put_found(struct html *h, const struct comparison *c, struct err *err);

#endif
