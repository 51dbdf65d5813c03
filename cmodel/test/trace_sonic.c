/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_sonic.c: one wrong thing in SONiC's config_db.json: refused with exactly one line that says
 * which table, key and field; and what is noted because it does nothing here.
 */
#include "egret/settings.h"
#include "trace_test.h"

static struct trace_test t;
static struct egret_trace_error error;

/* Is the text of the error exactly this? */
static void said(int code, const char *reason)
{
    if (!CHECK(&t, code == EGRET_ERR_RANGE && strcmp(error.text, reason) == 0)) {
        printf("code %d, '%s', wanted '%s'\n", code, error.text, reason);
    }
}

static char notes[4000];
static void note(void *ctx, const char *text)
{
    (void)ctx;
    (void)strncat(notes, text, sizeof notes - strlen(notes) - 2u);
    (void)strcat(notes, "\n");
}

/* The PORT table with two ports, and these tables; null: good. */
static void sonic(const char *tables, const char *reason)
{
    char text[8000];
    struct egret_settings s;
    (void)snprintf(text, sizeof text,
                   "{\"PORT\": {\"Ethernet0\": {\"speed\": \"400000\"}, \"Ethernet8\": "
                   "{\"speed\": 400000, \"admin_status\": \"up\"}}, %s}",
                   tables);
    error.text[0] = '\0';
    notes[0] = '\0';
    int code = egret_sonic_parse(text, strlen(text), "t", &s, note, NULL, &error);
    if (reason) {
        said(code, reason);
    } else if (!CHECK(&t, code == EGRET_OK)) {
        printf("%s: %s\n", tables, error.text);
    }
    if (code == EGRET_OK) {
        egret_settings_free(&s);
    }
}
static void noted(const char *tables, const char *text)
{
    sonic(tables, NULL);
    if (!CHECK(&t, strstr(notes, text) != NULL)) {
        printf("%s: %s, wanted %s\n", tables, notes, text);
    }
}
/* A whole file. */
static void sonic_file(const char *text, const char *reason)
{
    struct egret_settings s;
    error.text[0] = '\0';
    said(egret_sonic_parse(text, strlen(text), "t", &s, NULL, NULL, &error), reason);
}

#define PORT(fields) "{\"PORT\": {\"Ethernet0\": {" fields "}}}"
#define OBJECT "\"ARS_OBJECT\": {\"o\": {}}, "
#define USED "\"ARS_INTERFACE\": {\"Ethernet0\": {}, \"Ethernet8\": {}}"
#define PROFILE(fields) "\"ARS_PROFILE\": {\"p\": {" fields "}}"

static void sonic_files(void)
{
    static char many[4000];
    struct egret_settings s;
    sonic_file("[]", "t:1:1: no object");
    sonic_file("{}", "t: PORT: no such table");
    sonic_file("{\"PORT\": []}", "t: PORT: wrong type, wanted an object");
    sonic_file("{\"PORT\": {}}", "t: PORT: 1 to 64 ports");
    sonic_file("{\"PORT\": {\"Ethernet0\": 1}}", "t: PORT|Ethernet0: wrong type, wanted an object");
    sonic_file("{\"PORT\": {\"eth0\": {}}}", "t: PORT|eth0: no name like Ethernet0");
    sonic_file("{\"PORT\": {\"Ethernet65536\": {}}}",
               "t: PORT|Ethernet65536: no name like Ethernet0");
    sonic_file("{\"PORT\": {\"Ethernet0\": {\"speed\": 1}, \"Ethernet00\": {\"speed\": 1}}}",
               "t: PORT|Ethernet00: this port is there twice");
    sonic_file(PORT(""), "t: PORT|Ethernet0|speed: missing");
    sonic_file(PORT("\"speed\": \"fast\""), "t: PORT|Ethernet0|speed: wrong type, wanted a number");
    sonic_file(PORT("\"speed\": -1"), "t: PORT|Ethernet0|speed: wrong type, wanted a number");
    sonic_file(PORT("\"speed\": 1.5"), "t: PORT|Ethernet0|speed: wrong type, wanted a number");
    sonic_file(PORT("\"speed\": 0"), "t: PORT|Ethernet0|speed: out of range, 1 to 10000000");
    sonic_file(PORT("\"speed\": \"10000001\""),
               "t: PORT|Ethernet0|speed: out of range, 1 to 10000000");
    sonic_file(PORT("\"speed\": 1, \"admin_status\": 1"),
               "t: PORT|Ethernet0|admin_status: wrong type, wanted a string");
    sonic_file(PORT("\"speed\": 1, \"admin_status\": \"on\""),
               "t: PORT|Ethernet0|admin_status: neither up nor down");
    sonic_file("{\"PORT\": {\"a\\nb\": {}}}", "t: PORT|a?b: no name like Ethernet0");
    size_t n = (size_t)snprintf(many, sizeof many, "{\"PORT\": {");
    for (unsigned i = 0; i < 65u; i++) {
        n += (size_t)snprintf(many + n, sizeof many - n, "%s\"Ethernet%u\": {\"speed\": 1}",
                              i ? "," : "", i);
    }
    (void)snprintf(many + n, sizeof many - n, "}}");
    sonic_file(many, "t: PORT: 1 to 64 ports");
    sonic_file("{\"PORT\": {\"a\\u007fb\": {}}}", "t: PORT|a?b: no name like Ethernet0");
    /* Without a place for the text of the error. More than 16 ports need the larger hardware. */
    CHECK(&t, egret_sonic_parse("[", 1, "t", &s, NULL, NULL, NULL) == EGRET_ERR_RANGE);
    CHECK(&t, egret_sonic_parse("{}", 2, "t", &s, NULL, NULL, NULL) == EGRET_ERR_RANGE);
    for (unsigned ports = 16; ports <= 17u; ports++) {
        n = (size_t)snprintf(many, sizeof many, "{\"PORT\": {");
        for (unsigned i = 0; i < ports; i++) {
            n += (size_t)snprintf(many + n, sizeof many - n, "%s\"Ethernet%u\": {\"speed\": 1}",
                                  i ? "," : "", i);
        }
        (void)snprintf(many + n, sizeof many - n, "}}");
        CHECK(&t, egret_sonic_parse(many, strlen(many), "t", &s, NULL, NULL, &error) == EGRET_OK &&
                      strcmp(s.cfg.name, ports == 16u ? "lab" : "tor64") == 0);
        egret_settings_free(&s);
    }
    said(egret_sonic_parse("", ((size_t)4 << 20) + 1u, "t", &s, NULL, NULL, &error),
         "t: more than 4194304 bytes");
}

static void sonic_hash(void)
{
    sonic("\"SWITCH_HASH\": 1", "t: SWITCH_HASH: wrong type, wanted an object");
    sonic("\"SWITCH_HASH\": {\"GLOBAL\": 1}",
          "t: SWITCH_HASH|GLOBAL: wrong type, wanted an object");
    sonic("\"SWITCH_HASH\": {\"GLOBAL\": {\"ecmp_hash\": 1}}",
          "t: SWITCH_HASH|GLOBAL|ecmp_hash: wrong type, wanted a list");
    sonic("\"SWITCH_HASH\": {\"GLOBAL\": {\"ecmp_hash\": [1]}}",
          "t: SWITCH_HASH|GLOBAL|ecmp_hash: wrong type, wanted names");
    sonic("\"SWITCH_HASH\": {\"GLOBAL\": {\"ecmp_hash_algorithm\": 1}}",
          "t: SWITCH_HASH|GLOBAL|ecmp_hash_algorithm: wrong type, wanted a string");
    sonic("\"SWITCH_HASH\": {}", NULL);
    sonic("\"SWITCH_HASH\": {\"GLOBAL\": {\"ecmp_hash_algorithm\": \"JENKINS_LO\"}}",
          "t: hash: algorithm is not in hardware lab");
    noted("\"SWITCH_HASH\": {\"GLOBAL\": {\"ecmp_hash_algorithm\": \"RANDOM\"}}",
          "SWITCH_HASH|GLOBAL|ecmp_hash_algorithm: no RANDOM here, crc32c counts");
    noted("\"SWITCH_HASH\": {\"GLOBAL\": {\"ecmp_hash\": [\"DST_MAC\", \"SRC_IP\"]}}",
          "SWITCH_HASH|GLOBAL|ecmp_hash: DST_MAC is not hashed here");
    noted("\"ARS_NEW\": {}", "table ARS_NEW is ignored");
    noted("\"A\":1, \"B\":1, \"C\":1, \"D\":1, \"E\":1, \"F\":1, \"G\":1, \"H\":1, \"I\":1",
          "9 tables are ignored in all");
    CHECK(&t, strstr(notes, "table H is ignored") && !strstr(notes, "table I "));
}

static void sonic_ars(void)
{
    char text[6000] = "\"ARS_OBJECT\": {";
    sonic("\"ARS_OBJECT\": []", "t: ARS_OBJECT: wrong type, wanted an object");
    sonic("\"ARS_OBJECT\": {\"o\": 1}", "t: ARS_OBJECT|o: wrong type, wanted an object");
    sonic("\"ARS_NEXTHOP_GROUP\": 1", "t: ARS_NEXTHOP_GROUP: wrong type, wanted an object");
    for (unsigned i = 0; i < 65u; i++) {
        size_t n = strlen(text);
        (void)snprintf(text + n, sizeof text - n, "%s\"%u\": {}", i ? "," : "", i);
    }
    (void)strcat(text, "}");
    sonic(text, "t: ARS_OBJECT: more than 64 objects");
    sonic("\"ARS_PROFILE\": 1", "t: ARS_PROFILE: wrong type, wanted an object");
    sonic("\"ARS_PROFILE\": {\"p\": {}, \"q\": {}}", "t: ARS_PROFILE: more than one profile");
    sonic("\"ARS_PROFILE\": {\"p\": 1}", "t: ARS_PROFILE|p: wrong type, wanted an object");
    sonic(PROFILE("\"algorithm\": 1"), "t: ARS_PROFILE|p|algorithm: wrong type, wanted a string");
    sonic(PROFILE("\"algorithm\": \"x\""), "t: ARS_PROFILE|p|algorithm: there is ewma alone");
    sonic(PROFILE("\"sampling_interval\": 0"),
          "t: ARS_PROFILE|p|sampling_interval: out of range, 1 to 1000000");
    sonic(PROFILE("\"past_load_weight\": 65536"),
          "t: ARS_PROFILE|p|past_load_weight: out of range, 0 to 65535");
    sonic(PROFILE("\"future_load_weight\": 65536"),
          "t: ARS_PROFILE|p|future_load_weight: out of range, 0 to 65535");
    sonic(PROFILE("\"max_flows\": 4294967296"),
          "t: ARS_PROFILE|p|max_flows: out of range, 0 to 4294967295");
    sonic(PROFILE("\"default_ars_object\": 1"),
          "t: ARS_PROFILE|p|default_ars_object: wrong type, wanted a string");
    sonic(PROFILE("\"default_ars_object\": \"x\""),
          "t: ARS_PROFILE|p|default_ars_object: there is no such object");
    sonic("\"ARS_PROFILE\": {}", NULL);
    noted(PROFILE("\"max_flows\": 100000, \"ipv6_enable\": \"true\""),
          "ARS_PROFILE|p|max_flows: hardware lab has 1024 in all");
    CHECK(&t, strstr(notes, "ARS_PROFILE|p|ipv6_enable is ignored") != NULL);
    sonic("\"ARS_INTERFACE\": 1", "t: ARS_INTERFACE: wrong type, wanted an object");
    sonic(OBJECT "\"ARS_INTERFACE\": {\"Ethernet0\": 1}",
          "t: ARS_INTERFACE|Ethernet0: wrong type, wanted an object");
    sonic(OBJECT "\"ARS_INTERFACE\": {\"Ethernet0\": {\"ars_obj_name\": 1}}",
          "t: ARS_INTERFACE|Ethernet0|ars_obj_name: wrong type, wanted a string");
    sonic(OBJECT "\"ARS_INTERFACES\": {\"Ethernet0\": {\"ars_obj_name\": \"x\"}}",
          "t: ARS_INTERFACES|Ethernet0|ars_obj_name: there is no such object");
    sonic(OBJECT "\"ARS_INTERFACE\": {\"Ethernet1\": {}}",
          "t: ARS_INTERFACE|Ethernet1: there is no such port");
    noted("\"ARS_INTERFACE\": {\"Ethernet0\": {}}",
          "ARS_INTERFACE|Ethernet0 is in no group: it names no object");
    noted("\"ARS_OBJECT\": {\"o\": {}, \"u\": {}}, \"ARS_INTERFACE\": {\"Ethernet0\": "
          "{\"ars_obj_name\": \"o\", \"scaling_factor\": 1}}",
          "ARS_OBJECT|u is ignored: no interface has it");
    CHECK(&t, strstr(notes, "scaling_factor is ignored") != NULL);
    sonic("\"ARS_OBJECT\": {\"o\": {\"assign_mode\": \"x\"}}, " USED,
          "t: ARS_OBJECT|o|assign_mode: neither per_flowlet_quality nor per_packet_quality");
    sonic("\"ARS_OBJECT\": {\"o\": {\"assign_mode\": 1}}, " USED,
          "t: ARS_OBJECT|o|assign_mode: wrong type, wanted a string");
    sonic("\"ARS_OBJECT\": {\"o\": {\"flowlet_idle_time\": 1}}, " USED,
          "t: ARS_OBJECT|o|flowlet_idle_time: out of range, 2 to 2047");
    sonic("\"ARS_OBJECT\": {\"o\": {\"max_flows\": 0}}, " USED,
          "t: ARS_OBJECT|o|max_flows: out of range, 1 to 4294967295");
    sonic("\"ARS_OBJECT\": {\"o\": {\"assign_mode\": \"per_packet\"}}, " USED, NULL);
    noted("\"ARS_OBJECT\": {\"o\": {\"max_flows\": 100, \"primary_path_threshold\": 1}}, " USED,
          "ARS_OBJECT|o|max_flows: 64, a power of two within hardware lab");
    CHECK(&t, strstr(notes, "there are no alternate paths here") != NULL);
}

#define MEMBERS                                                                                    \
    "\"PORTCHANNEL_MEMBER\": {\"c|Ethernet0\": {}, \"c|Ethernet8\": {}, \"cc|Ethernet0\": {}}"

static void sonic_channels(void)
{
    char text[6000] = "\"ARS_PORTCHANNEL\": {";
    sonic("\"ARS_PORTCHANNEL\": 1", "t: ARS_PORTCHANNEL: wrong type, wanted an object");
    sonic("\"ARS_PORTCHANNELS\": 1", "t: ARS_PORTCHANNELS: wrong type, wanted an object");
    sonic("\"PORTCHANNEL_MEMBER\": 1", "t: PORTCHANNEL_MEMBER: wrong type, wanted an object");
    sonic("\"ARS_PORTCHANNEL\": {\"c\": 1}, " MEMBERS,
          "t: ARS_PORTCHANNEL|c: wrong type, wanted an object");
    sonic("\"ARS_PORTCHANNEL\": {\"c\": {\"ars_obj_name\": 1}}, " MEMBERS,
          "t: ARS_PORTCHANNEL|c|ars_obj_name: wrong type, wanted a string");
    sonic("\"ARS_PORTCHANNEL\": {\"c\": {\"ars_obj_name\": \"x\"}}, " MEMBERS,
          "t: ARS_PORTCHANNEL|c|ars_obj_name: there is no such object");
    sonic("\"ARS_PORTCHANNEL\": {\"c\": {\"max_flows\": 0}}, " MEMBERS,
          "t: ARS_PORTCHANNEL|c|max_flows: out of range, 1 to 4294967295");
    sonic("\"ARS_PORTCHANNEL\": {\"c\": {}}, \"PORTCHANNEL_MEMBER\": {\"c|Ethernet1\": {}}",
          "t: PORTCHANNEL_MEMBER|c|Ethernet1: there is no such port");
    noted("\"ARS_PORTCHANNEL\": {\"d\": {}}, " MEMBERS,
          "ARS_PORTCHANNEL|d is ignored: PORTCHANNEL_MEMBER has no member of it");
    sonic(OBJECT "\"ARS_PORTCHANNEL\": {\"c\": {\"ars_obj_name\": \"o\"}}, " MEMBERS, NULL);
    for (unsigned i = 0; i < 65u; i++) {
        size_t n = strlen(text);
        (void)snprintf(text + n, sizeof text - n, "%s\"%u\": {}", i ? "," : "", i);
    }
    (void)strcat(text, "}");
    sonic(text, "t: ARS_PORTCHANNEL: more than 64 port channels");
}

/* By the path: either kind of file. */
static void paths(void)
{
    char name[300];
    struct egret_settings s;
    FILE *f = fopen(trace_scratch(name, sizeof name, "sonic_paths.yaml"), "wb");
    CHECK(&t, f && fputs("hardware: tiny\nseed: 7\n", f) >= 0 && fclose(f) == 0);
    if (CHECK(&t, egret_settings_load(name, &s, &error) == EGRET_OK)) {
        CHECK(&t, s.seed == 7 && strcmp(s.cfg.name, "tiny") == 0);
        egret_settings_free(&s);
    }
    (void)remove(name);
    CHECK(&t, egret_settings_load(name, &s, &error) == EGRET_ERR_RANGE);
    CHECK(&t, strstr(error.text, "sonic_paths.yaml: No such file or directory") != NULL);
}

int main(void)
{
    paths();
    sonic_files();
    sonic_hash();
    sonic_ars();
    sonic_channels();
    return trace_result(&t);
}
