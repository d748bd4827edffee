/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_picture.h - the graph of a model on a page: a row for each node in the order of execution, lines along its tensors, the
 * verdict as colour and shape, and all facts about a node when the reader points at it, goes to it or finds it.
 *
 * A row has a fixed height and the lines few columns (lanes.h), so that 800 nodes are as legible as 8, in a narrow window too. */
#pragma once

#include "cmd/coverage/op_coverage.h"
#include "cmd/print/html.h"

/* Style and script that the pictures of a page need, for html_new_with. */
extern const struct html_own coverage_picture_own;

/* Add the search field, then a picture for each graph that was asked about. ST_NOMEM. */
enum status coverage_put_pictures(struct html *h, const struct coverage_run *r, struct err *err);
