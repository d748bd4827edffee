/* SPDX-License-Identifier: Apache-2.0 */
/* plausible.c - work per second, compared with the peak that a probe reached. */
#include "lib/measure/plausible.h"

#include <math.h>

#include "lib/graph/macs.h"

/* A probe is no maximum over all shaders, and clocks of GPUs move. */
static const double MARGIN = 1.5;

bool plausible_beyond(double gflops, double peak_gflops)
{
    return peak_gflops > 0 && gflops > MARGIN * peak_gflops;
}

enum status plausible_of(const struct session *s, struct delegate *d, double us, struct plausible *out, struct err *err)
{
    const struct partitioning *p = session_partitioning(s);
    double macs = 0;
    enum status st;

    *out = (struct plausible){0};
    if (!d || !p || !d->ops->probe || !(us > 0))
        return ST_OK;
    for (uint32_t i = 0; i < p->n_parts; i++)
        for (uint32_t k = 0; p->parts[i].delegate == d && k < p->parts[i].n_nodes; k++)
            macs += (double)node_macs(p->parts[i].nodes[k]);
    if ((st = d->ops->probe(d, &out->peak, err)))
        return st;
    out->gflops = 2 * macs / (us * 1e3);
    out->beyond = plausible_beyond(out->gflops, fmax(out->peak.gflops, out->peak.half_gflops));
    return ST_OK;
}
