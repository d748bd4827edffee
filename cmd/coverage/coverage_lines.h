/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_lines.h - a graph as rows, with lines between them along its tensors.
 *
 * Rows are the graph's inputs, its nodes in the order of execution, its outputs. A tensor that is made in one row is a line to the
 * last that reads it; constants have none. */
#pragma once

#include "cmd/coverage/coverage_graph.h"
#include "cmd/print/lanes.h"
#include "lib/coverage/coverage.h"

struct coverage_lines {
    struct lane_line *list; /* [n] in the order in which the tensors are made */
    uint8_t *crosses;       /* [n] 1: a reader is in another partition than the maker, or one of the two is in none */
    int32_t *of;            /* [graph tensors] the line of each in `list`, or -1 */
    int32_t *mark;          /* [rows] the lane of each row's mark; LANE_NONE if no line leads there */
    uint32_t n, rows, n_hidden;
    int32_t width; /* lanes */
};

/* Return the row of the node at place i of the graph. */
static inline uint32_t coverage_row(const struct graph *g, uint32_t i)
{
    return g->n_inputs + i;
}

/* Find the lines of a graph with verdicts[g->n_nodes], in time and memory proportional to the graph. The lists belong to `a`.
 * ST_NOMEM. */
enum status coverage_find_lines(const struct graph *g, const struct verdict *verdicts, struct arena *a, struct coverage_lines *out,
                                struct err *err);
