import { jointGrouping } from "../../../models/joint-towers/grouping.js";
import { towerPlacementProblem } from "../../../models/joint-towers/placement-problem.js";
import type { WrittenProof } from "../../../models/table-placement/proved-program.js";
import { evaluateTowers } from "../../../models/tower-partition/evaluate.js";
import { towerInteraction } from "../../access/interaction/tower-interaction.js";
import { InputError } from "../../errors/input-error.js";
import { type PlanSource, planWithInstance, requireProof } from "../../plan-file/original-plan.js";
import type { NamedProofs, ProvedProgram } from "../proved-program.js";
import { placementOf } from "../table-placement/plan-file/written-choices.js";
import { placementProof } from "../table-placement/proved.js";
import { towerNumbers } from "../tower-partition/instance/joint.js";
import { towerPartitionReader } from "../tower-partition/instance/reader.js";
import { compactProof } from "../tower-partition/proved.js";
import { jointTowersPlanSchema, type WrittenJointPlan } from "./plan-file/plan-file.js";
import { indicesOf } from "./plan-file/written-unplaceable.js";

type Named = [name: string, make: () => ProvedProgram];

/**
 * What is proved of towers with tables: of each number of towers the partition (`towers-2`), the places of each tower
 * (`towers-2-places-0`) and of features that have none (`towers-2-without-0`), and those of the flat exchange (`flat`); the partition
 * that was chosen first. Throws as `ProofReader` says.
 */
export async function provedJoint(source: PlanSource): Promise<NamedProofs> {
  const { plan, instance } = await planWithInstance(towerPartitionReader, jointTowersPlanSchema, source);
  const { joint, features, name: title } = instance;
  if (joint === undefined) throw new InputError("expected an instance with tables, received none", source.file);
  const interaction = await towerInteraction(instance);
  const { gap } = plan.request;
  const { chosen, rows, flat } = plan.joint;
  if (rows.map(({ towers }) => towers).join() !== towerNumbers(joint, features.length).join()) {
    throw new RangeError("a row for each number of towers that the cluster has is expected");
  }
  const placesOf = (name: string, indices: readonly number[], hosts: number, written: WrittenPlaces): Named[] => {
    if (written === null || written.certificate === null) return [];
    const placement = written.choices == null ? null : placementOf(written.choices);
    const problem = () => towerPlacementProblem(joint, title, indices, features, hosts);
    return [[name, () => placementProof(problem(), placement, written, gap)]];
  };
  const proofs = rows.flatMap(({ towers, partition, placements }): Named[] => {
    const shape = { towers, hostsPerTower: joint.cluster.nodes / towers };
    const name = `towers-${towers}`;
    const isChosen = chosen?.towers === towers;
    const without = (partition.unplaceable ?? []).map((one) => indicesOf(one, instance));
    const grouping = jointGrouping(instance, joint, shape, interaction, without);
    const sets = partition.numbering === null ? [] : evaluateTowers(grouping, partition.numbering).towers;
    const towerAt = (tower: number) => {
      const set = sets[tower];
      if (set === undefined) throw new RangeError(`${name} has places for a tower that it has not`);
      return set;
    };
    const own: Named[] = [[name, () => compactProof(grouping, partition.numbering, instance.file, gap)]];
    return [
      ...((isChosen ? plan : partition).certificate === null ? [] : own),
      ...(placements ?? []).flatMap((one, tower) =>
        placesOf(`${name}-places-${tower}`, towerAt(tower), shape.hostsPerTower, one),
      ),
      ...(partition.unplaceable ?? []).flatMap((one, k) =>
        placesOf(`${name}-without-${k}`, without[k] as readonly number[], shape.hostsPerTower, one),
      ),
    ];
  });
  proofs.push(...placesOf("flat", [...features.keys()], joint.cluster.nodes, flat.placement));
  if (proofs.length === 0) requireProof(plan, source.file);
  const first = `towers-${chosen?.towers}`;
  return new Map(proofs.sort(([a], [b]) => Number(b === first) - Number(a === first)));
}

type WrittenPlaces = (WrittenProof & Partial<Pick<WrittenPlacement, "choices">>) | null;
type WrittenPlacement = NonNullable<WrittenJointPlan["flat"]["placement"]>;
