import type { Finding } from "../../../instance/findings.js";
import { listedNeeds } from "../../../instance/types/listed-needs.js";
import { PHASES } from "../../../instance/types/table-placement.js";
import type { OptionsInput, TablePlacementInput } from "./schema.js";

/** How far the cost of a shard may be from the sum of its phases, relatively: both are written with so many digits. */
const ROUNDING = 1e-6;

/** Goals that a cost model does not know, or that do not go together. */
export function checkGoals(input: TablePlacementInput): Finding[] {
  const { objective, thenMinimize, costModel, goals = [], from } = input;
  const findings: Finding[] = [];
  const isPhased = objective === "phases" || goals.some(({ minimize }) => minimize === "phases");
  if (isPhased && costModel !== "torchrec" && costModel !== "options") {
    const name = typeof costModel === "string" ? costModel : "of a network";
    const message = `expected a cost model that knows phases (torchrec, or options that list them) beside the objective phases, received ${name}; change one of the two`;
    findings.push({ path: [objective === "phases" ? "objective" : "goals"], message });
  }
  if (objective === "phases" && thenMinimize !== undefined) {
    const message =
      "expected a second goal beside the objective largest only, received it beside phases; leave it out, or change the objective";
    findings.push({ path: ["thenMinimize"], atKey: true, message });
  }
  if (goals.length > 0 && (objective === "phases" || thenMinimize !== undefined)) {
    const key = thenMinimize === undefined ? "objective" : "thenMinimize";
    const message = `expected goals once, received ${key} beside goals; leave ${key} out, and have it in the list`;
    findings.push({ path: [key], atKey: true, message });
  }
  for (const [k, { minimize }] of goals.entries()) {
    if (goals.findIndex((one) => one.minimize === minimize) === k) continue;
    findings.push({
      path: ["goals", k, "minimize"],
      message: `expected each goal once, received ${minimize} again; remove it`,
    });
  }
  const moves = goals.findIndex(({ minimize }) => minimize.startsWith("moved-"));
  if (moves !== -1 && from === undefined) {
    const message =
      "expected the key from beside a goal of moves (the plan that tables move from), received nothing; add it";
    findings.push({ path: ["goals", moves, "minimize"], message });
  }
  return findings;
}

/** Phases add up to the cost, and are there where the objective is about them. */
export function checkPhases({ objective, goals = [], tables }: OptionsInput): Finding[] {
  return tables.flatMap(({ options }, t) =>
    options.flatMap((option, o) =>
      listedNeeds(option).flatMap(({ need: { cost, phases }, path: below }): Finding[] => {
        const path = ["tables", t, "options", o, ...below];
        if (phases === undefined) {
          if (objective !== "phases" && !goals.some(({ minimize }) => minimize === "phases")) return [];
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
