/* SPDX-License-Identifier: Apache-2.0 */
/* hashtable.c - cases of HASHTABLE, HASHTABLE_IMPORT, HASHTABLE_FIND and HASHTABLE_SIZE: models that fill a table and read it. */
#include "bench/opcheck/opcheck.h"
#include "bench/models/builder.h"

enum { KEYS = 4 };

static const struct opt_hashtable to_int = {.table_id = 7, .key_dtype = TYPE_STRING, .value_dtype = TYPE_INT64};
static const struct opt_hashtable to_string = {.table_id = 8, .key_dtype = TYPE_INT64, .value_dtype = TYPE_STRING};
static const int64_t numbers[KEYS] = {10, -20, 30, 40}, none = -1;

static int32_t handle_of(struct builder *b, const struct opt_hashtable *o)
{
    int32_t h = build_tensor(b, "table", TYPE_RESOURCE, SHAPE(1));

    build_op(b, BUILTIN_HASHTABLE, 1, o, NULL, 0, INDICES(h));
    return h;
}

/* From words, one of them twice, to numbers. */
static void build_find_int(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_STRING, SHAPE(3)), y = build_tensor(b, "y", TYPE_INT64, SHAPE(3));
    int32_t keys = build_tensor(b, "keys", TYPE_STRING, SHAPE(KEYS));
    int32_t values = build_const(b, "values", TYPE_INT64, SHAPE(KEYS), numbers);
    int32_t fallback = build_const(b, "none", TYPE_INT64, SCALAR, &none), h = handle_of(b, &to_int);

    build_op(b, BUILTIN_HASHTABLE_IMPORT, 1, NULL, INDICES(h, keys, values), NULL, 0);
    build_op(b, BUILTIN_HASHTABLE_FIND, 1, NULL, INDICES(h, x, fallback), INDICES(y));
    build_ends(b, INDICES(x, keys), INDICES(y));
}

/* How many keys there are, and how many are asked for. */
static void build_size(struct builder *b)
{
    int32_t values = build_const(b, "values", TYPE_INT64, SHAPE(KEYS), numbers), h = handle_of(b, &to_int);
    int32_t x = build_tensor(b, "x", TYPE_INT64, SHAPE(1)), n = build_tensor(b, "n", TYPE_INT64, SHAPE(1));
    int32_t y = build_tensor(b, "y", TYPE_INT64, SHAPE(1)), keys = build_tensor(b, "keys", TYPE_STRING, SHAPE(KEYS));

    build_op(b, BUILTIN_HASHTABLE_IMPORT, 1, NULL, INDICES(h, keys, values), NULL, 0);
    build_op(b, BUILTIN_HASHTABLE_SIZE, 1, NULL, INDICES(h), INDICES(n));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(n, x), INDICES(y));
    build_ends(b, INDICES(x, keys), INDICES(y));
}

/* Nothing is imported: no key is there. */
static void build_unfilled_size(struct builder *b)
{
    int32_t h = handle_of(b, &to_int), n = build_tensor(b, "n", TYPE_INT64, SHAPE(1));
    int32_t x = build_tensor(b, "x", TYPE_INT64, SHAPE(1)), y = build_tensor(b, "y", TYPE_INT64, SHAPE(1));

    build_op(b, BUILTIN_HASHTABLE_SIZE, 1, NULL, INDICES(h), INDICES(n));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(n, x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

static void build_unfilled_find(struct builder *b)
{
    int32_t x = build_tensor(b, "x", TYPE_STRING, SHAPE(3)), y = build_tensor(b, "y", TYPE_INT64, SHAPE(3));
    int32_t fallback = build_const(b, "none", TYPE_INT64, SCALAR, &none), h = handle_of(b, &to_int);

    build_op(b, BUILTIN_HASHTABLE_FIND, 1, NULL, INDICES(h, x, fallback), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* From numbers to words. */
static void build_find_string(struct builder *b)
{
    const int64_t numbers_twice[KEYS] = {10, -20, 30, 10};
    int32_t keys = build_const(b, "keys", TYPE_INT64, SHAPE(KEYS), numbers_twice), x = build_tensor(b, "x", TYPE_INT64, SHAPE(3));
    int32_t values = build_tensor(b, "values", TYPE_STRING, SHAPE(KEYS)), y = build_tensor(b, "y", TYPE_STRING, SHAPE(3));
    int32_t fallback = build_tensor(b, "none", TYPE_STRING, SHAPE(1)), h = handle_of(b, &to_string);

    build_op(b, BUILTIN_HASHTABLE_IMPORT, 1, NULL, INDICES(h, keys, values), NULL, 0);
    build_op(b, BUILTIN_HASHTABLE_FIND, 1, NULL, INDICES(h, x, fallback), INDICES(y));
    build_ends(b, INDICES(x, values, fallback), INDICES(y));
}

/* Numbers to words, but the table holds words to numbers. */
static void build_wrong_way(struct builder *b)
{
    int32_t values = build_const(b, "values", TYPE_INT64, SHAPE(KEYS), numbers), h = handle_of(b, &to_string);
    int32_t x = build_tensor(b, "x", TYPE_INT64, SHAPE(3)), y = build_tensor(b, "y", TYPE_STRING, SHAPE(3));
    int32_t keys = build_tensor(b, "keys", TYPE_STRING, SHAPE(KEYS));

    build_op(b, BUILTIN_HASHTABLE_IMPORT, 1, NULL, INDICES(h, keys, values), NULL, 0);
    build_op(b, BUILTIN_HASHTABLE_FIND, 1, NULL, INDICES(h, x, values), INDICES(y));
    build_ends(b, INDICES(x, keys), INDICES(y));
}

#define STRINGS(n, ...) {TYPE_STRING, CASE_DIMS(n), .fill = FILL_GIVEN, .data = (const char *const[]){__VA_ARGS__}}
#define WORDS STRINGS(3, "bc", "b", "a")
#define TABLE_WORDS STRINGS(KEYS, "a", "bc", "", "a")

const struct op_case hashtable_cases[] = {
    { "numbers looked up in a table of words", .build = build_wrong_way, .fails = "expected INT64 and STRING", .in = {
      TENSOR(INT64, 3), TABLE_WORDS } },
    { 0 }
};

const struct op_case hashtable_import_cases[] = {
    { "twice", .build = build_find_int, .runs = 2, .in = { WORDS, TABLE_WORDS } },
    { "no table", .in = { F32(1), TABLE_WORDS, TENSOR(INT64, KEYS) }, .fails = "expected 3 and 0" },
    { 0 }
};

const struct op_case hashtable_find_cases[] = {
    { "words", .build = build_find_int, .in = { WORDS, TABLE_WORDS } },
    { "numbers", .build = build_find_string, .in = { {TYPE_INT64, CASE_DIMS(3), .fill = FILL_GIVEN,
      .data = (const int64_t[]){-20, 11, 10}}, TABLE_WORDS, STRINGS(1, "none") } },
    { "before the table is filled", .build = build_unfilled_find, .fails = "before it is filled", .in = { WORDS } },
    { 0 }
};

const struct op_case hashtable_size_cases[] = {
    { "a key twice", .build = build_size, .in = { TENSOR(INT64, 1), TABLE_WORDS } },
    { "no table", .in = { F32(1) }, .out = { TENSOR(INT64, 1) }, .fails = "not a resource" },
    { "before the table is filled", .build = build_unfilled_size, .in = { TENSOR(INT64, 1) } },
    { 0 }
};
