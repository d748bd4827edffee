/* SPDX-License-Identifier: Apache-2.0 */
/* input_files.c - one reader for each end of a path. */
#include "cmd/input/input_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/host/files.h"
#include "cmd/input/strings.h"
#include "lib/tensor/npy.h"
#include "lib/tensor/real_values.h"

#define STRING_FILE_MAX ((size_t)1 << 28)

/* Beyond the bytes of the tensor: an array of another shape is told by its shape, not by its size. */
#define NPY_FILE_SLACK ((size_t)1 << 28)

static enum status fill_raw(struct session *s, uint32_t i, const char *path, struct err *err)
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

/* Strings of a fixed length, padded with zeros, become strings that end with one. */
static enum status fill_strings(struct session *s, uint32_t i, const struct npy *a, const char *path, struct err *err)
{
    char *fixed = malloc(a->elems * a->item_bytes + 1), *text = malloc(a->elems * (a->item_bytes + (size_t)1) + 1);
    enum status st = ST_OK;
    size_t n = 0;

    if (!fixed || !text)
        st = err_set(err, ST_NOMEM, "%s: out of memory for %zu strings", path, a->elems);
    else
        npy_copy(a, fixed);
    for (size_t k = 0; !st && k < a->elems; k++) {
        size_t length = a->item_bytes;

        while (length && !fixed[k * a->item_bytes + length - 1])
            length--;
        memcpy(text + n, fixed + k * a->item_bytes, length);
        n += length;
        text[n++] = '\0';
    }
    if (!st)
        st = strings_set(s, i, text, n, path, err);
    free(fixed);
    free(text);
    return st;
}

/* Real numbers for a quantized input. */
static enum status fill_quantized(const struct npy *a, const char *path, const struct tensor *t, struct input_read *out,
                                  struct err *err)
{
    struct tensor real = {.name = path, .type = TYPE_FLOAT32};
    enum status st = tensor_set_shape(&real, t->dim, t->rank, err);

    if (st)
        return st;
    if (!(real.data = malloc(real.bytes + 1)))
        return err_set(err, ST_NOMEM, "%s: out of memory for %zu bytes", path, real.bytes);
    real.name = t->name;
    if (!(st = npy_to_tensor(a, path, &real, err)))
        st = real_convert(&real, t, &out->cut, err);
    snprintf(out->text, sizeof out->text, "array of FLOAT32, quantized by scale %g and zero point %lld", t->quant.scale[0],
             (long long)t->quant.zero_point[0]);
    free(real.data);
    return st;
}

/* An array [N,2,3] for a tensor [2,3] or [1,2,3] has N samples. */
static bool is_several(const struct npy *a, const struct tensor *t)
{
    const int32_t more = a->rank - t->rank;

    if (a->rank < 1 || a->dim[0] < 1 || (more == 0 && (t->dim[0] != 1 || a->dim[0] == 1)) || (more != 0 && more != 1))
        return false;
    for (int32_t k = 1; k < a->rank; k++)
        if (a->dim[k] != t->dim[k - more])
            return false;
    return true;
}

/* Makes an array of several samples one of them. */
static enum status take_sample(struct npy *a, const struct tensor *t, uint64_t sample, const char *path, struct err *err)
{
    const uint32_t n = is_several(a, t) ? (uint32_t)a->dim[0] : 1;

    if (!is_several(a, t))
        return ST_OK;
    if (a->fortran)
        return err_set(err, ST_USAGE, "%s: %u samples in Fortran order; numpy.ascontiguousarray makes them rows", path, n);
    a->elems /= n;
    a->data += sample % n * a->elems * a->item_bytes;
    a->rank = t->rank;
    memcpy(a->dim, t->dim, sizeof a->dim);
    return ST_OK;
}

/* Into input i of the session, or into another tensor, which is no input then and takes no strings: s is NULL. */
static enum status fill_npy(struct session *s, uint32_t i, const struct tensor *t, const char *path, uint64_t sample,
                            struct input_read *out, struct err *err)
{
    enum status st;
    struct npy a;
    size_t bytes;
    void *file;

    *out = (struct input_read){0};
    if ((st = file_read_all(path, 8 * t->bytes + NPY_FILE_SLACK, &file, &bytes, err)))
        return st;
    if (!(st = npy_parse(file, bytes, path, &a, err)) && !(st = take_sample(&a, t, sample, path, err))) {
        if (s && t->type == TYPE_STRING && a.type == TYPE_STRING)
            st = fill_strings(s, i, &a, path, err);
        else if (a.type == TYPE_FLOAT32 && real_is_quantized(t))
            st = fill_quantized(&a, path, t, out, err);
        else
            st = npy_to_tensor(&a, path, t, err);
    }
    free(file);
    return st;
}

enum status input_array_fill(const struct tensor *t, const char *path, uint64_t sample, struct input_read *out, struct err *err)
{
    return fill_npy(NULL, 0, t, path, sample, out, err);
}

static enum status fill_image(const struct tensor *t, const char *path, const struct image_options *images, struct input_read *out,
                              struct err *err)
{
    struct image im;
    enum status st = image_open(path, &im, err);

    if (st)
        return st;
    st = image_to_tensor(&im, images, path, t, out->text, &out->cut, err);
    image_free(&im);
    return st;
}

enum status input_file_fill(struct session *s, uint32_t i, const char *path, uint64_t sample, const struct image_options *images,
                            struct input_read *out, struct err *err)
{
    *out = (struct input_read){0};
    if (file_ends_in(path, ".npy"))
        return fill_npy(s, i, session_input(s, i), path, sample, out, err);
    if (image_named(path))
        return fill_image(session_input(s, i), path, images, out, err);
    return fill_raw(s, i, path, err);
}

/* Every dimension that is not open is t's. */
static bool is_open_to(const struct tensor *t, const struct npy *a)
{
    bool differs = false;

    if (a->rank != t->rank || (int32_t)t->n_signature != t->rank)
        return false;
    for (int32_t i = 0; i < t->rank; i++) {
        if (t->signature[i] != -1 && a->dim[i] != t->dim[i])
            return false;
        differs |= a->dim[i] != t->dim[i];
    }
    return differs;
}

uint32_t input_file_samples(const char *path, const struct tensor *t)
{
    struct err ignored;
    struct npy a;
    size_t bytes;
    uint32_t n;
    void *file;

    if (!file_ends_in(path, ".npy") || file_read_all(path, 8 * t->bytes + NPY_FILE_SLACK, &file, &bytes, &ignored))
        return 1;
    n = !npy_parse(file, bytes, path, &a, &ignored) && is_several(&a, t) ? (uint32_t)a.dim[0] : 1;
    free(file);
    return n;
}

bool input_file_reshapes(const char *path, const struct tensor *t, int32_t dim[TENSOR_MAX_RANK])
{
    struct err ignored;
    bool reshapes;
    struct npy a;
    size_t bytes;
    void *file;

    if (!file_ends_in(path, ".npy") || !t->signature || file_read_all(path, NPY_FILE_SLACK, &file, &bytes, &ignored))
        return false;
    reshapes = !npy_parse(file, bytes, path, &a, &ignored) && is_open_to(t, &a);
    if (reshapes)
        memcpy(dim, a.dim, sizeof a.dim);
    free(file);
    return reshapes;
}

enum status input_file_in_dir(const char *dir, uint32_t i, char path[PATH_MAX], struct err *err)
{
    static const char *const endings[] = {"bin", "npy", "png", "jpg", "jpeg", "bmp", "ppm", "pgm", "pnm"};
    const char *found = NULL;

    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        if (snprintf(path, PATH_MAX, "%s/input_%u.%s", dir, i, endings[k]) >= PATH_MAX)
            return err_set(err, ST_USAGE, "--input_dir: the path is longer than %d bytes", PATH_MAX);
        if (access(path, F_OK))
            continue;
        if (found)
            return err_set(err, ST_USAGE, "--input_dir: %s and input_%u.%s are both there for input %u", path, i, found, i);
        found = endings[k];
    }
    snprintf(path, PATH_MAX, "%s/input_%u.%s", dir, i, found ? found : endings[0]);
    return ST_OK;
}
