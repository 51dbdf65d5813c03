/* SPDX-License-Identifier: Apache-2.0 */
/*
 * selector.c: finds and loads a selector, and does not trust it: a library that is cut short, a
 * table with holes, and exit() from inside it must not look like a comparison that went well.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
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

/* KIND:CONFIG to DIR/KIND_CONFIG.so; without DIR, where make install puts it or, if it is not
 * there, where the build does. False if `text` is not of that form. */
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
        (void)snprintf(out, size, "%s../lib/egret/selectors/%.*s_%s.so", folder,
                       (int)(colon - text), text, colon + 1);
        if (access(out, R_OK) == 0) {
            return true;
        }
        (void)strcat(folder, "../selectors/");
    }
    (void)snprintf(out, size, "%s%.*s_%s.so", folder, (int)(colon - text), text, colon + 1);
    return true;
}

/* A selector that ends the process ends it with EXIT_INTERNAL. _exit() and signals are not seen. */
static const char *guarded;

static void guard(void)
{
    if (guarded) {
        (void)fflush(stdout);
        (void)cli_usage("selector %s: ended the process", guarded);
        _Exit(EXIT_INTERNAL);
    }
}

static void guard_start(const char *text)
{
    (void)atexit(guard); /* a command loads one selector */
    (void)at_quick_exit(guard);
    guarded = text;
}

/* A page of a mapped file that lies behind its end is SIGBUS, so what is mapped must be there.
 * False too if there is no such header; dlopen() then says what is wrong. */
static bool cut_short(const char *path)
{
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    bool cut = false;
    FILE *f = fopen(path, "rb");
    if (!f) {
        return false;
    }
    if (fread(&header, sizeof header, 1, f) == 1 && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
        header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_phentsize == sizeof segment &&
        fseek(f, 0, SEEK_END) == 0) {
        long end = ftell(f);
        uint64_t size = end < 0 ? 0 : (uint64_t)end;
        uint64_t sections = (uint64_t)header.e_shnum * header.e_shentsize;
        cut = header.e_shoff > size || sections > size - header.e_shoff || header.e_phoff > size ||
              fseek(f, (long)header.e_phoff, SEEK_SET) != 0;
        for (unsigned i = 0; !cut && i < header.e_phnum; i++) {
            cut = fread(&segment, sizeof segment, 1, f) != 1 ||
                  (segment.p_type == PT_LOAD &&
                   (segment.p_offset > size || segment.p_filesz > size - segment.p_offset));
        }
    }
    (void)fclose(f);
    return cut;
}

/* The first member that may not be null and is, or null. */
static const char *hole(const struct egret_selector_ops *ops)
{
    return !ops->create        ? "create"
           : !ops->destroy     ? "destroy"
           : !ops->reset       ? "reset"
           : !ops->apply       ? "apply"
           : !ops->apply_burst ? "apply_burst"
                               : NULL;
}

/* Where KIND:CONFIG is not there. `make selectors` builds the named configurations and, with
 * CONFIG=FILE, the one of --config; of another one nothing is known. */
static int not_built(const char *text, const char *path, const struct egret_cfg *cfg)
{
    const char *config = strchr(text, ':') + 1;
    struct egret_cfg named;
    if (egret_cfg_named(config, &named) == EGRET_OK) {
        return cli_usage("selector %s: no %s (make selectors builds it)", text, path);
    }
    if (strcmp(config, cfg->name) == 0) {
        return cli_usage("selector %s: no %s (make selectors CONFIG=FILE builds it)", text, path);
    }
    return cli_usage("selector %s: no %s, and %s is no configuration (see egret config list)", text,
                     path, config);
}

static int load(const char *text, const char *path, struct cli_selector *s)
{
    if (cut_short(path)) {
        return cli_usage("selector %s: the file is cut short", text);
    }
    guard_start(text);
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
    if (!s->ops) {
        return cli_usage("selector %s: %s() gives no table", text, EGRET_SELECTOR_SYMBOL);
    }
    if (s->ops->api_version != EGRET_SELECTOR_VERSION) {
        return cli_usage("selector %s: has interface version %u, this command has %u", text,
                         s->ops->api_version, EGRET_SELECTOR_VERSION);
    }
    const char *name = hole(s->ops);
    return name ? cli_usage("selector %s: its %s is null", text, name) : -1;
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
        code = access(path, R_OK) ? not_built(text, path, cfg) : load(text, path, out);
    } else {
        /* Without a slash dlopen() would search the system's folders. */
        (void)snprintf(path, sizeof path, "%s%s", strchr(text, '/') ? "" : "./", text);
        code = access(path, R_OK) ? cli_usage("selector %s: no such file", text)
                                  : load(text, path, out);
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
    guarded = NULL;
    memset(s, 0, sizeof *s);
}
