/* SPDX-License-Identifier: Apache-2.0 */
/* cli_bundles.c - tiny models packed together. */
#include "bench/models/cli_bundles.h"

#include <stdlib.h>
#include <string.h>

#include "bench/models/builder.h"
#include "bench/models/bundle_writer.h"
#include "lib/base/fbw.h"
#include "lib/base/file_write.h"

enum { WIDTH = 8 };

static const float weights[WIDTH * WIDTH] = {1, 2, 3, 4, 5, 6, 7, 8, [17] = 1, [26] = 1, [63] = 2};

/* y = x + x. */
static void small(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 4)), y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 4));

    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(x, x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* y = x w. */
static void product(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, WIDTH));
    int32_t w = build_const(b, "w", TYPE_FLOAT32, SHAPE(WIDTH, WIDTH), weights);
    int32_t y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, WIDTH));

    build_op(b, BUILTIN_FULLY_CONNECTED, 1, &(struct opt_fully_connected){0}, INDICES(x, w, -1), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* The same under two signatures. */
static void product_twice(struct builder *b)
{
    product(b);
    build_signature(b, "prefill", (const char *const[]){"tokens"}, (const char *const[]){"logits"});
    build_signature(b, "decode", (const char *const[]){"tokens"}, (const char *const[]){"logits"});
}

static fbw_ref put_table(struct fbw *w, unsigned id, fbw_ref child, unsigned name_id, fbw_ref name)
{
    fbw_start(w);
    fbw_table(w, id, child);
    fbw_table(w, name_id, name);
    return fbw_end(w);
}

/* TFLITE_METADATA of a model: input 0 is normalized by 100 and 50, the classes of output 0 are in labels.txt. */
static uint8_t *make_metadata(size_t *bytes)
{
    const float mean = 100, std = 50;
    fbw_ref numbers[2], unit, input, file, output, graph, lists[2];
    uint8_t *out;
    struct fbw w;

    fbw_init(&w);
    numbers[0] = fbw_vector(&w, &mean, 1, 4, 4);
    numbers[1] = fbw_vector(&w, &std, 1, 4, 4);
    unit = put_table(&w, 0, numbers[0], 1, numbers[1]);
    fbw_start(&w);
    fbw_u8(&w, 0, 1, 0);
    fbw_table(&w, 1, unit);
    unit = fbw_end(&w);
    unit = fbw_tables(&w, &unit, 1);
    input = fbw_string(&w, "image");
    input = put_table(&w, 4, unit, 0, input);
    file = fbw_string(&w, "labels.txt");
    fbw_start(&w);
    fbw_table(&w, 0, file);
    fbw_i8(&w, 2, 2, 0);
    file = fbw_end(&w);
    file = fbw_tables(&w, &file, 1);
    output = fbw_string(&w, "animal");
    output = put_table(&w, 6, file, 0, output);
    lists[0] = fbw_tables(&w, &input, 1);
    lists[1] = fbw_tables(&w, &output, 1);
    graph = put_table(&w, 2, lists[0], 3, lists[1]);
    graph = fbw_tables(&w, &graph, 1);
    file = fbw_string(&w, "photo");
    out = fbw_finish(&w, put_table(&w, 3, graph, 0, file), "M001", bytes);
    fbw_free(&w);
    return out;
}

/* Two classes of a picture of 2 x 2 pixels. */
static void photo(struct builder *b)
{
    static const float w[2 * 12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, [12] = 2};
    int32_t x = build_tensor(b, "image", TYPE_FLOAT32, SHAPE(1, 2, 2, 3));
    int32_t y = build_tensor(b, "animal", TYPE_FLOAT32, SHAPE(1, 2));
    size_t bytes;
    uint8_t *metadata = make_metadata(&bytes);

    build_op(b, BUILTIN_FULLY_CONNECTED, 1, &(struct opt_fully_connected){0},
             INDICES(x, build_const(b, "w", TYPE_FLOAT32, SHAPE(2, 12), w), -1), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
    if (metadata)
        build_metadata(b, "TFLITE_METADATA", metadata, bytes);
    free(metadata);
}

struct bytes {
    uint8_t *data;
    size_t n;
};

static enum status serialize(void (*build)(struct builder *b), struct bytes *out, struct err *err)
{
    struct builder b;
    enum status st;

    builder_init(&b, "packed");
    build(&b);
    st = builder_serialize(&b, &out->data, &out->n, err);
    builder_fini(&b);
    return st;
}

/* Its weights at `offset` of the store. */
static enum status serialize_outside(const char *group, uint64_t offset, struct bytes *out, struct err *err)
{
    struct model_external at = {.id = 0x80000000, .offset = offset, .bytes = sizeof weights};
    struct model_group store = {.name = (char *)group, .place = "", .offset = offset};
    struct builder b;
    enum status st;

    builder_init(&b, "weights outside");
    product_twice(&b);
    store.range = (struct file_range){.data = (const uint8_t *)weights, .bytes = sizeof weights};
    b.model.buffers[b.model.n_buffers - 1].external = &at;
    b.model.groups = &store;
    b.model.n_groups = 1;
    b.model.keep_external = true;
    st = builder_serialize(&b, &out->data, &out->n, err);
    builder_fini(&b);
    return st;
}

static const char *in(const char *dir, const char *name)
{
    static char path[1100];

    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static enum status write_lm(const char *path, const struct bytes *m, const struct bytes *with, uint64_t hole, struct err *err)
{
    const struct bundle_part parts[] = {
        {.type = PART_LLM_METADATA, .data = "about", .bytes = 5},
        {.type = PART_TOKENIZER, .data = "words", .bytes = 5},
        {.type = PART_MODEL, .model_type = "tf_lite_embedder", .backend = "cpu", .data = m->data, .bytes = m->n},
        {.type = PART_MODEL, .model_type = "tf_lite_prefill_decode", .data = with->data, .bytes = with->n},
        {.type = PART_WEIGHTS,
         .model_type = "tf_lite_prefill_decode",
         .data = hole ? NULL : weights,
         .bytes = hole + sizeof weights},
    };

    return bundle_write_litertlm(path, parts, sizeof parts / sizeof *parts, err);
}

enum status cli_bundles_write(const char *dir, struct err *err)
{
    const uint64_t far = (uint64_t)5 << 30;
    const struct bundle_part files[] = {{.name = "other.txt", .data = "one\ntwo\n", .bytes = 8},
                                        {.name = "labels.txt", .data = "cat\ndog\n", .bytes = 8}};
    struct bytes m[6] = {{0}};
    struct bundle_part pair[] = {
        {.name = "small.tflite"}, {.name = "PRODUCT"}, {.name = "labels.txt", .data = "cat\ndog\n", .bytes = 8}};
    enum status st;

    if ((st = serialize(small, &m[0], err)) || (st = serialize(product, &m[1], err)) ||
        (st = serialize_outside("tflite_weights", 0, &m[2], err)) || (st = serialize_outside("tflite_weights", far, &m[3], err)) ||
        (st = serialize_outside("outside.bin", 0, &m[4], err)) || (st = serialize(photo, &m[5], err)))
        goto out;
    pair[0].data = m[0].data, pair[0].bytes = m[0].n;
    pair[1].data = m[1].data, pair[1].bytes = m[1].n;
    if ((st = bundle_write_task(in(dir, "pair.task"), pair, 3, false, err)) ||
        (st = bundle_write_model(in(dir, "photo.tflite"), m[5].data, m[5].n, files, 2, err)) ||
        (st = write_lm(in(dir, "lm.litertlm"), &m[0], &m[2], 0, err)) ||
        (st = write_lm(in(dir, "far.litertlm"), &m[0], &m[3], far, err)) ||
        (st = file_write(in(dir, "outside.tflite"), &(struct file_piece){m[4].data, m[4].n}, 1, err)))
        goto out;
    st = file_write(in(dir, "outside.bin"), &(struct file_piece){weights, sizeof weights}, 1, err);
out:
    for (size_t i = 0; i < sizeof m / sizeof *m; i++)
        free(m[i].data);
    return st;
}
