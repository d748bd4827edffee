/* SPDX-License-Identifier: Apache-2.0 */
/* category_map.c - rules that make a category of a class, the first that fits. */
#include "lib/eval/category_map.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { COCO80 = 80, MOST_IDS = 100000 };

/* COCO's ids but for those that it skips. */
static int64_t coco_id(uint32_t k)
{
    static const int64_t gaps[] = {12, 26, 29, 30, 45, 66, 68, 69, 71, 83};
    int64_t id = (int64_t)k + 1;

    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++)
        id += id >= gaps[i];
    return id;
}

static int by_id(const void *key, const void *category)
{
    const int64_t id = *(const int64_t *)key, own = ((const struct coco_category *)category)->id;

    return (id > own) - (id < own);
}

static uint32_t place_of_id(const struct coco_data *d, int64_t id)
{
    const struct coco_category *found = d->set.n_categories
                                            ? bsearch(&id, d->categories, d->set.n_categories, sizeof *d->categories, by_id)
                                            : NULL;

    return found ? (uint32_t)(found - d->categories) : CATEGORY_NONE;
}

static uint32_t place_of_name(const struct coco_data *d, const char *name)
{
    for (uint32_t i = 0; i < d->set.n_categories; i++)
        if (!strcasecmp(d->categories[i].name, name))
            return i;
    return CATEGORY_NONE;
}

static bool all_of_coco(const struct coco_data *d)
{
    uint32_t k = 0;

    for (uint32_t i = 0; i < d->set.n_categories; i++) {
        while (k < COCO80 && coco_id(k) < d->categories[i].id)
            k++;
        if (k == COCO80 || coco_id(k) != d->categories[i].id)
            return false;
    }
    return d->set.n_categories > 0;
}

static bool has_names(const struct coco_data *d)
{
    for (uint32_t i = 0; i < d->set.n_categories; i++)
        if (*d->categories[i].name)
            return true;
    return false;
}

/* A first line that stands for no class. */
static bool is_background(const char *line)
{
    static const char *const such[] = {"???", "background", "__background__", "unlabeled", "N/A", "none"};

    for (size_t i = 0; i < sizeof such / sizeof *such; i++)
        if (!strcasecmp(line, such[i]))
            return true;
    return false;
}

/* ---- which rule ---- */

/* The first rule that fits; AUTO: none does. */
static enum class_map fitting(const struct category_map_wish *w, const struct coco_data *d, int64_t most, bool names)
{
    if (w->labels && names)
        return CLASSES_LABELS;
    if (w->from_background)
        return CLASSES_IDS;
    if ((w->n_classes == COCO80 || !w->n_classes) && all_of_coco(d))
        return CLASSES_COCO80;
    if (w->n_classes == d->set.n_categories || !w->n_classes)
        return CLASSES_ORDER;
    return (int64_t)w->n_classes >= most ? CLASSES_IDS : CLASSES_AUTO;
}

static enum status choose(struct category_map *m, const struct category_map_wish *w, const struct coco_data *d, bool names,
                          struct err *err)
{
    const int64_t most = d->set.n_categories ? d->categories[d->set.n_categories - 1].id : 0;

    m->kind = w->kind ? w->kind : fitting(w, d, most, names);
    if (!m->kind)
        return err_set(err, ST_USAGE,
                       "the model has %u classes, the ground truth %u categories with ids up to %lld: which is which? "
                       "(--class_map, or --model_output_labels with names)",
                       w->n_classes, d->set.n_categories, (long long)most);
    if (m->kind == CLASSES_LABELS && (!w->labels || !names))
        return err_set(err, ST_USAGE, "--class_map=labels needs names: %s",
                       w->labels ? "the ground truth has none" : "--model_output_labels=FILE is missing");
    m->offset = w->offset;
    if (m->offset != CLASS_OFFSET_AUTO)
        return ST_OK;
    m->offset = 0;
    if (m->kind == CLASSES_LABELS)
        m->offset = w->from_background && w->labels->n && is_background(w->labels->line[0]);
    else if (m->kind == CLASSES_IDS)
        m->offset = w->from_background || (int64_t)w->n_classes == most;
    return ST_OK;
}

static uint32_t category_of(const struct category_map *m, const struct category_map_wish *w, const struct coco_data *d,
                            uint32_t class)
{
    const int64_t k = (int64_t) class + m->offset;

    if (k < 0)
        return CATEGORY_NONE;
    switch (m->kind) {
    case CLASSES_LABELS: return k < w->labels->n ? place_of_name(d, w->labels->line[k]) : CATEGORY_NONE;
    case CLASSES_COCO80: return k < COCO80 ? place_of_id(d, coco_id((uint32_t)k)) : CATEGORY_NONE;
    case CLASSES_ORDER: return k < d->set.n_categories ? (uint32_t)k : CATEGORY_NONE;
    default: return place_of_id(d, k);
    }
}

/* TFLite's label files have a line for each id, from 0 on. */
static void take_names(struct coco_data *d, const struct label_lines *labels)
{
    for (uint32_t i = 0; i < d->set.n_categories; i++) {
        struct coco_category *c = &d->categories[i];

        if (c->id >= 0 && c->id < labels->n)
            snprintf(c->name, sizeof c->name, "%s", labels->line[c->id]);
    }
}

enum status category_map_init(struct category_map *m, const struct category_map_wish *wish, struct coco_data *data, struct arena *a,
                              struct err *err)
{
    const bool names = has_names(data);
    const int64_t most = data->set.n_categories ? data->categories[data->set.n_categories - 1].id : 0;
    enum status st;

    *m = (struct category_map){0};
    if ((st = choose(m, wish, data, names, err)))
        return st;
    if (wish->labels && !names)
        take_names(data, wish->labels);
    m->n = wish->n_classes;
    if (!m->n && m->kind == CLASSES_LABELS)
        m->n = wish->labels->n;
    else if (!m->n)
        m->n = most < 0 ? 1 : most < MOST_IDS ? (uint32_t)most + 1 : MOST_IDS;
    if (m->n > MOST_IDS)
        return err_set(err, ST_USAGE, "the model has %u classes, more than %d", m->n, MOST_IDS);
    if (!(m->category = ARENA_ARRAY(a, m->n, uint32_t)))
        return err_set(err, ST_NOMEM, "out of memory for %u classes", m->n);
    for (uint32_t i = 0; i < m->n; i++) {
        m->category[i] = category_of(m, wish, data, i);
        m->n_known += m->category[i] != CATEGORY_NONE;
    }
    if (!m->n_known)
        return err_set(err, ST_USAGE, "none of the model's classes is one of the ground truth's %u categories (--class_map)",
                       data->set.n_categories);
    return ST_OK;
}

uint32_t category_map_find(const struct category_map *m, uint32_t class)
{
    return class < m->n ? m->category[class] : CATEGORY_NONE;
}

const char *category_map_text(const struct category_map *m, char out[CATEGORY_MAP_TEXT])
{
    static const char *const rules[] = {"", "has the id of the category", "is the category with that place among COCO's 80 ids",
                                        "is the category with that place", "has the name of the category"};
    char class[32] = "class";

    if (m->offset)
        snprintf(class, sizeof class, "class %c %d", m->offset < 0 ? '-' : '+', abs(m->offset));
    snprintf(out, CATEGORY_MAP_TEXT, "%s %s, %u of %u classes", class, rules[m->kind], m->n_known, m->n);
    return out;
}
