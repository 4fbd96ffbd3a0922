import type { Finding } from "../../../instance/findings.js";
import { PHASES } from "./instance.js";
import type { OptionsInput, TablePlacementInput } from "./schema.js";

/** How far the cost of a shard may be from the sum of its phases, relatively: both are written with so many digits. */
const ROUNDING = 1e-6;

/** Goals that a cost model does not know, or that do not go together. */
export function checkGoals({ objective, thenMinimize, costModel }: TablePlacementInput): Finding[] {
  if (objective !== "phases") return [];
  const findings: Finding[] = [];
  if (costModel !== "torchrec" && costModel !== "options") {
    const name = typeof costModel === "string" ? costModel : "of a network";
    const message = `expected a cost model that knows phases (torchrec, or options that list them) beside the objective phases, received ${name}; change one of the two`;
    findings.push({ path: ["objective"], message });
  }
  if (thenMinimize !== undefined) {
    const message =
      "expected a second goal beside the objective largest only, received it beside phases; leave it out, or change the objective";
    findings.push({ path: ["thenMinimize"], atKey: true, message });
  }
  return findings;
}

/** Phases add up to the cost, and are there where the objective is about them. */
export function checkPhases({ objective, tables }: OptionsInput): Finding[] {
  return tables.flatMap(({ options }, t) =>
    options.flatMap(({ shards }, o) =>
      shards.flatMap(([, { cost, phases }], k): Finding[] => {
        const path = ["tables", t, "options", o, "shards", k, 1];
        if (phases === undefined) {
          if (objective !== "phases") return [];
          const message = `expected the phases of the shard's cost (${PHASES.join(", ")}), because the objective is phases, received nothing; add the key phases`;
          return [{ path, message }];
        }
        const sum = PHASES.reduce((total, phase) => total + phases[phase], 0);
        if (Math.abs(sum - cost) <= ROUNDING * Math.max(sum, cost)) return [];
        const message = `expected phases that add up to the cost ${cost}, received some that add up to ${sum}; correct one of them`;
        return [{ path: [...path, "phases"], message }];
      }),
    ),
  );
}
