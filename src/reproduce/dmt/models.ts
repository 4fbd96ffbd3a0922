import {
  dcnFlops,
  dcnTowerModule,
  dlrmFlops,
  dlrmTowerModule,
  passThrough,
  type TowerModule,
} from "../../cost/dmt/dense-work.js";

/** The sparse features of Criteo's data, and the elements N of a vector. */
export const FEATURES = 26;
export const DIM = 128;

/** Rank of DCN's cross layers, and how many it has. */
const CROSS_RANK = 512;
const CROSS_LAYERS = 3;
const BOTTOM = [13, 512, 256] as const;
/** Width of DCN's towers, and of DLRM's with p = 1. */
const WIDE = 128;

export type Family = "DLRM" | "DCN";

/** A model as tables 3 to 5 have it. */
export interface ModelWork {
  /** Million flops per sample, forward and backward. */
  readonly megaflops: number;
  readonly towers: readonly TowerModule[];
  /** Multiply-adds, for a reader to check: layers as their widths (a-b-c is a·b + b·c), bottom; towers; interaction; over it. */
  readonly formula: string;
  /** What of it the paper does not say, or says otherwise. */
  readonly inferred: string | null;
}

/** ⌈F/T⌉ or ⌊F/T⌋ features in each tower, the larger first (R = 1; the strided baseline has the same sizes). */
export function towerSizes(towers: number): readonly number[] {
  return Array.from({ length: towers }, (_, t) => Math.floor(FEATURES / towers) + (t < FEATURES % towers ? 1 : 0));
}

const FACTORS = "6 flops per multiply-add, no gradient to the 13 dense inputs; widths of the layers";
const CROSS = `${FACTORS}; 3 flops per product and 6 per input of a cross net`;
const SHORT_OVER = "one layer fewer over the interaction";

/** The models without towers. */
export function baseline(family: Family): ModelWork {
  const towers = [passThrough(FEATURES, DIM)];
  if (family === "DLRM") {
    const flops = dlrmFlops({ bottom: BOTTOM, dim: DIM, towers, over: [1024, 1024, 512, 256, 1] });
    const formula = "13-512-256-128; 27²·128; 479-1024-1024-512-256-1";
    return { megaflops: flops / 1e6, towers, formula, inferred: FACTORS };
  }
  return {
    megaflops: dcnWork(towers) / 1e6,
    towers,
    formula: "13-512-256-128; 3·3456·2·512; 3456-1024-1024-512-256-1",
    inferred: CROSS,
  };
}

/** DMT's DLRM with c = 1 and p = 0, modules of D elements per feature; with 16 towers p = 1, c = 0 and D = 128. */
export function dmtDlrm(towerCount: number, width = 64): ModelWork {
  const sizes = towerSizes(towerCount);
  const isWide = towerCount === 16;
  const dim = isWide ? WIDE : width;
  const towers = sizes.map((features) => {
    if (!isWide) return dlrmTowerModule(features, DIM, 1, 0, width);
    return features === 1 ? passThrough(1, DIM) : dlrmTowerModule(features, DIM, 0, 1, WIDE);
  });
  const flops = dlrmFlops({ bottom: BOTTOM, dim, towers, over: [1024, 512, 256, 1] });
  return {
    megaflops: flops / 1e6,
    towers,
    formula: isWide
      ? "13-512-256-128; towers 10·256·128; 17²·128; 264-1024-512-256-1"
      : `13-512-256-${dim}; towers 26·128·${dim}; 27²·${dim}; ${351 + dim}-1024-512-256-1`,
    inferred: isWide ? `${SHORT_OVER}; towers of one feature have no module` : SHORT_OVER,
  };
}

/** DMT's DCN with D = 128; with 26 towers "SPTT alone", the model without modules. */
export function dmtDcn(towerCount: number): ModelWork {
  if (towerCount === FEATURES) return { ...baseline("DCN"), inferred: null };
  const sizes = towerSizes(towerCount);
  const towers = sizes.map((features) => dcnTowerModule(features, DIM, CROSS_RANK, WIDE));
  const elements = (towerCount + 1) * WIDE;
  const withLinear = sizes.filter((size) => size > 1).length;
  const inLinears = sizes.reduce((sum, size) => sum + (size > 1 ? size : 0), 0);
  return {
    megaflops: dcnWork(towers) / 1e6,
    towers,
    formula: `13-512-256-128; towers 3328·2·512 + ${inLinears * DIM}·128; 3·${elements}·2·512; ${elements}-1024-1024-512-256-1`,
    inferred: `a tower puts out 128 elements in all, listing 2 prints F_t·128${withLinear === towerCount ? "" : "; towers of one feature have no linear"}`,
  };
}

function dcnWork(towers: readonly TowerModule[]): number {
  return dcnFlops({
    bottom: [...BOTTOM, WIDE],
    towers,
    crossLayers: CROSS_LAYERS,
    crossRank: CROSS_RANK,
    over: [1024, 1024, 512, 256, 1],
  });
}
