/* SPDX-License-Identifier: Apache-2.0 */
/* xnnpack.c - the row of the delegate "xnnpack": the baseline on the CPU that users of TensorFlow Lite know. */
#include "lib/delegates/xnnpack/xnnpack_delegate.h"

static const struct flag xnnpack_flags[] = {{0}};

const struct delegate_type delegate_xnnpack = {
    .name = "xnnpack",
    .label = "XNNPACK",
    .use_flag = "use_xnnpack",
    .created = "Created TensorFlow Lite XNNPACK delegate for CPU.",
    .kernel = "TfLiteXNNPackDelegate",
    .flags = xnnpack_flags,
    .open = xnnpack_open,
    .open_static = xnnpack_open,
};
