# SPDX-License-Identifier: Apache-2.0
# unit_tests.awk - the source of the program that has all unit tests: awk -f scripts/make/unit_tests.awk NAME... of lib/X_test. Each
# is a main() that was compiled under a name of its own (lib_X_test_main); the name by which the program is called says which one
# runs, so that the tests of each file have a process of their own.
BEGIN {
    print "/* made by make */\n#include <stdio.h>\n#include <string.h>\n"
    for (i = 1; i < ARGC; i++) {
        function_of[i] = ARGV[i] "_main"
        gsub("/", "_", function_of[i])
        print "int " function_of[i] "(void);"
    }
    print "\nstatic const struct {\n    const char *name;\n    int (*run)(void);\n} tests[] = {"
    for (i = 1; i < ARGC; i++)
        print "    {\"/" ARGV[i] "\", " function_of[i] "},"
    print "};\n"
    print "int main(int argc, char **argv)\n{\n    const size_t length = argc ? strlen(argv[0]) : 0;\n"
    print "    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {"
    print "        const size_t n = strlen(tests[i].name);\n"
    print "        if (length >= n && !strcmp(argv[0] + length - n, tests[i].name))"
    print "            return tests[i].run();"
    print "    }"
    print "    fprintf(stderr, \"%s: called by the name of none of the tests in it\\n\", argc ? argv[0] : \"\");"
    print "    return 2;\n}"
    exit
}
