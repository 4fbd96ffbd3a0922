import { expect } from "vitest";
import { lognormalPlacement } from "../../../../../../bench/drawn-instances.js";
import { evaluatePlacement } from "../../../../../../models/table-placement/evaluate.js";
import type { Rational } from "../../../../../../src/exact/rational.js";
import { searchPlacement } from "../../../../../../src/problems/table-placement/solve/local-search/index.js";
import { Work } from "../../../../../../src/search/work.js";
import { testInTurn } from "../../../../../support/draws.js";
import { begunTurns, UNITS } from "./begun-turns.js";

testInTurn(
  "with as much work they find better placements than local search, which keep all that they have to",
  async () => {
    const large = lognormalPlacement(26, 16, 10, 3);
    const { direct, search, turns } = begunTurns(large);
    await turns.turn(search, search.work.slice(UNITS));
    const found = direct.recover(search.incumbent.point as readonly Rational[]);
    const { largest, violations } = evaluatePlacement(large, found);
    expect(violations).toEqual([]);
    const searched = searchPlacement(large, { seed: 0, shouldStop: new Work().slice(search.work.done) });
    expect(largest.toNumber()).toBeLessThan(0.995 * searched.largest);
  },
);
