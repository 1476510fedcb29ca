import { Argument, Command, Option } from 'commander'
import { durationArgument } from '../../arguments/duration-argument.ts'
import { platformOption } from '../../arguments/platform-option.ts'
import { outputOption } from '../../output/format.ts'
import type { SessionFlags } from '../session.ts'
import { adviseCommand } from './advise-command.ts'
import { keyNameArgument, keyNamesArgument } from './arguments.ts'
import { createCommand } from './create-command.ts'
import { explainCommand } from './explain-command.ts'
import type {
  AdviseOptions,
  ExplainOptions,
  KeyCreateOptions,
  KeyDeleteOptions,
  KeyGetOptions,
  KeyListOptions,
  RotateOptions,
  SecretsOptions,
  StateOptions,
} from './options.ts'
import { secretsCommand } from './secrets-command.ts'

/** The implementations of the commands; each gets its complete options. */
export interface KeyActions {
  create(options: KeyCreateOptions): Promise<void>
  list(options: KeyListOptions): Promise<void>
  get(options: KeyGetOptions): Promise<void>
  rotate(options: RotateOptions): Promise<void>
  setState(options: StateOptions): Promise<void>
  remove(options: KeyDeleteOptions): Promise<void>
  explain(options: ExplainOptions): Promise<void>
  advise(options: AdviseOptions): Promise<void>
  secrets(options: SecretsOptions): Promise<void>
}

export function keysCommand(actions: KeyActions): Command {
  return new Command('keys')
    .description('Create, list, limit, rotate and delete access keys.')
    .addCommand(createCommand(actions.create))
    .addCommand(listCommand(actions.list))
    .addCommand(getCommand(actions.get))
    .addCommand(rotateCommand(actions.rotate))
    .addCommand(stateCommand('disable', 'Disable keys: they are refused until they are enabled again.', actions))
    .addCommand(stateCommand('enable', 'Enable a disabled key.', actions))
    .addCommand(deleteCommand(actions.remove))
    .addCommand(explainCommand(actions.explain))
    .addCommand(adviseCommand(actions.advise))
    .addCommand(secretsCommand(actions.secrets))
}

function listCommand(list: KeyActions['list']): Command {
  return new Command('list')
    .alias('ls')
    .description('List the keys that you may see: your own, and all of them as an administrator.')
    .addOption(outputOption(['wide']))
    .addOption(platformOption())
    .addHelpText(
      'after',
      `\nExamples:\n  tenant platform keys list\n  tenant platform keys list -o json | jq -r '.items[].metadata.name'\n`,
    )
    .action((flags: KeyListOptions) => list(flags))
}

function getCommand(get: KeyActions['get']): Command {
  return new Command('get')
    .description('Show one key. Its value is never shown again.')
    .addArgument(nameArgument())
    .addOption(outputOption(['wide']))
    .addOption(platformOption())
    .addHelpText('after', '\nExamples:\n  tenant platform keys get ci\n  tenant platform keys get ci -o yaml\n')
    .action((name: string, flags: KeyListOptions) => get({ ...flags, name }))
}

interface RotateFlags extends KeyListOptions {
  readonly overlap?: number
  readonly quiet?: boolean
  readonly yes?: boolean
}

function rotateCommand(rotate: KeyActions['rotate']): Command {
  return new Command('rotate')
    .description(
      'Give a key a new value, which is shown once. Lists the Secrets that it is written into, and asks for confirmation on a terminal.',
    )
    .addArgument(nameArgument())
    .option(
      '--overlap <duration>',
      'how long the old value stays valid, such as 24h (default: not at all)',
      durationArgument,
    )
    .addOption(outputOption())
    .addOption(new Option('-q, --quiet', 'print the value and nothing else').conflicts('output'))
    .option('-y, --yes', 'do not ask for confirmation')
    .addOption(platformOption())
    .addHelpText('after', rotateExamples)
    .action((name: string, { overlap = 0, quiet = false, yes = false, ...flags }: RotateFlags) =>
      rotate({ ...flags, name, quiet, yes, overlapSeconds: overlap }),
    )
}

const rotateExamples = `
If it is the key that you are logged in with, you stay logged in.

Examples:
  tenant platform keys rotate ci --overlap 24h
  tenant platform keys rotate ci --overlap 1h --quiet | gh secret set TENANT_ACCESS_KEY
`

function stateCommand(verb: 'disable' | 'enable', description: string, { setState }: KeyActions): Command {
  return new Command(verb)
    .description(description)
    .addArgument(namesArgument())
    .addOption(outputOption())
    .addOption(platformOption())
    .addHelpText('after', `\nExamples:\n  tenant platform keys ${verb} ci\n`)
    .action((names: readonly string[], flags: KeyListOptions) =>
      setState({ ...flags, names, disabled: verb === 'disable' }),
    )
}

interface DeleteFlags extends SessionFlags {
  readonly output: KeyDeleteOptions['output']
  readonly yes?: boolean
}

function deleteCommand(remove: KeyActions['remove']): Command {
  return new Command('delete')
    .description('Delete keys. They are refused at once. Asks for confirmation on a terminal.')
    .addArgument(namesArgument())
    .option('-y, --yes', 'do not ask for confirmation')
    .addOption(new Option('-o, --output <format>', 'how to print it').choices(['text', 'name']).default('text'))
    .addOption(platformOption())
    .addHelpText(
      'after',
      '\nExamples:\n  tenant platform keys delete ci\n  tenant platform keys delete old-1 old-2 --yes\n',
    )
    .action((names: readonly string[], { yes = false, ...flags }: DeleteFlags) => remove({ ...flags, names, yes }))
}

function nameArgument(): Argument {
  return new Argument('<name>', 'name of the key').argParser(keyNameArgument)
}

function namesArgument(): Argument {
  return new Argument('<names...>', 'names of the keys').argParser(keyNamesArgument)
}
