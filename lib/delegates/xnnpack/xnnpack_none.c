/* SPDX-License-Identifier: Apache-2.0 */
/* xnnpack_none.c - xnnpack_open in a build without XNNPACK. */
#include "lib/delegates/xnnpack/xnnpack_delegate.h"

enum status xnnpack_open(const void *options, struct delegate **out, struct err *err)
{
    (void)options;
    *out = NULL;
    return err_set(
        err, ST_UNSUPPORTED,
        "XNNPACK is not in this build: the tools have it where make finds it (Debian: libxnnpack-dev); their own fast CPU "
        "kernels are there without it");
}
