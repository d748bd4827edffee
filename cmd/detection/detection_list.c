/* SPDX-License-Identifier: Apache-2.0 */
/* detection_list.c - the pictures of the folder that the ground truth lists. */
#include <stdlib.h>
#include <string.h>

#include "cmd/detection/eval_detection.h"

/* An image of the ground truth by the name of its file, without folders. */
struct named {
    const char *file;
    uint32_t image;
};

static int by_file(const void *a, const void *b)
{
    return strcmp(((const struct named *)a)->file, ((const struct named *)b)->file);
}

static enum status sort_images(struct eval_detection *e, struct named **out, struct err *err)
{
    const struct coco_data *d = &e->data;
    const uint32_t n = d->set.n_images;
    struct named *list = ARENA_ARRAY(&e->base.arena, n, struct named);

    if (!list)
        return err_set(err, ST_NOMEM, "out of memory for the names of %u images", n);
    for (uint32_t i = 0; i < n; i++) {
        const char *file = d->images[i].file, *slash = file ? strrchr(file, '/') : NULL;

        if (!file)
            return err_set(err, ST_USAGE, "%s: image %lld has no \"file_name\": which picture is it?", e->flags.truth,
                           (long long)d->images[i].id);
        list[i] = (struct named){slash ? slash + 1 : file, i};
    }
    if (n)
        qsort(list, n, sizeof *list, by_file);
    for (uint32_t i = 1; i < n; i++)
        if (!by_file(&list[i - 1], &list[i]))
            return err_set(err, ST_USAGE, "%s: two images have the file %.80s", e->flags.truth, list[i].file);
    *out = list;
    return ST_OK;
}

/* Those that the ground truth lists, and that are neither denied nor beyond --num_images. */
static enum status choose(struct eval_detection *e, const struct names *names, const struct named *images, struct err *err)
{
    struct pictures *p = &e->base.pictures;
    const uint32_t most = e->base.flags.num_images ? (uint32_t)e->base.flags.num_images : UINT32_MAX;
    uint32_t listed = 0;
    bool *denied;
    enum status st = eval_deny(&e->base, names, &denied, err);

    if (st)
        return st;
    for (uint32_t i = 0; i < names->n; i++) {
        const struct named *found = e->data.set.n_images ? bsearch(&(struct named){.file = names->list[i]}, images,
                                                                   e->data.set.n_images, sizeof *images, by_file)
                                                         : NULL;

        listed += found != NULL;
        e->unlisted += !found && !denied[i];
        if (denied[i] || !found)
            continue;
        e->detected[i].image = found->image;
        if (p->n == most)
            p->left++;
        else
            p->list[p->n++] = (struct picture){.name = names->list[i], .number = i + 1};
    }
    e->missing = e->data.set.n_images - listed;
    if (!p->n)
        return err_set(
            err, ST_USAGE,
            "no picture is left of the %u in %s: the ground truth lists %u of them, and the denylist has %u, of %u images, "
            "as %.80s",
            names->n, p->dir, listed, p->denied, e->data.set.n_images, e->data.set.n_images ? images[0].file : "none");
    return ST_OK;
}

enum status detection_list(struct eval_detection *e, struct err *err)
{
    struct names names = {0};
    struct named *images = NULL;
    enum status st;

    if ((st = coco_read_truth(e->flags.truth, &e->data, err)))
        return err_prefix(err, st, "--ground_truth");
    if (*e->flags.labels && (st = eval_lines(&e->base, "model_output_labels", e->flags.labels, false, &e->labels, err)))
        return st;
    if ((st = sort_images(e, &images, err)) || (st = eval_list(&e->base, false, &names, err)))
        return st;
    e->detector.n_wanted = e->data.set.n_categories;
    e->base.pictures.list = ARENA_ARRAY(&e->base.arena, names.n, struct picture);
    e->detected = ARENA_ARRAY(&e->base.arena, names.n, struct detected);
    if (!e->base.pictures.list || !e->detected)
        return err_set(err, ST_NOMEM, "out of memory for %u pictures", names.n);
    return choose(e, &names, images, err);
}
