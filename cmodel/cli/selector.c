/* SPDX-License-Identifier: Apache-2.0 */
/*
 * selector.c: finds and loads a selector.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

/* Folder of the running command, with a trailing slash; empty if unknown. */
static void own_folder(char *out, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", out, size - 1u);
    out[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(out, '/');
    if (slash) {
        slash[1] = '\0';
    } else {
        out[0] = '\0';
    }
}

/* KIND:CONFIG to DIR/KIND_CONFIG.so; false if `text` is not of that form. */
static bool named_path(const char *text, const char *dir, char *out, size_t size)
{
    const char *colon = strchr(text, ':');
    char folder[2048];
    if (!colon || strchr(text, '/') ||
        (strncmp(text, "rtl:", 4) != 0 && strncmp(text, "check:", 6) != 0)) {
        return false;
    }
    if (dir) {
        (void)snprintf(folder, sizeof folder, "%s/", dir);
    } else {
        own_folder(folder, sizeof folder - 16u);
        (void)strcat(folder, "../selectors/");
    }
    (void)snprintf(out, size, "%s%.*s_%s.so", folder, (int)(colon - text), text, colon + 1);
    return true;
}

static int load(const char *text, const char *path, bool named, struct cli_selector *s)
{
    if (access(path, R_OK) != 0) {
        return named ? cli_usage("selector %s: no %s (make selectors builds it)", text, path)
                     : cli_usage("selector %s: no such file", text);
    }
    s->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!s->library) {
        return cli_usage("selector %s: %s", text, dlerror());
    }
    void *symbol = dlsym(s->library, EGRET_SELECTOR_SYMBOL);
    egret_selector_fn get;
    if (!symbol) {
        return cli_usage("selector %s: does not export %s", text, EGRET_SELECTOR_SYMBOL);
    }
    memcpy(&get, &symbol, sizeof get); /* ISO C has no cast from object to function pointer */
    s->ops = get();
    if (!s->ops || s->ops->api_version != EGRET_SELECTOR_VERSION) {
        return cli_usage("selector %s: has interface version %u, this command has %u", text,
                         s->ops ? s->ops->api_version : 0, EGRET_SELECTOR_VERSION);
    }
    return -1;
}

int cli_selector_open(const char *text, const char *dir, const struct egret_cfg *cfg,
                      struct cli_selector *out)
{
    char path[4096];
    int code = -1;
    memset(out, 0, sizeof *out);
    if (strcmp(text, "model") == 0) {
        out->ops = egret_model_selector();
    } else if (named_path(text, dir, path, sizeof path)) {
        code = load(text, path, true, out);
    } else {
        /* Without a slash dlopen() would search the system's folders. */
        (void)snprintf(path, sizeof path, "%s%s", strchr(text, '/') ? "" : "./", text);
        code = load(text, path, false, out);
    }
    if (code < 0) {
        int error = out->ops->create(cfg, &out->self);
        if (error == EGRET_ERR_CONFIG) {
            code = cli_usage("selector %s cannot be configuration %s", text, cfg->name);
        } else if (error) {
            (void)cli_usage("selector %s: %s", text, egret_strerror(error));
            code = EXIT_INTERNAL;
        }
    }
    if (code >= 0) {
        cli_selector_close(out);
    }
    return code;
}

void cli_selector_close(struct cli_selector *s)
{
    if (s->self) {
        s->ops->destroy(s->self);
    }
    if (s->library) {
        (void)dlclose(s->library);
    }
    memset(s, 0, sizeof *s);
}
