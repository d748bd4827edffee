/* SPDX-License-Identifier: Apache-2.0 */
/* npy_test.c - files that NumPy wrote (scripts/reference/golden_npy.py), files that nobody should, and our own read back. */
#include "lib/tensor/npy.h"
#include "lib/testing/test_files.h"

#include <stdlib.h>
#include <unistd.h>

static struct err err;

/* The file's bytes, which the caller frees. */
static uint8_t *load_golden(const char *name, struct npy *a)
{
    uint8_t *file = malloc(4096);
    char path[64];

    assert_non_null(file);
    snprintf(path, sizeof path, "testdata/npy/%s.npy", name);
    TEST_OK(npy_parse(file, read_file(path, file, 4096), path, a, &err), err);
    return file;
}

/* The real number in element i. */
static double element(enum tensor_type type, const void *data, size_t i)
{
    switch (type) {
    case TYPE_BOOL: return ((const bool *)data)[i];
    case TYPE_INT8: return ((const int8_t *)data)[i];
    case TYPE_INT16: return ((const int16_t *)data)[i];
    case TYPE_INT32: return ((const int32_t *)data)[i];
    case TYPE_INT64: return (double)((const int64_t *)data)[i];
    case TYPE_UINT8: return ((const uint8_t *)data)[i];
    case TYPE_UINT16: return ((const uint16_t *)data)[i];
    case TYPE_UINT32: return ((const uint32_t *)data)[i];
    case TYPE_UINT64: return (double)((const uint64_t *)data)[i];
    case TYPE_FLOAT16: return half_to_float(((const uint16_t *)data)[i]);
    case TYPE_BFLOAT16: return bfloat_to_float(((const uint16_t *)data)[i]);
    case TYPE_FLOAT64: return ((const double *)data)[i];
    default: return ((const float *)data)[i];
    }
}

static void all_types(void **state)
{
    static const struct {
        const char *name;
        enum tensor_type type;
        int first; /* element i is i - first */
    } files[] = {
        {"i1", TYPE_INT8, 3},           {"i2", TYPE_INT16, 3},
        {"i4", TYPE_INT32, 3},          {"i8", TYPE_INT64, 3},
        {"u1", TYPE_UINT8, 0},          {"u2", TYPE_UINT16, 0},
        {"u4", TYPE_UINT32, 0},         {"u8", TYPE_UINT64, 0},
        {"f2", TYPE_FLOAT16, 3},        {"f4", TYPE_FLOAT32, 3},
        {"f8", TYPE_FLOAT64, 3},        {"V2", TYPE_BFLOAT16, 3},
        {"i2_big", TYPE_INT16, 3},      {"f4_version2", TYPE_FLOAT32, 3},
        {"f4_scalar", TYPE_FLOAT32, 3}, {"f4_version3", TYPE_FLOAT32, 3},
        {"f4_one_4", TYPE_FLOAT32, 3},  {"f4_fortran_2_3_4", TYPE_FLOAT32, 3},
    };

    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        struct npy a;
        uint8_t *file = load_golden(files[k].name, &a);
        double out[24];

        assert_int_equal(a.type, files[k].type);
        assert_true(a.elems * a.item_bytes <= sizeof out);
        npy_copy(&a, out);
        for (size_t i = 0; i < a.elems; i++)
            assert_true(element(a.type, out, i) == (double)i - files[k].first);
        free(file);
    }
}

static void complex_bool_and_strings(void **state)
{
    static const char *const names[] = {"c8", "c8_big_fortran"};
    struct npy a;
    uint8_t *file, bytes[64];
    float out[12];
    double wide[12];

    (void)state;
    for (int k = 0; k < 2; k++) {
        file = load_golden(names[k], &a);
        npy_copy(&a, out);
        for (int i = 0; i < 6; i++)
            assert_true(a.type == TYPE_COMPLEX64 && out[2 * i] == (float)(i - 3) && out[2 * i + 1] == (float)i + 0.5f);
        free(file);
    }
    file = load_golden("c16", &a);
    npy_copy(&a, wide);
    assert_true(a.type == TYPE_COMPLEX128 && wide[10] == 2 && wide[11] == 5.5);
    free(file);
    file = load_golden("b1", &a);
    npy_copy(&a, bytes);
    assert_true(a.type == TYPE_BOOL && !memcmp(bytes, (uint8_t[]){0, 1, 0, 1, 0, 1}, 6));
    free(file);
    file = load_golden("S5", &a);
    npy_copy(&a, bytes);
    assert_true(a.type == TYPE_STRING && a.item_bytes == 5 && !memcmp(bytes + 15, "sss\0\0", 5));
    free(file);
    file = load_golden("f4_empty_0_3", &a);
    assert_true(a.elems == 0 && a.rank == 2 && a.dim[1] == 3);
    free(file);
}

/* A file with that header, of 24 bytes of content. */
static enum status parse(const char *header, int version, struct npy *a)
{
    static uint8_t file[512];
    size_t n = strlen(header), head = version == 1 ? 10 : 12;

    memcpy(file, "\x93NUMPY", 6);
    file[6] = (uint8_t)version;
    file[7] = 0;
    file[8] = (uint8_t)(n & 255);
    file[9] = (uint8_t)(n >> 8);
    file[10] = file[11] = 0;
    memcpy(file + head, header, n);
    memset(file + head + n, 1, 24);
    err.msg[0] = '\0';
    return npy_parse(file, head + n + 24, "x.npy", a, &err);
}

static void unusual_headers(void **state)
{
    struct npy a;

    (void)state;
    TEST_OK(parse("{\"shape\":(2L,3L),\"descr\":\"<f4\",\"fortran_order\":False}", 1, &a), err);
    assert_true(a.rank == 2 && a.dim[1] == 3);
    TEST_OK(parse(" {'descr' : '=i1' , 'fortran_order' : True , 'shape' : ( 24 , ) , } \n", 2, &a), err);
    assert_true(a.rank == 1 && a.fortran);
    assert_int_equal(parse("{'descr': '|S0', 'fortran_order': True, 'shape': (1048576, 1048576)}", 1, &a), ST_USAGE);
}

static void bad_headers(void **state)
{
    static const char *const cases[][2] = {
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4)}",
         "x.npy has 24 bytes of content, its header says 32: [2,4] elements of 4 bytes"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-6,)}",
         "x.npy: dimension 0 of the header's shape is no number from 0 to 2147483647"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
         "x.npy: dimension 0 of the header's shape is no number from 0 to 2147483647"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,6)}", "x.npy has more than 8 dimensions"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': 6}", "x.npy: the header's shape is no tuple of numbers"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (3,)}",
         "x.npy holds elements of NumPy's type '|O', which no tensor has"},
        {"{'descr': '<U6', 'fortran_order': False, 'shape': (1,)}",
         "x.npy holds elements of NumPy's type '<U6', which no tensor has"},
        {"{'descr': '<f3', 'fortran_order': False, 'shape': (8,)}",
         "x.npy holds elements of NumPy's type '<f3', which no tensor has"},
        {"{'descr': '', 'fortran_order': False, 'shape': (8,)}", "x.npy holds elements of NumPy's type '', which no tensor has"},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,)}",
         "x.npy holds no plain numbers: descr in the header is no text"},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': (6,)}", "x.npy: fortran_order in the header is neither True nor False"},
        {"{'descr': '<f4', 'descr': '<f4', 'shape': (6,)}",
         "x.npy: 'descr' in the header: descr, fortran_order and shape are expected, once each"},
        {"{'descr': '<f4', 'shape': (6,)}", "x.npy: the header lacks descr, fortran_order or shape, or does not end behind them"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (6,)} x",
         "x.npy: the header lacks descr, fortran_order or shape, or does not end behind them"},
        {"{'descr': '<f4' 'fortran_order': False}", "x.npy: the header is no dictionary of Python"},
        {"{'descr': '<f4", "x.npy holds no plain numbers: descr in the header is no text"},
        {"{", "x.npy: the header is no dictionary of Python"},
        {"", "x.npy: the header is no dictionary of Python"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2147483647, 2147483647, 2147483647)}", "x.npy: "},
        {"{'descr': '|S2147483647', 'fortran_order': False, 'shape': (1048576, 1048576)}", "x.npy: "},
    };
    struct npy a;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(parse(cases[i][0], 1, &a), ST_USAGE);
        assert_memory_equal(err.msg, cases[i][1], strlen(cases[i][1]) + (cases[i][1][strlen(cases[i][1]) - 1] != ' '));
    }
}

static void bad_files(void **state)
{
    static const uint8_t long_header[] = "\x93NUMPY\3\0\xff\xff\xff\x7f";
    struct npy a;

    (void)state;
    assert_int_equal(npy_parse("\x93NUMPX\1\0\0\0", 10, "x", &a, &err), ST_USAGE);
    assert_string_equal(err.msg, "x is no .npy file: it does not begin with 93 'NUMPY'");
    assert_int_equal(npy_parse("\x93NUMPY\4\0\0\0", 10, "x", &a, &err), ST_USAGE);
    assert_string_equal(err.msg, "x is a .npy file of version 4.0; 1.0, 2.0 and 3.0 can be read");
    assert_int_equal(npy_parse("\x93NUMPY\1\0\1\0", 10, "x", &a, &err), ST_USAGE);
    assert_string_equal(err.msg, "x ends within its header of 1 bytes");
    assert_int_equal(npy_parse(long_header, 12, "x", &a, &err), ST_USAGE);
    assert_string_equal(err.msg, "x ends within its header of 2147483647 bytes");
    assert_int_equal(npy_parse("", 0, "x", &a, &err), ST_USAGE);
}

static struct tensor tensor_of(enum tensor_type type, void *data, int32_t h, int32_t w)
{
    struct tensor t = {.name = "t", .type = type, .data = data};

    TEST_OK(tensor_set_shape(&t, (int32_t[]){h, w}, 2, &err), err);
    return t;
}

static void must_fit_the_tensor(void **state)
{
    float f[24] = {0};
    struct tensor t = tensor_of(TYPE_FLOAT32, f, 3, 2);
    struct npy a;
    uint8_t *file = load_golden("f4", &a);

    (void)state;
    assert_int_equal(npy_to_tensor(&a, "f4.npy", &t, &err), ST_USAGE);
    assert_string_equal(err.msg, "f4.npy has shape [2,3], 't' is FLOAT32[3,2]");
    t = tensor_of(TYPE_INT32, f, 2, 3);
    assert_int_equal(npy_to_tensor(&a, "f4.npy", &t, &err), ST_USAGE);
    assert_string_equal(err.msg, "f4.npy holds FLOAT32 ('<f4'), 't' is INT32[2,3]");
    t = tensor_of(TYPE_FLOAT32, f, 2, 3);
    TEST_OK(npy_to_tensor(&a, "f4.npy", &t, &err), err);
    assert_true(f[0] == -3 && f[5] == 2);
    free(file);
}

/* A byte an element in the file; values that four bits do not hold are refused, and bytes that are no bool. */
static void small_types(void **state)
{
    uint8_t four[3] = {9, 9, 9}, two[8] = {0, 1, 2, 1, 0, 1};
    struct tensor t = tensor_of(TYPE_INT4, four, 2, 3);
    struct npy a;
    uint8_t *file = load_golden("i1", &a);

    (void)state;
    TEST_OK(npy_to_tensor(&a, "i1.npy", &t, &err), err);
    assert_true(four[0] == 0xed && four[1] == 0x0f && four[2] == 0x21);
    t.type = TYPE_INT2, t.bytes = 2;
    assert_int_equal(npy_to_tensor(&a, "i1.npy", &t, &err), ST_USAGE);
    assert_string_equal(err.msg, "i1.npy: element 0 is -3, which is not within -2 to 1, as INT2 't' needs");
    t = tensor_of(TYPE_BOOL, four, 1, 3);
    a = (struct npy){.type = TYPE_BOOL, .item_bytes = 1, .rank = 2, .dim = {1, 3}, .elems = 3, .data = two};
    assert_int_equal(npy_to_tensor(&a, "b.npy", &t, &err), ST_USAGE);
    free(file);
}

/* What NumPy writes for the same array, to the byte. */
static void written_as_numpy_does(void **state)
{
    static const char *const names[] = {"i1", "i2", "i4",  "i8", "u1", "u2", "u4",        "u8",       "f2",          "f4",
                                        "f8", "c8", "c16", "b1", "S5", "V2", "f4_scalar", "f4_one_4", "f4_empty_0_3"};
    char dir[64], path[96];
    uint8_t ours[512], wide[128];

    (void)state;
    make_temp_dir(dir);
    snprintf(path, sizeof path, "%s/x.npy", dir);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct npy a;
        uint8_t *file = load_golden(names[i], &a);
        struct tensor t = {.name = "t", .type = a.type, .data = wide};
        size_t n = (size_t)(a.data - file) + a.elems * a.item_bytes;

        npy_copy(&a, wide);
        TEST_OK(tensor_set_shape(&t, a.dim, a.rank, &err), err);
        if (a.type == TYPE_STRING) {
            static const int32_t strings[] = {6, 32, 32, 33, 35, 38, 42, 47};

            memcpy(wide, strings, sizeof strings);
            memset(wide + sizeof strings, 's', 15);
            t.bytes = sizeof strings + 15;
        }
        TEST_OK(npy_write(path, &t, &err), err);
        assert_int_equal(read_file(path, ours, sizeof ours), n);
        assert_memory_equal(ours, file, n);
        free(file);
    }
    unlink(path);
    rmdir(dir);
}

static void written_and_read_back(void **state)
{
    uint8_t four[] = {0xed, 0x0f, 0x21}, back[4] = {0}, file[512], bf[] = {0x40, 0xc0, 0, 0, 0x80, 0x3f};
    struct tensor t = tensor_of(TYPE_INT4, four, 2, 3), u = tensor_of(TYPE_UINT4, four, 2, 3),
                  v = tensor_of(TYPE_BFLOAT16, bf, 1, 3), e = tensor_of(TYPE_FLOAT8_E5M2, four, 1, 3), to = t;
    int32_t bad[] = {1, 12, 13, 0};
    char dir[64], path[96];
    struct npy a;

    (void)state;
    make_temp_dir(dir);
    snprintf(path, sizeof path, "%s/x.npy", dir);
    TEST_OK(npy_write(path, &t, &err), err);
    TEST_OK(npy_parse(file, read_file(path, file, sizeof file), path, &a, &err), err);
    assert_int_equal(a.type, TYPE_INT8);
    assert_true((int8_t)a.data[0] == -3 && a.data[5] == 2);
    to.data = back;
    TEST_OK(npy_to_tensor(&a, path, &to, &err), err);
    assert_memory_equal(back, four, 3);
    TEST_OK(npy_write(path, &u, &err), err);
    TEST_OK(npy_parse(file, read_file(path, file, sizeof file), path, &a, &err), err);
    assert_true(a.type == TYPE_UINT8 && a.data[0] == 13);
    TEST_OK(npy_write(path, &v, &err), err);
    TEST_OK(npy_parse(file, read_file(path, file, sizeof file), path, &a, &err), err);
    assert_true(a.type == TYPE_BFLOAT16 && !memcmp(a.data, bf, 6));
    unlink(path);
    assert_int_equal(npy_write(path, &e, &err), ST_UNSUPPORTED);
    t = tensor_of(TYPE_STRING, bad, 1, 1);
    t.bytes = sizeof bad;
    assert_int_equal(npy_write(path, &t, &err), ST_UNSUPPORTED);
    assert_int_equal(access(path, F_OK), -1);
    rmdir(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_types),
        cmocka_unit_test(complex_bool_and_strings),
        cmocka_unit_test(unusual_headers),
        cmocka_unit_test(bad_headers),
        cmocka_unit_test(bad_files),
        cmocka_unit_test(must_fit_the_tensor),
        cmocka_unit_test(small_types),
        cmocka_unit_test(written_as_numpy_does),
        cmocka_unit_test(written_and_read_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
