import { Argument, Command } from 'commander'
import { platformOption } from '../../arguments/platform-option.ts'
import { outputOption } from '../../output/format.ts'
import { keyNameArgument } from './arguments.ts'
import type { GetOptions, ListOptions } from './options.ts'

export function adviseCommand(advise: (options: GetOptions) => Promise<void>): Command {
  return new Command('advise')
    .description('Propose the narrowest scope with which a key can do all that it did so far.')
    .addArgument(new Argument('<name>', 'name of the key').argParser(keyNameArgument))
    .addOption(outputOption())
    .addOption(platformOption())
    .addHelpText('after', examples)
    .action((name: string, flags: ListOptions) => advise({ ...flags, name }))
}

const examples = `
Prints a patch of the key, and what has to be known about it on stderr. Nothing is changed.

Examples:
  tenant platform keys advise ci
  tenant platform keys advise ci > narrower.yaml
  kubectl patch ownedaccesskey ci --type merge --patch-file narrower.yaml
`
