import type { Rational } from "../../exact/rational.js";
import type { Step } from "../../proof/certificate.js";
import type { Multipliers } from "../../proof/kernel/bound.js";
import type { Box } from "../../proof/kernel/view.js";
import type { SearchSpace } from "./space.js";

export interface SearchOptions {
  /** Nodes whose bound comes this near to the incumbent, relatively, are closed. 0 asks for the exact optimum. */
  readonly gap: Rational;
  readonly maxNodes: number;
  /**
   * Called between nodes: `true` stops the search with the bound proved so far. `checking`: about how many milliseconds
   * it takes to check the steps so far and to write them.
   */
  readonly shouldStop: (checking: number) => boolean;
  /** Propagate bounds in every node first; needed where integer columns have no bounds of their own. */
  readonly propagate?: boolean;
  /** Rounds of cuts at the root; default 0. */
  readonly cutRounds?: number;
  /** Begins where the root of another search of the same space stood before it was branched. */
  readonly root?: SettledRoot;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly nodes: number;
  readonly openNodes: number;
  readonly incumbent: Rational | null;
  readonly bound: Rational | null;
}

/** A root before it was branched: what another search of the same program may begin with. */
export interface SettledRoot {
  readonly space: SearchSpace;
  readonly steps: readonly Step[];
  /** Of all columns, before any of them was fixed by reduced costs; `null` where none was. */
  readonly unfixed: Box | null;
  /** The least cutoff by which columns were fixed. */
  readonly cutoff: Rational | null;
}

/** What a search ends with, as a minimisation. */
export interface SearchResult {
  /** No open leaf is left. */
  readonly complete: boolean;
  /** The steps prove that no point of the space is below this; `null`: nothing is proved, or (complete) there is none. */
  readonly bound: Rational | null;
  readonly nodes: number;
  readonly steps: readonly Step[];
  /** About how many milliseconds it takes to check the steps and to write them. */
  readonly checking: number;
  /** Multipliers that prove a bound of the whole space, as far as the root got by itself. */
  readonly rootMultipliers: Multipliers;
  /** `null` where the root was closed, or stopped at. */
  readonly root: SettledRoot | null;
}
