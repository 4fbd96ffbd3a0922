import { setFlagsFromString } from "node:v8";

/**
 * What a function of WebAssembly runs before V8 optimises it, in V8's units, about bytes of code. At V8's own (1.8 million) optimising
 * HiGHS takes three times what HiGHS itself takes on small programs; from here on what is optimised has run long enough to pay for it.
 */
const TIERING_BUDGET = 300_000_000;

/** For the whole process, its threads included; before HiGHS is loaded. */
export function optimiseLate(): void {
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
}
