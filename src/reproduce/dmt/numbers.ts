import { judged, numberIn, type PublishedNumber, type Rule, said, unchecked } from "../published-number.js";
import { PUBLISHED } from "./published.js";
import type { DmtReproduction, ModelLine, Statement } from "./reproduction.js";
import { isSameFlops } from "./tables.js";

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
    ...PUBLISHED.table3.flatMap(({ family, megaflops, auc, parameters }) => {
      // SPTT alone leaves the model's own arithmetic as it is.
      const own = table4.find(({ model }) => model === family) as ModelLine;
      return trained("table 3", `SPTT-${family}`, { megaflops, auc, parameters }, own.megaflops.ours);
    }),
    ...table4.flatMap((line, k) => {
      const { auc, parameters } = PUBLISHED.table4[k] as (typeof PUBLISHED.table4)[number];
      const { ours, published } = line.megaflops;
      return trained("table 4", line.model, { megaflops: published, auc, parameters }, ours);
    }),
    ...table5.flatMap((line, k) => {
      const { auc, parameters } = PUBLISHED.table5[k] as (typeof PUBLISHED.table5)[number];
      const { ours, published } = line.megaflops;
      const ratio = line.compression === null ? null : 1 / line.compression;
      return [
        ...trained("table 5", line.model, { megaflops: published, auc, parameters }, ours),
        numberIn(
          "table 5",
          `${line.model}: compression ratio`,
          "",
          RATIO,
          judged(ratio, line.publishedRatio ?? 0, SAME),
        ),
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
  { megaflops, auc, parameters }: { readonly megaflops: number; readonly auc: number; readonly parameters: number },
  ours: number,
): readonly PublishedNumber[] {
  return [
    numberIn(where, `${model}: million flops per sample`, "MFlops", FLOPS, judged(ours, megaflops, PRINTED)),
    numberIn(where, `${model}: AUC`, "AUC", null, unchecked(auc, TRAINED)),
    numberIn(where, `${model}: billions of parameters`, "G parameters", null, unchecked(parameters, PRIVATE)),
  ];
}

function ofText({ where, says, value, unit, isFitted, holds }: Statement): PublishedNumber {
  if (value === null) {
    const verdict = said(holds, "the modelled speed-ups");
    return { where, what: says, kind: "statement", unit: "", ...verdict, equation: MODEL, proved: false };
  }
  const { ours, published } = value;
  if (isFitted) return numberIn(where, says, unit, MODEL, unchecked(published, FITTED, ours));
  const rule: Rule = { says: "to the digits printed", holds: () => holds };
  return numberIn(where, says, unit, unit === "MiB" ? "B·F·N·4" : MODEL, judged(ours, published, rule));
}
