import type { Command } from "commander";
import { argumentOf, type CompletedCommand, completedCommands, type Expected } from "./words.js";

/**
 * The script for bash (3.2 on). The line is read anew instead of from `COMP_WORDS`, because bash cuts words at `:` and `=`,
 * which `native:cbc` and `--solver=highs` have.
 */
export function bashScript(program: Command): string {
  const all = completedCommands(program);
  const [, ...commands] = all;
  return `# Completion of shardproof for bash: source <(shardproof completion bash)

# What the value of an option is; nothing for an option that takes none.
_shardproof_value() {
  case "$1 $2" in
${cases(all.flatMap(valueCases))}
  esac
}

# What an argument of a command is, counted from 1.
_shardproof_argument() {
  case "$1 $2" in
${cases(commands.flatMap(argumentCases))}
  esac
}

# Commands of a command.
_shardproof_commands() {
  case "$1" in
${cases(commands.map(({ name, command }) => [`'${name}'`, namesIn(command)]))}
  esac
}

_shardproof_options() {
  case "$1" in
${cases(all.map(({ name, options: its }) => [`'${name}'`, its.flatMap(({ names }) => names).join(" ")]))}
  esac
}

# Names in the file system: folders, and what ends in one of the arguments.
_shardproof_files() {
  local name ending
  compopt -o filenames 2>/dev/null
  while IFS= read -r name; do
    if [[ -d \${name/#\\~/$HOME} ]]; then
      COMPREPLY+=("$name")
      continue
    fi
    for ending in "$@"; do
      [[ $name == *"$ending" ]] && COMPREPLY+=("$name") && break
    done
  done < <(compgen -f -- "$cur")
}

_shardproof() {
  local line=\${COMP_LINE:0:COMP_POINT} cur= command= expected= position=1 word reply
  local -a words
  COMPREPLY=()
  read -r -a words <<<"$line"
  if [[ $line != *[[:space:]] ]]; then
    cur=\${words[\${#words[@]} - 1]}
    unset "words[\${#words[@]} - 1]"
  fi
  for word in "\${words[@]:1}"; do
    if [[ -n $expected ]]; then
      expected=
    elif [[ $word == -?* ]]; then
      expected=$(_shardproof_value "$command" "$word")
    elif [[ -z $command ]]; then
      command=$word
    elif [[ $position == 1 && " $(_shardproof_commands "$command") " == *" $word "* ]]; then
      command="$command $word"
    else
      position=$((position + 1))
    fi
  done
  if [[ $cur == --*=* ]]; then
    expected=$(_shardproof_value "$command" "\${cur%%=*}")
    cur=\${cur#*=}
  elif [[ $cur == -* ]]; then
    expected="words $(_shardproof_options "$command")"
  elif [[ -z $expected && -z $command ]]; then
    expected='words ${namesIn(program)}'
  elif [[ -z $expected ]]; then
    expected=$(_shardproof_argument "$command" "$position")
    [[ $position == 1 ]] && COMPREPLY+=($(compgen -W "$(_shardproof_commands "$command")" -- "$cur"))
  fi
  case $expected in
  words*) COMPREPLY+=($(compgen -W "\${expected#words}" -- "$cur")) ;;
  files*) _shardproof_files \${expected#files} ;;
  folders) _shardproof_files ;;
  any-files) _shardproof_files '' ;;
  esac
  # bash puts in what comes after the last colon.
  if [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]]; then
    for word in "\${!COMPREPLY[@]}"; do
      reply=\${COMPREPLY[word]}
      COMPREPLY[word]=\${reply#"\${cur%"\${cur##*:}"}"}
    done
  fi
}

complete -F _shardproof shardproof
`;
}

type Case = readonly [pattern: string, text: string];

/** Patterns with one text are one case; those whose text is empty are left out. */
function cases(list: readonly Case[]): string {
  const patterns = new Map<string, string[]>();
  for (const [pattern, text] of list) if (text !== "") patterns.set(text, [...(patterns.get(text) ?? []), pattern]);
  return [...patterns].map(([text, of]) => `  ${of.join(" | ")}) echo '${text}' ;;`).join("\n");
}

function namesIn({ commands }: Command): string {
  return commands.map((inner) => inner.name()).join(" ");
}

function valueCases({ name, options }: CompletedCommand) {
  return options.flatMap(({ names, value }) =>
    value === null ? [] : names.map((option): Case => [`'${name} ${option}'`, expectedText(value)]),
  );
}

function argumentCases({ name, command }: CompletedCommand): Case[] {
  return command.registeredArguments.map((argument, index) => [
    argument.variadic ? `'${name} '*` : `'${name} ${index + 1}'`,
    expectedText(argumentOf(argument)),
  ]);
}

function expectedText(expected: Expected): string {
  switch (expected.kind) {
    case "words":
      return `words ${expected.words.join(" ")}`;
    case "files":
      return expected.endings.length === 0 ? "any-files" : `files ${expected.endings.join(" ")}`;
    default:
      return expected.kind;
  }
}
