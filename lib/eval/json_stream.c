/* SPDX-License-Identifier: Apache-2.0 */
/* json_stream.c - one character at a time from a buffer. */
#include "lib/eval/json_stream.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 65536, NUMBER = 400, DEEPEST = 512 };

struct json_stream {
    FILE *file;
    char *path;
    uint64_t before; /* bytes of the file before the buffer */
    size_t at, n;
    bool began;
    enum status failed;
    struct err fault;
    char buffer[BUFFER];
};

enum status json_stream_open(const char *path, struct json_stream **out, struct err *err)
{
    struct json_stream *s = calloc(1, sizeof *s);

    *out = s;
    if (!s || !(s->path = strdup(path))) {
        free(s);
        *out = NULL;
        return err_set(err, ST_NOMEM, "%s: out of memory", path);
    }
    if ((s->file = fopen(path, "rb")))
        return ST_OK;
    err_set(err, ST_IO, "%s: %s", path, strerror(errno));
    free(s->path);
    free(s);
    *out = NULL;
    return ST_IO;
}

void json_stream_refuse(struct json_stream *s, const char *fmt, ...)
{
    char what[300];
    va_list args;

    if (s->failed)
        return;
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    s->failed = err_set(&s->fault, ST_USAGE, "%.150s: byte %" PRIu64 ": %s", s->path, s->before + s->at, what);
}

void json_stream_no_memory(struct json_stream *s, size_t n, const char *what)
{
    if (!s->failed)
        s->failed = err_set(&s->fault, ST_NOMEM, "%.150s: out of memory for %zu %s", s->path, n, what);
}

/* The next character, or EOF. */
static int peek(struct json_stream *s)
{
    if (s->at == s->n) {
        s->before += s->n;
        s->at = 0;
        s->n = s->failed ? 0 : fread(s->buffer, 1, BUFFER, s->file);
        if (!s->n && !s->failed && ferror(s->file))
            s->failed = err_set(&s->fault, ST_IO, "%s: %s", s->path, strerror(errno ? errno : EIO));
    }
    return s->at < s->n ? (unsigned char)s->buffer[s->at] : EOF;
}

static int take(struct json_stream *s)
{
    const int c = peek(s);

    s->at += c != EOF;
    s->began = true;
    return c;
}

/* The next character that is no white space. */
static int ahead(struct json_stream *s)
{
    int c;

    while ((c = peek(s)) == ' ' || c == '\n' || c == '\t' || c == '\r')
        s->at++;
    return s->failed ? EOF : c;
}

static bool expect(struct json_stream *s, char wanted)
{
    const int c = ahead(s);

    if (c == wanted) {
        take(s);
        return true;
    }
    if (c == EOF)
        json_stream_refuse(s, "the file ends where '%c' is expected", wanted);
    else
        json_stream_refuse(s, "'%c' where '%c' is expected", c >= ' ' && c < 127 ? c : '?', wanted);
    return false;
}

static bool expect_word(struct json_stream *s, const char *word)
{
    ahead(s);
    for (const char *w = word; *w; w++)
        if (take(s) != *w) {
            json_stream_refuse(s, "no JSON value");
            return false;
        }
    return true;
}

/* Four hexadecimal digits; -1 and a fault for others. */
static int32_t hex4(struct json_stream *s)
{
    int32_t v = 0;

    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdefABCDEF";
        const int c = take(s);
        const char *d = c > 0 ? strchr(digits, c) : NULL;

        if (!d) {
            json_stream_refuse(s, "\\u without four hexadecimal digits");
            return -1;
        }
        v = 16 * v + (int32_t)(d - digits < 16 ? d - digits : d - digits - 6);
    }
    return v;
}

/* A character of a text after a backslash, as UTF-8; returns its length, 0 after a fault. */
static size_t escaped(struct json_stream *s, char out[4])
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const int c = take(s);
    const char *name = c > 0 ? strchr(names, c) : NULL;
    int32_t v, low;

    if (name) {
        *out = values[name - names];
        return 1;
    }
    if (c != 'u') {
        json_stream_refuse(s, "a backslash before a character that needs none");
        return 0;
    }
    if ((v = hex4(s)) <= 0) {
        json_stream_refuse(s, "\\u0000 in a text");
        return 0;
    }
    if (v >= 0xd800 && v < 0xdc00 && peek(s) == '\\') {
        take(s);
        low = take(s) == 'u' ? hex4(s) : -1;
        if (low < 0xdc00 || low > 0xdfff) {
            json_stream_refuse(s, "half of a surrogate pair");
            return 0;
        }
        v = 0x10000 + ((v - 0xd800) << 10) + (low - 0xdc00);
    } else if (v >= 0xd800 && v <= 0xdfff) {
        json_stream_refuse(s, "half of a surrogate pair");
        return 0;
    }
    if (v < 0x80) {
        out[0] = (char)v;
        return 1;
    }
    if (v < 0x800) {
        out[0] = (char)(0xc0 | v >> 6);
        out[1] = (char)(0x80 | (v & 63));
        return 2;
    }
    if (v < 0x10000) {
        out[0] = (char)(0xe0 | v >> 12);
        out[1] = (char)(0x80 | (v >> 6 & 63));
        out[2] = (char)(0x80 | (v & 63));
        return 3;
    }
    out[0] = (char)(0xf0 | v >> 18);
    out[1] = (char)(0x80 | (v >> 12 & 63));
    out[2] = (char)(0x80 | (v >> 6 & 63));
    out[3] = (char)(0x80 | (v & 63));
    return 4;
}

/* Of n bytes of UTF-8, those of whole characters: the last one may be cut in two. */
static size_t whole_characters(const char *text, size_t n)
{
    size_t last = n;
    unsigned char lead;

    while (last && ((unsigned char)text[last - 1] & 0xc0) == 0x80)
        last--;
    if (!last)
        return 0;
    lead = (unsigned char)text[last - 1];
    return n - last < (size_t)(lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0) ? last - 1 : n;
}

void json_stream_text(struct json_stream *s, char *out, size_t size)
{
    size_t n = 0;
    bool cut = false;

    *out = '\0';
    if (!expect(s, '"'))
        return;
    for (;;) {
        char bytes[4];
        const int c = take(s);
        size_t length = 1;

        bytes[0] = (char)c;
        if (c == '"' || s->failed)
            break;
        if (c == EOF || c < ' ') {
            json_stream_refuse(s, c == EOF ? "the file ends in a text" : "a control character in a text");
            break;
        }
        if (c == '\\' && !(length = escaped(s, bytes)))
            break;
        cut |= n + length >= size;
        if (!cut) {
            memcpy(out + n, bytes, length);
            n += length;
        }
    }
    out[s->failed ? 0 : cut ? whole_characters(out, n) : n] = '\0';
}

static bool next_member(struct json_stream *s, char key[JSON_STREAM_KEY])
{
    json_stream_text(s, key, JSON_STREAM_KEY);
    return expect(s, ':') && !s->failed;
}

bool json_stream_object(struct json_stream *s, char key[JSON_STREAM_KEY])
{
    *key = '\0';
    if (!expect(s, '{'))
        return false;
    if (ahead(s) != '}')
        return next_member(s, key);
    s->at++;
    return false;
}

bool json_stream_member(struct json_stream *s, char key[JSON_STREAM_KEY])
{
    *key = '\0';
    if (ahead(s) != ',') {
        expect(s, '}');
        return false;
    }
    s->at++;
    return next_member(s, key);
}

bool json_stream_list(struct json_stream *s)
{
    if (!expect(s, '['))
        return false;
    if (ahead(s) != ']')
        return !s->failed;
    s->at++;
    return false;
}

bool json_stream_value(struct json_stream *s)
{
    if (ahead(s) != ',') {
        expect(s, ']');
        return false;
    }
    s->at++;
    return true;
}

/* Whether a text is a number of JSON: no sign but -, no leading 0, digits on both sides of a point. */
static bool is_number(const char *t)
{
    const size_t whole = strspn(t += *t == '-', "0123456789");

    if (!whole || (whole > 1 && *t == '0'))
        return false;
    t += whole;
    if (*t == '.') {
        const size_t part = strspn(++t, "0123456789");

        if (!part)
            return false;
        t += part;
    }
    if (*t == 'e' || *t == 'E') {
        t += t[1] == '+' || t[1] == '-' ? 2 : 1;
        if (!strspn(t, "0123456789"))
            return false;
        t += strspn(t, "0123456789");
    }
    return !*t;
}

/* The text of a number. */
static bool take_number(struct json_stream *s, char text[NUMBER])
{
    size_t n = 0;

    for (int c = ahead(s); c > 0 && strchr("+-.0123456789eE", c) && n + 1 < NUMBER; c = peek(s))
        text[n++] = (char)take(s);
    text[n] = '\0';
    if (!s->failed && !is_number(text))
        json_stream_refuse(s, peek(s) == EOF ? "the file ends where a value is expected" : "no number");
    return !s->failed;
}

double json_stream_number(struct json_stream *s)
{
    char text[NUMBER];
    double v;

    if (!take_number(s, text))
        return 0;
    v = strtod(text, NULL);
    if (!isfinite(v))
        json_stream_refuse(s, "%.40s is too large for a number", text);
    return isfinite(v) ? v : 0;
}

int64_t json_stream_integer(struct json_stream *s)
{
    const double v = json_stream_number(s);

    if (v == floor(v) && fabs(v) <= 9007199254740992.0)
        return (int64_t)v;
    json_stream_refuse(s, "%g is no whole number up to 2^53", v);
    return 0;
}

bool json_stream_flag(struct json_stream *s)
{
    const int c = ahead(s);

    if (c == 't')
        return expect_word(s, "true");
    if (c == 'f') {
        expect_word(s, "false");
        return false;
    }
    return json_stream_number(s) != 0;
}

/* Reads over the characters of a text, after its first quote. */
static void skip_text(struct json_stream *s)
{
    char bytes[4];

    for (int c = take(s); c != '"' && !s->failed; c = take(s)) {
        if (c == EOF || c < ' ')
            json_stream_refuse(s, c == EOF ? "the file ends in a text" : "a control character in a text");
        else if (c == '\\')
            escaped(s, bytes);
    }
}

/* A value that holds no other one. */
static void skip_plain(struct json_stream *s, int c)
{
    char number[NUMBER];

    if (c == '"') {
        s->at++;
        skip_text(s);
    } else if (c == 't') {
        expect_word(s, "true");
    } else if (c == 'f') {
        expect_word(s, "false");
    } else if (c == 'n') {
        expect_word(s, "null");
    } else {
        take_number(s, number);
    }
}

void json_stream_skip(struct json_stream *s)
{
    char open[DEEPEST], key[JSON_STREAM_KEY];
    int depth = 0;

    do {
        const int c = ahead(s);
        bool more = false;

        if (c != '{' && c != '[') {
            skip_plain(s, c);
        } else if (depth == DEEPEST) {
            json_stream_refuse(s, "more than %d values within each other", DEEPEST);
        } else {
            open[depth++] = (char)c;
            more = c == '{' ? json_stream_object(s, key) : json_stream_list(s);
            if (!more)
                depth--;
        }
        while (!more && depth && !s->failed) {
            more = open[depth - 1] == '{' ? json_stream_member(s, key) : json_stream_value(s);
            depth -= !more;
        }
    } while (depth && !s->failed);
}

enum status json_stream_close(struct json_stream *s, struct err *err)
{
    enum status st;

    if (!s->failed && !s->began)
        json_stream_skip(s);
    if (!s->failed && ahead(s) != EOF)
        json_stream_refuse(s, "more text behind the document");
    ahead(s);
    st = s->failed ? err_set(err, s->failed, "%s", s->fault.msg) : ST_OK;
    fclose(s->file);
    free(s->path);
    free(s);
    return st;
}
