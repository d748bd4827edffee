/* SPDX-License-Identifier: Apache-2.0 */
/* xnnpack_delegate.h - the delegate "xnnpack": XNNPACK's CPU kernels, if the build found the library.
 *
 * xnnpack.c defines its delegate_type in every build. xnnpack_open is in xnnpack_run.c, or in xnnpack_none.c in a build without the
 * library. */
#pragma once

#include "lib/delegate/delegate.h"

extern const struct delegate_type delegate_xnnpack;

/* Fails with ST_UNSUPPORTED in a build without the library, and on a CPU that the library refuses. */
enum status xnnpack_open(const void *options, struct delegate **out, struct err *err);
