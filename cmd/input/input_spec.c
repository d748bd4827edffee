/* SPDX-License-Identifier: Apache-2.0 */
/* input_spec.c - splits the flags at their separators; `::` is a colon. */
#include "cmd/input/input_spec.h"

#include <string.h>

#include "lib/base/flag.h"

/* Cuts the text before the next single `sep` (a doubled colon is a colon of the name) out of *rest, which then points behind
 * it, or becomes NULL at the end. NULL when memory runs out. */
static char *next_piece(const char **rest, char sep, struct arena *a)
{
    const char *s = flag_skip_blanks(*rest);
    char *piece = arena_alloc(a, strlen(s) + 1, 1);
    size_t n = 0;

    if (!piece)
        return NULL;
    while (*s && (*s != sep || (sep == ':' && s[1] == ':'))) {
        if (s[0] == ':' && s[1] == ':')
            s++;
        piece[n++] = *s++;
    }
    *rest = *s ? s + 1 : NULL;
    return piece;
}

static uint32_t count_pieces(const char *text)
{
    uint32_t n = 1;

    for (; *text; text++)
        n += *text == ',' || *text == ':';
    return n;
}

static enum status no_memory(struct err *err)
{
    return err_set(err, ST_NOMEM, "out of memory for the description of the inputs");
}

static enum status parse_dims(const char *text, struct input_shape *s, struct arena *a, struct err *err)
{
    for (const char *rest = text; rest;) {
        char *piece = next_piece(&rest, ',', a);
        int64_t v;

        if (!piece)
            return no_memory(err);
        if (!flag_read_int(piece, 0, INT32_MAX, &v))
            return err_set(err, ST_USAGE, "--input_layer_shape: '%.60s' in '%.100s' is no dimension from 0 to %d", piece, text,
                           INT32_MAX);
        if (s->rank == TENSOR_MAX_RANK)
            return err_set(err, ST_USAGE, "--input_layer_shape: '%.100s' has more than %d dimensions", text, TENSOR_MAX_RANK);
        s->dim[s->rank++] = (int32_t)v;
    }
    return ST_OK;
}

static enum status parse_shapes(const char *layers, const char *shapes, struct arena *a, struct input_spec *out, struct err *err)
{
    uint32_t n_names = 0;
    enum status st = ST_OK;

    if (!*shapes)
        return *layers ? err_set(err, ST_USAGE, "--input_layer needs --input_layer_shape, with one shape for each name") : ST_OK;
    if (!*layers)
        return err_set(err, ST_USAGE, "--input_layer_shape needs --input_layer, with one name for each shape");
    if (!(out->shapes = ARENA_ARRAY(a, count_pieces(layers) + count_pieces(shapes), struct input_shape)))
        return no_memory(err);
    for (const char *rest = layers; rest; n_names++)
        if (!(out->shapes[n_names].name = next_piece(&rest, ',', a)))
            return no_memory(err);
    for (const char *rest = shapes; rest && !st; out->n_shapes++) {
        char *piece = next_piece(&rest, ':', a);

        st = piece ? parse_dims(piece, &out->shapes[out->n_shapes], a, err) : no_memory(err);
    }
    if (!st && out->n_shapes != n_names)
        st = err_set(err, ST_USAGE, "--input_layer has %u names, --input_layer_shape %u shapes", n_names, out->n_shapes);
    return st;
}

static enum status parse_ranges(const char *text, struct arena *a, struct input_spec *out, struct err *err)
{
    if (!*text)
        return ST_OK;
    if (!(out->ranges = ARENA_ARRAY(a, count_pieces(text), struct input_values)))
        return no_memory(err);
    for (const char *rest = text; rest; out->n_ranges++) {
        struct input_values *v = &out->ranges[out->n_ranges];
        char *piece = next_piece(&rest, ':', a), *hi, *lo;

        if (!piece)
            return no_memory(err);
        /* From the end: a name may hold commas, numbers cannot. */
        hi = strrchr(piece, ',');
        if (hi)
            *hi++ = '\0';
        lo = hi ? strrchr(piece, ',') : NULL;
        if (!lo || lo == piece)
            return err_set(err, ST_USAGE, "--input_layer_value_range: '%.100s' is not NAME,LOW,HIGH", piece);
        *lo++ = '\0';
        *v = (struct input_values){.name = piece, .lo = flag_skip_blanks(lo), .hi = flag_skip_blanks(hi)};
    }
    return ST_OK;
}

static enum status parse_files(const char *text, struct arena *a, struct input_spec *out, struct err *err)
{
    if (!*text)
        return ST_OK;
    if (!(out->files = ARENA_ARRAY(a, count_pieces(text), struct input_values)))
        return no_memory(err);
    for (const char *rest = text; rest; out->n_files++) {
        struct input_values *v = &out->files[out->n_files];
        const char *start = rest;

        if (!(v->name = next_piece(&rest, ':', a)))
            return no_memory(err);
        if (!rest || !*v->name)
            return err_set(err, ST_USAGE, "--input_layer_value_files: '%.100s' is not NAME:PATH", start);
        if (!(v->path = next_piece(&rest, ',', a)))
            return no_memory(err);
    }
    return ST_OK;
}

/* gauss, uniform, zeros or a constant, which is read when the input's type is known. */
static void read_kind(const char *kind, struct input_values *v)
{
    v->draws = !strcmp(kind, "uniform") || !strcmp(kind, "gauss");
    v->shape = !strcmp(kind, "gauss") ? RNG_GAUSS : RNG_UNIFORM;
    v->lo = v->hi = !strcmp(kind, "zeros") ? "0" : kind;
}

static enum status parse_fills(const char *text, struct arena *a, struct input_spec *out, struct err *err)
{
    if (!*text)
        return ST_OK;
    if (!(out->fills = ARENA_ARRAY(a, count_pieces(text), struct input_values)))
        return no_memory(err);
    for (const char *rest = text; rest; out->n_fills++) {
        struct input_values *v = &out->fills[out->n_fills];
        char *piece = next_piece(&rest, ':', a), *comma;
        double number;

        if (!piece)
            return no_memory(err);
        comma = strrchr(piece, ',');
        if (comma ? comma == piece : rest || out->n_fills)
            return err_set(err, ST_USAGE, "--input_fill: '%.100s' is not NAME,KIND", piece);
        if (comma) {
            *comma++ = '\0';
            v->name = piece;
        }
        read_kind(comma ? flag_skip_blanks(comma) : piece, v);
        if (!v->draws && !flag_read_double(v->lo, &number))
            return err_set(err, ST_USAGE, "--input_fill: '%.100s' is neither gauss, uniform, zeros nor a number", v->lo);
    }
    return ST_OK;
}

enum status input_spec_parse(const struct input_texts *texts, struct arena *a, struct input_spec *out, struct err *err)
{
    enum status st;

    *out = (struct input_spec){0};
    if ((st = parse_shapes(texts->layers, texts->shapes, a, out, err)) || (st = parse_ranges(texts->ranges, a, out, err)) ||
        (st = parse_files(texts->files, a, out, err)))
        return st;
    return parse_fills(texts->fills, a, out, err);
}
