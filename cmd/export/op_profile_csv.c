/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile_csv.c - cells behind commas. */
#include "cmd/export/op_profile_csv.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void op_profile_csv_header(FILE *to)
{
    fputs(
        "phase,row,node_type,backend,partition,nodes,name,variant,output,first_us,avg_us,median_us,min_us,max_us,percent,work_row,"
        "macs,gflops,bytes,gbytes_per_s,limit_percent,copy_reason\r\n",
        to);
}

static void text_cell(FILE *to, const char *text, const char *after)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fprintf(to, "%s%s", text, after);
        return;
    }
    fputc('"', to);
    for (; *text; text++)
        fputs(*text == '"' ? "\"\"" : (char[2]){*text, '\0'}, to);
    fprintf(to, "\"%s", after);
}

static void number_cell(FILE *to, double value, const char *after)
{
    if (isfinite(value))
        fprintf(to, "%.9g", value);
    fputs(after, to);
}

static void count_cell(FILE *to, uint64_t count, bool known)
{
    if (known)
        fprintf(to, "%" PRIu64, count);
    fputc(',', to);
}

static void nodes_cell(FILE *to, const struct op_row *row)
{
    for (uint32_t i = 0; i < row->n_nodes; i++)
        fprintf(to, "%s%u", i ? " " : "", row->nodes[i]);
    fputc(',', to);
}

static void work_cells(FILE *to, const struct op_profile *p, size_t i)
{
    const struct op_row *row = &p->rows[i];
    const double us = op_profile_work_us(p, i);

    fprintf(to, "%u,", row->work_row);
    if (row->work_row != i) {
        fputs(",,,,,", to);
        return;
    }
    count_cell(to, row->work.macs, row->work.macs_known);
    number_cell(to, op_work_gflops(&row->work, us), ",");
    count_cell(to, row->work.bytes, row->work.bytes_known);
    number_cell(to, op_work_gbytes(&row->work, us), ",");
    number_cell(to, op_profile_limit_percent(p, i), ",");
}

enum status op_profile_csv(FILE *to, const char *phase, const struct op_profile *p, struct err *err)
{
    struct arena arena = {0};
    struct op_line *lines;
    struct stats us = {0};
    enum status st = op_profile_rows(p, OP_ORDER_RUN, &arena, &lines, err);

    for (size_t i = 0; i < p->n_rows && !st; i++) {
        const struct op_row *row = &p->rows[i];

        if ((st = stats_of(row->us, p->runs, &us, err)))
            break;
        fprintf(to, "%s,%zu,", phase, i);
        text_cell(to, row->type, ",");
        text_cell(to, row->backend, ",");
        fprintf(to, "%d,", row->partition);
        nodes_cell(to, row);
        text_cell(to, row->name, ",");
        text_cell(to, row->detail ? row->detail : "", ",");
        text_cell(to, row->tensor ? TENSOR_TEXT(row->tensor) : "", ",");
        for (size_t k = 0; k < 5; k++)
            number_cell(to, row->timed ? (double[]){us.first, us.avg, us.median, us.min, us.max}[k] : NAN, ",");
        number_cell(to, row->timed ? lines[i].percent : NAN, ",");
        work_cells(to, p, i);
        text_cell(to, row->why_copy ? row->why_copy : "", "\r\n");
    }
    arena_free(&arena);
    return st;
}
