/* SPDX-License-Identifier: Apache-2.0 */
/* memory_text.c - lines about memory. */
#include "cmd/benchmark/memory_text.h"

#include <stdio.h>

#include "cmd/host/say.h"
#include "cmd/tool/assignment_text.h"

/* TFLite's wording, misspelt as it is there. */
static void say_peak(const struct benchmark *b)
{
    const struct memory_use *m = &b->at_end;

    say_info("Overall peak memory footprint (MB) via periodic monitoring: %g", memory_mb(b->sampled_peak_bytes));
    say_info("Memory status at the end of exeution:");
    say_info("- VmRSS              : %g MB", memory_mb(m->rss_bytes));
    say_info("+ RssAnnon           : %g MB", memory_mb(m->anon_bytes));
    say_info("+ RssFile + RssShmem : %g MB", memory_mb(m->file_bytes + m->shmem_bytes));
}

static void say_process(const struct memory_use *m)
{
    say_info("Process memory (MB): resident=%.3f anonymous=%.3f files=%.3f shared=%.3f proportional=%.3f peak=%.3f",
             memory_mb(m->rss_bytes), memory_mb(m->anon_bytes), memory_mb(m->file_bytes), memory_mb(m->shmem_bytes),
             memory_mb(m->pss_bytes), memory_mb(m->peak_bytes));
}

static void say_delegate(const char *label, const struct delegate_memory *d)
{
    char textures[80] = "", weights[160];

    if (d->textures)
        snprintf(textures, sizeof textures, "; %.3f of tensors in %u textures", memory_mb(d->texture_bytes), d->textures);
    say_info("%s memory (MB): tensors=%.3f lower_bound=%.3f unshared=%.3f constants=%.3f staging=%.3f; %u programs, %u dispatches, "
             "%u barriers%s",
             label, memory_mb(d->intermediates), memory_mb(d->lower_bound), memory_mb(d->unshared), memory_mb(d->constants),
             memory_mb(d->staging), d->programs, d->dispatches, d->barriers, textures);
    if (memory_weights(weights, sizeof weights, d))
        say_info("Weights on the %s: %s", label, weights);
}

uint64_t memory_weights(char *to, size_t size, const struct delegate_memory *d)
{
    static const char *const forms[DELEGATE_STORED] = {[DELEGATE_STORED_8_BITS] = "8-bit",
                                                       [DELEGATE_STORED_FLOAT16] = "float16",
                                                       [DELEGATE_STORED_FLOAT32] = "float32",
                                                       [DELEGATE_STORED_INT32] = "int32"};
    const char *before = ": ";
    uint64_t sum = 0;
    size_t n;

    for (int i = 0; i < DELEGATE_STORED; i++)
        sum += d->weights[i];
    n = (size_t)snprintf(to, size, "%.3f MB", memory_mb(sum));
    for (int i = 0; i < DELEGATE_STORED && n < size; i++) {
        if (!d->weights[i])
            continue;
        n += (size_t)snprintf(to + n, size - n, "%s%s %.3f MB", before, forms[i], memory_mb(d->weights[i]));
        before = ", ";
    }
    return sum;
}

void memory_say(const struct benchmark *b)
{
    const struct session_memory *m = &b->memory;

    say_info("Note: as the benchmark tool itself affects memory footprint, the following is only APPROXIMATE to the actual "
             "memory footprint of the model at runtime. Take the information at your discretion.");
    say_info("Memory footprint delta from the start of the tool (MB): init=%g overall=%g",
             memory_growth_mb(&b->at_start, &b->at_init), memory_growth_mb(&b->at_start, &b->at_end));
    if (b->flags.peak_memory)
        say_peak(b);
    say_process(&b->at_end);
    say_info("CPU memory (MB): tensors=%.3f lower_bound=%.3f packed_weights=%.3f scratch=%.3f", memory_mb(m->arena_bytes),
             memory_mb(m->lower_bound_bytes), memory_mb(m->packed_bytes), memory_mb(m->scratch_bytes));
    for (uint32_t i = 0; b->tool.delegates.all[i]; i++) {
        struct delegate_memory of;

        session_memory_of(b->session, b->tool.delegates.all[i], &of);
        say_delegate(b->tool.delegates.all[i]->type->label, &of);
        if (m->delegate.tuning_ns > b->tuning_at_init_ns)
            assignment_say_tuning(b->session, b->tool.delegates.all[i]);
    }
}
