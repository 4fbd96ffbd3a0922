import type { PlacedDocument } from "../../../instance/document.js";
import { throwFindings } from "../../../instance/findings.js";
import type { InstanceReader } from "../../../instance/reader.js";
import { shaped } from "../../../instance/schema/issues.js";
import type { TowerPartitionInstance } from "../../../instance/types/tower-partition.js";
import { checkTowers } from "./checks.js";
import { towerJointOf, towerNumbers } from "./joint.js";
import { checkTowersJoint } from "./joint-checks.js";
import { type TowerPartitionInput, towerJointSchema, towerPartitionSchema } from "./schema.js";

/** Instances of `problem: tower-partition`, with tables or without. */
export const towerPartitionReader: InstanceReader<TowerPartitionInstance> = {
  problem: "tower-partition",
  schemas: [towerPartitionSchema, towerJointSchema],
  read(document, sha256) {
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
  },
  namedFiles: ({ interaction }) =>
    interaction.kind === "file" ? [{ name: interaction.file, at: ["interaction", "file"] }] : [],
};

/** Which schema applies, so that the messages are about the right one: only the joint choice has tables and a cluster. */
function isJoint(document: PlacedDocument): boolean {
  const { cluster, tables, towers } = document.value as Record<string, unknown>;
  return cluster !== undefined || tables !== undefined || towers === "any";
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
