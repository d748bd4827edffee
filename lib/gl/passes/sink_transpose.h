/* SPDX-License-Identifier: Apache-2.0 */
/* sink_transpose.h - what the pass "sink transposes" knows of values and operations while it runs.
 *
 * Each of its steps looks at one group and what is around it only: models have tens of thousands of operations. */
#pragma once

#include "lib/gl/device/limits.h"
#include "lib/gl/ir/kernel.h"

#define SINK_NONE UINT32_MAX

/* What is known of a value. */
struct member {
    struct ir_value *now, *instead; /* while its group takes another order: its place in that; who is read since it went, or NULL */
    uint32_t group;                 /* by number */
    uint32_t next;                  /* of its group, or SINK_NONE */
    uint32_t readers;               /* the first transpose that reads it, or SINK_NONE */
    bool made, read;                /* by an operation that keeps its axes, or outside */
    bool kept; /* read by another than those that read rows and columns exchanged as well (ir_traits.matrices) */
};

/* Numbered as a value is, but one of other values, too. */
struct group {
    uint32_t first, size;
    uint32_t refused; /* bit per order that costs no less, as long as nothing around it changes */
};

/* Place in ir->ops, where new ones come last while the pass runs. */
struct link {
    uint32_t next;        /* in the order of execution, or SINK_NONE */
    uint32_t next_reader; /* the next transpose that reads the same, or SINK_NONE */
    bool gone;
};

struct sink_transpose {
    struct ir *ir;
    const struct gl_limits *lim;
    struct member *members; /* [cap_values] by ir_value.id */
    struct group *groups;   /* [cap_values] */
    struct link *links;     /* [cap_ops] by ir_op.at */
    uint32_t cap_values, cap_ops, first;
    uint32_t left; /* orders that may still be taken: an end, should costs be wrong */
    struct arena scratch;
};

/* Moves elements to other axes and does nothing else: axis k of the output is axis[k] of the input. */
bool sink_is_transpose(const struct ir_op *op, int axis[4]);

/* Its axes can be named in another order. */
bool sink_is_free(const struct ir_op *op);

/* Finds the groups, and who has values that keep their order. False: out of memory. */
bool sink_start(struct sink_transpose *s);

/* For what the ir has by now and one more of each. False: out of memory. */
bool sink_make_room(struct sink_transpose *s);

/* The list of operations again, in order, without transposes that went. False: out of memory. */
bool sink_finish(struct sink_transpose *s);

uint32_t sink_group(const struct sink_transpose *s, const struct ir_value *v);

/* `v`, or who is read in its place. */
struct ir_value *sink_read_now(const struct sink_transpose *s, struct ir_value *v);

/* `to` is of one group with `from` from now on. */
void sink_unite(struct sink_transpose *s, uint32_t to, uint32_t from);

/* The value, which is in no list of a group, becomes a member; or the only one, of one with that number. */
void sink_put(struct sink_transpose *s, uint32_t value, uint32_t group);
void sink_start_group(struct sink_transpose *s, uint32_t value, uint32_t group);

/* The transpose reads v. */
void sink_add_reader(struct sink_transpose *s, const struct ir_value *v, const struct ir_op *op);
void sink_move_readers(struct sink_transpose *s, const struct ir_value *from, struct ir_value *to);
