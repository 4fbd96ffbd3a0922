/** Rows and how often one sample reads each of them. */
export interface HistogramAccess {
  readonly kind: "histogram";
  /** [rows, expected appearances of each in one sample], in the file's order; the rows add up to the table's. */
  readonly bins: readonly (readonly [rows: number, appearances: number])[];
  /** The file that they were read from, which knows which row is which; absent: the instance has them itself. */
  readonly counts?: CountsAccess;
}

/** Points of the curve "the hottest r rows take this share of all accesses". */
export interface CoverageAccess {
  readonly kind: "coverage";
  /** Accesses per sample, over all rows. */
  readonly meanLength: number;
  readonly points: readonly CoveragePoint[];
}

export interface CoveragePoint {
  readonly rows: number;
  /** Share of accesses that the hottest `rows` rows take, in (0, 1]. */
  readonly share: number;
  /** Expected appearances in one sample of the row at this rank, where the file fixes it. */
  readonly appearances?: number;
}

/** Row r = 1, 2, … appears min(1, c·(r + shift)^−exponent) times in a sample, c such that all add up to `meanLength`. */
export interface ZipfMandelbrotAccess {
  readonly kind: "zipfMandelbrot";
  readonly meanLength: number;
  readonly exponent: number;
  readonly shift: number;
}

/** Measured accesses per row over a number of samples. */
export interface CountsAccess {
  readonly kind: "counts";
  /** As the instance writes it: relative to the instance's file. */
  readonly file: string;
  readonly samples: number;
}

export type Access = HistogramAccess | CoverageAccess | ZipfMandelbrotAccess | CountsAccess;
