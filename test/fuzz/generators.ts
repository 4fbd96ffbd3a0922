import type { CaseClass } from "./case.js";
import { bigM } from "./classes/big-m.js";
import { choices } from "./classes/choices.js";
import { degenerate } from "./classes/degenerate.js";
import { equations, infeasible } from "./classes/equations.js";
import { exchangeable } from "./classes/exchangeable.js";
import { hollow } from "./classes/hollow.js";
import { magnitudes } from "./classes/magnitudes.js";
import { makespan } from "./classes/makespan.js";
import { freeColumns, mixed } from "./classes/mixed.js";
import { hugeSides, multiples } from "./classes/multiples.js";
import {
  duplicates,
  fractionalBounds,
  hairs,
  hugeKnapsack,
  negativeBounds,
  ranges,
  sharedDivisors,
} from "./classes/odd-numbers.js";
import { smallBox, thousandths } from "./classes/small-box.js";
import { specialSets } from "./classes/special-sets.js";
import { unbounded } from "./classes/unbounded.js";
import { wide, wideFeasible } from "./classes/wide.js";

/** Every class of programs that the exact method is tried on. */
export const CLASSES: readonly CaseClass[] = [
  smallBox,
  thousandths,
  choices,
  makespan,
  wide,
  wideFeasible,
  mixed,
  freeColumns,
  equations,
  infeasible,
  degenerate,
  exchangeable,
  hollow,
  magnitudes,
  bigM,
  specialSets,
  hugeKnapsack,
  negativeBounds,
  fractionalBounds,
  sharedDivisors,
  hairs,
  ranges,
  duplicates,
  unbounded,
  multiples,
  hugeSides,
];
