import { Command, CommanderError } from 'commander'
import { withoutKeys } from '../auth/keys/redact.ts'
import { errorText } from '../base/error-text.ts'
import { packageVersion } from '../base/package-version.ts'
import { UsageError } from '../base/usage-error.ts'
import { ChildEnded } from './child-ended.ts'
import type { CommandEntry, ProgramFor } from './command-entry.ts'
import { commandEntries, isCalled } from './commands.ts'
import { say } from './output/messages.ts'
import { print } from './output/print.ts'
import { ReportedFailure } from './reported-failure.ts'
import { isInterruption } from './terminal/interruption.ts'
import type { Terminal } from './terminal/terminal.ts'
import { writeTerminationMessage } from './terminal/termination-log.ts'

/** 0 for success, 1 for failure, 2 for wrong usage, 130 for an interruption. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const named = args.filter((arg) => !arg.startsWith('-'))
  const wanted = named[0] === 'help' ? named[1] : named[0]
  try {
    const program = await createProgram(terminal, (entry) => isCalled(entry, wanted))
    const isWrong = isUnknown(program, named)
    if (isWrong && (await isOfPlatform(wanted, terminal)))
      throw new UsageError(`unknown command '${wanted}': it is tenant platform ${wanted}`)
    await program.parseAsync(isWrong ? withoutHelp(args) : [...args], { from: 'user' })
    return 0
  } catch (error) {
    return exitCodeFor(error, terminal)
  }
}

/** Whether the words lead to no command. Words after a command that takes arguments are its arguments. */
function isUnknown(program: Command, [word, ...rest]: readonly string[]): boolean {
  if (word === undefined || program.commands.length === 0 || program.registeredArguments.length > 0) return false
  if (word === 'help') return isUnknown(program, rest)
  const next = program.commands.find((command) => command.name() === word || command.aliases().includes(word))
  return next === undefined || isUnknown(next, rest)
}

/** Many look for `tenant login` or `tenant keys` first. */
async function isOfPlatform(word: string | undefined, terminal: Terminal): Promise<boolean> {
  if (word === undefined || commandEntries.some((entry) => isCalled(entry, word))) return false
  const { platformCommand } = await import('./platform/platform-command.ts')
  return platformCommand(terminal).commands.some((command) => command.name() === word)
}

/** The help of the parent command would hide that the command does not exist. */
function withoutHelp(args: readonly string[]): string[] {
  return args.filter((arg) => !['help', '--help', '-h'].includes(arg))
}

/** Loads the needed commands; for the others, only what the list of commands shows. */
export async function createProgram(terminal: Terminal, isNeeded: (entry: CommandEntry) => boolean): Promise<Command> {
  const program = new Command('tenant')
    .description('Run many virtual Kubernetes clusters on shared hosts.')
    .version(packageVersion())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => print(terminal, text),
      writeErr: (text) => say(terminal, text.replace(/\n$/, '')),
      outputError: (text, write) => write(hideSecrets(text)),
    })
  const programFor: ProgramFor = (word) => createProgram(terminal, (entry) => isCalled(entry, word))
  for (const entry of commandEntries) {
    const command = isNeeded(entry) ? await entry.load(terminal, programFor) : outlineOf(entry)
    program.addCommand(inherit(program, command))
  }
  return program
}

function outlineOf({ name, alias, description }: CommandEntry): Command {
  const command = new Command(name).description(description)
  return alias === undefined ? command : command.alias(alias)
}

function inherit(program: Command, command: Command): Command {
  for (const child of command.commands) inherit(program, child)
  return command
    .copyInheritedSettings(program)
    .exitOverride()
    .showSuggestionAfterError(command.commands.length === 0)
    .configureOutput({ outputError: (text, write) => write(hideSecrets(withPurpose(text, command))) })
}

/** The parser says only what is wrong. The description of what is missing, or the help, says what to write. */
function withPurpose(text: string, command: Command): string {
  if (/^error: (too many arguments|unknown option) .*\n$/.test(text))
    return `${text.replace(/\.?\n$/, '')}; see ${pathOf(command)} --help\n`
  if (/^error: unknown command .*\n$/.test(text))
    return `${text.replace(/\n$/, '')}; ${pathOf(command)} has ${namesOf(command)}\n`
  const option = command.options.find(({ flags }) => text === `error: required option '${flags}' not specified\n`)
  if (option !== undefined) return missing(option.flags, option.description, command)
  const argument = command.registeredArguments.find(
    (each) => text === `error: missing required argument '${each.name()}'\n`,
  )
  return argument === undefined ? text : missing(`<${argument.name()}>`, argument.description, command)
}

/** Of a few commands, the nearest in spelling is often not the one that was meant. */
function namesOf({ commands }: Command): string {
  const names = commands.map((each) => each.name())
  return `${names.slice(0, -1).join(', ')}${names.length > 1 ? ' and ' : ''}${names.at(-1)}`
}

function missing(what: string, purpose: string, command: Command): string {
  return `error: ${what} is missing: ${purpose}; see ${pathOf(command)} --help\n`
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}

function exitCodeFor(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof ReportedFailure) return 1
  if (error instanceof ChildEnded) return error.exitCode
  const text = `error: ${hideSecrets(errorText(error))}`
  say(terminal, text)
  writeTerminationMessage(text)
  if (isInterruption(error)) return 130
  return error instanceof UsageError ? 2 : 1
}

/** A message about a wrong command line repeats parts of it, and one of them may be a key. */
function hideSecrets(text: string): string {
  return withoutKeys(text.replace(/(--?[\w-]*key[\w-]*=)[^'"\s]*/gi, '$1[hidden]'))
}
