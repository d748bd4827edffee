/* SPDX-License-Identifier: Apache-2.0 */
/* node_list.c - see node_list.h */
#include "lib/base/node_list.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/flag.h"

/* "7" or "7-9", n characters. */
static bool read_range(const char *text, size_t n, struct node_range *out)
{
    char copy[32], *dash;
    int64_t first, last;

    if (n >= sizeof copy)
        return false;
    memcpy(copy, text, n);
    copy[n] = '\0';
    if ((dash = strchr(copy, '-')))
        *dash = '\0';
    if (!flag_read_int(copy, 0, INT32_MAX, &first) || !flag_read_int(dash ? dash + 1 : copy, first, INT32_MAX, &last))
        return false;
    *out = (struct node_range){(uint32_t)first, (uint32_t)last};
    return true;
}

/* Digits, and perhaps a dash between them, with a number beyond those of nodes. */
static bool is_too_large(const char *text, size_t n)
{
    const char *const stop = text + n, *c = text;
    bool too_large = false;
    char *end;

    while (*c >= '0' && *c <= '9') {
        too_large |= strtoull(c, &end, 10) > INT32_MAX;
        if (end == stop)
            return too_large;
        if (*end != '-' || c != text)
            break;
        c = end + 1;
    }
    return false;
}

static int by_first(const void *a, const void *b)
{
    const struct node_range *x = a, *y = b;

    return (x->first > y->first) - (x->first < y->first);
}

/* Ranges that touch or overlap become one. */
static void merge(struct node_list *l)
{
    uint32_t n = 0;

    qsort(l->ranges, l->n, sizeof *l->ranges, by_first);
    for (uint32_t i = 0; i < l->n; i++) {
        struct node_range *last = n ? &l->ranges[n - 1] : NULL, r = l->ranges[i];

        if (!last || r.first > last->last + 1)
            l->ranges[n++] = r;
        else if (r.last > last->last)
            last->last = r.last;
    }
    l->n = n;
}

static size_t count_parts(const char *text)
{
    size_t n = 1;

    for (const char *c = text; *c; c++)
        n += *c == ',';
    return n;
}

enum status node_list_read(const char *flag, const char *text, struct node_list *out, struct err *err)
{
    *out = (struct node_list){0};
    if (!text || !*text)
        return ST_OK;
    if (!(out->ranges = calloc(count_parts(text), sizeof *out->ranges)))
        return err_set(err, ST_NOMEM, "%s: out of memory", flag);
    for (const char *part = text;; part = flag_skip_blanks(part + 1)) {
        size_t n = strcspn(part, ",");

        if (!read_range(part, n, &out->ranges[out->n++])) {
            node_list_fini(out);
            return err_set(err, ST_USAGE, "%s: \"%.*s\" %s", flag, n < 40 ? (int)n : 40, part,
                           is_too_large(part, n) ? "is too large: no node has an index above 2147483647"
                                                 : "is neither an index of a node nor a range of them (3,7-9)");
        }
        part += n;
        if (!*part)
            break;
    }
    merge(out);
    return ST_OK;
}

void node_list_fini(struct node_list *l)
{
    free(l->ranges);
    *l = (struct node_list){0};
}

bool node_list_has(const struct node_list *l, uint32_t index)
{
    uint32_t lo = 0, hi = l ? l->n : 0;

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (index > l->ranges[mid].last)
            lo = mid + 1;
        else
            hi = mid;
    }
    return l && lo < l->n && index >= l->ranges[lo].first;
}
