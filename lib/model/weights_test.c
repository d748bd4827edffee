/* SPDX-License-Identifier: Apache-2.0 */
/* weights_test.c - constants in files beside the model, in sections of its bundle, and where the user says. */
#include "lib/model/weights.h"

#include <stdlib.h>
#include <unistd.h>

#include "bench/models/bundle_writer.h"
#include "lib/testing/test_files.h"
#include "lib/testing/test_small_model.h"

static char dir[64];
static struct err err;

/* The small model, whose weights are in group `group` at `offset`. */
struct split {
    struct small s;
    struct model_external at;
    struct model_group groups[2];
    uint8_t *file;
    size_t bytes;
};

static int setup(void **state)
{
    (void)state;
    make_temp_dir(dir);
    return 0;
}

static int teardown(void **state)
{
    char command[96];

    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command);
}

static const char *in_dir(const char *name)
{
    static char paths[4][128];
    static unsigned next;
    char *out = paths[next++ % 4];

    snprintf(out, sizeof paths[0], "%s/%s", dir, name);
    return out;
}

/* Group 0 is an empty place, as LiteRT's exporter has it. */
static void split_init(struct split *x, const char *group, uint64_t offset)
{
    small_init(&x->s);
    for (int i = 0; i < 16; i++)
        x->s.weights[i] = (float)i;
    x->at = (struct model_external){.id = 0x80000000, .group = 1, .offset = offset, .bytes = 64};
    x->groups[0] = (struct model_group){.name = "", .place = ""};
    x->groups[1] = (struct model_group){.name = group, .place = "", .offset = offset};
    x->groups[1].range = (struct file_range){.data = (const uint8_t *)x->s.weights, .bytes = 64};
    x->s.buffers[1].external = &x->at;
    x->s.m.groups = x->groups;
    x->s.m.n_groups = 2;
    x->s.m.keep_external = true;
    TEST_OK(model_serialize(&x->s.m, &x->file, &x->bytes, &err), err);
}

static void write_model(const char *name, const char *group, uint64_t offset)
{
    struct split x;

    split_init(&x, group, offset);
    write_file(in_dir(name), x.file, x.bytes);
    free(x.file);
}

/* Bytes of a store: the weights, each number plus `more`, at `offset`, with a hole before them. */
static void write_store(const char *name, uint64_t offset, float more)
{
    float w[16];
    FILE *f = fopen(in_dir(name), "wb");

    assert_non_null(f);
    for (int i = 0; i < 16; i++)
        w[i] = (float)i + more;
    assert_int_equal(fseeko(f, (off_t)offset, SEEK_SET), 0);
    assert_int_equal(fwrite(w, sizeof w, 1, f), 1);
    assert_int_equal(fclose(f), 0);
}

static void expect(const char *path, const char *weights, float first)
{
    const struct tensor *w;
    struct model *m;

    TEST_OK(model_open_with(path, weights, &m, &err), err);
    w = &m->subgraphs[0].tensors[1];
    assert_true(w->is_const && w->bytes == 64);
    assert_true(((const float *)w->data)[0] == first && ((const float *)w->data)[15] == first + 15);
    model_close(m);
}

static void expect_failure(const char *path, const char *weights, enum status st, const char *says)
{
    struct model *m;

    assert_int_equal(model_open_with(path, weights, &m, &err), st);
    if (!strstr(err.msg, says))
        fail_msg("\"%s\" does not say \"%s\"", err.msg, says);
}

static void beside(void **state)
{
    char given[512];

    (void)state;
    write_model("m.tflite", "weights.bin", 128);
    expect_failure(in_dir("m.tflite"), NULL, ST_IO, "weights.bin: No such file or directory (--weights=FILE names another file)");
    write_store("weights.bin", 128, 100);
    write_store("other.bin", 128, 200);
    write_store("third.bin", 128, 300);
    write_store("small:bin", 64, 0);
    expect(in_dir("m.tflite"), NULL, 100);
    expect(in_dir("m.tflite"), in_dir("other.bin"), 200);
    snprintf(given, sizeof given, "%s/other.bin\n%s/third.bin:weights.bin", dir, dir);
    expect(in_dir("m.tflite"), given, 300);
    snprintf(given, sizeof given, "%s/other.bin:else", dir);
    expect(in_dir("m.tflite"), given, 100);
    expect_failure(in_dir("m.tflite"), in_dir("small:bin"), ST_BAD_MODEL, "its buffers reach to byte 192, but");
}

static void leading_out(void **state)
{
    static const char *const names[] = {"/etc/passwd", "../weights.bin", "a/../../b", "..", ""};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        write_model("out.tflite", names[i], 0);
        expect_failure(in_dir("out.tflite"), NULL, ST_USAGE, "this is no file beside the model");
    }
}

static void in_memory(void **state)
{
    struct split x;
    struct model *m;

    (void)state;
    split_init(&x, "weights.bin", 0);
    assert_int_equal(model_parse(x.file, x.bytes, "m", &m, &err), ST_USAGE);
    assert_string_equal(err.msg, "m: weight group \"weights.bin\": the model is in memory: --weights=FILE names the file with it");
    free(x.file);
}

/* The store is 5 GiB, and neither read nor on the disk. */
static void bundles(void **state)
{
    const uint64_t far = ((uint64_t)5 << 30) - 64;
    struct bundle_part parts[] = {
        {.name = "a/m.tflite", .type = PART_MODEL, .model_type = "tf_lite_aux"},
        {.name = "a/tflite_weights", .type = PART_WEIGHTS, .model_type = "tf_lite_aux", .bytes = far + 64}};
    struct split x;
    struct model *m;

    (void)state;
    split_init(&x, "tflite_weights", far);
    parts[0].data = x.file, parts[0].bytes = x.bytes;
    TEST_OK(bundle_write_litertlm(in_dir("b.litertlm"), parts, 2, &err), err);
    TEST_OK(bundle_write_task(in_dir("b.task"), parts, 2, false, &err), err);
    for (int i = 0; i < 2; i++) {
        TEST_OK(model_open(in_dir(i ? "b.task" : "b.litertlm"), &m, &err), err);
        assert_true(((const float *)m->subgraphs[0].tensors[1].data)[15] == 0);
        assert_string_equal(m->groups[1].place, "section 1");
        assert_int_equal(m->groups[1].range.bytes, 64);
        model_close(m);
    }
    parts[1].bytes = 32;
    TEST_OK(bundle_write_litertlm(in_dir("b.litertlm"), parts, 2, &err), err);
    expect_failure(in_dir("b.litertlm"), NULL, ST_BAD_MODEL, "but section 1 has 32 bytes");
    TEST_OK(bundle_write_litertlm(in_dir("b.litertlm"), parts, 1, &err), err);
    expect_failure(in_dir("b.litertlm#AUX"), NULL, ST_IO, "b.litertlm#AUX: weight group \"tflite_weights\": ");
    free(x.file);
}

/* Put into the file, or left where they are. */
static void written(void **state)
{
    struct model *m, *again;
    uint8_t *file;
    size_t bytes;

    (void)state;
    write_model("m.tflite", "weights.bin", 128);
    write_store("weights.bin", 128, 7);
    TEST_OK(model_open(in_dir("m.tflite"), &m, &err), err);
    assert_int_equal(m->n_buffers, 4);
    for (int keep = 0; keep < 2; keep++) {
        m->keep_external = keep;
        TEST_OK(model_serialize(m, &file, &bytes, &err), err);
        if (keep)
            assert_int_equal(model_parse(file, bytes, "again", &again, &err), ST_USAGE);
        write_file(in_dir("again.tflite"), file, bytes);
        expect(in_dir("again.tflite"), NULL, 7);
        TEST_OK(model_open(in_dir("again.tflite"), &again, &err), err);
        assert_int_equal(again->n_groups, keep ? 2 : 0);
        assert_int_equal(again->n_buffers, 4);
        model_close(again);
        free(file);
    }
    model_close(m);
}

static void unused(void **state)
{
    struct model *m[2];

    (void)state;
    write_model("m.tflite", "weights.bin", 0);
    write_store("other.bin", 0, 1);
    TEST_OK(model_open_with(in_dir("m.tflite"), in_dir("other.bin"), &m[0], &err), err);
    write_store("weights.bin", 0, 1);
    TEST_OK(model_open(in_dir("m.tflite"), &m[1], &err), err);
    for (uint32_t n = 1; n <= 2; n++)
        for (int i = 0; i < 6; i++) {
            static const char *const lines[] = {
                "/other.bin", "/other.bin:weights.bin", "/other.bin:weights", "/other.bin\n/third.bin", "/other.bi", "/othex.bin"};
            char given[512];
            enum status st;

            snprintf(given, sizeof given, "%s%s", dir, lines[i]);
            st = weights_check_used(given, (const struct model *const *)m, n, &err);
            assert_int_equal(st, i < 2 ? ST_OK : ST_USAGE);
            if (st &&
                !strstr(err.msg, n == 1 ? ": the model takes no constants from it" : ": the models take no constants from it"))
                fail_msg("%s", err.msg);
        }
    TEST_OK(weights_check_used("", NULL, 0, &err), err);
    TEST_OK(weights_check_used(in_dir("weights.bin"), (const struct model *const *)m, 2, &err), err);
    assert_int_equal(weights_check_used(in_dir("weights.bin"), (const struct model *const *)m, 1, &err), ST_USAGE);
    model_close(m[0]);
    model_close(m[1]);
}

/* The stores alone differ. */
static void hashed(void **state)
{
    char hash[3][SHA256_HEX_SIZE];
    struct model *m;

    (void)state;
    write_model("m.tflite", "weights.bin", 0);
    for (int i = 0; i < 3; i++) {
        write_store("weights.bin", 0, i == 1 ? 5 : 1);
        TEST_OK(model_open(in_dir("m.tflite"), &m, &err), err);
        assert_ptr_equal(weights_sha256(m, hash[i]), hash[i]);
        model_close(m);
    }
    assert_string_equal(hash[0], hash[2]);
    assert_string_not_equal(hash[0], hash[1]);
    assert_null(weights_sha256(&(struct model){0}, hash[0]));
}

static void refuse(struct split *x, enum status st, const char *says)
{
    uint8_t *file;
    size_t bytes;

    assert_int_equal(model_serialize(&x->s.m, &file, &bytes, &err), st);
    if (!strstr(err.msg, says))
        fail_msg("\"%s\" does not say \"%s\"", err.msg, says);
}

static void broken(void **state)
{
    struct model_external twin;
    struct split x;
    uint8_t *packing;
    struct model *m;

    (void)state;
    split_init(&x, "weights.bin", 0);
    for (packing = x.file; memcmp(packing, "unpacked", 8) != 0; packing++)
        ;
    memcpy(packing, "gzip-ped", 8);
    assert_int_equal(model_parse(x.file, x.bytes, "m", &m, &err), ST_UNSUPPORTED);
    assert_string_equal(err.msg, "m: external buffer 0: it is packed as \"gzip-ped\"");
    free(x.file);
    x.at.group = 2;
    refuse(&x, ST_BAD_MODEL, "external buffer 0: it is in weight group 2 of 2");
    x.at.group = 1;
    x.at.bytes = 60;
    refuse(&x, ST_BAD_MODEL, "needs 64 bytes, its buffer has 60");
    x.at.bytes = UINT64_MAX - 3;
    refuse(&x, ST_BAD_MODEL, "external buffer 0: 18446744073709551612 bytes at offset 0");
    x.at.bytes = 64;
    twin = x.at;
    x.s.buffers[2].external = &twin;
    refuse(&x, ST_BAD_MODEL, "two external buffers have id 2147483648");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beside),  cmocka_unit_test(leading_out), cmocka_unit_test(in_memory), cmocka_unit_test(bundles),
        cmocka_unit_test(written), cmocka_unit_test(broken),      cmocka_unit_test(unused),    cmocka_unit_test(hashed),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
