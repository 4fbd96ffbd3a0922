import {
  type CompletedArgument,
  type CompletedCommand,
  type CompletedOption,
  type CompletedProgram,
  type Expected,
  isOuter,
} from "./words.js";

/** The script for zsh: sourced after `compinit`, or a file `_shardproof` in a folder of `fpath`. */
export function zshScript({ options, commands }: CompletedProgram): string {
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
${commands
  .filter(isOuter)
  .map(({ name, description }) => `      ${quoted(`${name}:${description}`)}`)
  .join("\n")}
    )
    _describe command commands
    ;;
  argument)
    curcontext="\${curcontext%:*:*}:shardproof-$words[1]:"
    case $words[1] in
${commands
  .filter(isOuter)
  .map((command) => commandCase(command, commands))
  .join("\n")}
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

function commandCase(command: CompletedCommand, all: readonly CompletedCommand[]): string {
  const { name, commands: inner } = command;
  if (inner.length === 0) return `    ${name})\n      ${argumentsOf(command)}\n      ;;`;
  const cases = inner.map((word) => {
    const found = all.find((one) => one.name === `${name} ${word}`) as CompletedCommand;
    return `      ${word})\n      shift words; (( CURRENT -= 1 ))\n      ${argumentsOf(found)}\n      ;;`;
  });
  return `    ${name})
      case $words[2] in
${cases.join("\n")}
      *)
      (( CURRENT == 2 )) && compadd ${inner.join(" ")}
      ${argumentsOf(command)}
      ;;
      esac
      ;;`;
}

function argumentsOf({ options, arguments: its }: CompletedCommand): string {
  return `_arguments \\\n${listed([...options.map(optionSpec), ...its.map(argumentSpec)])}`;
}

function listed(specs: readonly string[]): string {
  return specs.map((spec) => `    ${spec}`).join(" \\\n");
}

function optionSpec({ names, description, value }: CompletedOption): string {
  const text = `[${escaped(description)}]${value === null ? "" : `:value:${action(value)}`}`;
  if (names.length === 1) return quoted(`${names[0]}${text}`);
  return `${quoted(`(${names.join(" ")})`)}{${names.join(",")}}${quoted(text)}`;
}

function argumentSpec({ name, expected, isRepeated }: CompletedArgument, index: number): string {
  return quoted(`${isRepeated ? "*" : index + 1}:${name}:${action(expected)}`);
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
