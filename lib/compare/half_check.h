/* SPDX-License-Identifier: Apache-2.0 */
/* half_check.h - finds, node by node in a float32 run, the values that half precision cannot hold, and quantized values that
 * saturate.
 *
 * A 16-bit float ends at 65504, has 11 bits down to 2^-14 = 6.1e-5, fewer below that ("subnormal"), and none below 2^-25. So a node
 * is suspicious if its values or constants leave that range, or if its terms cancel: their rounding errors do not cancel
 * (half_terms.h).
 *
 *   struct half_check h = {0};
 *   session_options.after_node = half_check_node, .after_node_arg = &h     of a session of SESSION_FP32 without delegates
 *   session_prepare, half_check_init; any number of times: fill the inputs, half_check_inputs, session_run
 *
 * Findings accumulate over the runs. Nodes of called subgraphs are not checked. */
#pragma once

#include "lib/session/session.h"

/* Counts of values by their conversion to half precision. */
struct half_counts {
    uint64_t values;
    uint64_t beyond;     /* finite values that become infinite */
    uint64_t subnormal;  /* values below 2^-14 that do not become 0: fewer than 11 bits, 0 on GPUs that flush subnormals */
    uint64_t vanishing;  /* values other than 0 that become 0 */
    uint64_t not_finite; /* NaN or infinite already */
    double max_abs;      /* largest finite absolute value */
};

/* One output of one node. */
struct half_row {
    const struct node *node;         /* in the session's graph */
    const struct tensor *tensor;     /* the output, in the session's graph */
    struct half_counts out;          /* values of a FLOAT32 output; zeros for other types */
    struct half_counts constants;    /* the node's FLOAT32 constants, counted once, in the row of its first output only */
    double max_sum, max_terms;       /* results of half_terms, largest of all runs; 0 for nodes that half_terms does not know */
    double own_error;                /* result of half_own_error, largest of all runs; in the row of the first output only */
    bool quantized;                  /* the output is INT8, UINT8 or INT16 with a scale */
    uint64_t elems, at_low, at_high; /* quantized output: elements; elements equal to the type's least, to its largest value */
};

struct half_check {
    struct half_row *rows; /* [n] in execution order, without folded nodes */
    uint32_t n;
    struct half_counts *inputs;    /* [inputs of the session] zeros for inputs that are not FLOAT32 */
    const struct session *session; /* borrowed */
    struct threads *threads;
    enum status status; /* the first failure of half_check_node, which cannot return it */
    struct err err;
    struct arena arena;
};

/* List the node outputs of a prepared session and count its constants. `h` is zeroed, or freed by half_check_free. Fails with
 * ST_NOMEM, and if no thread can be created. */
enum status half_check_init(struct half_check *h, const struct session *s, struct err *err);
void half_check_free(struct half_check *h);

/* Check a node's outputs; for session_options.after_node, with the struct half_check as `arg`. Does nothing before half_check_init
 * and for other sessions. Costs up to three more runs of the node's kernel: two for cancellation, one for its own error. */
void half_check_node(void *arg, const struct session *s, const struct node *n);

/* Count the values of the session's inputs, before a run. */
void half_check_inputs(struct half_check *h);

/* Ratio of the largest sum of |terms| to the largest |result| at which terms count as cancelling: with each term off by 2^-11 the
 * result may be off by 3 %. */
#define HALF_CANCELS 64.0

/* Findings about a row, as bits; 0: none. */
enum half_finding {
    HALF_BEYOND = 1,             /* values that become infinite */
    HALF_SMALL = 2,              /* more than one value in a hundred is subnormal or becomes 0 */
    HALF_CANCELLING = 4,         /* max_terms >= HALF_CANCELS * max_sum, both finite, max_sum not 0 */
    HALF_CONSTANT_BEYOND = 8,    /* a constant becomes infinite: the GPU backend keeps its tensor in float32 */
    HALF_CONSTANT_VANISHES = 16, /* a constant becomes 0, an epsilon mostly */
    HALF_SATURATED = 32,         /* a quantized value equals its type's largest, or its least unless that is the zero point */
};
unsigned half_findings(const struct half_row *r);

/* Add f[n] to *c. */
void half_count(struct half_counts *c, const float *f, size_t n);
