/** What a verification is at: `what`, which is step `step` (from 1) of `of`. */
export interface VerifyProgress {
  readonly step: number;
  readonly of: number;
  readonly what: string;
}

/** Asked at the beginning of every step. */
export type OnVerifyProgress = (progress: VerifyProgress) => void;

/** Digest, instance, program, certificate, published methods, numbers. */
const PLAN_STEPS = 6;

/** Tells of the steps of a verification as they begin. */
export class VerifySteps {
  readonly #of: number;
  readonly #onProgress: OnVerifyProgress;
  #step = 0;

  constructor(onProgress: OnVerifyProgress = () => {}, of = PLAN_STEPS) {
    this.#of = of;
    this.#onProgress = onProgress;
  }

  next(what: string): void {
    this.#step++;
    this.within(what);
  }

  /** The same step has come to another of its parts. */
  within(what: string): void {
    this.#onProgress({ step: this.#step, of: this.#of, what });
  }
}
