/** A question whether to stop that remembers whether the answer was ever yes: what ended before is a method's own result. */
export class WatchedStop {
  readonly #shouldStop: () => boolean;
  #wasStopped = false;

  constructor(shouldStop: () => boolean) {
    this.#shouldStop = shouldStop;
  }

  get wasStopped(): boolean {
    return this.#wasStopped;
  }

  readonly ask = (): boolean => {
    this.#wasStopped ||= this.#shouldStop();
    return this.#wasStopped;
  };
}
