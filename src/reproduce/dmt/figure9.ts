import { join } from "node:path";
import { towerProblem } from "../../../models/tower-partition/build.js";
import type { TowerLabels } from "../../../models/tower-partition/problem.js";
import { towerInteraction } from "../../access/interaction/tower-interaction.js";
import { instancesFolder } from "../../input/instances-folder.js";
import { loadWith } from "../../instance/load.js";
import { towerPartitionReader } from "../../problems/tower-partition/instance/reader.js";
import { strided } from "../../problems/tower-partition/methods/strided.js";
import { tp } from "../../problems/tower-partition/methods/tp.js";
import type { Figure9, TowersOfMethod } from "./reproduction.js";

const INSTANCE = "paper/criteo26.yaml";
/** As in the paper's figure. */
const TOWERS = 8;
const SEED = 1;

/**
 * Figure 9: the interaction matrix with its features in the order of the towers that `tp` makes of them by the coherent
 * strategy, and the strided assignment beside it. The paper's matrix is not published: this one is of the shipped
 * instance, which is synthetic. Throws `InputError` when the instance cannot be read.
 */
export async function figure9(): Promise<Figure9> {
  const instance = await loadWith([towerPartitionReader], join(instancesFolder(), INSTANCE));
  const interaction = await towerInteraction(instance);
  const problem = towerProblem({ ...instance, towers: TOWERS, strategy: "coherent" }, interaction);
  const methods = Object.entries({ tp, strided }).map(([method, heuristic]) => {
    const result = heuristic(problem, { seed: SEED });
    if (result.kind !== "plan") throw new RangeError(`${instance.name}: ${method} ${result.reason}`);
    return towersOf(method as TowersOfMethod["method"], result.labels, interaction);
  });
  const { name, sha256, features } = instance;
  return { instance: { name, sha256 }, features, interaction: [...interaction], methods };
}

function towersOf(method: TowersOfMethod["method"], numbering: TowerLabels, interaction: Float64Array): TowersOfMethod {
  const count = numbering.length;
  const towers = Array.from({ length: TOWERS }, (_, t) =>
    numbering.flatMap((tower, feature) => (tower === t ? [feature] : [])),
  );
  const mean = (isOf: (i: number, j: number) => boolean) => {
    let sum = 0;
    let pairs = 0;
    for (let i = 0; i < count; i++) {
      for (let j = i + 1; j < count; j++) {
        if (!isOf(i, j)) continue;
        sum += interaction[i * count + j] as number;
        pairs++;
      }
    }
    return sum / pairs;
  };
  return {
    method,
    towers,
    meanInside: mean((i, j) => numbering[i] === numbering[j]),
    meanBetween: mean((i, j) => numbering[i] !== numbering[j]),
  };
}
