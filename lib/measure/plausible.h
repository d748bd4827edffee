/* SPDX-License-Identifier: Apache-2.0 */
/* plausible.h - can a device have computed so much in the time measured? */
#ifndef DELEGAUGE_PLAUSIBLE_H
#define DELEGAUGE_PLAUSIBLE_H

#include "lib/session/session.h"

struct plausible {
    struct device_peak peak; /* peak that a probe of the delegate's device reached (delegate_ops.probe); zeros: nobody knows */
    double gflops; /* multiplications and additions of the nodes that it runs, over the whole time of a run; 0: none to count */
    bool beyond;   /* more than one and a half times the peak, of 16-bit floats if they are computed with: no such run can have been
                      finished when its clock stopped */
};

/* Judge runs of `us` microseconds of a prepared session, of which only the partitions of `d` count (NULL: none, then all zeros).
 * Multiply-accumulates as lib/graph/macs.h counts them. Fails as the probe does. */
enum status plausible_of(const struct session *s, struct delegate *d, double us, struct plausible *out, struct err *err);

/* Return the verdict alone. */
bool plausible_beyond(double gflops, double peak_gflops);

#endif
