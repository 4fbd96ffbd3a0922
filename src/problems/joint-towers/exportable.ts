import { towerPlacementProblem } from "../../../models/joint-towers/placement-problem.js";
import type { TowerShape } from "../../../models/joint-towers/setting.js";
import type { PlacedTower } from "../../../models/joint-towers/workload.js";
import type { TowerJoint, TowerPartitionInstance } from "../../instance/types/tower-partition.js";
import type { ExportableJoint } from "../../interop/exportable.js";
import { type OpenInstance, planWithInstance, requirePlanned } from "../../plan-file/original-plan.js";
import { CertificateError } from "../../proof/certificate.js";
import { requireWithinLimits, unfit } from "../table-placement/plan-file/within-limits.js";
import { placementOf } from "../table-placement/plan-file/written-choices.js";
import { towerNumbers } from "../tower-partition/instance/joint.js";
import { towerPartitionReader } from "../tower-partition/instance/reader.js";
import { jointTowersPlanSchema, type WrittenJointPlan } from "./plan-file/plan-file.js";
import { unplaceableOf } from "./plan-file/written-unplaceable.js";

/**
 * Reads the plan file of towers with tables and its instance. Throws `InputError` when the text is none, was changed after
 * it was written, was made for another instance, or has towers or proofs that do not fit its instance. A plan file that has
 * no towers will do: its program can be exported.
 */
export async function readExportableJoint(
  text: string,
  file: string,
  openInstance: OpenInstance,
): Promise<ExportableJoint> {
  const { plan, instance } = await planWithInstance(towerPartitionReader, jointTowersPlanSchema, {
    text,
    file,
    openInstance,
  });
  const { method, status, joint: written } = plan;
  const { joint: setting } = instance;
  if (setting === undefined) throw unfit("it places tables of which the instance has none", file);
  const shape = shapeIn(written, instance, setting, file);
  const placed = () => {
    requirePlanned({ status, tables: written.tables ?? [] }, file);
    return placedIn(written, shape, instance, setting, file);
  };
  const unplaceable = () => unplaceableIn(written, shape, instance, setting, file);
  return { instance, method, status, setting, file, shape, unplaceable, placed };
}

function unplaceableIn(
  { rows }: WrittenJointPlan,
  shape: TowerShape,
  instance: TowerPartitionInstance,
  joint: TowerJoint,
  file: string,
): readonly (readonly number[])[] {
  const { unplaceable = [] } = rows.find(({ towers }) => towers === shape.towers)?.partition ?? {};
  try {
    return unplaceable.map((one) => unplaceableOf(one, instance, joint, shape).features);
  } catch (error) {
    if (error instanceof CertificateError || error instanceof RangeError) throw unfit(error.message, file);
    throw error;
  }
}

function shapeIn(
  { chosen }: WrittenJointPlan,
  { towers, features }: TowerPartitionInstance,
  joint: TowerJoint,
  file: string,
): TowerShape {
  const shape = { towers: chosen?.towers ?? towers, hostsPerTower: joint.cluster.nodes / (chosen?.towers ?? towers) };
  const isAllowed = towerNumbers(joint, features.length).includes(shape.towers);
  if (isAllowed && (chosen === null || chosen.hostsPerTower === shape.hostsPerTower)) return shape;
  throw unfit(`it chose ${chosen?.towers} towers of ${chosen?.hostsPerTower} hosts`, file);
}

/** The places that the certificates are about, evaluated anew. */
function placedIn(
  { rows }: WrittenJointPlan,
  shape: TowerShape,
  { name, features }: TowerPartitionInstance,
  joint: TowerJoint,
  file: string,
): readonly PlacedTower[] {
  const row = rows.find(({ towers }) => towers === shape.towers);
  const numbering = row?.partition.numbering ?? [];
  const isNumbered = numbering.every((tower) => Number.isInteger(tower) && tower >= 0 && tower < shape.towers);
  if (numbering.length !== features.length || !isNumbered) throw unfit("not every feature is in a tower", file);
  return Array.from({ length: shape.towers }, (_, tower): PlacedTower => {
    const here = [...features.keys()].filter((feature) => numbering[feature] === tower);
    const problem = towerPlacementProblem(joint, `${name} tower ${tower}`, here, features, shape.hostsPerTower);
    const placement = placementOf(row?.placements?.[tower]?.choices ?? []);
    requireWithinLimits(problem, placement, file);
    return { features: here, problem, placement };
  });
}
