import { z } from "zod";
import type { Allowance } from "../allowance.js";

const PERCENT = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/;

/** `5 %` of the value, or an amount in the goal's own unit. */
export const allowanceSchema = z
  .union([z.string().regex(PERCENT, "expected an amount, or per cent as in 5 %"), z.number().min(0)])
  .transform(allowanceOf)
  .prefault(0)
  .describe('how much worse it may become for the goals after it: "5 %" of its value, or an amount in its own unit');

function allowanceOf(input: string | number): Allowance {
  if (typeof input === "number") return { amount: input };
  return { percent: (PERCENT.exec(input) as RegExpExecArray)[1] as string };
}
