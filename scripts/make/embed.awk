# SPDX-License-Identifier: Apache-2.0
# embed.awk - packs the text of every kernels_gl/X.comp into one array of C, which lib/gl/device/texts.c unpacks; -v header=1: their
# names.
#
# Lines that are comments stay out of the programs. Line numbers in a driver's messages are those of the whole shader, not of the
# file: lib/gl/device/program.c quotes the line, --dump_shaders writes the shader. Every text ends with a zero.
#
# The packed form is lib/gl/device/texts.h's. Numbers stay below 2^53, so that every awk counts right.
function end_text() { if (names) { text[n++] = 0; size[names] = n - start } }

# Characters at i that stand at i - back, too: at most 256.
function same_at(i, back,   k) {
    for (k = 0; k < 256 && i + k < n && text[i + k] == text[i + k - back]; k++);
    return k
}

# Binary digits below the first.
function digits(x,   k) {
    for (; x >= 2; x /= 2) k++
    return k + 0
}

# The best repeat for what stands at i: into found_length and found_back. A long way back takes more bits to say.
function find(i,   at, tries, length_at, worth) {
    found_length = i >= last_back ? same_at(i, last_back) : 0
    found_back = last_back; found_worth = found_length >= 2 ? found_length * 6 - 4 : 0
    at = i + 2 < n && (keys[i] in latest) ? latest[keys[i]] : -1
    for (tries = 0; at >= 0 && tries < 400; tries++) {
        if (text[at + found_length] == text[i + found_length] && (length_at = same_at(i, i - at)) >= 3) {
            worth = length_at * 6 - 6 - digits(i - at)
            if (worth > found_worth) { found_worth = worth; found_length = length_at; found_back = i - at }
        }
        at = before[at]
    }
    if (found_worth <= 0) found_length = 0
}

function enter(i) {
    if (i + 2 < n) { before[i] = (keys[i] in latest) ? latest[keys[i]] : -1; latest[keys[i]] = i }
}

# ---- the coder: low and range as in any range coder; a carry runs up through the bytes that wait ----

function put_byte(byte) { printf "%d,%s", byte, ++bytes % 32 ? "" : "\n" }

function shift_low(   carry) {
    if (low < 4278190080 || low >= 4294967296) {
        carry = low >= 4294967296
        for (; waiting; waiting--) { if (begun) put_byte((held + carry) % 256); begun = 1; held = 255 }
        held = int(low / 16777216) % 256
    }
    waiting++
    low = (low % 16777216) * 256
}

# away[] is how far the chance of a zero, in 4096ths, has gone from a half.
function put_bit(at, bit,   chance, bound) {
    chance = 2048 + away[at]; bound = int(range / 4096) * chance
    if (bit) {
        low += bound; range -= bound; away[at] -= int(chance / 16)
    } else {
        range = bound; away[at] += int((4096 - chance) / 16)
    }
    for (; range < 16777216; range *= 256) shift_low()
}

function put_tree(at, bits, value,   node, place) {
    node = 1
    for (place = power[bits - 1]; place >= 1; place /= 2) {
        put_bit(at + node, int(value / place) % 2)
        node = 2 * node + int(value / place) % 2
    }
}

function put_repeat(length_of, back, is_again,   bits, place) {
    put_bit(AGAIN + repeated, is_again)
    put_tree(LENGTH + 256 * is_again, 8, length_of - (is_again ? 1 : 3))
    if (is_again) return
    bits = digits(back)
    put_tree(DIGITS + 32 * (length_of < 6 ? length_of - 3 : 3), 5, bits)
    for (place = bits - 1; place >= 0; place--) put_bit(PLACE + 32 * bits + place, int(back / power[place]) % 2)
}

function pack(   i, k, keep_length, keep_back, keep_worth) {
    range = 4294967295; waiting = 1; last_back = 1; repeated = 0
    AGAIN = 2; LENGTH = 4; DIGITS = 516; PLACE = 644; LITERAL = 1668
    find(0)
    for (i = 0; i < n;) {
        keep_length = found_length; keep_back = found_back; keep_worth = found_worth
        enter(i)
        if (i + 1 < n) find(i + 1)
        if (keep_length && !(i + 1 < n && found_worth > keep_worth + 3)) {
            put_bit(repeated, 1)
            put_repeat(keep_length, keep_back, keep_back == last_back)
            last_back = keep_back; repeated = 1
            for (k = 1; k < keep_length; k++) enter(i + k)
            i += keep_length
            if (i < n) find(i)
        } else {
            put_bit(repeated, 0)
            put_tree(LITERAL + 128 * (i ? text[i - 1] : 0), 7, text[i])
            repeated = 0; i++
        }
    }
    for (i = 0; i < 5; i++) shift_low()
}

BEGIN {
    for (i = 1; i < 128; i++) code[sprintf("%c", i)] = i
    power[0] = 1
    for (i = 1; i < 32; i++) power[i] = 2 * power[i - 1]
}
FNR == 1 { end_text(); name[++names] = FILENAME; start = n }
/^ *\/\// { next }
{
    for (i = 1; i <= length($0); i++) {
        if (!(substr($0, i, 1) in code)) { print FILENAME ":" FNR ": not ASCII" | "cat >&2"; exit failed = 1 }
        text[n++] = code[substr($0, i, 1)]
    }
    text[n++] = 10
}
END {
    if (failed) exit 1
    end_text()
    if (header) {
        print "/* made by make: the text of every kernels_gl/X.comp as X_comp, unpacked by gl_texts_unpack */"
        print "#ifndef DELEGAUGE_SHADERS_H\n#define DELEGAUGE_SHADERS_H\n#include <stddef.h>\nextern struct gl_texts {"
        for (i = 1; i <= names; i++) {
            sub(/.*\//, "", name[i]); sub(/\.comp$/, "", name[i])
            print "    char " name[i] "[" size[i] "];"
            defines = defines "#define " name[i] "_comp gl_texts." name[i] "\n"
            list = list " X(" name[i] ")"
        }
        print "} gl_texts;\nextern const unsigned char gl_texts_packed[];\nextern const size_t gl_texts_packed_size;"
        print defines "#define GL_TEXTS(X)" list "\n#endif"
    } else {
        for (i = 0; i + 2 < n; i++) keys[i] = text[i] * 16384 + text[i + 1] * 128 + text[i + 2]
        print "const unsigned char gl_texts_packed[] = {"
        pack()
        print "};\nconst size_t gl_texts_packed_size = sizeof gl_texts_packed;"
    }
}
