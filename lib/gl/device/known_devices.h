/* SPDX-License-Identifier: Apache-2.0 */
/* known_devices.h - limits of real devices, by name, for questions about a device that is not here. */
#pragma once

#include "lib/gl/device/limits.h"

/* The answers of one device and driver, under the names of OpenGL ES. */
struct gl_known_device {
    const char *name; /* "mali-g52": letters, digits and dashes */
    const char *vendor, *renderer, *version;
    uint32_t storage_blocks, output_resources, storage_align; /* the alignment is the larger of storage and texture buffers' */
    uint32_t group_invocations, group_depth, shared_bytes;    /* group_depth: invocations of a workgroup along z */
    uint32_t image_units;
    uint64_t image_vectors; /* vec4 in the largest image buffer; 0: the device has none */
    uint32_t texel_reads, texture_size, texture_layers;
    uint64_t storage_block_bytes;
    uint32_t uniform_blocks, uniform_block_bytes, uniform_align;
    bool precise;
    uint32_t group_count[2]; /* workgroups per dispatch along x; along y and z */
};

/* [gl_n_known_devices] */
extern const struct gl_known_device gl_known_devices[];
extern const size_t gl_n_known_devices;

/* Return the device of that name, in either case of letters, or NULL. */
const struct gl_known_device *gl_known_device_find(const char *name);

/* Fill *out with the limits that gl_context_open reads from such a device, and the policy that holds there. */
void gl_known_device_limits(const struct gl_known_device *k, struct gl_limits *out);
