import { Rational } from "../../../src/exact/rational.js";
import type { Conflict } from "../../../src/program/grouping/conflict.js";
import { evaluateGrouping } from "../../../src/program/grouping/evaluate.js";
import type { Grouping, SizeWindow } from "../../../src/program/grouping/grouping.js";
import type { ClustersCut, ClustersDuals, ListedClusters, Step } from "../../../src/proof/certificate.js";
import type { SemidefiniteStep } from "../../../src/proof/kernel/grouping/semidefinite.js";
import { partitions } from "../../support/brute-force-towers.js";
import { extremeCost } from "../../support/extreme-numbers.js";
import { type Draw, drawFrom, ratio } from "../oracle/draw.js";
import { type Truth, truthOf } from "../oracle/truth.js";
import { falseClaim, report, trueClaim } from "./certificates.js";
import { extendProof, type Limits } from "./extend-proof.js";
import type { KindProposer } from "./in-turn.js";
import type { Attack } from "./tally.js";

const LIMITS: Limits = { steps: 20, refusals: 30 };

/** Certificates of groupings of at most seven items, against every partition. */
export const groupings: Attack = {
  name: "groupings",
  round(seed, tally) {
    const draw = drawFrom(seed);
    const grouping = drawGrouping(draw);
    const truth = bestPartition(grouping);
    const claims = [falseClaim(draw, truth, "minimize"), draw.oneIn(3) ? trueClaim(truth) : null];
    for (const [index, claim] of claims.entries()) {
      if (claim === null) continue;
      const proposer = new GroupingProposer(draw, grouping, truth);
      const attempt = extendProof(grouping, claim, proposer, LIMITS);
      report(tally, claim, index === 0, attempt, () => `seed ${seed}\n${JSON.stringify(grouping)}`);
    }
  },
};

export function bestPartition(grouping: Grouping): Truth {
  let best: Rational | null = null;
  for (const labels of partitions(grouping.elements.length, grouping.clusters)) {
    const { objective, violations } = evaluateGrouping(grouping, labels);
    if (violations.length === 0 && (best === null || objective.compare(best) < 0)) best = objective;
  }
  return truthOf(best);
}

/**
 * Pairs of every kind: alike, doubles with all their digits, far apart, zero; windows that overlap; a load that binds.
 */
export function drawGrouping(draw: Draw): Grouping {
  const count = draw.int(1, 7);
  const clusters = draw.int(1, Math.min(count, 4));
  const kind = draw.int(0, 4);
  const pair = () => {
    if (kind === 0) return ratio(draw.int(0, 3));
    if (kind === 1) return Rational.fromNumber(draw.int(0, 2 ** 30) / 2 ** 30);
    if (kind === 2)
      return draw.oneIn(2) ? extremeCost(draw) : draw.of([Rational.of(10n ** 30n), Rational.of(2n ** 60n), ratio(1)]);
    if (kind === 3) return draw.oneIn(2) ? Rational.zero : ratio(draw.int(0, 9), 7);
    return ratio(draw.int(0, 8), 8);
  };
  const windows = Array.from({ length: draw.of([1, 1, 2, 3]) }, (): SizeWindow => {
    const least = draw.int(1, Math.max(1, Math.floor(count / clusters)));
    return { least, most: draw.int(least, count) };
  });
  const weights = Array.from({ length: count }, () => draw.of([ratio(draw.int(0, 5)), ratio(draw.int(0, 20), 10)]));
  const total = weights.reduce((sum, weight) => sum.add(weight), Rational.zero);
  const most = total.multiply(ratio(draw.int(9, 16), 10 * clusters));
  return {
    name: "drawn",
    elements: Array.from({ length: count }, (_, i) => `f${i}`),
    clusters,
    pairs: Array.from({ length: (count * (count - 1)) / 2 }, pair),
    share: draw.of(["whole", "bySize"] as const),
    windows: windows.filter((window, w) => windows.findIndex((one) => one.least === window.least) === w),
    load: draw.oneIn(3) ? { weights, most } : null,
    ...(draw.oneIn(3) ? { furtherLoads: [{ weights: draw.shuffled(weights), most }] } : {}),
    ...(draw.oneIn(3) ? { conflicts: Array.from({ length: draw.int(1, 3) }, () => drawConflict(draw, count)) } : {}),
  };
}

/** So many of some items, of one part or of two. */
function drawConflict(draw: Draw, count: number): Conflict {
  return Array.from({ length: draw.of([1, 1, 2]) }, () => {
    const elements = draw
      .shuffled([...new Array(count).keys()])
      .slice(0, draw.int(1, count))
      .sort((a, b) => a - b);
    return { elements, count: draw.int(1, elements.length) };
  });
}

type GroupingStepKind = "pair" | "semidefinite" | "groups" | "halves";

export class GroupingProposer implements KindProposer<GroupingStepKind> {
  readonly goingOn = ["pair", "semidefinite"] as const;
  readonly closing = ["groups", "halves", "semidefinite"] as const;
  readonly #draw: Draw;
  readonly #grouping: Grouping;
  /** What an item costs in the best partition, in the mean. */
  readonly #share: Rational;

  constructor(draw: Draw, grouping: Grouping, truth: Truth) {
    this.#draw = draw;
    this.#grouping = grouping;
    const value = truth.status === "optimal" ? truth.value : Rational.one;
    this.#share = value.divide(ratio(grouping.elements.length));
  }

  propose(): Step {
    const draw = this.#draw;
    if (draw.oneIn(10)) return draw.of<Step>([{ bound: {} }, { infeasible: {} }, { propagate: {} }, { enumerate: [] }]);
    return this.stepOf(
      draw.of(["pair", "pair", "halves", "semidefinite", "semidefinite", "groups", "groups", "groups"]),
    );
  }

  stepOf(kind: GroupingStepKind): Step {
    const draw = this.#draw;
    switch (kind) {
      case "pair":
        return { pair: [this.#element(), this.#element()] };
      case "halves":
        return { halves: {} };
      case "semidefinite":
        return this.#semidefinite();
      case "groups":
        return { groups: draw.oneIn(2) ? this.#duals() : { ...this.#duals(), listed: this.#listed(2) } };
    }
  }

  take(): void {}

  #element(): string {
    return this.#draw.of(this.#grouping.elements);
  }

  /**
   * None, near what items cost in the best partition, small, with many digits, huge; and cuts of what there are items
   * for.
   */
  #duals(): ClustersDuals {
    const draw = this.#draw;
    const kind = draw.int(0, 4);
    const dual = () => {
      if (kind === 1) return this.#share.multiply(ratio(draw.int(8, 12), 10));
      if (kind === 2) return ratio(draw.int(-50, 50), 97);
      if (kind === 3) return Rational.of(10n ** 20n).multiply(ratio(draw.int(-9, 9)));
      return this.#share;
    };
    const duals = Object.fromEntries(
      this.#grouping.elements.flatMap((element) => (kind === 0 || draw.oneIn(5) ? [] : [[element, dual().toString()]])),
    );
    if (draw.oneIn(2)) return { prices: duals };
    const cuts = Array.from({ length: draw.int(1, 3) }, (): ClustersCut => {
      const elements = draw.shuffled(this.#grouping.elements).slice(0, draw.int(3, 6));
      const divisor = draw.of([undefined, 2, 3, 4, draw.int(-1, 2)]);
      const cost = dual()
        .absolute()
        .multiply(ratio(draw.oneIn(15) ? -1 : 1));
      return { items: elements, price: cost.toString(), ...(divisor === undefined ? {} : { divisor }) };
    });
    return { prices: duals, cuts };
  }

  #listed(depth: number): ListedClusters {
    const draw = this.#draw;
    const narrow = Array.from({ length: draw.int(0, 2) }, () => this.#duals());
    if (depth === 0 || draw.oneIn(2)) return { narrow };
    const pair = [this.#element(), this.#element()] as const;
    return { narrow, split: { pair, together: this.#listed(depth - 1), apart: this.#listed(depth - 1) } };
  }

  #semidefinite(): Step {
    const draw = this.#draw;
    const n = this.#grouping.elements.length;
    const bits = draw.of([1, 4, 10]);
    const scale = Math.min(2 ** bits * Math.max(1, this.#share.toNumber()), 2 ** 40);
    const some = (size: number) => Math.round((draw.int(-1000, 1000) / 1000) * size);
    const alike = Math.round((scale * draw.int(0, 8)) / 4);
    const isZero = draw.oneIn(2);
    const cuts = Array.from({ length: draw.of([0, 0, 1, 2]) }, () => {
      const elements = draw.shuffled([...this.#grouping.elements.keys()]);
      const at = draw.int(0, n);
      const price = draw.oneIn(15) ? -1 : Math.abs(some(scale));
      return { price, floor: draw.int(-2, 3), plus: elements.slice(0, at), minus: elements.slice(at, draw.int(at, n)) };
    });
    const dual: SemidefiniteStep["semidefinite"] = {
      bits,
      rows: Array.from({ length: n }, () => (draw.oneIn(2) ? alike : some(scale))),
      cuts,
      factor: Array.from({ length: n }, (_, i) =>
        Array.from({ length: i + 1 }, () => (isZero ? 0 : some(Math.sqrt(scale)))),
      ),
    };
    return { semidefinite: dual };
  }
}
