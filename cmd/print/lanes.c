/* SPDX-License-Identifier: Apache-2.0 */
/* lanes.c - row by row, the leftmost lane that is free; one that just became so first, which makes chains straight. */
#include "cmd/print/lanes.h"

/* `mask` has a bit set. */
static int32_t lowest(uint64_t mask)
{
    return (int32_t)__builtin_ctzll(mask);
}

int32_t lanes_place(struct lane_line *lines, uint32_t n, uint32_t rows, struct arena *a)
{
    uint64_t *ends = ARENA_ARRAY(a, rows, uint64_t); /* [rows] the lanes that become free there */
    uint64_t vacant = (1ull << LANES_MOST) - 1;
    int32_t width = 0;
    uint32_t next = 0;

    for (uint32_t row = 0; ends && row < rows; row++) {
        uint64_t left = ends[row];

        vacant |= left;
        for (; next < n && lines[next].from == row; next++) {
            struct lane_line *line = &lines[next];

            line->lane = LANE_NONE;
            if (line->to == line->from)
                continue;
            line->lane = left ? lowest(left) : vacant ? lowest(vacant) : LANE_NONE;
            if (line->lane == LANE_NONE)
                continue;
            left &= ~(1ull << line->lane);
            vacant &= ~(1ull << line->lane);
            ends[line->to] |= 1ull << line->lane;
            width = line->lane < width ? width : line->lane + 1;
        }
    }
    return ends ? width : -1;
}
