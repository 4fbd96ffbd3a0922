import { grouped } from "../../../../../models/table-placement/grouped.js";
import { needText } from "../../../../../models/table-placement/large-shards.js";
import type { Placement, PlacementProblem, ShardNeed } from "../../../../../models/table-placement/problem.js";
import type { Random } from "../../../../exact/random.js";
import type { ShouldStop } from "../../../../search/work.js";
import type { BaseModel, DeviceGroup, FreePart } from "../base-tree/base-model.js";
import { narrowed, rootNode, withDecided } from "../base-tree/node.js";
import { reduceOptions } from "../bounds/reduction.js";
import { type Room, solveUnits, WHOLE } from "../core/pattern-lp.js";
import { DiveMaster } from "./dive-master.js";
import { addLikely } from "./likely-patterns.js";
import { packByPatterns, type ShardKind } from "./pattern-packing.js";

/** So many devices more than there are is rounding, as a part of them. */
const HAIR = 1e-9;

/** Of a dive after the first, by how much chance raises what a relaxation takes of an option. */
const NOISE = 0.3;

/** What costs as much as the limit is not below it. */
const BELOW = 1e-12;

/**
 * Dives for placements below a limit, on like devices: options are taken one after the other, the one that a relaxation over device
 * patterns takes most, with new patterns each time, and the shards of a choice of options are packed by patterns.
 */
export class OptionDive {
  readonly #problem: PlacementProblem;
  readonly #model: BaseModel;
  readonly #master: DiveMaster;
  readonly #limit: number;
  readonly #room: Room;
  readonly #root: Int8Array;
  #random: Random | null = null;
  #shouldStop: ShouldStop = () => false;
  #isStopped = false;

  /** `model`: of one group of devices. */
  static async open(problem: PlacementProblem, model: BaseModel, limit: number): Promise<OptionDive> {
    return new OptionDive(problem, model, await DiveMaster.open(model), limit);
  }

  private constructor(problem: PlacementProblem, model: BaseModel, master: DiveMaster, limit: number) {
    [this.#problem, this.#model, this.#master, this.#limit] = [problem, model, master, limit];
    this.#room = { cost: (limit / model.scale) * (1 - BELOW), hbm: this.#group.hbm };
    const { open } = reduceOptions(problem, limit);
    const known = Int8Array.from(model.switches, ({ table, option }) => (open[table]?.[option] === false ? 0 : -1));
    this.#root = narrowed(model, rootNode(model), known).decided;
  }

  /**
   * Whether the relaxation of all options needs no more devices than there are; `null` where it was stopped before its end. Nothing is proved:
   * the best pattern may not have been found.
   */
  isOpen(shouldStop: ShouldStop): boolean | null {
    [this.#shouldStop, this.#isStopped] = [shouldStop, false];
    const taken = this.#relax(this.#root);
    return this.#isStopped ? null : taken !== null;
  }

  /** One dive, as relaxations say or by chance; `null` where it ends without a placement below the limit. */
  run(random: Random | null, shouldStop: ShouldStop): Promise<Placement | null> {
    [this.#random, this.#shouldStop, this.#isStopped] = [random, shouldStop, false];
    return this.#dive(this.#root, true);
  }

  get #group(): DeviceGroup {
    return this.#model.groups[0] as DeviceGroup;
  }

  dispose(): void {
    this.#master.dispose();
  }

  /** `mayTurn`: whether one option may be left out in place of being taken. */
  async #dive(decided: Int8Array, mayTurn: boolean): Promise<Placement | null> {
    const taken = this.#relax(decided);
    if (taken === null) return null;
    const most = this.#mostTaken(decided, taken);
    if (most === null) return this.#packed(decided);
    const found = await this.#dive(withDecided(this.#model, decided, most, 1), mayTurn);
    if (found !== null || !mayTurn || this.#isStopped) return found;
    return this.#dive(withDecided(this.#model, decided, most, 0), false);
  }

  /** By switch, how far a relaxation takes it that needs no more devices than there are; `null` where none is found. */
  #relax(decided: Int8Array): Float64Array | null {
    const [master, room] = [this.#master, this.#room];
    master.goTo(room, decided);
    for (;;) {
      const devices = master.solve();
      if (devices === null || !this.#spend(solveUnits(master.iterations))) return null;
      if (devices <= this.#group.devices.length * (1 + HAIR)) return master.taken();
      const add = (pattern: readonly FreePart[]) => master.add(pattern);
      if (!addLikely(master.offers(), room, add, (units) => this.#spend(units))) return null;
    }
  }

  /** Of the options that are open, the one that is taken most; `null` where all are decided. */
  #mostTaken(decided: Int8Array, taken: Float64Array): number | null {
    let best: number | null = null;
    let most = WHOLE;
    taken.forEach((value, at) => {
      if (decided[at] !== -1 || this.#model.switches[at]?.column === null || value <= WHOLE) return;
      const own = value * (1 + NOISE * (this.#random?.next() ?? 0));
      if (own > most) [best, most] = [at, own];
    });
    return best;
  }

  /** Where the shards of the options go that are decided. */
  async #packed(decided: Int8Array): Promise<Placement | null> {
    const { tables, switches } = this.#model;
    const kinds: (ShardKind & { readonly table: number; readonly shards: readonly number[] })[] = [];
    const chosen = tables.map(({ options }, table) => {
      const at = options.find((own) => decided[own] !== 0) as number;
      const option = switches[at]?.option as number;
      const shards = this.#problem.tables[table]?.options[option]?.shards ?? [];
      for (const own of grouped(shards.keys(), (shard) => needText(shards[shard] as ShardNeed)).values()) {
        const need = shards[own[0] as number] as ShardNeed;
        const cost = need.cost / this.#limit / (1 - BELOW);
        const hbm = need.hbmBytes / this.#model.byteScale / this.#room.hbm;
        kinds.push({ cost, hbm, count: own.length, table, shards: own });
      }
      return { option, devices: shards.map(() => 0) };
    });
    const counts = await packByPatterns(kinds, this.#group.devices.length, (units) => this.#spend(units));
    if (counts === null) return null;
    kinds.forEach(({ table, shards }, s) => {
      const on = (counts[s] as readonly number[]).flatMap((count, d) =>
        new Array<number>(count).fill(this.#group.devices[d] as number),
      );
      shards.forEach((shard, k) => {
        (chosen[table]?.devices as number[])[shard] = on[k] as number;
      });
    });
    return { choices: chosen };
  }

  #spend(units: number): boolean {
    if (this.#shouldStop(units)) this.#isStopped = true;
    return !this.#isStopped;
  }
}
