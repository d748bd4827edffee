/* SPDX-License-Identifier: Apache-2.0 */
/* limits.h - the best that a device reaches through compute shaders: rows that each measure one thing and nothing else.
 *
 * A row is a unit of work that is repeated: a dispatch, or a transfer. How much work a unit is, is not taken on trust: the results
 * of each kernel count it (multiply-adds each add 1, reads add the values read), and are held against that before anything is
 * timed. So a compiler that leaves work out, a driver that cuts loops, and a row that claims too much, all fail. */
#ifndef DELEGAUGE_BENCH_LIMITS_H
#define DELEGAUGE_BENCH_LIMITS_H

#include "lib/gl/device/probe.h"

enum { LIMIT_GROUP = GL_PROBE_GROUP, LIMIT_BLOCK_VECTORS = 1024, LIMIT_MAX_TEXT = 4096, LIMIT_TRANSFER_BYTES = 4 << 20 };

enum limit_kind {
    LIMIT_MAD,      /* multiply-adds in registers: each adds 1 */
    LIMIT_READ,     /* 16-byte reads: the result is the sum of the values read */
    LIMIT_WRITE,    /* 16-byte writes: the values there afterwards are checked */
    LIMIT_COPY,     /* 16-byte reads and writes, likewise */
    LIMIT_COUNT,    /* dispatches: each counts itself */
    LIMIT_UPLOAD,   /* from host memory to a buffer */
    LIMIT_READBACK, /* and back */
};

/* Which vector the invocation g (l of its workgroup) reads or writes in pass i. */
enum limit_pattern {
    LIMIT_STREAM, /* i * total + g: neighbours are adjacent, each vector once in a dispatch */
    LIMIT_SAME,   /* workgroup + i: all invocations of a workgroup the same */
    LIMIT_LOCAL,  /* l + i */
};

struct limit_row {
    const char *name, *unit, *what;
    enum limit_kind kind;
    enum limit_pattern pattern;
    const char *declare, *begin, *pass; /* GLSL: declarations, text before the loop, a pass; NULL: none */
    const char *zero;                   /* of LIMIT_WRITE, a pass that writes zeros instead */
    uint32_t passes;                    /* of each invocation through its loop */
    uint32_t vectors;                   /* that all of them share; 0: all there are */
    double work;                        /* of an invocation: operations of a chain, or bytes; 0 of LIMIT_COUNT and of transfers */
    enum gl_number number;              /* of LIMIT_MAD */
    enum gl_probe_from from;            /* the place that the probe's kernels read from */
    bool halves, images, textures;      /* needs 16-bit arithmetic, image buffers, 2-D array textures */
    bool probe;                         /* the kernel is the probe's, whose limit op profiles show: no GLSL here */
    bool barrier;                       /* glMemoryBarrier after each unit */
};

extern const struct limit_row limit_rows[];
extern const size_t limit_n_rows;

struct limit_result {
    double value, low, high; /* in the row's unit: the median of several timings, the worst and the best of them */
    double doubled;          /* time of twice the work over the time of the work: about 2, or something else was timed */
    const char *why;         /* NULL, or why the device cannot be asked: all else is 0 */
};

struct limit_gpu {
    struct gl_context *context;
    struct gl_waiting wait;
    struct gl_program_set set;
    uint32_t chains[GL_UNIFORMS];          /* that the device does most with (gl_probe_mads); 0: not known yet */
    enum gl_fp16 halves;                   /* by what it computes with 16 bits (gl_probe_fp16) */
    uint32_t vectors, image_vectors;       /* vec4 in `data`, of these in its image; powers of two */
    GLuint result, data, numbers, texture; /* the texture has `vectors` texels too */
    GLuint image;                          /* of data; 0: none */
    uint32_t texture_shift;                /* log2 of its width */
    uint32_t groups;   /* of a dispatch that reads vectors which its invocations share; twice as many of LIMIT_MAD */
    uint64_t least_ns; /* of a timing */
    uint32_t samples;
};

/* Opens device `index` (-1: the best). `quick`: shorter timings of less data and fewer workgroups, for tests. ST_NO_GPU, ST_FAILED,
 * ST_NOMEM; then *g needs no closing. */
enum status limit_open(struct limit_gpu *g, int index, bool quick, struct err *err);
void limit_close(struct limit_gpu *g);

/* Holds a row's results against its work, then measures it. Fails if they differ: "mad_fp32: invocation 5 of 65536 computed 8688,
 * not 16880: ...". The context of g stays current. */
enum status limit_measure(struct limit_gpu *g, const struct limit_row *row, struct limit_result *out, struct err *err);

/* ---- the steps of limit_measure ---- */

/* Numbers of a row's kernel, as its uniform block has them. */
struct limit_numbers {
    uint32_t total, mask, shift, unused; /* invocations of a unit; of vectors; log2 of the texture's width */
};

struct limit_numbers limit_numbers_of(const struct limit_gpu *g, const struct limit_row *row);

/* Compiles and binds a row's kernel. */
enum status limit_use(struct limit_gpu *g, const struct limit_row *row, struct err *err);

/* Runs so many units of the row in use on an idle device and stores how long it took. `host`, of LIMIT_TRANSFER_BYTES, is for
 * transfers alone. */
enum status limit_time(struct limit_gpu *g, const struct limit_row *row, uint32_t units, void *host, uint64_t *ns, struct err *err);

/* Write the values that the row reads, or zeros if it writes, then run it and hold the results against its work. */
enum status limit_check(struct limit_gpu *g, const struct limit_row *row, void *host, struct err *err);

/* Return lane `lane` of vector i of the values read and written: 0 to 3. */
static inline float limit_value(uint32_t i, uint32_t lane)
{
    return (float)(((i * 4u + lane) * 2654435761u) >> 30);
}

#endif
