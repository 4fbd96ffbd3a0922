import { z } from "zod";
import type { Generated } from "./generated.js";
import { generateLognormal, lognormalOptions } from "./lognormal-tables.js";
import { autoshardOptions, generateMeta, neuroshardOptions } from "./meta-tables.js";
import { generateTorchrec, torchrecOptions } from "./torchrec-tables.js";

/** Which options there are depends on the distribution. */
export const tablesOptions = z.discriminatedUnion("distribution", [
  torchrecOptions,
  lognormalOptions,
  autoshardOptions,
  neuroshardOptions,
]);

/** Table placement. */
export function generateTables(options: z.output<typeof tablesOptions>, seed: number): Generated {
  switch (options.distribution) {
    case "torchrec":
      return generateTorchrec(options, seed);
    case "lognormal":
      return generateLognormal(options, seed);
    default:
      return generateMeta(options, seed);
  }
}
