import { placementProblem } from "../../../models/table-placement/from-instance.js";
import type {
  Placement,
  PlacementChoice,
  PlacementOption,
  PlacementProblem,
} from "../../../models/table-placement/problem.js";
import { type PlacementSpace, spaceOf } from "../../../models/table-placement/space.js";
import { type TableShapes, tableShapes } from "../../cost/placement/table-shapes.js";
import { whyNotAllowed } from "../../cost/torchrec/enumerate.js";
import type { TorchrecTable } from "../../cost/torchrec/problem.js";
import { readPlacedTorchrecProblem } from "../../cost/torchrec/read-problem.js";
import { isCutByColumns, type ShardShape } from "../../cost/torchrec/shards.js";
import { didYouMean } from "../../errors/nearest.js";
import type { PlacedDocument } from "../../instance/document.js";
import { type Finding, pathText, received, throwFindings } from "../../instance/findings.js";
import { namesOf } from "../../instance/types/sharding-names.js";
import type { TablePlacementInstance } from "../../instance/types/table-placement.js";
import { asPriced, brokenByPlacement } from "./broken-rules.js";
import { type PlacedSharding, shardingsIn } from "./sharding-plan.js";

/** A sharding plan on an instance: what it breaks of TorchRec's own rules is said, not refused. Throws as {@link givenPlacement}. */
export function givenPlan(document: PlacedDocument, instance: TablePlacementInstance): GivenPlacement {
  const { file } = document;
  const own = placementProblem(instance);
  const space = spaceOf(own);
  const priced = asPriced(instance);
  if (priced !== instance) {
    const problem = placementProblem(priced);
    const placement = givenPlacement(document, priced, problem);
    const broken = brokenByPlacement(instance, problem, placement);
    if (broken.length > 0) return { file, instance, problem, placement, broken, space };
  }
  const placement = givenPlacement(document, instance, own);
  return { file, instance, problem: own, placement, broken: brokenByPlacement(instance, own, placement), space };
}

/** A placement that was given, for an instance's problem, from a file. */
export interface GivenPlacement {
  readonly file: string;
  readonly instance: TablePlacementInstance;
  /** With the options that TorchRec cannot run, where the plan takes some. */
  readonly problem: PlacementProblem;
  readonly placement: Placement;
  /** The rules of TorchRec's that it breaks, in words; absent: they are looked for. */
  readonly broken?: readonly string[];
  /** What a search for a better plan is among; absent: the problem's options. */
  readonly space?: PlacementSpace;
}

/**
 * The placement that a TorchRec sharding plan is, for an instance's problem: each table's option by sharding type and
 * kernel, and the device of each of its shards. That shards have the shapes that TorchRec cuts the table into is checked
 * where the instance has the table's rows and dim; whether the placement keeps to the limits is not.
 *
 * A table of the instance is the plan's entry of its name, or of `module.name` where several modules have tables of the
 * same name. Throws `InputError` with its place for what is no sharding plan, for tables that are in one of the two only,
 * and for entries that are none of the instance's options.
 */
export function givenPlacement(
  document: PlacedDocument,
  instance: TablePlacementInstance,
  problem: PlacementProblem,
): Placement {
  const found = matched(document, shardingsIn(document), problem);
  const shapes = tableShapes(instance);
  const findings: Finding[] = [];
  const whyOutside = outsideOf(instance);
  const choices = found.map((entry, t) => choiceOf(entry, t, problem, shapes, whyOutside, findings));
  throwFindings(document, findings);
  return { choices };
}

/** Says why an option is none of a table's. */
function outsideOf({ torchrec }: TablePlacementInstance): (table: number, type: string, kernel: string) => string {
  if (torchrec === null) return () => "correct it, or add the option to the instance, which lists them";
  const problem = readPlacedTorchrecProblem(torchrec);
  return (t, type, kernel) => whyNotAllowed(problem, problem.tables[t] as TorchrecTable, type, kernel);
}

/** Per table of the problem its entry of the plan. */
function matched(
  document: PlacedDocument,
  shardings: readonly PlacedSharding[],
  { tables }: PlacementProblem,
): readonly PlacedSharding[] {
  const known = new Set(tables.map(({ name }) => name));
  const byTable = new Map<string, PlacedSharding>();
  const findings: Finding[] = [];
  for (const entry of shardings) {
    const name = namesOf(entry).find((candidate) => known.has(candidate));
    if (name === undefined) {
      findings.push({ path: entry.path, atKey: true, message: unknownTable(entry.table, [...known]) });
      continue;
    }
    const earlier = byTable.get(name);
    if (earlier !== undefined) {
      const both = [earlier, entry].map(({ module, table }) => (module === "" ? table : `${module}.${table}`));
      const message = `expected the table ${name} of the instance once, received it in ${pathText(earlier.path)} too; call the instance's tables ${both.join(" and ")}`;
      findings.push({ path: entry.path, atKey: true, message });
      continue;
    }
    byTable.set(name, entry);
  }
  // A misspelt name is also a missing one: the place of the misspelling says more.
  throwFindings(document, findings);
  const missing = tables.filter(({ name }) => !byTable.has(name)).map(({ name }) => name);
  if (missing.length > 0) {
    const more = missing.length === 1 ? "" : ` (and ${missing.length - 1} more)`;
    const message = `expected every table of the instance, received none called ${missing[0]}${more}; add it to the plan, or take it out of the instance`;
    throwFindings(document, [{ path: ["plan"], atKey: true, message }]);
  }
  return tables.map(({ name }) => byTable.get(name) as PlacedSharding);
}

function unknownTable(table: string, known: readonly string[]): string {
  const advice = didYouMean(table, known) ?? "add it to the instance";
  return `expected a table of the instance, by its name or as module.name, received ${received(table)}; ${advice}`;
}

function choiceOf(
  { sharding, loadFactor, path }: PlacedSharding,
  t: number,
  { tables, nodes, gpusPerNode }: PlacementProblem,
  shapes: TableShapes,
  whyOutside: (table: number, shardingType: string, kernel: string) => string,
  findings: Finding[],
): PlacementChoice {
  const { sharding_type: shardingType, compute_kernel: kernel, ranks, shards } = sharding;
  const { options = [] } = tables[t] ?? {};
  const add = (within: readonly (string | number)[], message: string) => {
    findings.push({ path: [...path, ...within], message });
  };
  const isNamed = (one: PlacementOption) => one.shardingType === shardingType && one.kernel === kernel;
  // Over several numbers of nodes a table has several of one name.
  const exact = options.findIndex((one) => isNamed(one) && one.shards.length === ranks.length);
  const option = exact === -1 ? options.findIndex(isNamed) : exact;
  const shardCount = options[option]?.shards.length;
  if (shardCount === undefined) {
    const known = options.map((one) => `${one.shardingType} ${one.kernel}`).join(", ");
    const why = whyOutside(t, shardingType, kernel);
    add(["sharding_type"], `expected one of ${known}, received ${shardingType} ${kernel}; ${why}`);
    return { option: 0, devices: [] };
  }
  const planned = shapes.runtime(t).cache_params?.load_factor;
  if (loadFactor !== null && planned !== undefined && loadFactor !== planned) {
    const advice = "make them the same, so that the costs are the plan's";
    add(
      ["cache_params", "load_factor"],
      `expected ${planned}, as the instance has it, received ${loadFactor}; ${advice}`,
    );
  }
  const devices = nodes * gpusPerNode;
  if (ranks.length !== shardCount) {
    const of = `the number of ${shardingType} shards of the table`;
    add(["ranks"], `expected ${shardCount} ranks, ${of}, received ${ranks.length}; ${cutAdvice(shardingType)}`);
    return { option, devices: ranks };
  }
  const stray = ranks.findIndex((rank) => rank >= devices);
  if (stray !== -1) {
    const message = `expected a rank from 0 to ${devices - 1} (${nodes} × ${gpusPerNode} devices), received ${ranks[stray]}`;
    add(["ranks", stray], `${message}; plan for the instance's devices`);
  }
  if (shards === null) {
    if (shardingType !== "data_parallel") {
      add(
        ["shards"],
        `expected a list of ${shardCount} shards, received none; add their offsets, sizes and placements`,
      );
    }
    return { option, devices: ranks };
  }
  if (shards.length !== shardCount) {
    add(["shards"], `expected ${shardCount} shards, one for each rank, received ${shards.length}`);
    return { option, devices: ranks };
  }
  const expected = shapes.of(t, { shardingType, shardCount });
  for (const [k, { shard_sizes, shard_offsets, placement }] of shards.entries()) {
    const at = (key: string) => ["shards", k, key];
    const shape = expected?.[k];
    if (shape !== undefined && !sameShape(shape, { sizes: shard_sizes, offsets: shard_offsets })) {
      const cut = `the size of shard ${k} as TorchRec cuts the table ${shardingType}`;
      const advice = "correct the plan, or the table in the instance (rows, dim, min_partition)";
      add(
        at("shard_sizes"),
        `expected ${block(shape.sizes, shape.offsets)}, ${cut}, received ${block(shard_sizes, shard_offsets)}; ${advice}`,
      );
    }
    const rank = /^rank:(\d+)\//.exec(placement)?.[1];
    if (rank === undefined || Number(rank) !== ranks[k]) {
      add(at("placement"), `expected rank:${ranks[k]}/…, the rank of shard ${k}, received ${received(placement)}`);
    }
  }
  return { option, devices: ranks };
}

/** What to do where the plan cuts a table into another number of shards. */
function cutAdvice(shardingType: string): string {
  const orWidth = ", or say in the instance how wide its shards are (min_partition)";
  return `give one rank for each shard${isCutByColumns(shardingType) ? orWidth : ""}`;
}

function sameShape(a: ShardShape, b: ShardShape): boolean {
  return a.sizes.every((size, axis) => size === b.sizes[axis]) && a.offsets.every((at, axis) => at === b.offsets[axis]);
}

function block([rows, columns]: ShardShape["sizes"], [row, column]: ShardShape["offsets"]): string {
  return `[${rows}, ${columns}] at [${row}, ${column}]`;
}
