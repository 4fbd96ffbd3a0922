import { decomposeDouble, greatestCommonDivisor, Rational } from "../../src/exact/rational.js";
import { integerForm, makeProgram, type Program } from "../../src/program/program.js";
import { addOption, isPlaceable } from "./option-columns.js";
import type { OptionColumns, ShardColumn } from "./option-site.js";
import { deviceCount, type Placement, type PlacementProblem } from "./problem.js";
import { ProgramDraft } from "./program-draft.js";
import { addSideRows, type DeviceRow, type SideColumn } from "./side-rows.js";

/** Which rows and columns of the direct program play which part; indices are the program's. */
export interface DirectStructure {
  /** The largest cost, in units. */
  readonly largest: number;
  /** What one unit of cost is worth: every cost is a whole number of units. */
  readonly unit: Rational;
  readonly tables: readonly TableColumns[];
  /** The columns that count shards, in the program's order. */
  readonly shards: readonly ShardColumn[];
  /** One row per device. */
  readonly loadRows: readonly number[];
  /** One row per device, `null` where memory does not limit. */
  readonly hbmRows: readonly (number | null)[];
  /** One row per device, or per node where host memory is pooled; `null` where it does not limit. */
  readonly hostRows: readonly (number | null)[];
  /** Further rows that speak of one device alone (`apart`, one option per table). */
  readonly deviceRows: readonly DeviceRow[];
}

/** A table in the program. */
export interface TableColumns {
  /** The column that chooses each of {@link options}; `null` where there is only one. */
  readonly chosen: readonly (number | null)[];
  /** The options that can be placed, memory aside. */
  readonly options: readonly OptionColumns[];
  /** The row "one option", where there are several (or none). */
  readonly optionRow: number | null;
}

/** Table placement as an explicit program, with the ways back. README.md beside this file has the mathematics. */
export interface DirectProgram {
  readonly program: Program;
  readonly structure: DirectStructure;
  /** The placement of a feasible point. */
  recover(point: readonly Rational[]): Placement;
  /**
   * The point that stands for a placement, with the largest cost at its least. Throws `RangeError` where the placement
   * has a shard in a place that it may not have; memory and `together` and `apart` are the rows' to judge.
   */
  pointOf(placement: Placement): readonly Rational[];
}

/**
 * The direct program of a placement problem, every number exact. Throws `RangeError` when bytes are not integers or a
 * cost is negative or not finite.
 */
export function directProgram(problem: PlacementProblem): DirectProgram {
  const draft = new ProgramDraft();
  const { unit, unitsOf } = costUnit(problem);
  const tables = problem.tables.map((_, t) => addTable(draft, problem, t));
  const shards = tables.flatMap(({ options }) => options.flatMap((option) => option.shards));
  shards.sort((a, b) => a.column - b.column);
  const side = addSideRows(draft, problem, shards);
  const largest = draft.columns.length;
  draft.columns.push({
    name: "z",
    lower: Rational.zero,
    upper: Rational.of(mostUnits(problem, unitsOf)),
    integer: false,
  });
  const devices = deviceCount(problem);
  const perDevice: ShardColumn[][] = Array.from({ length: devices }, () => []);
  for (const shard of shards) perDevice[shard.device]?.push(shard);
  const loadRows = perDevice.map((here, d) =>
    draft.addRow(
      `load_${d}`,
      [...here.map(({ column, need }) => [column, unitsOf(need.cost)] as const), [largest, -1n]],
      null,
      0n,
    ),
  );
  const memoryRow = (name: string, here: readonly ShardColumn[], bytes: "hbmBytes" | "hostBytes", limit: number) =>
    Number.isFinite(limit)
      ? draft.addRow(
          name,
          here.map(({ column, need }) => [column, BigInt(need[bytes])]),
          null,
          BigInt(Math.floor(limit)),
        )
      : null;
  const hbmRows = perDevice.map((here, d) => memoryRow(`hbm_${d}`, here, "hbmBytes", problem.hbmBytes[d] as number));
  const hostRows = hostParts(problem).map(({ name, members, limit }) =>
    memoryRow(
      name,
      members.flatMap((d) => perDevice[d] as ShardColumn[]),
      "hostBytes",
      limit,
    ),
  );
  const program = makeProgram({
    name: problem.name,
    columns: draft.columns,
    rows: draft.rows,
    objective: { name: "largest", form: integerForm([largest], [unit.numerator], unit.denominator) },
  });
  const structure: DirectStructure = {
    ...{ largest, unit, tables, shards, loadRows, hbmRows, hostRows },
    deviceRows: side.deviceRows,
  };
  return {
    program,
    structure,
    recover: (point) => recover(tables, point),
    pointOf: (placement) => pointOf(program, structure, side.columns, unitsOf, placement),
  };
}

/** Adds a table's options. */
function addTable(draft: ProgramDraft, problem: PlacementProblem, t: number): TableColumns {
  const table = problem.tables[t] as PlacementProblem["tables"][number];
  const allowed = Array.from({ length: deviceCount(problem) }, (_, d) => table.devices?.includes(d) ?? true);
  const placeable = table.options.flatMap((option, o) => (isPlaceable(problem, option, allowed) ? [o] : []));
  const isSingle = placeable.length === 1;
  const chosen = placeable.map((o) => (isSingle ? null : draft.addCount(`y_${t}_${o}`)));
  // With no option that can be placed the row reads 0 = 1: the program is infeasible, as it should be.
  const optionRow = isSingle
    ? null
    : draft.addEquation(
        `option_${t}`,
        chosen.map((column) => [column as number, 1n]),
        1n,
      );
  const options = placeable.map((option, k) =>
    addOption({ draft, problem, table: t, option, chosen: chosen[k] as number | null, allowed }),
  );
  return { chosen, options, optionRow };
}

/** Who shares host memory: each device its own part, or the devices of a node one pool. */
function hostParts(problem: PlacementProblem): { name: string; members: readonly number[]; limit: number }[] {
  const { hostBytes, hostIsPooled, nodes, gpusPerNode } = problem;
  if (hostBytes === null) return [];
  if (!hostIsPooled) return hostBytes.map((limit, d) => ({ name: `host_${d}`, members: [d], limit }));
  return Array.from({ length: nodes }, (_, node) => {
    const members = Array.from({ length: gpusPerNode }, (__, slot) => node * gpusPerNode + slot);
    return { name: `host_${node}`, members, limit: members.reduce((sum, d) => sum + (hostBytes[d] as number), 0) };
  });
}

/** The greatest rational of which all costs are whole multiples; 1 where all costs are zero. */
function costUnit({ tables }: PlacementProblem): { unit: Rational; unitsOf: (cost: number) => bigint } {
  const costs = new Set(
    tables.flatMap(({ options }) => options.flatMap(({ shards }) => shards.map(({ cost }) => cost))),
  );
  let lowest = 0;
  for (const cost of costs) {
    if (cost < 0) throw new RangeError(`a shard's cost must not be negative, ${cost} is there`);
    const { exponent } = decomposeDouble(cost);
    if (cost !== 0 && exponent < lowest) lowest = exponent;
  }
  const scaled = new Map<number, bigint>();
  let divisor = 0n;
  for (const cost of costs) {
    const { mantissa, exponent } = decomposeDouble(cost);
    const whole = mantissa === 0n ? 0n : mantissa << BigInt(exponent - lowest);
    scaled.set(cost, whole);
    divisor = greatestCommonDivisor(divisor, whole);
  }
  if (divisor === 0n) divisor = 1n << BigInt(-lowest);
  return {
    unit: Rational.of(divisor, 1n << BigInt(-lowest)),
    unitsOf: (cost) => (scaled.get(cost) as bigint) / divisor,
  };
}

/** No placement costs more than all tables on one device. */
function mostUnits({ tables }: PlacementProblem, unitsOf: (cost: number) => bigint): bigint {
  return tables.reduce((sum, { options }) => {
    const totals = options.map(({ shards }) => shards.reduce((total, { cost }) => total + unitsOf(cost), 0n));
    return sum + totals.reduce((most, total) => (total > most ? total : most), 0n);
  }, 0n);
}

function recover(tables: readonly TableColumns[], point: readonly Rational[]): Placement {
  const counts = point.map(({ numerator, denominator }) => (denominator === 1n ? numerator : -1n));
  return {
    choices: tables.map(({ chosen, options }) => {
      const k = chosen.findIndex((column) => column === null || counts[column] === 1n);
      const columns = options[k] as OptionColumns;
      return { option: columns.option, devices: columns.read(counts) };
    }),
  };
}

function pointOf(
  program: Program,
  { tables, shards, largest }: DirectStructure,
  sideColumns: readonly SideColumn[],
  unitsOf: (cost: number) => bigint,
  placement: Placement,
): readonly Rational[] {
  const point: bigint[] = new Array(program.columns.length).fill(0n);
  tables.forEach(({ chosen, options }, t) => {
    const { option, devices } = placement.choices[t] as Placement["choices"][number];
    const k = options.findIndex((columns) => columns.option === option);
    const columns = options[k];
    if (columns === undefined) throw new RangeError(`option ${option} of table ${t} cannot be placed`);
    const choice = chosen[k] as number | null;
    if (choice !== null) point[choice] = 1n;
    columns.write(devices, point);
  });
  for (const { column, follows } of sideColumns) {
    if (follows.some((other) => point[other] !== 0n)) point[column] = 1n;
  }
  const loads = new Map<number, bigint>();
  for (const { column, device, need } of shards) {
    const count = point[column] as bigint;
    if (count !== 0n) loads.set(device, (loads.get(device) ?? 0n) + count * unitsOf(need.cost));
  }
  point[largest] = [...loads.values()].reduce((most, load) => (load > most ? load : most), 0n);
  return point.map((value) => (value === 0n ? Rational.zero : Rational.of(value)));
}
