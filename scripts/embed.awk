# SPDX-License-Identifier: Apache-2.0
# embed.awk - turns each shader file into a C string named after it: kernels_gl/conv.comp becomes conv_comp.
function finish() { if (open) print "    \"\";\n" }
FNR == 1 {
    finish()
    name = FILENAME; sub(/.*\//, "", name); sub(/\.comp$/, "", name)
    print "const char " name "_comp[] ="; open = 1
}
{ gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); print "    \"" $0 "\\n\"" }
END { finish() }
