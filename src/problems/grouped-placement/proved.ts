import { type GroupedInstance, groupInstance } from "../../../models/grouped-placement/group-instance.js";
import { placementProblem } from "../../../models/table-placement/from-instance.js";
import { InputError } from "../../errors/input-error.js";
import { type PlanSource, planWithInstance, requireProof } from "../../plan-file/original-plan.js";
import type { NamedProofs, ProvedProgram } from "../proved-program.js";
import { tablePlacementReader } from "../table-placement/instance/reader.js";
import { placementProof } from "../table-placement/proved.js";
import { groupedPlacementPlanSchema } from "./plan-file/schema.js";
import { placementIn } from "./verify.js";

/** What is proved of a plan of groups: `groups-4` of groups of four devices, the chosen size first. Throws as `ProofReader` says. */
export async function provedGroups(source: PlanSource): Promise<NamedProofs> {
  const { plan, instance } = await planWithInstance(tablePlacementReader, groupedPlacementPlanSchema, source);
  if (instance.groups === undefined)
    throw new InputError("expected an instance with groups, received none", source.file);
  const { chosen, sizes } = plan.groups;
  // The plan's own certificate is that of the size it speaks of.
  const about = chosen ?? sizes.at(-1)?.size;
  if (sizes.map(({ size }) => size).join() !== instance.groups.sizes.join()) {
    throw new RangeError(`the sizes ${instance.groups.sizes.join(", ")} are expected`);
  }
  const proofs = sizes.flatMap((row): [number, () => ProvedProgram][] => {
    const written = row.size === about && plan.certificate !== null ? plan : row;
    if (written.certificate === null) return [];
    const make = () => {
      const problem = placementProblem(groupInstance(instance as GroupedInstance, row.size));
      return placementProof(problem, placementIn(plan, row, problem, row.size === chosen), written, plan.request.gap);
    };
    return [[row.size, make]];
  });
  if (proofs.length === 0) requireProof(plan, source.file);
  proofs.sort(([a], [b]) => Number(b === about) - Number(a === about));
  return new Map(proofs.map(([size, make]) => [`groups-${size}`, make]));
}
