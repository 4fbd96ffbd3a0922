import { join } from "node:path";
import { towerProblem } from "../../../models/tower-partition/build.js";
import type { TowerLabels } from "../../../models/tower-partition/problem.js";
import { towerInteraction } from "../../access/interaction/tower-interaction.js";
import { compressionRatio } from "../../cost/dmt/dense-work.js";
import { flatSteps, type StepTraffic, spttSteps } from "../../cost/dmt/steps.js";
import { busiest, hostTraffic } from "../../cost/dmt/traffic.js";
import type { Workload } from "../../cost/dmt/workload.js";
import { instancesFolder } from "../../input/instances-folder.js";
import { loadWith } from "../../instance/load.js";
import { towerPartitionReader } from "../../problems/tower-partition/instance/reader.js";
import { strided } from "../../problems/tower-partition/methods/strided.js";
import { tp } from "../../problems/tower-partition/methods/tp.js";
import { baseline, DIM, dmtDcn, dmtDlrm, FEATURES, type ModelWork } from "./models.js";
import { isSameFlops } from "./numbers.js";
import { PUBLISHED, type PublishedModel } from "./published.js";
import type {
  CollectiveBytes,
  DmtReproduction,
  ExchangeBytes,
  Figure9,
  ModelLine,
  TowersOfMethod,
} from "./reproduction.js";
import { dmtModel, flatSetting, spttSetting, WORLDS } from "./setting.js";
import { statements } from "./statements.js";
import { byWidth, fittedModel, speedUps } from "./time-model.js";

/**
 * DMT's tables 3 to 5 by the arithmetic that meets them, the bytes of every collective of its setting, and modelled
 * speed-ups beside what the text says of figures 1 and 10 to 13, and figure 9 of a shipped instance. Throws `InputError` when
 * that cannot be read.
 */
export async function reproduceDmt(): Promise<DmtReproduction> {
  const model = fittedModel();
  const modelled = speedUps(model);
  return {
    shardproof: 1,
    paper: "dmt",
    table4: table4(),
    table5: table5(),
    bytes: WORLDS.map(collectiveBytes),
    model,
    speedUps: modelled,
    byRatio: PUBLISHED.table5.flatMap(({ width, ratio }) => byWidth(model, width).map((each) => ({ ratio, ...each }))),
    statements: statements(model, modelled),
    figure9: await figure9(),
  };
}

/** Bytes of every collective on `ranks` GPUs, by the flat exchange, by SPTT, and by SPTT with each model's tower modules. */
function collectiveBytes(ranks: number): ExchangeBytes {
  const sptt = (workload: Workload) => ofSteps(workload, spttSteps(workload));
  const flat = flatSetting(ranks);
  return {
    ranks,
    flat: ofSteps(flat, flatSteps(flat)),
    sptt: sptt(spttSetting(ranks, null)),
    dlrm: sptt(spttSetting(ranks, dmtModel("DLRM", ranks))),
    dcn: sptt(spttSetting(ranks, dmtModel("DCN", ranks))),
  };
}

function ofSteps(workload: Workload, steps: readonly StepTraffic[]): readonly CollectiveBytes[] {
  return steps
    .filter(({ world }) => world > 1)
    .map(({ pass, step, world, traffic }) => ({
      ...{ pass, step, world },
      insideHost: busiest(traffic, "insideHost").toNumber(),
      acrossHosts: busiest(traffic, "acrossHosts").toNumber(),
      acrossHostsPerHost: busiest(hostTraffic(workload.world, traffic), "acrossHosts").toNumber(),
    }));
}

/** Tables 3 and 4: flops and compression of the models with and without towers. */
export function table4(): readonly ModelLine[] {
  return PUBLISHED.table4.map((published: PublishedModel) => {
    const { family, towers } = published;
    const model = towers === null ? family : `DMT ${towers}T-${family}`;
    return line(model, towers, workOf(published), published.megaflops, null);
  });
}

/** Table 5: DMT 8T-DLRM by the width of its modules. */
export function table5(): readonly ModelLine[] {
  return PUBLISHED.table5.map(({ width, ratio, megaflops }) =>
    line(`DMT 8T-DLRM, D = ${width}`, 8, dmtDlrm(8, width), megaflops, ratio),
  );
}

function workOf({ family, towers }: PublishedModel): ModelWork {
  if (towers === null) return baseline(family);
  return family === "DLRM" ? dmtDlrm(towers) : dmtDcn(towers);
}

function line(
  model: string,
  towers: number | null,
  work: ModelWork,
  megaflops: number,
  publishedRatio: number | null,
): ModelLine {
  const outputs = work.towers.map(({ outputDim }) => outputDim);
  const ratio = compressionRatio(outputs, FEATURES * DIM).toNumber();
  const isSameRatio = publishedRatio === null || 1 / ratio === publishedRatio;
  return {
    model,
    towers,
    megaflops: { ours: work.megaflops, published: megaflops },
    compression: towers === null ? null : ratio,
    publishedRatio,
    formula: work.formula,
    inferred: work.inferred,
    agrees: isSameRatio && isSameFlops(work.megaflops, megaflops),
  };
}

const INSTANCE = "paper/criteo26.yaml";
/** As in the paper's figure. */
const TOWERS = 8;
const SEED = 1;

/**
 * Figure 9: the interaction matrix with its features in the order of the towers that `tp` makes of them by the coherent
 * strategy, and the strided assignment beside it. The paper's matrix is not published: this one is of the shipped
 * instance, which is synthetic. Throws `InputError` when the instance cannot be read.
 */
async function figure9(): Promise<Figure9> {
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
