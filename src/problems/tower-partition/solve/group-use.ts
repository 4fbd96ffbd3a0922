import type { Group } from "./numbers.js";

/** How much the master uses a group. */
export interface GroupUse {
  readonly group: Group;
  readonly times: number;
}
