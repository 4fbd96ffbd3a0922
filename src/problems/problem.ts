import type { z } from "zod";
import type { Fact, ForeignModel, Goal } from "../facts/facts.js";
import type { Tile } from "../facts/tiles.js";
import type { AnyInstance, InstanceReader } from "../instance/reader.js";
import type { StatusTable } from "../plan-file/by-status.js";
import type { PlanEnvelope, WrittenEnvelope } from "../plan-file/envelope.js";
import type { OpenInstance } from "../plan-file/original-plan.js";
import type { ReportOf } from "../report/input.js";
import type { ComparedPair, Difference, Section } from "../report/page-section.js";
import type { Evaluation } from "./evaluation.js";
import type { ExplainOptions, ExplanationFile } from "./explain-options.js";
import type { Exportable, ExportedProgram } from "./exportable.js";
import type { AnyFrontier, FrontierOptions } from "./frontier-options.js";
import type { OwnDeciding } from "./own-method.js";
import type { CompareOptions, PlanOptions } from "./plan-options.js";
import type { ProofReader } from "./proved-program.js";
import type { RerunExtent } from "./rerun.js";
import type { MethodsOf } from "./verification/published-methods.js";
import type { Verification } from "./verification/verification.js";
import type { VerifyHow } from "./verification/verify-how.js";

/** What a problem is made of. */
export interface ProblemTypes {
  readonly instance: AnyInstance;
  /** An instance made ready for the problem's methods. */
  readonly ready: unknown;
  /** The plan file's contents, as users of the library see them. */
  readonly plan: PlanEnvelope;
  /** A plan file as it was read. */
  readonly written: WrittenEnvelope;
  readonly comparison: Comparison;
  /** What a plan decides, on its own: somebody's to evaluate. */
  readonly decision: unknown;
  /** The names of the methods. */
  readonly methods: readonly string[];
}

/**
 * A problem as the drivers know it: what `plan`, `compare`, `verify`, `export` and `report` ask of each, and the library's
 * `evaluate` and `readPlan`. Its parts are loaded when they are asked for, so that a command loads the code of one problem,
 * and `verify` no search.
 */
export interface Problem<Types extends ProblemTypes = ProblemTypes> {
  /** As instances and plan files have it. */
  readonly name: Types["instance"]["problem"];
  /** How its instances are read. */
  readonly reader: InstanceReader<Types["instance"]>;
  /** Whether an instance, or the JSON of a plan file, is of this problem. */
  isOf(file: { readonly problem?: unknown; readonly joint?: unknown; readonly groups?: unknown }): boolean;
  /** What progress shows its objective in. */
  readonly measure: "seconds" | "plain";
  /** What `simulate` plays of its plans: the rows that samples read, look-ups of placed tables, or the exchange of towers. */
  readonly simulation: "rows" | "look-ups" | "exchange";
  /** The exact method first, then the published ones under their papers' names. */
  readonly methods: Types["methods"];
  /** What its plan files hold by their status. */
  readonly statuses: StatusTable;
  /** With the files read that its instances name and all of its parts want to know. Throws `InputError`. */
  opened?(instance: Types["instance"]): Promise<Types["instance"]>;
  solving(): Promise<Solving<Types>>;
  /** What the instance says of a cost model that is not this program's: what it names, and what is assumed of it. */
  foreignModel?(instance: Types["instance"]): Promise<ForeignModel>;
  comparing(): Promise<Comparing<Types["ready"], Types["comparison"]>>;
  verifying(): Promise<Verifying<Types>>;
  /** The published methods, as `verify` runs them again. */
  rerunning(extent: RerunExtent): Promise<MethodsOf<never, unknown>>;
  exporting(): Promise<Exporting<Types["instance"]>>;
  knowing(): Promise<Knowing<Types["plan"]>>;
  showing(): Promise<Showing<Types>>;
  reporting(): Promise<Reporting<Types>>;
  /** Left out where there is no frontier. */
  frontiers?(): Promise<Frontiers<Types["instance"]>>;
  /** Left out where plans are not explained. */
  explaining?(): Promise<Explaining<Types["plan"], Types["instance"]>>;
}

export interface Solving<Types extends ProblemTypes> {
  /** Reads the files that the instance names, and builds its model once. Throws `InputError`. */
  prepare(instance: Types["instance"]): Promise<Types["ready"]>;
  plan(ready: Types["ready"], options: PlanOptions): Promise<Types["plan"]>;
  /** Somebody's own decision. Throws `RangeError` when it can be none for the instance. */
  evaluate(ready: Types["ready"], decision: Types["decision"]): Evaluation;
  /** How methods of somebody's own decide. */
  readonly own: OwnDeciding<Types["ready"], Types["decision"]>;
  /** What the exact method can do without (`PlanOptions.without`), by name. */
  readonly strategies: readonly string[];
}

export interface Comparing<R, C> {
  compare(ready: R, options: CompareOptions): Promise<C>;
}

/** Every method on one instance. */
export interface Comparison {
  /** The exact method first. */
  readonly rows: readonly { readonly status: string }[];
  /** What else the plans show, by the key that `compare --json` has it under. */
  readonly beside?: Readonly<Record<string, readonly unknown[]>>;
}

export interface Verifying<Types extends ProblemTypes> {
  /** What is read of its plan files; the JSON Schema of them is made of it. */
  readonly schema: z.ZodType<Types["written"]>;
  verify(plan: Types["written"], instance: Types["instance"], how: VerifyHow<never, never>): Promise<Verification>;
}

export interface Exporting<I extends AnyInstance> {
  /** Reads a plan file as it was written, with its instance. Throws `InputError`. */
  read(text: string, file: string, openInstance: OpenInstance): Promise<Exportable>;
  /** The program that plans are proved on, or another with the same optimum where no file can hold that. */
  program(instance: I): Promise<ExportedProgram>;
  /** How is read what is proved of a plan file. */
  proved(): Promise<ProofReader>;
}

/** What a plan says, which terminal, page and playground draw. */
export interface Knowing<P> {
  goal(plan: P): Goal;
  facts(plan: P): readonly Fact[];
  /** What is said in large type, before all else. */
  tiles(plan: P): readonly Tile[];
}

export interface Showing<Types extends ProblemTypes> {
  /** A plan as a person reads it. */
  plan(plan: Types["plan"]): string;
  /** What `plan` needs of a plan, where that is far less than all of it. */
  shownOf?(plan: Types["plan"]): Types["plan"];
  compare(comparison: Types["comparison"]): string;
  /** What to warn of. */
  warnings(plan: Types["plan"]): readonly string[];
  /** What `--verbose` adds. */
  details?(plan: Types["plan"], instance: AnyInstance): Promise<string | null>;
}

/** Memory against the goal. */
export interface Frontiers<I> {
  frontier(instance: I, options: FrontierOptions): Promise<AnyFrontier>;
  /** As a person reads it. */
  show(frontier: AnyFrontier): string;
  csv(frontier: AnyFrontier): string;
  /** `open`: not every point is proved to the gap; `infeasible`: there is no plan, whatever the memory. */
  outcome(frontier: AnyFrontier): "complete" | "open" | "infeasible";
}

export interface Explaining<P, I> {
  /** Why a plan is as it is; the plan was verified against its instance. */
  explain(plan: P, instance: I, options: ExplainOptions): Promise<ExplanationFile>;
  /** As a person reads it. */
  show(explanation: ExplanationFile): string;
}

export interface Reporting<Types extends ProblemTypes> {
  /** What a page says of an instance in its own terms: its size, and what it asks for. */
  instanceFacts(instance: Types["instance"]): readonly Fact[];
  /**
   * What the charts of a plan need of its instance; `null` where the plan does not fit it. Left out where they need nothing. Where
   * it is computed long, it ends in the seconds that are left.
   */
  charts?(plan: Types["plan"], instance: Types["instance"], secondsLeft?: () => number): Promise<unknown>;
  /** What a page says of a plan; `id` begins the names of its charts. */
  section(report: ReportOf<Types["plan"], unknown>, id: string): Section;
  /** In what a plan differs from another of its instance. */
  difference(pair: ComparedPair<Types["plan"]>): Difference;
}
