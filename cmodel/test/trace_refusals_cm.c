/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_refusals_cm.c: one wrong thing in a connection matrix, in what trace_cm.c leaves out: ends
 * of flows, ids and their messages, failures, triggers that are not there.
 */
#include "egret/trace_make.h"
#include "trace_refusals.h"

#define HEAD "Nodes 8\nConnections 1\n"
#define FLOW "0->1 start 0 size 5\n"
#define TWO "Nodes 8\nConnections 2\n"
#define FAILS HEAD "Failures 1\n" FLOW "failure "
#define NEEDS "t:5: a failure needs switch_type, switch_id and link_id"

static void flows(void)
{
    static const char *const ends[] = {"0", "0x->1", "0->x", "0->1x", "0-", "0-1", "00>1", "->1"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char text[100];
        (void)snprintf(text, sizeof text, "%s%s start 0 size 5\n", HEAD, ends[i]);
        refused(text,
                ends[i][0] == '-' ? "t:3: unknown word '->1'" : "t:3: a flow starts with SRC->DST");
    }
    refused(HEAD "9->1 start 0 size 5\n", "t:3: node 9 of 8 nodes");
    refused(HEAD "1->9 start 0 size 5\n", "t:3: node 9 of 8 nodes");
    refused(HEAD "0->1 start 0 size 5 ccccccccccccccccccccccccccccccccccccccccTOO_LONG\n",
            "t:3: unknown word 'cccccccccccccccccccccccccccccccccccccccc'");
    refused(HEAD "0->1 id 5 id 6 start 0 size 5\n", "t:3: id is given twice");
    refused(HEAD "0->1 start 0 size 5 size 5\n", "t:3: size is given twice");
    refused(HEAD FLOW "!x\n", "t:4: unknown word '!x'");
    refused(HEAD FLOW "~x\n", "t:4: unknown word '~x'");
    CHECK(&t, import(HEAD FLOW, strlen(HEAD FLOW), 0) == EGRET_OK);
}

/* Two flows of one id: both say msg, of other numbers, between the same nodes. */
static void ids(void)
{
    static const char *const good[] = {"msg", "msg 7", "msg 2"};
    char text[200];
    for (size_t i = 0; i < 3u; i++) {
        (void)snprintf(text, sizeof text,
                       "%s0->1 id 5 msg%s start 0 size 5\n0->1 id 5 start 0 size 5 %s\n", TWO,
                       i == 0 ? "" : " 4", good[i]);
        if (!CHECK(&t, import(text, strlen(text), 0) == EGRET_OK)) {
            printf("%s%s\n", text, error.text);
        }
    }
    refused(TWO "0->1 id 5 msg 1 start 0 size 5\n0->1 id 5 start 0 size 5\n",
            "t:4: id 5 is used twice without msg, at line 3");
    refused(TWO "0->1 id 5 start 0 size 5\n0->1 id 5 msg 1 start 0 size 5\n",
            "t:4: id 5 is used twice without msg, at line 3");
    refused(TWO "0->1 id 5 msg 1 start 0 size 5\n0->2 id 5 msg 2 start 0 size 5\n",
            "t:4: id 5 is between other nodes at line 3");
    refused(TWO "0->1 id 5 msg 1 start 0 size 5\n2->1 id 5 msg 2 start 0 size 5\n",
            "t:4: id 5 is between other nodes at line 3");
    refused(TWO "0->1 id 5 msg 1 start 0 size 5\n0->1 id 5 msg 1 start 0 size 5\n",
            "t:4: msg 1 of this id is at line 3 too");
}

static void failures(void)
{
    refused(FAILS "switch_type TOR switch_type AGG switch_id 1 link_id 0\n",
            "t:5: switch_type is given twice");
    refused(FAILS "switch_type\n", "t:5: switch_type is TOR, AGG or CORE");
    refused(FAILS "switch_type TIER\n", "t:5: switch_type is TOR, AGG or CORE");
    refused(FAILS "switch_id 1 switch_id 1\n", "t:5: switch_id is given twice");
    refused(FAILS "link_id x\n", "t:5: link_id needs a number, 0 to 4294967295");
    refused(FAILS "switch_id 1 link_id 0\n", NEEDS);
    refused(FAILS "switch_type TOR link_id 0\n", NEEDS);
    refused(FAILS "switch_type CORE switch_id 1\n", NEEDS);
    refused(FAILS "odd\n", "t:5: unknown word 'odd'");
}

static void triggers(void)
{
    static const char *const number[] = {"3", "99"}; /* below and above the one that there is */
    for (size_t i = 0; i < 2u; i++) {
        char text[200], reason[60];
        (void)snprintf(text, sizeof text,
                       "%sTriggers 1\n0->1 trigger %s size 5\ntrigger id 5 oneshot\n", HEAD,
                       number[i]);
        (void)snprintf(reason, sizeof reason, "t:4: trigger %s is not defined", number[i]);
        refused(text, reason);
    }
    refused(HEAD "Triggers 1\n" FLOW "trigger id 5 oneshot\n", "t:5: trigger 5 starts no flow");
    refused(HEAD "Triggers 1\n0->1 trigger 5 size 5\ntrigger id 5 oneshot\n",
            "t:4: trigger 5 can never fire: it is activated 0 times");
    refused(HEAD "Triggers 2\n" FLOW "trigger id 5 oneshot\ntrigger id 5 barrier count 2\n",
            "t:6: trigger 5 is defined twice, at line 5 too");
}

/* From a file: what is in it, and its name. */
static void files(void)
{
    char name[300], reason[400];
    const char *path = trace_scratch(name, sizeof name, "refusals.cm");
    struct egret_schedule s;
    for (unsigned bad = 0; bad < 2u; bad++) {
        FILE *f = fopen(path, "wb");
        CHECK(&t, f && fputs(bad ? HEAD "x\n" : HEAD FLOW, f) >= 0 && fclose(f) == 0);
        int code = egret_cm_load(path, 0, &s, &error);
        if (bad) {
            (void)snprintf(reason, sizeof reason, "%s:3: unknown word 'x'", path);
            said(code, reason);
        } else if (CHECK(&t, code == EGRET_OK)) {
            CHECK(&t, s.ops == 1 && s.op[0].amount == 5);
            egret_schedule_free(&s);
        }
    }
    (void)remove(path);
}

int main(void)
{
    flows();
    ids();
    failures();
    triggers();
    files();
    return trace_result(&t);
}
