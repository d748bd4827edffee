/* SPDX-License-Identifier: Apache-2.0 */
/* coco_fuzz.c - any bytes are ground truth or detections, or end in one message; what is read can be judged. */
#include "lib/testing/fuzz.h"

#include <stdlib.h>

#include "lib/eval/coco_files.h"

static void check(enum status st, const struct err *err)
{
    if ((st != ST_OK) != (*err->msg != '\0') || (st != ST_OK && st != ST_USAGE && st != ST_NOMEM))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    FILE *file = tmpfile();
    struct coco_data truth = {0};
    struct coco_metrics m;
    struct arena a = {0};
    struct err err = {""};
    char path[40];
    enum status st;

    if (!file || fwrite(data, 1, bytes, file) != bytes || fflush(file))
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    st = coco_read_truth(path, &truth, &err);
    check(st, &err);
    *err.msg = '\0';
    check(coco_read_detections(path, &truth, &err), &err);
    if (!st && truth.set.n_categories < 1000) {
        if (coco_evaluate(&truth.set, &a, &m, &err) || !(m.ap >= -1 && m.ap <= 1 + 1e-9))
            abort();
        arena_free(&a);
    }
    coco_data_free(&truth);
    fclose(file);
    return 0;
}
