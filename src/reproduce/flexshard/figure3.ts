import {
  type CurveParameters,
  communicationBreakPoint,
  memoryBreakPoint,
  normalizedCommunication,
  normalizedMemory,
} from "../../cost/flexshard-curves.js";

/** Figure 3 of the paper in numbers: replicating a row beside sharding it row-wise. */
export interface Figure3 {
  /** Expected appearances of a row in a sample above which replicating it needs less memory. */
  readonly memoryBreakPoint: number;
  /** … above which it communicates less. */
  readonly communicationBreakPoint: number;
  /** The curves at one point per decade: data-parallel over row-wise. */
  readonly curve: readonly CurvePoint[];
  /** The same at twelve points per decade, to be drawn. */
  readonly plot: readonly CurvePoint[];
}

interface CurvePoint {
  readonly appearances: number;
  readonly memory: number;
  readonly communication: number;
}

/** The set-up in the figure's caption: 32 GPUs, batch 4096, all-reduce three times the all-to-all; κ = 6 as in table 2. */
const CAPTION: CurveParameters = {
  replicaMemoryFactor: 6,
  gpus: 32,
  batchPerGpu: 4096,
  allToAllGlobal: 1,
  allReduceGlobal: 3,
};

export function figure3(): Figure3 {
  const at = (alpha: number): CurvePoint => ({
    appearances: alpha,
    memory: normalizedMemory(alpha, CAPTION),
    communication: normalizedCommunication(alpha, CAPTION),
  });
  const decades = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1];
  return {
    memoryBreakPoint: memoryBreakPoint(CAPTION),
    communicationBreakPoint: communicationBreakPoint(CAPTION),
    curve: decades.map(at),
    plot: Array.from({ length: 12 * (decades.length - 1) + 1 }, (_, k) => at(10 ** (-6 + k / 12))),
  };
}
