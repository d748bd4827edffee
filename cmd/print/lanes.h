/* SPDX-License-Identifier: Apache-2.0 */
/* lanes.h - lines from row to row side by side, so that none covers another and consecutive ones form one straight line. */
#pragma once

#include <stdint.h>

#include "lib/base/arena.h"

enum { LANES_MOST = 48, LANE_NONE = -1 };

struct lane_line {
    uint32_t from, to; /* rows, from <= to */
    int32_t lane;      /* set by lanes_place: from 0; LANE_NONE if LANES_MOST others are there, or it goes nowhere */
};

/* Give each line a lane that no other has between its rows; one that ends in a row may be followed there by one that begins. The
 * lines come in the order of `from`. Returns how many lanes there are; -1 if memory runs out. `a` holds scratch memory. */
int32_t lanes_place(struct lane_line *lines, uint32_t n, uint32_t rows, struct arena *a);
