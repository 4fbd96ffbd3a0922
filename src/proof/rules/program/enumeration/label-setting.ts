import type { Rational } from "../../../../exact/rational.js";
import { allApart, type Margin, marginsAfter } from "./alike-limits.js";
import type { Alternative, Choice } from "./choices.js";
import type { Enumeration, Limit } from "./limits.js";
import { type Left, type Looking, leftOf, Outlook, type Standing } from "./outlook.js";

/** Partial points that one stage may have: some hundred megabytes. */
const MAX_LABELS = 300_000;

/** By so many numbers labels are compared with all that were kept, by more of them with so many. */
const MAX_SORTED = 3;
const MAX_COMPARED = 64;

/**
 * Goes through the choices one after the other, with all partial points at once (label setting). A partial point is left
 * when a limit is broken, and when another one uses no more of any limit: what completes the former completes the latter, so
 * that there is a point within all limits without it if there is one at all. Limits that follow from others need not be
 * compared, nor many that are alike one by one (alike-limits.ts).
 */
export function setLabels(
  choices: readonly Choice[],
  limits: readonly Limit[],
  judge: (chosen: readonly Alternative[]) => readonly Rational[] | null,
  { maxVisits, looking }: { readonly maxVisits: number; readonly looking: Looking },
): Enumeration {
  // Limits that are compared come first.
  const sorted = [...limits.filter(({ follows }) => !follows), ...limits.filter(({ follows }) => follows)];
  const compared = sorted.filter(({ follows }) => !follows);
  const margins = compared.length > MAX_SORTED ? marginsAfter(compared, choices.length) : allApart(compared);
  const stages: Stage[] = [Stage.start(sorted.length)];
  const outlook = new Outlook(sorted, looking);
  let visits = 0;
  let toCome = choices.reduce((sum, { length }) => sum + length, 0);
  for (let depth = 0; depth < choices.length; depth++) {
    const stage = stages[depth] as Stage;
    const uses = sorted.map((limit) => limit.uses[depth] as Float64Array);
    const alternatives = (choices[depth] as Choice).length;
    visits += stage.count * alternatives;
    if (visits > maxVisits) return { kind: "too-many" };
    const next = new Stage(sorted.length);
    const step = { uses, limits: sorted, outlook, depth: depth + 1 };
    for (let label = 0; label < stage.count; label++) {
      for (let k = 0; k < alternatives; k++) next.extend(stage, label, k, step);
      if (next.count > 16 * MAX_LABELS) return { kind: "too-many" };
    }
    const apart = margins(depth);
    const undominated = next.undominated(apart, sorted);
    toCome -= alternatives;
    const goingOn = undominated.count * (choices[depth + 1]?.length ?? 0);
    const standing: Standing = {
      points: undominated.count,
      spent: (visits + goingOn) * sorted.length,
      choices: choices.length - depth - 1,
      alternatives: toCome,
      margins: apart.length - 1,
    };
    const isWorth = outlook.isWorth(standing);
    if (isWorth) outlook.look(depth + 1, standing, apart, (margin) => undominated.leftOf(margin, sorted));
    const kept = isWorth ? undominated.completable(outlook, depth + 1) : undominated;
    if (kept.count > MAX_LABELS) return { kind: "too-many" };
    stages.push(kept);
  }
  const last = stages[choices.length] as Stage;
  for (let label = 0; label < last.count; label++) {
    const point = judge(chosenBy(choices, stages, label));
    if (point !== null) return { kind: "found", point };
  }
  return { kind: "none" };
}

/** The alternatives that a label of the last stage took. */
function chosenBy(choices: readonly Choice[], stages: readonly Stage[], last: number): Alternative[] {
  const chosen: Alternative[] = [];
  let label = last;
  for (let depth = choices.length; depth > 0; depth--) {
    const stage = stages[depth] as Stage;
    chosen[depth - 1] = (choices[depth - 1] as Choice)[stage.alternative(label)] as Alternative;
    label = stage.parent(label);
  }
  return chosen;
}

/** One choice more: what its alternatives use of each limit, and what those to come can complete. */
interface Step {
  readonly uses: readonly Float64Array[];
  readonly limits: readonly Limit[];
  readonly outlook: Outlook;
  /** How many choices are decided with it. */
  readonly depth: number;
}

/** Partial points over the first choices: what each uses of every limit, and how it came about. */
class Stage {
  count = 0;
  readonly #width: number;
  #used: Float64Array;
  /** Parent and alternative of each label. */
  #links = new Int32Array(2 * 64);

  constructor(width: number) {
    this.#width = width;
    this.#used = new Float64Array(width * 64);
  }

  /** The point of no choices. */
  static start(width: number): Stage {
    const stage = new Stage(width);
    stage.count = 1;
    return stage;
  }

  parent(label: number): number {
    return this.#links[2 * label] as number;
  }

  alternative(label: number): number {
    return this.#links[2 * label + 1] as number;
  }

  /** Adds a label of another stage with one more alternative, where that is within all limits, and may be completed. */
  extend(from: Stage, label: number, k: number, { uses, limits, outlook, depth }: Step): void {
    this.#reserve();
    const at = this.count * this.#width;
    const start = label * this.#width;
    for (let r = 0; r < this.#width; r++) {
      const used = (from.#used[start + r] as number) + ((uses[r] as Float64Array)[k] as number);
      if (used > (limits[r] as Limit).slack) return;
      this.#used[at + r] = used;
    }
    if (!outlook.allows(depth, this.#used, at)) return;
    this.#links[2 * this.count] = label;
    this.#links[2 * this.count + 1] = k;
    this.count++;
  }

  /** Without labels that another has no less left than, by all margins, however what is used was rounded. */
  undominated(margins: readonly Margin[], limits: readonly Limit[]): Stage {
    const used = margins.map((margin) => this.#usedOf(margin, limits));
    const slips = margins.map(({ slip }) => slip);
    const kept = new Stage(this.#width);
    const front = margins.length <= MAX_SORTED ? new ParetoFront() : new Recent();
    const pending: number[] = [];
    let entered = 0;
    for (const label of this.#sorted(used[0])) {
      const first = used[0]?.[label] ?? 0;
      // Only labels that certainly use no more by the first margin may stand against this one.
      for (; entered < pending.length; entered++) {
        const other = pending[entered] as number;
        if ((used[0]?.[other] ?? 0) + (slips[0] ?? 0) > first) break;
        front.add(slips.map((slip, m) => (used[m]?.[other] as number) + slip));
      }
      if (front.covers(used.map((own) => own[label] as number))) continue;
      pending.push(label);
      kept.#copy(this, label);
    }
    return kept;
  }

  /** By label, what is used: of one limit alone as it is, of several beyond their slacks. */
  #usedOf({ limits: own }: Margin, limits: readonly Limit[]): Float64Array {
    const slacks = own.map((r) => (own.length === 1 ? 0 : (limits[r] as Limit).slack));
    const used = new Float64Array(this.count).fill(Number.NEGATIVE_INFINITY);
    for (let label = 0; label < this.count; label++) {
      const start = label * this.#width;
      own.forEach((r, k) => {
        const beyond = (this.#used[start + r] as number) - (slacks[k] as number);
        if (beyond > (used[label] as number)) used[label] = beyond;
      });
    }
    return used;
  }

  /** What its labels have left of a margin. */
  leftOf(margin: Margin, limits: readonly Limit[]): Left {
    let [least, most] = [Number.POSITIVE_INFINITY, 0];
    for (let label = 0; label < this.count; label++) {
      const left = leftOf(margin, limits, this.#used, label * this.#width);
      if (left < least) least = left;
      if (left > most) most = left;
    }
    return { least, most };
  }

  /** Without labels that no choices from `depth` on complete. */
  completable(outlook: Outlook, depth: number): Stage {
    const kept = new Stage(this.#width);
    for (let label = 0; label < this.count; label++) {
      if (outlook.allows(depth, this.#used, label * this.#width)) kept.#copy(this, label);
    }
    outlook.goOn(kept.count);
    return kept;
  }

  #sorted(keys: Float64Array | undefined): Int32Array {
    const order = Int32Array.from({ length: this.count }, (_, label) => label);
    if (keys === undefined) return order;
    return order.sort((a, b) => (keys[a] as number) - (keys[b] as number) || a - b);
  }

  #copy(from: Stage, label: number): void {
    this.#reserve();
    this.#used.set(from.#used.subarray(label * this.#width, (label + 1) * this.#width), this.count * this.#width);
    this.#links[2 * this.count] = from.parent(label);
    this.#links[2 * this.count + 1] = from.alternative(label);
    this.count++;
  }

  #reserve(): void {
    if (2 * (this.count + 1) <= this.#links.length) return;
    const links = new Int32Array(2 * this.#links.length);
    links.set(this.#links);
    this.#links = links;
    const used = new Float64Array(2 * this.#used.length);
    used.set(this.#used);
    this.#used = used;
  }
}

/** Uses that stand against later ones; of the first number none is more than theirs. */
interface Front {
  add(uses: readonly number[]): void;
  /** Whether some use no more of anything. */
  covers(uses: readonly number[]): boolean;
}

/** At most three numbers: a Pareto front in the second and third, rising in the one and falling in the other. */
class ParetoFront implements Front {
  readonly #second: number[] = [];
  readonly #third: number[] = [];

  add([, second = 0, third = 0]: readonly number[]): void {
    const at = this.#firstAbove(second);
    if (at > 0 && (this.#third[at - 1] as number) <= third) return;
    let end = at;
    while (end < this.#third.length && (this.#third[end] as number) >= third) end++;
    this.#second.splice(at, end - at, second);
    this.#third.splice(at, end - at, third);
  }

  covers([, second = 0, third = 0]: readonly number[]): boolean {
    const at = this.#firstAbove(second);
    return at > 0 && (this.#third[at - 1] as number) <= third;
  }

  /** The first step that uses more than this of the second number. */
  #firstAbove(second: number): number {
    let low = 0;
    let high = this.#second.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#second[middle] as number) <= second) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** More numbers: some of the last ones, compared one by one. */
class Recent implements Front {
  readonly #kept: (readonly number[])[] = [];

  add(uses: readonly number[]): void {
    this.#kept.push(uses);
    if (this.#kept.length > MAX_COMPARED) this.#kept.shift();
  }

  covers(uses: readonly number[]): boolean {
    return this.#kept.some((other) => other.every((use, r) => use <= (uses[r] as number)));
  }
}
