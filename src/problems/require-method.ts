import { InputError } from "../errors/input-error.js";
import { didYouMean } from "../errors/nearest.js";

/** Throws `InputError`, with the methods that may have been meant, unless a problem's methods have this one. */
export function requireMethod(method: string, methods: readonly string[], problem: string): void {
  if (methods.includes(method)) return;
  const advice = didYouMean(method, methods) ?? `choose one of ${methods.join(", ")}`;
  throw new InputError(`there is no method "${method}" for ${problem}; ${advice}`);
}
