import {
  judged,
  numberIn,
  type PublishedNumber,
  type Rule,
  said,
  statementIn,
  unchecked,
} from "../published-number.js";
import { PUBLISHED, type PublishedModel } from "./published.js";
import type { DmtReproduction, ModelLine, Statement } from "./reproduction.js";

/** How far ours may be from a number printed to the hundredth to count as the same: its rounding, and 0.001. */
const TOLERANCE = 0.006;

const PRINTED: Rule = {
  says: "within 0.006: printed to the hundredth",
  holds: isSameFlops,
};
const SAME: Rule = { says: "the same number", holds: (ours, published) => ours === published };
const TRAINED = "needs training on Criteo's clicks";
const PRIVATE = "the rows of the tables are not in the paper";
const FITTED = "the model of time was fitted to it";
const FLOPS = "6 flops per multiply-add of the layers as listed";
const RATIO = "1/CR = F·N / Σ O_t, section 4";
const MODEL = "modelled iteration: compute + embedding exchange";

/** Every number of DMT's tables 3 to 6 and of its text, and what it says of its figures, beside ours. */
export function dmtNumbers({ table4, table5, statements }: DmtReproduction): readonly PublishedNumber[] {
  return [
    ...PUBLISHED.table3.flatMap((published) => {
      const { family } = published;
      // SPTT alone leaves the model's own arithmetic as it is.
      const own = table4.find(({ model }) => model === family) as ModelLine;
      return trained("table 3", `SPTT-${family}`, published, own);
    }),
    ...PUBLISHED.table4.flatMap((published, k) => {
      const own = table4[k] as ModelLine;
      return trained("table 4", own.model, published, own);
    }),
    ...PUBLISHED.table5.flatMap((published, k) => {
      const own = table5[k] as ModelLine;
      const { model, compression, publishedRatio } = own;
      const ratio = judged(compression === null ? null : 1 / compression, publishedRatio ?? 0, SAME);
      return [
        ...trained("table 5", model, published, own),
        numberIn("table 5", `${model}: compression ratio`, "", RATIO, ratio),
      ];
    }),
    ...PUBLISHED.table6.flatMap(({ model, tp, strided }) => [
      numberIn("table 6", `${model}, TP: AUC`, "AUC", null, unchecked(tp, TRAINED)),
      numberIn("table 6", `${model}, strided: AUC`, "AUC", null, unchecked(strided, TRAINED)),
    ]),
    ...statements.map(ofText),
  ];
}

function trained(
  where: string,
  model: string,
  { megaflops, auc, parameters }: Pick<PublishedModel, "megaflops" | "auc" | "parameters">,
  { megaflops: { ours } }: ModelLine,
): readonly PublishedNumber[] {
  return [
    numberIn(where, `${model}: million flops per sample`, "MFlops", FLOPS, judged(ours, megaflops, PRINTED)),
    numberIn(where, `${model}: AUC`, "AUC", null, unchecked(auc, TRAINED)),
    numberIn(where, `${model}: billions of parameters`, "G parameters", null, unchecked(parameters, PRIVATE)),
  ];
}

function ofText({ where, says, value, unit, isFitted, holds }: Statement): PublishedNumber {
  if (value === null) return statementIn(where, says, MODEL, said(holds, "the modelled speed-ups"));
  const { ours, published } = value;
  if (isFitted) return numberIn(where, says, unit, MODEL, unchecked(published, FITTED, ours));
  const rule: Rule = { says: "to the digits printed", holds: () => holds };
  return numberIn(where, says, unit, unit === "MiB" ? "B·F·N·4" : MODEL, judged(ours, published, rule));
}

/** Whether ours is the number that was printed to the hundredth. */
export function isSameFlops(ours: number, published: number): boolean {
  return Math.abs(ours - published) <= TOLERANCE;
}
