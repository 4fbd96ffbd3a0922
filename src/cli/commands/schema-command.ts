import type { Command } from "commander";
import { example } from "./example.js";

const HELP = `
Editors that know JSON Schema check and complete instance files with it; in VS Code, with the YAML extension, write
"# yaml-language-server: $schema=instance.schema.json" as the first line of the instance.
`;

const EXAMPLE = example(`
$ shardproof schema > instance.schema.json
$ shardproof schema --plan table-placement > plan.schema.json
`);

/** Adds `schema` to the commands. Its code is loaded when it runs. */
export function addSchemaCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  program
    .command("schema")
    .description("print the JSON Schema of the instance file, or of plan files")
    .option("--plan [problem]", "of plan files: of all problems, or of one, such as table-placement")
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (options) => finish((await import("./schema.js")).runSchema(options)));
}
