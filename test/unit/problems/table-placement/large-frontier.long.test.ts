import { expect } from "vitest";
import { placementProblem } from "../../../../models/table-placement/from-instance.js";
import { requireInstance } from "../../../../src/instance/reader.js";
import { parseInstance } from "../../../../src/problems/planning/instances.js";
import { placementFrontier } from "../../../../src/problems/table-placement/frontier/frontier.js";
import { tablePlacementReader } from "../../../../src/problems/table-placement/instance/reader.js";
import { isLarge } from "../../../../src/problems/table-placement/solve/problem-size.js";
import { generate } from "../../../../src/study/generate/generate.js";
import { testInTurn } from "../../../support/draws.js";

testInTurn(
  "memory against cost of many tables on many devices: work is shared by the program that is solved, not by the direct one",
  async () => {
    const text = generate("tables", { tables: 150, nodes: 16 }, 3);
    const instance = requireInstance(tablePlacementReader, parseInstance(text, "drawn.yaml"));
    expect(isLarge(placementProblem(instance))).toBe(true);
    const { optimal } = await placementFrontier(instance, { points: 2, workSeconds: 3, timeLimitSeconds: 120 });
    const last = optimal.at(-1);
    expect(last?.value).toBeGreaterThan(0);
    expect(last?.gap).toBeLessThan(0.5);
  },
  300_000,
);
