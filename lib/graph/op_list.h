/* SPDX-License-Identifier: Apache-2.0 */
/* op_list.h - lists of operator names, separated by commas: "CONV_2D,ADD". */
#pragma once

#include "lib/graph/graph.h"

/* Return true if the list has that name; "" and NULL are empty lists. */
bool op_list_has(const char *list, const char *name);

/* Check a list, since a misspelt name would silently have no effect. Fails with ST_USAGE, with a message that begins with `flag`,
 * if a name is neither an operator of TensorFlow Lite nor one of g's model. */
enum status op_list_check(const char *flag, const char *list, const struct graph *g, struct err *err);
