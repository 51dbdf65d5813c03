/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_refusals_settings.c: one wrong value of each type in a file of settings (YAML): where it
 * stands, and what is wanted there. And values at their limits, which are taken.
 */
#include "egret/settings.h"
#include "egret/trace_make.h"
#include "trace_test.h"

static struct trace_test t;
static struct egret_trace_error error;

/* Parses; null: good, and the settings are the caller's. */
static void settings(const char *yaml, const char *reason, struct egret_settings *out)
{
    struct egret_settings s;
    error.text[0] = '\0';
    int code = egret_settings_parse(yaml, strlen(yaml), "t", &s, &error);
    if (!CHECK(&t, reason ? code == EGRET_ERR_RANGE && strcmp(error.text, reason) == 0
                          : code == EGRET_OK)) {
        printf("%s: code %d, '%s', wanted '%s'\n", yaml, code, error.text, reason ? reason : "");
    }
    if (code == EGRET_OK && out) {
        *out = s;
    } else if (code == EGRET_OK) {
        egret_settings_free(&s);
    } else if (out) {
        memset(out, 0, sizeof *out);
    }
}

static void refuse(const char *yaml, const char *reason)
{
    settings(yaml, reason, NULL);
}

#define A_NUMBER "seed: wrong type, wanted a number"
#define HEX "key: wrong type, wanted rss, symmetric, or 1 to 64 bytes of hexadecimal"
#define A_SPEED "speed: wrong type, wanted Mbit/s, or a number with G or M"

static void numbers(void)
{
    static const char *const bad[] = {"''",
                                      "\"5\"",
                                      "'-5'",
                                      "-",
                                      "-x",
                                      "~",
                                      "05",
                                      "0x",
                                      "0xg",
                                      "5 5",
                                      "0x12345678901234567",
                                      "18446744073709551616",
                                      "{}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[100];
        (void)snprintf(text, sizeof text, "seed: %s", bad[i]);
        /* a dash of its own begins a list, which no value of a key on its line may be */
        if (strcmp(bad[i], "-") == 0) {
            struct egret_settings s;
            CHECK(&t, egret_settings_parse(text, strlen(text), "t", &s, &error) < 0);
            continue;
        }
        refuse(text, "t:1:7: " A_NUMBER);
    }
    refuse("seed: -5", "t:1:7: seed: out of range, below 0");
    refuse("seed: 4294967296", "t:1:7: seed: out of range, 0 to 4294967295");
    struct egret_settings s;
    settings("seed: 0XfFfFfFfF", NULL, &s);
    CHECK(&t, s.seed == UINT32_MAX);
    egret_settings_free(&s);
    refuse("load: {period: 0}", "t:1:16: period: out of range, 1 to 1000000000");
    refuse("load: {SAI_ARS_PROFILE_ATTR_SAMPLING_INTERVAL: 0}",
           "t:1:48: SAI_ARS_PROFILE_ATTR_SAMPLING_INTERVAL: out of range, 1 to 1000000");
}

/* Names, truth, speeds, keys of a hash. */
static void words(void)
{
    refuse("? [a]\n: 1\n", "t:1:3: key: wrong type, wanted a name");
    refuse("hardware: [lab]", "t:1:11: hardware: wrong type, wanted a name");
    refuse("hash: {algorithm: [crc32]}", "t:1:19: algorithm: wrong type, wanted a name");
    refuse("hash: {layout: odd}",
           "t:1:16: layout: 'odd' is none of record, ipv4-5tuple, rss-ipv4, rss-ipv6, "
           "rss-ipv4-addr, rss-ipv6-addr");
    static const char *const truth[] = {"1", "yes", "'true'", "[true]", "True"};
    for (size_t i = 0; i < sizeof truth / sizeof truth[0]; i++) {
        char text[100];
        (void)snprintf(text, sizeof text, "ports: [{port: 2, up: %s}]", truth[i]);
        refuse(text, "t:1:23: up: wrong type, wanted true or false");
    }
    static const char *const speed[] = {"4T", "4GB", "4Gb", "4Mbp", "4g"};
    for (size_t i = 0; i < sizeof speed / sizeof speed[0]; i++) {
        char text[100];
        (void)snprintf(text, sizeof text, "ports: [{port: 2, speed: %s}]", speed[i]);
        refuse(text, "t:1:26: " A_SPEED);
    }
    refuse("ports: [{port: 2, speed: [4]}]", "t:1:26: speed: wrong type, wanted a number");
    refuse("ports: [{port: 2, speed: fast}]", "t:1:26: speed: wrong type, wanted a number");
    refuse("ports: [{port: 2, speed: 123456789012G}]",
           "t:1:26: speed: wrong type, wanted a number");
    refuse("ports: [{port: 2, speed: 0G}]", "t:1:26: speed: out of range, 1 to 10000000 Mbit/s");
    refuse("ports: [{port: 2, speed: 10001Gbps}]",
           "t:1:26: speed: out of range, 1 to 10000000 Mbit/s");
    refuse("ports: [{port: 2, speed: 0}]", "t:1:26: speed: out of range, 1 to 10000000");
    static const char *const hex[] = {"[rss]", "''", "0", "0g", "g0", "0/", "0G", "\"0\\0\""};
    for (size_t i = 0; i < sizeof hex / sizeof hex[0]; i++) {
        char text[100];
        (void)snprintf(text, sizeof text, "hash: {key: %s}", hex[i]);
        refuse(text, "t:1:13: " HEX);
    }
    char text[200] = "hash: {key: ";
    memset(text + 12, 'a', 130);
    (void)strcat(text, "}");
    refuse(text, "t:1:13: " HEX);
    struct egret_settings s;
    settings("hash: {algorithm: toeplitz, key: 00FfaA}\nports: [{port: 2, up: false, speed: "
             "4Mbps}, {port: 3, speed: 2Gbps}]",
             NULL, &s);
    CHECK(&t, s.hash.setup.key_len == 3 && memcmp(s.hash.setup.key, "\x00\xff\xaa", 3) == 0);
    CHECK(&t, s.speed_mbps[2] == 4 && s.speed_mbps[3] == 2000 && s.port_down[2]);
    egret_settings_free(&s);
}

static void lists(void)
{
    refuse("groups: 5", "t:1:9: groups: wrong type, wanted a list");
    refuse("classes: {thresholds: 5}", "t:1:23: thresholds: wrong type, wanted a list");
    refuse("classes: {thresholds: [x]}", "t:1:24: thresholds: wrong type, wanted a number");
    refuse("classes: {ordered: 5}", "t:1:20: ordered: wrong type, wanted a list");
    refuse("classes: {ordered: [16]}", "t:1:21: ordered: out of range, 0 to 15");
    refuse("classes: {ordered: [3, 3]}", "t:1:24: ordered: '3' is there twice");
    refuse("hash: {fields: src_ip}", "t:1:16: fields: wrong type, wanted a list");
    refuse("hash: {fields: [[src_ip]]}", "t:1:17: fields: wrong type, wanted names of hash fields");
    refuse("hash: {fields: [odd]}", "t:1:17: fields: unknown field 'odd'");
    static char text[60000];
    size_t n = (size_t)snprintf(text, sizeof text, "ports: [");
    for (unsigned i = 0; i < 65u; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "{port: 1},");
    }
    (void)snprintf(text + n, sizeof text - n, "]");
    refuse(text, "t:1:649: ports: more than 64 elements"); /* 8 + 64 * 10 + 1 */
    struct egret_settings s;
    CHECK(&t, egret_settings_parse("", EGRET_SETTINGS_MAX_BYTES + 1u, "t", &s, &error) ==
                  EGRET_ERR_RANGE);
    char wanted[60];
    (void)snprintf(wanted, sizeof wanted, "t: more than %u bytes", EGRET_SETTINGS_MAX_BYTES);
    CHECK(&t, strcmp(error.text, wanted) == 0);
    /* Bands one by one: each behind the one before. */
#define BAND(i) "SAI_ARS_PROFILE_ATTR_QUANT_BAND_" #i "_MIN_THRESHOLD"
    refuse("load: {" BAND(2) ": 5}", "t:1:57: " BAND(2) ": the one before comes first");
    refuse("load: {" BAND(1) ": x}", "t:1:57: " BAND(1) ": wrong type, wanted a number");
    settings("load: {" BAND(1) ": 100, " BAND(2) ": 200}", NULL, &s);
    /* Of 800G in 16384 parts, rounded up (docs/spec/load.md): 2.05 and 4.1; bands without a
     * threshold are never reached. */
    CHECK(&t, s.load.threshold[0] == 3);
    CHECK(&t, s.load.threshold[1] == 5 && s.load.threshold[2] == 65535);
    egret_settings_free(&s);
    refuse("load: {mbps: [200, 100]}",
           "t:1:7: load: mbps: they do not fall, and stay within a full port");
}

static void routes(void)
{
    static const struct {
        const char *prefix, *reason;
    } bad[] = {{"10.0.0.0", "wrong type, wanted ADDRESS/LENGTH"},
               {"[10.0.0.0/8]", "wrong type, wanted ADDRESS/LENGTH"},
               {"\"10.0.0.0/8\\0\"", "wrong type, wanted ADDRESS/LENGTH"},
               {"0000000000000000000000000000000000000000000000000000000000000000/8",
                "wrong type, wanted ADDRESS/LENGTH"},
               {"10.0.0/8", "'10.0.0' is no address"},
               {"1:2/8", "'1:2' is no address"},
               {"10.0.0.0/33", "length out of range, 0 to 32"},
               {"10.0.0.0/", "length out of range, 0 to 32"},
               {"2001::/129", "length out of range, 0 to 128"},
               {"10.0.0.1/31", "address has bits beyond the length"},
               {"2001::1/127", "address has bits beyond the length"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[200], reason[200];
        (void)snprintf(text, sizeof text, "routes: [{prefix: %s, group: 0}]", bad[i].prefix);
        (void)snprintf(reason, sizeof reason, "t:1:19: prefix: %s", bad[i].reason);
        refuse(text, reason);
    }
    refuse("default-key: 64", "t:1:1: default-key: hardware lab has 64 keys");
    refuse("default-group: 3", "t:1:1: default-group: there is no group 3");
    refuse("default-group: 1024", "t:1:1: default-group: there is no group 1024");
}

/* A port of 1 Mbit/s that is full sends less than a byte in a nanosecond. */
static void loads(void)
{
    refuse("load: {period: 1, exponent: 0}\nports: [{port: 1, speed: 1}]\n"
           "groups: [{id: 0, scheme: spray-quality, members: [1]}]",
           "t:1:7: load: period: period, exponent and speed of a port do not go together "
           "(docs/spec/load.md)");
    char name[300], line[200];
    const char *path = trace_scratch(name, sizeof name, "refusals_settings.txt");
    struct egret_outfile *out;
    struct egret_settings s;
    bool never = false;
    settings("groups: [{id: 0, scheme: flowlet, members: [1, 2], flowlet: {idle: never}}]", NULL,
             &s);
    if (CHECK(&t, egret_outfile_open(path, &out, &error) == EGRET_OK)) {
        egret_settings_show(&s, out);
        CHECK(&t, egret_outfile_commit(out, &error) == EGRET_OK);
    }
    FILE *f = fopen(path, "rb");
    while (CHECK(&t, f != NULL) && fgets(line, sizeof line, f)) {
        never |= strstr(line, " idle: never\n") != NULL;
    }
    CHECK(&t, never && f && fclose(f) == 0);
    (void)remove(path);
    egret_settings_free(&s);
}

/* What is taken when nothing is said, on hardware that has less; what was given. */
static void defaults(void)
{
    struct egret_settings s;
    settings("hardware: lab_lookup3\nhash: {seed: 3}\nclasses: {ack-bin: 1}", NULL, &s);
    CHECK(&t, s.hash.setup.algorithm == EGRET_HASH_LOOKUP3);
    CHECK(&t, egret_settings_has(&s, "hash.seed") && !egret_settings_has(&s, "hash.key"));
    CHECK(&t, egret_settings_has(&s, "classes.ack-bin") && !egret_settings_has(&s, "classes.x"));
    CHECK(&t, !egret_settings_has(&s, "load.period") && egret_settings_has(&s, "hardware"));
    egret_settings_free(&s);
    settings("hardware: p1", NULL, &s); /* one bin: no threshold */
    CHECK(&t, s.classes.num_thresholds == 0);
    egret_settings_free(&s);
    char text[60];
    CHECK(&t, strcmp(egret_settings_address(0xffffffu, text, sizeof text), "?") == 0);
}

int main(void)
{
    numbers();
    words();
    lists();
    routes();
    loads();
    defaults();
    return trace_result(&t);
}
