import type { Rational } from "../../src/exact/rational.js";
import { type DirectProgram, directProgram, type PlacementProgram } from "./direct-program.js";
import { evaluatePlacement } from "./evaluate.js";
import { hostsProblem, onHosts } from "./hosts-problem.js";
import type { PlacementProblem } from "./problem.js";

/**
 * The direct program of {@link hostsProblem}, with a point for every placement on devices: its options and hosts, and its own largest
 * cost as z. No bound of the program is above what the best placement costs.
 */
export function hostsProgram(problem: PlacementProblem): ReturnType<typeof onHostsOf> {
  return onHostsOf(problem, directProgram(hostsProblem(problem)));
}

/**
 * The direct program of hosts as one of the problem's placements on devices. Its ceiling is what all tables together cost on a
 * host: its column of the largest cost ends there, and of a placement that costs more there is no point, for which `RangeError` is thrown.
 */
export function onHostsOf(
  problem: PlacementProblem,
  { program, structure: { largest, unit }, pointOf }: DirectProgram,
): Pick<PlacementProgram, "program" | "pointOf"> & { readonly ceiling: Rational } {
  const { upper } = program.columns[largest] as DirectProgram["program"]["columns"][number];
  const ceiling = (upper as Rational).multiply(unit);
  return {
    program,
    ceiling,
    pointOf: (placement) => {
      const point = [...pointOf(onHosts(problem, placement))];
      const value = evaluatePlacement(problem, placement).objective;
      if (value.compare(ceiling) > 0) throw new RangeError("the placement is above what the program of hosts has");
      point[largest] = value.divide(unit);
      return point;
    },
  };
}
