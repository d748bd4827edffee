/* SPDX-License-Identifier: Apache-2.0 */
/* test_codegen.c - see test_codegen.h */
#include "lib/gl/testing/test_codegen.h"

const char test_template[] =
    "// LOAD(x is mentioned here\n"
    "void run(int b, int h, int w, int s)\n{\n    STORE(y, b, h, w, s, LOAD(x, b, h, w, s) * LOADW(k, s));\n}\n";
const struct ir_fn test_add = {"ADD", "a + b", "a + b", .arity = 2};

struct fixture *begin(int32_t channels, bool half)
{
    static struct fixture f;

    f = (struct fixture){.weight = 0.5f, .limits = gl_limits_least};
    f.x = (struct ir_value){.id = 0, .shape = {1, 2, 3, channels}};
    f.y = (struct ir_value){.id = 1, .shape = {1, 2, 3, channels}};
    f.u = (struct ir_value){.id = 2, .shape = {1, 1, 3, 1}};
    f.x.format = f.y.format = f.u.format = half ? GL_FORMAT_HALF : GL_FORMAT_FLOAT;
    f.in[0] = &f.x;
    f.op = (struct ir_op){.in = f.in, .n_in = 1, .out = &f.y};
    f.sum = (struct ir_epilogue){.fn = &test_add, .operand = {NULL, &f.u}};
    gl_shader_init(&f.shader, &f.arena, &f.limits, half, &f.op);
    return &f;
}

void pack_weight(const void *arg, size_t first, size_t n, void *to)
{
    memset(to, 0, 16 * n);
    if (!first)
        memcpy(to, arg, sizeof(float));
}

const char *finish(struct fixture *f)
{
    struct err err;

    gl_source(&f->shader, test_template);
    gl_input(&f->shader, "x", &f->x);
    gl_output(&f->shader, "y", &f->y);
    gl_weights(&f->shader, "k", 2, pack_weight, &f->weight, sizeof f->weight);
    gl_grid(&f->shader, f->y.shape);
    TEST_OK(gl_shader_finish(&f->shader, &err), err);
    return f->shader.text;
}
