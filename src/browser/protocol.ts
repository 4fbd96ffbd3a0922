import type { ProgramFormat } from "../program/read-program.js";

/** What a page hands to the worker that solves; it crosses threads. */
export interface BrowserTask {
  /** The name that messages, the plan and the report use; nothing is opened by it. */
  readonly file: string;
  readonly text: string;
  /** Of a program file; without it the text is an instance. */
  readonly format?: ProgramFormat;
  /** At its end the best that is proved so far is the answer. */
  readonly timeLimitSeconds: number;
  /** Asked between steps of the search: `true` ends it with the best proved so far. It stays in the worker. */
  readonly shouldStop?: () => boolean;
}

/** What is known after a solve, in words. */
export interface BrowserAnswer {
  readonly name: string;
  /** The plan's own status: `proved` once src/proof has checked its certificate. */
  readonly status: string;
  /** What that means here, in words: optimal only where the value is the bound. */
  readonly standing: string;
  /** Names and texts: value, proved bound, gap, …. */
  readonly facts: readonly (readonly [name: string, text: string])[];
}

/** A file that a page can hand out. */
export interface BrowserFile {
  readonly name: string;
  readonly text: string;
}

/**
 * What comes back, in this order: `progress` any number of times; then `failure`, or `answer` and, for a plan, `report`.
 * `done` ends it all.
 */
export type BrowserReply =
  | { readonly type: "progress"; readonly parts: readonly string[] }
  | {
      readonly type: "answer";
      readonly answer: BrowserAnswer;
      readonly plan: BrowserFile;
      /** The answer as the terminal has it; `null` where a report comes. */
      readonly terminal: string | null;
    }
  /** `isVerified`: the plan was checked again from its text. `page` is one HTML document. */
  | { readonly type: "report"; readonly isVerified: boolean; readonly page: BrowserFile }
  /** `isInput`: the input is wrong, and the message says where; otherwise it is a fault of this program. */
  | { readonly type: "failure"; readonly isInput: boolean; readonly message: string }
  | { readonly type: "done" };
