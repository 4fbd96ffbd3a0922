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

/**
 * Reads a part of a certificate. `readStep` reads the steps of a proof inside a step. Throws {@link CertificateError} with the
 * step's number.
 */
export type Reader<T> = (json: unknown, step: number, readStep: Reader<object>) => T;

/** What a reader reads. */
export type Read<R> = R extends Reader<infer T> ? T : never;

type Readers = Readonly<Record<string, Reader<unknown>>>;

/** An object that has all of some fields, some of others and nothing else; what is read has them in this order. */
export function record<R extends Readers, O extends Readers = Readonly<Record<never, never>>>(
  required: R,
  optional?: O,
): Reader<{ readonly [K in keyof R]: Read<R[K]> } & { readonly [K in keyof O]?: Read<O[K]> }> {
  const [names, others] = [Object.keys(required), Object.keys(optional ?? {})];
  const all = Object.entries({ ...required, ...optional });
  return (json, step, readStep) => {
    const given = fields(json, names, step, others);
    const read = all.flatMap(([name, reader]) => (name in given ? [[name, reader(given[name], step, readStep)]] : []));
    return Object.fromEntries(read);
  };
}

export function list<T>(what: string, reader: Reader<T>): Reader<readonly T[]> {
  return (json, step, readStep) => {
    if (!Array.isArray(json)) throw new CertificateError(step, `a list of ${what} was expected`);
    return json.map((entry) => reader(entry, step, readStep));
  };
}

export const multipliers: Reader<NamedMultipliers> = (json, step) => {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new CertificateError(step, "multipliers by row name were expected");
  }
  for (const value of Object.values(json)) readNumber(value, step);
  return json as NamedMultipliers;
};

/** A number, kept as it is spelled. */
export const number: Reader<string> = (json, step) => readNumber(json, step).toString();

/** What a kind of step has that says no more than its kind. */
export const nothing: Reader<Readonly<Record<string, never>>> = (json, step, readStep) =>
  record({})(multipliers(json, step, readStep), step, readStep);

export function name(what: string): Reader<string> {
  return (json, step) => {
    if (typeof json !== "string") throw new CertificateError(step, `the name of ${what} was expected`);
    return json;
  };
}

export function names(what: string): Reader<readonly string[]> {
  return list(what, (json, step) => {
    if (typeof json !== "string") throw new CertificateError(step, `the names of ${what} were expected`);
    return json;
  });
}

/** An object that has all of `names`, some of `optional` and nothing else. */
export function fields(
  json: unknown,
  names: readonly string[],
  step: number,
  optional: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new CertificateError(step, `an object with ${names.join(", ")} was expected`);
  }
  for (const name of names) {
    if (!(name in json)) throw new CertificateError(step, `"${name}" is missing`);
  }
  for (const name of Object.keys(json)) {
    if (![...names, ...optional].includes(name)) throw new CertificateError(step, `"${name}" is not known here`);
  }
  return json as Readonly<Record<string, unknown>>;
}
