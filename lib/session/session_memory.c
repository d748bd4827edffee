/* SPDX-License-Identifier: Apache-2.0 */
/* session_memory.c - what a session holds in memory and on devices, that of the subgraphs which it called included. */
#include "lib/session/session_impl.h"

/* Of partitions of `d`; NULL: of all. */
static void add_delegate_memory(const struct session *s, const struct delegate *d, struct delegate_memory *to)
{
    for (uint32_t i = 0; i < s->plan.n_steps; i++) {
        struct delegate_memory m;

        if (!s->plan.steps[i].kernel || (d && s->plan.steps[i].part->delegate != d))
            continue;
        s->plan.steps[i].kernel->ops->memory(s->plan.steps[i].kernel, &m);
        to->intermediates += m.intermediates;
        to->texture_bytes += m.texture_bytes;
        to->textures += m.textures;
        to->lower_bound += m.lower_bound;
        to->unshared += m.unshared;
        to->constants += m.constants;
        for (int f = 0; f < DELEGATE_STORED; f++)
            to->weights[f] += m.weights[f];
        to->staging += m.staging;
        to->programs += m.programs;
        to->dispatches += m.dispatches;
        to->barriers += m.barriers;
        to->programs_compiled += m.programs_compiled;
        to->programs_loaded += m.programs_loaded;
        to->nodes_lowered += m.nodes_lowered;
        to->packed_bytes += m.packed_bytes;
        to->trials += m.trials;
        to->nodes_tuned += m.nodes_tuned;
        to->tuning_ns += m.tuning_ns;
        to->tuning_beyond_ns += m.tuning_beyond_ns;
        to->tuning_bound_ns += m.tuning_bound_ns;
        to->tuning_program_ns = m.tuning_program_ns > to->tuning_program_ns ? m.tuning_program_ns : to->tuning_program_ns;
        to->tuning_trial_ns = m.tuning_trial_ns > to->tuning_trial_ns ? m.tuning_trial_ns : to->tuning_trial_ns;
        to->tunings_cut += m.tunings_cut;
        to->tunings_go_on += m.tunings_go_on;
        to->tuning_entry = to->tunings_stored ? to->tuning_entry : m.tuning_entry;
        to->tunings_stored += m.tunings_stored;
        to->compile_ns += m.compile_ns;
        to->load_ns += m.load_ns;
        to->pack_ns += m.pack_ns;
    }
    for (uint32_t i = 0; i < s->placement.n_buffers && (!d || d == s->placement.delegate); i++)
        to->staging += s->placement.buffers[i].bytes;
    for (uint32_t i = 0; dynamic_session(s, i); i++)
        add_delegate_memory(dynamic_session(s, i), d, to);
}

static void add_all(const struct session *s, const struct delegate *d, struct delegate_memory *to)
{
    add_delegate_memory(s, d, to);
    for (uint32_t i = 0; session_is_outermost(s) && runtime_called(s->runtime, i); i++)
        add_delegate_memory(runtime_called(s->runtime, i), d, to);
}

void session_memory(const struct session *s, struct session_memory *out)
{
    *out = (struct session_memory){.arena_bytes = s->plan.block_bytes,
                                   .lower_bound_bytes = s->plan.lower_bound,
                                   .packed_bytes = s->plan.packed_bytes,
                                   .scratch_bytes = s->plan.scratch_bytes};
    add_all(s, NULL, &out->delegate);
}

void session_memory_of(const struct session *s, const struct delegate *d, struct delegate_memory *out)
{
    *out = (struct delegate_memory){0};
    add_all(s, d, out);
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
