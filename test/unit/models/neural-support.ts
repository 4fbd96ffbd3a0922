import { placementModel } from "../../../models/table-placement/from-instance.js";
import { neuralHead } from "../../../models/table-placement/learned/head.js";
import type { Placement, PlacementProblem } from "../../../models/table-placement/problem.js";
import { deviceCount } from "../../../models/table-placement/problem.js";
import { BINS } from "../../../src/cost/neural/features.js";
import type { SetCost } from "../../../src/cost/neural/set-cost.js";
import type { TablePlacementInstance } from "../../../src/instance/types/table-placement.js";
import { parseInstance } from "../../../src/problems/planning/instances.js";
import { type Draw, drawFrom } from "../../fuzz/oracle/draw.js";

/** How a small instance under a shipped network is drawn. */
export interface NeuralDraw {
  readonly seed: number;
  readonly tables: readonly [least: number, most: number];
  readonly devices: readonly [least: number, most: number];
  /** Memory of a device over an even share of all bytes. */
  readonly rooms?: readonly number[];
  readonly weights?: string;
  /** Two tables apart, two together, and one that may not be on the first device. */
  readonly isBound?: boolean;
}

/** A small instance with its problem and the head of its network. */
export function drawNeural({ seed, tables, devices, rooms = [1.3, 3, 100], weights, isBound }: NeuralDraw) {
  const draw = drawFrom(seed);
  const list = Array.from({ length: draw.int(...tables) }, (_, t) => ({ name: `t${t}`, ...drawShape(draw) }));
  const gpusPerNode = draw.int(...devices);
  const bytes = list.reduce((sum, { rows, dim }) => sum + 4 * rows * dim, 0);
  const instance = parseInstance(
    JSON.stringify({
      shardproof: 1,
      name: `neural-${seed}`,
      problem: "table-placement",
      costModel: { neural: weights ?? draw.of(["cpu-4-workers.neural.json", "cpu-4-workers.neural-convex.json"]) },
      cluster: { nodes: 1, gpusPerNode, hbmBytesPerGpu: Math.ceil((bytes / gpusPerNode) * draw.of(rooms)) },
      tables: list.map((table, t) => (isBound === true && t === 3 ? { ...table, devices: [1] } : table)),
      ...(isBound === true ? { apart: [["t0", "t1"]], together: [["t1", "t2"]] } : {}),
    }),
    "instances/costs/drawn.json",
  ) as TablePlacementInstance;
  const model = placementModel(instance);
  const setCost = model.problem.setCost as SetCost;
  return { instance, model, problem: model.problem, setCost, head: neuralHead(instance, setCost), draw };
}

function drawShape(draw: Draw) {
  const first = draw.int(1, 9) / 10;
  return {
    rows: draw.int(1000, 4_000_000),
    dim: draw.of([8, 16, 32, 64]),
    poolingFactor: draw.int(0, 60),
    accessBins: [first, 1 - first, ...new Array<number>(BINS - 2).fill(0)],
  };
}

/** Every placement of whole tables, memory aside. */
export function* everyPlacement(problem: PlacementProblem): Generator<Placement> {
  const devices = deviceCount(problem);
  const total = devices ** problem.tables.length;
  for (let code = 0; code < total; code++) {
    let left = code;
    yield {
      choices: problem.tables.map(() => {
        const device = left % devices;
        left = Math.floor(left / devices);
        return { option: 0, devices: [device] };
      }),
    };
  }
}
