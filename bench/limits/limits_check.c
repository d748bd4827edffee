/* SPDX-License-Identifier: Apache-2.0 */
/* limits_check.c - compares a row's results with its work. */
#include "bench/limits/limits.h"

#include <string.h>

static const void *map_to_read(GLuint buffer, uint64_t bytes, struct err *err)
{
    const void *map;

    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    map = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)bytes, GL_MAP_READ_BIT);
    if (!map)
        err_set(err, ST_FAILED, "the driver does not map results (GL error 0x%x)", glGetError());
    return map;
}

/* What the invocation reads, lane by lane. */
static double sum_of_reads(const struct limit_numbers *n, const struct limit_row *row, uint32_t invocation)
{
    uint32_t group = invocation / LIMIT_GROUP, l = invocation % LIMIT_GROUP;
    double sum = 0;

    for (uint32_t i = 0; i < (uint32_t)(row->work / 16); i++) {
        uint32_t at = row->pattern == LIMIT_STREAM ? i * n->total + invocation : (row->pattern == LIMIT_SAME ? group : l) + i;

        for (uint32_t lane = 0; lane < 4; lane++)
            sum += (double)limit_value(at & n->mask, lane);
    }
    return sum;
}

/* What lanes of chains begin with, and 1 for each multiply-add of theirs. */
static double sum_of_mads(uint32_t chains, const struct limit_row *row, uint32_t invocation)
{
    const double lanes = 4.0 * chains;

    return lanes * (lanes - 1) / 2 + lanes * (invocation % 2) + chains * row->work / 2;
}

static enum status check_sums(struct limit_gpu *g, const struct limit_row *row, struct err *err)
{
    const struct limit_numbers n = limit_numbers_of(g, row);
    const float *sums = map_to_read(g->result, sizeof(float) * n.total, err);
    enum status st = ST_OK;

    if (!sums)
        return ST_FAILED;
    for (uint32_t i = 0; i < n.total && !st; i++) {
        const double expected = row->kind == LIMIT_MAD ? sum_of_mads(g->chains[row->number], row, i) : sum_of_reads(&n, row, i);

        if ((double)sums[i] != expected)
            st = err_set(err, ST_FAILED, "%s: invocation %u of %u computed %g, not %g: the work is not what it is said to be",
                         row->name, i, n.total, (double)sums[i], expected);
    }
    glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
    return st;
}

/* Vectors first to first + n of the data are what value 0 to n was written as. */
static enum status check_data(struct limit_gpu *g, const struct limit_row *row, uint32_t first, uint32_t n, struct err *err)
{
    const float *data = map_to_read(g->data, 16ull * g->vectors, err);
    enum status st = ST_OK;

    if (!data)
        return ST_FAILED;
    if (n > g->vectors - first)
        st = err_set(err, ST_FAILED, "%s: %u vectors, of %u: the work is not what it is said to be", row->name, n,
                     g->vectors - first);
    for (uint32_t i = 0; i < 4 * n && !st; i++)
        if (data[4 * first + i] != limit_value(i / 4, i % 4))
            st = err_set(err, ST_FAILED, "%s: element %u is %g, not %g: the work is not what it is said to be", row->name, i,
                         (double)data[4 * first + i], (double)limit_value(i / 4, i % 4));
    glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
    return st;
}

/* A row of that kind on buffers or on textures. */
static const struct limit_row *row_of(enum limit_kind kind, bool textures)
{
    for (size_t i = 0; i < limit_n_rows; i++)
        if (limit_rows[i].kind == kind && limit_rows[i].textures == textures)
            return &limit_rows[i];
    return NULL;
}

static enum status run_once(struct limit_gpu *g, const struct limit_row *row, uint32_t units, struct err *err)
{
    uint64_t ns;
    enum status st = limit_use(g, row, err);

    if (st || (st = limit_time(g, row, units, NULL, &ns, err)))
        return st;
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    return ST_OK;
}

/* Textures cannot be mapped: what was written is read by the row for that. */
static enum status check_write(struct limit_gpu *g, const struct limit_row *row, struct err *err)
{
    const struct limit_row *reads = row_of(LIMIT_READ, true);
    struct limit_row zeros = *row;
    enum status st;

    zeros.pass = row->zero;
    if ((st = run_once(g, &zeros, 1, err)) || (st = run_once(g, row, 1, err)))
        return st;
    if (!row->textures)
        return check_data(g, row, 0, g->vectors, err);
    return (st = run_once(g, reads, 1, err)) ? st : check_sums(g, reads, err);
}

static enum status check_read(struct limit_gpu *g, const struct limit_row *row, struct err *err)
{
    enum status st = run_once(g, row_of(LIMIT_WRITE, row->textures), 1, err);

    if (!st && !(st = run_once(g, row, 1, err)))
        st = check_sums(g, row, err);
    return st;
}

/* The other half held something else before. */
static enum status check_copy(struct limit_gpu *g, const struct limit_row *row, struct err *err)
{
    const uint32_t n = (uint32_t)(row->work / 32 * GL_PROBE_VECTORS / GL_PROBE_COPIES);
    enum status st = run_once(g, row_of(LIMIT_WRITE, false), 1, err);

    if (!st && row->textures)
        st = run_once(g, row_of(LIMIT_WRITE, true), 1, err);
    if (!st && !(st = run_once(g, row, 1, err)))
        st = check_data(g, row, GL_PROBE_VECTORS, n, err);
    return st;
}

static enum status check_count(struct limit_gpu *g, const struct limit_row *row, struct err *err)
{
    enum { DISPATCHES = 3 };
    const uint32_t *count;
    uint32_t n = 0, *none;
    enum status st;

    glBindBuffer(GL_SHADER_STORAGE_BUFFER, g->result);
    if (!(none = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, sizeof *none, GL_MAP_WRITE_BIT)))
        return err_set(err, ST_FAILED, "the driver does not map a buffer for writing (GL error 0x%x)", glGetError());
    *none = 0;
    glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
    if ((st = run_once(g, row, DISPATCHES, err)))
        return st;
    if (!(count = map_to_read(g->result, sizeof *count, err)))
        return ST_FAILED;
    n = *count;
    glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
    return n == DISPATCHES ? ST_OK : err_set(err, ST_FAILED, "%s: %u of %d dispatches were counted", row->name, n, DISPATCHES);
}

/* Up, forgotten, and down again. */
static enum status check_transfer(struct limit_gpu *g, void *host, struct err *err)
{
    const struct limit_row *up = row_of(LIMIT_UPLOAD, false), *down = row_of(LIMIT_READBACK, false);
    uint32_t n = LIMIT_TRANSFER_BYTES / sizeof(uint32_t), *words = host;
    uint64_t ns;
    enum status st;

    for (uint32_t i = 0; i < n; i++)
        words[i] = i * 2654435761u + 1;
    if ((st = limit_time(g, up, 1, host, &ns, err)))
        return st;
    memset(host, 0, LIMIT_TRANSFER_BYTES);
    if ((st = limit_time(g, down, 1, host, &ns, err)))
        return st;
    for (uint32_t i = 0; i < n; i++)
        if (words[i] != i * 2654435761u + 1)
            return err_set(err, ST_FAILED, "upload and readback: word %u came back as %u", i, words[i]);
    return ST_OK;
}

enum status limit_check(struct limit_gpu *g, const struct limit_row *row, void *host, struct err *err)
{
    enum status st;

    switch (row->kind) {
    case LIMIT_MAD: return (st = run_once(g, row, 1, err)) ? st : check_sums(g, row, err);
    case LIMIT_READ: return check_read(g, row, err);
    case LIMIT_WRITE: return check_write(g, row, err);
    case LIMIT_COPY: return check_copy(g, row, err);
    case LIMIT_COUNT: return check_count(g, row, err);
    case LIMIT_UPLOAD:
    case LIMIT_READBACK: return check_transfer(g, host, err);
    }
    return ST_OK;
}
