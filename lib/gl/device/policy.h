/* SPDX-License-Identifier: Apache-2.0 */
/* policy.h - what is better done in another way on some drivers: one table of quirks fills it (policy.c).
 *
 * gl_limits says what a device can do, this says what a table knows better than the device. The only place that tests the name of
 * a vendor, renderer or driver; whatever depends on one is a member here. A new quirk is a row of the table, with the source of
 * what it claims. */
#ifndef DELEGAUGE_GL_POLICY_H
#define DELEGAUGE_GL_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gl_policy {
    bool software;       /* the "GPU" is a CPU: hardware is preferred to it, and its times say nothing about a GPU */
    bool inline_numbers; /* shapes and scalars are literals of the shader's text (a program each), not numbers in a buffer */
    bool image_reads;    /* shaders read inputs and constants through image buffers, where the device has them */
    bool textures;       /* values that shaders read are kept in 2-D array textures, where they fit one and nothing lies within
                            them */
    bool row_groups;     /* workgroups are wide along x and of few shapes: lanes lie along x, workgroups and programs are dear */
    bool straight_code;  /* what neither branches nor loops is faster, and loads of shared memory and uniforms at literal addresses
                            cost next to nothing there; long programs of that kind take long to compile */
    bool late_compile;   /* machine code is made when a program is first dispatched, by the thread that does so, for its context
                            alone, and a dispatch is over when its call is: several contexts share the compiling (helpers.h) */
    bool host_layout;    /* the CPU moves inputs and outputs from and to the device's layout, in the place of dispatches */
    bool timer;          /* timer queries, where the device has them, measure something */
    bool finish;         /* glFinish waits for the end of work, for ever; else a fence does, which knows a deadline (wait.h) */
    bool pbuffer;        /* the context needs a surface to work, even where it can be had without one */
    bool even_stores;    /* several lanes store into arrays of their own at the index that the first of them has, even where that is
                            not at work: workgroups of what says that indices differ (gl_array_stores) are one invocation */
    uint32_t flush;      /* glFlush after so many dispatches; 0: never */
    uint32_t iterations; /* what one invocation may make in all its loops together, each one's last look at its condition included;
                            0: as many as it likes. Beyond that, results may be silently wrong */
    bool check_reads;    /* for tests, no row sets it: what a shader reads beyond a value is NaN, INT32_MAX of integers */
    bool all_textures;   /* all values that fit; no driver's, but asked for (gpu_options.objects) */
    bool cached_shared;  /* shared variables lie in memory, behind the cache that buffers have: putting there what that holds gains
                            nothing */
    bool no_half_types;  /* explicit types of 16-bit floats, where the device has them, are left alone (half_types.h) */
    bool emulated_halves; /* for tests, no row sets it: such types are emulated, whether the device has them or not, and `mediump`
                            is left alone */
    bool any_batch; /* shaders are the same for every size of the batch, as far as kernels choose alike; no driver's, but asked
                       for (gpu_options.dynamic_batch) */
};

/* What is taken for granted of a device that no row of the table knows. */
extern const struct gl_policy gl_policy_unknown;

/* Where it is not known what stops a long loop (a counter, a watchdog), as few iterations are taken as the strictest known driver
 * allows: llvmpipe, where loops end silently after so many passes. */
#define GL_FEW_ITERATIONS 65535

/* A driver as its GL_VERSION names it: "OpenGL ES 3.2 Mesa 22.3.6" is {"Mesa", {22, 3, 6}}. */
struct gl_driver {
    char name[12];       /* Mesa NVIDIA Qualcomm Arm PowerVR Intel ANGLE SwiftShader; "" where it is none that is known */
    uint32_t version[4]; /* most significant first, 0 where there is no such part */
};

/* Never fails; what makes no sense is a driver without name. */
void gl_driver_parse(const char *gl_version, struct gl_driver *out);

/* What a device answers to GL_VENDOR, GL_RENDERER and GL_VERSION; never NULL. */
struct gl_device_names {
    const char *vendor, *renderer, *version;
};

/* Fills *out from the table: gl_policy_apply of all its rows on gl_policy_unknown. */
void gl_policy_find(const struct gl_device_names *names, struct gl_policy *out);

/* ---- rows ---- */

/* What a row changes: each flag sets the member of its name, but NO_TIMER clears `timer`. */
enum gl_quirk_flags {
    GL_QUIRK_SOFTWARE = 1 << 0,
    GL_QUIRK_INLINE_NUMBERS = 1 << 1,
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

/* Matches where all that it names holds. */
struct gl_quirk {
    const char *vendor, *renderer; /* somewhere in the device's, in any case; at its beginning after '^'; NULL: any */
    const char *driver;            /* gl_driver's name; NULL: any */
    uint32_t from[4], below[4];    /* versions of the driver, the second excluded; all 0: no bound */
    uint32_t flags;                /* enum gl_quirk_flags, on top of earlier rows' */
    uint32_t flush;                /* replaces that of earlier rows unless 0 */
};

/* Changes *p by the rows that match the device, one after the other. */
void gl_policy_apply(const struct gl_quirk *rows, size_t n, const struct gl_device_names *names, struct gl_policy *p);

/* Lowers *p to what holds on a device of policy `most` too: a preference of *p stays where `most` has it as well, of the iterations
 * the smaller number. What the driver of *p needs to work at all (finish, pbuffer, even_stores, no_half_types, flush) stays. */
void gl_policy_clamp(struct gl_policy *p, const struct gl_policy *most);

/* Bytes of the longest text of a policy. */
#define GL_POLICY_TEXT 321

/* Writes *p as a line of text for people: "numbers bound, reads through images, ...". */
void gl_policy_text(const struct gl_policy *p, char text[GL_POLICY_TEXT]);

#endif
