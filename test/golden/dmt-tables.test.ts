import { beforeAll, describe, expect, test } from "vitest";
import { reproduceDmt } from "../../src/reproduce/dmt/reproduce.js";
import type { CollectiveBytes, DmtReproduction, ExchangeBytes } from "../../src/reproduce/dmt/reproduction.js";

let dmt: DmtReproduction;
beforeAll(async () => {
  dmt = await reproduceDmt();
});

describe("tables 3 to 5", () => {
  test("every number of flops within 0.006 of the printed one", () => {
    expect(dmt.table4.map(({ model, megaflops }) => [model, megaflops.published])).toEqual([
      ["DLRM", 14.74],
      ["DMT 2T-DLRM", 8.95],
      ["DMT 4T-DLRM", 8.95],
      ["DMT 8T-DLRM", 8.95],
      ["DMT 16T-DLRM", 8.75],
      ["DMT 26T-DLRM", 8.95],
      ["DCN", 96.22],
      ["DMT 2T-DCN", 43.71],
      ["DMT 4T-DCN", 50.01],
      ["DMT 8T-DCN", 62.6],
      ["DMT 16T-DCN", 87.19],
      ["DMT 26T-DCN", 96.22],
    ]);
    expect(dmt.table5.map(({ megaflops }) => megaflops.published)).toEqual([8.95, 7.93, 7.41, 7.16]);
    for (const { model, megaflops, agrees } of [...dmt.table4, ...dmt.table5]) {
      expect(Math.abs(megaflops.ours - megaflops.published), model).toBeLessThanOrEqual(0.006);
      expect(agrees, model).toBe(true);
    }
  });

  test("compression: exactly table 5's ratios; DCN's towers of 128 elements", () => {
    expect(dmt.table5.map(({ compression }) => 1 / (compression as number))).toEqual([2, 4, 8, 16]);
    const dcn = dmt.table4.filter(({ model, towers }) => model.endsWith("DCN") && towers !== null);
    expect(dcn.map(({ compression }) => compression)).toEqual([2 / 26, 4 / 26, 8 / 26, 16 / 26, 1]);
  });

  test("what the formulas say is what is computed", () => {
    const shared = /^13-512-256-(\d+); towers 26·128·\1; 27²·\1; (\d+)-1024-512-256-1$/;
    for (const { formula, megaflops } of dmt.table5) {
      const [, width, over] = (shared.exec(formula) as RegExpExecArray).map(Number) as [number, number, number];
      const bottom = 13 * 512 + 512 * 256 + 256 * width;
      const top = over * 1024 + 1024 * 512 + 512 * 256 + 256;
      const flops = 6 * (bottom + 26 * 128 * width + 27 * 27 * width + top) - 2 * 13 * 512;
      expect(megaflops.ours).toBe(flops / 1e6);
    }
  });
});

describe("bytes of the setting", () => {
  const of = (steps: readonly CollectiveBytes[], step: string) =>
    steps.find((each) => each.step === step && each.pass === "forward") as CollectiveBytes;
  // B·ΣN·s: 16K samples of 26 vectors of 128 halves.
  const u = 16384 * 26 * 128 * 2;

  test("flat: u(1 − L/G) across hosts, where columns are spread evenly", () => {
    for (const { ranks, flat } of dmt.bytes.filter((each) => (26 * 128) % each.ranks === 0)) {
      expect(of(flat, "c").acrossHosts).toBe(u * (1 - 8 / ranks));
      expect(of(flat, "c").insideHost).toBe((u * 7) / ranks);
      expect(of(flat, "c").world).toBe(ranks);
    }
    expect(dmt.bytes.map(({ ranks }) => ranks)).toEqual([16, 32, 64, 128, 256, 512]);
  });

  test("SPTT: as many across hosts as flat where towers are alike, among as many as there are towers", () => {
    for (const { ranks, flat, sptt } of [dmt.bytes[0], dmt.bytes[4]] as ExchangeBytes[]) {
      expect(of(sptt, "f").acrossHosts).toBe(of(flat, "c").acrossHosts);
      expect(of(sptt, "f").world).toBe(ranks / 8);
      expect(of(sptt, "d")).toMatchObject({ world: 8, acrossHosts: 0, insideHost: (u * 7) / 8 });
    }
  });

  test("tower modules leave CR of it", () => {
    const [at16, , at64] = dmt.bytes as [ExchangeBytes, ExchangeBytes, ExchangeBytes];
    expect(of(at16.dlrm, "f").acrossHosts).toBe(of(at16.sptt, "f").acrossHosts / 2);
    expect(of(at16.dcn, "f").acrossHosts).toBe(of(at16.sptt, "f").acrossHosts / 13);
    // Eight towers of 4 or 3 features: DCN's put out 128 elements each, and send them to seven others.
    expect(of(at64.dcn, "f").acrossHosts).toBe(16384 * 128 * 2 * 7);
    expect(of(at64.sptt, "f").acrossHosts).toBe(16384 * 4 * 128 * 2 * 7);
  });
});

describe("modelled iterations", () => {
  test("the three numbers that they are fitted to come out", () => {
    const fitted = dmt.statements.filter(({ isFitted }) => isFitted);
    expect(fitted.map(({ value }) => value?.published)).toEqual([0.3, 1.4, 4.6]);
    for (const { value } of fitted) expect(value?.ours).toBeCloseTo(value?.published as number, 12);
  });

  test("every size that the paper has: V100s up to 128 GPUs, the others to 512", () => {
    const sizes = (gpu: string) => dmt.speedUps.filter((each) => each.family === "DCN" && each.gpu === gpu).length;
    expect(["V100", "A100", "H100"].map(sizes)).toEqual([4, 6, 6]);
  });

  test("parts add up, and speed-ups are their ratios", () => {
    for (const { flat, sptt, dmt: towers, speedUp, spttAlone, modules } of dmt.speedUps) {
      for (const { compute, exchange, iteration } of [flat, sptt, towers]) {
        expect(compute + exchange).toBeCloseTo(iteration, 12);
      }
      expect(speedUp).toBeCloseTo(spttAlone * modules, 12);
    }
  });

  test("what agrees with the text and what does not is told apart", () => {
    const told = dmt.statements.map(({ where, holds, isFitted }) => [where, isFitted ? "fitted" : holds]);
    expect(told).toEqual([
      ["section 2.3.1", true],
      ["figure 1", "fitted"],
      ["figure 13", "fitted"],
      ["figure 13", "fitted"],
      ["figure 10", false],
      ["figure 10", false],
      ["figure 11", false],
      ["figure 12", false],
      ["figure 10", true],
      ["figure 10", true],
      ["figure 10", false],
    ]);
  });
});

describe("figure 9", () => {
  test("8 towers of 3 or 4 features hold all 26 once, by both methods", () => {
    for (const { towers } of dmt.figure9.methods) {
      expect(towers.map(({ length }) => length).sort()).toEqual([3, 3, 3, 3, 3, 3, 4, 4]);
      expect(towers.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 26 }, (_, feature) => feature));
    }
  });

  test("features of one tower of tp are more alike than those of a strided one", () => {
    const [tp, strided] = dmt.figure9.methods as [(typeof dmt.figure9.methods)[0], (typeof dmt.figure9.methods)[0]];
    expect([tp.method, strided.method]).toEqual(["tp", "strided"]);
    expect(tp.meanInside).toBeGreaterThan(tp.meanBetween);
    expect(tp.meanInside).toBeGreaterThan(strided.meanInside);
    const pairs = (26 * 25) / 2;
    const inside = tp.towers.reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0);
    const all = dmt.figure9.interaction.reduce((sum, value) => sum + value, 0) - 26;
    expect((tp.meanInside * inside + tp.meanBetween * (pairs - inside)) * 2).toBeCloseTo(all, 9);
  });
});
