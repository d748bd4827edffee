/* SPDX-License-Identifier: Apache-2.0 */
/* why.h - findings about an error after a comparison: whether half precision explains it, which side is nearer to the truth, and
 * which nodes to keep in float32.
 *
 * Filled by diff_why.c and diff_fp32.c, told by diff_why_results.c. */
#pragma once

#include "lib/compare/auto_fp32.h"
#include "lib/compare/explain.h"
#include "lib/compare/half_check.h"
#include "lib/compare/trial.h"

/* Greatest number of runs that a search for nodes takes. */
#define REMEDY_MAX_RUNS 400

struct why {
    bool explained;          /* true with --why: `emulated` is filled from the runs of the comparison */
    struct trial emulated;   /* the reference kernels in half precision, against the float32 reference */
    bool looked;             /* true with --why or --auto_fp32: `half` is filled */
    struct session *session; /* session of the reference kernels that half_check looked at */
    struct half_check half;
    uint32_t runs;      /* number of runs that were looked at */
    bool compared;      /* true with --reference_precision other than fp32: `plain` is filled, likewise */
    struct trial plain; /* the float32 reference kernels, against that reference */
};

/* Nodes to keep in float32 and, if that is not enough, on the CPU. */
struct remedy {
    bool done; /* true with --auto_fp32 if the delegate took nodes */

    /* Nodes in float32, from the last search, which is with `on_cpu` if that found any. Not made (flag is NULL) if the delegate has
     * no single nodes in float32. */
    struct auto_fp32 search;
    const char *flag;     /* flag of the delegate: "gpu_fp32_nodes"; NULL: it has none */
    const char *list;     /* value for it, with the nodes that the command line named; NULL if nothing passed */
    const char *given;    /* nodes that the command line named; or "" */
    uint32_t *candidates; /* owned */

    /* Nodes on the CPU, all others in float32. Made if float32 alone did not pass; else zeroed. */
    bool tried_cpu;
    struct auto_fp32 on_cpu;
    const char *cpu_list;     /* value for --no_delegate_nodes, likewise; NULL if nothing passed */
    uint32_t *cpu_candidates; /* owned */

    uint32_t trials;  /* number of trials of all searches */
    double max_error; /* largest error of all outputs, of the last set that passed; NAN if none passed */
};
