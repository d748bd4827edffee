/* SPDX-License-Identifier: Apache-2.0 */
/* coco_files.c - lists grow while a file is read; ids become places in sorted lists afterwards. */
#include <stdlib.h>
#include <string.h>

#include "lib/eval/coco_files_impl.h"
#include "lib/eval/json_stream.h"

enum { MOST_CATEGORIES = 100000, MOST_ELEMENTS = 200000000, MOST_FILE_NAME = 1024 };

/* Room for one more element at the end; NULL and a fault if there is none. */
static void *append(struct coco_list *l, struct json_stream *s, size_t most, const char *what)
{
    void *end = l->n < most ? coco_list_add(l) : NULL;

    if (l->n >= most)
        json_stream_refuse(s, "more than %zu %s", l->n, what);
    else if (!end)
        json_stream_no_memory(s, l->n, what);
    return end;
}

void *coco_list_add(struct coco_list *l)
{
    if (l->n == l->room) {
        const size_t room = l->room ? 2 * l->room : 256;
        void *larger = realloc(l->v, room * l->size);

        if (!larger)
            return NULL;
        l->v = larger;
        l->room = room;
    }
    return memset((char *)l->v + l->n++ * l->size, 0, l->size);
}

static void read_box(struct json_stream *s, struct coco_boxed *to)
{
    double v[4] = {0};
    size_t n = 0;

    for (bool more = json_stream_list(s); more; more = json_stream_value(s), n++) {
        const double x = json_stream_number(s);

        if (n < 4)
            v[n] = x;
    }
    if (n != 4)
        json_stream_refuse(s, "\"bbox\" has %zu numbers, not 4", n);
    to->box = (struct coco_box){v[0], v[1], v[2], v[3]};
    to->has_box = true;
}

static void read_boxed(struct json_stream *s, struct coco_boxed *to)
{
    char key[JSON_STREAM_KEY];

    for (bool more = json_stream_object(s, key); more; more = json_stream_member(s, key)) {
        if (!strcmp(key, "id"))
            to->id = json_stream_integer(s), to->has_id = true;
        else if (!strcmp(key, "image_id"))
            to->image = json_stream_integer(s), to->has_image = true;
        else if (!strcmp(key, "category_id"))
            to->category = json_stream_integer(s), to->has_category = true;
        else if (!strcmp(key, "bbox"))
            read_box(s, to);
        else if (!strcmp(key, "area"))
            to->area = json_stream_number(s), to->has_area = true;
        else if (!strcmp(key, "score"))
            to->score = json_stream_number(s), to->has_score = true;
        else if (!strcmp(key, "iscrowd"))
            to->crowd = json_stream_flag(s);
        else
            json_stream_skip(s);
    }
}

/* The member that it lacks, or NULL. */
static const char *lacking(const struct coco_boxed *b, bool truth)
{
    const struct {
        const char *name;
        bool there;
    } needed[] = {{"id", b->has_id || !truth},
                  {"image_id", b->has_image},
                  {"category_id", b->has_category},
                  {"bbox", b->has_box},
                  {"score", b->has_score || truth}};

    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!needed[i].there)
            return needed[i].name;
    return NULL;
}

/* Reads a list of annotations or detections, each with what it needs. */
static void read_all_boxed(struct json_stream *s, struct coco_list *to, bool truths)
{
    const char *what = truths ? "annotation" : "detection";

    for (bool more = json_stream_list(s); more; more = json_stream_value(s)) {
        struct coco_boxed *b = append(to, s, MOST_ELEMENTS, truths ? "annotations" : "detections");
        const char *lacks;

        if (!b)
            return;
        read_boxed(s, b);
        if ((lacks = lacking(b, truths)))
            json_stream_refuse(s, "%s %zu has no \"%s\"", what, to->n - 1, lacks);
    }
}

static void read_category(struct json_stream *s, struct coco_category *to)
{
    char key[JSON_STREAM_KEY];
    bool has_id = false;

    for (bool more = json_stream_object(s, key); more; more = json_stream_member(s, key)) {
        if (!strcmp(key, "id"))
            to->id = json_stream_integer(s), has_id = true;
        else if (!strcmp(key, "name"))
            json_stream_text(s, to->name, sizeof to->name);
        else
            json_stream_skip(s);
    }
    if (!has_id)
        json_stream_refuse(s, "a category without \"id\"");
}

/* A side of an image in pixels; 0 for what is none. */
static uint32_t read_side(struct json_stream *s)
{
    const double side = json_stream_number(s);

    return side >= 1 && side < UINT32_MAX ? (uint32_t)side : 0;
}

static void read_image(struct json_stream *s, struct arena *a, struct coco_image *to)
{
    char key[JSON_STREAM_KEY], file[MOST_FILE_NAME];
    bool has_id = false;

    for (bool more = json_stream_object(s, key); more; more = json_stream_member(s, key)) {
        if (!strcmp(key, "id")) {
            to->id = json_stream_integer(s), has_id = true;
        } else if (!strcmp(key, "width")) {
            to->width = read_side(s);
        } else if (!strcmp(key, "height")) {
            to->height = read_side(s);
        } else if (!strcmp(key, "file_name")) {
            json_stream_text(s, file, sizeof file);
            if (!(to->file = arena_strdup(a, file)))
                json_stream_no_memory(s, 1, "names of images");
        } else {
            json_stream_skip(s);
        }
    }
    if (!has_id)
        json_stream_refuse(s, "an image without \"id\"");
}

static void read_images(struct json_stream *s, struct arena *a, struct coco_list *to)
{
    to->n = 0;
    for (bool more = json_stream_list(s); more; more = json_stream_value(s)) {
        struct coco_image *image = append(to, s, MOST_ELEMENTS, "images");

        if (!image)
            return;
        read_image(s, a, image);
    }
}

static void read_categories(struct json_stream *s, struct coco_list *to)
{
    to->n = 0;
    for (bool more = json_stream_list(s); more; more = json_stream_value(s)) {
        struct coco_category *category = append(to, s, MOST_CATEGORIES, "categories");

        if (!category)
            return;
        read_category(s, category);
    }
}

static void read_truth_lists(struct json_stream *s, struct arena *a, struct coco_lists *to)
{
    char key[JSON_STREAM_KEY];
    bool has_images = false, has_categories = false, has_annotations = false;

    for (bool more = json_stream_object(s, key); more; more = json_stream_member(s, key)) {
        if (!strcmp(key, "images")) {
            has_images = true;
            read_images(s, a, &to->images);
        } else if (!strcmp(key, "categories")) {
            has_categories = true;
            read_categories(s, &to->categories);
        } else if (!strcmp(key, "annotations")) {
            has_annotations = true;
            to->boxed.n = 0;
            read_all_boxed(s, &to->boxed, true);
        } else {
            json_stream_skip(s);
        }
    }
    if (!has_images || !has_categories || !has_annotations)
        json_stream_refuse(s, "no ground truth of COCO: there is no \"%s\"",
                           !has_images       ? "images"
                           : !has_categories ? "categories"
                                             : "annotations");
}

/* Images and categories begin with their ids. */
static int by_id(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Sorts elements by id; of those of one id one stays. */
static void sort_ids(struct coco_list *l)
{
    char *v = l->v;
    size_t n = 0;

    if (!l->n)
        return;
    qsort(v, l->n, l->size, by_id);
    for (size_t i = 0; i < l->n; i++) {
        if (n && !by_id(v + i * l->size, v + (n - 1) * l->size))
            n--;
        memmove(v + n++ * l->size, v + i * l->size, l->size);
    }
    l->n = n;
}

/* The place of an id in a sorted list of elements that begin with theirs; UINT32_MAX: it is not there. */
static uint32_t place_of(int64_t id, const void *list, size_t n, size_t size)
{
    const char *found = n ? bsearch(&id, list, n, size, by_id) : NULL;

    return found ? (uint32_t)((size_t)(found - (const char *)list) / size) : UINT32_MAX;
}

static int by_id_and_place(const void *a, const void *b)
{
    const struct coco_boxed *x = *(const struct coco_boxed *const *)a, *y = *(const struct coco_boxed *const *)b;

    return x->id != y->id ? (x->id > y->id) - (x->id < y->id) : (x > y) - (x < y);
}

static int by_image_and_place(const void *a, const void *b)
{
    const struct coco_boxed *x = *(const struct coco_boxed *const *)a, *y = *(const struct coco_boxed *const *)b;

    return x->image != y->image ? (x->image > y->image) - (x->image < y->image) : (x > y) - (x < y);
}

/* pycocotools keeps annotations by id, so that the last one of an id stands in the place of each. Writes these of all n to
 * last[n], which has room for pointers twice. */
static void find_last_of_ids(struct coco_boxed *all, size_t n, const struct coco_boxed **last, struct coco_data *out)
{
    const struct coco_boxed **sorted = last + n;

    for (size_t i = 0; i < n; i++)
        sorted[i] = &all[i];
    qsort(sorted, n, sizeof *sorted, by_id_and_place);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && sorted[end]->id == sorted[i]->id;)
            end++;
        out->truths_of_one_id += end - i > 1 ? end - i : 0;
        for (size_t k = i; k < end; k++)
            last[sorted[k] - all] = sorted[end - 1];
    }
}

/* Annotations as truths: by image, then in the order of the file; those of images and categories that are not listed drop out. */
static enum status make_truths(struct coco_lists *lists, struct coco_data *out, struct err *err)
{
    struct coco_boxed *all = lists->boxed.v;
    const size_t n = lists->boxed.n;
    struct coco_truth *truths = arena_alloc(&out->arena, n, sizeof *truths);
    const struct coco_boxed **last = calloc(2 * n + 1, sizeof *last), **sorted = last + n;
    size_t kept = 0;

    if (!truths || !last) {
        free(last);
        return err_set(err, ST_NOMEM, "out of memory for %zu annotations", n);
    }
    find_last_of_ids(all, n, last, out);
    for (size_t i = 0; i < n; i++)
        sorted[i] = &all[i];
    qsort(sorted, n, sizeof *sorted, by_image_and_place);
    for (size_t i = 0; i < n; i++) {
        const struct coco_boxed *listed = sorted[i], *b = last[listed - all];
        const bool known = place_of(listed->image, out->images, out->set.n_images, sizeof *out->images) < UINT32_MAX;
        const uint32_t image = place_of(b->image, out->images, out->set.n_images, sizeof *out->images);
        const uint32_t category = place_of(b->category, out->categories, out->set.n_categories, sizeof *out->categories);

        if (!known || image == UINT32_MAX) {
            out->truths_of_unknown_images++;
        } else if (category == UINT32_MAX ||
                   place_of(listed->category, out->categories, out->set.n_categories, sizeof *out->categories) == UINT32_MAX) {
            out->truths_of_unknown_categories++;
        } else {
            out->truths_of_id_0 += b->id == 0;
            out->truths_without_area += !b->has_area;
            truths[kept++] = (struct coco_truth){.image = image,
                                                 .category = category,
                                                 .box = b->box,
                                                 .area = b->has_area ? b->area : b->box.w * b->box.h,
                                                 .crowd = b->crowd,
                                                 .never_counts = b->id == 0};
        }
    }
    free(last);
    out->set.truths = out->truths = truths;
    out->set.n_truths = kept;
    return ST_OK;
}

enum status coco_make_lists(struct coco_lists *lists, struct coco_data *out, struct err *err)
{
    sort_ids(&lists->images);
    sort_ids(&lists->categories);
    out->images = arena_alloc(&out->arena, lists->images.n, sizeof *out->images);
    out->categories = arena_alloc(&out->arena, lists->categories.n, sizeof *out->categories);
    if (!out->images || !out->categories)
        return err_set(err, ST_NOMEM, "out of memory for %zu images", lists->images.n);
    if (lists->images.n)
        memcpy(out->images, lists->images.v, lists->images.n * sizeof *out->images);
    if (lists->categories.n)
        memcpy(out->categories, lists->categories.v, lists->categories.n * sizeof *out->categories);
    out->set.n_images = (uint32_t)lists->images.n;
    out->set.n_categories = (uint32_t)lists->categories.n;
    return make_truths(lists, out, err);
}

static enum status read_json(const char *path, struct coco_lists *lists, struct arena *a, struct err *err)
{
    struct json_stream *s;
    enum status st = json_stream_open(path, &s, err);

    if (st)
        return st;
    read_truth_lists(s, a, lists);
    return json_stream_close(s, err);
}

enum status coco_read_truth(const char *path, struct coco_data *out, struct err *err)
{
    struct coco_lists lists = {.images.size = sizeof(struct coco_image),
                               .categories.size = sizeof(struct coco_category),
                               .boxed.size = sizeof(struct coco_boxed)};
    enum status st;

    out->normalized = coco_is_message(path);
    st = out->normalized ? coco_read_message(path, &lists, &out->arena, err) : read_json(path, &lists, &out->arena, err);
    st = st ? st : coco_make_lists(&lists, out, err);
    free(lists.images.v);
    free(lists.categories.v);
    free(lists.boxed.v);
    return st;
}

struct coco_truth *coco_truths_of(const struct coco_data *data, uint32_t image, size_t *n)
{
    size_t low = 0, high = data->set.n_truths, end;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (data->truths[middle].image < image)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; end < data->set.n_truths && data->truths[end].image == image;)
        end++;
    *n = end - low;
    return data->truths + low;
}

void coco_place_truths(struct coco_data *data, uint32_t image, uint32_t width, uint32_t height)
{
    size_t n;
    struct coco_truth *t = coco_truths_of(data, image, &n);

    for (size_t i = 0; i < n && data->normalized; i++) {
        const struct coco_box b = t[i].box;

        t[i].box = (struct coco_box){b.x * width, b.y * height, b.w * width, b.h * height};
        t[i].area = t[i].box.w * t[i].box.h;
    }
}

static enum status make_detections(const char *path, const struct coco_list *list, struct coco_data *out, struct err *err)
{
    const struct coco_boxed *all = list->v;
    struct coco_detection *detections = arena_alloc(&out->arena, list->n, sizeof *detections);
    size_t kept = 0;

    if (!detections)
        return err_set(err, ST_NOMEM, "%s: out of memory for %zu detections", path, list->n);
    for (size_t i = 0; i < list->n; i++) {
        const struct coco_boxed *b = &all[i];
        const uint32_t image = place_of(b->image, out->images, out->set.n_images, sizeof *out->images);
        const uint32_t category = place_of(b->category, out->categories, out->set.n_categories, sizeof *out->categories);

        if (image == UINT32_MAX)
            return err_set(err, ST_USAGE, "%s: detection %zu is of image %lld, which the ground truth of %u images does not list",
                           path, i, (long long)b->image, out->set.n_images);
        if (category == UINT32_MAX)
            out->detections_of_unknown_categories++;
        else
            detections[kept++] = (struct coco_detection){image, category, b->box, b->score};
    }
    out->set.detections = detections;
    out->set.n_detections = kept;
    return ST_OK;
}

enum status coco_read_detections(const char *path, struct coco_data *data, struct err *err)
{
    struct coco_list list = {.size = sizeof(struct coco_boxed)};
    struct json_stream *s;
    enum status st = json_stream_open(path, &s, err);

    if (!st) {
        read_all_boxed(s, &list, false);
        st = json_stream_close(s, err);
    }
    st = st ? st : make_detections(path, &list, data, err);
    free(list.v);
    return st;
}

void coco_data_free(struct coco_data *data)
{
    arena_free(&data->arena);
}
