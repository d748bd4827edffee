/* SPDX-License-Identifier: Apache-2.0 */
/* plausible.h - checks a measured time against the device's peak: can it have computed that much? */
#pragma once

#include "lib/session/session.h"

struct plausible {
    struct device_peak peak; /* peak measured by a probe of the delegate's device (delegate_ops.probe); zeros: unknown */
    double gflops; /* 1e9 multiplications and additions per second, of the delegate's nodes over a whole run; 0: none to count */
    bool beyond; /* more than 1.5 times the peak (of 16-bit floats if they are used): runs were not finished when the clock stopped
                  */
};

/* Judge runs of `us` microseconds of a prepared session, counting the multiply-accumulates (lib/graph/macs.h) of the partitions of
 * `d`; all zeros if `d` is NULL. Fails as the probe does. */
enum status plausible_of(const struct session *s, struct delegate *d, double us, struct plausible *out, struct err *err);

/* Return plausible.beyond for these figures. */
bool plausible_beyond(double gflops, double peak_gflops);
