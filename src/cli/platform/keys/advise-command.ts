import { Argument, Command, Option } from 'commander'
import { platformOption } from '../../arguments/platform-option.ts'
import { keyNameArgument } from './arguments.ts'
import type { AdviseOptions } from './options.ts'

export function adviseCommand(advise: (options: AdviseOptions) => Promise<void>): Command {
  return new Command('advise')
    .description('Propose the narrowest scope that covers everything that a key was used for.')
    .addArgument(new Argument('<name>', 'name of the key').argParser(keyNameArgument))
    .addOption(formatOption())
    .addOption(platformOption())
    .addHelpText('after', examples)
    .action((name: string, flags: Omit<AdviseOptions, 'name'>) => advise({ ...flags, name }))
}

function formatOption(): Option {
  return new Option('-o, --output <format>', 'the patch, or the whole advice')
    .choices(['patch', 'json', 'yaml'])
    .default('patch')
}

const examples = `
Prints a patch of the key to standard output, and notes about it to standard error. Changes nothing.

Examples:
  tenant platform keys advise ci
  tenant platform keys advise ci > narrower.yaml
  kubectl patch ownedaccesskey ci --type merge --patch-file narrower.yaml
`
