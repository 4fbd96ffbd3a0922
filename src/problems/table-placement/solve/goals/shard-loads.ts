import { receivedBytes } from "../../../../../models/table-placement/moved-bytes.js";
import {
  deviceCount,
  type PlacementOption,
  type PlacementProblem,
  type ShardNeed,
} from "../../../../../models/table-placement/problem.js";
import type { Measure } from "./goal-in-doubles.js";

/** The numbers of an option's shards in rows, so that a search adds them up without objects. */
export interface OptionLoads {
  /** Shard by shard: what the measure adds up, then HBM, host memory and SSD. */
  readonly loads: Float64Array;
  /** Shard by shard: the bytes that each device would receive for it. */
  readonly received: Float64Array;
}

/** Numbers of a shard beside those of the measure. */
const MEMORIES = 3;

/** The loads of all options, each found when it is asked for first. */
export class ShardLoads {
  /** Numbers in a shard's row of loads. */
  readonly width: number;
  /** Where HBM is among them, with host memory and SSD behind it. */
  readonly hbm: number;
  readonly #problem: PlacementProblem;
  readonly #measure: Measure;
  readonly #known: (OptionLoads | undefined)[][];

  constructor(problem: PlacementProblem, measure: Measure) {
    const first = problem.tables[0]?.options[0]?.shards[0];
    this.hbm = first === undefined ? 1 : measure.partsOf(first).length;
    this.width = this.hbm + MEMORIES;
    this.#problem = problem;
    this.#measure = measure;
    this.#known = problem.tables.map(() => []);
  }

  of(t: number, option: number): OptionLoads {
    const known = this.#known[t] as (OptionLoads | undefined)[];
    const found = known[option] ?? this.#loadsOf(this.#problem.tables[t]?.options[option] as PlacementOption);
    known[option] = found;
    return found;
  }

  #loadsOf(option: PlacementOption): OptionLoads {
    const { shards } = option;
    const row = (need: ShardNeed) => {
      const { hbmBytes, hostBytes, ssdBytes = 0 } = need;
      return [...this.#measure.partsOf(need), hbmBytes, hostBytes, ssdBytes];
    };
    const devices = deviceCount(this.#problem);
    const received = new Float64Array(shards.length * devices);
    if (option.incoming !== undefined) {
      for (let at = 0; at < received.length; at++) {
        received[at] = receivedBytes(option, Math.floor(at / devices), at % devices);
      }
    }
    return { loads: Float64Array.from(shards.flatMap(row)), received };
  }
}
