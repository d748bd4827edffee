/* SPDX-License-Identifier: Apache-2.0 */
/* known_devices.c - the answers of Mesa's drivers, of 25.0.7, without the hardware behind them (drm-shim). */
#include "lib/gl/device/known_devices.h"

#include <string.h>
#include <strings.h>

#define ES31  "OpenGL ES 3.1 Mesa 25.0.7"
#define ES32  "OpenGL ES 3.2 Mesa 25.0.7"
#define MIB   ((uint64_t)1 << 20)
#define TGL   "Mesa Intel(R) Iris(R) Xe Graphics (TGL GT2)"
#define RAVEN "AMD Radeon Vega 10 Graphics (radeonsi, raven, ACO, DRM 3.49)"
#define NAVI  "AMD Radeon RX 6800 (radeonsi, navi21, LLVM 15.0.6, DRM 3.49)"
#define FEW   65535
#define MANY  (INT32_MAX - 1)
#define ANGLE "ANGLE (Mesa, llvmpipe (LLVM 15.0.6, 256 bits), Mesa 25.0.7)"

/* In the order of the struct. ANGLE's numbers are those of a cautious build. scripts/test/zoo_test.py holds the others against the
 * drivers, where these are there. */
const struct gl_known_device gl_known_devices[] = {
    {"adreno-530", "freedreno", "FD530", ES31, 12,        68, 64,    1024, 64,   32768,     24,
     128 * MIB,    16,          16384,   256,  128 * MIB, 15, 65536, 64,   true, {FEW, FEW}},
    {"adreno-630", "freedreno", "FD630", ES32, 16,        280, 64,    1024, 64,   32768,     32,
     128 * MIB,    16,          16384,   2048, 128 * MIB, 15,  65536, 64,   true, {FEW, FEW}},
    {"adreno-740", "freedreno", "FD740", ES32, 16,        280, 64,    1024, 64,   32768,     32,
     128 * MIB,    16,          16384,   2048, 128 * MIB, 15,  65536, 64,   true, {FEW, FEW}},
    {"mali-t860", "Mesa", "Mali-T860 (Panfrost)",
     ES31,        8,      80,
     64,          128,    128,
     32768,       32,     65536,
     32,          16384,  2048,
     128 * MIB,   15,     65536,
     16,          false,  {FEW, FEW}},
    {"mali-g52", "Mesa", "Mali-G52 (Panfrost)",
     ES31,       8,      80,
     64,         256,    256,
     32768,      32,     65536,
     32,         16384,  2048,
     128 * MIB,  15,     65536,
     16,         true,   {FEW, FEW}},
    {"mali-g610", "Mesa", "Mali-G610 (Panfrost)",
     ES31,        8,      80,
     64,          256,    256,
     32768,       32,     65536,
     32,          16384,  2048,
     128 * MIB,   15,     65536,
     16,          true,   {FEW, FEW}},
    {"videocore-6", "Broadcom", "V3D 4.2.14.0", ES31, 16,    148, 4,     256,       256, 32768, 32, 0, 24,
     4096,          2048,       128 * MIB,      15,   65536, 256, false, {FEW, FEW}},
    {"intel-tgl", "Intel", TGL,   ES32, 16,        280, 16,    1024, 1024, 65536,       32,
     128 * MIB,   32,      16384, 2048, 128 * MIB, 15,  65536, 32,   true, {MANY, MANY}},
    {"amd-raven",   "AMD", RAVEN, ES32, 16,        184, 4,         1024, 1024, 65536,      16,
     256 * MIB - 1, 32,    16384, 2048, 768 * MIB, 15,  768 * MIB, 4,    true, {MANY, FEW}},
    {"amd-navi21", "AMD",          NAVI, ES32,           16, 184,  4,          1024, 1024, 65536, 16, 256 * MIB - 1, 32, 16384,
     8192,         4096 * MIB - 1, 15,   2048 * MIB - 1, 4,  true, {MANY, FEW}},
    {"nvidia-tu104", "Mesa", "NV164", ES32, 16,        136, 16,    1024, 64,   49152,      8,
     128 * MIB,      32,     16384,   2048, 128 * MIB, 14,  65536, 256,  true, {MANY, FEW}},
    {"angle",   "Google Inc. (Mesa)",
     ANGLE,     "OpenGL ES 3.1.0 (ANGLE 2.1.26)",
     8,         24,
     16,        256,
     64,        32768,
     8,         128 * MIB,
     16,        16384,
     2048,      128 * MIB,
     14,        65536,
     64,        false,
     {FEW, FEW}},
};
const size_t gl_n_known_devices = sizeof gl_known_devices / sizeof *gl_known_devices;

const struct gl_known_device *gl_known_device_find(const char *name)
{
    for (size_t i = 0; i < gl_n_known_devices; i++)
        if (!strcasecmp(gl_known_devices[i].name, name))
            return &gl_known_devices[i];
    return NULL;
}

static uint32_t bindings(uint32_t n)
{
    return n < GL_MAX_BINDINGS ? n : GL_MAX_BINDINGS;
}

void gl_known_device_limits(const struct gl_known_device *k, struct gl_limits *out)
{
    *out = (struct gl_limits){.storage_blocks = bindings(k->storage_blocks),
                              .output_resources = k->output_resources,
                              .storage_block_bytes = k->storage_block_bytes,
                              .storage_align = k->storage_align,
                              .group_count = {k->group_count[0], k->group_count[1], k->group_count[1]},
                              .group_size = {k->group_invocations, k->group_invocations, k->group_depth},
                              .group_invocations = k->group_invocations,
                              .shared_bytes = k->shared_bytes,
                              .uniform_blocks = k->uniform_blocks,
                              .uniform_block_bytes = k->uniform_block_bytes,
                              .uniform_align = k->uniform_align,
                              .image_units = bindings(k->image_units),
                              .image_reads = k->image_vectors ? bindings(k->image_units) : 0,
                              .image_vectors = k->image_vectors,
                              .texel_reads = bindings(k->texel_reads),
                              .uniform_reads = bindings(k->uniform_blocks) - 1,
                              .texture_reads = bindings(k->texel_reads),
                              .texture_size = k->texture_size,
                              .texture_layers = k->texture_layers,
                              .precise = k->precise};
    gl_policy_find(&(struct gl_device_names){k->vendor, k->renderer, k->version}, &out->policy);
}
