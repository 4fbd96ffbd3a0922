import { DoubleSum } from "../../src/exact/double-sum.js";
import { Rational } from "../../src/exact/rational.js";
import { constraintViolations } from "./constraints.js";
import { deviceCount, type Placement, type PlacementProblem, type ShardNeed } from "./problem.js";

/** What a placement comes to: costs as exact rationals (a double is a rational), bytes as integers. */
export interface PlacementEvaluation {
  /** Σ cost of the shards on each device. */
  readonly deviceCosts: readonly Rational[];
  /** The largest of them: the objective. */
  readonly largest: Rational;
  readonly hbmBytes: readonly number[];
  /** Of the shards on each device, whether or not host memory is pooled. */
  readonly hostBytes: readonly number[];
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
  requireShape(problem, placement);
  const devices = deviceCount(problem);
  const sums = Array.from({ length: devices }, () => new DoubleSum());
  const hbmBytes = new Array<number>(devices).fill(0);
  const hostBytes = new Array<number>(devices).fill(0);
  for (const [t, { option, devices: places }] of placement.choices.entries()) {
    const shards = problem.tables[t]?.options[option]?.shards as readonly ShardNeed[];
    for (const [k, device] of places.entries()) {
      const shard = shards[k] as ShardNeed;
      sums[device]?.add(shard.cost);
      hbmBytes[device] = (hbmBytes[device] as number) + shard.hbmBytes;
      hostBytes[device] = (hostBytes[device] as number) + shard.hostBytes;
    }
  }
  const deviceCosts = sums.map((sum) => sum.total());
  return {
    deviceCosts,
    largest: deviceCosts.reduce((most, cost) => (cost.compare(most) > 0 ? cost : most), Rational.zero),
    hbmBytes,
    hostBytes,
    violations: [...constraintViolations(problem, placement), ...memoryViolations(problem, hbmBytes, hostBytes)],
  };
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
      throw new RangeError(`table ${name} has ${options.length} options, numbered from 0; ${option} is none`);
    }
    if (places.length !== shards.length) {
      throw new RangeError(`table ${name} has ${shards.length} shards; ${places.length} devices are there`);
    }
    const stray = places.find((device) => !(Number.isInteger(device) && device >= 0 && device < devices));
    if (stray !== undefined) throw new RangeError(`table ${name} is on device ${stray}; there are ${devices}, from 0`);
  }
}

function memoryViolations(
  { nodes, gpusPerNode, hbmBytes: hbm, hostBytes: host, hostIsPooled }: PlacementProblem,
  hbmUsed: readonly number[],
  hostUsed: readonly number[],
): string[] {
  const violations: string[] = [];
  const check = (what: string, used: number, available: number) => {
    if (used > available) violations.push(`${what} is exceeded by ${used - available} bytes`);
  };
  for (const [d, used] of hbmUsed.entries()) check(`the memory of device ${d}`, used, hbm[d] as number);
  if (host === null) return violations;
  if (!hostIsPooled) {
    for (const [d, used] of hostUsed.entries()) check(`the host memory of device ${d}`, used, host[d] as number);
    return violations;
  }
  for (let node = 0; node < nodes; node++) {
    const first = node * gpusPerNode;
    const sum = (list: readonly number[]) =>
      list.slice(first, first + gpusPerNode).reduce((total, bytes) => total + bytes, 0);
    check(`the host memory of node ${node}`, sum(hostUsed), sum(host));
  }
  return violations;
}
