/* SPDX-License-Identifier: Apache-2.0 */
/* memory_results.c - lines, a table and members about memory. */
#include <math.h>
#include <string.h>

#include "cmd/benchmark/benchmark_results.h"
#include "cmd/tool/assignment_text.h"
#include "cmd/tool/report_parts.h"

/* TFLite's wording, misspelt as it is there. */
static void add_peak(struct result_section *to, const struct benchmark *b)
{
    const struct memory_use *m = &b->at_end;

    result_line(to, RESULT_LOG, "Overall peak memory footprint (MB) via periodic monitoring: %g", memory_mb(b->sampled_peak_bytes));
    result_line(to, RESULT_LOG, "Memory status at the end of exeution:");
    result_line(to, RESULT_LOG, "- VmRSS              : %g MB", memory_mb(m->rss_bytes));
    result_line(to, RESULT_LOG, "+ RssAnnon           : %g MB", memory_mb(m->anon_bytes));
    result_line(to, RESULT_LOG, "+ RssFile + RssShmem : %g MB", memory_mb(m->file_bytes + m->shmem_bytes));
}

static void add_process(struct result_section *to, const struct memory_use *m)
{
    result_line(to, RESULT_LOG,
                "Process memory (MB): resident=%.3f anonymous=%.3f files=%.3f shared=%.3f proportional=%.3f peak=%.3f",
                memory_mb(m->rss_bytes), memory_mb(m->anon_bytes), memory_mb(m->file_bytes), memory_mb(m->shmem_bytes),
                memory_mb(m->pss_bytes), memory_mb(m->peak_bytes));
}

/* The constants on the device by how they are stored: "3.500 MB: 8-bit 3.300 MB, float32 0.200 MB". Cut off at `size` bytes; 160
 * are enough. Returns the bytes of all. */
static uint64_t weights_text(char *to, size_t size, const struct delegate_facts *f)
{
    static const char *const forms[][2] = {{"memory.weights.bits_8", "8-bit"},
                                           {"memory.weights.float16", "float16"},
                                           {"memory.weights.float32", "float32"},
                                           {"memory.weights.int32", "int32"}};
    const char *before = ": ";
    uint64_t sum = 0;
    size_t n;

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        sum += fact_value(f, forms[i][0]);
    n = (size_t)snprintf(to, size, "%.3f MB", memory_mb(sum));
    for (size_t i = 0; i < sizeof forms / sizeof *forms && n < size; i++) {
        if (!fact_value(f, forms[i][0]))
            continue;
        n += (size_t)snprintf(to + n, size - n, "%s%s %.3f MB", before, forms[i][1], memory_mb(fact_value(f, forms[i][0])));
        before = ", ";
    }
    return sum;
}

static void add_delegate(struct result_section *to, const struct delegate *d, const struct delegate_facts *f)
{
    const char *label = d->type->label;
    static const char *const in_mb[] = {"memory.tensors", "memory.lower_bound", "memory.unshared", "memory.constants",
                                        "memory.staging"};
    const unsigned textures = (unsigned)fact_value(f, "textures");
    const char *before = "; ";
    char weights[160];

    result_line(to, RESULT_LOG, "%s memory (MB):", label);
    if (d->library)
        result_more(to, " process=%.3f", memory_mb(d->library->process_bytes));
    else if (!f->n)
        result_more(to, " unknown");
    for (size_t i = 0; i < sizeof in_mb / sizeof *in_mb; i++)
        if (fact_find(f, in_mb[i]))
            result_more(to, " %s=%.3f", in_mb[i] + strlen("memory."), memory_mb(fact_value(f, in_mb[i])));
    for (size_t i = 0; i < f->n; i++)
        if (!strncmp(f->list[i].name, "work.", 5))
            result_more(to, "%s%u %s", before, (unsigned)f->list[i].value, f->list[i].unit), before = ", ";
    if (textures)
        result_more(to, "; %.3f of tensors in %u textures", memory_mb(fact_value(f, "memory.in_textures")), textures);
    if (weights_text(weights, sizeof weights, f))
        result_line(to, RESULT_LOG, "Weights on the %s: %s", label, weights);
}

static void add_lines(struct result_section *to, const struct benchmark *b)
{
    const struct session_memory *m = &b->memory;

    result_line(to, RESULT_LOG | RESULT_WHOLE,
                "Note: as the benchmark tool itself affects memory footprint, the following is only APPROXIMATE to the actual "
                "memory footprint of the model at runtime. Take the information at your discretion.");
    result_line(to, RESULT_LOG | RESULT_WHOLE, "Memory footprint delta from the start of the tool (MB): init=%g overall=%g",
                memory_growth_mb(&b->at_start, &b->at_init), memory_growth_mb(&b->at_start, &b->at_end));
    if (b->flags.peak_memory)
        add_peak(to, b);
    add_process(to, &b->at_end);
    result_line(to, RESULT_LOG, "CPU memory (MB): tensors=%.3f lower_bound=%.3f packed_weights=%.3f scratch=%.3f",
                memory_mb(m->arena_bytes), memory_mb(m->lower_bound_bytes), memory_mb(m->packed_bytes),
                memory_mb(m->scratch_bytes));
    for (uint32_t i = 0; b->tool.delegates.all[i]; i++) {
        struct delegate_facts of;

        session_facts(b->session, b->tool.delegates.all[i], &of);
        add_delegate(to, b->tool.delegates.all[i], &of);
        if (fact_value(&b->facts, "start.tuning.us") > b->tuning_at_init_ns)
            assignment_add_tuning(to, b->session, b->tool.delegates.all[i]);
    }
}

struct memory_row {
    const char *what, *means;
    uint64_t bytes;
    const char *fact; /* has the bytes; the row is left out if it is unknown */
};

static void add_table(struct result_section *to, const struct benchmark *b)
{
    static const struct result_column columns[] = {
        {.heading = "memory"}, {PAGE_NUMBER("MB"), .shown = "%.3f"}, {.heading = "what it is"}};
    const struct session_memory *m = &b->memory;
    char weights[180] = "weights on the device: ";
    const struct memory_row rows[] = {
        {"process at the start", "resident when the tool began", b->at_start.rss_bytes},
        {"process after initialization", "resident when the session was ready", b->at_init.rss_bytes},
        {"process at the end", "resident after the timed runs", b->at_end.rss_bytes},
        {"process at most", "resident at any time until then", b->at_end.peak_bytes},
        {"CPU tensors", "memory that tensors share", m->arena_bytes},
        {"CPU weights", "repacked for the CPU kernels", m->packed_bytes},
        {"CPU scratch", "of kernels", m->scratch_bytes},
        {"delegate tensors", "memory that its intermediate values share", 0, "memory.tensors"},
        {"delegate constants", weights, 0, "memory.constants"},
        {"delegate staging", "for uploads and downloads", 0, "memory.staging"},
    };
    struct result_table *t = results_table(to, columns, sizeof columns / sizeof *columns, NULL);

    weights_text(weights + strlen(weights), sizeof weights - strlen(weights), &b->facts);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].fact && !fact_find(&b->facts, rows[i].fact))
            continue;
        result_text(t, "%s", rows[i].what);
        result_number(t, (double)(rows[i].fact ? fact_value(&b->facts, rows[i].fact) : rows[i].bytes) / 1e6);
        result_text(t, "%s", rows[i].means);
    }
    result_line(to, RESULT_NOTE, "1 MB is 1,000,000 bytes.");
}

static void put_use(struct report *r, struct json *in, const char *key, const struct memory_use *use)
{
    struct json *o = json_object(r, in, key);

    JSON_NUMBERS(r, o, {"resident", (double)use->rss_bytes}, {"anonymous", (double)use->anon_bytes},
                 {"files", (double)use->file_bytes}, {"shared", (double)use->shmem_bytes},
                 {"proportional", use->pss_bytes ? (double)use->pss_bytes : NAN}, {"peak", (double)use->peak_bytes});
}

void memory_results(struct results *results, const struct benchmark *b)
{
    struct report *r = results->report;
    struct json *mem = json_object(r, report_root(r), "memory_bytes"), *cpu;

    add_lines(results->parts[BENCH_MEMORY], b);
    add_table(results->parts[BENCH_MEMORY], b);
    put_use(r, mem, "at_start", &b->at_start);
    put_use(r, mem, "after_init", &b->at_init);
    put_use(r, mem, "at_end", &b->at_end);
    json_number(r, mem, "sampled_peak", b->flags.peak_memory ? (double)b->sampled_peak_bytes : NAN);
    cpu = json_object(r, mem, "cpu");
    JSON_NUMBERS(r, cpu, {"tensors", (double)b->memory.arena_bytes}, {"lower_bound", (double)b->memory.lower_bound_bytes},
                 {"packed_weights", (double)b->memory.packed_bytes}, {"scratch", (double)b->memory.scratch_bytes});
    if (b->tool.delegates.opened)
        report_delegate_memory(r, mem, "delegate", &b->facts);
    else
        json_null(r, mem, "delegate");
}
