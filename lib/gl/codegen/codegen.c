/* SPDX-License-Identifier: Apache-2.0 */
/* codegen.c - from a template and its bindings to a shader.
 *
 * GLSL has no token pasting, so LOAD(x, ...) of the template is rewritten here into load_x(...), and the functions that it
 * uses are written before it: layout, precision and fused epilogues live in them alone. */
#include "lib/gl/codegen/access.h"

#include <ctype.h>
#include <string.h>

static const char *const keywords[ACCESSES] = {"LOAD",  "LOADZ", "LOADB", "LOADC", "ROWTYPE", "ROW",       "COLUMN",
                                               "LOADR", "LOADW", "LOADI", "STORE", "HOST",    "HOST_STORE"};
static const char *const prefixes[ACCESSES] = {"load",  "loadz", "loadb", "loadc", "rowtype", "row",       "column",
                                               "loadr", "loadw", "loadi", "store", "host",    "host_store"};

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
    for (int k = 0; k < ACCESSES; k++) {
        size_t length = word_length(name);
        struct gl_binding *b;

        if (strlen(keywords[k]) != n || memcmp(keywords[k], s, n) || !(b = find_binding(p, name, length)))
            continue;
        b->used |= 1u << k;
        name += length;
        if (k == ACCESS_ROWTYPE) {
            text_add(out, "%s", gl_row_type(b));
            return name + (*name == ')');
        }
        text_add(out, "%s_%s(", prefixes[k], b->name);
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

/* ---- grid, the whole ---- */

static const char *main_of(const char *source)
{
    return strstr(source, "void main");
}

static bool has_main(const struct gl_shader *p)
{
    return main_of(p->source) != NULL;
}

/* Each main() of the template, for #if may choose among several, begins with READ_UNIFORMS: where code is straight, numbers are
 * globals that nothing else sets. Asked for on every device, for the one that a kernel is written on may not need it. */
static enum status check_mains(const struct gl_shader *p, struct err *err)
{
    static const char word[] = "READ_UNIFORMS";

    for (const char *s = main_of(p->source); s; s = main_of(s)) {
        s += strcspn(s, "{");
        s += *s == '{';
        s += strspn(s, " \n");
        if (word_length(s) != sizeof word - 1 || memcmp(s, word, sizeof word - 1))
            return err_set(err, ST_FAILED, "main() of the template does not begin with READ_UNIFORMS: numbers could be read unset");
    }
    return ST_OK;
}

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

/* Where lanes lie along x, rows and columns are one dimension, and slices and batches with them where these are not too many, so
 * that vectors of lanes are full whatever the image's size; the shader finds them again. Where these are too many and the image is
 * less than a workgroup, one has some of each. Up to this many invocations a quotient of floats will do: (i + 0.5) / w is farther
 * from any whole number than the 2.5 units in the last place that a division may be off. */
#define MOST_IN_LINE (1 << 20)

/* Starting a workgroup costs as much as some hundred invocations of a simple shader, compiling a program more than running it: one
 * size of workgroups, for layers of all sizes to share programs. */
#define LINE_GROUP 64

static void line_group(struct gl_shader *p, int32_t extent[3])
{
    const int64_t image = (int64_t)extent[0] * extent[1], all = image <= MOST_IN_LINE ? image * extent[2] : image;
    const int64_t n = all <= MOST_IN_LINE ? all : image;

    if (n > MOST_IN_LINE || (n < LINE_GROUP && n < all) || p->limits->group_invocations < LINE_GROUP)
        return;
    p->in_line = n == all ? 3 : 2;
    extent[0] = (int32_t)n;
    extent[1] = 1;
    if (n == all)
        extent[2] = 1;
    gl_group(p, LINE_GROUP, 1);
}

/* The shapes that tuning tries, by gl_pick.group. */
static const uint16_t shapes[GL_GROUPS][3] = {{0},       {8, 8, 1},   {4, 4, 4}, {64, 1, 1}, {8, 4, 1},
                                              {4, 4, 8}, {16, 16, 1}, {8, 8, 4}, {32, 1, 1}};

/* Of no more than covers the grid; false where the device has no such workgroups. */
static bool pick_group(struct gl_shader *p, const int32_t extent[3])
{
    const struct gl_limits *l = p->limits;
    uint32_t all = 1;

    for (int i = 0; i < 3; i++) {
        if (shapes[p->pick.group][i] > l->group_size[i])
            return false;
        p->group[i] = cover(extent[i], shapes[p->pick.group][i]);
        all *= p->group[i];
    }
    return all <= l->group_invocations;
}

/* Powers of two that cover the grid, widest along w. */
static void choose_group(struct gl_shader *p, int32_t extent[3])
{
    const struct gl_limits *l = p->limits;
    uint32_t left = least(l->group_invocations, 64);

    if (p->array_stores && l->policy.even_stores) {
        p->group[0] = p->group[1] = p->group[2] = 1;
        return;
    }
    if (p->pick.group && !l->policy.any_batch && (p->group_picked = pick_group(p, extent)))
        return;
    p->group[0] = cover(extent[0], least(least(left, l->group_size[0]), 16));
    left /= p->group[0];
    p->group[1] = cover(extent[1], least(left, l->group_size[1]));
    left /= p->group[1];
    p->group[2] = cover(extent[2], least(left, l->group_size[2]));
    if (l->policy.row_groups && !l->policy.any_batch && !has_main(p))
        line_group(p, extent);
    if (l->policy.any_batch) /* which of a tensor's axes the batch is among depends on its rank */
        gl_group(p, 16, 8);
}

static bool groups_fit(const struct gl_shader *p)
{
    for (int i = 0; i < 3; i++)
        if (p->groups[i] > p->limits->group_count[i])
            return false;
    return true;
}

/* The number of a workgroup is an int in the shader, and so are those of some that are started beyond the last one. */
#define MOST_SPREAD (1u << 30)

/* Where one dimension of the grid has more workgroups than may be started along it, those of all dimensions are numbered and lie
 * along x and y: in as few rows as there have to be, so that fewer than that many are started in vain. A grid that is too large
 * even so stays, for gl_shader_fits to refuse. */
static void spread(struct gl_shader *p)
{
    const uint32_t *count = p->limits->group_count;
    uint64_t n = (uint64_t)p->groups[0] * p->groups[1], rows;

    if (groups_fit(p) || __builtin_mul_overflow(n, (uint64_t)p->groups[2], &n) || n > MOST_SPREAD ||
        n > (uint64_t)count[0] * count[1])
        return;
    rows = (n - 1) / count[0] + 1;
    p->spread = true;
    gl_param(p, "GROUPS_W", (int32_t)p->groups[0]);
    gl_param(p, "GROUPS_H", (int32_t)p->groups[1]);
    p->groups[0] = (uint32_t)((n + rows - 1) / rows);
    p->groups[1] = (uint32_t)rows;
    p->groups[2] = 1;
    gl_param(p, "GROUPS_IN_ROW", (int32_t)p->groups[0]);
}

static void choose_grid(struct gl_shader *p)
{
    int32_t extent[3] = {p->grid[0], p->grid[1], p->grid[2] * p->grid[3]};
    const bool fixed = p->group[0];

    if (!fixed)
        choose_group(p, extent);
    for (int i = 0; i < 3; i++)
        p->groups[i] = ((uint32_t)extent[i] + p->group[i] - 1) / p->group[i];
    if (!fixed)
        spread(p);
}

/* `precise` keeps compilers from turning a comparison and a choice into max(), which loses NaN. */
static void add_head(const struct gl_shader *p, struct text *t)
{
    const struct gl_limits *l = p->limits;
    char head[GL_HALF_HEAD];

    text_add(t, "#version 310 es\n");
    if (l->precise)
        text_add(t, "#extension GL_EXT_gpu_shader5 : require\n");
    if (l->image_reads)
        text_add(t, "#extension GL_EXT_texture_buffer : require\n");
    gl_half_head(l, p->halves, p->sum32, head);
    text_add(t, "#define PRECISE%s\n%sprecision highp int;\n", l->precise ? " precise" : "", head);
    text_add(t, "#define KEEP_NAN(r, a) %s\n",
             l->precise ? "r" : "mix(r, a, greaterThan(floatBitsToUint(a) & 0x7fffffffu, uvec4(0x7f800000u)))");
}

static const char in_place_text[] = "#define INVOCATION ivec3(gl_GlobalInvocationID)\n";
static const char spread_text[] = "ivec3 invocation()\n{\n"
                                  "    int n = int(gl_WorkGroupID.y) * GROUPS_IN_ROW + int(gl_WorkGroupID.x), row = n / GROUPS_W;\n"
                                  "    ivec3 group = ivec3(n - row * GROUPS_W, row % GROUPS_H, row / GROUPS_H);\n\n"
                                  "    return group * ivec3(gl_WorkGroupSize) + ivec3(gl_LocalInvocationID);\n}\n"
                                  "#define INVOCATION invocation()\n";
static const char main_text[] = "void main()\n{\n"
                                "    READ_UNIFORMS\n"
                                "    ivec3 g = INVOCATION;\n"
                                "%s%s"
                                "    if (g.x >= GRID_W || g.y >= GRID_H || g.z >= GRID_S * GRID_B)\n        return;\n"
                                "%s}\n";
static const char line_text[] = "    g.y = int((float(g.x) + 0.5) / float(GRID_W));\n    g.x -= g.y * GRID_W;\n";
static const char image_text[] =
    "    g.z = int((float(g.x) + 0.5) / float(GRID_W * GRID_H));\n    g.x -= g.z * (GRID_W * GRID_H);\n";

static void add_main(struct gl_shader *p, struct text *t)
{
    if (has_main(p))
        return;
    text_add(t, main_text, p->in_line == 3 ? image_text : "", p->in_line ? line_text : "",
             p->grid[3] == 1 && !p->limits->policy.any_batch
                 ? "    run(0, g.y, g.x, g.z);\n"
                 : "    int b = g.z / GRID_S;\n    run(b, g.y, g.x, g.z - b * GRID_S);\n");
}

/* Weights beyond the range of a half stay floats, bytes stay such, and what has other operands than halves is computed in 32 bits.
 */
static void choose_precision(struct gl_shader *p)
{
    for (uint32_t i = 0; i < p->n_bind; i++) {
        struct gl_binding *b = &p->bind[i];

        if (b->bind == GL_BIND_WEIGHTS && b->format == GL_FORMAT_FLOAT && p->half && gl_weights_fit_half(b))
            b->format = GL_FORMAT_HALF;
        if (b->bind != GL_BIND_TABLE && b->format != GL_FORMAT_HALF)
            p->halves = GL_FP16_NONE;
    }
}

/* The template, without those of its functions that an epilogue has brought already. */
static void add_body(const struct gl_shader *p, struct text *t, struct text *body)
{
    for (const struct ir_epilogue *e = p->op ? p->op->epilogue : NULL; e && !t->failed && !body->failed; e = e->next) {
        char *there = e->fn->helper ? strstr(body->s, e->fn->helper) : NULL;

        if (there && strstr(t->s, e->fn->helper)) {
            const size_t n = strlen(e->fn->helper);

            memmove(there, there + n, strlen(there + n) + 1);
            body->n -= n;
        }
    }
    text_bytes(t, body->s, body->n);
}

enum status gl_shader_finish(struct gl_shader *p, struct err *err)
{
    struct text body = {.arena = p->defines.arena}, t = body;
    const bool textless = !t.arena;
    enum status st = check_mains(p, err);

    if (st)
        return st;
    gl_param(p, "GRID_W", p->grid[0]);
    gl_param(p, "GRID_H", p->grid[1]);
    gl_param(p, "GRID_S", p->grid[2]);
    gl_param(p, "GRID_B", p->grid[3]);
    if (!textless)
        rewrite(p, &body);
    gl_bind_epilogues(p);
    choose_precision(p);
    choose_grid(p);
    add_head(p, &t);
    text_add(&t, "layout(local_size_x = %u, local_size_y = %u, local_size_z = %u) in;\n", p->group[0], p->group[1], p->group[2]);
    if (!gl_define_uniforms(p, &t))
        return ir_nomem(err);
    if (textless)
        return p->failed || p->defines.failed ? ir_nomem(err) : ST_OK;
    text_add(&t, "%s", p->spread ? spread_text : in_place_text);
    text_bytes(&t, p->defines.s, p->defines.n);
    gl_define_access(p, &t);
    add_body(p, &t, &body);
    add_main(p, &t);
    p->text = t.s;
    return p->failed || t.failed || body.failed || p->defines.failed ? ir_nomem(err) : ST_OK;
}
