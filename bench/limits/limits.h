/* SPDX-License-Identifier: Apache-2.0 */
/* limits.h - measures the peak performance of a device in compute shaders: each row measures one thing.
 *
 * A row repeats a unit of work: a dispatch or a transfer. The amount of work is verified: each kernel's results count it
 * (multiply-adds each add 1, reads sum up the values read) and are checked before anything is timed. So a compiler that leaves work
 * out, a driver that cuts loops short, and a row that claims too much all fail. */
#pragma once

#include "lib/gl/device/probe.h"

enum { LIMIT_GROUP = GL_PROBE_GROUP, LIMIT_BLOCK_VECTORS = 1024, LIMIT_MAX_TEXT = 4096, LIMIT_TRANSFER_BYTES = 4 << 20 };

enum limit_kind {
    LIMIT_MAD,      /* multiply-adds in registers: each adds 1 */
    LIMIT_READ,     /* 16-byte reads: the result is the sum of the values */
    LIMIT_WRITE,    /* 16-byte writes: the written values are checked */
    LIMIT_COPY,     /* 16-byte reads and writes: the written values are checked */
    LIMIT_COUNT,    /* dispatches: each counts itself */
    LIMIT_UPLOAD,   /* host memory to a buffer */
    LIMIT_READBACK, /* buffer to host memory */
};

/* Index of the vector that invocation g (l in its workgroup) reads or writes in pass i. */
enum limit_pattern {
    LIMIT_STREAM, /* i * total + g: neighbours are adjacent, and a dispatch touches each vector once */
    LIMIT_SAME,   /* workgroup + i: the same for all invocations of a workgroup */
    LIMIT_LOCAL,  /* l + i */
};

struct limit_row {
    const char *name, *unit, *what;
    enum limit_kind kind;
    enum limit_pattern pattern;
    /* GLSL: declarations, text before the loop, one pass of the loop; NULL: none. */
    const char *declare, *begin, *pass;
    const char *zero;              /* LIMIT_WRITE: a pass that writes zeros instead */
    uint32_t passes;               /* loop passes of each invocation */
    uint32_t vectors;              /* vectors shared by all invocations; 0: all of the buffer */
    double work;                   /* work of one invocation: operations of a chain, or bytes; 0 for LIMIT_COUNT and transfers */
    enum gl_number number;         /* LIMIT_MAD: type of the numbers */
    enum gl_probe_from from;       /* storage that the probe's kernels read */
    bool halves, images, textures; /* requires 16-bit arithmetic, image buffers, 2-D array textures */
    bool probe;                    /* uses the kernel of the probe, the limit in op profiles: no GLSL here */
    bool barrier;                  /* glMemoryBarrier after each unit */
};

extern const struct limit_row limit_rows[];
extern const size_t limit_n_rows;

struct limit_result {
    double value, low, high; /* in the row's unit: median, worst and best of several timings */
    double doubled;          /* time of twice the work over time of the work: about 2, or something else was timed */
    const char *why;         /* reason why the device cannot run the row (all else is 0); NULL: it can */
};

struct limit_gpu {
    struct gl_context *context;
    struct gl_waiting wait;
    struct gl_program_set set;
    uint32_t chains[GL_UNIFORMS];          /* number of chains with the highest rate (gl_probe_mads); 0: not measured yet */
    enum gl_fp16 halves;                   /* kind of 16-bit arithmetic (gl_probe_fp16) */
    uint32_t vectors, image_vectors;       /* vec4 in `data`; vec4 of these in its image; powers of two */
    GLuint result, data, numbers, texture; /* `texture` has `vectors` texels */
    GLuint image;                          /* image buffer over `data`; 0: none */
    uint32_t texture_shift;                /* log2 of the texture's width */
    uint32_t groups;   /* workgroups of a dispatch whose invocations share vectors; LIMIT_MAD has twice as many */
    uint64_t least_ns; /* shortest timing, nanoseconds */
    uint32_t samples;  /* timings of each row */
};

/* Open device `index` (-1: the best). `quick`: shorter timings, less data and fewer workgroups, for tests. Fails with ST_NO_GPU,
 * ST_FAILED or ST_NOMEM; *g needs no closing then. */
enum status limit_open(struct limit_gpu *g, int index, bool quick, struct err *err);
void limit_close(struct limit_gpu *g);

/* Check a row's results, then measure it. Fails if the check does: "mad_fp32: invocation 5 of 65536 computed 8688, not 16880: ...".
 * The context of g stays current. */
enum status limit_measure(struct limit_gpu *g, const struct limit_row *row, struct limit_result *out, struct err *err);

/* ---- the steps of limit_measure ---- */

/* Uniform block of a row's kernel. */
struct limit_numbers {
    uint32_t total, mask, shift, unused; /* invocations of a unit; number of vectors less 1; log2 of the texture's width */
};

struct limit_numbers limit_numbers_of(const struct limit_gpu *g, const struct limit_row *row);

/* Compile and bind a row's kernel. */
enum status limit_use(struct limit_gpu *g, const struct limit_row *row, struct err *err);

/* Run `units` units of the bound row on an idle device and store the time in *ns. `host`, LIMIT_TRANSFER_BYTES large, is for
 * transfers. */
enum status limit_time(struct limit_gpu *g, const struct limit_row *row, uint32_t units, void *host, uint64_t *ns, struct err *err);

/* Write the values that the row reads, or zeros if it writes, run one unit and compare the results with its work. */
enum status limit_check(struct limit_gpu *g, const struct limit_row *row, void *host, struct err *err);

/* Return component `lane` of vector i of the data: 0 to 3. */
static inline float limit_value(uint32_t i, uint32_t lane)
{
    return (float)(((i * 4u + lane) * 2654435761u) >> 30);
}
