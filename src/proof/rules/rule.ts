import { CertificateError, type Reader } from "../grammar.js";

/** One kind of step of a certificate: what it may say, and what the checker does with it. */
export interface Rule<Tree, S> {
  /** A step of this kind from parsed JSON. */
  readonly read: Reader<S>;
  /** What follows for the current node. Throws {@link CertificateError} where a side condition does not hold. */
  check(tree: Tree, step: S, number: number): void;
}

/** A rule of steps as they are read. */
export function rule<Tree, S>(read: Reader<S>, check: Rule<Tree, S>["check"]): Rule<Tree, S> {
  return { read, check };
}

/** By the key that a step of the kind has. */
export type Rules<Check> = ReadonlyMap<string, Check>;

/** The open nodes of a proof; rules act on the one last opened. */
export interface OpenNodes {
  readonly openCount: number;
  /** Called between steps; what it throws ends the check. */
  readonly checkTime: () => void;
}

/** The step to take. Throws {@link CertificateError} where there is none. */
export function nextStep<S extends object>(tree: OpenNodes, steps: readonly S[], index: number): S {
  tree.checkTime();
  const step = steps[index];
  if (step === undefined) throw new CertificateError(index + 1, `missing: ${tree.openCount} nodes are still open`);
  return step;
}

/**
 * Takes steps, from the one at `from` on, until every node is closed; returns the index of the next step. Throws
 * {@link CertificateError} with the step's number; `foreign` is said of a kind that is not among the rules.
 */
export function replay<Tree extends OpenNodes>(
  tree: Tree,
  rules: Rules<Rule<Tree, object>>,
  steps: readonly object[],
  from: number,
  foreign: string,
): number {
  let index = from;
  for (; tree.openCount > 0; index++) {
    const step = nextStep(tree, steps, index);
    const kind = Object.keys(step).find((key) => rules.has(key)) ?? "";
    const rule = rules.get(kind);
    if (rule === undefined) throw new CertificateError(index + 1, foreign);
    rule.check(tree, step, index + 1);
  }
  return index;
}
