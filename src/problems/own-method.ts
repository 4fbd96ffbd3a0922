import { received } from "../instance/findings.js";
import { secondsLeft, type TimeLimit } from "../search/time/time-limit.js";

/** A method of somebody's own. It decides, and the decision is evaluated exactly: nothing that it says of itself counts. */
export interface OwnMethod {
  /** As tables and results have it. */
  readonly name: string;
  /** Its decision for an instance. Throws where it has none, and where it has none within the limits. */
  decide(given: OwnGiven, limits: OwnLimits): unknown;
}

/** Thrown where a method ended without a decision, by itself or by its limits; its message is a sentence of its own. */
export class OwnEnd extends Error {}

/** When a method of one's own is ended. */
export interface OwnLimits {
  readonly seconds: number;
  /** Asked again and again: `true` ends it. */
  readonly shouldStop?: () => boolean;
}

/** What a method of one's own is handed: copies, so that it can change nothing that its decision is evaluated on. */
export interface OwnGiven {
  /** As the instance file has it, its defaults filled in. */
  readonly instance: object;
  /** What the published methods of the instance's problem decide on. */
  readonly problem: object;
  readonly seed: number;
  /** Seconds that it has, and when they are over (milliseconds since 1970). */
  readonly timeLimitSeconds: number;
  readonly deadline: number;
}

/** How decisions of one's own are read and evaluated: a problem's part. */
export interface OwnDeciding<Ready, Decision> {
  /** What `problem` of {@link OwnGiven} is. */
  given(ready: Ready): object;
  /** What a method returned, as a decision. Throws `RangeError` where it has not the shape of one. */
  decisionIn(written: unknown): Decision;
}

export type OwnResult<Result> =
  | { readonly kind: "plan"; readonly result: Result }
  /** It threw, or what it returned is no decision: why, in one line. */
  | { readonly kind: "none"; readonly reason: string };

/** Runs a method of one's own, and evaluates what it returns. */
export async function runOwn<Result>(
  method: OwnMethod,
  given: Pick<OwnGiven, "instance" | "problem" | "seed">,
  limits: OwnLimits,
  evaluate: (written: unknown) => Result,
): Promise<OwnResult<Result>> {
  let written: unknown;
  try {
    const timeLimitSeconds = limits.seconds;
    // Of an instance what is in its file: a thread is handed data alone, and without one no limit ends a method.
    const instance = copyOf(given.instance, (field) => typeof field !== "function");
    const timed = { ...given, instance, timeLimitSeconds, deadline: Date.now() + 1000 * timeLimitSeconds };
    written = await method.decide(timed, limits);
  } catch (error) {
    const told = oneLine(error);
    return { kind: "none", reason: error instanceof OwnEnd ? told : `it threw ${told}` };
  }
  return evaluateOwn(written, evaluate);
}

/** Seconds that a method of one's own has at least in a comparison, where the search took all. */
const LEAST_SECONDS = 1;

/**
 * The limits of methods of one's own in a comparison that began `started` (of `performance.now()`): what is left of its time,
 * in even shares.
 */
export function ownLimits(
  options: TimeLimit & Pick<OwnLimits, "shouldStop">,
  started: number,
  methods: number,
): () => OwnLimits {
  const { shouldStop } = options;
  let left = methods;
  return () => {
    const over = secondsLeft(options, (performance.now() - started) / 1000);
    const seconds = Math.round(1000 * Math.max(LEAST_SECONDS, over / left--)) / 1000;
    return { seconds, ...(shouldStop === undefined ? {} : { shouldStop }) };
  };
}

/** Evaluates what a method of one's own returned. */
export function evaluateOwn<Result>(written: unknown, evaluate: (written: unknown) => Result): OwnResult<Result> {
  try {
    return { kind: "plan", result: evaluate(written) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { kind: "none", reason: `no decision for this instance: ${oneLine(error)}` };
  }
}

/** What `evaluate` throws at a decision that can be none; rows have an error of their own. */
function isRefusal(error: unknown): error is Error {
  return error instanceof RangeError || (error instanceof Error && error.name === "AssignmentError");
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s*\n\s*/g, " ").trim();
}

/**
 * A copy of plain data to hand to a method of one's own. What is asked and not data (functions, classes) stays what it is. `isKept`: of
 * a map, the fields that the copy has.
 */
export function copyOf<T>(value: T, isKept: (field: unknown) => boolean = () => true): T {
  if (ArrayBuffer.isView(value)) return structuredClone(value);
  if (Array.isArray(value)) return value.map((item) => copyOf(item, isKept)) as T;
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const fields = Object.entries(value).filter(([, field]) => isKept(field));
  return Object.fromEntries(fields.map(([key, field]) => [key, copyOf(field, isKept)])) as T;
}

/** A list that a method returned, typed arrays among them. Throws `RangeError` for anything else. */
export function listIn(written: unknown, what: string): readonly unknown[] {
  if (Array.isArray(written)) return written;
  if (ArrayBuffer.isView(written)) return Array.from(written as unknown as ArrayLike<number>);
  throw new RangeError(`expected ${what}, received ${received(written)}`);
}

/** A list of indices that a method returned. Throws `RangeError` for anything else. */
export function indicesIn(written: unknown, what: string): readonly number[] {
  const list = listIn(written, what);
  const wrong = list.findIndex((index) => !Number.isSafeInteger(index) || (index as number) < 0);
  if (wrong === -1) return list as readonly number[];
  throw new RangeError(`expected ${what}, received ${received(list[wrong])} at index ${wrong}`);
}

/** The fields of a map that a method returned. Throws `RangeError` for anything else. */
export function fieldsIn(written: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof written === "object" && written !== null && !Array.isArray(written)) {
    return written as Readonly<Record<string, unknown>>;
  }
  throw new RangeError(`expected ${what}, received ${received(written)}`);
}
