import { checkNamesOnce } from "../../../instance/checks/names.js";
import type { Path } from "../../../instance/document.js";
import { type Finding, received } from "../../../instance/findings.js";
import { interactionFault } from "../../../instance/types/interaction.js";
import { MAX_FEATURES } from "../../../instance/types/tower-partition.js";
import type { TowerPartitionInput } from "./schema.js";

/** Of all weights together, times the ratio: far from where sums and quotients leave the range of doubles. */
const MAX_LOAD = 1e300;

/** What the schema does not see: names, lengths, the matrix, and keys that need others. */
export function checkTowers(input: Omit<TowerPartitionInput, "towers">): Finding[] {
  const { features, load, loadRatio } = input;
  const findings: Finding[] = [...checkFeatures(features), ...checkInteraction(input)];
  if (load !== undefined && load.length !== features.length) {
    const message = `expected ${features.length} entries, one for each feature, received ${load.length}; give one weight for each`;
    findings.push({ path: ["load"], message });
  }
  const sum = (load ?? []).reduce((total, weight) => total + weight, 0);
  if (sum * (loadRatio ?? 1) > MAX_LOAD) {
    const message = `expected weights whose sum, times loadRatio, is at most ${MAX_LOAD.toExponential()}, received more; give them in a larger unit`;
    findings.push({ path: ["load"], message });
  }
  if (load === undefined && loadRatio !== undefined) {
    const message = "expected load beside loadRatio, received none; add the key load, or leave loadRatio out";
    findings.push({ path: ["loadRatio"], atKey: true, message });
  }
  return findings;
}

function checkFeatures(features: readonly string[]): Finding[] {
  if (features.length > MAX_FEATURES) {
    const message = `expected at most ${MAX_FEATURES} features, received ${features.length}; a search has no memory for more`;
    return [{ path: ["features"], message }];
  }
  return checkNamesOnce(features, "features");
}

function checkInteraction({ interaction, features }: Pick<TowerPartitionInput, "interaction" | "features">): Finding[] {
  const at: Path = ["interaction"];
  if (!Array.isArray(interaction)) {
    if (/\.(csv|npy)$/i.test(interaction.file)) return [];
    const message = `expected a .csv or .npy file, received ${received(interaction.file)}; give the matrix in one of these`;
    return [{ path: [...at, "file"], message }];
  }
  const size = features.length;
  if (interaction.length !== size) {
    const message = `expected ${size} rows, one for each feature, received ${interaction.length}; correct features or the matrix`;
    return [{ path: at, message }];
  }
  const wrong = interaction.findIndex((row) => row.length !== size);
  if (wrong !== -1) {
    const message = `expected ${size} entries, one for each feature, received ${interaction[wrong]?.length}; the matrix is square`;
    return [{ path: [...at, wrong], message }];
  }
  const fault = interactionFault(features, (row, column) => interaction[row]?.[column] as number);
  return fault === null ? [] : [{ path: [...at, fault.row, fault.column], message: fault.message }];
}
