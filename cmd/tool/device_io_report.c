/* SPDX-License-Identifier: Apache-2.0 */
/* device_io_report.c - see device_io_report.h */
#include "cmd/tool/device_io_report.h"

#include "cmd/host/say.h"

static void warn_of(const char *label, const char *what, const struct device_tensor *t, uint32_t n)
{
    char why[2 * sizeof t->why];

    for (uint32_t i = 0; i < n; i++)
        if (t[i].why[0])
            say_warn("%s I/O: an %s stays in host memory: %s", label, what, say_clean(t[i].why, why, sizeof why));
}

void device_io_say(const struct device_io *io)
{
    const char *label = io->session ? io->delegate->type->label : "";
    struct delegate_crossing c;
    char name[256];

    if (!io->session)
        return;
    say_info("%s I/O: %u of %u inputs and %u of %u outputs are in buffers of the device, %u of them without a conversion; no run "
             "brings or fetches these",
             label, device_io_count(io->inputs, io->n_inputs, false), io->n_inputs,
             device_io_count(io->outputs, io->n_outputs, false), io->n_outputs,
             device_io_count(io->inputs, io->n_inputs, true) + device_io_count(io->outputs, io->n_outputs, true));
    warn_of(label, "input", io->inputs, io->n_inputs);
    warn_of(label, "output", io->outputs, io->n_outputs);
    for (uint32_t i = 0; device_io_inner(io, i, &c); i++)
        say_warn("%s I/O: '%s' %s crosses %s the CPU in each run", label, say_clean(c.tensor->name, name, sizeof name),
                 TENSOR_TEXT(c.tensor), c.output ? "to" : "from");
}

static void put_list(struct report *r, struct json *in, const struct device_io *io, bool output)
{
    static const char *const ways[] = {[DELEGATE_CONVERTED] = "converted", [DELEGATE_DIRECT] = "direct"};
    struct json *list = json_array(r, in, output ? "outputs" : "inputs");

    for (uint32_t i = 0; i < (output ? io->n_outputs : io->n_inputs); i++) {
        const struct tensor *t = output ? session_output(io->session, i) : session_input(io->session, i);
        const struct device_tensor *d = output ? &io->outputs[i] : &io->inputs[i];
        struct json *o = json_object(r, list, NULL);

        json_string(r, o, "name", t ? t->name : "");
        json_number(r, o, "bytes", t ? (double)t->bytes : 0);
        json_string(r, o, "way", d->buffer ? ways[d->way] : "host");
        if (d->why[0])
            json_string(r, o, "why", d->why);
        else
            json_null(r, o, "why");
    }
}

void device_io_put(struct report *r, struct json *in, const struct device_io *io)
{
    struct delegate_crossing c;
    struct json *o, *inner;

    if (!json_given(r, in, "device_io", io->session))
        return;
    o = json_object(r, in, "device_io");
    put_list(r, o, io, false);
    put_list(r, o, io, true);
    inner = json_array(r, o, "crossing");
    for (uint32_t i = 0; device_io_inner(io, i, &c); i++) {
        struct json *one = json_object(r, inner, NULL);

        json_string(r, one, "name", c.tensor->name);
        json_number(r, one, "bytes", (double)c.tensor->bytes);
        json_string(r, one, "to", c.output ? "cpu" : "delegate");
    }
}
