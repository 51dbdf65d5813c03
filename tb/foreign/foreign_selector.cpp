// SPDX-License-Identifier: Apache-2.0
// foreign_ecmp behind egret check --selector: events to pins, pins to decisions.
#include "Vforeign_ecmp.h"
#include "egret/design.hpp"
#include "egret/regs.h"

struct foreign : egret_design {
    Vforeign_ecmp top;
    uint32_t range = 0; // {mask, base} waits for the group's commit

    void edge(int level) { top.clk = level & 1, top.eval(); }
    void clock() override { edge(0), edge(1); }
    void idle() override
    {
        top.lookup = top.cfg_we = 0;
    }
    void reset() override { top.rst_n = 0, clock(), top.rst_n = 1; }
    void table(int sel, uint32_t index, uint32_t data)
    {
        top.cfg_we = 1, top.cfg_sel = sel, top.cfg_index = index, top.cfg_data = data;
        clock(), idle();
    }
    void write(uint32_t addr, uint32_t data) override
    {
        if (addr == EGRET_A_GROUP_STAGE2)
            range = data;
        else if (addr >> 20 == 1 && addr % 8 == 0)
            table(1, (addr & 0xfffffu) / 8, range);
        else if (addr >> 20 == 2)
            table(0, addr & 0x3ffu, data);
    }
    void packet(const egret_event &ev) override
    {
        static const uint8_t from[13] = {36, 35, 34, 33, 32, 19, 18, 17, 16, 3, 2, 1, 0};
        for (int i = 0; i < 13; i++) { // byte 0 is the last of the tuple
            uint32_t &word = top.lookup_tuple[i / 4];
            word = (word & ~(0xffu << i % 4 * 8)) | uint32_t(ev.record[from[i]]) << i % 4 * 8;
        }
        top.lookup = 1, top.lookup_group = ev.group;
    }
    bool result(egret_decision &d) override
    {
        d.port = top.answer_port, d.data = top.answer_crc;
        return top.answer;
    }
};
EGRET_DESIGN(foreign, "foreign")
