/* SPDX-License-Identifier: Apache-2.0 */
/* codegen.c - from a template and its bindings to a shader.
 *
 * GLSL has no token pasting, so LOAD(x, ...) of the template is rewritten here into load_x(...), and the functions that it
 * uses are written before it: layout, precision and fused epilogues live in them alone. */
#include "shader.h"

#include <ctype.h>
#include <string.h>

enum access { LOAD, LOADZ, LOADB, LOADC, LOADW, LOADI, STORE, HOST, HOST_STORE, N_ACCESS };

static const char *const keywords[N_ACCESS] = {"LOAD", "LOADZ", "LOADB", "LOADC", "LOADW", "LOADI", "STORE", "HOST", "HOST_STORE"};
static const char *const prefixes[N_ACCESS] = {"load", "loadz", "loadb", "loadc", "loadw", "loadi", "store", "host", "host_store"};

static struct gl_binding *find_binding(struct gl_shader *p, const char *name, size_t n)
{
    for (uint32_t i = 0; i < p->n_bind; i++)
        if (strlen(p->bind[i].name) == n && !memcmp(p->bind[i].name, name, n))
            return &p->bind[i];
    return NULL;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t word_length(const char *s)
{
    size_t n = 0;

    while (is_word(s[n]))
        n++;
    return n;
}

/* Rewrites an access at `s`, a word of `n` characters, and returns what follows its first argument; NULL if it is none. */
static const char *rewrite_access(struct gl_shader *p, struct text *out, const char *s, size_t n)
{
    const char *name = s + n;

    if (*name++ != '(')
        return NULL;
    for (int k = 0; k < N_ACCESS; k++) {
        size_t length = word_length(name);
        struct gl_binding *b;

        if (strlen(keywords[k]) != n || memcmp(keywords[k], s, n) || !(b = find_binding(p, name, length)))
            continue;
        b->used |= 1u << k;
        text_add(out, "%s_%s(", prefixes[k], b->name);
        name += length;
        return name + strspn(name, ", ");
    }
    return NULL;
}

static void rewrite(struct gl_shader *p, struct text *out)
{
    const char *s = p->source;

    while (*s) {
        size_t n = word_length(s);
        const char *after = n ? rewrite_access(p, out, s, n) : NULL;

        if (!after) {
            text_bytes(out, s, n ? n : 1);
            after = s + (n ? n : 1);
        }
        s = after;
    }
}

static const char *vec_type(const struct ir_value *v)
{
    return v->type == IR_INT ? "ivec4" : "vec4";
}

/* "X_" for "x": the prefix of its shape's names. */
struct upper {
    char s[40];
};

static struct upper upper(const char *name)
{
    struct upper u = {""};

    for (size_t i = 0; name[i] && i < sizeof u.s - 1; i++)
        u.s[i] = (char)toupper((unsigned char)name[i]);
    return u;
}

static bool is_ints(const struct gl_binding *b)
{
    return b->bind == GL_BIND_TABLE || (b->value && b->value->type == IR_INT);
}

static void declare_image(struct text *t, const struct gl_binding *b)
{
    text_add(t, "layout(%s, binding = %u) uniform restrict readonly highp %simageBuffer %s_data;\n",
             is_ints(b) ? "rgba32i"
             : b->half  ? "rgba16f"
                        : "rgba32f",
             b->unit, is_ints(b) ? "i" : "", b->name);
}

static void declare_buffer(struct text *t, const struct gl_binding *b, uint32_t point)
{
    bool writes = b->bind == GL_BIND_OUTPUT || b->bind == GL_BIND_HOST_WRITE;
    const char *element = "vec4";

    if (b->bind == GL_BIND_HOST_READ || b->bind == GL_BIND_HOST_WRITE)
        element = "uint";
    else if (b->half)
        element = "uvec2";
    else if (is_ints(b))
        element = "ivec4";
    text_add(t, "layout(std430, binding = %u) restrict %s buffer b_%s { %s %s_data[]; };\n", point,
             writes ? "writeonly" : "readonly", b->name, element, b->name);
}

/* Of a view, see struct ir_view: _AT is the number of its first vec4. */
static void define_index(struct text *t, const struct gl_binding *b)
{
    struct upper u = upper(b->name);

    if (gl_is_placed(b->value))
        text_add(t,
                 "int index_%s(int b, int h, int w, int s) "
                 "{ return %s_AT + ((b * %s_PITCH_S + s) * %s_PITCH_H + h) * %s_PITCH_W + w; }\n",
                 b->name, u.s, u.s, u.s, u.s);
    else if (b->shape.b == 1)
        text_add(t, "int index_%s(int b, int h, int w, int s) { return (s * %s_H + h) * %s_W + w; }\n", b->name, u.s, u.s);
    else
        text_add(t, "int index_%s(int b, int h, int w, int s) { return ((b * %s_S + s) * %s_H + h) * %s_W + w; }\n", b->name, u.s,
                 u.s, u.s);
}

static void define_element(struct text *t, const struct gl_binding *b, const char *function, const char *args, const char *type,
                           const char *index)
{
    if (b->image)
        text_add(t, "%s %s_%s(%s) { return imageLoad(%s_data, %s); }\n", type, function, b->name, args, b->name, index);
    else if (b->half)
        text_add(t, "vec4 %s_%s(%s) { uvec2 t = %s_data[%s]; return vec4(unpackHalf2x16(t.x), unpackHalf2x16(t.y)); }\n", function,
                 b->name, args, b->name, index);
    else
        text_add(t, "%s %s_%s(%s) { return %s_data[%s]; }\n", type, function, b->name, args, b->name, index);
}

/* A function that is NaN, or as good as that, where `outside` holds, else what any_... of the same name and arguments gives. */
static void define_guard(struct text *t, const struct gl_binding *b, const char *function, const char *args, const char *type,
                         const char *outside)
{
    text_add(t, "%s %s_%s(%s)\n{\n    if (%s)\n        return %s;\n    return any_%s_%s(", type, function, b->name, args, outside,
             *type == 'i' ? "ivec4(0x7fffffff)" : "vec4(intBitsToFloat(0x7fc00000))", function, b->name);
    for (const char *a = args; *a; a++) /* the names: what follows "int " */
        if (!strncmp(a, "int ", 4))
            a += 3;
        else
            text_bytes(t, a, 1);
    text_add(t, ");\n}\n");
}

static void define_weights(struct text *t, const struct gl_binding *b, const char *function, const char *type, bool checked)
{
    char any[16], outside[48];

    snprintf(any, sizeof any, "%s%s", checked ? "any_" : "", function);
    define_element(t, b, any, "int i", type, "i");
    snprintf(outside, sizeof outside, "i < 0 || i >= %zu", b->n);
    if (checked)
        define_guard(t, b, function, "int i", type, outside);
}

static void define_load(struct text *t, const struct gl_binding *b, const char *type, bool checked)
{
    static const char args[] = "int b, int h, int w, int s";
    struct upper u = upper(b->name);
    char index[80], outside[320];

    snprintf(index, sizeof index, "index_%s(b, h, w, s)", b->name);
    define_element(t, b, checked ? "any_load" : "load", args, type, index);
    snprintf(outside, sizeof outside, "b < 0 || b >= %s_B || h < 0 || h >= %s_H || w < 0 || w >= %s_W || s < 0 || s >= %s_S", u.s,
             u.s, u.s, u.s);
    if (checked)
        define_guard(t, b, "load", args, type, outside);
}

/* The coordinate by which a value of extent `mine` is read where the output has extent `theirs`. */
static const char *broadcast(int32_t mine, int32_t theirs, const char *coordinate)
{
    return mine == 1 && theirs > 1 ? "0" : coordinate;
}

static void define_loadb(struct text *t, const struct gl_binding *b, struct ir_shape y)
{
    struct ir_shape x = b->shape;

    text_add(t, "%s loadb_%s(int b, int h, int w, int s) { return load_%s(%s, %s, %s, %s)%s; }\n", vec_type(b->value), b->name,
             b->name, broadcast(x.b, y.b, "b"), broadcast(x.h, y.h, "h"), broadcast(x.w, y.w, "w"), broadcast(x.c, y.c, "s"),
             x.c == 1 && y.c > 1 ? ".xxxx" : "");
}

static void define_loads(struct text *t, const struct gl_binding *b, struct ir_shape y, bool checked)
{
    const char *type = vec_type(b->value);
    struct upper u = upper(b->name);

    define_index(t, b);
    define_load(t, b, type, checked);
    if (b->used >> LOADZ & 1)
        text_add(t,
                 "%s loadz_%s(int b, int h, int w, int s)\n{\n"
                 "    if (h < 0 || h >= %s_H || w < 0 || w >= %s_W)\n        return %s(0);\n"
                 "    return load_%s(b, h, w, s);\n}\n",
                 type, b->name, u.s, u.s, type, b->name);
    if (b->used >> LOADB & 1)
        define_loadb(t, b, y);
    if (b->used >> LOADC & 1)
        text_add(t, "%s loadc_%s(int b, int h, int w, int c) { return load_%s(b, h, w, c >> 2)[c & 3]; }\n",
                 b->value->type == IR_INT ? "int" : "float", b->name, b->name);
}

static void define_host(struct text *t, const struct gl_binding *b)
{
    bool byte = type_bits(b->host_type) == 8, real = b->host_type == TYPE_FLOAT32;

    if (b->used >> HOST & 1 && b->host_type == TYPE_INT8)
        text_add(t, "int host_%s(int i) { return bitfieldExtract(int(%s_data[i >> 2]), 8 * (i & 3), 8); }\n", b->name, b->name);
    else if (b->used >> HOST & 1 && byte)
        text_add(t, "int host_%s(int i) { return int(%s_data[i >> 2] >> uint(8 * (i & 3)) & 255u); }\n", b->name, b->name);
    else if (b->used >> HOST & 1)
        text_add(t, "%s host_%s(int i) { return %s(%s_data[i]); }\n", real ? "float" : "int", b->name,
                 real ? "uintBitsToFloat" : "int", b->name);
    if (b->used >> HOST_STORE & 1 && byte)
        text_add(t,
                 "void host_store_%s(int i, ivec4 v) "
                 "{ %s_data[i] = uint(v.x | v.y << 8 | v.z << 16 | v.w << 24); }\n",
                 b->name, b->name);
    else if (b->used >> HOST_STORE & 1)
        text_add(t, "void host_store_%s(int i, %s v) { %s_data[i] = %s(v); }\n", b->name, real ? "float" : "int", b->name,
                 real ? "floatBitsToUint" : "uint");
}

/* ---- epilogues ---- */

/* What number `letter` of function k is called: an operand a, b, c or a parameter x, y, z, w. */
struct epilogue_name {
    char s[32];
};

static struct epilogue_name epilogue_name(int k, char letter)
{
    struct epilogue_name name;

    snprintf(name.s, sizeof name.s, "EPILOGUE%d_%c", k, letter);
    return name;
}

static void add_scalar(struct gl_shader *p, const char *name, const struct ir_value *v)
{
    if (v->type == IR_INT)
        gl_param(p, name, *(const int32_t *)v->data);
    else
        gl_param_float(p, name, *(const float *)v->data);
}

static struct gl_binding *binding_of(struct gl_shader *p, const struct ir_value *v)
{
    for (uint32_t i = 0; i < p->n_bind; i++)
        if (p->bind[i].bind == GL_BIND_INPUT && p->bind[i].value == v)
            return &p->bind[i];
    return NULL;
}

/* Binds a value that an epilogue reads, unless the kernel reads it already. */
static void bind_operand(struct gl_shader *p, const struct ir_value *v)
{
    struct gl_binding *b = binding_of(p, v);
    char name[16];

    if (!b) {
        snprintf(name, sizeof name, "operand%u", p->n_bind);
        gl_input(p, name, v);
        b = binding_of(p, v);
    }
    if (b)
        b->used |= 1u << LOADB;
}

/* Buffers and numbers that the epilogues need. */
static void bind_epilogues(struct gl_shader *p)
{
    int k = 0;

    for (const struct ir_epilogue *e = p->op ? p->op->epilogue : NULL; e; e = e->next, k++) {
        for (uint32_t i = 0; i < e->fn->arity; i++)
            if (e->operand[i] && ir_is_scalar(e->operand[i]))
                add_scalar(p, epilogue_name(k, "ABC"[i]).s, e->operand[i]);
            else if (e->operand[i])
                bind_operand(p, e->operand[i]);
        for (int i = 0; i < 4 && e->fn->params; i++)
            gl_param_float(p, epilogue_name(k, "XYZW"[i]).s, e->p[i]);
    }
}

static const char *glsl_vec(enum ir_type t)
{
    return t == IR_INT ? "ivec4" : "vec4";
}

static void define_helper(struct text *t, const struct ir_epilogue *list, const struct ir_epilogue *e)
{
    if (!e->fn->helper)
        return;
    while (list != e && (!list->fn->helper || strcmp(list->fn->helper, e->fn->helper) != 0))
        list = list->next;
    if (list == e)
        text_add(t, "%s", e->fn->helper);
}

static void define_epilogue(struct text *t, const struct ir_epilogue *e, int k)
{
    static const char letters[] = "abc";

    text_add(t, "%s epilogue_%d(", glsl_vec(e->out), k);
    for (uint32_t i = 0; i < e->fn->arity; i++)
        text_add(t, "%s%s %c", i ? ", " : "", glsl_vec(e->operand[i] ? e->operand[i]->type : e->in), letters[i]);
    text_add(t, ") /* %s */\n{\n", e->fn->name);
    if (e->fn->params)
        text_add(t, "    vec4 p = vec4(%s, %s, %s, %s);\n", epilogue_name(k, 'X').s, epilogue_name(k, 'Y').s,
                 epilogue_name(k, 'Z').s, epilogue_name(k, 'W').s);
    text_add(t, "    PRECISE %s r = %s;\n    return r;\n}\n", glsl_vec(e->out), e->in == IR_INT ? e->fn->i : e->fn->f);
}

static void apply_epilogue(struct gl_shader *p, struct text *t, const struct ir_epilogue *e, int k)
{
    text_add(t, "    %s v%d = epilogue_%d(", glsl_vec(e->out), k + 1, k);
    for (uint32_t i = 0; i < e->fn->arity; i++) {
        text_add(t, "%s", i ? ", " : "");
        if (!e->operand[i])
            text_add(t, "v%d", k);
        else if (ir_is_scalar(e->operand[i]))
            text_add(t, "%s(%s)", vec_type(e->operand[i]), epilogue_name(k, "ABC"[i]).s);
        else
            text_add(t, "loadb_%s(b, h, w, s)", binding_of(p, e->operand[i])->name);
    }
    text_add(t, ");\n");
}

static void define_store(struct gl_shader *p, struct text *t, const struct gl_binding *b)
{
    bool first = p->op && b->value == p->op->out;
    const struct ir_epilogue *list = first ? p->op->epilogue : NULL;
    const char *type = glsl_vec(first ? p->op->stores : b->value->type), *final = vec_type(b->value);
    struct upper u = upper(b->name);
    int k = 0;

    define_index(t, b);
    for (const struct ir_epilogue *e = list; e; e = e->next) {
        define_helper(t, list, e);
        define_epilogue(t, e, k++);
    }
    text_add(t, "void store_%s(int b, int h, int w, int s, %s v0)\n{\n", b->name, type);
    k = 0;
    for (const struct ir_epilogue *e = list; e; e = e->next)
        apply_epilogue(p, t, e, k++);
    text_add(t, "    %s v = v%d;\n", final, k);
    if (b->shape.c % 4)
        text_add(t, "    v = mix(%s(0), v, lessThan(4 * s + ivec4(0, 1, 2, 3), ivec4(%s_C)));\n", final, u.s);
    text_add(t, "    %s_data[index_%s(b, h, w, s)] = %s;\n}\n", b->name, b->name,
             b->half ? "uvec2(packHalf2x16(v.xy), packHalf2x16(v.zw))" : "v");
}

static void define_access(struct gl_shader *p, struct text *t)
{
    struct ir_shape y = p->op ? gl_bound_shape(p, p->op->out) : (struct ir_shape){1, 1, 1, 1};
    const bool checked = p->limits->policy.check_reads;

    for (uint32_t i = 0; i < p->n_bind; i++) {
        const struct gl_binding *b = &p->bind[i];

        if (b->image)
            declare_image(t, b);
        else
            declare_buffer(t, b, i);
        if (b->bind == GL_BIND_INPUT)
            define_loads(t, b, y, checked);
        else if (b->bind == GL_BIND_WEIGHTS)
            define_weights(t, b, "loadw", "vec4", checked);
        else if (b->bind == GL_BIND_TABLE)
            define_weights(t, b, "loadi", "ivec4", checked);
        else if (b->bind != GL_BIND_OUTPUT)
            define_host(t, b);
    }
    for (uint32_t i = 0; i < p->n_bind; i++)
        if (p->bind[i].bind == GL_BIND_OUTPUT)
            define_store(p, t, &p->bind[i]);
}

/* ---- grid, the whole ---- */

static uint32_t cover(int32_t n, uint32_t most)
{
    uint32_t g = 1;

    while (g < most && g < (uint32_t)n)
        g *= 2;
    return g;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static bool too_many_groups(const struct gl_shader *p, const int32_t extent[3])
{
    for (int i = 0; i < 3; i++)
        if (((uint32_t)extent[i] - 1) / p->group[i] >= p->limits->group_count[i])
            return true;
    return false;
}

/* Where lanes are along x, starting a workgroup costs as much as some hundred invocations of a simple shader;
 * and compiling a program costs more than running it, so shapes are few, for layers of different sizes to share programs. */
static void row_group(struct gl_shader *p, const int32_t extent[3])
{
    if (p->limits->group_invocations >= 128)
        gl_group(p, extent[1] > 1 ? 16 : 32, extent[1] > 1 ? 8 : 1, 1);
}

/* Powers of two that cover the grid, widest along w. */
static void choose_group(struct gl_shader *p, const int32_t extent[3])
{
    const struct gl_limits *l = p->limits;
    uint32_t left = least(l->group_invocations, 64);

    if (p->group[0])
        return;
    p->group[0] = cover(extent[0], least(least(left, l->group_size[0]), 16));
    left /= p->group[0];
    p->group[1] = cover(extent[1], least(left, l->group_size[1]));
    left /= p->group[1];
    p->group[2] = cover(extent[2], least(left, l->group_size[2]));
    if (l->policy.row_groups)
        row_group(p, extent);
    if (too_many_groups(p, extent))
        gl_group(p, GL_SAFE_GROUP, GL_SAFE_GROUP, GL_SAFE_GROUP);
}

/* `precise` keeps compilers from turning a comparison and a choice into max(), which loses NaN. */
static void add_head(const struct gl_limits *l, struct text *t)
{
    text_add(t, "#version 310 es\n");
    if (l->precise)
        text_add(t, "#extension GL_EXT_gpu_shader5 : require\n");
    if (l->image_reads)
        text_add(t, "#extension GL_EXT_texture_buffer : require\n");
    text_add(t, "#define PRECISE%s\nprecision highp float;\nprecision highp int;\n", l->precise ? " precise" : "");
}

static const char main_text[] = "void main()\n{\n"
                                "    ivec3 g = ivec3(gl_GlobalInvocationID);\n"
                                "    if (g.x >= GRID_W || g.y >= GRID_H || g.z >= GRID_S * GRID_B)\n        return;\n"
                                "%s}\n";

static void add_main(struct gl_shader *p, struct text *t)
{
    if (strstr(p->source, "void main"))
        return;
    text_add(t, main_text,
             p->grid[3] == 1 ? "    run(0, g.y, g.x, g.z);\n"
                             : "    int b = g.z / GRID_S;\n    run(b, g.y, g.x, g.z - b * GRID_S);\n");
}

static void choose_images(struct gl_shader *p)
{
    uint32_t units = 0;

    for (uint32_t i = 0; i < p->n_bind; i++) {
        struct gl_binding *b = &p->bind[i];
        bool readable = b->bind == GL_BIND_INPUT || b->bind == GL_BIND_WEIGHTS || b->bind == GL_BIND_TABLE;

        b->image = readable && units < p->limits->image_reads &&
                   gl_binding_bytes(b) / (b->half ? 8 : 16) <= p->limits->image_vectors;
        if (b->image)
            b->unit = units++;
    }
}

/* Weights beyond the range of a half stay floats. */
static void choose_precision(struct gl_shader *p)
{
    for (uint32_t i = 0; i < p->n_bind; i++) {
        struct gl_binding *b = &p->bind[i];

        if (b->bind == GL_BIND_WEIGHTS)
            b->half = p->half && gl_weights_fit_half(b);
    }
}

enum status gl_shader_finish(struct gl_shader *p, struct err *err)
{
    struct text body = {.arena = p->arena}, t = {.arena = p->arena};
    int32_t extent[3] = {p->grid[0], p->grid[1], p->grid[2] * p->grid[3]};

    gl_param(p, "GRID_W", p->grid[0]);
    gl_param(p, "GRID_H", p->grid[1]);
    gl_param(p, "GRID_S", p->grid[2]);
    gl_param(p, "GRID_B", p->grid[3]);
    choose_precision(p);
    rewrite(p, &body);
    bind_epilogues(p);
    choose_images(p);
    choose_group(p, extent);
    add_head(p->limits, &t);
    text_add(&t, "layout(local_size_x = %u, local_size_y = %u, local_size_z = %u) in;\n", p->group[0], p->group[1], p->group[2]);
    if (!gl_define_numbers(p, &t))
        return ir_nomem(err);
    text_bytes(&t, p->defines.s, p->defines.n);
    define_access(p, &t);
    text_bytes(&t, body.s, body.n);
    add_main(p, &t);
    for (int i = 0; i < 3; i++)
        p->groups[i] = ((uint32_t)extent[i] + p->group[i] - 1) / p->group[i];
    p->text = t.s;
    return p->failed || t.failed || body.failed || p->defines.failed ? ir_nomem(err) : ST_OK;
}
