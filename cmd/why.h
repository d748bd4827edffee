/* SPDX-License-Identifier: Apache-2.0 */
/* why.h - what is found out about an error after a comparison: whether half precision explains it, which side is nearer to the
 * truth, and which nodes to keep in float32.
 *
 * Filled by diff_why.c and diff_fp32.c, printed by diff_why_text.c and diff_why_json.c. */
#ifndef DELEGAUGE_CMD_WHY_H
#define DELEGAUGE_CMD_WHY_H

#include "../lib/auto_fp32.h"
#include "../lib/explain.h"
#include "../lib/half_check.h"
#include "../lib/trial.h"

/* Runs that a search for nodes takes at most. */
#define REMEDY_MAX_RUNS 400

struct why {
    bool explained;          /* with --why: `emulated` is filled, and of the runs of the comparison */
    struct trial emulated;   /* the reference kernels in half precision, against the float32 reference */
    bool looked;             /* with --why or --auto_fp32: `half` is filled */
    struct session *session; /* of the reference kernels, which half_check looked at */
    struct half_check half;
    uint32_t runs;      /* that were looked at */
    bool compared;      /* with --reference_precision other than fp32: `plain` is filled, likewise */
    struct trial plain; /* the float32 reference kernels, against that reference */
};

/* What to keep in float32. */
struct remedy {
    bool done; /* with --auto_fp32, where the delegate took nodes */
    struct auto_fp32 search;
    const char *flag;     /* of the delegate: "gpu_fp32_nodes" */
    const char *list;     /* for it, with what the command line named already; NULL where nothing passed */
    const char *given;    /* what the command line named; "" */
    uint32_t *candidates; /* owned */
    double max_error;     /* of the last set that passed, largest of all outputs; NAN where none did */
};

#endif
