/* SPDX-License-Identifier: Apache-2.0 */
/* gemm.c - the outer loops: cuts a product into work items of position tiles and weight panels. */
#include "kernels_cpu/matmul/gemm.h"

/* Tiles of positions that one work item takes a panel through: enough to reuse the panel from cache, few enough that the
 * positions' input stays there too. */
#define BLOCK_TILES 8
/* With fewer blocks of positions than this, panels are spread over threads as well. */
#define MIN_ITEMS 16

struct gemm_job {
    const struct gemm *g;
    size_t row_tiles; /* tiles of one row of the grid */
    size_t tiles;
    size_t panels, item_panels;
    size_t panel_items; /* work items along the panels */
};

static void tile_run(const struct gemm_job *job, size_t tile, size_t panel, int panels)
{
    const struct gemm *g = job->g;
    size_t row = tile / job->row_tiles, i = tile % job->row_tiles;
    size_t begin = i * g->cols / job->row_tiles, end = (i + 1) * g->cols / job->row_tiles;
    const char *x = (const char *)g->x + row * g->x_row + begin * g->x_col;
    char *y = (char *)g->y + row * g->y_row + begin * g->y_col;
    const void *xs[GEMM_MAX_TILE];
    void *ys[GEMM_MAX_TILE];
    int m = (int)(end - begin);

    for (int p = 0; p < m; p++) {
        xs[p] = x + (size_t)p * g->x_col;
        ys[p] = y + (size_t)p * g->y_col;
    }
    g->isa->run(g, xs, ys, m, panel, panels);
}

static void item_run(const struct gemm_job *job, size_t item)
{
    size_t first = item / job->panel_items * BLOCK_TILES;
    size_t last = first + BLOCK_TILES < job->tiles ? first + BLOCK_TILES : job->tiles;
    size_t panel = item % job->panel_items * job->item_panels;
    size_t panel_end = panel + job->item_panels < job->panels ? panel + job->item_panels : job->panels;

    for (; panel < panel_end; panel += 2)
        for (size_t tile = first; tile < last; tile++)
            tile_run(job, tile, panel, panel + 1 < panel_end ? 2 : 1);
}

static void items_run(void *arg, size_t begin, size_t end)
{
    for (size_t item = begin; item < end; item++)
        item_run(arg, item);
}

size_t gemm_packed_bytes(const struct gemm_type *type, const struct gemm_isa *isa, size_t taps, size_t depth, size_t channels)
{
    const size_t lane_bytes = gemm_panels(isa, channels) * (size_t)isa->lanes * type->bytes, group = (size_t)isa->group;
    size_t n;

    if (__builtin_add_overflow(depth, group - 1, &n) || __builtin_mul_overflow(taps, n / group * group, &n) ||
        __builtin_mul_overflow(n, lane_bytes, &n))
        return SIZE_MAX;
    return n;
}

void gemm_run(const struct gemm *g, struct threads *threads)
{
    struct gemm_job job = {.g = g, .panels = gemm_panels(g->isa, g->channels)};
    size_t blocks, pairs = (job.panels + 1) / 2;

    if (!g->rows || !g->cols || !job.panels)
        return;
    job.row_tiles = (g->cols + (size_t)g->isa->tile - 1) / (size_t)g->isa->tile;
    job.tiles = g->rows * job.row_tiles;
    blocks = (job.tiles + BLOCK_TILES - 1) / BLOCK_TILES;
    job.panel_items = blocks >= MIN_ITEMS ? 1 : MIN_ITEMS / blocks;
    if (job.panel_items > pairs)
        job.panel_items = pairs;
    job.item_panels = (pairs + job.panel_items - 1) / job.panel_items * 2;
    job.panel_items = (job.panels + job.item_panels - 1) / job.item_panels;
    threads_for(threads, blocks * job.panel_items, 1, items_run, &job);
}
