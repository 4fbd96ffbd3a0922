import type { Placement } from "../../../../models/table-placement/problem.js";
import type { WrittenChoices } from "./plan-file.js";

export function writtenChoices({ choices }: Placement): WrittenChoices {
  return choices.map(({ option, devices }) => [option, devices]);
}

export function placementOf(choices: WrittenChoices): Placement {
  return { choices: choices.map(([option, devices]) => ({ option, devices })) };
}
