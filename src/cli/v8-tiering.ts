import { setFlagsFromString } from "node:v8";

/**
 * What a function of WebAssembly runs before V8 optimises it, in V8's units, about bytes of code. At V8's own (1.8 million) optimising
 * HiGHS takes three times what HiGHS itself takes on small programs; from here on what is optimised has run long enough to pay for it.
 */
const WASM_BUDGET = 300_000_000;

/**
 * The same of JavaScript, whose own is 68 thousand: on programs of a second a quarter of the processor's time went into optimised
 * code that hardly ran.
 */
const BUDGET = 700_000;

/** The first V8 that counts invocations in place of a budget; of a flag that it does not know it complains on standard error. */
const WITHOUT_BUDGET = 12;

/** The flags of such a version of V8 (`process.versions.v8`) that say so. */
export function lateFlags(v8: string): readonly string[] {
  const flags = [`--wasm-tiering-budget=${WASM_BUDGET}`];
  return Number.parseInt(v8, 10) < WITHOUT_BUDGET ? [...flags, `--interrupt-budget=${BUDGET}`] : flags;
}

/**
 * For the whole process, its threads included; before HiGHS is loaded, and no sooner than a thread is up: what V8 has compiled of Node's
 * own modules is good for the flags that it begins with alone, and without it a thread takes twice as long to start.
 */
export function optimiseLate(): void {
  for (const flag of lateFlags(process.versions.v8)) setFlagsFromString(flag);
}
