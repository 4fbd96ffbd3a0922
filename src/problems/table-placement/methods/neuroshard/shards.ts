import type { PlacementProblem, ShardNeed } from "../../../../../models/table-placement/problem.js";
import { widthsKey } from "../../../../cost/neural/halvings.js";
import type { SetCost, SetPart } from "../../../../cost/neural/set-cost.js";

/** A shard of a table that columns were cut from, or a whole table. */
export interface Shard {
  readonly table: number;
  readonly part: number;
  readonly dim: number;
  readonly need: ShardNeed;
}

/**
 * The shards that a search cuts tables into, in NeuroShard's order: a shard that is halved keeps its place, and its other half
 * joins the end. What cuts there are is what options the problem's tables have.
 */
export class Shards {
  readonly #problem: PlacementProblem;
  readonly #setCost: SetCost;
  readonly list: readonly Shard[];
  /** The option of each table that its shards are. */
  readonly options: readonly number[];

  private constructor(problem: PlacementProblem, setCost: SetCost, list: readonly Shard[], options: readonly number[]) {
    this.#problem = problem;
    this.#setCost = setCost;
    this.list = list;
    this.options = options;
  }

  /** Every table in the one piece that its option with this number is. */
  static whole(problem: PlacementProblem, setCost: SetCost, options: readonly number[]): Shards {
    const list = options.map((option, table) => shardOf(problem, setCost, table, option, 0));
    return new Shards(problem, setCost, list, options);
  }

  /** The shards with this one halved; `null` where its table has no option that is cut so. */
  halved(index: number): Shards | null {
    const { table, dim } = this.list[index] as Shard;
    const ofTable = this.list.filter((shard) => shard.table === table);
    const widths = [...ofTable.map((shard) => shard.dim), dim / 2, dim / 2];
    widths.splice(widths.indexOf(dim), 1);
    const option = this.#optionWith(table, widths);
    if (option === -1) return null;
    const half = this.#widthsOf(table, option).indexOf(dim / 2);
    const shard = shardOf(this.#problem, this.#setCost, table, option, half);
    return new Shards(
      this.#problem,
      this.#setCost,
      [...this.list.with(index, shard), shard],
      this.options.with(table, option),
    );
  }

  /** The `count` largest shards and the `count` that cost most alone, by rising index; all where there are fewer. */
  largestAndCostliest(count: number): readonly number[] {
    const top = (value: (shard: Shard) => number) =>
      [...this.list.keys()]
        .sort((a, b) => value(this.list[b] as Shard) - value(this.list[a] as Shard) || a - b)
        .slice(0, count);
    const costliest = top(({ part }) => this.#setCost.parts[part]?.cost ?? 0);
    return [...new Set([...top(({ need }) => need.hbmBytes), ...costliest])].sort((a, b) => a - b);
  }

  /** Which shard of the list each shard of a table's option is. */
  inOption(table: number): readonly number[] {
    const left = [...this.list.keys()].filter((index) => this.list[index]?.table === table);
    return this.#widthsOf(table, this.options[table] as number).map((width) => {
      const at = left.findIndex((index) => this.list[index]?.dim === width);
      return left.splice(at, 1)[0] as number;
    });
  }

  #optionWith(table: number, widths: readonly number[]): number {
    const wanted = widthsKey(widths);
    const options = this.#problem.tables[table]?.options ?? [];
    return options.findIndex((_, option) => widthsKey(this.#widthsOf(table, option)) === wanted);
  }

  #widthsOf(table: number, option: number): readonly number[] {
    const shards = this.#problem.tables[table]?.options[option]?.shards ?? [];
    return shards.map((_, k) => partOf(this.#setCost, table, option, k).dim);
  }
}

function shardOf(problem: PlacementProblem, setCost: SetCost, table: number, option: number, k: number): Shard {
  const part = setCost.partOf(table, option, k);
  const need = problem.tables[table]?.options[option]?.shards[k] as ShardNeed;
  return { table, part, dim: partOf(setCost, table, option, k).dim, need };
}

function partOf(setCost: SetCost, table: number, option: number, k: number): SetPart {
  return setCost.parts[setCost.partOf(table, option, k)] as SetPart;
}
