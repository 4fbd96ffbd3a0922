import { given } from "../../../input/given.js";
import { accessOf, countsFilesOf } from "../../../instance/access-of.js";
import { checkNamesOnce } from "../../../instance/checks/names.js";
import type { PlacedDocument } from "../../../instance/document.js";
import { received, throwFindings } from "../../../instance/findings.js";
import type { InstanceReader } from "../../../instance/reader.js";
import type { AccessInput } from "../../../instance/schema/access.js";
import { withDefaultPoints } from "../../../instance/schema/hot-rows.js";
import { shaped } from "../../../instance/schema/issues.js";
import {
  FORMULA_COST_MODELS,
  type PlacedTable,
  type PlacementCostModel,
  type TablePlacementInstance,
} from "../../../instance/types/table-placement.js";
import {
  checkCluster,
  checkCostModel,
  checkDeviceCount,
  checkDistinctDevices,
  checkGroups,
  checkOptions,
  checkTableDevices,
} from "./checks.js";
import { clusterOfInput, clusterOfTorchrec } from "./cluster.js";
import { readMovesFrom } from "./from.js";
import { checkGoals, checkPhases } from "./goal-checks.js";
import { checkGroupCosts, checkGroupSizes, groupsOf } from "./group-checks.js";
import { checkHotRows } from "./hot-checks.js";
import {
  type FeaturesInput,
  type PlacementFamily,
  TABLE_PLACEMENT_SCHEMAS,
  type TablePlacementInput,
  type TorchrecInput,
} from "./schema.js";
import { featuresOf, optionsOfGiven } from "./tables.js";
import { checkTorchrecTables, torchrecDocument } from "./torchrec.js";

/** Instances of `problem: table-placement`, with the plan that tables move from where one names it. */
export const tablePlacementReader: InstanceReader<TablePlacementInstance> = {
  problem: "table-placement",
  schemas: Object.values(TABLE_PLACEMENT_SCHEMAS),
  read(document, sha256) {
    const family = familyOf(document);
    throwFindings(document, checkGroupCosts(document.value, family));
    const input = shaped<TablePlacementInput>(document, TABLE_PLACEMENT_SCHEMAS[family]);
    throwFindings(document, checkDeviceCount(input));
    const parts = input.costModel === "torchrec" ? clusterOfTorchrec(input) : clusterOfInput(input.cluster);
    throwFindings(document, checkCluster(input, parts));
    // The checks have made sure that the number of devices is known.
    const cluster = { ...parts, nodes: parts.nodes as number, gpusPerNode: parts.gpusPerNode as number };
    throwFindings(document, [
      ...checkCostModel(input),
      ...checkDistinctDevices(input),
      ...checkNamesOnce(
        input.tables.map(({ name }: { name: string }) => name),
        "tables",
        "name",
      ),
      ...checkTableDevices(input.tables, cluster),
      ...checkGroups(input),
      ...checkGoals(input),
      ...checkHotRows(input),
      ...(input.costModel === "options" ? [...checkOptions(input.tables, cluster), ...checkPhases(input)] : []),
      ...(input.costModel === "torchrec"
        ? [...checkGroupSizes(input, cluster), ...checkTorchrecTables(input.tables)]
        : []),
    ]);
    const { source, costUnit } = input;
    const { splits, caches, groups } = input as TorchrecInput & Pick<FeaturesInput, "splits">;
    const { read } = tablePlacementReader;
    const moves = input.from && readMovesFrom(document, input.from, { tables: input.tables, cluster, sha256, read });
    return {
      problem: "table-placement",
      name: input.name,
      ...given({ source }),
      cluster,
      costModel: costModelOf(input.costModel),
      costUnit: costUnit ?? unitOf(input.costModel),
      splits: splits?.maxShardsPerTable === undefined ? null : { maxShardsPerTable: splits.maxShardsPerTable },
      ...given({
        hotRows: splits?.hotRows && withDefaultPoints(splits.hotRows),
        caches: caches && withDefaultPoints(caches),
      }),
      tables: tablesOf(input),
      together: input.together,
      apart: input.apart,
      objective: input.goals?.[0]?.minimize === "phases" ? "phases" : input.objective,
      thenMinimize: input.thenMinimize ?? null,
      goals: input.goals ?? null,
      from: moves?.from ?? null,
      ...given({ groups: groups && groupsOf(groups, cluster) }),
      torchrec: input.costModel === "torchrec" ? torchrecDocument(document, input as TorchrecInput, parts) : null,
      file: document.file,
      sha256: moves?.sha256 ?? sha256,
    };
  },
  namedFiles({ costModel, tables }) {
    const counts = countsFilesOf(tables);
    if (costModel.kind !== "neural") return counts;
    const { file, policy } = costModel;
    return [
      { name: file, at: ["costModel", "neural"] },
      ...(policy === undefined ? [] : [{ name: policy, at: ["costModel", "policy"] }]),
      ...counts,
    ];
  },
};

interface AnyTableInput {
  readonly name: string;
  readonly devices?: readonly number[] | undefined;
  readonly distinctDevices?: boolean | undefined;
  readonly access?: AccessInput | undefined;
}

/** Which schema applies: told by `costModel` alone, so that the messages are about the right one. */
function familyOf(document: PlacedDocument): PlacementFamily {
  const { costModel } = document.value as { costModel?: unknown };
  if (costModel === "given" || costModel === "options" || costModel === "torchrec") return costModel;
  const isFormula = (FORMULA_COST_MODELS as readonly unknown[]).includes(costModel);
  if (isFormula || (typeof costModel === "object" && costModel !== null)) return "features";
  const known = `given, options, torchrec, ${FORMULA_COST_MODELS.join(", ")} or {neural: FILE}`;
  const advice = costModel === undefined ? "add the key costModel" : "choose one of them";
  const message = `expected ${known} (what a shard costs its device), received ${received(costModel)}; ${advice}`;
  throwFindings(document, [{ path: ["costModel"], message }]);
  throw new Error("a finding ends the reading");
}

function costModelOf(costModel: TablePlacementInput["costModel"]): PlacementCostModel {
  if (typeof costModel === "string") return { kind: costModel };
  const { neural, policy } = costModel;
  return { kind: "neural", file: neural, ...given({ policy }) };
}

function unitOf(costModel: TablePlacementInput["costModel"]): string | null {
  if (costModel === "torchrec" || typeof costModel === "object") return "ms";
  return costModel === "size" ? "GiB" : null;
}

function tablesOf(input: TablePlacementInput): readonly PlacedTable[] {
  const shared = ({ name, devices, distinctDevices, access }: AnyTableInput) => ({
    ...{ name, devices: devices ?? null },
    ...given({ distinctDevices: distinctDevices || undefined, access: access && accessOf(access) }),
  });
  switch (input.costModel) {
    case "given":
    case "options":
      return input.tables.map((table) => ({
        ...shared(table),
        kind: "options",
        features: featuresOf(table),
        options: "options" in table ? table.options : optionsOfGiven(table),
      }));
    case "torchrec":
      return input.tables.map((table) => ({ ...shared(table), kind: "torchrec", features: null }));
    default:
      return (input as FeaturesInput).tables.map((table) => ({
        ...shared(table),
        kind: "features",
        features: featuresOf(table),
      }));
  }
}
