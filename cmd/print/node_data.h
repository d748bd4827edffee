/* SPDX-License-Identifier: Apache-2.0 */
/* node_data.h - node data of Model Explorer: a number or a word for each node of a graph, which the viewer shows as colours over
 * it.
 *
 *   {"results": {NAME: {"value": V}}, "gradient": [{"stop": 0, "bgColor": …}, {"stop": 1, "bgColor": …}]}
 *   {"results": {NAME: {"value": "word", "bgColor": …}}}
 *
 * NAME is that of a node's output tensor. A number that is not finite is the text "not finite", in a colour of its own. */
#pragma once

#include "cmd/print/report.h"

struct node_value {
    const char *name;
    double value;      /* NAN as INFINITY: not finite */
    const char *word;  /* instead of a number; of equal names the first is told. NULL: a number. It lasts until the next `get` */
    const char *color; /* of a word: "#ffffff" */
};

/* Source of the values. */
struct node_values {
    size_t n;
    bool (*get)(const void *arg, size_t i, struct node_value *out); /* false: there is none at this place */
    const void *arg;
    bool add_up; /* values of one name are added up, else the greatest is told */
};

/* Fill the report's root; all values are words, or none. */
void node_data_put(struct report *r, const struct node_values *v);

/* True if there is any value. */
bool node_data_any(const struct node_values *v);
