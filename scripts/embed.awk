# SPDX-License-Identifier: Apache-2.0
# embed.awk - turns each shader file into a C string named after it: kernels_gl/conv.comp becomes conv_comp.
#
# The licence line, always a file's first, stays out of the program. Line numbers in a driver's messages are those of the whole
# shader, not of this file: lib/gl/program.c quotes the line, --dump_shaders writes the shader.
function finish() { if (open) print "    \"\";\n" }
FNR == 1 {
    finish()
    name = FILENAME; sub(/.*\//, "", name); sub(/\.comp$/, "", name)
    print "const char " name "_comp[] ="; open = 1
    if (/SPDX-License-Identifier/) next
}
{ gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); print "    \"" $0 "\\n\"" }
END { finish() }
