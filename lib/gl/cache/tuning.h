/* SPDX-License-Identifier: Apache-2.0 */
/* tuning.h - how far tuning of a partition came, as it is stored with the start: the next one goes on there. */
#pragma once

#include <stddef.h>

#include "lib/gl/options/pick.h"

struct gl_tuning {
    uint32_t n;          /* nodes of the graph */
    uint64_t program_ns; /* that compiling one took in the last trials; 0: not known */
    uint32_t way, value; /* what comes next, of the tuner's (tune.c) */
    uint32_t nodes;      /* that are computed in another way */
    uint32_t idle;       /* starts in a row that had no time for any trial */
    uint32_t is_cut;     /* it ended before everything was tried; else 0 */
    struct gl_tuning_node {
        uint16_t variant;
        uint8_t group, reads, constants, bits;
    } of[];
};

size_t gl_tuning_bytes(uint32_t n);

/* malloc, of a partition of a graph of n nodes, with nothing tried; NULL without memory. */
struct gl_tuning *gl_tuning_new(uint32_t n);

/* From and to picks[n], and whether what comes next was tried of a node, or need not be. */
void gl_tuning_note(struct gl_tuning *t, const struct gl_pick *picks, const bool *done);
void gl_tuning_take(const struct gl_tuning *t, struct gl_pick *picks, bool *done);

/* Whether bytes[size] are one of a graph of n nodes, whose picks there are. */
bool gl_tuning_check(const void *bytes, size_t size, uint32_t n);
