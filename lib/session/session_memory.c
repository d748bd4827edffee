/* SPDX-License-Identifier: Apache-2.0 */
/* session_memory.c - what a session holds in memory and on devices, that of the subgraphs which it called included. */
#include "lib/session/session_impl.h"

/* Of partitions of `d`; NULL: of all. */
static void add_facts(const struct session *s, const struct delegate *d, struct delegate_facts *to)
{
    for (uint32_t i = 0; i < s->plan.n_steps; i++) {
        const struct step *step = &s->plan.steps[i];

        if (step->kernel && (!d || step->part->delegate == d))
            step->kernel->ops->facts(step->kernel, to);
    }
    for (uint32_t i = 0; i < s->placement.n_buffers && (!d || d == s->placement.delegate); i++)
        FACTS(to, {"memory.staging", "bytes", s->placement.buffers[i].bytes});
    for (uint32_t i = 0; dynamic_session(s, i); i++)
        add_facts(dynamic_session(s, i), d, to);
}

void session_facts(const struct session *s, const struct delegate *d, struct delegate_facts *out)
{
    out->n = 0;
    add_facts(s, d, out);
    for (uint32_t i = 0; session_is_outermost(s) && runtime_called(s->runtime, i); i++)
        add_facts(runtime_called(s->runtime, i), d, out);
}

uint64_t session_fact(const struct session *s, const char *name)
{
    struct delegate_facts sum;

    session_facts(s, NULL, &sum);
    return fact_value(&sum, name);
}

void session_memory(const struct session *s, struct session_memory *out)
{
    *out = (struct session_memory){.arena_bytes = s->plan.block_bytes,
                                   .lower_bound_bytes = s->plan.lower_bound,
                                   .packed_bytes = s->plan.packed_bytes,
                                   .scratch_bytes = s->plan.scratch_bytes};
}

bool session_program(const struct session *s, uint32_t i, struct delegate_program *out)
{
    for (uint32_t k = 0; k < s->delegation.n_kernels; k++) {
        const struct delegate_kernel *kernel = s->delegation.kernels[k];

        uint32_t n = 0;

        for (; kernel->ops->program && kernel->ops->program(kernel, n, out); n++)
            if (n == i)
                return true;
        i -= n;
    }
    for (uint32_t k = 0; dynamic_session(s, k); k++) {
        const struct session *l = dynamic_session(s, k);
        uint32_t n = 0;

        for (; session_program(l, n, out); n++)
            if (n == i)
                return true;
        i -= n;
    }
    return false;
}
