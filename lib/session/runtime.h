/* SPDX-License-Identifier: Apache-2.0 */
/* runtime.h - what the sessions of one model share: the outermost one, those of its called subgraphs and of its groups of nodes. */
#ifndef DELEGAUGE_RUNTIME_H
#define DELEGAUGE_RUNTIME_H

#include "lib/graph/resource.h"
#include "lib/session/session_cache.h"

/* The sessions of a called subgraph: made at the first call, freed with the runtime or to make room. */
struct called_subgraph {
    struct session_cache by_delegates; /* delegates were asked about these */
    struct session *by_cpu;            /* prepared again for other shapes */
    uint64_t by_cpu_used;              /* runtime.calls when it was called last */
    bool called_once;                  /* CALL_ONCE has run it */
};

/* Made with the outermost session, freed with it. */
struct runtime {
    struct session *outermost;
    struct threads *threads;
    struct resources *resources;
    struct called_subgraph *called; /* [n_called] by subgraph of the model */
    uint32_t n_called;
    uint64_t calls;        /* so far */
    uint64_t run_began_ns; /* of the outermost session, where go_on wants to know */

    /* What was handed over last, by whatever session, since somebody waited; NULL: nothing. */
    struct delegate_kernel *unfinished;
    const struct delegate *unfinished_of;
};

/* Make the runtime of a session whose options are set; free it with runtime_free. Fails with ST_NOMEM, and as threads_new does. */
enum status runtime_new(struct session *outermost, uint32_t n_subgraphs, struct runtime **out, struct err *err);

/* Free the sessions of called subgraphs, and all else but the outermost session. Accepts NULL. */
void runtime_free(struct runtime *r);

/* Return session i of a called subgraph, of all of them; NULL beyond the last. */
struct session *runtime_called(const struct runtime *r, uint32_t i);

#endif
