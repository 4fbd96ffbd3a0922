import { z } from "zod";
import { Rational } from "../../exact/rational.js";
import { amountIn, type Dimension, splitAmount } from "../../input/amount.js";
import { type DataType, ELEMENT_BYTES } from "../data-type.js";
import { received } from "../findings.js";

/** Every field carries a description: the JSON Schema shows it, and messages use it to say what is wanted. */

/** An integer of at least 1 and at most 2^53 − 1. */
export const positiveInteger = (description: string) => z.int().min(1).describe(description);

/** A finite number above 0. */
export const positive = (description: string) => z.number().gt(0).describe(description);

/** A finite number of at least 0. */
export const notNegative = (description: string) => z.number().min(0).describe(description);

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

export const text = (description: string) => z.string().min(1).describe(description);

export const elementType = z.enum(Object.keys(ELEMENT_BYTES) as [DataType, ...DataType[]]).default("fp32");
