/* SPDX-License-Identifier: Apache-2.0 */
/* one_check.h - what the CPU's kernel refuses, every delegate is refused, with the CPU's sentence (lib/claim.c). */
#ifndef DELEGAUGE_BENCH_ONE_CHECK_H
#define DELEGAUGE_BENCH_ONE_CHECK_H

#include "../lib/delegate.h"

/* About a graph whose shapes are inferred, and what was said when a session of the CPU alone could not be prepared for it. Fails,
 * saying why, where `d` takes the node all the same or the reason says something else. */
enum status one_check_holds(const struct graph *g, struct delegate *d, const char *said, struct err *err);

#endif
