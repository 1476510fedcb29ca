import { Argument, Command, Option } from 'commander'
import { given } from '../../arguments/given.ts'
import { platformOption } from '../../arguments/platform-option.ts'
import { type OutputFormat, outputOption } from '../../output/format.ts'
import type { SessionFlags } from '../session.ts'
import { keyNameArgument, lifetimeArgument } from './arguments.ts'
import type { KeyCreateOptions } from './options.ts'
import { addScopeOptions, type ScopeFlags, scopeOf } from './scope-flags.ts'

interface CreateFlags extends SessionFlags, ScopeFlags {
  readonly displayName?: string
  readonly description?: string
  readonly user?: string
  readonly team?: string
  readonly expireAfter?: number
  readonly sliding?: boolean
  readonly file?: string
  readonly output: OutputFormat
  readonly quiet?: boolean
}

export function createCommand(create: (options: KeyCreateOptions) => Promise<void>): Command {
  const command = new Command('create')
    .description('Create an access key. Its value is shown once.')
    .addArgument(new Argument('[name]', 'name of the key (default: a generated name)').argParser(keyNameArgument))
    .option('--display-name <text>', 'display name')
    .option('--description <text>', 'what the key is for')
    .option('--user <user>', 'user that the key acts for (default: you)')
    .addOption(new Option('--team <team>', 'team that the key acts for').conflicts('user'))
    .option('--expire-after <duration>', 'lifetime: 30d, 12h, 1w, 1d12h (default: no end)', lifetimeArgument)
    .option('--sliding', 'count that time from the last use instead of from now')
  return addScopeOptions(command)
    .option('-f, --file <file>', 'take the rest from an OwnedAccessKey in YAML or JSON; - reads standard input')
    .addOption(platformOption())
    .addOption(outputOption())
    .addOption(new Option('-q, --quiet', 'print the value and nothing else').conflicts('output'))
    .addHelpText('after', examples)
    .action((name: string | undefined, flags: CreateFlags) => create(createOptions(name, flags)))
}

const examples = `
Without --project, --space, --virtual-cluster, --cluster and --role, the key may do everything that its owner may do. With any
of these options, it may do only what at least one of them covers. Each can be repeated.

Examples:
  tenant platform keys create ci --expire-after 30d --project web
  tenant platform keys create --display-name "Laptop of Ada" --expire-after 1w --sliding
  tenant platform keys create shared --role tenant --role platformCLI:web,shop
  tenant platform keys create deploy --virtual-cluster web/staging --quiet | gh secret set TENANT_ACCESS_KEY
  tenant platform keys create -f key.yaml -o yaml
`

function createOptions(name: string | undefined, flags: CreateFlags): KeyCreateOptions {
  const { displayName, description, user, team, file, platform, expireAfter: ttlSeconds } = flags
  return {
    ...given({ name, displayName, description, user, team, ttlSeconds, scope: scopeOf(flags), file, platform }),
    sliding: flags.sliding ?? false,
    quiet: flags.quiet ?? false,
    output: flags.output,
  }
}
