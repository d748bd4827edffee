/* SPDX-License-Identifier: Apache-2.0 */
/* inputs.c - finds the tensors that flags name, and fills them. */
#include "cmd/input/inputs.h"

#include <ctype.h>
#include <dirent.h>
#include <float.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/host/say.h"
#include "cmd/input/image_input.h"
#include "cmd/input/input_files.h"
#include "cmd/input/strings.h"
#include "lib/base/arena.h"
#include "lib/base/err.h"

/* ---- a folder with a folder for each sample: DIR/cat/input_0.png, DIR/dog/input_0.png ---- */

enum { MOST_SAMPLES = 100000 };

static bool has_input(const char *dir)
{
    char path[PATH_MAX];
    struct err ignored;

    return input_file_in_dir(dir, 0, path, &ignored) != ST_OK || !access(path, F_OK);
}

/* Numbers within names by their value. */
static int by_name(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;

    while (*x && *y) {
        if (isdigit((unsigned char)*x) && isdigit((unsigned char)*y)) {
            char *end_x, *end_y;
            const unsigned long long m = strtoull(x, &end_x, 10), n = strtoull(y, &end_y, 10);

            if (m != n)
                return m < n ? -1 : 1;
            x = end_x;
            y = end_y;
        } else if (*x != *y) {
            break;
        } else {
            x++;
            y++;
        }
    }
    return (unsigned char)*x - (unsigned char)*y;
}

static enum status add(const char *path, struct arena *a, const char ***list, uint32_t *n, uint32_t *room, struct err *err)
{
    const char **more;

    if (*n == MOST_SAMPLES)
        return err_set(err, ST_USAGE, "--input_dir: there are more than %d folders of samples", MOST_SAMPLES);
    if (*n == *room) {
        *room = *room ? 2 * *room : 64;
        if (!(more = ARENA_ARRAY(a, *room, const char *)))
            return err_set(err, ST_NOMEM, "out of memory for %u samples", *room);
        if (*n)
            memcpy(more, *list, *n * sizeof *more);
        *list = more;
    }
    if (!((*list)[(*n)++] = arena_strdup(a, path)))
        return err_set(err, ST_NOMEM, "out of memory for a path");
    return ST_OK;
}

/* List the folders in `dir` that have a file for input 0, in the order of their names, numbers by value ("2" before "10"), as paths
 * in the arena. None if `dir` has such a file itself, or cannot be read. Fails with ST_USAGE for more than 100,000, and with
 * ST_NOMEM. */
static enum status samples_find(const char *dir, struct arena *a, const char ***out, uint32_t *n, struct err *err)
{
    const struct dirent *entry;
    enum status st = ST_OK;
    uint32_t room = 0;
    DIR *d;

    *out = NULL;
    *n = 0;
    if (!*dir || has_input(dir) || !(d = opendir(dir)))
        return ST_OK;
    while (!st && (entry = readdir(d))) {
        char path[PATH_MAX];

        if (*entry->d_name != '.' && snprintf(path, sizeof path, "%s/%s", dir, entry->d_name) < PATH_MAX && has_input(path))
            st = add(path, a, out, n, &room, err);
    }
    closedir(d);
    if (!st && *n)
        qsort(*out, *n, sizeof **out, by_name);
    return st;
}

/* ---- tensors that flags name ---- */

#define FLAG_OPTIONS struct input_flags
#define ROW          FLAG_ROW

const struct flag input_flag_table[] = {
    ROW(INPUT, "seed", FLAG_TAKES_INT(INT32_MIN, INT32_MAX), seed, "1", "Seed",
        "Seed the random inputs; the same seed gives the same bytes on every machine."),
    ROW(INPUT, "input_layer", FLAG_TAKES_TEXT, layers, "", "Input layers", "Name inputs that get another shape: NAME,NAME."),
    ROW(INPUT, "input_layer_shape", FLAG_TAKES_TEXT, shapes, "", "Input shapes",
        "Give the inputs of --input_layer these shapes: 1,224,224,3:1,10."),
    ROW(INPUT, "input_layer_value_range", FLAG_TAKES_TEXT, ranges, "", "Input value ranges",
        "Bound the random values of inputs, both ends inclusive: NAME,LOW,HIGH:NAME,LOW,HIGH (write a colon in a name as ::). "
        "By default integers keep to the ranges of the operators that read them."),
    ROW(INPUT, "input_layer_value_files", FLAG_READS_NAMED, files, "", "Input value files",
        "Read inputs from files: NAME:PATH,NAME:PATH (write a colon in a name as ::). The end of the path selects arrays "
        "(.npy) and images (.png .jpg .bmp .ppm .pgm); all other files are raw bytes."),
    ROW(INPUT, "input_dir", FLAG_READS_PATH, dir, "", "Input directory",
        "Read inputs from this folder: the i-th from input_<i>.bin (raw bytes), input_<i>.npy, or an image of that name."),
    ROW(INPUT, "input_fill", FLAG_TAKES_TEXT, fills, "", "Input fill",
        "Fill inputs without a file with gauss, uniform, zeros or a constant, as it is stored; one input each: "
        "NAME,KIND:NAME,KIND."),
    ROW(INPUT, "input_mean", FLAG_TAKES_TEXT, mean, "", "Input mean",
        "Normalize images: a pixel p becomes (p - mean) / std; one number, or one per channel: 124,117,104. Without this flag "
        "and --input_std floats get (p - 127.5) / 127.5, UINT8 inputs p and INT8 inputs p - 128."),
    ROW(INPUT, "input_std", FLAG_TAKES_TEXT, std, "", "Input std",
        "Divide pixels of images by this, after subtracting --input_mean; 1 if only --input_mean is given."),
    ROW(INPUT, "input_from_metadata", FLAG_TAKES_BOOL, from_metadata, "false", "Input from metadata",
        "Normalize images as the model's metadata (TFLITE_METADATA) say, if the input holds floats; 8-bit inputs get pixels."),
    ROW(INPUT, "image_resize", FLAG_TAKES_WORD("bilinear", "nearest", "none"), image_resize, "bilinear", "Image resize",
        "Resize images to the input's size: bilinear (between the centers of pixels), nearest, or none (fail on another size)."),
    ROW(INPUT, "image_layout", FLAG_TAKES_WORD("auto", "nhwc", "nchw"), image_layout, "auto", "Image layout",
        "Place the channels of images last (nhwc) or first (nchw); auto: last if the input's last dimension is 1, 3 or 4."),
    ROW(INPUT, "image_channels", FLAG_TAKES_WORD("rgb", "bgr"), image_channels, "rgb", "Image channels",
        "Order the channels of images as rgb or bgr."),
    {0},
};

enum status inputs_init(struct inputs *in, const struct input_flags *flags, enum rng_shape shape, struct err *err)
{
    struct input_texts texts = {flags->layers, flags->shapes, flags->ranges, flags->files, flags->fills};
    struct image_options *o = &in->images;
    enum status st;

    *in = (struct inputs){.flags = flags, .shape = shape};
    if (*flags->dir && *flags->files)
        return err_set(err, ST_USAGE, "--input_dir and --input_layer_value_files exclude each other");
    if (*flags->dir && *flags->fills)
        return err_set(err, ST_USAGE, "--input_dir and --input_fill exclude each other");
    if (flags->from_metadata && (*flags->mean || *flags->std))
        return err_set(err, ST_USAGE, "--input_from_metadata and --%s exclude each other",
                       *flags->mean ? "input_mean" : "input_std");
    *o = (struct image_options){.resize = flags->image_resize, .layout = flags->image_layout, .bgr = flags->image_channels == 1};
    if ((st = image_read_numbers("input_mean", flags->mean, false, o->mean, &o->n_mean, err)) ||
        (st = image_read_numbers("input_std", flags->std, true, o->std, &o->n_std, err)))
        return st;
    if (!(in->told = ARENA_NEW(&in->arena, bool)))
        return err_set(err, ST_NOMEM, "out of memory for the description of the inputs");
    if ((st = samples_find(flags->dir, &in->arena, &in->samples, &in->n_samples, err)))
        return st;
    return input_spec_parse(&texts, &in->arena, &in->spec, err);
}

/* The folder with the inputs of a run. */
static const char *dir_of(const struct inputs *in, uint64_t run)
{
    return in->n_samples ? in->samples[run % in->n_samples] : in->flags->dir;
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

static const struct input_values *values_of(const struct input_values *list, uint32_t n, const struct tensor *t,
                                            const struct graph *g)
{
    for (uint32_t k = 0; k < n; k++)
        if (list[k].name && is_called(t, g, list[k].name))
            return &list[k];
    return NULL;
}

/* What --input_fill says of the tensor; NULL: nothing, or another flag says more. */
static const struct input_values *fill_of(const struct input_spec *spec, const struct tensor *t, const struct graph *g)
{
    if (values_of(spec->files, spec->n_files, t, g) || t->type == TYPE_STRING)
        return NULL;
    if (spec->n_fills && !spec->fills[0].name)
        return spec->fills[0].draws || !values_of(spec->ranges, spec->n_ranges, t, g) ? &spec->fills[0] : NULL;
    return values_of(spec->fills, spec->n_fills, t, g);
}

/* An input that is named in a fill must not be given something else too. */
static enum status check_fill(const struct input_spec *spec, const struct tensor *t, const struct graph *g,
                              const struct input_values *fill, struct err *err)
{
    if (t->type == TYPE_STRING)
        return err_set(err, ST_USAGE, "--input_fill: '%.100s' is of type STRING; give a file", fill->name);
    if (values_of(spec->files, spec->n_files, t, g))
        return err_set(err, ST_USAGE, "--input_fill: '%.100s' has a file by --input_layer_value_files", fill->name);
    if (!fill->draws && values_of(spec->ranges, spec->n_ranges, t, g))
        return err_set(err, ST_USAGE, "--input_fill: '%.100s' is a constant, and has a range by --input_layer_value_range",
                       fill->name);
    return ST_OK;
}

static bool is_shape_given(const struct input_spec *spec, const struct tensor *t, const struct graph *g)
{
    for (uint32_t k = 0; k < spec->n_shapes; k++)
        if (is_called(t, g, spec->shapes[k].name))
            return true;
    return false;
}

/* What the file leaves open the array says, where no flag does. */
static enum status take_shapes(const struct inputs *in, struct session *s, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < session_n_inputs(s) && !st; i++) {
        const struct tensor *t = session_input(s, i);
        const struct input_values *file = values_of(in->spec.files, in->spec.n_files, t, session_graph(s));
        int32_t dim[TENSOR_MAX_RANK];
        char path[PATH_MAX] = "";

        if (is_shape_given(&in->spec, t, session_graph(s)))
            continue;
        if (*in->flags->dir)
            st = input_file_in_dir(dir_of(in, 0), i, path, err);
        if (!st && (*path || file) && input_file_reshapes(*path ? path : file->path, t, dim))
            st = session_resize_input(s, i, dim, t->rank, err);
    }
    return st;
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
    for (uint32_t k = 0; k < spec->n_fills && !st; k++)
        if (spec->fills[k].name && !(st = find_input(s, "input_fill", spec->fills[k].name, &i, err)))
            st = check_fill(spec, session_input(s, i), session_graph(s), &spec->fills[k], err);
    return st ? st : take_shapes(in, s, err);
}

static double largest_float(enum tensor_type type)
{
    if (type == TYPE_FLOAT16)
        return 65504;
    return type == TYPE_FLOAT64 || type == TYPE_COMPLEX128 ? DBL_MAX : FLT_MAX;
}

static enum status read_float_range(const char *flag, const struct input_values *v, const struct tensor *t, struct rng_range *out,
                                    struct err *err)
{
    double max = largest_float(t->type);

    if (flag_read_double(v->lo, &out->lo) && flag_read_double(v->hi, &out->hi) && -max <= out->lo && out->lo <= out->hi &&
        out->hi <= max)
        return ST_OK;
    return err_set(err, ST_USAGE,
                   "--%s: '%.40s' to '%.40s' is no range of numbers within %g to %g, which %s input '%.100s' can hold", flag, v->lo,
                   v->hi, -max, max, type_name(t->type), t->name);
}

static enum status read_range(const char *flag, const struct input_values *v, const struct tensor *t, struct rng_range *out,
                              struct err *err)
{
    int64_t lo, hi;

    if (!rng_type_limits(t->type, &lo, &hi))
        return read_float_range(flag, v, t, out, err);
    if (!flag_read_int(v->lo, lo, hi, &out->int_lo) || !flag_read_int(v->hi, lo, hi, &out->int_hi) || out->int_lo > out->int_hi)
        return err_set(err, ST_USAGE,
                       "--%s: '%.40s' to '%.40s' is no range of whole numbers within %lld to %lld, which %s input '%.100s' can "
                       "hold",
                       flag, v->lo, v->hi, (long long)lo, (long long)hi, type_name(t->type), t->name);
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
    const struct input_values *v = values_of(in->spec.ranges, in->spec.n_ranges, t, g), *fill = fill_of(&in->spec, t, g);
    enum rng_shape shape = fill && fill->draws ? fill->shape : in->shape;
    struct rng_range range;
    enum status st;

    if (!rng_default_range(t->type, shape, &range))
        return err_set(err, ST_UNSUPPORTED, "input '%.100s' is of type %s, for which there is no random content; give a file",
                       t->name, type_name(t->type));
    if (fill && !fill->draws)
        st = read_range("input_fill", fill, t, &range, err);
    else
        st = v ? read_range("input_layer_value_range", v, t, &range, err) : range_of_readers(g, t, &range, err);
    return st ? st : rng_fill(rng, t, shape, &range, err);
}

static enum status fill_from_file(const struct inputs *in, struct session *s, uint32_t i, const char *path, uint64_t run,
                                  struct err *err)
{
    const struct graph *g = session_graph(s);
    struct image_options images = in->images;
    struct input_read read;
    char name[96];
    enum status st;

    if (in->flags->from_metadata && image_named(path) &&
        (st = image_metadata(g->model, g->subgraph, i, session_input(s, i), &images, err)))
        return st;
    if ((st = input_file_fill(s, i, path, run, &images, &read, err)) || *in->told)
        return st;
    say_clean(session_input(s, i)->name, name, sizeof name);
    if (*read.text)
        say_info("Input '%s' %s: %s, %s", name, TENSOR_TEXT(session_input(s, i)), path, read.text);
    if (read.cut)
        say_warn("input '%s': %zu of %zu numbers of %s are beyond what its quantization holds, and were cut to it", name, read.cut,
                 tensor_elems(session_input(s, i)), path);
    return ST_OK;
}

static enum status fill_one(const struct inputs *in, struct session *s, uint32_t i, uint64_t run, struct rng *rng, struct err *err)
{
    const struct graph *g = session_graph(s);
    struct tensor *t = session_input(s, i);
    const struct input_values *file = values_of(in->spec.files, in->spec.n_files, t, g);
    char path[PATH_MAX];
    enum status st;

    if (*in->flags->dir) {
        if ((st = input_file_in_dir(dir_of(in, run), i, path, err)))
            return st;
        return fill_from_file(in, s, i, path, run, err);
    }
    if (file)
        return fill_from_file(in, s, i, file->path, run, err);
    return t->type == TYPE_STRING ? strings_set_default(s, i, err) : fill_random(in, g, t, rng, err);
}

const char *inputs_image_flag(const struct input_flags *f)
{
    return *f->mean            ? "input_mean"
           : *f->std           ? "input_std"
           : f->from_metadata  ? "input_from_metadata"
           : f->image_resize   ? "image_resize"
           : f->image_layout   ? "image_layout"
           : f->image_channels ? "image_channels"
                               : NULL;
}

/* ST_USAGE where flags are about images, and no input is one. */
static enum status check_images(const struct inputs *in, const struct session *s, struct err *err)
{
    const char *flag = inputs_image_flag(in->flags);
    char path[PATH_MAX];
    enum status st;

    for (uint32_t i = 0; flag && i < session_n_inputs(s); i++) {
        const struct input_values *file = values_of(in->spec.files, in->spec.n_files, session_input(s, i), session_graph(s));

        if (*in->flags->dir && (st = input_file_in_dir(dir_of(in, 0), i, path, err)))
            return st;
        if (image_named(*in->flags->dir ? path : file ? file->path : ""))
            return ST_OK;
    }
    return flag ? err_set(err, ST_USAGE, "--%s is about images, and no input gets one", flag) : ST_OK;
}

enum status inputs_fill(const struct inputs *in, struct session *s, uint64_t run, struct err *err)
{
    uint32_t n = session_n_inputs(s);
    enum status st = *in->told ? ST_OK : check_images(in, s, err);

    for (uint32_t i = 0; i < n && !st; i++) {
        struct rng rng = rng_seed((uint64_t)in->flags->seed, run * n + i);

        st = fill_one(in, s, i, run, &rng, err);
    }
    *in->told |= !st;
    return st;
}

enum status inputs_samples(const struct inputs *in, const struct session *s, uint32_t *n, struct err *err)
{
    uint32_t found = 1;

    *n = 0;
    for (uint32_t i = 0; i < session_n_inputs(s); i++) {
        const struct tensor *t = session_input(s, i);
        const struct input_values *file = values_of(in->spec.files, in->spec.n_files, t, session_graph(s));
        char path[PATH_MAX];
        enum status st = *in->flags->dir ? input_file_in_dir(dir_of(in, 0), i, path, err) : ST_OK;
        uint32_t own;

        if (st)
            return st;
        if (!*in->flags->dir && !file)
            return ST_OK;
        own = input_file_samples(*in->flags->dir ? path : file->path, t);
        if (found > 1 && own > 1 && own != found)
            return err_set(err, ST_USAGE, "input '%.100s' has %u samples, and one before it %u", t->name, own, found);
        found = own > found ? own : found;
    }
    *n = in->n_samples ? in->n_samples : found;
    return ST_OK;
}

/* Whether no flag says which integers the input holds. */
static bool is_left_to_chance(const struct inputs *in, const struct tensor *t, const struct graph *g)
{
    const struct input_values *fill = fill_of(&in->spec, t, g);

    return !*in->flags->dir && !values_of(in->spec.files, in->spec.n_files, t, g) &&
           !values_of(in->spec.ranges, in->spec.n_ranges, t, g) && (!fill || fill->draws);
}

enum status inputs_chosen_range(const struct inputs *in, const struct session *s, uint32_t i, struct index_range *out,
                                struct err *err)
{
    const struct graph *g = session_graph(s);
    const struct tensor *t = session_input(s, i);
    enum status st;

    *out = (struct index_range){0};
    if (!is_left_to_chance(in, t, g))
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

    for (uint32_t i = 0; i < session_n_inputs(s); i++) {
        const struct tensor *t = session_input(s, i);

        if (type_bits(t->type) >= 32 && !strncmp(type_name(t->type), "INT", 3) && is_left_to_chance(in, t, g))
            return true;
    }
    return false;
}
