/* SPDX-License-Identifier: Apache-2.0 */
/* make_models.c - writes models into a folder: demo networks with seeded weights, tiny models of the command-line tests, large
 * ones, or those around wrong operators. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/models/cli_models.h"
#include "bench/models/large_models.h"
#include "bench/models/nets.h"
#include "bench/models/wrong_ops.h"

static const struct {
    const char *name;
    void (*build)(struct net *n);
} nets[] = {
    {"mobilenet_v1_1.0_224", net_mobilenet_v1},
    {"mobilenet_v2_1.0_224", net_mobilenet_v2},
    {"ssd_mobilenet_v1_300", net_ssd},
    {"deeplabv3_mnv2_257", net_deeplab},
};

static enum status write_model(struct builder *b, const char *dir, const char *name, struct err *err)
{
    char path[1024];
    enum status st;

    if (snprintf(path, sizeof path, "%s/%s.tflite", dir, name) >= (int)sizeof path)
        st = err_set(err, ST_USAGE, "%s: the path is too long", dir);
    else
        st = builder_write(b, path, err);
    builder_fini(b);
    if (!st)
        printf("%s\n", path);
    return st;
}

static enum status write_nets(const char *dir, struct err *err)
{
    enum status st = ST_OK;

    for (size_t i = 0; !st && i < sizeof nets / sizeof *nets; i++) {
        struct net n = {.seed = 1};

        builder_init(&n.b, nets[i].name);
        nets[i].build(&n);
        st = write_model(&n.b, dir, nets[i].name, err);
    }
    return st;
}

static enum status write_cli_models(const char *dir, struct err *err)
{
    enum status st = ST_OK;

    for (const struct cli_model *m = cli_models; !st && m->name; m++) {
        struct builder b;

        builder_init(&b, m->name);
        m->build(&b);
        st = write_model(&b, dir, m->name, err);
    }
    return st ? st : cli_bundles_write(dir, err);
}

static enum status write_wrong_ops(const char *dir, struct err *err)
{
    enum status st = ST_OK;

    for (const struct wrong_op *w = wrong_ops; !st && w->fault; w++) {
        struct builder b;

        builder_init(&b, w->fault);
        w->build(&b);
        st = write_model(&b, dir, w->fault, err);
    }
    return st;
}

/* Each in two sizes: chain.tflite, chain_small.tflite. */
static enum status write_large_models(const char *dir, struct err *err)
{
    enum status st = ST_OK;

    for (const struct large_model *m = large_models; !st && m->name; m++) {
        char small[64];
        struct builder b;

        builder_init(&b, m->name);
        m->build(&b, LARGE_MODEL_NODES);
        st = write_model(&b, dir, m->name, err);
        snprintf(small, sizeof small, "%s_small", m->name);
        builder_init(&b, small);
        m->build(&b, LARGE_MODEL_FEWER_NODES);
        st = st ? st : write_model(&b, dir, small, err);
    }
    return st;
}

static const struct {
    const char *flag;
    enum status (*write)(const char *dir, struct err *err);
} sets[] = {
    {"--cli", write_cli_models},
    {"--large", write_large_models},
    {"--wrong_ops", write_wrong_ops},
};

int main(int argc, char **argv)
{
    enum status (*write)(const char *dir, struct err *err) = argc == 2 ? write_nets : NULL;
    const char *dir = argv[argc - 1];
    struct err err = {{0}};
    enum status st;

    for (size_t i = 0; argc == 3 && i < sizeof sets / sizeof *sets; i++)
        if (!strcmp(argv[1], sets[i].flag))
            write = sets[i].write;
    if (!write || dir[0] == '-') {
        fprintf(stderr,
                "usage: make_models [--cli|--large|--wrong_ops] DIR\nWrites the demo networks, the tiny models of testdata/cli, "
                "networks of 20,000 and of 2,000 operators, or a network for each fault of one operator that the dummy delegate "
                "plants, as DIR/<name>.tflite.\n");
        return status_exit_code(ST_USAGE);
    }
    if (mkdir(dir, 0777) && errno != EEXIST)
        st = err_set(&err, ST_IO, "%s: %s", dir, strerror(errno));
    else
        st = write(dir, &err);
    if (st)
        fprintf(stderr, "make_models: %s\n", err.msg);
    return status_exit_code(st);
}
