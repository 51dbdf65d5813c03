/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_capture_messages.c: messages of captured queue pairs where the packets are unusual: other
 * transports, lengths that are none, packets that come late or again, many hosts; memory that runs
 * out at each call in turn. Counted by hand. Links with --wrap.
 */
#include "trace_capture_schedule.h"
#include "trace_memory.h"

/* One packet of an opcode, with what precedes its payload; does it make a message of 64 bytes? */
static void one_opcode(uint8_t opcode, int64_t dma, uint32_t more, uint64_t want)
{
    struct egret_schedule s;
    struct egret_trace_error err = {""};
    start();
    at(0, 1, 2, ONLY, 1, 1, 8, 0, 8); /* so that there is one in any case */
    at(1, 1, 2, opcode, 2, 1, dma, more, 64);
    int code = load(&s, NULL, &err);
    bool good = code == EGRET_OK && s.ops == (want ? 2u : 1u) && message_is(&s, 0, 0, 0, 1, 8) &&
                (!want || message_is(&s, 1, 1, 0, 1, want));
    if (!CHECK(&t, good)) {
        printf("  opcode %02x: %d '%s'\n", opcode, code, err.text);
    }
    egret_schedule_free(&s);
}

/* The top three bits are the transport: RC 0, UC 1, RD 2, UD 3, XRC 5. */
static void test_transports(void)
{
    one_opcode(0x20 | 0x04, -1, 0, 64); /* UC SEND Only */
    one_opcode(0x20 | 0x0a, 64, 0, 64); /* UC WRITE Only */
    one_opcode(0x20 | 0x10, -1, 4, 0);  /* UC has no READ */
    one_opcode(0x40 | 0x04, -1, 0, 0);  /* RD is out of use */
    one_opcode(0x60 | 0x04, -1, 8, 64); /* UD SEND Only, DETH */
    one_opcode(0x60 | 0x05, -1, 12, 64);
    one_opcode(0x60 | 0x00, -1, 8, 0);           /* UD has no First */
    one_opcode(0xa0 | 0x04, -1, 4, 64);          /* XRC SEND Only, XRCETH */
    one_opcode(0xa0 | 0x17, -1, 8, 64);          /* and IETH */
    one_opcode(0xa0 | 0x10, -1, 4, 64);          /* XRC READ response: no XRCETH */
    one_opcode(0x0a, 0x80000000, 0, 2147483648); /* the most that RDMA writes */
    one_opcode(0x0a, 0x80000001, 0, 64);         /* more is not believed: the packets say */
    one_opcode(0x12, -1, 12, 0);                 /* atomic response */
    one_opcode(0x15, -1, 0, 0);                  /* reserved */
}

/* Captures cut in the RETH, and UDP lengths that are none: the frame's own length counts. */
static void test_lengths(void)
{
    struct egret_schedule s;
    struct egret_trace_error err = {""};
    static const struct {
        uint32_t udp;     /* UDP, BTH, 64 bytes, ICRC: 88 */
        uint32_t padding; /* of Ethernet */
        uint64_t bytes;
    } l[] = {{88, 4, 64}, {84, 0, 60}, {20, 4, 0},  {19, 0, 64},
             {0, 0, 64},  {89, 0, 64}, {89, 1, 65}, {65535, 0, 64}};
    uint8_t frame[2048];
    for (size_t i = 0; i < sizeof l / sizeof l[0]; i++) {
        uint32_t n = roce_frame(frame, 1, 2, 0x04, 1, 1, -1, 0, 64);
        memset(frame + n, 0, l[i].padding);
        n += l[i].padding;
        frame[38] = (uint8_t)(l[i].udp >> 8);
        frame[39] = (uint8_t)l[i].udp;
        start();
        at(0, 1, 2, ONLY, 9, 1, 8, 0, 8);
        pcap_record(&f, 100, 1, frame, n, n);
        bool good = load(&s, NULL, &err) == EGRET_OK && s.ops == 1u + (l[i].bytes != 0);
        if (!CHECK(&t, good && (!l[i].bytes || message_is(&s, 1, 1, 0, 1, l[i].bytes)))) {
            printf("  UDP length %u: %s\n", l[i].udp, err.text);
        }
        egret_schedule_free(&s);
    }
    for (uint32_t cut = 0; cut < 2u; cut++) { /* with the RETH the message has 5000 bytes */
        uint32_t n = roce_frame(frame, 1, 2, FIRST, 1, 1, 5000, 0, 1024);
        start();
        pcap_record(&f, 100, 0, frame, 54u + 16u - cut, n);
        CHECK(&t, load(&s, NULL, &err) == EGRET_OK && s.ops == 1 &&
                      message_is(&s, 0, 0, 0, 1, cut ? 1024 : 5000));
        egret_schedule_free(&s);
    }
}

/* What came late: behind all that was, before anything, into a message that has begun. */
static void test_late(void)
{
    struct egret_schedule s;
    struct egret_capture_report r;
    struct egret_trace_error err = {""};
    start(); /* the first packet is an acknowledged READ request: no message to add to */
    at(0, 1, 2, 0x0c, 1, 50, 64, 0, 0);
    at(1, 1, 2, MIDDLE, 1, 49, -1, 0, 100); /* overtaken: a message without its First */
    at(2, 1, 2, LAST, 1, 48, -1, 0, 10);    /* counts to that one */
    CHECK(&t, load(&s, &r, &err) == EGRET_OK && s.ops == 1 && message_is(&s, 0, 1, 0, 1, 110));
    CHECK(&t, r.incomplete == 1 && r.missing == 0 && r.read_requests == 1);
    egret_schedule_free(&s);
    egret_capture_report_free(&r);
    start(); /* an Only that comes late while another message is open */
    at(0, 1, 2, FIRST, 1, 11, 2000, 0, 1000);
    at(1, 1, 2, ONLY, 1, 10, 30, 0, 30);
    at(2, 1, 2, LAST, 1, 12, -1, 0, 1000);
    CHECK(&t, load(&s, &r, &err) == EGRET_OK && s.ops == 2 && r.incomplete == 0);
    CHECK(&t, message_is(&s, 0, 0, 0, 1, 2000) && message_is(&s, 1, 1, 0, 1, 30));
    egret_schedule_free(&s);
    egret_capture_report_free(&r);
    start(); /* the same, the open one without its First: a First would be that, an Only is not */
    at(0, 1, 2, 0x01, 1, 11, -1, 0, 1000);
    at(1, 1, 2, 0x04, 1, 10, -1, 0, 30);
    at(2, 1, 2, 0x02, 1, 12, -1, 0, 1000);
    CHECK(&t, load(&s, &r, &err) == EGRET_OK && s.ops == 2 && r.incomplete == 1);
    CHECK(&t, message_is(&s, 0, 0, 0, 1, 2000) && message_is(&s, 1, 1, 0, 1, 30));
    egret_schedule_free(&s);
    egret_capture_report_free(&r);
    start(); /* open, without its First, at the end of the capture; a First in place of a Last */
    at(0, 1, 2, 0x01, 1, 11, -1, 0, 1000);
    at(1, 1, 2, 0x00, 1, 12, -1, 0, 1000);
    at(2, 1, 2, 0x01, 2, 11, -1, 0, 1000);
    CHECK(&t, load(&s, &r, &err) == EGRET_OK && s.ops == 3 && r.incomplete == 3);
    egret_schedule_free(&s);
    egret_capture_report_free(&r);
}

/* 1024 PSNs are remembered: what is further behind came before; a jump further ahead forgets all.
 */
static void test_window(void)
{
    struct egret_schedule s;
    struct egret_capture_report r;
    struct egret_trace_error err = {""};
    start();
    at(0, 1, 2, ONLY, 1, 10, 8, 0, 8);
    at(1, 1, 2, ONLY, 1, 10 + 1023, 8, 0, 8); /* 1022 are missing */
    at(2, 1, 2, ONLY, 1, 10, 8, 0, 8);        /* again: the oldest that is remembered */
    at(3, 1, 2, ONLY, 1, 9, 8, 0, 8);         /* too old to tell */
    at(4, 1, 2, ONLY, 1, 11, 8, 0, 8);        /* late */
    at(5, 1, 2, ONLY, 1, 5000, 8, 0, 8);      /* 3966 more */
    at(6, 1, 2, ONLY, 1, 3977, 8, 0, 8);      /* late: the oldest in the window */
    at(7, 1, 2, ONLY, 1, 3976, 8, 0, 8);      /* too old */
    at(8, 1, 2, ONLY, 1, 1033, 8, 0, 8);
    CHECK(&t, load(&s, &r, &err) == EGRET_OK && s.ops == 5 && r.retransmitted == 4);
    CHECK(&t, r.missing == 1022u - 1u + 3966u - 1u);
    egret_schedule_free(&s);
    egret_capture_report_free(&r);
}

/* Memory that runs out at each call in turn; the file has so many messages. */
static void no_memory(size_t messages, unsigned calls)
{
    struct egret_schedule s;
    struct egret_capture_report r;
    struct egret_trace_error err = {""};
    unsigned refused = 0;
    for (unsigned long n = 1;; n++) {
        fail_at = n;
        int code = egret_capture_schedule(path, &s, n % 2u ? &r : NULL, &err);
        bool all = fail_at != 0;
        fail_at = 0;
        if (code == EGRET_OK) { /* nothing failed, or what can be done without */
            CHECK(&t, s.ops == messages);
            egret_schedule_free(&s);
            if (n % 2u) {
                egret_capture_report_free(&r);
            }
        } else {
            refused++;
            CHECK(&t, code == EGRET_ERR_MEMORY && strstr(err.text, "memory") && !s.op);
            CHECK(&t, n % 2u == 0 || (!r.host && r.hosts == 0 && r.packets == 0));
        }
        if (all) {
            CHECK(&t, code == EGRET_OK);
            break;
        }
    }
    CHECK(&t, refused > calls);
}

/* A late Only while another message is open, or a late Last before any, as number n. */
static void late_as(uint32_t n, bool open)
{
    start();
    for (uint32_t i = 0; i < n; i++) {
        at(i, 1, 2, ONLY, 9, i, 8, 0, 8);
    }
    if (open) {
        at(1000, 1, 2, FIRST, 1, 11, 2000, 0, 1000);
        at(1001, 1, 2, ONLY, 1, 10, 30, 0, 30);
    } else {
        at(1000, 1, 2, 0x0c, 1, 11, 64, 0, 0);
        at(1001, 1, 2, LAST, 1, 10, -1, 0, 10);
    }
    image_save(&f, f.size, path);
    no_memory(n + (open ? 2u : 1u), 3);
}

/* Frames that are no RoCEv2, or events of ours, between the messages; many hosts and queue pairs;
 * time that steps back before the first frame; and no memory. */
static void test_many(void)
{
    static const uint8_t arp[60] = {[12] = 8, [13] = 6};
    static const uint8_t ours[60] = {[12] = 0x88, [13] = 0xb5};
    struct egret_schedule s;
    struct egret_capture_report r;
    struct egret_trace_error err = {""};
    start();
    pcap_record(&f, 100, 500, arp, 60, 60);
    pcap_record(&f, 100, 600, ours, 60, 60);
    for (uint32_t i = 0; i < 40u; i++) {
        at(i == 0 ? 400 : 500 + i, (uint8_t)(i + 1u), (uint8_t)(i + 2u), ONLY, i, 1, 8, 0, 8);
    }
    CHECK(&t, load(&s, &r, &err) == EGRET_OK && s.ops == 40 && s.ranks == 41);
    CHECK(&t, r.read.frames == 42 && r.packets == 40 && r.queue_pairs == 40 && r.hosts == 41);
    for (uint32_t i = 0; i < 40u && i < s.ops; i++) {
        CHECK(&t, message_is(&s, i, i, i, i + 1u, 8));
    }
    egret_schedule_free(&s);
    egret_capture_report_free(&r);
    no_memory(40, 15);
}

int main(void)
{
    trace_scratch(path, sizeof path, "trace_capture_messages.tmp");
    test_transports();
    test_lengths();
    test_late();
    test_window();
    test_many();
    for (uint32_t n = 0; n <= 64u; n++) { /* on both sides of each size that the schedule has */
        late_as(n, false);
        late_as(n, true);
    }
    (void)remove(path);
    return trace_result(&t);
}
