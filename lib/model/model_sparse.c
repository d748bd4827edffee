/* SPDX-License-Identifier: Apache-2.0 */
/* model_sparse.c - reads and checks the metadata of a sparse tensor.
 *
 * The tensor's `rank` dimensions, some split into blocks, are walked in traversal order; each level of the walk is dense or
 * compressed (CSR). Levels after the first `rank` are the blocks' insides. */

#include "lib/model/model_impl.h"

static const void *read_index_vector(struct fb *f, const struct fb_table *from, unsigned type_id, unsigned id, uint32_t *n,
                                     uint8_t *bytes, const char *what)
{
    static const uint8_t width[] = {
        [INDEX_VECTOR_INT32] = 4,
        [INDEX_VECTOR_UINT16] = 2,
        [INDEX_VECTOR_UINT8] = 1,
    };
    uint8_t type = fb_u8(f, from, type_id, INDEX_VECTOR_NONE);
    struct fb_table t = fb_child(f, from, id, what);

    *n = *bytes = 0;
    if (!t.at)
        return NULL;
    if (type == INDEX_VECTOR_NONE || type > INDEX_VECTOR_UINT8) {
        fb_fail(f, ST_BAD_MODEL, "%s are of the unknown kind %u", what, type);
        return NULL;
    }
    *bytes = width[type];
    return fb_array(f, &t, INDEX_VECTOR_VALUES, *bytes, n, what);
}

static void read_dim(struct fb *f, const struct fb_table *from, struct sparse_dim *d)
{
    int8_t format = fb_i8(f, from, DIMENSION_FORMAT, DIMENSION_DENSE);

    if (format != DIMENSION_DENSE && format != DIMENSION_SPARSE_CSR)
        fb_fail(f, ST_UNSUPPORTED, "its format is %d, neither dense nor CSR", format);
    d->csr = format == DIMENSION_SPARSE_CSR;
    d->dense_size = fb_i32(f, from, DIMENSION_DENSE_SIZE, 0);
    d->segments = read_index_vector(f, from, DIMENSION_SEGMENTS_TYPE, DIMENSION_SEGMENTS, &d->n_segments, &d->segments_bytes,
                                    "segments");
    d->indices = read_index_vector(f, from, DIMENSION_INDICES_TYPE, DIMENSION_INDICES, &d->n_indices, &d->indices_bytes, "indices");
}

void model_read_sparsity(struct loader *l, const struct fb_table *from, struct tensor *t)
{
    struct fb *f = &l->fb;
    struct fb_table at = fb_child(f, from, TENSOR_SPARSITY, "sparsity");
    struct sparse_dim *dims;
    struct fb_vector v;
    struct sparsity *s;

    if (!at.at || !(s = fb_alloc(f, 1, sizeof *s)))
        return;
    s->traversal_order = fb_array(f, &at, SPARSITY_TRAVERSAL_ORDER, 4, &s->n_traversal_order, "the traversal order");
    s->block_map = fb_array(f, &at, SPARSITY_BLOCK_MAP, 4, &s->n_block_map, "the block map");
    v = fb_tables(f, &at, SPARSITY_DIMS, "dimensions");
    if (!(s->dims = dims = FB_ARRAY(f, v.n, struct sparse_dim)))
        return;
    s->n_dims = v.n;
    for (uint32_t i = 0; i < v.n && !f->st; i++) {
        struct fb_table dim = fb_item(f, &v, i, "the dimension");

        read_dim(f, &dim, &dims[i]);
        if (f->st)
            fb_prefix(f, "sparse dimension %u", i);
    }
    t->sparsity = s;
}

static int64_t index_at(const void *p, uint8_t bytes, size_t i)
{
    switch (bytes) {
    case 1: return ((const uint8_t *)p)[i];
    case 2: return ((const uint16_t *)p)[i];
    default: return ((const int32_t *)p)[i];
    }
}

/* Indices of one segment rise and stay below `extent`: so no level has more positions than the shape has elements. */
static bool check_segment(struct fb *f, const struct sparse_dim *d, int64_t begin, int64_t end, int64_t extent)
{
    int64_t before = -1;

    if (!fb_charge(f, 1 + (size_t)(end - begin)))
        return false;
    for (int64_t i = begin; i < end; i++) {
        int64_t index = index_at(d->indices, d->indices_bytes, (size_t)i);

        if (index <= before || index >= extent) {
            fb_fail(f, ST_BAD_MODEL, "index %lld after %lld in a dimension of %lld", (long long)index, (long long)before,
                    (long long)extent);
            return false;
        }
        before = index;
    }
    return true;
}

/* A compressed level under `positions` positions of the level above. Returns the number of its own. */
static size_t check_csr(struct fb *f, const struct sparse_dim *d, size_t positions, int64_t extent)
{
    int64_t before = 0;

    if (positions >= d->n_segments || index_at(d->segments, d->segments_bytes, 0)) {
        fb_fail(f, ST_BAD_MODEL, "%u segments for %zu positions, or a first segment that does not begin at 0", d->n_segments,
                positions);
        return 0;
    }
    for (size_t i = 1; i <= positions; i++) {
        int64_t end = index_at(d->segments, d->segments_bytes, i);

        if (end < before || end > d->n_indices) {
            fb_fail(f, ST_BAD_MODEL, "segment %zu ends at %lld, the one before at %lld, with %u indices", i, (long long)end,
                    (long long)before, d->n_indices);
            return 0;
        }
        if (!check_segment(f, d, before, end, extent))
            return 0;
        before = end;
    }
    return (size_t)before;
}

/* Sizes of the levels in the tensor's own order: first the dimensions, divided by their blocks, then the blocks. */
static void level_extents(struct fb *f, const struct tensor *t, int64_t *extent)
{
    const struct sparsity *s = t->sparsity;
    uint32_t rank = (uint32_t)t->rank;

    for (uint32_t i = 0; i < rank; i++)
        extent[i] = t->dim[i];
    for (uint32_t i = 0; i < s->n_block_map; i++) {
        int32_t dim = s->block_map[i], block = s->dims[rank + i].dense_size;

        if (dim < 0 || dim >= t->rank || block <= 0 || extent[dim] % block || s->dims[rank + i].csr) {
            fb_fail(f, ST_BAD_MODEL, "block %u of size %d does not fit dimension %d", i, block, dim);
            return;
        }
        extent[dim] /= block;
        extent[rank + i] = block;
    }
}

static bool is_permutation(const int32_t *order, uint32_t n)
{
    uint32_t seen = 0;

    for (uint32_t i = 0; i < n; i++)
        if (order[i] < 0 || order[i] >= (int32_t)n || seen & 1u << order[i])
            return false;
        else
            seen |= 1u << order[i];
    return true;
}

void model_check_sparsity(struct loader *l, const struct tensor *t, size_t *values)
{
    struct fb *f = &l->fb;
    const struct sparsity *s = t->sparsity;
    int64_t extent[2 * TENSOR_MAX_RANK] = {0};
    size_t positions = 1;

    *values = 0;
    if (s->n_block_map > TENSOR_MAX_RANK || s->n_dims != (uint32_t)t->rank + s->n_block_map || s->n_traversal_order != s->n_dims ||
        !is_permutation(s->traversal_order, s->n_dims)) {
        fb_fail(f, ST_BAD_MODEL, "sparsity with %u levels, a traversal order of %u and %u blocks does not fit rank %d", s->n_dims,
                s->n_traversal_order, s->n_block_map, t->rank);
        return;
    }
    level_extents(f, t, extent);
    for (uint32_t i = 0; i < s->n_dims && !f->st; i++) {
        const struct sparse_dim *d = &s->dims[i];
        int64_t size = extent[s->traversal_order[i]];

        if (d->csr)
            positions = check_csr(f, d, positions, size);
        else if (d->dense_size != size)
            fb_fail(f, ST_BAD_MODEL, "dense size is %d, the shape says %lld", d->dense_size, (long long)size);
        else
            positions *= (size_t)size;
        if (f->st)
            fb_prefix(f, "sparse dimension %u", i);
    }
    *values = positions;
}
