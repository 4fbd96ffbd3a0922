import { z } from "zod";
import { notNegative, positive, positiveInteger, text } from "./fields.js";

const histogram = z
  .array(
    z
      .tuple([
        z.int().min(0).describe("rows that are read alike"),
        notNegative("expected appearances of such a row in one sample"),
      ])
      .describe("[rows, expected appearances of such a row in one sample]"),
  )
  .min(1)
  .describe("pairs [rows, expected appearances of such a row in one sample] that cover all rows");

const coveragePoint = z
  .union([
    z.tuple([positiveInteger("hottest rows"), z.number().gt(0).max(1)]),
    z.tuple([positiveInteger("hottest rows"), z.number().gt(0).max(1), positive("expected appearances at this rank")]),
  ])
  .describe("[hottest rows, share of accesses], or with the expected appearances of the row at that rank as a third");

const coverage = z
  .strictObject({
    meanLength: positive("accesses per sample"),
    points: z.array(coveragePoint).min(1).describe("points [hottest rows, share of accesses] in rising order"),
  })
  .describe("the access curve through published points");

const zipfMandelbrot = z
  .strictObject({
    meanLength: positive("accesses per sample"),
    exponent: notNegative("row r is read in proportion to (r + shift)^-exponent"),
    shift: z.number().gt(-1).describe("row r is read in proportion to (r + shift)^-exponent"),
  })
  .describe("a Zipf-Mandelbrot law");

const counts = z
  .strictObject({
    file: text("file of counts per row, .csv, .npy or .parquet, relative to the instance's file"),
    samples: positive("samples over which the accesses were counted"),
  })
  .describe("measured accesses per row");

export const ACCESS_KINDS = ["histogram", "coverage", "zipfMandelbrot", "counts"] as const;

/** Exactly one of the four keys; the check that it is one stands in the schema's `oneOf` and in checks/access.ts. */
export const accessSchema = z
  .strictObject({
    histogram: histogram.optional(),
    coverage: coverage.optional(),
    zipfMandelbrot: zipfMandelbrot.optional(),
    counts: counts.optional(),
  })
  .meta({
    description: `how often each row is read: exactly one of ${ACCESS_KINDS.join(", ")}`,
    oneOf: ACCESS_KINDS.map((kind) => ({ required: [kind] })),
  });

export type AccessInput = z.output<typeof accessSchema>;
