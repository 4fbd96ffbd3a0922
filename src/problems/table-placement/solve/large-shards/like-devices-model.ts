import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { type BaseModel, baseModel } from "../base-tree/base-model.js";
import { distinctOptions } from "../bounds/reduction.js";

/**
 * The model of one host of like devices, with memory that is given, and nothing that all of them hold; it stands for no other. `null` for
 * other problems. `value`: about what a device costs.
 */
export function likeDevicesModel(problem: PlacementProblem, direct: DirectProgram, value: number): BaseModel | null {
  const model = baseModel(problem, direct, distinctOptions(problem), value);
  return model !== null && hasLikeDevices(model) ? model : null;
}

function hasLikeDevices({ hosts, groups, switches }: BaseModel): boolean {
  const [host, ...others] = hosts;
  if (host === undefined || host.hbm === null || others.length > 0 || groups.length !== 1) return false;
  if (groups[0]?.parts.some((own) => own.some(({ over }) => over > 0)) === true) return false;
  return switches.every(({ bases, group }) => group === -1 && bases.length === 0);
}
