import { type DirectProgram, directProgram, type PlacementProgram } from "./direct-program.js";
import { evaluatePlacement } from "./evaluate.js";
import { hostsProblem, onHosts } from "./hosts-problem.js";
import type { PlacementProblem } from "./problem.js";

/**
 * The direct program of {@link hostsProblem}, with a point for every placement on devices: its options and hosts, and its own largest
 * cost as z. No bound of the program is above what the best placement costs.
 */
export function hostsProgram(problem: PlacementProblem): Pick<PlacementProgram, "program" | "pointOf"> {
  const direct = directProgram(hostsProblem(problem));
  return { program: direct.program, pointOf: pointsIn(problem, direct) };
}

/** Throws `RangeError` for a placement that costs more than all tables together do on a host. */
export function pointsIn(
  problem: PlacementProblem,
  { program, structure: { largest, unit }, pointOf }: DirectProgram,
): PlacementProgram["pointOf"] {
  return (placement) => {
    const point = [...pointOf(onHosts(problem, placement))];
    const value = evaluatePlacement(problem, placement).objective.divide(unit);
    const { upper } = program.columns[largest] as DirectProgram["program"]["columns"][number];
    if (upper !== null && value.compare(upper) > 0)
      throw new RangeError("the placement is above what the program of hosts has");
    point[largest] = value;
    return point;
  };
}
