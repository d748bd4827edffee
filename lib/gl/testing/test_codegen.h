/* SPDX-License-Identifier: Apache-2.0 */
/* test_codegen.h - one small shader under construction, for tests of what is written around its template. */
#pragma once

#include "lib/gl/codegen/shader.h"
#include "lib/testing/test.h"

struct fixture {
    struct arena arena;
    struct ir_value x, y, u;
    struct ir_value *in[1];
    struct ir_op op;
    struct ir_epilogue sum; /* y + u, which a test may make the operation's */
    struct gl_shader shader;
    struct gl_limits limits;
    float weight;
};

extern const struct ir_fn test_add;
extern const char test_template[];

/* y = x * k, with y of `channels`, on the least device, whose limits a test may widen. There is one; its arena is to be freed. */
struct fixture *begin(int32_t channels, bool half);

/* One weight, zeros: a gl_packer of a float. */
void pack_weight(const void *arg, size_t first, size_t n, void *to);

/* The whole text. */
const char *finish(struct fixture *f);

#define HAS(text, part)   assert_non_null(strstr(text, part))
#define LACKS(text, part) assert_null(strstr(text, part))
