# SPDX-License-Identifier: Apache-2.0
# embed_rules.awk - turns files of rules into two C arrays: their names, from schema/rules/tflite-gpu.rules tflite-gpu, and texts.
function finish() { if (n) texts = texts "    \"\",\n" }
FNR == 1 {
    finish()
    name = FILENAME; sub(/.*\//, "", name); sub(/\.rules$/, "", name)
    names = names "    \"" name "\",\n"; n++
}
{ gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); texts = texts "    \"" $0 "\\n\"\n" }
END {
    finish()
    print "/* made by make from schema/rules */"
    print "static const char *const rules_builtin_names[] = {\n" names "    0\n};"
    print "static const char *const rules_builtin_texts[] = {\n" texts "};"
}
