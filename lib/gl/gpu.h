/* SPDX-License-Identifier: Apache-2.0 */
/* gpu.h - the delegate "gpu": its options, and the list of devices for the tools. */
#ifndef DELEGAUGE_GL_GPU_H
#define DELEGAUGE_GL_GPU_H

#include "../delegate.h"

/* What shaders read values and constants through: buffers, image buffers, or what suits the device. */
enum gpu_objects { GPU_OBJECTS_AUTO, GPU_OBJECTS_BUFFER, GPU_OBJECTS_IMAGE };

/* How the CPU waits for the GPU: asleep, or polling, which answers sooner. */
enum gpu_wait { GPU_WAIT_PASSIVE, GPU_WAIT_ACTIVE };

struct gpu_options {
    bool precision_loss_allowed; /* store floats in 16 bits */
    int32_t device;              /* index in gl_list_devices; -1: the best */
    enum gpu_objects objects;
    enum gpu_wait wait;
    const char *dump_shaders; /* a directory; "" or NULL: nowhere */
};

extern const struct delegate_type delegate_gpu;

/* Writes a description of every usable device. ST_NO_GPU where there is none. */
enum status gl_list_devices(FILE *out, struct err *err);

#endif
