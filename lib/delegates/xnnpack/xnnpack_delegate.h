/* SPDX-License-Identifier: Apache-2.0 */
/* xnnpack_delegate.h - the delegate "xnnpack": XNNPACK's kernels for the CPU, where the build found the library.
 *
 * xnnpack.c is its row, in every build. xnnpack_open is xnnpack_run.c's, which knows the library, or else xnnpack_none.c's. */
#ifndef DELEGAUGE_XNNPACK_DELEGATE_H
#define DELEGAUGE_XNNPACK_DELEGATE_H

#include "lib/delegate/delegate.h"

extern const struct delegate_type delegate_xnnpack;

/* ST_UNSUPPORTED in a build without the library, or on a CPU that it refuses. */
enum status xnnpack_open(const void *options, struct delegate **out, struct err *err);

#endif
