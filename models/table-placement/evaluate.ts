import type { SetCost } from "../../src/cost/neural/set-cost.js";
import { DoubleSum } from "../../src/exact/double-sum.js";
import { Rational } from "../../src/exact/rational.js";
import { constraintViolations } from "./constraints.js";
import { movedBytes } from "./moved-bytes.js";
import {
  deviceCount,
  goalParts,
  type Placement,
  type PlacementProblem,
  type ShardNeed,
  type StageGoal,
} from "./problem.js";
import { type Held, stagesOf } from "./stages.js";
import { movedTables, stayViolations } from "./stay.js";

/** What a placement comes to: costs as exact rationals (a double is a rational), bytes as integers. */
export interface PlacementEvaluation {
  /** Σ cost of the shards on each device; with a set cost, what that says of them. */
  readonly deviceCosts: readonly Rational[];
  /** The largest of them. */
  readonly largest: Rational;
  /** With the goal `phases`: for each phase the largest cost that a device has in it, and the first device that has it. */
  readonly phaseMaxima: readonly { readonly largest: Rational; readonly device: number }[] | null;
  /** What the problem's (first) goal comes to: the largest device cost, say, or Σ of the phases' maxima. */
  readonly objective: Rational;
  /** Σ of all device costs. */
  readonly sum: Rational;
  /** The largest device cost but one; 0 with one device. */
  readonly secondLargest: Rational;
  readonly hbmBytes: readonly number[];
  /** Of the shards on each device, whether or not host memory is pooled. */
  readonly hostBytes: readonly number[];
  readonly ssdBytes: readonly number[];
  /** The tables that are not where the other plan had them; `null` where the problem limits none. */
  readonly moved: readonly number[] | null;
  /** Bytes that devices receive; `null` where the problem does not say where tables are. */
  readonly movedBytes: number | null;
  /** What the placement breaks, in words, first the places of shards, then memory; empty where it is feasible. */
  readonly violations: readonly string[];
}

/**
 * Evaluates a placement with zero tolerance.
 *
 * Throws `RangeError` when it cannot be one of this problem: tables without a choice, an option that there is not, a
 * number of devices other than that of the option's shards, a device that there is not.
 */
export function evaluatePlacement(problem: PlacementProblem, placement: Placement): PlacementEvaluation {
  const known = EVALUATED.get(placement);
  if (known?.problem === problem) return known.evaluation;
  const evaluation = evaluated(problem, placement);
  EVALUATED.set(placement, { problem, evaluation });
  return evaluation;
}

/** Of many devices it takes a while, and is asked for again and again. */
const EVALUATED = new WeakMap<
  Placement,
  { readonly problem: PlacementProblem; readonly evaluation: PlacementEvaluation }
>();

function evaluated(problem: PlacementProblem, placement: Placement): PlacementEvaluation {
  requireShape(problem, placement);
  const devices = deviceCount(problem);
  const hbmBytes = new Array<number>(devices).fill(0);
  const hostBytes = new Array<number>(devices).fill(0);
  const ssdBytes = new Array<number>(devices).fill(0);
  const here: ShardNeed[][] = Array.from({ length: devices }, () => []);
  for (const [t, { option, devices: places }] of placement.choices.entries()) {
    const shards = problem.tables[t]?.options[option]?.shards as readonly ShardNeed[];
    for (const [k, device] of places.entries()) {
      const shard = shards[k] as ShardNeed;
      here[device]?.push(shard);
      hbmBytes[device] = (hbmBytes[device] as number) + shard.hbmBytes;
      hostBytes[device] = (hostBytes[device] as number) + shard.hostBytes;
      ssdBytes[device] = (ssdBytes[device] as number) + (shard.ssdBytes ?? 0);
    }
  }
  const sameAs = likeDevices(here);
  const { setCost } = problem;
  // The doubles that a set cost gives are rationals.
  const deviceCosts =
    setCost === undefined
      ? ofLikeDevices(sameAs, (d) => exactSum((here[d] as ShardNeed[]).map(({ cost }) => cost)))
      : ofSets(setCost, placement, devices, (parts) => Rational.fromNumber(setCost.costOfSet(parts)));
  const [largest, secondLargest] = twoLargest(deviceCosts);
  const isPhased = stagesOf(problem).some(({ minimize }) => minimize === "phases");
  const phaseMaxima = isPhased ? maximaOf(here, sameAs) : null;
  const moved = movedTables(problem, placement);
  const found = {
    ...{ deviceCosts, largest, phaseMaxima },
    sum: total(deviceCosts),
    ...{ secondLargest, hbmBytes, hostBytes, ssdBytes, moved },
    movedBytes: movedBytes(problem, placement),
    violations: [
      ...constraintViolations(problem, placement),
      ...stayViolations(problem, moved),
      ...memoryViolations(problem, { hbmBytes, hostBytes, ssdBytes }),
    ],
  };
  const [{ minimize }] = stagesOf(problem);
  return { ...found, objective: goalValue(problem, minimize, found) };
}

/** What a placement comes to for the first goal; `null` where it breaks a limit. Throws as {@link evaluatePlacement} does. */
export function worthOf(problem: PlacementProblem, placement: Placement): Rational | null {
  const { objective, violations } = evaluatePlacement(problem, placement);
  return violations.length === 0 ? objective : null;
}

/** The value of a goal; `null` where a limit is broken, or there is more than is held of other goals. */
export function keptValue(
  problem: PlacementProblem,
  goal: StageGoal,
  held: readonly Held[],
  found: PlacementEvaluation,
): Rational | null {
  const isKept = held.every((one) => goalValue(problem, one.goal, found).compare(one.most) <= 0);
  return isKept && found.violations.length === 0 ? goalValue(problem, goal, found) : null;
}

/** What a placement comes to for one of the goals; bytes and tables as whole numbers. */
export function goalValue(
  { gpusPerNode, hostIsPooled }: PlacementProblem,
  goal: StageGoal,
  found: Omit<PlacementEvaluation, "objective">,
): Rational {
  const whole = (value: number) => Rational.of(BigInt(value));
  const values: Record<StageGoal, () => Rational> = {
    "largest-cost": () => found.largest,
    phases: () => (found.phaseMaxima ?? []).reduce((sum, { largest }) => sum.add(largest), Rational.zero),
    "largest-hbm": () => whole(Math.max(...found.hbmBytes)),
    "largest-host": () => whole(Math.max(...(hostIsPooled ? pooled(found.hostBytes, gpusPerNode) : found.hostBytes))),
    "second-largest": () => found.secondLargest,
    sum: () => found.sum,
    "moved-bytes": () => whole(found.movedBytes ?? 0),
    "moved-tables": () => whole((found.moved ?? []).length),
  };
  return values[goal]();
}

/** By node, what its devices have together. */
function pooled(bytes: readonly number[], gpusPerNode: number): number[] {
  return Array.from({ length: bytes.length / gpusPerNode }, (_, node) =>
    bytes.slice(node * gpusPerNode, (node + 1) * gpusPerNode).reduce((sum, own) => sum + own, 0),
  );
}

/** By device, what the parts of a set cost that it has come to. */
export function ofSets(
  setCost: SetCost,
  { choices }: Placement,
  devices: number,
  costOf: (parts: readonly number[]) => Rational,
): readonly Rational[] {
  const here: number[][] = Array.from({ length: devices }, () => []);
  for (const [t, { option, devices: places }] of choices.entries()) {
    for (const [k, device] of places.entries()) here[device]?.push(setCost.partOf(t, option, k));
  }
  return here.map(costOf);
}

/** By device, the first that has the same shards in the same order: of many devices most are like others. */
function likeDevices(here: readonly (readonly ShardNeed[])[]): Int32Array {
  const numbers = new Map<ShardNeed, number>();
  const numberOf = (need: ShardNeed) => {
    const known = numbers.get(need) ?? numbers.size;
    if (known === numbers.size) numbers.set(need, known);
    return known;
  };
  const byHash = new Map<number, number>();
  return Int32Array.from(here, (needs, d) => {
    const hash = needs.reduce((sum, need) => (Math.imul(sum, 31) + numberOf(need)) | 0, 1);
    const first = byHash.get(hash);
    if (first === undefined) byHash.set(hash, d);
    const others = first === undefined ? undefined : here[first];
    return others?.length === needs.length && others.every((need, k) => need === needs[k]) ? (first as number) : d;
  });
}

/** A value for each device, computed once for all that are alike. */
function ofLikeDevices<Value>(sameAs: Int32Array, compute: (device: number) => Value): readonly Value[] {
  const values: Value[] = [];
  for (const [d, first] of sameAs.entries()) values.push(first === d ? compute(d) : (values[first] as Value));
  return values;
}

/** The largest of some costs, and of the others; 0 where there are none. */
export function twoLargest(costs: readonly Rational[]): readonly [Rational, Rational] {
  let [largest, second]: [Rational | null, Rational | null] = [null, null];
  for (const cost of costs) {
    if (largest === null || cost.compare(largest) > 0) [largest, second] = [cost, largest];
    else if (second === null || cost.compare(second) > 0) second = cost;
  }
  return [largest as Rational, second ?? Rational.zero];
}

/** Like values are one object, and added at once. */
export function total(values: readonly Rational[]): Rational {
  const counts = new Map<Rational, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let sum = Rational.zero;
  for (const [value, count] of counts) sum = sum.add(value.multiply(Rational.of(BigInt(count))));
  return sum;
}

function exactSum(values: readonly number[]): Rational {
  const sum = new DoubleSum();
  for (const value of values) sum.add(value);
  return sum.total();
}

function maximaOf(here: readonly (readonly ShardNeed[])[], sameAs: Int32Array) {
  const parts = (need: ShardNeed) => goalParts({ goal: "phases" }, need);
  const some = here.find(({ length }) => length > 0)?.[0];
  return (some === undefined ? [] : parts(some)).map((_, phase) => {
    const costs = ofLikeDevices(sameAs, (d) =>
      exactSum((here[d] as readonly ShardNeed[]).map((need) => parts(need)[phase] as number)),
    );
    const largest = costs.reduce((most, cost) => (cost.compare(most) > 0 ? cost : most), Rational.zero);
    return {
      largest,
      device: Math.max(
        0,
        costs.findIndex((cost) => cost.equals(largest)),
      ),
    };
  });
}

function requireShape(problem: PlacementProblem, { choices }: Placement): void {
  const { tables } = problem;
  const devices = deviceCount(problem);
  if (choices.length !== tables.length) {
    throw new RangeError(`${tables.length} tables were expected, ${choices.length} are there`);
  }
  for (const [t, { name, options }] of tables.entries()) {
    const { option, devices: places } = choices[t] as Placement["choices"][number];
    const shards = options[option]?.shards;
    if (shards === undefined) {
      throw new RangeError(`table ${name} has no option ${option}: they are numbered from 0 to ${options.length - 1}`);
    }
    if (places.length !== shards.length) {
      throw new RangeError(`table ${name} has ${shards.length} shards, and devices for ${places.length}`);
    }
    const stray = places.find((device) => !(Number.isInteger(device) && device >= 0 && device < devices));
    if (stray !== undefined) throw new RangeError(`table ${name} is on device ${stray}; there are ${devices}, from 0`);
  }
}

function memoryViolations(
  { gpusPerNode, hbmBytes: hbm, hostBytes: host, hostIsPooled, ssdBytes: ssd }: PlacementProblem,
  used: Pick<PlacementEvaluation, "hbmBytes" | "hostBytes" | "ssdBytes">,
): string[] {
  const exceeded = (what: string, bytes: readonly number[], available: readonly number[]) =>
    bytes.flatMap((own, k) => {
      const over = own - (available[k] as number);
      return over > 0 ? [`${what} ${k} is exceeded by ${over} bytes`] : [];
    });
  const pools = (bytes: readonly number[]) => pooled(bytes, gpusPerNode);
  const ofHost = () =>
    hostIsPooled
      ? exceeded("the host memory of node", pools(used.hostBytes), pools(host ?? []))
      : exceeded("the host memory of device", used.hostBytes, host ?? []);
  return [
    ...exceeded("the memory of device", used.hbmBytes, hbm),
    ...(ssd === undefined ? [] : exceeded("the SSD of device", used.ssdBytes, ssd)),
    ...(host === null ? [] : ofHost()),
  ];
}
