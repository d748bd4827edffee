/* SPDX-License-Identifier: Apache-2.0 */
/* texts_test.c - what is unpacked is what the files of kernels_gl have. */
#include "lib/gl/device/texts.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "lib/testing/test_files.h"

enum { ROOM = 1 << 16 };

/* Leaves the lines out that are comments. */
static void strip(char *text)
{
    char *to = text;

    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n") + 1;

        if (strncmp(line + strspn(line, " "), "//", 2) != 0) {
            memmove(to, line, length);
            to += length;
        }
        line += length;
    }
    *to = 0;
}

static void assert_text(const char *pattern, const char *unpacked, size_t size)
{
    char *text = malloc(ROOM);
    glob_t found;

    assert_non_null(text);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 1);
    text[read_file(found.gl_pathv[0], text, ROOM - 1)] = 0;
    globfree(&found);
    strip(text);
    assert_string_equal(unpacked, text);
    assert_int_equal(size, strlen(text) + 1);
    assert_true(size > 1);
    free(text);
}

static void every_text(void **state)
{
    (void)state;
    gl_texts_unpack();
#define ONE(name) assert_text("kernels_gl/*/" #name ".comp", gl_texts.name, sizeof gl_texts.name);
    GL_TEXTS(ONE)
#undef ONE
}

/* They take less room than half of what they are. */
static void packed(void **state)
{
    (void)state;
    assert_true(gl_texts_packed_size > 0 && gl_texts_packed_size < sizeof gl_texts / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_text), cmocka_unit_test(packed)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
