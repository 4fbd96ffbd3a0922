import { bytesOf, towerPlacementProblem } from "../../../../models/joint-towers/placement-problem.js";
import type { TowerShape } from "../../../../models/joint-towers/setting.js";
import type { PlacementProblem } from "../../../../models/table-placement/problem.js";
import type { TowerJoint, TowerPartitionInstance, TowerTable } from "../../../instance/types/tower-partition.js";
import type { Without } from "../../../search/strategies.js";
import { UNITS_PER_SECOND, type Work } from "../../../search/work.js";
import type { JointPlacementParts, UnplaceableParts } from "../plan-file/row.js";
import { type ReadyPlacement, readyPlacement } from "./ready-placement.js";

/** The share of the work left that one set of tables may take on the way to the fewest without a place. */
const FEWEST_SHARE = 0.05;

type Place = (problem: PlacementProblem, ready: ReadyPlacement | null, seconds: number) => Promise<JointPlacementParts>;

/** The tables of sets of features on the GPUs of one tower, each set placed once. */
export class TowerTables {
  readonly #instance: TowerPartitionInstance;
  readonly #joint: TowerJoint;
  readonly #shape: TowerShape;
  readonly #place: Place;
  readonly #work: Work;
  readonly #without: Without;
  /** By features: the best places, and those known at once. */
  readonly #known = new Map<string, JointPlacementParts>();
  readonly #ready = new Map<string, ReadyPlacement | null>();

  constructor(
    { instance, joint }: { readonly instance: TowerPartitionInstance; readonly joint: TowerJoint },
    shape: TowerShape,
    place: Place,
    work: Work,
    without: Without,
  ) {
    this.#instance = instance;
    this.#joint = joint;
    this.#shape = shape;
    this.#place = place;
    this.#work = work;
    this.#without = without;
  }

  /** Whether a place is known at once for the tables of each tower. */
  areReady(towers: readonly (readonly number[])[]): boolean {
    return towers.every((features) => this.#readyFor(features) !== null);
  }

  /**
   * The best places of the tables of each tower. Towers without a place that is known at once come first: if one has
   * none, the others need none.
   */
  async place(towers: readonly (readonly number[])[], until: number): Promise<readonly JointPlacementParts[]> {
    const placed: JointPlacementParts[] = towers.map((features, tower) => {
      return { problem: this.#problem(features, tower), outcome: null, placement: null };
    });
    const isTight = towers.map((features) => this.#readyFor(features) === null);
    const order = [...towers.keys()].sort((a, b) => Number(isTight[b]) - Number(isTight[a]) || a - b);
    let isImpossible = false;
    for (const [k, tower] of order.entries()) {
      if (isImpossible && !isTight[tower]) break;
      const { problem } = placed[tower] as JointPlacementParts;
      const found = await this.#placeOnce(towers[tower] as readonly number[], problem, () =>
        secondsTo(this.#work, until, 1 / (towers.length - k)),
      );
      if (found.outcome?.verdict.status === "infeasible") isImpossible = true;
      placed[tower] = { ...found, problem };
    }
    return placed;
  }

  /**
   * As few of these features as are found whose tables have no place either. The smallest tables are left out first.
   */
  async fewest(unplaceable: UnplaceableParts, until: number): Promise<UnplaceableParts> {
    if (this.#without.has("fewest unplaceable")) return unplaceable;
    let fewest = unplaceable;
    const bytes = (feature: number) => bytesOf(this.#joint.tables[feature] as TowerTable);
    for (const feature of unplaceable.features.toSorted((a, b) => bytes(a) - bytes(b) || a - b)) {
      if (this.#work.ask() || this.#work.done > until) break;
      const features = fewest.features.filter((one) => one !== feature);
      if (features.length === 0 || this.#readyFor(features) !== null) continue;
      const { outcome } = await this.#placeOnce(features, this.#problem(features), () =>
        secondsTo(this.#work, until, FEWEST_SHARE),
      );
      if (outcome?.verdict.status === "infeasible") fewest = { ...outcome, features };
    }
    return fewest;
  }

  async #placeOnce(
    features: readonly number[],
    problem: PlacementProblem,
    seconds: () => number,
  ): Promise<JointPlacementParts> {
    const known = this.#known.get(features.join());
    if (known !== undefined) return known;
    const placed = await this.#place(problem, this.#readyFor(features), seconds());
    // What there was too little work for may be asked once more.
    if (placed.outcome !== null) this.#known.set(features.join(), placed);
    return placed;
  }

  #readyFor(features: readonly number[]): ReadyPlacement | null {
    const known = this.#ready.get(features.join());
    if (known !== undefined) return known;
    const ready = readyPlacement(this.#problem(features), this.#without);
    this.#ready.set(features.join(), ready);
    return ready;
  }

  #problem(features: readonly number[], tower = 0): PlacementProblem {
    const { name, features: names } = this.#instance;
    return towerPlacementProblem(this.#joint, `${name} tower ${tower}`, features, names, this.#shape.hostsPerTower);
  }
}

/** A share of the work until then, in its seconds; a moment where there are none left, so that something is found. */
export function secondsTo(work: Work, until: number, share: number): number {
  return Math.max(0.05, ((until - work.done) / UNITS_PER_SECOND) * share);
}
