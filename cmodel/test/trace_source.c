/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_source.c: files that cannot be read: no file, a folder, a device, one whose bytes fail, a
 * gzip file that is cut or damaged, no memory. Lines and bytes at the ends of a buffer. A full
 * disk.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "../trace/source.h"
#include "../trace/text.h"
#include "egret/import.h"
#include "egret/trace_make.h"
#include "trace_memory.h"
#include "trace_test.h"

static struct trace_test t;
static struct egret_trace_error error;

/* zlib that has no memory while it reads: it asks for it by itself, where no wrapper is. */
static bool no_zlib_memory;
int __real_gzread(gzFile f, void *to, unsigned n);
const char *__real_gzerror(gzFile f, int *code);
int __wrap_gzread(gzFile f, void *to, unsigned n);
const char *__wrap_gzerror(gzFile f, int *code);
int __wrap_gzread(gzFile f, void *to, unsigned n)
{
    return no_zlib_memory ? -1 : __real_gzread(f, to, n);
}
const char *__wrap_gzerror(gzFile f, int *code)
{
    if (!no_zlib_memory) {
        return __real_gzerror(f, code);
    }
    *code = Z_MEM_ERROR;
    return "out of memory";
}

/* A file that is open and of which nothing can be known. */
static bool no_stat;
int __real_fstat(int fd, struct stat *st);
int __wrap_fstat(int fd, struct stat *st);
int __wrap_fstat(int fd, struct stat *st)
{
    errno = EIO;
    return no_stat ? -1 : __real_fstat(fd, st);
}

static void said(int code, int want, const char *reason)
{
    if (!CHECK(&t, code == want && strcmp(error.text, reason) == 0)) {
        printf("code %d, '%s', wanted %d, '%s'\n", code, error.text, want, reason);
    }
    error.text[0] = '\0';
}

static void write_file(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    CHECK(&t, f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
}

static int import(const char *path)
{
    struct egret_schedule s;
    int code = egret_import_load(&path, 1, NULL, &s, NULL, &error);
    if (code == EGRET_OK) {
        egret_schedule_free(&s);
    }
    return code;
}

static int matrix(const char *path)
{
    struct egret_schedule s;
    int code = egret_cm_load(path, 0, &s, &error);
    if (code == EGRET_OK) {
        egret_schedule_free(&s);
    }
    return code;
}

/* Names that are no file with bytes; a matrix is read as text, all else by zlib. */
static void no_files(void)
{
    char folder[300], wanted[400];
    trace_scratch(folder, sizeof folder, ".");
    (void)snprintf(wanted, sizeof wanted, "%s: Is a directory", folder);
    said(import(folder), EGRET_ERR_RANGE, wanted);
    said(matrix(folder), EGRET_ERR_RANGE, wanted);
    said(import("none/such"), EGRET_ERR_RANGE, "none/such: No such file or directory");
    said(matrix("none/such"), EGRET_ERR_RANGE, "none/such: No such file or directory");
    said(import("/dev/zero"), EGRET_ERR_RANGE, "/dev/zero: is a device, not a file");
    said(matrix("/dev/zero"), EGRET_ERR_RANGE, "/dev/zero: is a device, not a file of text");
    /* It opens, and nothing is mapped at its first byte. */
    said(import("/proc/self/mem"), EGRET_ERR_RANGE, "/proc/self/mem: Input/output error");
    said(matrix("/proc/self/mem"), EGRET_ERR_RANGE, "/proc/self/mem: Input/output error");
    no_stat = true;
    (void)snprintf(wanted, sizeof wanted, "%s: Input/output error", folder);
    said(import(folder), EGRET_ERR_RANGE, wanted);
    (void)snprintf(wanted, sizeof wanted, "%s: Is a directory", folder);
    said(matrix(folder), EGRET_ERR_RANGE, wanted); /* it reads, and is told so */
    no_stat = false;
    int in = dup(STDIN_FILENO);
    (void)close(STDIN_FILENO);
    said(import("-"), EGRET_ERR_RANGE, "-: Bad file descriptor");
    if (in >= 0) {
        (void)dup2(in, STDIN_FILENO);
        (void)close(in);
    }
}

static int stimulus(const char *path)
{
    struct egret_stimulus *s;
    int code = egret_stimulus_open(path, &s, &error);
    if (code == EGRET_OK) {
        egret_stimulus_close(s);
    }
    return code;
}

/* A stimulus is a nanosecond pcap 2.4 of Ethernet, in either byte order. */
static void headers(void)
{
    static const uint8_t good[24] = {0x4d, 0x3c, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0,
                                     0,    0,    0,    0,    0, 0, 1, 0, 1, 0, 0, 0};
    static const uint8_t micro[24] = {0xa1, 0xb2, 0xc3, 0xd4};
    static const uint8_t turned[24] = {0xa1, 0xb2, 0x3c, 0x4d, 0, 2, 0, 5};
    uint8_t minor[24];
    memcpy(minor, good, sizeof good);
    minor[6] = 3;
    const struct {
        const uint8_t *bytes;
        const char *reason;
    } some[] = {{good, NULL},
                {minor, "not pcap version 2.4"},
                {turned, "not pcap version 2.4"},
                {micro, "pcap with microsecond time stamps; a stimulus has nanosecond ones (magic "
                        "0xa1b23c4d; convert with: editcap -F nsecpcap)"}};
    char name[300], wanted[500];
    const char *path = trace_scratch(name, sizeof name, "source.pcap");
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        write_file(path, some[i].bytes, 24);
        (void)snprintf(wanted, sizeof wanted, "%s: header, offset 0: %s", path,
                       some[i].reason ? some[i].reason : "");
        int code = stimulus(path);
        if (some[i].reason) {
            said(code, EGRET_ERR_EVENT, wanted);
        } else {
            CHECK(&t, code == EGRET_OK);
        }
    }
    (void)remove(path);
    said(stimulus("/proc/self/mem"), EGRET_ERR_RANGE, "/proc/self/mem: Input/output error");
}

/* Bytes packed as a gzip file; 31: zlib's number for that header. */
static size_t pack(const void *bytes, size_t n, uint8_t *out, size_t size)
{
    z_stream z = {0};
    CHECK(&t, deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    z.next_in = (Bytef *)(uintptr_t)bytes;
    z.avail_in = (uInt)n;
    z.next_out = out;
    z.avail_out = (uInt)size;
    CHECK(&t, deflate(&z, Z_FINISH) == Z_STREAM_END);
    (void)deflateEnd(&z);
    return size - z.avail_out;
}

static void packed(void)
{
    static const char text[] = "num_ranks 1 rank 0 { calc 1 }";
    uint8_t file[200];
    char name[300], wanted[400];
    const char *path = trace_scratch(name, sizeof name, "source.gz");
    size_t n = pack(text, sizeof text - 1u, file, sizeof file);
    write_file(path, file, n);
    CHECK(&t, import(path) == EGRET_OK);
    /* Without its last 8 bytes, the checksum and the length, the file is cut. */
    write_file(path, file, n - 8u);
    (void)snprintf(wanted, sizeof wanted, "%s: byte 29: gzip: ends too early", path);
    said(import(path), EGRET_ERR_RANGE, wanted);
    file[n - 8u] ^= 1; /* the checksum */
    write_file(path, file, n);
    (void)snprintf(wanted, sizeof wanted, "%s: byte 0: gzip: incorrect data check", path);
    said(import(path), EGRET_ERR_RANGE, wanted);
    no_zlib_memory = true;
    (void)snprintf(wanted, sizeof wanted, "%s: byte 0: gzip: out of memory", path);
    said(import(path), EGRET_ERR_MEMORY, wanted);
    no_zlib_memory = false;
    (void)remove(path);
}

/* What is open: refused once, it stays refused; all of it, but no more than is asked for. */
static void rest(void)
{
    static char text[200000];
    struct source s;
    uint8_t *bytes, part[4];
    size_t n;
    char name[300], wanted[400];
    const char *path = trace_scratch(name, sizeof name, "source.txt");
    memset(text, 'x', sizeof text);
    write_file(path, text, sizeof text);
    CHECK(&t, egret_source_open(&s, path, &error) == EGRET_OK && s.size == sizeof text);
    CHECK(&t, egret_source_take(&s, NULL, 65534) && egret_source_take(&s, part, 4));
    CHECK(&t, source_offset(&s) == 65538u && memcmp(part, "xxxx", 4) == 0);
    CHECK(&t, egret_source_rest(&s, sizeof text, &bytes, &n) == EGRET_OK);
    CHECK(&t, n == sizeof text - 65538u && bytes[n - 1u] == 'x');
    free(bytes);
    CHECK(&t, !egret_source_take(&s, part, 1) && !egret_source_refill(&s) && !s.failed);
    egret_source_close(&s);
    CHECK(&t, egret_source_open(&s, path, &error) == EGRET_OK);
    CHECK(&t, egret_source_rest(&s, sizeof text, &bytes, &n) == EGRET_OK && n == sizeof text);
    free(bytes);
    egret_source_close(&s);
    (void)snprintf(wanted, sizeof wanted, "%s: larger than 199999 bytes", path);
    CHECK(&t, egret_source_open(&s, path, &error) == EGRET_OK);
    said(egret_source_rest(&s, sizeof text - 1u, &bytes, &n), EGRET_ERR_RANGE, wanted);
    CHECK(&t, bytes == NULL);
    egret_source_close(&s);
    /* No memory: for the source, for the first piece, for a larger one. */
    (void)snprintf(wanted, sizeof wanted, "%s: out of memory", path);
    fail_at = 1;
    said(egret_source_open(&s, path, &error), EGRET_ERR_MEMORY, wanted);
    for (unsigned long i = 1; i <= 3u; i++) {
        CHECK(&t, egret_source_open(&s, path, &error) == EGRET_OK);
        fail_at = i;
        said(egret_source_rest(&s, sizeof text, &bytes, &n), EGRET_ERR_MEMORY, wanted);
        CHECK(&t, bytes == NULL);
        egret_source_close(&s);
    }
    for (unsigned long i = 1; i <= 2u; i++) {
        fail_at = i;
        said(matrix(path), EGRET_ERR_MEMORY, wanted);
    }
    fail_at = 0;
    (void)remove(path);
    CHECK(&t, egret_source_open(&s, "/proc/self/mem", &error) == EGRET_OK);
    said(egret_source_rest(&s, 9, &bytes, &n), EGRET_ERR_RANGE,
         "/proc/self/mem: Input/output error");
    CHECK(&t, bytes == NULL && !egret_source_refill(&s));
    CHECK(&t, egret_source_fail_byte(&s, 7, "later") == EGRET_ERR_RANGE && !error.text[0]);
    egret_source_close(&s);
}

static void lines(void)
{
    static const uint8_t text[] = "a\r\nbb\n\n\rc\r\nlong\nlast\r";
    static const struct {
        const char *line;
        bool cut;
    } want[] = {{"a", false},   {"bb", false}, {"", false},
                {"\rc", false}, {"lon", true}, {"las", true}};
    struct source s;
    char line[4];
    size_t n;
    bool cut;
    egret_source_memory(&s, text, sizeof text - 1u, "t", &error);
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        CHECK(&t, egret_source_line(&s, line, sizeof line, &n, &cut));
        if (!CHECK(&t, strcmp(line, want[i].line) == 0 && cut == want[i].cut && s.line == i + 2u)) {
            printf("line %zu: '%s'\n", i, line);
        }
    }
    CHECK(&t, !egret_source_line(&s, line, sizeof line, &n, &cut) && n == 0 && !cut);
    egret_source_close(&s);
    egret_source_memory(&s, NULL, 0, "t", &error);
    CHECK(&t, source_get(&s) == -1 && source_peek(&s) == -1);
}

/* A disk that is full: the first byte that does not fit is the error, all behind it is nothing. */
static void outputs(void)
{
    struct egret_outfile *f = NULL;
    for (unsigned written = 0; written < 2u; written++) {
        if (!CHECK(&t, egret_outfile_open("/dev/full", &f, &error) == EGRET_OK)) {
            return;
        }
        for (unsigned i = 0; i < 20000u && !egret_outfile_failed(f); i++) {
            if (written) {
                egret_outfile_write(f, "123456789", 9);
            } else {
                egret_outfile_printf(f, "%u\n", 123456789u);
            }
        }
        CHECK(&t, egret_outfile_failed(f));
        egret_outfile_write(f, "x", 1);
        egret_outfile_printf(f, "x");
        said(egret_outfile_commit(f, &error), EGRET_ERR_RANGE,
             "/dev/full: No space left on device");
    }
}

int main(void)
{
    no_files();
    headers();
    packed();
    rest();
    lines();
    outputs();
    return trace_result(&t);
}
