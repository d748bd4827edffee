/* SPDX-License-Identifier: Apache-2.0 */
/* phases.c - sums of phases, and the rest of the total. */
#include "lib/measure/phases.h"

#include <string.h>

static void add(struct phases *p, const char *name, const char *what, double us)
{
    p->parts[p->n++] = (struct phase){name, what, us};
}

/* Each part lies within the whole, so that something is left, if nothing else the time of reading the clock. */
static void add_rest(struct phases *p, double total_us)
{
    double sum = 0;

    for (uint32_t i = 0; i < p->n; i++)
        sum += p->parts[i].us;
    add(p, "other", "what is in no part", total_us - sum);
    p->total_us = total_us;
}

void phases_of_start(const struct bench_times *t, const struct session_times *times, struct phases *out)
{
    const uint64_t known = times->tuning_ns + times->compile_ns + times->load_ns + times->pack_ns;
    const uint64_t build = times->delegates_ns > known ? times->delegates_ns - known : 0;

    *out = (struct phases){.n = 0};
    add(out, "model_load", "reading and verifying the model", t->load_us);
    add(out, "delegate_open", "opening the device", t->open_us);
    add(out, "claim", "asking which nodes the delegate takes", (double)times->claim_ns / 1e3);
    add(out, "tuning", "trying how to compute nodes on the device", (double)times->tuning_ns / 1e3);
    add(out, "delegate_build", "from nodes to shaders, plans and buffers", (double)build / 1e3);
    add(out, "shader_compile", "shaders compiled by the driver", (double)times->compile_ns / 1e3);
    add(out, "program_load", "programs loaded from a stored start", (double)times->load_ns / 1e3);
    add(out, "constants", "constants packed and written to the device", (double)times->pack_ns / 1e3);
    add(out, "cpu_plan", "shapes, memory, weights packed for the CPU kernels",
        (double)(times->total_ns - times->claim_ns - times->delegates_ns) / 1e3);
    add_rest(out, bench_init_us(t));
}

static double row_us(const struct op_profile *p, const char *type, bool on_cpu)
{
    double us = 0;

    for (size_t i = 0; i < p->n_rows; i++) {
        const struct op_row *r = &p->rows[i];
        const bool transfer = !r->n_nodes && r->tensor;

        if ((r->partition < 0) == on_cpu && (type ? transfer && !strcmp(r->type, type) : !transfer))
            us += r->sum_us;
    }
    return us / p->runs;
}

void phases_of_run(const struct op_profile *p, struct phases *out)
{
    const double ns = 1e3 * p->runs;

    *out = (struct phases){.n = 0};
    add(out, "cpu_ops", "operators on the CPU", row_us(p, NULL, true));
    add(out, "write", "inputs copied to where the device reads them", (double)p->overhead.write_ns / ns);
    add(out, "upload", "inputs brought into the device's layout", row_us(p, "upload", false));
    add(out, "gpu_compute", "operators on the device", row_us(p, NULL, false));
    add(out, "download", "outputs brought into the host's layout", row_us(p, "download", false));
    add(out, "synchronization", "waiting for the device at the end", (double)p->overhead.wait_ns / ns);
    add(out, "readback", "outputs copied from where the device wrote them", (double)p->overhead.read_ns / ns);
    add_rest(out, p->wall.avg);
}
