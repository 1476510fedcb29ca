import { Argument, Command, InvalidArgumentError } from 'commander'
import type { SecretPlace } from '../../../api/types/management.ts'
import { platformOption } from '../../arguments/platform-option.ts'
import { outputOption } from '../../output/format.ts'
import { keyNameArgument } from './arguments.ts'
import type { KeyListOptions, SecretsOptions } from './options.ts'

interface SecretsFlags extends KeyListOptions {
  readonly add?: readonly SecretPlace[]
  readonly remove?: readonly SecretPlace[]
}

export function secretsCommand(secrets: (options: SecretsOptions) => Promise<void>): Command {
  return new Command('secrets')
    .description('Show or change the Secrets that a rotation of a key writes the new value into.')
    .addArgument(new Argument('<name>', 'name of the key').argParser(keyNameArgument))
    .option(
      '--add <secret>',
      'write new values into CLUSTER:NAMESPACE/NAME, with #ENTRY if not accessKey; can be repeated',
      secretPlaceArgument,
    )
    .option(
      '--remove <secret>',
      'stop writing new values into this Secret, which stays as it is; can be repeated',
      secretPlaceArgument,
    )
    .addOption(outputOption())
    .addOption(platformOption())
    .addHelpText('after', examples)
    .action((name: string, { add = [], remove = [], ...flags }: SecretsFlags) =>
      secrets({ ...flags, name, add, remove }),
    )
}

const examples = `
To add a Secret, you need the right to update it on its cluster, and must be logged in with a key without a scope.

Examples:
  tenant platform keys secrets shared
  tenant platform keys secrets shared --add host:tenant-platform/tenant-platform-api-key
  tenant platform keys secrets ci --add default/ci#token --remove default/old
`

const form = /^(?:([a-z0-9.-]+):)?([a-z0-9-]+)\/([a-z0-9.-]+)(?:#([-._a-zA-Z0-9]+))?$/

/** `[CLUSTER:]NAMESPACE/NAME[#ENTRY]`; without a cluster it is the platform itself. */
function secretPlaceArgument(text: string, before: readonly SecretPlace[] = []): readonly SecretPlace[] {
  const [, cluster, namespace, name, entry] = form.exec(text) ?? []
  if (namespace === undefined || name === undefined) {
    throw new InvalidArgumentError(
      'A Secret is written as CLUSTER:NAMESPACE/NAME, or NAMESPACE/NAME on the platform itself.',
    )
  }
  const place = {
    ...(cluster === undefined ? {} : { cluster }),
    namespace,
    name,
    ...(entry === undefined ? {} : { entry }),
  }
  return [...before, place]
}
