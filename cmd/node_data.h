/* SPDX-License-Identifier: Apache-2.0 */
/* node_data.h - node data of Model Explorer: a number for each node of a graph, which the viewer shows as colours over it.
 *
 *   {"results": {NAME: {"value": V}}, "gradient": [{"stop": 0, "bgColor": …}, {"stop": 1, "bgColor": …}]}
 *
 * NAME is that of a node's output tensor. A value that is not finite is the text "not finite", in a colour of its own. */
#ifndef DELEGAUGE_CMD_NODE_DATA_H
#define DELEGAUGE_CMD_NODE_DATA_H

#include "report.h"

struct node_value {
    const char *name;
    double value; /* NAN as INFINITY: not finite */
};

/* Whose values there are. */
struct node_values {
    size_t n;
    bool (*get)(const void *arg, size_t i, struct node_value *out); /* false: there is none at this place */
    const void *arg;
    bool add_up; /* values of one name are added up, else the greatest is told */
};

/* Fills the report's root. */
void node_data_put(struct report *r, const struct node_values *v);

/* Whether there is any value. */
bool node_data_any(const struct node_values *v);

#endif
