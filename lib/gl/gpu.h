/* SPDX-License-Identifier: Apache-2.0 */
/* gpu.h - the delegate "gpu": its options, and the list of devices for the tools. */
#ifndef DELEGAUGE_GL_GPU_H
#define DELEGAUGE_GL_GPU_H

#include "../delegate.h"

struct gpu_options {
    bool precision_loss_allowed; /* store floats in 16 bits */
    int32_t device;              /* index in gl_list_devices; -1: the best */
    const char *object_type;     /* "auto", "buffer" or "image": what shaders read values and constants through */
    const char *wait_type;       /* "passive" or "active" */
    const char *dump_shaders;    /* a directory; "" or NULL: nowhere */
};

extern const struct delegate_type delegate_gpu;

/* Writes a description of every usable device. ST_NO_GPU where there is none. */
enum status gl_list_devices(FILE *out, struct err *err);

#endif
