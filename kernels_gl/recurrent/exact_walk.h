/* SPDX-License-Identifier: Apache-2.0 */
/* exact_walk.h - cells that walk through time, each step operations of its own: exact cells, and cells whose weights are made at
 * run time. */
#ifndef DELEGAUGE_KERNELS_GL_EXACT_WALK_H
#define DELEGAUGE_KERNELS_GL_EXACT_WALK_H

#include "kernels_gl/recurrent/recurrent.h"

/* One step: x is the part of exact_walk.x for its time, h and c the states, y and c_after to be computed; c and c_after are NULL if
 * cells have no state of their own. False if memory runs out. */
struct exact_step {
    struct ir_value *x, *h, *c, *y, *c_after;
};

struct exact_walk {
    const struct recurrent *r;
    struct ir_value *x;                  /* made of the inputs of all times */
    const struct tensor *output, *state; /* tensors as which y and the cell state are stored, if they are integers; else NULL */
    int32_t n_cell;                      /* 0: no cell state */
    const void *cell;
    bool (*step)(struct ir *ir, const void *cell, const struct exact_step *s);
};

/* Check that there are not too many steps. False: *why. */
bool exact_walk_fits(int32_t times, struct reason *why);

/* Computes r->y, and gives the variables of `n` their new content. */
enum status exact_walk(struct ir *ir, const struct node *n, const struct exact_walk *w, struct err *err);

#endif
