/* SPDX-License-Identifier: Apache-2.0 */
/* npy_fuzz.c - any bytes are a .npy file, all of whose elements are in it, or end in one message. */
#include "lib/testing/fuzz.h"

#include <stdlib.h>

#include "lib/tensor/npy.h"

/* What a file's elements are copied to: a few bytes of file cannot ask for more than they hold. */
static void copy_all(const struct npy *a)
{
    uint8_t *out = malloc(a->elems * a->item_bytes + 1);

    if (!out)
        abort();
    npy_copy(a, out);
    free(out);
}

static void into_tensor(const struct npy *a, enum tensor_type type)
{
    struct tensor t = {.name = "t", .type = type};
    struct err err = {""};
    enum status st;

    if (tensor_set_shape(&t, a->dim, a->rank, &err) || !(t.data = malloc(t.bytes + 1)))
        abort();
    st = npy_to_tensor(a, "file", &t, &err);
    if ((st != ST_OK) != (*err.msg != '\0') || (!st && tensor_check_bools(&t, &err)))
        abort();
    free(t.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct npy a;
    struct err err = {""};
    enum status st = npy_parse(data, bytes, "file", &a, &err);

    if ((st != ST_OK) != (*err.msg != '\0'))
        abort();
    if (st)
        return 0;
    if (a.data + a.elems * a.item_bytes != data + bytes)
        abort();
    copy_all(&a);
    if (a.type != TYPE_STRING)
        into_tensor(&a, a.type);
    if (a.type == TYPE_INT8)
        into_tensor(&a, TYPE_INT4);
    return 0;
}
