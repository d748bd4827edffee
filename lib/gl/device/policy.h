/* SPDX-License-Identifier: Apache-2.0 */
/* policy.h - preferences and limits by driver, which one table of quirks fills in (policy.c).
 *
 * gl_limits holds the abilities of a device, gl_policy the facts that a table knows better than the device. No other place tests
 * the name of a vendor, renderer or driver; each decision that depends on one is a member here. A new quirk is a row of the table,
 * with the source of its claim. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gl_policy {
    bool software;        /* the "GPU" is a CPU: hardware is preferred to it, and its times say nothing about a GPU */
    bool inline_uniforms; /* shapes and scalars are literals of the shader's text (a program each), not numbers in a buffer */
    bool image_reads;     /* shaders read inputs and constants through image buffers, if the device has them */
    bool textures;      /* values that shaders read are kept in 2-D array textures, if they fit one and nothing lies within them */
    bool row_groups;    /* workgroups are wide along x and of few shapes: lanes lie along x, workgroups and programs are dear */
    bool straight_code; /* code without branches and loops is faster, and its loads of shared memory and uniforms at literal
                           addresses cost next to nothing; long programs of that kind take long to compile */
    bool dynamic_compile; /* machine code is made when a program is first dispatched, by the dispatching thread, for its context
                          alone, and a dispatch is over when its call is: several contexts share the compiling (helpers.h) */
    bool host_layout;     /* the CPU moves inputs and outputs from and to the device's layout, in the place of dispatches */
    bool timer;           /* timer queries, if the device has them, measure something */
    bool finish;          /* glFinish waits for the end of work, for ever; else a fence does, which knows a deadline (wait.h) */
    bool pbuffer;         /* the context needs a surface to work, even if it can be made without one */
    bool even_stores;    /* several lanes store into arrays of their own at the index of the first lane, even if that lane is not at
                            work: kernels that say that indices differ (gl_array_stores) have workgroups of one invocation */
    uint32_t flush;      /* glFlush after so many dispatches; 0: never */
    uint32_t iterations; /* most iterations of one invocation in all its loops together, each loop's last look at its condition
                            included; 0: no bound. Beyond that, results may be silently wrong */
    uint32_t registers; /* 32-bit registers of an invocation, as kernels count them (gl_variant.registers), up to which the device's
                           compiler neither spills nor halves the invocations that run at once; 0: no bound */
    bool check_reads;   /* for tests, no row sets it: elements that a shader reads beyond a value are NaN, INT32_MAX for integers */
    bool all_textures;  /* all values that fit are kept in textures; set on request (gpu_options.objects), by no driver */
    bool cached_shared; /* shared variables lie in memory, behind the cache of the buffers: copying to them data which that cache
                           holds gains nothing */
    bool no_half_types; /* explicit types of 16-bit floats, if the device has them, are left alone (half_types.h) */
    bool emulated_halves; /* for tests, no row sets it: such types are emulated, whether the device has them or not, and `mediump`
                            is left alone */
    bool any_batch;       /* shaders are the same for every size of the batch, as far as kernels choose alike; set on request
                             (gpu_options.dynamic_batch), by no driver */
};

/* The policy of a device that no row of the table knows. */
extern const struct gl_policy gl_policy_unknown;

/* Number of iterations that the strictest known driver allows: llvmpipe, whose loops end silently after so many passes. It bounds
 * every device for which nobody knows how a long loop is stopped (by a counter, a watchdog). */
#define GL_FEW_ITERATIONS 65535

/* A driver as its GL_VERSION names it: "OpenGL ES 3.2 Mesa 22.3.6" is {"Mesa", {22, 3, 6}}. */
struct gl_driver {
    char name[12];       /* Mesa NVIDIA Qualcomm Arm PowerVR Intel ANGLE SwiftShader; "" for an unknown driver */
    uint32_t version[4]; /* most significant first, 0 for a missing part */
};

/* Parse the text of GL_VERSION. Never fails; a text that makes no sense gives a driver without name. */
void gl_driver_parse(const char *gl_version, struct gl_driver *out);

/* The answers of a device to GL_VENDOR, GL_RENDERER and GL_VERSION; never NULL. */
struct gl_device_names {
    const char *vendor, *renderer, *version;
};

/* Fill *out from the table: gl_policy_apply of all its rows on gl_policy_unknown. */
void gl_policy_find(const struct gl_device_names *names, struct gl_policy *out);

/* ---- rows ---- */

/* Changes that a row makes: each flag sets the member of its name, but NO_TIMER clears `timer`, and SOFTWARE the bound of
 * registers, too: a CPU keeps in its cache what they do not hold. */
enum gl_quirk_flags {
    GL_QUIRK_SOFTWARE = 1 << 0,
    GL_QUIRK_INLINE_UNIFORMS = 1 << 1,
    GL_QUIRK_IMAGE_READS = 1 << 2,
    GL_QUIRK_ROW_GROUPS = 1 << 3,
    GL_QUIRK_NO_TIMER = 1 << 4,
    GL_QUIRK_FINISH = 1 << 5,
    GL_QUIRK_PBUFFER = 1 << 6,
    GL_QUIRK_TEXTURES = 1 << 7,
    GL_QUIRK_STRAIGHT_CODE = 1 << 8,
    GL_QUIRK_HOST_LAYOUT = 1 << 9,
    GL_QUIRK_EVEN_STORES = 1 << 10,
    GL_QUIRK_LATE_COMPILE = 1 << 11,
    GL_QUIRK_NO_HALF_TYPES = 1 << 12,
    GL_QUIRK_CACHED_SHARED = 1 << 13,
};

/* One row. It matches a device for which all its conditions hold. */
struct gl_quirk {
    const char *vendor, *renderer; /* parts of the device's texts, upper or lower case; after '^' their beginning; NULL: any */
    const char *driver;            /* gl_driver's name; NULL: any */
    uint32_t from[4], below[4];    /* versions of the driver, the second excluded; all 0: no bound */
    uint32_t flags;                /* enum gl_quirk_flags, on top of earlier rows' */
    uint32_t flush, registers;     /* replace those of earlier rows unless 0 */
};

/* Change *p by the rows that match the device, one after the other. */
void gl_policy_apply(const struct gl_quirk *rows, size_t n, const struct gl_device_names *names, struct gl_policy *p);

/* Lower *p to a policy that holds on a device of policy `most` too: a preference of *p stays if `most` has it as well, and of the
 * iterations and registers the smaller number. The members that the driver of *p needs to work at all (finish, pbuffer,
 * even_stores, no_half_types, flush) stay. */
void gl_policy_clamp(struct gl_policy *p, const struct gl_policy *most);

/* Bytes of the longest text of a policy. */
#define GL_POLICY_TEXT 351

/* Write *p as a line of text for people: "numbers bound, reads through images, ...". */
void gl_policy_text(const struct gl_policy *p, char text[GL_POLICY_TEXT]);
