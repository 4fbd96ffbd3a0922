import type { Argument, Command } from "commander";
import { argumentOf, type CompletedCommand, type CompletedOption, completedCommands, type Expected } from "./words.js";

/** The script for zsh: sourced after `compinit`, or a file `_shardproof` in a folder of `fpath`. */
export function zshScript(program: Command): string {
  const [{ options }, ...commands] = completedCommands(program);
  const outer = commands.filter(({ command }) => command.parent === program);
  return `#compdef shardproof
# Completion of shardproof for zsh: source <(shardproof completion zsh)

_shardproof() {
  local curcontext="$curcontext" state line
  typeset -A opt_args
  _arguments -C \\
${listed(options.map(optionSpec))} \\
    '1:command:->command' \\
    '*::argument:->argument' && return
  case $state in
  command)
    local -a commands
    commands=(
${outer.map(({ name, command }) => `      ${quoted(`${name}:${command.description()}`)}`).join("\n")}
    )
    _describe command commands
    ;;
  argument)
    curcontext="\${curcontext%:*:*}:shardproof-$words[1]:"
    case $words[1] in
${outer.map((one) => commandCase(one, commands)).join("\n")}
    esac
    ;;
  esac
}

if [[ $funcstack[1] == _shardproof ]]; then
  _shardproof "$@"
else
  compdef _shardproof shardproof
fi
`;
}

function commandCase(outer: CompletedCommand, all: readonly CompletedCommand[]): string {
  const { name } = outer;
  const inner = all.filter(({ command }) => command.parent === outer.command);
  if (inner.length === 0) return `    ${name})\n      ${argumentsOf(outer)}\n      ;;`;
  const words = inner.map(({ command }) => command.name());
  const cases = inner.map((one, k) => {
    return `      ${words[k]})\n      shift words; (( CURRENT -= 1 ))\n      ${argumentsOf(one)}\n      ;;`;
  });
  return `    ${name})
      case $words[2] in
${cases.join("\n")}
      *)
      (( CURRENT == 2 )) && compadd ${words.join(" ")}
      ${argumentsOf(outer)}
      ;;
      esac
      ;;`;
}

function argumentsOf({ options, command }: CompletedCommand): string {
  return `_arguments \\\n${listed([...options.map(optionSpec), ...command.registeredArguments.map(argumentSpec)])}`;
}

function listed(specs: readonly string[]): string {
  return specs.map((spec) => `    ${spec}`).join(" \\\n");
}

function optionSpec({ names, description, value }: CompletedOption): string {
  const text = `[${escaped(description)}]${value === null ? "" : `:value:${action(value)}`}`;
  if (names.length === 1) return quoted(`${names[0]}${text}`);
  return `${quoted(`(${names.join(" ")})`)}{${names.join(",")}}${quoted(text)}`;
}

function argumentSpec(argument: Argument, index: number): string {
  return quoted(`${argument.variadic ? "*" : index + 1}:${argument.name()}:${action(argumentOf(argument))}`);
}

function action(expected: Expected): string {
  switch (expected.kind) {
    case "words":
      return `(${expected.words.map(escaped).join(" ")})`;
    case "files":
      if (expected.endings.length === 0) return "_files";
      return `_files -g "*(${expected.endings.join("|")})"`;
    case "folders":
      return "_files -/";
    case "anything":
      return " ";
  }
}

/** With the characters that have a meaning in a specification marked as having none. */
function escaped(text: string): string {
  return text.replace(/[\\:[\]]/g, (letter) => `\\${letter}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
