import { compressionRatio } from "../../cost/dmt/dense-work.js";
import { baseline, DIM, dmtDcn, dmtDlrm, FEATURES, type ModelWork } from "./models.js";
import { PUBLISHED, type PublishedModel } from "./published.js";
import type { ModelLine } from "./reproduction.js";

/** How far ours may be from a number printed to the hundredth to count as the same: its rounding, and 0.001. */
const TOLERANCE = 0.006;

/** Tables 3 and 4: flops and compression of the models with and without towers. */
export function table4(): readonly ModelLine[] {
  return PUBLISHED.table4.map((published: PublishedModel) => {
    const { family, towers } = published;
    const model = towers === null ? family : `DMT ${towers}T-${family}`;
    return line(model, towers, workOf(published), published.megaflops, null);
  });
}

/** Table 5: DMT 8T-DLRM by the width of its modules. */
export function table5(): readonly ModelLine[] {
  return PUBLISHED.table5.map(({ width, ratio, megaflops }) =>
    line(`DMT 8T-DLRM, D = ${width}`, 8, dmtDlrm(8, width), megaflops, ratio),
  );
}

function workOf({ family, towers }: PublishedModel): ModelWork {
  if (towers === null) return baseline(family);
  return family === "DLRM" ? dmtDlrm(towers) : dmtDcn(towers);
}

function line(
  model: string,
  towers: number | null,
  work: ModelWork,
  megaflops: number,
  publishedRatio: number | null,
): ModelLine {
  const outputs = work.towers.map(({ outputDim }) => outputDim);
  const ratio = compressionRatio(outputs, FEATURES * DIM).toNumber();
  const isSameRatio = publishedRatio === null || 1 / ratio === publishedRatio;
  return {
    model,
    towers,
    megaflops: { ours: work.megaflops, published: megaflops },
    compression: towers === null ? null : ratio,
    publishedRatio,
    formula: work.formula,
    inferred: work.inferred,
    agrees: isSameRatio && isSameFlops(work.megaflops, megaflops),
  };
}

/** Whether ours is the number that was printed to the hundredth. */
export function isSameFlops(ours: number, published: number): boolean {
  return Math.abs(ours - published) <= TOLERANCE;
}
