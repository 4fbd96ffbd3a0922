import type { ShouldStop } from "../work.js";

/** A question whether to stop that remembers whether the answer was ever yes: what ended before is a method's own result. */
export class WatchedStop {
  readonly #shouldStop: ShouldStop;
  #wasStopped = false;

  constructor(shouldStop: ShouldStop) {
    this.#shouldStop = shouldStop;
  }

  /** So many seconds from now on, or once it is asked to. */
  static after(seconds: number, shouldStop: () => boolean = () => false): WatchedStop {
    const deadline = performance.now() + seconds * 1000;
    return new WatchedStop(() => performance.now() >= deadline || shouldStop());
  }

  get wasStopped(): boolean {
    return this.#wasStopped;
  }

  /** Takes what {@link ShouldStop} does, in whatever units. */
  readonly ask: ShouldStop = (units) => {
    this.#wasStopped ||= this.#shouldStop(units);
    return this.#wasStopped;
  };
}
