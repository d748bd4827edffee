/* SPDX-License-Identifier: Apache-2.0 */
/* sha256_test.c - the test vectors of FIPS 180-4, and lengths around a block. */
#include "lib/base/sha256.h"
#include "lib/testing/test.h"

static void vectors(void **state)
{
    static const char long_text[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    char a[SHA256_HEX_SIZE];

    (void)state;
    assert_string_equal(sha256_hex("", 0, a), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_string_equal(sha256_hex(NULL, 0, a), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_string_equal(sha256_hex("abc", 3, a), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_string_equal(sha256_hex(long_text, 56, a), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void lengths(void **state)
{
    static char text[1000000];
    char a[SHA256_HEX_SIZE];

    (void)state;
    memset(text, 'a', sizeof text);
    assert_string_equal(sha256_hex(text, 55, a), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    assert_string_equal(sha256_hex(text, 64, a), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    assert_string_equal(sha256_hex(text, 1000000, a), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(vectors), cmocka_unit_test(lengths)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
