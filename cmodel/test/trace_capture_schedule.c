/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_capture_schedule.c: messages of captured queue pairs, counted by hand; frames behind the
 * set-up of another file.
 */
#include "trace_capture_schedule.h"

static char other[256];
static char output[256];

/* Two hosts, each way; First..Last, Only, SEND, READ, acknowledgements; PSNs wrap. */
static void test_messages(void)
{
    struct egret_schedule s;
    struct egret_capture_report r;
    struct egret_trace_error err = {""};
    start();
    at(1000, 7, 3, FIRST, 0x11, 0xfffffe, 2500, 0, 1024);
    at(1100, 7, 3, MIDDLE, 0x11, 0xffffff, -1, 0, 1024);
    at(1150, 3, 7, 0x11, 0x22, 0xffffff, -1, 4, 0); /* ACK */
    at(1200, 3, 7, ONLY, 0x22, 5, 300, 0, 300);
    at(1300, 7, 3, LAST, 0x11, 0, -1, 0, 452);
    at(1400, 7, 3, 0x00, 0x11, 1, -1, 0, 1024); /* SEND First */
    at(1500, 7, 3, 0x02, 0x11, 2, -1, 0, 501);  /* SEND Last, three bytes of pad */
    at(1600, 7, 3, 0x0c, 0x11, 3, 2048, 0, 0);  /* READ request: PSNs 3, 4 */
    at(1700, 3, 7, 0x0d, 0x22, 3, -1, 4, 1024);
    at(1800, 3, 7, 0x0f, 0x22, 4, -1, 4, 1024);
    at(1900, 7, 3, 0x0b, 0x11, 5, 0, 4, 0);   /* WRITE Only with immediate, empty */
    at(2000, 9, 3, 0x64, 0x33, 5, -1, 8, 64); /* UD SEND Only */
    at(2100, 3, 7, 0x81, 0x22, 0, -1, 16, 0); /* CNP */
    at(2200, 7, 3, 0x13, 0x11, 6, -1, 28, 0); /* compare and swap */
    at(2300, 7, 3, 0x3f, 0x11, 7, -1, 0, 0);  /* no operation */
    at(2400, 3, 7, 0x10, 0x22, 9, -1, 4, 10); /* another READ's: PSNs between are of others */
    int code = load(&s, &r, &err);
    if (!CHECK(&t, code == EGRET_OK)) {
        printf("  %s\n", err.text);
        return;
    }
    CHECK(&t, s.ranks == 3 && s.ops == 6 && s.edges == 0 && s.first);
    CHECK(&t, message_is(&s, 0, 0, 0, 1, 2500));
    CHECK(&t, message_is(&s, 1, 200, 1, 0, 300));
    CHECK(&t, message_is(&s, 2, 400, 0, 1, 1525));
    CHECK(&t, message_is(&s, 3, 700, 1, 0, 2048));
    CHECK(&t, message_is(&s, 4, 1000, 2, 1, 64));
    CHECK(&t, message_is(&s, 5, 1400, 1, 0, 10));
    CHECK(&t, s.op[0].pair == s.op[2].pair && s.op[1].pair == s.op[3].pair &&
                  s.op[0].pair != s.op[1].pair && s.op[4].pair != s.op[0].pair);
    CHECK(&t, s.op[0].tag == 0x11 && s.op[0].where == 24);
    CHECK(&t, r.packets == 16 && r.queue_pairs == 3 && r.writes == 3 && r.sends == 2 &&
                  r.reads == 2 && r.read_requests == 1 && r.atomics == 1 && r.acks == 1 &&
                  r.cnps == 1 && r.other == 1);
    CHECK(&t, r.retransmitted == 0 && r.missing == 0 && r.incomplete == 0 && r.empty == 1 &&
                  r.loopback == 0 && r.hosts == 3);
    CHECK(&t, r.host && r.host[0][0] == 10 && r.host[0][3] == 7 && r.host[1][3] == 3 &&
                  r.host[2][3] == 9);
    egret_schedule_free(&s);
    egret_capture_report_free(&r);
}

/* What was lost, came again or came late. */
static void test_losses(void)
{
    struct egret_schedule s;
    struct egret_capture_report r;
    struct egret_trace_error err = {""};
    start();
    at(0, 1, 2, FIRST, 1, 10, 3000, 0, 1000);
    at(1, 1, 2, MIDDLE, 1, 11, -1, 0, 1000);
    at(2, 1, 2, FIRST, 1, 10, 3000, 0, 1000); /* go back: again */
    at(3, 1, 2, MIDDLE, 1, 11, -1, 0, 1000);
    at(4, 1, 2, LAST, 1, 12, -1, 0, 1000);
    at(5, 1, 2, ONLY, 1, 14, 100, 0, 100); /* 13 is late */
    at(6, 1, 2, ONLY, 1, 13, 200, 0, 200);
    at(7, 1, 2, ONLY, 1, 17, 300, 0, 300); /* 15 and 16 never come */
    at(8, 1, 2, 0x00, 1, 18, -1, 0, 1000); /* SEND First without a Last */
    at(9, 1, 2, ONLY, 1, 20, 50, 0, 50);
    at(10, 1, 2, 0x01, 1, 21, -1, 0, 1000); /* SEND Middle, Last: the First is late */
    at(11, 1, 2, 0x02, 1, 23, -1, 0, 10);
    at(12, 1, 1, ONLY, 1, 24, 50, 0, 50);     /* to itself */
    at(13, 1, 2, FIRST, 9, 0, 4000, 0, 1000); /* the capture ends before its Last */
    CHECK(&t, load(&s, &r, &err) == EGRET_OK);
    CHECK(&t, s.ops == 8 && message_is(&s, 0, 0, 0, 1, 3000) && message_is(&s, 1, 5, 0, 1, 100) &&
                  message_is(&s, 2, 6, 0, 1, 200) && message_is(&s, 3, 7, 0, 1, 300) &&
                  message_is(&s, 4, 8, 0, 1, 1000) && message_is(&s, 5, 9, 0, 1, 50) &&
                  message_is(&s, 6, 10, 0, 1, 1010) && message_is(&s, 7, 13, 0, 1, 4000));
    CHECK(&t, r.retransmitted == 2 && r.missing == 4 && r.incomplete == 3 && r.loopback == 1);
    egret_schedule_free(&s);
    egret_capture_report_free(&r);
    start();
    at(0, 1, 2, MIDDLE, 1, 11, -1, 0, 1000); /* its First overtaken */
    at(1, 1, 2, FIRST, 1, 10, 2500, 0, 1000);
    at(2, 1, 2, LAST, 1, 12, -1, 0, 500);
    at(3, 1, 2, LAST, 1, 12, -1, 0, 500);
    CHECK(&t, load(&s, NULL, &err) == EGRET_OK && s.ops == 1 && message_is(&s, 0, 0, 0, 1, 2500));
    egret_schedule_free(&s);
}

static void test_refusals(void)
{
    static const uint8_t arp[60] = {[12] = 8, [13] = 6};
    struct egret_schedule s;
    struct egret_capture_report r;
    struct egret_trace_error err = {""};
    start();
    pcap_record(&f, 1, 1, arp, 60, 60);
    CHECK(&t, load(&s, &r, &err) == EGRET_ERR_RANGE &&
                  strstr(err.text, "no RoCEv2 message: 1 frames, 0 of them RoCEv2"));
    CHECK(&t, s.ops == 0 && !s.op && !r.host);
    start();
    at(0, 1, 2, ONLY, 1, 1, 8, 0, 8);
    f.size--;
    CHECK(&t, load(&s, &r, &err) == EGRET_ERR_EVENT &&
                  strstr(err.text, "byte 24: the file ends inside a record"));
    start();
    pcap_record(&f, 0, 0, arp, 60, 60);
    at(0, 1, 2, ONLY, 1, 1, 8, 0, 8);
    memset(f.bytes + 24 + 16 + 60, 0xee, 4); /* seconds: 127 years behind the first */
    CHECK(&t, load(&s, &r, &err) == EGRET_ERR_EVENT && strstr(err.text, "2^64 picoseconds"));
    CHECK(&t, egret_capture_schedule("/no/such/file", &s, &r, &err) == EGRET_ERR_RANGE);
}

/* ---- frames behind a set-up ---- */

static int convert(const struct egret_capture_stimulus *how, struct egret_trace_error *err)
{
    image_save(&f, f.size, path);
    return egret_capture_to_stimulus(path, how, output, NULL, err);
}

static bool refuses(const struct egret_capture_stimulus *how, const char *text)
{
    struct egret_trace_error err = {""};
    FILE *left = convert(how, &err) < 0 ? fopen(output, "rb") : NULL;
    if (left) {
        (void)fclose(left);
    }
    bool good = !left && strstr(err.text, text);
    if (!good) {
        printf("  wanted '%s', got '%s'\n", text, err.text);
    }
    return good;
}

static void test_stimulus(void)
{
    const struct egret_event write = {
        .kind = EGRET_EV_WRITE, .now = 77, .addr = 0xf00000, .data = 5};
    const struct egret_event tick = {.kind = EGRET_EV_TICK, .now = 78};
    struct egret_capture_stimulus how = {.setup = other};
    struct egret_stimulus_writer *w;
    struct egret_stimulus *in;
    struct egret_event ev;
    struct egret_frame_view view;
    struct egret_trace_error err = {""};
    uint8_t frame[2048];
    uint32_t n = roce_frame(frame, 1, 2, ONLY, 1, 1, 64, 0, 64);
    CHECK(&t, egret_writer_open(other, &w, NULL) == EGRET_OK &&
                  egret_writer_event(w, &write) == EGRET_OK &&
                  egret_writer_event(w, &tick) == EGRET_OK &&
                  egret_writer_packet(w, 79, frame, n, n) == EGRET_OK &&
                  egret_writer_event(w, &write) == EGRET_OK &&
                  egret_writer_commit(w, NULL) == EGRET_OK);
    pcap_start(&f, true, false, 1);
    pcap_record(&f, 50, 1, frame, 70, n);
    pcap_record(&f, 49, 1, frame, n, n);
    CHECK(&t, convert(&how, &err) == EGRET_OK);
    CHECK(&t, egret_stimulus_open(output, &in, NULL) == EGRET_OK);
    CHECK(&t, egret_stimulus_next(in, &ev, NULL) == 1 && ev.kind == EGRET_EV_WRITE &&
                  ev.addr == 0xf00000 && ev.data == 5 && ev.now == 50000001000u);
    CHECK(&t, egret_stimulus_next(in, &ev, NULL) == 1 && ev.kind == EGRET_EV_TICK);
    CHECK(&t, egret_stimulus_next(in, &ev, NULL) == 1 && ev.kind == EGRET_EV_PACKET &&
                  ev.now == 50000001000u && ev.length == n && ev.group == 5);
    egret_stimulus_frame(in, &view);
    CHECK(&t, view.incl_len == 70 && view.orig_len == n && memcmp(view.bytes, frame, 70) == 0);
    CHECK(&t, egret_stimulus_next(in, &ev, NULL) == 1 && ev.now == 49000001000u);
    CHECK(&t, egret_stimulus_next(in, &ev, NULL) == 0);
    egret_stimulus_close(in);
    how.limit = 1;
    CHECK(&t, convert(&how, &err) == EGRET_OK);
    CHECK(&t, egret_stimulus_open(output, &in, NULL) == EGRET_OK);
    while (egret_stimulus_next(in, &ev, NULL) > 0) {
    }
    CHECK(&t, egret_stimulus_packets(in) == 1);
    egret_stimulus_close(in);
    (void)remove(output);
    how.limit = 0;
    f.size = 24;
    CHECK(&t, refuses(&how, "a capture without a frame of a packet"));
    uint8_t event[EGRET_EVENT_FRAME_BYTES];
    CHECK(&t, egret_event_encode(&write, event) == 24);
    pcap_record(&f, 1, 1, frame, n, n);
    pcap_record(&f, 1, 1, event, 60, 60);
    CHECK(&t, refuses(&how, "an event of a stimulus: --events takes them"));
    how.events = true;
    CHECK(&t, convert(&how, &err) == EGRET_OK && remove(output) == 0);
    f.bytes[f.size - 1u] = 1;
    CHECK(&t, refuses(&how, "EtherType 0x88b5, and no event: padding"));
    start();
    pcap_record(&f, 1, 1, frame, n, n);
    image_save(&f, f.size, other);
    CHECK(&t, refuses(&how, "no set-up: no event before a packet"));
    f.size--;
    CHECK(&t, refuses(&how, "the file ends inside a record"));
    start();
    pcap_record(&f, 1, 1, frame, n, n);
    CHECK(&t, remove(other) == 0 && refuses(&how, "No such file or directory"));
    start(); /* an event of the set-up that is none */
    event[59] = 1;
    pcap_record(&f, 1, 1, event, 60, 60);
    image_save(&f, f.size, other);
    start();
    pcap_record(&f, 1, 1, frame, n, n);
    CHECK(&t, refuses(&how, "setup: byte 24: EtherType 0x88b5, and no event: padding"));
    start(); /* the set-up may have events alone, or end in the middle of them */
    event[59] = 0;
    pcap_record(&f, 1, 1, event, 60, 60);
    image_save(&f, f.size, other);
    size_t whole = f.size;
    static struct image again;
    again = f;
    start();
    pcap_record(&f, 1, 1, frame, n, n);
    CHECK(&t, convert(&how, &err) == EGRET_OK && remove(output) == 0);
    image_save(&again, whole - 1u, other);
    CHECK(&t, refuses(&how, "setup: byte 24: the file ends inside a record"));
    image_save(&again, whole, other);
    CHECK(&t, egret_capture_to_stimulus(path, &how, "none/such/o.pcap", NULL, &err) < 0 &&
                  strstr(err.text, "No such file or directory"));
    start(); /* a disk that is full says so before all frames are written */
    for (uint32_t i = 0; i < 100u; i++) {
        at(i, 1, 2, ONLY, 1, i, 1500, 0, 1500);
    }
    image_save(&f, f.size, path);
    struct egret_capture_counts counts;
    int full = egret_capture_to_stimulus(path, &how, "/dev/full", &counts, &err);
    CHECK(&t, full < 0 && strstr(err.text, "No space left on device"));
    CHECK(&t, counts.frames > 0 && counts.frames < 100);
    (void)remove(other);
}

int main(void)
{
    trace_scratch(path, sizeof path, "trace_capture_schedule.tmp");
    trace_scratch(other, sizeof other, "trace_capture_schedule.setup");
    trace_scratch(output, sizeof output, "trace_capture_schedule.out");
    test_messages();
    test_losses();
    test_refusals();
    test_stimulus();
    (void)remove(path);
    return trace_result(&t);
}
