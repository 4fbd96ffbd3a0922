import type { Command } from "commander";
import { UsageError } from "../../errors/usage-error.js";

/** The parser of an option that may be repeated: its values in their order. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/**
 * Refuses, of a command and those in it, an option that is given twice where it has one value: of two, one would be dropped
 * without a word. Options with several values (`<file...>`, or {@link collected}) and switches may be repeated.
 */
export function refuseRepeats(command: Command): void {
  command.commands.forEach(refuseRepeats);
  for (const option of command.options) {
    const takesValue = option.required || option.optional;
    const collects = option.variadic || option.parseArg === collected;
    if (!takesValue || collects) continue;
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven) throw new UsageError(`${option.long ?? option.short} was given twice; it takes one value`);
      isGiven = true;
    });
  }
}
