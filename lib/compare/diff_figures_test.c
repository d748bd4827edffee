/* SPDX-License-Identifier: Apache-2.0 */
/* diff_figures_test.c - figures of a comparison against NumPy's, frozen in testdata/diff_figures.txt by
 * scripts/reference/golden_diff.py. */
#include "lib/compare/diff.h"
#include "lib/testing/test.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ELEMS = 128 };

static struct golden {
    char name[48];
    struct tensor tensor[2]; /* reference, test */
    uint64_t data[2][MAX_ELEMS];
    float scale;
    int64_t zero_point;
    struct diff raw, real;
    size_t elems;
} golden;

static enum tensor_type type_of(const char *numpy)
{
    char name[16] = "";

    for (size_t i = 0; numpy[i] && i + 1 < sizeof name; i++)
        name[i] = (char)toupper((unsigned char)numpy[i]);
    return type_from_name(name);
}

static void begin_case(const char *line)
{
    char type[16];
    double scale = 0;
    long long zero = 0;
    int columns = 0, words;

    golden = (struct golden){.name = ""};
    words = sscanf(line, "case %47s %15s %d %lf %lld", golden.name, type, &columns, &scale, &zero);
    assert_true(words >= 3 && type_of(type) != TYPE_NONE);
    golden.scale = (float)scale;
    golden.zero_point = zero;
    for (int side = 0; side < 2; side++) {
        struct tensor *t = &golden.tensor[side];

        *t = (struct tensor){.name = golden.name, .type = type_of(type), .rank = 2, .dim = {0, columns}};
        t->data = golden.data[side];
        if (words == 5)
            t->quant = (struct quant){.n = 1, .scale = &golden.scale, .zero_point = &golden.zero_point};
    }
    golden.raw.allowed = (struct tolerance){.limited = true, .atol = 1e-3, .rtol = 1e-2, .max_ulp = -1};
}

static void read_elements(int side, char *line)
{
    struct tensor *t = &golden.tensor[side];
    const size_t bytes = type_bits(t->type) / 8;
    size_t n = 0;

    for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n"), n++) {
        uint64_t bits = strtoull(word, NULL, 16);

        assert_true(n < MAX_ELEMS);
        memcpy((uint8_t *)t->data + n * bytes, &bits, bytes); /* little-endian, as all of it */
    }
    t->dim[0] = (int32_t)n / t->dim[1];
    t->bytes = n * bytes;
    golden.elems = n;
}

static double figure(const char *name, const struct diff *d)
{
    const struct {
        const char *name;
        double value;
    } all[] = {{"mean", diff_mean_abs(d)},
               {"max", diff_max_abs(d)},
               {"rms", diff_rms(d)},
               {"relative", diff_relative(d)},
               {"cosine", diff_cosine(d)},
               {"snr", diff_snr_db(d)},
               {"psnr", diff_psnr_db(d)},
               {"max_ulp", diff_max_ulp(d)},
               {"mean_ulp", diff_mean_ulp(d)},
               {"different", (double)d->different},
               {"top1", (double)d->top1_different},
               {"beyond", (double)d->beyond}};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i].name, name))
            return all[i].value;
    fail_msg("no figure %s", name);
    return NAN;
}

static void hold(const char *line)
{
    char name[32];
    double expected, got;

    assert_int_equal(sscanf(line, "%31s %lf", name, &expected), 2);
    got = strncmp(name, "real_", 5) != 0 ? figure(name, &golden.raw) : figure(name + 5, &golden.real);
    if (got != expected && !(fabs(got - expected) <= 1e-11 * fabs(expected)))
        fail_msg("%s of %s is %.17g, NumPy has %.17g", name, golden.name, got, expected);
}

static void hold_histogram(char *line)
{
    int bin = 0;

    (void)strtok(line, " \n");
    for (char *word = strtok(NULL, " \n"); word; word = strtok(NULL, " \n"), bin++) {
        assert_true(bin < DIFF_BINS);
        if (golden.raw.histogram[bin] != strtoull(word, NULL, 10))
            fail_msg("bin %d of %s has %llu, NumPy %s", bin, golden.name, (unsigned long long)golden.raw.histogram[bin], word);
    }
    assert_int_equal(bin, DIFF_BINS);
}

/* All that compares tensors in the tools comes down to these sums. */
static void as_numpy_has_it(void **state)
{
    static char line[1 << 14];
    FILE *f = fopen("testdata/diff_figures.txt", "re");
    int cases = 0, figures = 0;

    (void)state;
    if (!f)
        fail_msg("testdata/diff_figures.txt: not run from the top of the project");
    while (fgets(line, sizeof line, f)) {
        if (!strncmp(line, "case ", 5)) {
            begin_case(line);
            for (int side = 0; side < 2; side++) {
                assert_non_null(fgets(line, sizeof line, f));
                read_elements(side, line);
            }
            diff_add(&golden.raw, &golden.tensor[0], &golden.tensor[1], false);
            if (golden.scale > 0)
                diff_add(&golden.real, &golden.tensor[0], &golden.tensor[1], true);
            cases++;
        } else if (!strncmp(line, "histogram", 9)) {
            hold_histogram(line);
        } else if (*line != '#') {
            hold(line);
            figures++;
        }
    }
    fclose(f);
    assert_true(cases == 11 && figures == 153);
}

/* Distances to the ends of the scale, and across zero. */
static void units_in_the_last_place(void **state)
{
    double a[] = {0, -1.7976931348623157e308, 1}, b[] = {-4.9406564584124654e-324, 1.7976931348623157e308, -1};
    struct tensor ta = {.name = "", .type = TYPE_FLOAT64, .rank = 1, .dim = {1}, .bytes = sizeof *a}, tb = ta;

    (void)state;
    for (int i = 0; i < 3; i++) {
        static const double expected[] = {1, 18437736874454810623.0, 9214364837600034816.0};
        struct diff d = {0};

        ta.data = &a[i];
        tb.data = &b[i];
        diff_add(&d, &ta, &tb, false);
        assert_true(diff_max_ulp(&d) == (double)expected[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_numpy_has_it),
        cmocka_unit_test(units_in_the_last_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
