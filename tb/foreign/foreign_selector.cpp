// SPDX-License-Identifier: Apache-2.0
// foreign_ecmp behind egret check --selector: events to pins, pins to decisions.
#include "Vforeign_ecmp.h"
#include "egret/design.hpp"
#include "egret/regs.h"

struct foreign : egret_design {
    Vforeign_ecmp top;
    uint32_t range = 0; // {mask, base} waits for the group's commit

    void edge(int level)
    {
        top.clk = level & 1, top.eval();
    }
    void clock() override
    {
        edge(0), edge(1);
    }
    void idle() override
    {
        top.lookup = top.cfg_we = 0;
    }
    void reset() override
    {
        top.rst_n = 0, clock(), top.rst_n = 1;
    }
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
        five_tuple(ev, top.lookup_tuple);
        top.lookup = 1, top.lookup_group = ev.group;
    }
    bool result(egret_decision &d) override
    {
        d.port = top.answer_port, d.data = top.answer_crc;
        return top.answer;
    }
};
EGRET_DESIGN(foreign, "foreign")
