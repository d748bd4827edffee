/* SPDX-License-Identifier: Apache-2.0 */
/* inputs.c - finding the tensor that a flag means, and filling it. */
#include "inputs.h"

#include <float.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "strings.h"

#define STRING_FILE_MAX ((size_t)1 << 28)

#define ROW(flag_name, takes, field, def, echo, text)                                                                              \
    {                                                                                                                              \
        .name = flag_name, takes, .offset = offsetof(struct input_flags, field), .value = def, .label = echo, .help = text         \
    }

const struct flag input_flag_table[] = {
    ROW("seed", FLAG_TAKES_INT(INT32_MIN, INT32_MAX), seed, "1", "Seed",
        "Of random inputs; the same seed gives the same bytes on every machine."),
    ROW("input_layer", FLAG_TAKES_TEXT, layers, "", "Input layers", "Names of inputs that get another shape: NAME,NAME."),
    ROW("input_layer_shape", FLAG_TAKES_TEXT, shapes, "", "Input shapes", "Their shapes: 1,224,224,3:1,10."),
    ROW("input_layer_value_range", FLAG_TAKES_TEXT, ranges, "", "Input value ranges",
        "Bounds of random content, both inclusive: NAME,LOW,HIGH:NAME,LOW,HIGH (a colon in a name is written ::). Without them "
        "integers keep to what the operators that read them allow."),
    ROW("input_layer_value_files", FLAG_TAKES_TEXT, files, "", "Input value files",
        "Raw bytes of inputs: NAME:PATH,NAME:PATH (a colon in a name is written ::)."),
    ROW("input_dir", FLAG_TAKES_TEXT, dir, "", "Input directory", "Folder with input_<i>.bin, the raw bytes of the i-th input."),
    {0},
};

enum status inputs_init(struct inputs *in, const struct input_flags *flags, enum rng_shape shape, struct err *err)
{
    *in = (struct inputs){.flags = flags, .shape = shape};
    if (*flags->dir && *flags->files)
        return err_set(err, ST_USAGE, "--input_dir and --input_layer_value_files exclude each other");
    return input_spec_parse(flags->layers, flags->shapes, flags->ranges, flags->files, &in->arena, &in->spec, err);
}

void inputs_fini(struct inputs *in)
{
    arena_free(&in->arena);
}

/* The tensor behind a signature's name for an input, or -1. */
static int64_t signature_tensor(const struct graph *g, const char *name)
{
    const struct model *m = g->model;

    for (uint32_t i = 0; i < m->n_signatures; i++)
        for (uint32_t k = 0; m->signatures[i].subgraph == g->subgraph && k < m->signatures[i].n_inputs; k++)
            if (!strcmp(m->signatures[i].input_names[k], name))
                return m->signatures[i].input_tensors[k];
    return -1;
}

static bool is_called(const struct tensor *t, const struct graph *g, const char *name)
{
    return !strcmp(t->name, name) || signature_tensor(g, name) == t->index;
}

/* Every name in a flag must be that of an input: a misspelt one would leave the input to chance. */
static enum status find_input(const struct session *s, const char *flag, const char *name, uint32_t *out, struct err *err)
{
    uint32_t n = session_n_inputs(s);

    for (*out = 0; *out < n; ++*out)
        if (is_called(session_input(s, *out), session_graph(s), name))
            return ST_OK;
    if (!n)
        return err_set(err, ST_USAGE, "--%s: the model has no inputs, so none is called '%.100s'", flag, name);
    return err_set(err, ST_USAGE, "--%s: no input is called '%.100s'; the first of %u is '%.100s'", flag, name, n,
                   session_input(s, 0)->name);
}

enum status inputs_resize(const struct inputs *in, struct session *s, struct err *err)
{
    const struct input_spec *spec = &in->spec;
    enum status st = ST_OK;
    uint32_t i;

    for (uint32_t k = 0; k < spec->n_shapes && !st; k++)
        if (!(st = find_input(s, "input_layer", spec->shapes[k].name, &i, err)))
            st = session_resize_input(s, i, spec->shapes[k].dim, spec->shapes[k].rank, err);
    for (uint32_t k = 0; k < spec->n_ranges && !st; k++)
        st = find_input(s, "input_layer_value_range", spec->ranges[k].name, &i, err);
    for (uint32_t k = 0; k < spec->n_files && !st; k++)
        st = find_input(s, "input_layer_value_files", spec->files[k].name, &i, err);
    return st;
}

static const struct input_values *values_of(const struct input_values *list, uint32_t n, const struct tensor *t,
                                            const struct graph *g)
{
    for (uint32_t k = 0; k < n; k++)
        if (is_called(t, g, list[k].name))
            return &list[k];
    return NULL;
}

static double largest_float(enum tensor_type type)
{
    if (type == TYPE_FLOAT16)
        return 65504;
    return type == TYPE_FLOAT64 || type == TYPE_COMPLEX128 ? DBL_MAX : FLT_MAX;
}

static enum status read_float_range(const struct input_values *v, const struct tensor *t, struct rng_range *out, struct err *err)
{
    double max = largest_float(t->type);

    if (flag_read_double(v->lo, &out->lo) && flag_read_double(v->hi, &out->hi) && -max <= out->lo && out->lo <= out->hi &&
        out->hi <= max)
        return ST_OK;
    return err_set(err, ST_USAGE,
                   "--input_layer_value_range: '%.40s' to '%.40s' is no range of numbers within %g to %g, which %s input "
                   "'%.100s' can hold",
                   v->lo, v->hi, -max, max, type_name(t->type), t->name);
}

static enum status read_range(const struct input_values *v, const struct tensor *t, struct rng_range *out, struct err *err)
{
    int64_t lo, hi;

    if (!rng_type_limits(t->type, &lo, &hi))
        return read_float_range(v, t, out, err);
    if (!flag_read_int(v->lo, lo, hi, &out->int_lo) || !flag_read_int(v->hi, lo, hi, &out->int_hi) || out->int_lo > out->int_hi)
        return err_set(err, ST_USAGE,
                       "--input_layer_value_range: '%.40s' to '%.40s' is no range of whole numbers within %lld to %lld, "
                       "which %s input '%.100s' can hold",
                       v->lo, v->hi, (long long)lo, (long long)hi, type_name(t->type), t->name);
    return ST_OK;
}

/* Within what the type holds; a table longer than that has rows which no index of this type can name. */
static bool limited(const struct index_range *of, const struct tensor *t, int64_t *lo, int64_t *hi)
{
    int64_t least, most;

    if (!of->node || !rng_type_limits(t->type, &least, &most) || of->lo > most || of->hi < least)
        return false;
    *lo = of->lo > least ? of->lo : least;
    *hi = of->hi < most ? of->hi : most;
    return true;
}

static enum status range_of_readers(const struct graph *g, const struct tensor *t, struct rng_range *range, struct err *err)
{
    struct index_range of;
    enum status st = index_range_find(g, t, &of, err);

    if (!st)
        limited(&of, t, &range->int_lo, &range->int_hi);
    return st;
}

static enum status fill_random(const struct inputs *in, const struct graph *g, const struct tensor *t, struct rng *rng,
                               struct err *err)
{
    const struct input_values *v = values_of(in->spec.ranges, in->spec.n_ranges, t, g);
    struct rng_range range;
    enum status st;

    if (!rng_default_range(t->type, in->shape, &range))
        return err_set(err, ST_UNSUPPORTED, "input '%.100s' is of type %s, for which there is no random content; give a file",
                       t->name, type_name(t->type));
    if (v && (st = read_range(v, t, &range, err)))
        return st;
    if (!v && (st = range_of_readers(g, t, &range, err)))
        return st;
    return rng_fill(rng, t, in->shape, &range, err);
}

/* Files give raw bytes; only a string tensor takes as many as there are. */
static enum status fill_from_file(struct session *s, uint32_t i, const char *path, struct err *err)
{
    struct tensor *t = session_input(s, i);
    enum status st;
    size_t bytes;
    void *data;

    if (t->type != TYPE_STRING) {
        if ((st = file_read_exact(path, t->data, t->bytes, err)) || !(st = tensor_check_bools(t, err)))
            return st;
        return err_prefix(err, st, "%s", path);
    }
    if ((st = file_read_all(path, STRING_FILE_MAX, &data, &bytes, err)))
        return st;
    st = strings_set(s, i, data, bytes, path, err);
    free(data);
    return st;
}

static enum status fill_one(const struct inputs *in, struct session *s, uint32_t i, struct rng *rng, struct err *err)
{
    const struct graph *g = session_graph(s);
    struct tensor *t = session_input(s, i);
    const struct input_values *file = values_of(in->spec.files, in->spec.n_files, t, g);
    char path[PATH_MAX];

    if (*in->flags->dir) {
        if (snprintf(path, sizeof path, "%s/input_%u.bin", in->flags->dir, i) >= (int)sizeof path)
            return err_set(err, ST_USAGE, "--input_dir: the path is longer than %d bytes", PATH_MAX);
        return fill_from_file(s, i, path, err);
    }
    if (file)
        return fill_from_file(s, i, file->path, err);
    return t->type == TYPE_STRING ? strings_set_default(s, i, err) : fill_random(in, g, t, rng, err);
}

enum status inputs_fill(const struct inputs *in, struct session *s, uint64_t run, struct err *err)
{
    uint32_t n = session_n_inputs(s);
    enum status st = ST_OK;

    for (uint32_t i = 0; i < n && !st; i++) {
        struct rng rng = rng_seed((uint64_t)in->flags->seed, run * n + i);

        st = fill_one(in, s, i, &rng, err);
    }
    return st;
}

enum status inputs_chosen_range(const struct inputs *in, const struct session *s, uint32_t i, struct index_range *out,
                                struct err *err)
{
    const struct graph *g = session_graph(s);
    const struct tensor *t = session_input(s, i);
    enum status st;

    *out = (struct index_range){0};
    if (*in->flags->dir || values_of(in->spec.files, in->spec.n_files, t, g) || values_of(in->spec.ranges, in->spec.n_ranges, t, g))
        return ST_OK;
    if ((st = index_range_find(g, t, out, err)))
        return st;
    if (!limited(out, t, &out->lo, &out->hi))
        out->node = NULL;
    return ST_OK;
}

bool inputs_random_integers(const struct inputs *in, const struct session *s)
{
    const struct graph *g = session_graph(s);

    for (uint32_t i = 0; i < session_n_inputs(s) && !*in->flags->dir; i++) {
        const struct tensor *t = session_input(s, i);

        if (type_bits(t->type) >= 32 && !strncmp(type_name(t->type), "INT", 3) &&
            !values_of(in->spec.files, in->spec.n_files, t, g) && !values_of(in->spec.ranges, in->spec.n_ranges, t, g))
            return true;
    }
    return false;
}
