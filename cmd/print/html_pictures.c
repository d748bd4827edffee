/* SPDX-License-Identifier: Apache-2.0 */
/* html_pictures.c - each picture is an SVG, which scales boxes with it. */
#include "cmd/print/html_pictures.h"

#include <math.h>

#include "cmd/print/html_impl.h"

const struct html_own html_with_pictures = {
    .style = ".side{display:grid;grid-template-columns:repeat(auto-fill,minmax(220px,1fr));gap:10px;align-items:start;"
             "margin:.3em 0 1em}\n"
             ".side svg{overflow:hidden;background:var(--box)}\n.side p{margin:.2em 0;font-size:.85em;overflow-wrap:anywhere}\n"
             ".box,.box2{fill:none;stroke:#00e05a;stroke-width:2;vector-effect:non-scaling-stroke}\n"
             ".box2{stroke:#ff3df2;stroke-dasharray:6 3}\n"
             ".side text{fill:#fff;stroke:#000;stroke-width:.2em;paint-order:stroke;font-weight:600}\n",
    .pictures = true,
};

/* RFC 4648. */
static void put_base64(struct html *h, const uint8_t *data, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[1025];
    int used = 0;

    for (size_t i = 0; i < n; i += 3) {
        const uint32_t b = i + 1 < n ? data[i + 1] : 0, c = i + 2 < n ? data[i + 2] : 0;
        const uint32_t v = (uint32_t)data[i] << 16 | b << 8 | c;

        text[used++] = digits[v >> 18];
        text[used++] = digits[v >> 12 & 63];
        text[used++] = i + 1 < n ? digits[v >> 6 & 63] : '=';
        text[used++] = i + 2 < n ? digits[v & 63] : '=';
        if (used + 4 > (int)sizeof text || i + 3 >= n) {
            html_raw(h, "%.*s", used, text);
            used = 0;
        }
    }
}

static double within(double v, double most)
{
    return fmin(fmax(v, 0), most);
}

static void put_box(struct html *h, const struct html_picture *p, const struct html_box *b)
{
    const double x = within(b->x, p->width), y = within(b->y, p->height);
    const double right = within(b->x + b->width, p->width), below = within(b->y + b->height, p->height);
    const double size = fmax(p->width, p->height) / 24.0;

    if (!isfinite(b->x) || !isfinite(b->y) || !isfinite(b->width) || !isfinite(b->height))
        return;
    html_raw(h, "<rect class=\"box%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>", b->second ? "2" : "", x, y,
             fmax(right - x, 0), fmax(below - y, 0));
    if (!*b->label)
        return;
    html_raw(h, "<text x=\"%.2f\" y=\"%.2f\" style=\"font-size:%.2fpx\">", x + size / 8, fmax(y - size / 4, size), size);
    html_text(h, b->label);
    html_raw(h, "</text>");
}

static void put_picture(struct html *h, const struct html_picture *p)
{
    html_raw(h, "<div><svg role=\"img\" viewBox=\"0 0 %u %u\"><title>", p->width, p->height);
    html_text(h, p->caption);
    html_raw(h, "</title><image width=\"%u\" height=\"%u\" preserveAspectRatio=\"none\" href=\"data:%s;base64,", p->width,
             p->height, p->mime);
    put_base64(h, p->data, p->bytes);
    html_raw(h, "\"/>");
    for (size_t i = 0; i < p->n_boxes; i++)
        put_box(h, p, &p->boxes[i]);
    html_raw(h, "</svg><p>");
    html_text(h, p->caption);
    html_raw(h, "</p></div>\n");
}

bool html_pictures(struct html *h, const char *name, const struct html_picture *list, size_t n)
{
    size_t bytes = 0;

    for (size_t i = 0; i < n; i++)
        bytes += list[i].bytes;
    if (!html_has_room(h, bytes, HTML_PICTURES_MAX_BYTES))
        return false;
    html_between(h);
    html_raw(h, "<h3>");
    html_text(h, name);
    html_raw(h, "</h3>\n<div class=\"side\">\n");
    for (size_t i = 0; i < n; i++)
        put_picture(h, &list[i]);
    html_raw(h, "</div>\n");
    return true;
}

void html_swatches(struct html *h, const struct html_swatch *list, size_t n)
{
    html_between(h);
    html_raw(h, "<p class=\"key\">");
    for (size_t i = 0; i < n; i++) {
        html_raw(h, "<span><i style=\"height:14px;background:#%02x%02x%02x\"></i>", list[i].rgb[0], list[i].rgb[1], list[i].rgb[2]);
        html_text(h, list[i].name);
        html_raw(h, "</span> ");
    }
    html_raw(h, "</p>\n");
}
