import type { PlanRequest } from "../../plan-file/envelope.js";
import { GIVEN_PLACEMENT } from "../../plan-file/method-names.js";
import type { MethodsOf } from "./published-methods.js";
import { Refusal } from "./refusal.js";
import type { VerificationDraft } from "./verification.js";

/** What a plan says of a published method: its result, and whether the method's time was over before it ended. */
export interface WrittenResult<Result> {
  readonly result: Result;
  readonly isStopped: boolean;
}

const NOT_RUN = "published methods were not run again";
const STOPPED = "its time was over before it ended, and no second run ends at the same point";

/** What a plan file says of itself, as far as published methods go. */
interface WrittenMethod {
  readonly status: string;
  readonly method: string;
  readonly stopped?: boolean | undefined;
}

/** What published methods are run on, and what was asked of the plan. */
interface Given<Input> {
  readonly input: Input;
  readonly request: PlanRequest;
}

/**
 * The baselines of a plan, where it is the exact method's. A published method's own plan has none: it is run again, and `isResult`
 * says whether its result is the plan.
 */
export function checkPublished<Input, Result extends { readonly method: string }>(
  draft: VerificationDraft,
  methods: MethodsOf<Input, Result> | undefined,
  given: Given<Input>,
  { status, method, stopped }: WrittenMethod,
  {
    written,
    isResult,
  }: {
    readonly written: readonly WrittenResult<Result>[];
    readonly isResult: (result: Result) => boolean;
  },
): readonly Result[] {
  draft.steps.next("the published methods");
  if (status === "infeasible") return [];
  if (stopped === true && status !== "heuristic")
    draft.leaveOut("stopped", "whether it was stopped is the file's word");
  if (status !== "heuristic") return rerunBaselines(draft, methods, given, written);
  if (method === GIVEN_PLACEMENT) draft.leaveOut("method", "the placement was given, by no method");
  else checkMethod(draft, methods, given, { method, isStopped: stopped === true, isResult });
  return [];
}

/**
 * The baselines that a plan should have: each published method is run again, and where it is not, what the file has stands and
 * is said not to be checked. A method that is missing, or there without applying, is told.
 */
export function rerunBaselines<Input, Result extends { readonly method: string }>(
  draft: VerificationDraft,
  methods: MethodsOf<Input, Result> | undefined,
  { input, request: { seed, without } }: Given<Input>,
  written: readonly WrittenResult<Result>[],
): readonly Result[] {
  if (methods === undefined) {
    draft.leaveOut("baseline", `${NOT_RUN}: whose these plans are is the file's word`);
    return written.map(({ result }) => result);
  }
  const expected: Result[] = [];
  const again: string[] = [];
  for (const method of without?.includes("baselines") ? [] : methods.baselines(input)) {
    draft.steps.within(`the published methods: ${method}`);
    const at = written.findIndex(({ result }) => result.method === method);
    const there = written[at];
    const run = there?.isStopped ? ({ kind: "left-out", reason: STOPPED } as const) : methods.run(method, input, seed);
    if (run.kind === "not-applicable") continue;
    if (run.kind === "result") {
      expected.push(run.result);
      again.push(method);
      continue;
    }
    draft.leaveOut(there === undefined ? "baseline" : `baseline[${at}]`, `${method} was not run again: ${run.reason}`);
    if (there !== undefined) expected.push(there.result);
  }
  const [wanted, found] = [namesOf(expected), namesOf(written.map(({ result }) => result))];
  if (wanted !== found)
    throw new Refusal("baselines", `${wanted || "none"} should be there, the file has ${found || "none"}`);
  if (again.length > 0) draft.check("baselines", true, `${again.join(", ")} run again`);
  return expected;
}

/** What published methods give where a plan says that there is none: none of it is in the file, and none may be feasible. */
export function plansBeside<Input, Result>(
  draft: VerificationDraft,
  methods: MethodsOf<Input, Result> | undefined,
  { input, request: { seed } }: Given<Input>,
  { status }: WrittenMethod,
): readonly Result[] {
  if (status !== "infeasible" || methods === undefined) return [];
  return methods.baselines(input).flatMap((method) => {
    draft.steps.within(`the published methods: ${method}`);
    const run = methods.run(method, input, seed);
    return run.kind === "result" ? [run.result] : [];
  });
}

/** Whether the plan of a heuristic is what its method gives: the method is run again where that can be. */
function checkMethod<Input, Result>(
  draft: VerificationDraft,
  methods: MethodsOf<Input, Result> | undefined,
  { input, request: { seed } }: Given<Input>,
  plan: { readonly method: string; readonly isStopped: boolean; readonly isResult: (result: Result) => boolean },
): void {
  const { method, isStopped, isResult } = plan;
  draft.steps.within(`the published methods: ${method}`);
  if (isStopped) draft.leaveOut("stopped", "whether its time was over is the file's word");
  const run =
    methods === undefined
      ? ({ kind: "left-out", reason: NOT_RUN } as const)
      : isStopped
        ? ({ kind: "left-out", reason: STOPPED } as const)
        : methods.run(method, input, seed);
  if (run.kind === "left-out") draft.leaveOut("method", `${run.reason}: whose plan it is is the file's word`);
  else if (run.kind === "not-applicable") throw new Refusal("method", `${method} does not apply to the instance`);
  else if (!isResult(run.result)) throw new Refusal("method", `${method} run again does not give this plan`);
  else draft.check("method", true, `${method} run again gives this plan`);
}

function namesOf(results: readonly { readonly method: string }[]): string {
  return results.map(({ method }) => method).join(", ");
}
