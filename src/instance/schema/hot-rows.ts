import { z } from "zod";

/** Break-points of an access curve that are options, where the instance does not say. */
export const DEFAULT_POINTS = 8;

const maxPoints = z
  .int()
  .min(1)
  .max(256)
  .default(DEFAULT_POINTS)
  .describe("most break-points of a table's access curve that are options");

export const hotRows = z
  .union([z.literal(true), z.strictObject({ maxPoints })])
  .describe(
    "the hottest rows of a table with access may be copied to every device, up to a break-point of its access curve; the others are placed as the table's options say",
  );

export const caches = z
  .union([
    z.literal(true),
    z.strictObject({
      loadFactors: z
        .array(z.number().gt(0).lt(1))
        .min(1)
        .describe("shares of a table's rows, the first for published methods"),
    }),
    z.strictObject({ maxPoints }),
  ])
  .describe(
    "sizes of the cache of fused_uvm_caching among which tables with access choose: at break-points of the access curve, or loadFactors; with the misses that the curve expects",
  );

/** A choice in full: `true` stands for the default number of break-points. */
export function withDefaultPoints<Given extends object>(given: Given | true): Given | { readonly maxPoints: number } {
  return given === true ? { maxPoints: DEFAULT_POINTS } : given;
}
