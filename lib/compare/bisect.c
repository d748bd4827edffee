/* SPDX-License-Identifier: Apache-2.0 */
/* bisect.c - bisection of each range: its end first, then its beginning, unless the last node is off alone. */
#include "lib/compare/bisect.h"

struct search {
    struct bisect *b;
    enum status (*try_range)(void *arg, struct bisect_range range, bool *off, struct err *err);
    void *arg;
    struct err *err;
};

static enum status try_one(struct search *s, uint32_t first, uint32_t end, bool *off)
{
    s->b->tries++;
    return s->try_range(s->arg, (struct bisect_range){first, end}, off, s->err);
}

/* The least end from which *r is off. */
static enum status shrink_end(struct search *s, struct bisect_range *r)
{
    uint32_t right = r->first; /* up to here nothing is off */
    enum status st = ST_OK;

    while (!st && r->end - right > 1) {
        const uint32_t middle = right + (r->end - right) / 2;
        bool off = false;

        st = try_one(s, r->first, middle, &off);
        if (off)
            r->end = middle;
        else
            right = middle;
    }
    return st;
}

static enum status shrink_first(struct search *s, struct bisect_range *r)
{
    uint32_t right = r->end; /* from here on nothing is off */
    enum status st = ST_OK;

    while (!st && right - r->first > 1) {
        const uint32_t middle = r->first + (right - r->first) / 2;
        bool off = false;

        st = try_one(s, middle, r->end, &off);
        if (off)
            r->first = middle;
        else
            right = middle;
    }
    return st;
}

/* The node alone: then the range is that node. */
static enum status try_single(struct search *s, uint32_t i, struct bisect_range *r)
{
    bool off = false;
    const enum status st = try_one(s, i, i + 1, &off);

    if (off)
        *r = (struct bisect_range){i, i + 1};
    return st;
}

/* Where nodes make up for each other's errors, halving may pass by one that is off alone. The last was tried. */
static enum status look_for_one(struct search *s, struct bisect_range *r)
{
    enum status st = ST_OK;

    for (uint32_t i = r->first, end = r->end - 1; r->end - r->first > 1 && end - r->first < BISECT_MAX_SINGLE && i < end && !st;
         i++)
        st = try_single(s, i, r);
    return st;
}

/* The last node from which *r is off, which most often is the last at all, and costs one try. */
static enum status shrink_begin(struct search *s, struct bisect_range *r)
{
    enum status st = r->end - r->first > 1 ? try_single(s, r->end - 1, r) : ST_OK;

    st = st ? st : shrink_first(s, r);
    return st ? st : look_for_one(s, r);
}

static enum status find_all(struct search *s, uint32_t n)
{
    struct bisect *b = s->b;
    uint32_t from = 0;
    enum status st = ST_OK;

    while (from < n && b->n_found < BISECT_MAX_FOUND) {
        struct bisect_range r = {from, n};
        bool off = false;

        if ((st = try_one(s, from, n, &off)) || !off || (st = shrink_end(s, &r)))
            break;
        from = r.end;
        if ((st = shrink_begin(s, &r)))
            break;
        b->found[b->n_found++] = r;
    }
    return st;
}

enum status bisect_run(struct bisect *b, uint32_t n,
                       enum status (*try_range)(void *arg, struct bisect_range range, bool *off, struct err *err), void *arg,
                       struct err *err)
{
    struct search s = {b, try_range, arg, err};
    enum status st;

    *b = (struct bisect){0};
    st = find_all(&s, n);
    b->stopped = st == ST_LATER;
    return b->stopped ? ST_OK : st;
}
