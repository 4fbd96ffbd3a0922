import { beforeAll, describe, expect, test } from "vitest";
import type { FlexShardReproduction } from "../../../../src/reproduce/flexshard/reproduction.js";
import { parted, tallyOf } from "../../../../src/reproduce/papers/numbers.js";
import { type Reproduced, shownPaper } from "../../../../src/reproduce/papers/paper.js";
import { either, judged, printedTo, within } from "../../../../src/reproduce/published-number.js";
import { NOTHING_REACHED, quickPapers, withMoreFlops } from "./papers-support.js";

let papers: readonly Reproduced[];
beforeAll(async () => {
  papers = await quickPapers();
});

const of = (paper: string, all = papers) => shownPaper(all.find((each) => each.paper === paper) as Reproduced).numbers;

describe("rules", () => {
  test("a share of the printed number, below zero too", () => {
    const rule = within(0.1, "measured");
    expect([110, 90, 111, 89].map((ours) => judged(ours, 100, rule).verdict)).toEqual([
      ...["holds", "holds", "does not hold", "does not hold"],
    ]);
    expect(judged(-105, -100, rule).verdict).toBe("holds");
    expect(judged(1, 0, rule).verdict).toBe("does not hold");
  });

  test("the digits printed, and one rule or another", () => {
    expect([2.5, 3.49, 2.49, 3.5].map((ours) => judged(ours, 3, printedTo(1, "")).verdict)).toEqual([
      ...["holds", "holds", "does not hold", "does not hold"],
    ]);
    const rule = either(within(0.1, "measured"), printedTo(1, "or to the millisecond"));
    expect([2.6, 110, 112].map((ours) => rule.holds(ours, ours < 10 ? 3 : 100))).toEqual([true, true, false]);
    expect(rule.says).toBe("within 10 %: measured, or to the millisecond");
  });

  test("what was not reached cannot be checked", () => {
    expect(judged(null, 3, printedTo(1, ""))).toMatchObject({ verdict: "cannot be checked", ours: null, published: 3 });
  });
});

test("all of FlexShard's tables 5 and 6 is there, as often as it is printed", () => {
  const numbers = of("flexshard");
  const counted = (where: string, unit: string) =>
    numbers.filter((each) => each.where === where && each.unit === unit).length;
  expect([counted("table 5", "rows"), counted("table 5", "share"), counted("table 5", "bytes")]).toEqual([20, 20, 8]);
  expect([counted("table 6", "elements"), counted("table 6", "share"), counted("table 6", "ms")]).toEqual([12, 8, 28]);
});

test("what an instance was fitted to is no evidence", () => {
  const fitted = of("flexshard").filter(({ what }) => /2-tier, .*: rows|share of accesses/.test(what));
  expect(fitted).toHaveLength(28);
  for (const { verdict, ours } of fitted) expect([verdict, ours === null]).toEqual(["cannot be checked", false]);
  const model = of("dmt").filter(({ where }) => ["figure 1", "figure 13"].includes(where));
  expect(model.map(({ verdict }) => verdict)).toEqual(new Array(3).fill("cannot be checked"));
});

test("DMT's verdicts are those of its tables and statements", () => {
  const dmt = papers.find((each) => each.paper === "dmt");
  if (dmt?.paper !== "dmt") throw new Error("DMT was expected");
  const { table4, table5, statements } = dmt.data;
  const flops = of("dmt").filter(({ unit, where }) => unit === "MFlops" && where !== "table 3");
  expect(flops.map(({ verdict }) => verdict === "holds")).toEqual([...table4, ...table5].map(({ agrees }) => agrees));
  const said = of("dmt").slice(-statements.length);
  expect(said.map(({ what, verdict }) => [what, verdict])).toEqual(
    statements.map(({ says, isFitted, holds }) => [
      says,
      isFitted ? "cannot be checked" : holds ? "holds" : "does not hold",
    ]),
  );
});

test("a number that is off does not hold any more", () => {
  const before = tallyOf(of("dmt"));
  const after = tallyOf(of("dmt", withMoreFlops(papers, 0.1)));
  // The model stands in tables 3 and 4.
  expect(after).toEqual({ ...before, holds: before.holds - 2, "does not hold": before["does not hold"] + 2 });
});

test("plans that are above a proved optimum are not optimal; an optimum without a proof is none", () => {
  const [flexshard] = papers as readonly [Reproduced, ...Reproduced[]];
  const statements = (status: "proved" | "feasible", aboveOptimum: number) => {
    const data = flexshard.data as FlexShardReproduction;
    const [model] = data.models as readonly [FlexShardReproduction["models"][number]];
    const plans = [{ sharding: "3-tier", method: "flexshard-3tier", seconds: 1, aboveOptimum }] as const;
    const optimum = {
      objective: "serial",
      status,
      seconds: 1,
      boundSeconds: 1,
      provedGap: 0,
      tiers: [],
      plans,
    } as const;
    const models = [{ ...model, optima: [optimum] }];
    return parted(shownPaper({ paper: "flexshard", data: { ...data, models } }).numbers).statements;
  };
  expect(statements("proved", 0.069)).toMatchObject([{ verdict: "does not hold", ours: 0.069, proved: true }]);
  expect(statements("proved", 0.0004)).toMatchObject([{ verdict: "holds", proved: true }]);
  expect(statements("feasible", 0)).toMatchObject([{ verdict: "cannot be checked", proved: false }]);
});

test("of what the time limit left out nothing is claimed", () => {
  const { numbers, statements } = parted(shownPaper(NOTHING_REACHED).numbers);
  for (const { verdict, published } of numbers)
    expect([verdict, published === null]).toEqual(["cannot be checked", false]);
  expect(statements).toMatchObject([{ verdict: "cannot be checked", by: "not reached in the time limit" }]);
});
