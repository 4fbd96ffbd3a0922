import { describe, expect, test } from "vitest";
import { ContradictionError } from "../../../src/errors/contradiction-error.js";
import { Rational } from "../../../src/exact/rational.js";
import { holdAgainst, type Proved } from "../../../src/proof/hold-against.js";

const third = Rational.of(1n, 3n);
/** Less than any double tells apart from a third. */
const hair = Rational.of(1n, 10n ** 40n);

const known = (value: Rational | null, what = "the plan") => ({ what, plan: { value } });
const proved = (bound: Rational | null, more: Partial<Proved<{ value: Rational | null }>> = {}) => ({
  ...{ bound, worth: ({ value }: { value: Rational | null }) => value, proof: { certificate: "steps" } },
  ...more,
});

function thrown(work: () => void): ContradictionError {
  try {
    work();
  } catch (error) {
    if (error instanceof ContradictionError) return error;
  }
  throw new Error("no contradiction was found");
}

describe("a plan beside a bound", () => {
  test("equal values agree, and so does anything worse", () => {
    for (const sense of ["minimize", "maximize"] as const) {
      expect(() => holdAgainst([known(third)], [proved(third, { sense })])).not.toThrow();
    }
    expect(() => holdAgainst([known(third.add(hair))], [proved(third)])).not.toThrow();
    expect(() => holdAgainst([known(third.subtract(hair))], [proved(third, { sense: "maximize" })])).not.toThrow();
  });

  test("one that is better by less than doubles tell apart is a contradiction, in either sense", () => {
    const less = third.subtract(hair);
    const { name, message, evidence } = thrown(() => holdAgainst([known(less)], [proved(third)]));
    expect(name).toBe("ContradictionError");
    expect(message).toContain(`the plan comes to ${less} (about ${less.toNumber()})`);
    expect(message).toContain("no plan is better than 1/3 (about");
    expect(JSON.parse(JSON.stringify(evidence))).toEqual({
      known: { what: "the plan", value: less.toString(), plan: { value: less.toString() } },
      against: { bound: "1/3", certificate: "steps" },
    });
    thrown(() => holdAgainst([known(third.add(hair))], [proved(third, { sense: "maximize" })]));
  });

  test("a plan that does not count is none, whatever it comes to", () => {
    expect(() => holdAgainst([known(null)], [proved(third), proved(null)])).not.toThrow();
  });

  test("any plan that counts contradicts a proof that there is none", () => {
    const { message, evidence } = thrown(() => holdAgainst([known(third)], [proved(null, { of: "stage 2" })]));
    expect(message).toContain("it is proved for stage 2 that there is no plan");
    expect(evidence.against).toEqual({ of: "stage 2", bound: null, certificate: "steps" });
  });

  test("of several plans the best is told, of several proofs the one that it contradicts", () => {
    const plans = [known(Rational.of(5n), "a"), known(Rational.of(3n), "b"), known(Rational.of(4n), "c")];
    const proofs = [proved(Rational.of(2n)), proved(Rational.of(7n), { of: "the second" })];
    expect(thrown(() => holdAgainst(plans, proofs)).message).toBe(
      "b comes to 3, and it is proved for the second that no plan is better than 7: one of the two is wrong",
    );
  });
});
