import { pathText } from "../../instance/findings.js";
import type { Uncovered } from "./uncovered.js";
import { VerifySteps } from "./verify-steps.js";

/** One thing that was looked at. `detail` says in words what was found. */
export interface Check {
  readonly name: string;
  readonly passed: boolean;
  readonly detail: string;
}

/** A field of a plan that is not what it should be, as JSON values; `undefined` where there should be, or is, none. */
export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  readonly found: unknown;
}

/** What verifying a plan came to. */
export interface Verification {
  readonly passed: boolean;
  readonly checks: readonly Check[];
  readonly differences: readonly Difference[];
  /** What of the file no check covers, and why: it may say anything there. */
  readonly notChecked: readonly Uncovered[];
}

/** Collects checks and differences; `steps` tells of the steps to whoever waits. */
export class VerificationDraft {
  readonly steps: VerifySteps;
  readonly #checks: Check[] = [];
  /** By path: what is said of a field first, stands. */
  readonly #differences = new Map<string, Difference>();
  readonly #notChecked: Uncovered[] = [];

  constructor(steps = new VerifySteps()) {
    this.steps = steps;
  }

  check(name: string, passed: boolean, detail: string): boolean {
    this.#checks.push({ name, passed, detail });
    return passed;
  }

  differ(path: string, expected: unknown, found: unknown): void {
    if (!this.#differences.has(path)) this.#differences.set(path, { path, expected, found });
  }

  /** Says that a field, or all below it, was not checked. */
  leaveOut(path: string, reason: string): void {
    this.#notChecked.push({ path, reason });
  }

  get leftOut(): readonly Uncovered[] {
    return this.#notChecked;
  }

  /** Takes over what another verification of the same file came to. */
  add({ checks, differences, notChecked }: Verification): void {
    this.#checks.push(...checks);
    for (const { path, expected, found } of differences) this.differ(path, expected, found);
    this.#notChecked.push(...notChecked);
  }

  done(): Verification {
    const differences = [...this.#differences.values()];
    const passed = this.#checks.every((check) => check.passed) && differences.length === 0;
    return { passed, checks: this.#checks, differences, notChecked: this.#notChecked };
  }
}

/** All places where two JSON values differ, in the order of `expected`; `path`: where the two are. */
export function differencesOf(
  expected: unknown,
  found: unknown,
  path: readonly (string | number)[] = [],
): Difference[] {
  const differences: Difference[] = [];
  compareAt(expected, found, [...path], differences);
  return differences;
}

function compareAt(expected: unknown, found: unknown, steps: (string | number)[], into: Difference[]): void {
  if (Object.is(expected, found)) return;
  if (!isContainer(expected) || !isContainer(found) || Array.isArray(expected) !== Array.isArray(found)) {
    into.push({ path: pathText(steps), expected, found });
    return;
  }
  const isList = Array.isArray(expected);
  const compareKey = (key: string | number) => {
    steps.push(key);
    compareAt(expected[key], found[key], steps, into);
    steps.pop();
  };
  if (isList) {
    const length = Math.max(expected.length, (found as unknown as readonly unknown[]).length);
    for (let k = 0; k < length; k++) compareKey(k);
  } else for (const key of new Set([...Object.keys(expected), ...Object.keys(found)])) compareKey(key);
}

function isContainer(value: unknown): value is Readonly<Record<string | number, unknown>> {
  return typeof value === "object" && value !== null;
}
