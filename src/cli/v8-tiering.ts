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

/** For the whole process, its threads included; before HiGHS is loaded. */
export function optimiseLate(): void {
  setFlagsFromString(`--wasm-tiering-budget=${WASM_BUDGET}`);
  setFlagsFromString(`--interrupt-budget=${BUDGET}`);
}
