import type { SetCost } from "../../../src/cost/neural/set-cost.js";
import { evaluatePlacement, ofSets, type PlacementEvaluation, total, twoLargest } from "../evaluate.js";
import { deviceCount, type Placement, type PlacementProblem } from "../problem.js";
import { exactCost, type NeuralHead } from "./head.js";

/**
 * Evaluates a placement under a network in exact arithmetic: what the network's weights say of every device, without the
 * rounding of a prediction in doubles (which differs in the last digits). Throws as `evaluatePlacement` does.
 */
export function evaluateNeural(head: NeuralHead, problem: PlacementProblem, placement: Placement): PlacementEvaluation {
  const evaluation = evaluatePlacement(problem, placement);
  const setCost = problem.setCost as SetCost;
  const deviceCosts = ofSets(setCost, placement, deviceCount(problem), (parts) => exactCost(head, parts));
  const [largest, secondLargest] = twoLargest(deviceCosts);
  return { ...evaluation, deviceCosts, largest, objective: largest, sum: total(deviceCosts), secondLargest };
}
