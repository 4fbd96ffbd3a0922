/**
 * How much of a drawn suite a run goes through: a tenth, and all of it with SHARDPROOF_DEEP=1. SHARDPROOF_SEED is where seeds begin,
 * 0 by default; it belongs into the names of tests, so that what failed can be drawn again.
 */
export function drawnRun(all: number): { readonly from: number; readonly runs: number } {
  const isDeep = process.env.SHARDPROOF_DEEP === "1";
  return { from: Number(process.env.SHARDPROOF_SEED ?? 0), runs: isDeep ? all : Math.ceil(all / 10) };
}
