import { autoShardNumbers } from "./autoshard/numbers.js";
import type { AutoShardReproduction } from "./autoshard/reproduction.js";
import { dmtNumbers } from "./dmt/numbers.js";
import type { DmtReproduction } from "./dmt/reproduction.js";
import { flexShardNumbers } from "./flexshard/numbers.js";
import type { FlexShardReproduction } from "./flexshard/reproduction.js";
import { jointNumbers } from "./joint/numbers.js";
import type { JointReproduction } from "./joint/reproduction.js";
import type { PublishedNumber } from "./published-number.js";

/** What a paper's reproduction comes to, as plain data. */
export type Reproduced =
  | { readonly paper: "flexshard"; readonly data: FlexShardReproduction }
  | { readonly paper: "autoshard"; readonly data: AutoShardReproduction }
  | { readonly paper: "dmt"; readonly data: DmtReproduction }
  | { readonly paper: "joint"; readonly data: JointReproduction };

/** Everything that the paper prints and that this program has something beside, or says why not. */
export function numbersOf(reproduced: Reproduced): readonly PublishedNumber[] {
  if (reproduced.paper === "flexshard") return flexShardNumbers(reproduced.data);
  if (reproduced.paper === "joint") return jointNumbers(reproduced.data);
  return reproduced.paper === "autoshard" ? autoShardNumbers(reproduced.data) : dmtNumbers(reproduced.data);
}
