/* make_models.c - writes the demo networks with seeded weights into a folder. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "nets.h"

static const struct {
    const char *name;
    void (*build)(struct net *n);
} nets[] = {
    {"mobilenet_v1_1.0_224", net_mobilenet_v1},
    {"mobilenet_v2_1.0_224", net_mobilenet_v2},
    {"ssd_mobilenet_v1_300", net_ssd},
    {"deeplabv3_mnv2_257", net_deeplab},
};

static enum status write_net(const char *dir, const char *name, void (*build)(struct net *), struct err *err)
{
    struct net n = {.seed = 1};
    char path[1024];
    enum status st;

    snprintf(path, sizeof path, "%s/%s.tflite", dir, name);
    builder_init(&n.b, name);
    build(&n);
    st = builder_write(&n.b, path, err);
    builder_fini(&n.b);
    if (!st)
        printf("%s\n", path);
    return st;
}

int main(int argc, char **argv)
{
    struct err err = {{0}};
    enum status st = ST_OK;

    if (argc != 2 || argv[1][0] == '-') {
        fprintf(stderr, "usage: make_models DIR\nWrites the demo networks as DIR/<name>.tflite.\n");
        return status_exit_code(ST_USAGE);
    }
    if (mkdir(argv[1], 0777) && errno != EEXIST)
        st = err_set(&err, ST_IO, "%s: %s", argv[1], strerror(errno));
    for (size_t i = 0; !st && i < sizeof nets / sizeof *nets; i++)
        st = write_net(argv[1], nets[i].name, nets[i].build, &err);
    if (st)
        fprintf(stderr, "make_models: %s\n", err.msg);
    return status_exit_code(st);
}
