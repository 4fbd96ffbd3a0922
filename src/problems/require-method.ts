import { InputError } from "../errors/input-error.js";
import { nearestWord } from "../errors/nearest.js";

/** Throws `InputError`, with the method that may have been meant, unless a problem's methods have this one. */
export function requireMethod(method: string, methods: readonly string[], problem: string): void {
  if (methods.includes(method)) return;
  const nearest = nearestWord(method, methods);
  const advice = nearest === undefined ? `choose one of ${methods.join(", ")}` : `did you mean ${nearest}?`;
  throw new InputError(`there is no method "${method}" for ${problem}; ${advice}`);
}
