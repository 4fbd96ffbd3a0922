import type { Plan } from "./plan-types.js";

/** A key that a status decides: there is something, or nothing, under it. Keys that are not listed may be either. */
interface Promised {
  readonly some: readonly string[];
  readonly none: readonly string[];
}

const NUMBERS = ["objective.value", "objective.bound", "objective.gap"];
const SECONDS = ["joint.seconds.value", "joint.seconds.bound", "joint.seconds.gap"];
const PROOF = ["proof", "certificate"];

/** What of a decision a plan file of each problem tells beside its number, and whether there are files without any bound. */
const TOLD: Readonly<Record<Plan["problem"], { readonly decided: readonly string[]; readonly unknown: boolean }>> = {
  "row-tiers": { decided: ["memory.bytesPerGpu", "collectives"], unknown: false },
  "table-placement": { decided: ["devices", "choices", "deviceCosts", "deviceBytes"], unknown: true },
  "tower-partition": { decided: ["towers", "sizes", "towerCosts"], unknown: true },
};

/** The keys that hold something, and those that hold `null`, in a plan of this problem and status: see plan-types.ts. */
function promised(problem: Plan["problem"], status: string, isJoint: boolean): Promised | null {
  const { decided, unknown } = TOLD[problem];
  switch (status) {
    case "proved":
    case "feasible":
      return isJoint
        ? { some: ["objective.value", ...decided, ...SECONDS, "joint.chosen"], none: ["infeasibility"] }
        : { some: [...NUMBERS, ...decided, ...PROOF], none: ["infeasibility"] };
    case "heuristic":
      if (isJoint) return null;
      return {
        some: ["objective.value", ...decided],
        none: ["objective.bound", "objective.gap", ...PROOF, "infeasibility"],
      };
    case "unknown":
      if (!unknown) return null;
      if (isJoint) return { some: [], none: ["infeasibility"] };
      return { some: [], none: ["objective.bound", "objective.gap", ...PROOF, "infeasibility"] };
    case "infeasible":
      return isJoint
        ? { some: [], none: [...NUMBERS, ...decided, ...SECONDS, ...PROOF, "joint.chosen", "infeasibility"] }
        : { some: ["infeasibility", ...PROOF], none: [...NUMBERS, ...decided] };
    default:
      return null;
  }
}

/**
 * What of a plan file contradicts its status, in words; `null`: nothing does, and it is a {@link Plan}. Only whether
 * something is there is looked at: whether it is right is for `verify`.
 */
export function againstStatus(file: { readonly problem: Plan["problem"]; readonly status: string }): string | null {
  const { problem, status } = file;
  const promise = promised(problem, status, at(file, "joint") !== undefined);
  if (promise === null) return `${status} is no status of such a plan`;
  const missing = promise.some.find((path) => at(file, path) === null || at(file, path) === undefined);
  if (missing !== undefined) return `${missing} is missing in a plan that is ${status}`;
  const extra = promise.none.find((path) => at(file, path) !== null);
  return extra === undefined ? null : `${extra} is there in a plan that is ${status}`;
}

function at(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null)?.[key], value);
}
