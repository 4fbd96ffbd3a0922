import type { z } from "zod";
import { checkTowers } from "./checks/towers.js";
import { checkTowersJoint } from "./checks/towers-joint.js";
import type { PlacedDocument } from "./document.js";
import { throwFindings } from "./findings.js";
import { findingsOfIssues } from "./schema/issues.js";
import { type TowerPartitionInput, towerJointSchema, towerPartitionSchema } from "./schema/tower-partition.js";
import type { TowerPartitionInstance } from "./tower-partition-instance.js";
import { towerJointOf, towerNumbers } from "./tower-partition-joint.js";

/** Reads `problem: tower-partition`. Throws `InputError` at the first thing that the schema or a check has against it. */
export function readTowerPartition(document: PlacedDocument, sha256: string): TowerPartitionInstance {
  if (!isJoint(document)) {
    const input = shaped(document, towerPartitionSchema);
    throwFindings(document, checkTowers(input));
    return { ...instanceOf(document, input, sha256), towers: input.towers };
  }
  const input = shaped(document, towerJointSchema);
  throwFindings(document, [...checkTowers(input), ...checkTowersJoint(input)]);
  const joint = towerJointOf(input);
  const towers = joint.towers ?? Math.max(...towerNumbers(joint, input.features.length));
  return { ...instanceOf(document, input, sha256), towers, joint };
}

/** Which schema applies, so that the messages are about the right one: only the joint choice has tables and a cluster. */
function isJoint(document: PlacedDocument): boolean {
  const { cluster, tables, towers } = document.value as Record<string, unknown>;
  return cluster !== undefined || tables !== undefined || towers === "any";
}

function shaped<Shape>(document: PlacedDocument, schema: z.ZodType<Shape>): Shape {
  const parsed = schema.safeParse(document.value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throwFindings(document, findingsOfIssues(parsed.error.issues, schema));
  throw parsed.error;
}

function instanceOf(
  { file }: PlacedDocument,
  input: Omit<TowerPartitionInput, "towers">,
  sha256: string,
): Omit<TowerPartitionInstance, "towers"> {
  const { name, source, sizeRatio, strategy, objective, features, load, loadRatio } = input;
  return {
    problem: "tower-partition",
    name,
    ...(source === undefined ? {} : { source }),
    sizeRatio,
    strategy,
    objective,
    features,
    interaction: interactionOf(input.interaction),
    load: load === undefined ? null : { weights: load, ratio: loadRatio ?? null },
    file,
    sha256,
  };
}

function interactionOf(interaction: TowerPartitionInput["interaction"]): TowerPartitionInstance["interaction"] {
  return Array.isArray(interaction) ? { kind: "given", rows: interaction } : { kind: "file", file: interaction.file };
}
