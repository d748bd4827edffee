/* SPDX-License-Identifier: Apache-2.0 */
/* access.c - the functions through which a template reads and writes: layout, storage, format and views live here alone. */
#include "lib/gl/codegen/access.h"
#include "lib/gl/codegen/dedup_shaders.h"
#include "lib/gl/ir/texture.h"

#include <ctype.h>
#include <string.h>

static const char *vec_type(const struct ir_value *v)
{
    return gl_vec(v->type);
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

static void declare_image(struct text *t, const struct gl_binding *b)
{
    const struct gl_format_row *f = &gl_formats[b->format];

    text_add(t, "layout(%s, binding = %u) uniform restrict readonly highp %simageBuffer %s_data;\n", f->image, b->point, f->units,
             b->name);
}

static void declare_texture(struct text *t, const struct gl_binding *b)
{
    const struct gl_texel_row *f = &gl_texels[b->format];

    if (b->through != GL_THROUGH_STORE)
        text_add(t, "layout(binding = %u) uniform highp %ssampler2DArray %s_data;\n", b->point, f->units, b->name);
    else
        text_add(t, "layout(%s, binding = %u) uniform restrict writeonly highp %simage2DArray %s_data;\n", f->image, b->point,
                 f->units, b->name);
}

static void declare_texels(struct text *t, const struct gl_binding *b)
{
    text_add(t, "layout(binding = %u) uniform highp %ssamplerBuffer %s_data;\n", b->point, gl_formats[b->format].units, b->name);
}

static void declare_four(struct text *t, const struct gl_binding *b)
{
    for (uint32_t k = 0; k < 4; k++)
        text_add(t, "layout(binding = %u) uniform highp %ssampler2DArray %s_data%u;\n", b->point + k, gl_texels[b->format].units,
                 b->name, k);
}

/* A column of vectors of 16 bytes, as std140 has no shorter ones. */
static void declare_uniforms(struct text *t, const struct gl_binding *b, size_t most)
{
    const struct gl_format_row *f = &gl_formats[b->format];

    text_add(t, "layout(std140, binding = %u) uniform b_%s { highp %s %s_data[%zu]; };\n", b->point, b->name,
             f->bytes == 16 ? f->vec : "uvec4", b->name, gl_uniform_bytes(b, most) / 16);
}

static void declare_block(struct text *t, const struct gl_binding *b)
{
    bool writes = b->bind == GL_BIND_OUTPUT || b->bind == GL_BIND_HOST_WRITE;
    bool host = b->bind == GL_BIND_HOST_READ || b->bind == GL_BIND_HOST_WRITE;
    const char *element = host ? "uint" : gl_formats[b->format].element;

    text_add(t, "layout(std430, binding = %u) restrict %s buffer b_%s { %s %s_data[]; };\n", b->point,
             b->read_back ? "coherent"
             : writes     ? "writeonly"
                          : "readonly",
             b->name, element, b->name);
}

static void declare(struct text *t, const struct gl_binding *b, const struct gl_limits *lim)
{
    switch (b->through) {
    case GL_THROUGH_IMAGE: declare_image(t, b); break;
    case GL_THROUGH_TEXEL: declare_texels(t, b); break;
    case GL_THROUGH_FOUR: declare_four(t, b); break;
    case GL_THROUGH_UNIFORM: declare_uniforms(t, b, lim->uniform_block_bytes); break;
    case GL_THROUGH_BLOCK: declare_block(t, b); break;
    default: declare_texture(t, b);
    }
}

/* See texture.h. Of a row, the texel of its first pixel. */
static void define_texel(struct text *t, const struct gl_binding *b, const char *function, bool row)
{
    const char *w = row ? "0" : "w";
    struct upper u = upper(b->name);

    text_add(t, "ivec3 %s_%s(int b, int h, %sint s) { return ", function, b->name, row ? "" : "int w, ");
    if (b->any_batch)
        text_add(t, "%s_SINGLE != 0 ? ivec3(s, b, 0) : ", u.s);
    if (!b->any_batch && gl_is_single_pixels(b->value->shape))
        text_add(t, "ivec3(s, b, 0); }\n");
    else if (!b->any_batch && b->shape.b == 1)
        text_add(t, "ivec3(%s, h, s); }\n", w);
    else
        text_add(t, "ivec3(%s, h, b * %s_S + s); }\n", w, u.s);
}

/* Makes of coordinate `i` what the map does of it; `axis` is it in capitals. */
static void map_axis(struct text *t, const char *name, const char *i, const char *axis, const struct ir_axis_map *m)
{
    if (m->before)
        text_add(t, "    %s -= %s_BEFORE_%s;\n", i, name, axis);
    for (int end = 0; end < 2 && m->mirrors; end++)
        text_add(t, m->twice ? "    %s = %s_LAST_%s - max(%s, ~%s);\n" : "    %s = %s_LAST_%s - abs(%s);\n", i, name, axis, i, i);
    if (m->shift)
        text_add(t, "    %s >>= %d;\n", i, (int)m->shift);
}

/* The number of a vector by the name `function`, of all its coordinates; of its row; or of its column, which is added to that of
 * the row. Of a view, see struct ir_view: _AT is the number of its first vec4. */
static void define_place(struct text *t, const struct gl_binding *b, const char *function, bool row, bool column)
{
    const struct ir_index_map *map = b->value->view.map;
    const struct upper u = upper(b->name);

    text_add(t, "int %s_%s(%s)\n{\n", function, b->name,
             !column ? "int b, int h, int s"
             : row   ? "int b, int h, int w, int s"
                     : "int w");
    if (b->value->view.blocks)
        text_add(t,
                 "    int block = s / %s_BLOCK_S;\n    s -= block * %s_BLOCK_S;\n    h = h * %s_BLOCK_H + block / %s_BLOCK_W;\n"
                 "    w = w * %s_BLOCK_W + block %% %s_BLOCK_W;\n",
                 u.s, u.s, u.s, u.s, u.s, u.s);
    if (map && row)
        map_axis(t, u.s, "h", "H", &map->h);
    if (map && column)
        map_axis(t, u.s, "w", "W", &map->w);
    text_add(t, "    return ");
    if (row && gl_is_placed(b->value))
        text_add(t, "%s_AT + ((b * %s_PITCH_S + s) * %s_PITCH_H + h) * %s_PITCH_W", u.s, u.s, u.s, u.s);
    else if (row && b->shape.b == 1 && !b->any_batch)
        text_add(t, "(s * %s_H + h) * %s_W", u.s, u.s);
    else if (row)
        text_add(t, "((b * %s_S + s) * %s_H + h) * %s_W", u.s, u.s, u.s);
    text_add(t, "%s;\n}\n", !column ? "" : row ? " + w" : "w");
}

static void define_index(struct text *t, const struct gl_binding *b)
{
    if (b->value->storage == GL_STORAGE_TEXTURE)
        define_texel(t, b, "index", false);
    else
        define_place(t, b, "index", true, true);
}

static void define_element(struct text *t, const struct gl_binding *b, const char *function, const char *args, const char *index)
{
    const struct gl_format_row *f = &gl_formats[b->format];

    if (b->through == GL_THROUGH_TEXTURE)
        text_add(t, "%s %s_%s(%s) { %svec4 t = texelFetch(%s_data, %s, 0); return %s; }\n", f->vec, function, b->name, args,
                 gl_texels[b->format].units, b->name, index, gl_texels[b->format].load);
    else if (b->through == GL_THROUGH_COPY)
        text_add(t, "%s %s_%s(%s) { %svec4 t = texelFetch(%s_data, ivec3(%s & %d, %s >> %d, 0), 0); return %s; }\n", f->vec,
                 function, b->name, args, gl_texels[b->format].units, b->name, index, GL_COPY_WIDTH - 1, index, GL_COPY_SHIFT,
                 gl_texels[b->format].load);
    else if (b->through == GL_THROUGH_IMAGE || b->through == GL_THROUGH_TEXEL)
        text_add(t, "%s %s_%s(%s) { return %s(%s(%s_data, %s)); }\n", f->vec, function, b->name, args, f->vec,
                 b->through == GL_THROUGH_IMAGE ? "imageLoad" : "texelFetch", b->name, index);
    else if (b->through == GL_THROUGH_UNIFORM && f->bytes == 8)
        text_add(t, "%s %s_%s(%s) { uvec4 two = %s_data[%s >> 1]; uvec2 t = (%s & 1) != 0 ? two.zw : two.xy; return %s; }\n",
                 f->vec, function, b->name, args, b->name, index, index, f->load);
    else if (b->through == GL_THROUGH_UNIFORM && f->bytes == 4)
        text_add(t, "%s %s_%s(%s) { int t = int(%s_data[%s >> 2][%s & 3]); return %s; }\n", f->vec, function, b->name, args,
                 b->name, index, index, f->load);
    else
        text_add(t, "%s %s_%s(%s) { %s t = %s_data[%s]; return %s; }\n", f->vec, function, b->name, args, f->element, b->name,
                 index, f->load);
}

/* A function that is NaN, or as good as that, where `outside` holds, else what any_... of the same name and arguments gives. */
static void define_guard(struct text *t, const struct gl_binding *b, const char *function, const char *args, const char *type,
                         const char *outside)
{
    text_add(t, "%s %s_%s(%s)\n{\n    if (%s)\n        return %s;\n    return any_%s_%s(", type, function, b->name, args, outside,
             *type == 'i' ? "ivec4(0x7fffffff)" : "vec4(intBitsToFloat(0x7fc00000))", function, b->name);
    for (const char *a = args; *a; a++) /* the names: what follows types */
        if (!strncmp(a, "int ", 4) || !strncmp(a, "ivec3 ", 6))
            a += strcspn(a, " ");
        else
            text_bytes(t, a, 1);
    text_add(t, ");\n}\n");
}

/* Compilers know which of the four textures it is where `k` is a literal. */
static void define_four(struct text *t, const struct gl_binding *b, const char *function)
{
    const char *vec = gl_formats[b->format].vec, *units = gl_texels[b->format].units, *name = b->name;

    text_add(t,
             "%s %s_%s(int i, int k)\n{\n    ivec3 at = ivec3(i >> 2 & %d, i >> %d, 0);\n"
             "    %svec4 t = k < 2 ? k < 1 ? texelFetch(%s_data0, at, 0) : texelFetch(%s_data1, at, 0)\n"
             "                    : k < 3 ? texelFetch(%s_data2, at, 0) : texelFetch(%s_data3, at, 0);\n    return %s;\n}\n"
             "%s %s_%s(int i) { return %s_%s(i, i & 3); }\n",
             vec, function, name, GL_COPY_WIDTH - 1, GL_COPY_SHIFT + 2, units, name, name, name, name, gl_texels[b->format].load,
             vec, function, name, function, name);
}

static void define_weights(struct text *t, const struct gl_binding *b, const char *function, const char *type, bool checked)
{
    char any[16], outside[48];

    const bool bytes = b->bind == GL_BIND_WEIGHTS && b->format == GL_FORMAT_INT8, four = b->through == GL_THROUGH_FOUR;

    snprintf(any, sizeof any, "%s%s", checked ? "any_" : "", function);
    if (four)
        define_four(t, b, bytes ? "bytes" : any);
    else
        define_element(t, b, bytes ? "bytes" : any, "int i", "i");
    if (bytes)
        text_add(t, "vec4 %s_%s(int i) { return vec4(bytes_%s(i)); }\n", any, b->name, b->name);
    if (bytes && four)
        text_add(t, "vec4 %s_%s(int i, int k) { return vec4(bytes_%s(i, k)); }\n", any, b->name, b->name);
    snprintf(outside, sizeof outside, "i < 0 || i >= %zu", b->n);
    if (checked)
        define_guard(t, b, function, "int i", type, outside);
    if (checked && four)
        text_add(t, "vec4 %s_%s(int i, int k) { return %s_%s(i + k); }\n", function, b->name, function, b->name);
}

static void define_loadr(struct text *t, const struct gl_binding *b, const char *type, bool checked)
{
    const bool texels = b->value->storage == GL_STORAGE_TEXTURE;
    const char *row = gl_row_type(b), *args = texels ? "ivec3 row, int w" : "int row, int w";
    const struct upper u = upper(b->name);

    define_place(t, b, checked ? "any_column" : "column", false, true);
    if (texels)
        define_texel(t, b, checked ? "any_row" : "row", true);
    else
        define_place(t, b, checked ? "any_row" : "row", true, false);
    define_element(t, b, checked ? "any_loadr" : "loadr", args, texels ? "(row + ivec3(w, 0, 0))" : "(row + w)");
    if (!checked)
        return;
    text_add(t,
             "%s row_%s(int b, int h, int s) { return b < 0 || b >= %s_B || h < 0 || h >= %s_H || s < 0 || s >= %s_S ? %s(-1) : "
             "any_row_%s(b, h, s); }\nint column_%s(int w) { return w < 0 || w >= %s_W ? -1 : any_column_%s(w); }\n",
             row, b->name, u.s, u.s, u.s, row, b->name, b->name, u.s, b->name);
    define_guard(t, b, "loadr", args, type, texels ? "row.x < 0 || w < 0" : "row < 0 || w < 0");
}

/* Of four pixels, as kernels_gl/ops/resize_bilinear.comp makes it, to the bit where there is `precise`. */
static const char blend_text[] = "vec4 %s_%s(int b, int h, int w, int s)\n{\n"
                                 "    highp vec2 to = vec2(w, h);\n"
                                 "    PRECISE highp vec2 at = (to + %s_CENTER) * vec2(%s_SCALE_W, %s_SCALE_H) - %s_CENTER;\n"
                                 "    ivec2 last = ivec2(%s_LAST_W, %s_LAST_H), i = clamp(ivec2(floor(at)), ivec2(0), last);\n"
                                 "    ivec2 j = clamp(ivec2(ceil(at)), ivec2(0), last);\n"
                                 "    vec2 along = at - vec2(i);\n"
                                 "    PRECISE vec4 v = pixel_%s(b, i.y, i.x, s) * (1.0 - along.y) * (1.0 - along.x) +\n"
                                 "                     pixel_%s(b, j.y, i.x, s) * along.y * (1.0 - along.x) +\n"
                                 "                     pixel_%s(b, i.y, j.x, s) * (1.0 - along.y) * along.x +\n"
                                 "                     pixel_%s(b, j.y, j.x, s) * along.y * along.x;\n"
                                 "    return v;\n}\n";
static const char blend_rows[] = "ivec3 row_%s(int b, int h, int s) { return ivec3(b, h, s); }\n"
                                 "int column_%s(int w) { return w; }\n"
                                 "vec4 loadr_%s(ivec3 row, int w) { return load_%s(row.x, row.y, w, row.z); }\n";

static void define_blend(struct text *t, const struct gl_binding *b, const char *function)
{
    const struct upper u = upper(b->name);

    text_add(t, blend_text, function, b->name, u.s, u.s, u.s, u.s, u.s, u.s, b->name, b->name, b->name, b->name);
}

static void define_load(struct text *t, const struct gl_binding *b, const char *type, bool checked)
{
    static const char args[] = "int b, int h, int w, int s";
    struct upper u = upper(b->name);
    char index[80], outside[320];

    snprintf(index, sizeof index, "index_%s(b, h, w, s)", b->name);
    define_element(t, b, b->value->view.blend ? "pixel" : checked ? "any_load" : "load", args, index);
    if (b->value->view.blend)
        define_blend(t, b, checked ? "any_load" : "load");
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

/* The same where the batch may be among the rows and pixels, too: the text does not tell their extents. */
static void define_loadb_any(struct text *t, const struct gl_binding *b, struct ir_shape y)
{
    struct upper u = upper(b->name);

    text_add(
        t,
        "%s loadb_%s(int b, int h, int w, int s) { return load_%s(min(b, %s_B - 1), min(h, %s_H - 1), min(w, %s_W - 1), %s)%s; "
        "}\n",
        vec_type(b->value), b->name, b->name, u.s, u.s, u.s, broadcast(b->shape.c, y.c, "s"),
        b->shape.c == 1 && y.c > 1 ? ".xxxx" : "");
}

static bool is_shorter(int32_t mine, int32_t theirs)
{
    return mine > 1 && mine < theirs;
}

/* The same of a value with fewer rows or pixels, which are zero where it has none. */
static void define_loadb_shorter(struct text *t, const struct gl_binding *b, struct ir_shape y)
{
    const char *type = vec_type(b->value);
    const struct ir_shape x = b->shape;
    struct upper u = upper(b->name);

    text_add(t, "%s loadb_%s(int b, int h, int w, int s)\n{\n    bool has = true", type, b->name);
    if (is_shorter(x.h, y.h))
        text_add(t, " && h < %s_H", u.s);
    if (is_shorter(x.w, y.w))
        text_add(t, " && w < %s_W", u.s);
    if (is_shorter(x.c, y.c))
        text_add(t, " && s < %s_S", u.s);
    text_add(t, ";\n    return mix(%s(0), %s(load_%s(%s, min(h, %s_H - 1), min(w, %s_W - 1), min(s, %s_S - 1))", type, type,
             b->name, broadcast(x.b, y.b, "b"), u.s, u.s, u.s);
    if (b->value->view.lane)
        text_add(t, "[%s_LANE]", u.s);
    else if (x.c == 1 && y.c > 1)
        text_add(t, ".xxxx");
    text_add(t, "), bvec4(has));\n}\n");
}

static void define_loadb(struct text *t, const struct gl_binding *b, struct ir_shape y)
{
    const char *type = vec_type(b->value), *batch = broadcast(b->shape.b, y.b, "b");
    const struct ir_shape x = b->shape;
    const bool less = x.c > 1 && x.c < y.c;
    struct upper u = upper(b->name);

    if (!b->any_batch && (is_shorter(x.h, y.h) || is_shorter(x.w, y.w))) {
        define_loadb_shorter(t, b, y);
        return;
    }
    if (b->any_batch)
        define_loadb_any(t, b, y);
    else if (x.c > 1) /* of any extents, zeros behind its last channel */
        text_add(t,
                 "%s%s loadb_%s(int b, int h, int w, int s) { return mix(%s(0), load_%s(%s, min(h, %s_H - 1), min(w, %s_W - 1), "
                 "min(s, %s_S - 1)), bvec4(s < %s_S)); }\n",
                 less ? "" : GL_LEFT_OUT, type, b->name, type, b->name, batch, u.s, u.s, u.s, u.s);
    if (b->value->view.lane)
        text_add(t, "%s loadb_%s(int b, int h, int w, int s) { return %s(load_%s(%s, %s, %s, 0)[%s_LANE]); }\n", type, b->name,
                 type, b->name, batch, broadcast(x.h, y.h, "h"), broadcast(x.w, y.w, "w"), u.s);
    else if (!b->any_batch && !less)
        text_add(t, "%s%s loadb_%s(int b, int h, int w, int s) { return load_%s(%s, %s, %s, %s)%s; }\n", x.c > 1 ? GL_INSTEAD : "",
                 type, b->name, b->name, batch, broadcast(x.h, y.h, "h"), broadcast(x.w, y.w, "w"), broadcast(x.c, y.c, "s"),
                 x.c == 1 && y.c > 1 ? ".xxxx" : "");
}

/* Where lanes go both ways of a branch, reading what is not used costs less. */
static const char branching_loadz[] = "%s loadz_%s(int b, int h, int w, int s)\n{\n"
                                      "    if (h < 0 || h >= %s_H || w < 0 || w >= %s_W)\n        return %s(0);\n"
                                      "    return load_%s(b, h, w, s);\n}\n";
static const char plain_loadz[] = "%s loadz_%s(int b, int h, int w, int s)\n{\n"
                                  "    ivec2 i = ivec2(min(max(h, 0), %s_H - 1), min(max(w, 0), %s_W - 1));\n"
                                  "    return mix(%s(0), load_%s(b, i.x, i.y, s), bvec4(i == ivec2(h, w)));\n}\n";

static void define_loads(struct text *t, const struct gl_binding *b, struct ir_shape y, bool checked, bool branches)
{
    const uint32_t by_row = 1u << ACCESS_ROWTYPE | 1u << ACCESS_ROW | 1u << ACCESS_COLUMN | 1u << ACCESS_LOADR;
    const bool blends = b->value->view.blend, reads_rows = b->used >> ACCESS_LOADR & 1;
    const char *type = vec_type(b->value);
    struct upper u = upper(b->name);

    if (reads_rows && !blends)
        define_loadr(t, b, type, checked);
    if (b->used & ~by_row || (reads_rows && blends)) {
        define_index(t, b);
        define_load(t, b, type, checked);
    }
    if (reads_rows && blends)
        text_add(t, blend_rows, b->name, b->name, b->name, b->name);
    if (b->used >> ACCESS_LOADZ & 1)
        text_add(t, branches ? branching_loadz : plain_loadz, type, b->name, u.s, u.s, type, b->name);
    if (b->used >> ACCESS_LOADB & 1)
        define_loadb(t, b, y);
    if (b->used >> ACCESS_LOADC & 1)
        text_add(t, "%s loadc_%s(int b, int h, int w, int c) { return load_%s(b, h, w, c >> 2)[c & 3]; }\n",
                 b->value->type == IR_INT ? "int" : "float", b->name, b->name);
}

/* ---- elements in host order ---- */

/* One row per type: what is made of word `t`, of whose elements it is number `k`, and the word that is made of v. */
static const struct host_row {
    enum tensor_type type;
    const char *element, *load; /* GLSL: int or float; t and k to one */
    const char *words, *store;  /* of what v is, and v to the word */
} host_rows[] = {
    {TYPE_INT8, "int", "bitfieldExtract(int(t), 8 * k, 8)", "ivec4", "uint(v.x | v.y << 8 | v.z << 16 | v.w << 24)"},
    {TYPE_UINT8, "int", "int(t >> uint(8 * k) & 255u)", "ivec4", "uint(v.x | v.y << 8 | v.z << 16 | v.w << 24)"},
    {TYPE_BOOL, "int", "int(t >> uint(8 * k) & 255u)", "ivec4", "uint(v.x | v.y << 8 | v.z << 16 | v.w << 24)"},
    {TYPE_INT16, "int", "bitfieldExtract(int(t), 16 * k, 16)", "ivec2", "uint((v.x & 65535) | v.y << 16)"},
    {TYPE_UINT16, "int", "int(t >> uint(16 * k) & 65535u)", "ivec2", "uint((v.x & 65535) | v.y << 16)"},
    {TYPE_FLOAT16, "float", "unpackHalf2x16(t >> uint(16 * k)).x", "vec2", "packHalf2x16(v)"},
    {TYPE_BFLOAT16, "float", "uintBitsToFloat(t >> uint(16 * k) << 16)", "vec2",
     "floatBitsToUint(v.x) >> 16 | (floatBitsToUint(v.y) & 0xffff0000u)"},
    {TYPE_FLOAT32, "float", "uintBitsToFloat(t)", "float", "floatBitsToUint(v)"},
    {TYPE_INT32, "int", "int(t)", "int", "uint(v)"},
    {TYPE_UINT32, "int", "int(t)", "int", "uint(v)"},
};

static void define_host(struct text *t, const struct gl_binding *b)
{
    const int per_word = 32 / (int)type_bits(b->host_type);
    const struct host_row *r = host_rows, *end = r + sizeof host_rows / sizeof *host_rows;

    while (r < end && r->type != b->host_type)
        r++;
    if (b->used >> ACCESS_HOST & 1 && r < end)
        text_add(t, "%s host_%s(int i) { uint t = %s_data[i / %d]; int k = i %% %d; return %s; }\n", r->element, b->name, b->name,
                 per_word, per_word, r->load);
    if (b->used >> ACCESS_HOST_STORE & 1 && b->host_type == TYPE_INT64)
        text_add(t, "void host_store_%s(int i, int v) { %s_data[2 * i] = uint(v); %s_data[2 * i + 1] = uint(v >> 31); }\n", b->name,
                 b->name, b->name);
    else if (b->used >> ACCESS_HOST_STORE & 1 && r < end)
        text_add(t, "void host_store_%s(int i, %s v) { %s_data[i] = %s; }\n", b->name, r->words, b->name, r->store);
}

/* ---- stores ---- */

/* Of a vector, whose channels the batch is among, too. */
static bool may_end_anywhere(const struct gl_binding *b)
{
    return b->any_batch && b->value->tensor && b->value->tensor->rank <= 1;
}

static void define_store(struct gl_shader *p, struct text *t, const struct gl_binding *b)
{
    const bool first = p->op && b->value == p->op->out;
    const char *final = vec_type(b->value);
    struct upper u = upper(b->name);

    if (!b->read_back)
        define_index(t, b);
    if (first)
        gl_define_epilogues(p, t);
    if (p->failed) /* what an epilogue reads may not be bound */
        return;
    text_add(t, "void store_%s(int b, int h, int w, int s, %s v0)\n{\n", b->name, first ? gl_vec(p->op->stores) : final);
    if (first)
        gl_apply_epilogues(p, t, final);
    else
        text_add(t, "    %s v = v0;\n", final);
    text_add(t, "%s    v = mix(%s(0), v, lessThan(4 * s + ivec4(0, 1, 2, 3), ivec4(%s_C)));\n",
             b->shape.c % 4 || may_end_anywhere(b) ? "" : GL_LEFT_OUT, final, u.s);
    if (b->through == GL_THROUGH_STORE)
        text_add(t, "    imageStore(%s_data, index_%s(b, h, w, s), %s);\n}\n", b->name, b->name, gl_texels[b->format].store);
    else
        text_add(t, "    %s_data[index_%s(b, h, w, s)] = %s;\n}\n", b->name, b->name, gl_formats[b->format].store);
}

void gl_define_access(struct gl_shader *p, struct text *t)
{
    struct ir_shape y = p->op ? gl_bound_shape(p, p->op->out) : (struct ir_shape){1, 1, 1, 1};
    const bool checked = p->limits->policy.check_reads;

    for (uint32_t i = 0; i < p->n_bind; i++) {
        const struct gl_binding *b = &p->bind[i];

        declare(t, b, p->limits);
        if (b->bind == GL_BIND_INPUT || b->read_back)
            define_loads(t, b, y, checked, !p->limits->policy.straight_code);
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
