import type { Command, Option } from 'commander'
import type { ProgramFor } from '../command-entry.ts'
import { print } from '../output/print.ts'
import type { Terminal } from '../terminal/terminal.ts'

export async function printWords(given: readonly string[], programFor: ProgramFor, terminal: Terminal): Promise<void> {
  const program = await programFor(given[0])
  print(
    terminal,
    followers(program, given)
      .map((word) => `${word}\n`)
      .join(''),
  )
}

/** What can replace the last word. Empty if only the user knows. */
export function followers(program: Command, words: readonly string[]): readonly string[] {
  const before = words.slice(0, -1)
  const last = words.at(-1) ?? ''
  if (before.includes('--')) return []
  const { command, rest } = descend(program, before)
  const option = command.options.find((each) => takesValue(each) && isSpelt(each, rest.at(-1) ?? ''))
  if (option !== undefined) return startingWith(last, option.argChoices ?? [])
  if (last.startsWith('-')) return startingWith(last, ['--help', ...command.options.flatMap(({ long }) => long ?? [])])
  const isFirst = rest.every((word) => word.startsWith('-'))
  const choices = isFirst ? command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []) : []
  return startingWith(last, [...(isFirst ? shownCommands(command) : []), ...choices])
}

/** The command that the words lead to, and the words after its name. */
function descend(
  program: Command,
  words: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } {
  const [word, ...rest] = words
  const child = program.commands.find((each) => each.name() === word || each.aliases().includes(word ?? ''))
  return child === undefined ? { command: program, rest: words } : descend(child, rest)
}

function shownCommands(command: Command): readonly string[] {
  const help = command.createHelp()
  return help.visibleCommands(command).map((child) => child.name())
}

function takesValue(option: Option): boolean {
  return option.required || option.optional
}

function isSpelt({ short, long }: Option, word: string): boolean {
  return word !== '' && (word === short || word === long)
}

function startingWith(prefix: string, words: readonly string[]): readonly string[] {
  return words.filter((word) => word.startsWith(prefix)).sort()
}
