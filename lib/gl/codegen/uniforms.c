/* SPDX-License-Identifier: Apache-2.0 */
/* uniforms.c - what shaders know by name: as a uniform block or in the text. */
#include "lib/gl/codegen/shader.h"

#include <string.h>

static void add_param(struct gl_shader *p, const char *name, int32_t value, bool real)
{
    struct gl_param *m = ARENA_NEW(p->arena, struct gl_param);

    if (!m || !(m->name = arena_strdup(p->arena, name))) {
        p->failed = true;
        return;
    }
    m->value = value;
    m->real = real;
    *p->params_end = m;
    p->params_end = &m->next;
}

void gl_param(struct gl_shader *p, const char *name, int32_t value)
{
    add_param(p, name, value, false);
}

void gl_param_float(struct gl_shader *p, const char *name, float value)
{
    int32_t bits;

    memcpy(&bits, &value, sizeof bits);
    add_param(p, name, bits, true);
}

/* In the text: compilers fold and unroll by them. But Mesa 22.3.6 (not 25.0.7) folds imulExtended and umulExtended of constants to
 * wrong words: UNFOLDED adds a zero that is not known. */
static void inline_uniforms(struct gl_shader *p, struct text *t)
{
    text_add(t, "#define READ_UNIFORMS\n#define UNFOLDED(value) ((value) + min(int(gl_LocalInvocationID.x), 0))\n");
    for (const struct gl_param *m = p->params; m; m = m->next)
        text_add(t, m->real ? "#define %s intBitsToFloat(int(0x%08xu))\n" : "#define %s int(0x%08xu)\n", m->name,
                 (uint32_t)m->value);
}

/* Straight code loads them before the first branch. */
static void read_numbers(const struct gl_shader *p, struct text *t)
{
    const uint32_t n = p->limits->policy.straight_code ? p->n_uniforms : 0;

    for (uint32_t i = 0; i < n; i++)
        text_add(t, "ivec4 number%u;\n", i);
    text_add(t, "#define UNFOLDED(value) (value)\n#define READ_UNIFORMS");
    for (uint32_t i = 0; i < n; i++)
        text_add(t, " number%u = numbers[%u];", i, i);
    text_add(t, "\n");
}

bool gl_binds_uniforms(const struct gl_shader *p)
{
    return p->limits->policy.inline_uniforms == p->pick.numbers;
}

bool gl_define_uniforms(struct gl_shader *p, struct text *t)
{
    const bool straight = p->limits->policy.straight_code;
    const char *open = straight ? "number" : "numbers[", *close = straight ? "" : "]";
    uint32_t n = 0;

    if (!gl_binds_uniforms(p)) {
        inline_uniforms(p, t);
        return true;
    }
    for (const struct gl_param *m = p->params; m; m = m->next)
        n++;
    p->n_uniforms = (n + 3) / 4;
    if (!(p->numbers = ARENA_ARRAY(p->arena, 4 * (size_t)p->n_uniforms, int32_t)))
        return false;
    if (n)
        text_add(t, "layout(std140, binding = 0) uniform number_block { ivec4 numbers[%u]; };\n", p->n_uniforms);
    read_numbers(p, t);
    n = 0;
    for (const struct gl_param *m = p->params; m; m = m->next, n++) {
        p->numbers[n] = m->value;
        text_add(t, m->real ? "#define %s intBitsToFloat(%s%u%s.%c)\n" : "#define %s %s%u%s.%c\n", m->name, open, n / 4, close,
                 "xyzw"[n % 4]);
    }
    return true;
}
