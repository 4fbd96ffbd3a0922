import { Rational } from "../../src/exact/rational.js";
import { integerForm, makeProgram, type Program } from "../../src/program/program.js";
import { effectivePartition } from "./constraints.js";
import { costUnit } from "./cost-unit.js";
import { dominatedOptions } from "./dominated-options.js";
import { addHostBases, baseColumns, exchangedHosts, type HostBase } from "./host-base.js";
import { withCopies, withoutCopies } from "./hot-rows.js";
import type { ShardColumn } from "./option-site.js";
import { addPeakRows, largestPeak } from "./peak-rows.js";
import {
  addMemoryRows,
  draftPlacement,
  largestOf,
  leastOf,
  loadsOf,
  mostOnOne,
  rationalPoint,
  type TableColumns,
} from "./placement-draft.js";
import { goalParts, type Placement, type PlacementOption, type PlacementProblem, type ShardNeed } from "./problem.js";
import type { ProgramName } from "./program-name.js";
import type { DeviceRow } from "./side-rows.js";
import { addTwinOrder, inTwinOrder, type TwinTables } from "./twin-tables.js";

/** A program with a point for every placement, as far as it has one: {@link PlacementProgram}. */
export type PointedProgram = Pick<PlacementProgram, "program" | "name" | "pointOf">;

/** A program for some goal of table placement, with the ways there and back. */
export interface PlacementProgram {
  readonly program: Program;
  /** What plan files call it. */
  readonly name: ProgramName;
  /** Columns that follow from where shards are, and need not be branched on. */
  readonly follows?: ReadonlySet<number>;
  /** Branch and bound is to propagate rows at every node: there are some that no other bound sees. */
  readonly isPropagated?: boolean;
  /** Placements that come to more may have no point; absent: every placement has one. */
  readonly ceiling?: Rational;
  /** The placement of a feasible point. */
  recover(point: readonly Rational[]): Placement;
  /**
   * The point that stands for a placement, with the goal's own columns at their least. Throws `RangeError` where the
   * placement has a shard in a place that it may not have; memory, `together`, `apart` and `stay` are the rows' to judge.
   */
  pointOf(placement: Placement): readonly Rational[];
}

/** Which rows and columns of the direct program play which part; indices are the program's. */
export interface DirectStructure {
  /** The largest cost, in units; with the goal `phases` that of the first phase. */
  readonly largest: number;
  /** What one unit of cost is worth: every cost is a whole number of units. */
  readonly unit: Rational;
  readonly tables: readonly TableColumns[];
  /** The columns that count shards, in the program's order. */
  readonly shards: readonly ShardColumn[];
  /** One row per device; with the goal `phases` one per phase and device, phase by phase. */
  readonly loadRows: readonly number[];
  /** One row per device, `null` where memory does not limit. */
  readonly hbmRows: readonly (number | null)[];
  /** One row per device, or per node where host memory is pooled; `null` where it does not limit. */
  readonly hostRows: readonly (number | null)[];
  /** One row per device; none where no SSD limits. */
  readonly ssdRows: readonly (number | null)[];
  /** Further rows that speak of one device alone (`apart`, one option per table). */
  readonly deviceRows: readonly DeviceRow[];
  /** What every device of a host carries alike, by host; empty where that is not said (other goals, tied tables). */
  readonly bases: readonly HostBase[];
  /** Tables that may be exchanged; empty where that is not said. */
  readonly twins: readonly TwinTables[];
}

/** Table placement as an explicit program, with the ways back. README.md beside this file has the mathematics. */
export interface DirectProgram extends PlacementProgram {
  readonly structure: DirectStructure;
}

export function isDirect(program: Pick<PlacementProgram, "program">): program is DirectProgram {
  return "recover" in program;
}

/**
 * The direct program of a placement problem, every number exact. `checkTime` is called now and then, and may throw. Throws
 * `RangeError` when bytes are not integers, a cost is negative or not finite, or costs do not add up (`setCost`).
 */
export function directProgram(problem: PlacementProblem, checkTime?: () => void): DirectProgram {
  if (problem.setCost !== undefined) throw new RangeError("the direct program is of costs that add up on a device");
  const { unit, unitsOf } = costUnit(costsOf(problem));
  const placed = draftPlacement(problem, dominatedOptions(problem, undefined, checkTime), checkTime);
  const { draft, perDevice, tables, shards, deviceRows } = placed;
  const isPhased = problem.goal === "phases";
  const isPlain = !isPhased && problem.stay === undefined;
  const parts = Array.from({ length: partCount(problem) }, (_, part) => ({
    part,
    units: (need: ShardNeed) => unitsOf(goalParts(problem, need)[part] as number),
    suffix: isPhased ? `_${part}` : "",
  }));
  const maxima = parts.map(({ units, suffix }) => {
    const lower = isPlain ? Rational.zero : Rational.of(leastUnits(problem, units));
    return draft.addAmount(`z${suffix}`, Rational.of(mostOnOne(problem, units)), lower);
  });
  const loadRows = parts.flatMap(({ part, units, suffix }) =>
    perDevice.map((here, d) =>
      draft.addLimit(`load${suffix}_${d}`, [
        ...here.map((shard) => [shard.column, units(shard.need)] as const),
        [maxima[part] as number, -1n],
      ]),
    ),
  );
  const memory = addMemoryRows(placed, problem);
  const load = { units: (need: ShardNeed) => unitsOf(need.cost), largest: maxima[0] as number };
  // Tables that belong together or apart tie devices in ways that bases know nothing of.
  const isUntied = problem.together.length === 0 && problem.apart.length === 0;
  const hosts = isPlain && isUntied ? addHostBases(placed, problem, load, { loadRows, hbmRows: memory.hbmRows }) : [];
  const peakRows = addPeakRows(placed, problem, hosts, { unitsOf, largest: load.largest });
  const bases = hosts.map((base) => ({ ...base, peakRows }));
  const twins = isPlain && isUntied ? addTwinOrder(placed, problem) : [];
  const each = maxima.map(() => unit.numerator);
  const program = makeProgram({
    name: problem.name,
    columns: draft.columns,
    rows: draft.rows,
    objective: { name: isPhased ? "phases" : "largest", form: integerForm(maxima, each, unit.denominator) },
  });
  return {
    program,
    name: "direct",
    structure: { largest: maxima[0] as number, unit, tables, shards, loadRows, ...memory, deviceRows, bases, twins },
    follows: new Set(bases.flatMap(baseColumns)),
    ...(problem.ssdBytes === undefined ? {} : { isPropagated: true }),
    recover: placed.recover,
    pointOf: (placement) => {
      const written = (given: Placement) => {
        const point = placed.write(given, program.columns.length);
        for (const { load: own, hbm } of bases) for (const base of [own, hbm]) base?.write(point);
        return point;
      };
      const sorted = inTwinOrder(placement, twins, tables, (given) => placed.write(given, program.columns.length));
      const first = written(sorted);
      const to = exchangedHosts(first, bases);
      const point = to === null ? first : written(moved(problem, placed.recover(rationalPoint(first)), to));
      for (const { part, units } of parts) {
        point[maxima[part] as number] = largestOf([
          ...loadsOf(problem, placement, units),
          ...(peakRows.length === 0 ? [] : [largestPeak(problem, placement, unitsOf)]),
        ]);
      }
      return rationalPoint(point);
    },
  };
}

/** The placement with its shards on other devices; options that have a shard on every device have it as before. */
function moved(problem: PlacementProblem, { choices }: Placement, to: ReadonlyMap<number, number>): Placement {
  return {
    choices: choices.map(({ option, devices }, t) => {
      const own = problem.tables[t]?.options[option] as PlacementOption;
      const isEverywhere = effectivePartition(problem, own) === "uniform";
      if (isEverywhere) return { option, devices };
      const free = withoutCopies(own, devices);
      return {
        option,
        devices: withCopies(
          own,
          free.map((d) => to.get(d) ?? d),
        ),
      };
    }),
  };
}

/** Every cost that a row adds up. */
function costsOf(problem: PlacementProblem): Set<number> {
  return new Set(
    problem.tables.flatMap(({ options }) =>
      options.flatMap(({ shards }) =>
        shards.flatMap((need) => [
          ...goalParts(problem, need),
          ...(need.within === undefined ? [] : [need.within.least, need.within.most]),
        ]),
      ),
    ),
  );
}

/** How many largest sums the goal has. */
function partCount(problem: PlacementProblem): number {
  const need = problem.tables[0]?.options[0]?.shards[0];
  return need === undefined ? 1 : goalParts(problem, need).length;
}

/**
 * Some device costs at least as much as the largest shard of every table, whatever its option. Where bounds of patterns
 * apply they know this; the others need it said.
 */
function leastUnits({ tables }: PlacementProblem, unitsOf: (need: ShardNeed) => bigint): bigint {
  return largestOf(tables.map(({ options }) => leastOf(options.map(({ shards }) => largestOf(shards.map(unitsOf))))));
}
