/* SPDX-License-Identifier: Apache-2.0 */
/* html.c - the page grows in memory, so that it is written whole or not at all. */
#include "cmd/print/html_impl.h"

#include <stdarg.h>
#include <stdlib.h>

#include "cmd/host/files.h"
#include "cmd/host/text_file.h"
#include "cmd/host/utf8.h"

enum open { OPEN_NONE, OPEN_FIGURES, OPEN_TABLE };

struct html {
    struct text_file file;
    bool failed, in_section;
    enum open open;
    const struct html_column *columns; /* of the table that is open */
    size_t n_columns, column;          /* column: of the next cell */
    const struct html_own *own;        /* NULL: nothing */
    size_t picture_bytes;
};

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta charset=\"utf-8\"/>\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'";

/* Colours have names, so that light and dark differ in one place. The two series are told apart without colour too. */
static const char style[] =
    ":root{color-scheme:light dark;--bg:#fff;--fg:#1c2126;--dim:#5b6570;--line:#d5dae0;--box:#f4f6f8;--a:#1f66c1;--b:#a85a00;"
    "--warn:#fff3d6;--heat:#7c1d00;--bad:#c000a8}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#14181c;--fg:#e4e8ec;--dim:#9aa5b1;--line:#343c45;--box:#1d2329;--a:#6aa9ff;"
    "--b:#f0a54a;--warn:#3d3210;--heat:#ffc061;--bad:#ff6cf0}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:1200px;padding:16px;background:var(--bg);color:var(--fg);font:15px/1.45 system-ui,sans-serif;"
    "overflow-wrap:break-word}\n"
    "h1{font-size:1.5em;margin:.2em 0}\nh2{font-size:1.15em;margin:1.8em 0 .5em;border-bottom:1px solid var(--line)}\n"
    "h3{font-size:1em;margin:1.2em 0 .3em}\np{margin:.5em 0;max-width:90ch}\n.dim{color:var(--dim)}\n"
    ".warn{background:var(--warn);border-left:4px solid var(--b);padding:.4em .8em}\n"
    ".figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:10px;margin:.8em 0}\n"
    ".figures div{background:var(--box);border:1px solid var(--line);border-radius:6px;padding:8px 12px}\n"
    ".figures b{display:block;font-size:1.4em;font-variant-numeric:tabular-nums}\n.figures span{color:var(--dim);font-size:.85em;"
    "display:block}\n"
    ".scroll{overflow-x:auto}\ntable{border-collapse:collapse;width:100%;font-size:.9em;margin:.5em 0}\n"
    "th,td{text-align:left;vertical-align:top;padding:3px 10px 3px 0;border-bottom:1px solid var(--line);min-width:4em;"
    "unicode-bidi:isolate}\n"
    "td{max-width:34em;overflow-wrap:anywhere}\ntd:not(.n){min-width:6em}\nth{color:var(--dim);font-weight:600}\n"
    ".n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "svg{display:block;width:100%;overflow:visible}\nsvg text{fill:var(--dim);font-size:12px;font-family:inherit}\n"
    ".grid{stroke:var(--line)}\n.a{stroke:var(--a);fill:none}\n.b{stroke:var(--b);fill:none;stroke-dasharray:5 3}\n"
    ".fa{fill:var(--a)}\n.fb{fill:var(--b)}\n.mid{stroke:var(--fg);stroke-dasharray:2 3}\n"
    ".chart{margin:.5em 0 1em;padding:0 8px 0 0}\n.key span{margin-right:1.5em;white-space:nowrap}\n"
    ".key i{display:inline-block;width:22px;margin-right:6px;vertical-align:middle}\n"
    ".key .ka{border-top:2px solid var(--a)}\n.key .kb{border-top:2px dashed var(--b)}\n.key .km{border-top:2px dotted var(--fg)}\n"
    ".p,.q,.r{fill:none;stroke:var(--a);stroke-width:6;stroke-linecap:round;vector-effect:non-scaling-stroke}\n"
    ".q{stroke:var(--b);stroke-linecap:square}\n.r{stroke:var(--bad);stroke-width:9;stroke-linecap:square}\n"
    ".key .kp{width:7px;height:7px;border-radius:4px;background:var(--a)}\n.key .kq{width:7px;height:7px;background:var(--b)}\n"
    ".key .kr{width:9px;height:9px;background:var(--bad)}\n"
    ".map{max-width:560px;margin:.5em 0 1em}\n.map svg{overflow:hidden;background:var(--box);border:1px solid var(--line)}\n"
    ".map .shades{overflow:visible;background:none;border:0;margin-top:8px}\n"
    ".h1,.h2,.h3,.h4,.h5,.h6,.h7,.h8{fill:var(--heat)}\n.h9{fill:var(--bad)}\n"
    ".h0{fill:var(--box);stroke:var(--line)}\n.h1{fill-opacity:.1}\n.h2{fill-opacity:.2}\n"
    ".h3{fill-opacity:.31}\n.h4{fill-opacity:.43}\n.h5{fill-opacity:.56}\n.h6{fill-opacity:.7}\n.h7{fill-opacity:.85}\n"
    ".item{margin:.2em 0 .2em 1.5em}\n"
    ".bar{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr) 13em;gap:10px;align-items:center;font-size:.9em;"
    "padding:2px 0}\n"
    "@media(max-width:640px){.bar{grid-template-columns:minmax(0,1fr) max-content;border-bottom:1px solid var(--line)}"
    ".bar svg{grid-column:1/3;grid-row:2}}\n";

void html_raw(struct html *h, const char *fmt, ...)
{
    va_list ap;

    if (!h)
        return;
    va_start(ap, fmt);
    if (vfprintf(h->file.to, fmt, ap) < 0)
        h->failed = true;
    va_end(ap);
}

static const char *entity(char c)
{
    switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

void html_text(struct html *h, const char *text)
{
    while (*text) {
        size_t n = utf8_length(text);

        if (!n || !utf8_is_text(text))
            html_raw(h, "\xef\xbf\xbd");
        else if (entity(*text))
            html_raw(h, "%s", entity(*text));
        else
            html_raw(h, "%.*s", (int)n, text);
        text += n ? n : 1;
    }
}

/* What printf makes of it, escaped. */
static void put_formatted(struct html *h, const char *fmt, va_list ap)
{
    va_list again;
    char *text;
    int n;

    if (!h)
        return;
    va_copy(again, ap);
    n = vsnprintf(NULL, 0, fmt, ap);
    if (n >= 0 && (text = malloc((size_t)n + 1))) {
        vsnprintf(text, (size_t)n + 1, fmt, again);
        html_text(h, text);
        free(text);
    } else {
        h->failed = true;
    }
    va_end(again);
}

struct html *html_new(const char *title, const char *subtitle)
{
    return html_new_with(title, subtitle, NULL);
}

struct html *html_new_with(const char *title, const char *subtitle, const struct html_own *own)
{
    struct html *h = calloc(1, sizeof *h);

    if (!h || text_file_begin(&h->file, NULL)) {
        free(h);
        return NULL;
    }
    h->own = own;
    html_raw(h, "%s", head);
    if (own && own->script)
        html_raw(h, "; script-src '%s'", own->script_hash);
    html_raw(h, "%s\"/>\n<title>", own && own->pictures ? "; img-src data:" : "");
    html_text(h, title);
    html_raw(h, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n<h1>", style, own ? own->style : "");
    html_text(h, title);
    html_raw(h, "</h1>\n<p class=\"dim\">");
    html_text(h, subtitle);
    html_raw(h, "</p>\n");
    return h;
}

bool html_has_room(struct html *h, size_t bytes, size_t most)
{
    if (!h)
        return true;
    if (bytes > most - h->picture_bytes)
        return false;
    h->picture_bytes += bytes;
    return true;
}

void html_free(struct html *h)
{
    if (!h)
        return;
    if (h->file.to)
        text_file_drop(&h->file);
    free(h->file.text);
    free(h);
}

void html_between(struct html *h)
{
    if (!h)
        return;
    if (h->open == OPEN_FIGURES)
        html_raw(h, "</div>\n");
    if (h->open == OPEN_TABLE)
        html_raw(h, "%s</tbody></table></div>\n", h->column ? "</tr>\n" : "");
    h->open = OPEN_NONE;
}

void html_section(struct html *h, const char *heading)
{
    if (!h)
        return;
    html_between(h);
    html_raw(h, "%s<section>\n<h2>", h->in_section ? "</section>\n" : "");
    html_text(h, heading);
    html_raw(h, "</h2>\n");
    h->in_section = true;
}

static void put_paragraph(struct html *h, const char *kind, const char *fmt, va_list ap)
{
    html_between(h);
    html_raw(h, "<p%s>", kind);
    put_formatted(h, fmt, ap);
    html_raw(h, "</p>\n");
}

void html_note(struct html *h, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    put_paragraph(h, "", fmt, ap);
    va_end(ap);
}

void html_item(struct html *h, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    put_paragraph(h, " class=\"item\"", fmt, ap);
    va_end(ap);
}

void html_warning(struct html *h, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    put_paragraph(h, " class=\"warn\"", fmt, ap);
    va_end(ap);
}

void html_figure(struct html *h, const char *name, const char *value, const char *detail)
{
    if (!h)
        return;
    if (h->open != OPEN_FIGURES) {
        html_between(h);
        html_raw(h, "<div class=\"figures\">\n");
        h->open = OPEN_FIGURES;
    }
    html_raw(h, "<div><span>");
    html_text(h, name);
    html_raw(h, "</span><b>");
    html_text(h, value);
    html_raw(h, "</b>");
    if (*detail) {
        html_raw(h, "<span>");
        html_text(h, detail);
        html_raw(h, "</span>");
    }
    html_raw(h, "</div>\n");
}

void html_table(struct html *h, const struct html_column *columns, size_t n)
{
    if (!h)
        return;
    html_between(h);
    html_raw(h, "<div class=\"scroll\"><table><thead><tr>");
    for (size_t i = 0; i < n; i++) {
        html_raw(h, "<th%s>", columns[i].number ? " class=\"n\"" : "");
        html_text(h, columns[i].title);
        html_raw(h, "</th>");
    }
    html_raw(h, "</tr></thead><tbody>\n");
    h->open = OPEN_TABLE;
    h->columns = columns;
    h->n_columns = n;
    h->column = 0;
}

void html_cell(struct html *h, const char *fmt, ...)
{
    va_list ap;

    if (!h)
        return;
    html_raw(h, "%s<td%s>", h->column ? "" : "<tr>", h->columns[h->column].number ? " class=\"n\"" : "");
    va_start(ap, fmt);
    put_formatted(h, fmt, ap);
    va_end(ap);
    html_raw(h, "</td>");
    h->column = (h->column + 1) % h->n_columns;
    if (!h->column)
        html_raw(h, "</tr>\n");
}

enum status html_write(struct html *h, const char *path, struct err *err)
{
    struct file_piece piece;

    if (h) {
        html_between(h);
        html_raw(h, "%s", h->in_section ? "</section>\n" : "");
        if (h->own && h->own->script)
            html_raw(h, "<script>%s</script>\n", h->own->script);
        html_raw(h, "</body>\n</html>\n");
        h->failed = text_file_close(&h->file, NULL) || h->failed;
    }
    if (!h || h->failed)
        return err_set(err, ST_NOMEM, "out of memory for the HTML report");
    piece = (struct file_piece){h->file.text, h->file.bytes};
    return file_write(path, &piece, 1, err);
}
