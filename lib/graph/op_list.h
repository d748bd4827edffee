/* SPDX-License-Identifier: Apache-2.0 */
/* op_list.h - operators named by their names, with commas between: "CONV_2D,ADD". */
#ifndef DELEGAUGE_OP_LIST_H
#define DELEGAUGE_OP_LIST_H

#include "lib/graph/graph.h"

/* True if the list has that name; "" and NULL have none. */
bool op_list_has(const char *list, const char *name);

/* Check a list: ST_USAGE, with a message that begins with `flag`, if a name is neither an operator of TensorFlow Lite's nor one of
 * g's model: a misspelt one would do nothing, in silence. */
enum status op_list_check(const char *flag, const char *list, const struct graph *g, struct err *err);

#endif
