import { z } from "zod";
import { splitAmount } from "../../input/amount.js";
import type { Allowance } from "../allowance.js";

/** `5 %` of the value, or an amount in the goal's own unit. */
export const allowanceSchema = z
  .union([z.string().refine(isPercent, "an amount, or per cent as in 5 %"), z.number().min(0)])
  .transform(
    (input): Allowance =>
      typeof input === "number" ? { amount: input } : { percent: splitAmount(input)?.number as string },
  )
  .prefault(0)
  .describe('how much worse it may become for the goals after it: "5 %" of its value, or an amount in its own unit');

function isPercent(text: string): boolean {
  const { number = "-", unit } = splitAmount(text) ?? {};
  return unit === "%" && !number.startsWith("-");
}
