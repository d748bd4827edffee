/* SPDX-License-Identifier: Apache-2.0 */
/* half_check.h - the values in a run of the float32 reference that half precision cannot hold, node by node; and the quantized
 * values that are cut.
 *
 * A 16-bit float ends at 65504, has 11 bits down to 2^-14 = 6.1e-5, and fewer below that ("subnormal"), none below 2^-25. So a node
 * is suspicious that makes values beyond that range, whose constants leave it, or whose terms cancel: their errors do not cancel
 * with them (half_terms.h).
 *
 *   struct half_check h = {0};
 *   session_options.after_node = half_check_node, .after_node_arg = &h     of a session of SESSION_FP32 without delegates
 *   session_prepare, half_check_init; any number of times: fill the inputs, half_check_inputs, session_run
 *
 * Findings add up over the runs. Nodes of called subgraphs are not looked at. */
#ifndef DELEGAUGE_HALF_CHECK_H
#define DELEGAUGE_HALF_CHECK_H

#include "lib/session/session.h"

/* Counts of numbers by their fate as halves. */
struct half_counts {
    uint64_t values;
    uint64_t beyond;     /* finite, and infinite as a half */
    uint64_t subnormal;  /* not 0, below 2^-14 and not zero as a half: fewer than 11 bits, none at all on GPUs that flush */
    uint64_t vanishing;  /* not 0, and 0 as a half */
    uint64_t not_finite; /* NaN or infinite as they are */
    double max_abs;      /* largest absolute value of the finite ones */
};

/* One output of one node. */
struct half_row {
    const struct node *node;         /* of the session's graph, like the tensor */
    const struct tensor *tensor;     /* the output */
    struct half_counts out;          /* values of a FLOAT32 output; 0 of others */
    struct half_counts constants;    /* FLOAT32 constants that the node reads, once; in the row of its first output alone */
    double max_sum, max_terms;       /* half_terms, largest of all runs; 0 if half_terms does not know the node */
    double own_error;                /* half_own_error, largest of all runs; in the row of the first output alone */
    bool quantized;                  /* the output is INT8, UINT8 or INT16 with a scale: */
    uint64_t elems, at_low, at_high; /* number of its elements, and of the elements that are the type's least and largest */
};

struct half_check {
    struct half_row *rows; /* by execution order; none for folded nodes */
    uint32_t n;
    struct half_counts *inputs;    /* [inputs of the session] counts of the FLOAT32 ones */
    const struct session *session; /* borrowed */
    struct threads *threads;
    enum status status; /* the first failure of half_check_node, which cannot return it */
    struct err err;
    struct arena arena;
};

/* List the outputs of a prepared session's nodes and look at its constants. `h` is zeroed, or as after half_check_free. Fails with
 * ST_NOMEM, and if no thread can be had. */
enum status half_check_init(struct half_check *h, const struct session *s, struct err *err);
void half_check_free(struct half_check *h);

/* Check a node: for session_options.after_node; `arg` is the struct half_check. Does nothing before half_check_init and for other
 * sessions. Looking at cancellation costs two more runs of the kernel, the node's own error a third. */
void half_check_node(void *arg, const struct session *s, const struct node *n);

/* Look at the values of the session's inputs, before a run. */
void half_check_inputs(struct half_check *h);

/* Terms that add up to this many times the largest result are "cancelling": at 2^-11 of the terms it may be off by 3 % of itself.
 */
#define HALF_CANCELS 64.0

/* Findings about a row, as bits; 0: none. */
enum half_finding {
    HALF_BEYOND = 1,             /* values that become infinite */
    HALF_SMALL = 2,              /* more than one value in a hundred is subnormal or vanishes */
    HALF_CANCELLING = 4,         /* max_terms >= HALF_CANCELS * max_sum, of finite values that are not all 0 */
    HALF_CONSTANT_BEYOND = 8,    /* a constant that does not fit: the GPU backend leaves its tensor in float32 */
    HALF_CONSTANT_VANISHES = 16, /* a constant becomes 0: an epsilon, mostly */
    HALF_SATURATED = 32,         /* a quantized value at its type's largest, or at its least unless that stands for 0 */
};
unsigned half_findings(const struct half_row *r);

/* Add f[n] to *c. */
void half_count(struct half_counts *c, const float *f, size_t n);

#endif
