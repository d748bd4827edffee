/* SPDX-License-Identifier: Apache-2.0 */
/* outputs.c - output tensors as raw bytes: a file each, or all in one. */
#include "cmd/input/outputs.h"

#include <limits.h>
#include <stdlib.h>

#include "cmd/host/files.h"

enum status outputs_write_dir(const struct session *s, const char *dir, struct err *err)
{
    enum status st = file_make_dir(dir, err);
    char path[PATH_MAX];

    for (uint32_t i = 0; i < session_n_outputs(s) && !st; i++) {
        const struct tensor *t = session_output(s, i);
        struct file_piece piece = {t->data, t->bytes};

        if (snprintf(path, sizeof path, "%s/output_%u.bin", dir, i) >= (int)sizeof path)
            return err_set(err, ST_USAGE, "--output_dir: the path is longer than %d bytes", PATH_MAX);
        st = file_write(path, &piece, 1, err);
    }
    return st;
}

enum status outputs_write_file(const struct session *s, const char *path, struct err *err)
{
    uint32_t n = session_n_outputs(s);
    struct file_piece *pieces = calloc(n ? n : 1, sizeof *pieces);
    enum status st;

    if (!pieces)
        return err_set(err, ST_NOMEM, "%s: out of memory for a list of %u outputs", path, n);
    for (uint32_t i = 0; i < n; i++)
        pieces[i] = (struct file_piece){session_output(s, i)->data, session_output(s, i)->bytes};
    st = file_write(path, pieces, n, err);
    free(pieces);
    return st;
}
