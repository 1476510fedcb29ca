import { Argument, Command } from 'commander'
import type { SecretPlace } from '../../../api/types/management.ts'
import { platformOption } from '../../arguments/platform-option.ts'
import { outputOption } from '../../output/format.ts'
import { keyNameArgument } from './arguments.ts'
import type { ListOptions, SecretsOptions } from './options.ts'
import { secretPlaceArgument } from './secret-place-argument.ts'

interface SecretsFlags extends ListOptions {
  readonly add?: readonly SecretPlace[]
  readonly remove?: readonly SecretPlace[]
}

export function secretsCommand(secrets: (options: SecretsOptions) => Promise<void>): Command {
  return new Command('secrets')
    .description('Show, and change, which Secrets every new value of a key is written into when it is rotated.')
    .addArgument(new Argument('<name>', 'name of the key').argParser(keyNameArgument))
    .option(
      '--add <secret>',
      'CLUSTER:NAMESPACE/NAME, with #ENTRY if not accessKey; can be repeated',
      secretPlaceArgument,
    )
    .option('--remove <secret>', 'the same; the Secret itself stays', secretPlaceArgument)
    .addOption(outputOption())
    .addOption(platformOption())
    .addHelpText('after', examples)
    .action((name: string, { add = [], remove = [], ...flags }: SecretsFlags) =>
      secrets({ ...flags, name, add, remove }),
    )
}

const examples = `
Adding a Secret takes the right to update it where it is, and a key of your own without a scope.

Examples:
  tenant platform keys secrets shared
  tenant platform keys secrets shared --add host:tenant-platform/tenant-platform-api-key
  tenant platform keys secrets ci --add default/ci#token --remove default/old
`
