/* SPDX-License-Identifier: Apache-2.0 */
/* why.h - what is found out about an error after a comparison: whether half precision explains it, which side is nearer to the
 * truth, and which nodes to keep in float32.
 *
 * Filled by diff_why.c and diff_fp32.c, printed by diff_why_text.c and diff_why_json.c. */
#ifndef DELEGAUGE_CMD_WHY_H
#define DELEGAUGE_CMD_WHY_H

#include "lib/compare/auto_fp32.h"
#include "lib/compare/explain.h"
#include "lib/compare/half_check.h"
#include "lib/compare/trial.h"

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

/* What to keep in float32, and, where that does not do, on the CPU. */
struct remedy {
    bool done; /* with --auto_fp32, where the delegate took nodes */

    /* Nodes in float32; of the last search, which is with `on_cpu` where that found any. Not made (flag is NULL) where the delegate
     * has no single nodes in float32. */
    struct auto_fp32 search;
    const char *flag;     /* of the delegate: "gpu_fp32_nodes"; NULL: it has none */
    const char *list;     /* for it, with what the command line named already; NULL where nothing passed */
    const char *given;    /* what the command line named; "" */
    uint32_t *candidates; /* owned */

    /* Nodes on the CPU, all others in float32. Made where float32 alone had not passed; else zeroed. */
    bool tried_cpu;
    struct auto_fp32 on_cpu;
    const char *cpu_list;     /* for --no_delegate_nodes, likewise; NULL where nothing passed */
    uint32_t *cpu_candidates; /* owned */

    uint32_t trials;  /* of all searches */
    double max_error; /* of the last set that passed, largest of all outputs; NAN where none did */
};

#endif
