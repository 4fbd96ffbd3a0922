import { describe, expect, test } from "vitest";
import type { Rational } from "../../src/exact/rational.js";

/** What a published method makes of a model. */
export type MethodResult<Decision> =
  | { readonly kind: "plan"; readonly decision: Decision }
  | { readonly kind: "none" | "not-applicable"; readonly reason: string };

/** A problem's models, and what is known of each without the methods. */
export interface MethodModels<Model, Decision> {
  readonly models: readonly Model[];
  /** A proved bound, or the optimum of a search through all plans; `null`: there is no plan. */
  readonly bounds: readonly (Rational | null)[];
  run(method: string, model: Model, how: { seed: number; shouldStop: () => boolean }): MethodResult<Decision>;
  /** The limits that a plan breaks, and what it costs, in exact arithmetic. */
  evaluate(model: Model, decision: Decision): { readonly value: Rational; readonly violations: readonly unknown[] };
  /** On so many models a method is run again, and told to stop; left out: on all. */
  readonly again?: number;
  /** Plans that a method must find, so that something is tested. */
  readonly least: number;
  /** Limits that published methods do not know: a plan may be over them, and then counts for nothing. */
  readonly unknown?: (violation: unknown) => boolean;
}

/** How often a method that was told to stop asks again, at most: each of its loops ends at its own question. */
const MAX_ASKED = 50;

const never = () => false;

/**
 * What every published method owes: a plan within the limits or the reason why there is none; the same plan for the same seed;
 * nothing below a proved bound; an end when it is told to stop.
 */
export function methodSuite<Model, Decision>(methods: readonly string[], of: MethodModels<Model, Decision>): void {
  const { models, bounds, run, evaluate, least, unknown = never, again = models.length } = of;

  describe.each(methods)("%s", (method) => {
    const whole = (model: Model) => run(method, model, { seed: 7, shouldStop: never });
    const results = models.map(whole);

    /** Whether a result is a plan within all limits, none of which it may break but those that the method does not know. */
    const isPlan = (result: MethodResult<Decision>, m: number): boolean => {
      if (result.kind !== "plan") {
        expect(result.reason).toMatch(/^[a-z0-9].{10,}[^.]$/);
        return false;
      }
      const { value, violations } = evaluate(models[m] as Model, result.decision);
      expect(violations.filter((violation) => !unknown(violation))).toEqual([]);
      if (violations.length > 0) return false;
      expect(bounds[m]).not.toBeNull();
      expect(value.compare(bounds[m] as Rational)).toBeGreaterThanOrEqual(0);
      return true;
    };

    test("gives plans within the limits, none below a proved bound, or says why not", () => {
      expect(results.filter(isPlan).length).toBeGreaterThanOrEqual(least);
    });

    test("gives the same plan for the same seed", () => {
      expect(models.slice(0, again).map(whole)).toEqual(results.slice(0, again));
    });

    test("ends when it is told to stop, with the best so far or the reason why there is none", () => {
      for (const [m, model] of models.slice(0, again).entries()) {
        let asked = 0;
        isPlan(run(method, model, { seed: 7, shouldStop: () => ++asked > 0 }), m);
        expect(asked).toBeLessThan(MAX_ASKED);
      }
    });
  });
}
