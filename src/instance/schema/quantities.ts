import { z } from "zod";
import { Rational } from "../../exact/rational.js";
import { amountIn, type Dimension, splitAmount } from "../../input/amount.js";
import { received } from "../findings.js";
import { notNegative, positive } from "./fields.js";

/** Fields that are quantities: a number, or a text with a unit. */

export const positiveBytes = (description: string) => withUnit("bytes", positive(description));

export const notNegativeBytes = (description: string) => withUnit("bytes", notNegative(description));

export const wholeBytes = (description: string) => withUnit("bytes", z.int().min(0).describe(description));

export const bytesPerSecond = (description: string) => withUnit("bytes per second", positive(description));

export const notNegativeSeconds = (description: string) => withUnit("seconds", notNegative(description));

/**
 * A number, or a text with a unit of the dimension, such as `80GB`, whose value is exact to the nearest double; bytes are
 * whole. `one` is how much of the dimension's own unit the number 1 is.
 */
export function withUnit(dimension: Dimension, number: z.ZodNumber, one = 1): z.ZodType<number, number | string> {
  const read = (value: unknown, { addIssue }: z.RefinementCtx) => {
    if (typeof value !== "string") return value;
    try {
      if (splitAmount(value)?.unit === "") throw new RangeError("write the number without quotes, or a unit behind it");
      const amount = amountIn(value, dimension);
      if (dimension === "bytes" && amount.denominator !== 1n) {
        throw new RangeError(`that is ${amount.toNumber()} of them; write whole bytes`);
      }
      return amount.divide(Rational.of(BigInt(one))).toNumber();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const expected = `${dimension}, a number or a text with a unit (${number.description})`;
      const message = `expected ${expected}, received ${received(value)}; ${error.message}`;
      addIssue({ code: "custom", message, params: { isAmount: true } });
      return z.NEVER;
    }
  };
  const type = number instanceof z.ZodNumberFormat ? "integer" : "number";
  // Of a schema for editors, what is said of numbers holds of numbers alone.
  const both = { type: [type, "string"] } as object;
  return z.preprocess(read, number).meta({ description: number.description, ...both }) as never;
}
