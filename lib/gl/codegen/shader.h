/* SPDX-License-Identifier: Apache-2.0 */
/* shader.h - the shader of one dispatch under construction: the data that emit gathers, and the text that codegen makes of them. */
#pragma once

#include "lib/gl/device/half_types.h"
#include "lib/gl/ir/kernel.h"
#include "lib/gl/ir/text.h"
#include "lib/gl/options/pick.h"

enum gl_bind {
    GL_BIND_INPUT,     /* `value`, read */
    GL_BIND_OUTPUT,    /* `value`, written */
    GL_BIND_WEIGHTS,   /* n vec4 of floats that `pack` writes */
    GL_BIND_TABLE,     /* n ivec4 that `pack` writes */
    GL_BIND_HOST_READ, /* dense host elements of `host_type`, n of them */
    GL_BIND_HOST_WRITE
};

/* One buffer that the shader reads or writes; the members that count follow from `bind`. */
struct gl_binding {
    enum gl_bind bind;
    const char *name; /* name in the template */
    const struct ir_value *value;
    struct ir_shape shape; /* of the value, as the shader sees it: gl_flatten */
    gl_packer pack;        /* of weights and tables */
    const void *arg;       /* of `pack`, in the shader's arena */
    size_t n;              /* vec4, ivec4 or host elements, as above */
    size_t n_packed;       /* of a table: ivec4 whose words hold four numbers of 8 bits each */
    enum tensor_type host_type;
    enum gl_format format; /* of anything but host elements */
    enum gl_through through;
    const struct ir_blocks *blocks; /* for a download, which makes pixels of the output of these blocks; NULL: of none */
    bool any_batch;                 /* the shader's text does not tell how many batches the value has */
    bool read_back;                 /* an output, of GL_THROUGH_BLOCK: gl_output_read_back */
    uint32_t point;                 /* block, image unit or texture unit */
    uint32_t used;                  /* bits of enum access that the template uses */
};

/* A number that templates use by name. It lies in a uniform block, as 32 bits, so that programs do not differ by it. */
struct gl_param {
    struct gl_param *next;
    const char *name;
    int32_t value; /* the bits, if it is `real` */
    bool real;     /* a float */
};

struct gl_shader {
    struct arena *arena;
    const struct gl_limits *limits;
    const struct ir_op *op; /* NULL for transfers */
    struct gl_pick pick;    /* set before emit; its variant is that emit's already */
    bool half;              /* weights may be stored as halves */
    enum gl_fp16 halves;    /* the way it computes with halves, if all its inputs and outputs are halves */
    bool sum32;             /* but its sums, SUM4, have 32 bits all the same */
    const char *source;     /* the template: gl_source */
    struct gl_binding bind[GL_MAX_BINDINGS];
    uint32_t n_bind, n_points[GL_THROUGHS]; /* number of bindings; the points of the bindings that are reached through each */
    struct gl_param *params, **params_end;
    struct text defines;   /* without an arena: the shader gets no text (gl_recipe's textless) */
    int32_t grid[4];       /* w, h, s, b */
    uint32_t group[3];     /* set by gl_group, or chosen */
    uint32_t shared_bytes; /* of shared variables: gl_shared */
    bool array_stores;     /* gl_array_stores */
    bool says_shared;      /* gl_shared was called */
    bool group_picked;     /* the workgroup is that of `pick` */
    bool failed;           /* out of memory */
    bool flat;             /* gl_flatten */
    bool counted;          /* gl_iterations was called */
    uint32_t in_line;      /* dimensions of the grid that lie one after the other along x: 2, 3 or none */
    uint64_t iterations;

    /* Made by gl_shader_finish. */
    const char *text; /* the whole shader; NULL if it gets none */
    int32_t *numbers; /* [4 * n_uniforms] the uniform block: ivec4, std140 */
    uint32_t n_uniforms;
    uint32_t groups[3]; /* started along x, y and z */
    bool spread;        /* too many for one dimension of the grid: they lie along x and y, whichever dimension they are of */
};

/* Start an empty shader for `op` (NULL: a transfer), which gets its memory from `a`. */
void gl_shader_init(struct gl_shader *p, struct arena *a, const struct gl_limits *lim, bool half, const struct ir_op *op);

/* Bind dense elements in host order, for HOST(name, i) and HOST_STORE(name, i, v). HOST_STORE writes whole 32-bit words: for
 * shorter types i counts words and v is a vector of the elements in one, an ivec4, ivec2 or, of 16-bit floats that these hold
 * exactly, vec2; of an INT64 it writes both, v being an int. INT64 is not read. */
void gl_host(struct gl_shader *p, const char *name, enum tensor_type type, size_t n, bool write);

/* Return true if numbers are bound as a uniform block, not literals of the text. */
bool gl_binds_uniforms(const struct gl_shader *p);

/* Write the text that makes names of the numbers, and gather them for the uniform block unless the limits and the pick want them in
 * the text. Part of gl_shader_finish. False if memory runs out. */
bool gl_define_uniforms(struct gl_shader *p, struct text *t);

/* Write the shader text, if it has one, and choose the workgroups. Fails only with ST_NOMEM. */
enum status gl_shader_finish(struct gl_shader *p, struct err *err);

/* Check a finished shader. ST_UNSUPPORTED if it binds or starts more than its limits allow, a broken promise of accept: drivers
 * that are more generous than their limits would not notice. Of shared memory the bytes that emit gave gl_shared count. ST_FAILED
 * if the template has a loop and nobody stated its iterations. `label` names the shader. */
enum status gl_shader_fits(const struct gl_shader *p, const char *label, struct err *err);

/* Return true if all floats of a binding of weights pass gl_fits_half. Packs them all. */
bool gl_weights_fit_half(const struct gl_binding *b);

/* Return the bytes that a tensor of `bytes` bytes in host order takes in the staging or state buffer. */
uint64_t gl_staged_bytes(uint64_t bytes);

/* Return the bytes that a bound buffer takes on the device. */
size_t gl_binding_bytes(const struct gl_binding *b);

/* Return the bytes that it takes as a uniform block, whose length is one of few so that programs do not differ by it. No less than
 * the above; no more than `most`, if that is not less. */
size_t gl_uniform_bytes(const struct gl_binding *b, size_t most);

/* Return the shape under which the shader sees a value. */
struct ir_shape gl_bound_shape(const struct gl_shader *p, const struct ir_value *v);

/* Return true if v is a view whose vec4 are not numbered as in a value with memory of its own. */
bool gl_is_placed(const struct ir_value *v);

/* Return the bytes of the memory that a value lies in: all of its root's. */
uint64_t gl_value_bytes(const struct ir_value *v);
