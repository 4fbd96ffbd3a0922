import { MAX_DIGITS, Rational } from "../exact/rational.js";

/** Multipliers by row name; rows left out have multiplier zero. */
export type NamedMultipliers = Readonly<Record<string, string>>;

/** A certificate is malformed or does not prove its claim. `step` counts from 1; 0 is the part before the steps. */
export class CertificateError extends Error {
  override readonly name = "CertificateError";
  readonly step: number;

  constructor(step: number, message: string) {
    super(step === 0 ? message : `step ${step}: ${message}`);
    this.step = step;
  }
}

/** Does a step's work; what it cannot be done with is the certificate's fault. */
export function within<T>(step: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw new CertificateError(step, error.message);
    throw error;
  }
}

/** `null` where a certificate does not prove its claim. */
export function orNull<T>(check: () => T): T | null {
  try {
    return check();
  } catch (error) {
    if (error instanceof CertificateError) return null;
    throw error;
  }
}

/** A number of a certificate. Throws {@link CertificateError} unless it is an integer or a fraction in lowest terms. */
export function readNumber(text: unknown, step: number): Rational {
  if (typeof text === "string") {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    if (text.length > 2 * MAX_DIGITS) {
      throw new CertificateError(step, `a number of at most ${MAX_DIGITS} digits was expected, a longer one is there`);
    }
    if (/^-?\d+(\/\d+)?$/.test(text) && !/\/0+$/.test(text)) {
      const value = Rational.parse(text);
      // One spelling per number: a certificate that was edited cannot hide behind an equal fraction.
      if (value.toString() === text) {
        if (remembered.size === MAX_REMEMBERED) remembered.clear();
        remembered.set(text, value);
        return value;
      }
    }
  }
  throw new CertificateError(
    step,
    `an integer or a fraction in lowest terms was expected, ${JSON.stringify(text)} is there`,
  );
}

const MAX_REMEMBERED = 10_000;

/** Numbers read of late: most stand in many steps, and each is read with the grammar and again where its step is checked. */
const remembered = new Map<string, Rational>();

export function readMultipliers(json: unknown, step: number): NamedMultipliers {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new CertificateError(step, "multipliers by row name were expected");
  }
  for (const value of Object.values(json)) readNumber(value, step);
  return json as NamedMultipliers;
}

/** `{ [key]: {} }`, of a step that says no more than its kind. */
export function readEmpty(json: unknown, key: string, step: number): Readonly<Record<string, never>> {
  return fields(readMultipliers(fields(json, [key], step)[key], step), [], step) as Record<string, never>;
}

export function readNames(json: unknown, what: string, step: number): readonly string[] {
  const names = readList(json, what, step);
  if (!names.every((name) => typeof name === "string")) {
    throw new CertificateError(step, `the names of ${what} were expected`);
  }
  return names;
}

export function readList(json: unknown, what: string, step: number): readonly unknown[] {
  if (!Array.isArray(json)) throw new CertificateError(step, `a list of ${what} was expected`);
  return json;
}

/** An object that has all of `names`, some of `optional` and nothing else. */
export function fields<K extends string, O extends string = never>(
  json: unknown,
  names: readonly K[],
  step: number,
  optional: readonly O[] = [],
): Record<K, unknown> & Partial<Record<O, unknown>> {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new CertificateError(step, `an object with ${names.join(", ")} was expected`);
  }
  for (const name of names) {
    if (!(name in json)) throw new CertificateError(step, `"${name}" is missing`);
  }
  for (const name of Object.keys(json)) {
    if (![...names, ...optional].includes(name as K & O))
      throw new CertificateError(step, `"${name}" is not known here`);
  }
  return json as Record<K, unknown> & Partial<Record<O, unknown>>;
}
