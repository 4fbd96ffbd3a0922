import { Rational } from "../../../src/exact/rational.js";
import { evaluatePlacement, type PlacementEvaluation } from "../evaluate.js";
import { deviceCount, type Placement, type PlacementProblem } from "../problem.js";
import { exactCost, type NeuralHead } from "./head.js";

/**
 * Evaluates a placement under a network in exact arithmetic: what the network's weights say of every device, without the
 * rounding of a prediction in doubles (which differs in the last digits). Throws as `evaluatePlacement` does.
 */
export function evaluateNeural(head: NeuralHead, problem: PlacementProblem, placement: Placement): PlacementEvaluation {
  const evaluation = evaluatePlacement(problem, placement);
  const here: number[][] = Array.from({ length: deviceCount(problem) }, () => []);
  for (const [t, { option, devices }] of placement.choices.entries()) {
    for (const [k, device] of devices.entries()) here[device]?.push(problem.setCost?.partOf(t, option, k) as number);
  }
  const deviceCosts = here.map((parts) => exactCost(head, parts));
  const falling = deviceCosts.toSorted((a, b) => b.compare(a));
  const [largest, secondLargest = Rational.zero] = falling as [Rational, Rational?];
  const sum = deviceCosts.reduce((total, cost) => total.add(cost), Rational.zero);
  return { ...evaluation, deviceCosts, largest, objective: largest, sum, secondLargest };
}
