/* SPDX-License-Identifier: Apache-2.0 */
/*
 * files.c: an output must be neither an input nor another output, and one input standard input.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "egret/trace_make.h"

/* What a path stands for: a file, or a name to be in a folder. */
struct identity {
    bool known;
    dev_t device;
    ino_t inode;
    const char *name; /* null: the file itself */
};

static struct identity identify(const char *path, int std)
{
    struct identity id = {false, 0, 0, NULL};
    struct stat st;
    if (!path) {
        return id;
    }
    bool is_std = strcmp(path, "-") == 0;
    if ((is_std ? fstat(std, &st) : stat(path, &st)) != 0) {
        const char *slash = strrchr(path, '/');
        char *folder = strdup(path);
        if (folder && slash) {
            folder[slash - path + 1] = '\0';
        }
        bool found = folder && stat(slash ? folder : ".", &st) == 0;
        free(folder);
        if (!found || is_std) {
            return id;
        }
        id.name = slash ? slash + 1 : path;
    } else if (S_ISCHR(st.st_mode)) {
        return id; /* /dev/null, a terminal */
    }
    id.known = true;
    id.device = st.st_dev;
    id.inode = st.st_ino;
    return id;
}

static bool same(const struct identity *a, const struct identity *b)
{
    return a->known && b->known && a->device == b->device && a->inode == b->inode &&
           !a->name == !b->name && (!a->name || strcmp(a->name, b->name) == 0);
}

int cli_check_files(const struct cli_files *f)
{
    unsigned std = 0;
    for (size_t i = 0; i < sizeof f->in / sizeof f->in[0]; i++) {
        std += f->in[i] && strcmp(f->in[i], "-") == 0;
    }
    if (std > 1u) {
        return cli_usage("only one input can be standard input");
    }
    for (size_t o = 0; o < sizeof f->out / sizeof f->out[0]; o++) {
        struct identity out = identify(f->out[o], STDOUT_FILENO);
        for (size_t i = 0; i < sizeof f->in / sizeof f->in[0]; i++) {
            struct identity in = identify(f->in[i], STDIN_FILENO);
            if (same(&in, &out)) {
                return cli_usage("%s: the output is the input %s", f->out[o], f->in[i]);
            }
        }
        for (size_t i = 0; i < o; i++) {
            struct identity other = identify(f->out[i], STDOUT_FILENO);
            if (same(&other, &out)) {
                return cli_usage("%s: two outputs are this one file", f->out[o]);
            }
        }
    }
    return -1;
}

const char *cli_config_file(const char *config)
{
    struct egret_cfg cfg;
    return config && egret_cfg_named(config, &cfg) == EGRET_OK ? NULL : config;
}

const char *cli_topology_file(const char *topology)
{
    return topology && egret_topology_is_name(topology) ? NULL : topology;
}
