import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import type { RequestTarget } from '../../../api/access.ts'
import { UsageError } from '../../../base/usage-error.ts'
import { given } from '../../arguments/given.ts'
import { platformOption } from '../../arguments/platform-option.ts'
import { type OutputFormat, outputOption } from '../../output/format.ts'
import type { SessionFlags } from '../session.ts'
import { keyNameArgument } from './arguments.ts'
import type { ExplainOptions } from './options.ts'

interface ExplainFlags extends SessionFlags {
  readonly verb: string
  readonly resource?: string
  readonly path?: string
  readonly namespace?: string
  readonly name?: string
  readonly target: RequestTarget
  readonly output: OutputFormat
}

export function explainCommand(explain: (options: ExplainOptions) => Promise<void>): Command {
  return new Command('explain')
    .description(
      'Explain whether a request with a key would be allowed; if not, which layer refuses it and the smallest change that would help.',
    )
    .addArgument(new Argument('<key>', 'name of the key').argParser(keyNameArgument))
    .requiredOption('--verb <verb>', 'get, list, watch, create, update, patch, delete, use, …')
    .option('--resource <resource>', 'the requested resource, such as pods, deployments.apps or pods/log')
    .addOption(new Option('--path <path>', 'a path instead of a resource, such as /metrics').conflicts('resource'))
    .option('-n, --namespace <namespace>', 'in which namespace (default: none, or all)')
    .option('--name <name>', 'which one (default: any)')
    .addOption(targetOption())
    .addOption(outputOption())
    .addOption(platformOption())
    .addHelpText('after', examples)
    .action((key: string, flags: ExplainFlags) => explain(explainOptions(key, flags)))
}

const examples = `
Always exits with 0; with -o json, the answer is in status.allowed.

Examples:
  tenant platform keys explain ci --verb create --resource virtualclusterinstances -n p-web
  tenant platform keys explain ci --verb list --resource pods -n default --target virtual-cluster/web/staging
  tenant platform keys explain ci --verb get --path /metrics
`

function targetOption(): Option {
  return new Option('--target <target>', 'where it goes: management, cluster/C, space/P/S or virtual-cluster/P/V')
    .argParser(readTarget)
    .default({ kind: 'management' }, 'management')
}

function readTarget(text: string): RequestTarget {
  const [kind = '', first = '', second = '', ...more] = text.split('/')
  if (more.length === 0) {
    if (kind === 'management' && first === '') return { kind }
    if (kind === 'cluster' && first !== '' && second === '') return { kind, cluster: first }
    if (kind === 'space' && second !== '') return { kind, project: first, space: second }
    if (kind === 'virtual-cluster' && second !== '') return { kind, project: first, virtualCluster: second }
  }
  throw new InvalidArgumentError('It must be management, cluster/C, space/P/S or virtual-cluster/P/V.')
}

function explainOptions(keyName: string, flags: ExplainFlags): ExplainOptions {
  const { verb, target, output, platform } = flags
  return { keyName, verb, asked: askedOf(flags), target, output, ...given({ platform }) }
}

function askedOf({ resource, path, namespace = '', name = '' }: ExplainFlags): ExplainOptions['asked'] {
  if (path !== undefined) return { path }
  if (resource === undefined) throw new UsageError('name the request with --resource or --path')
  const [qualified = '', subresource = ''] = resource.split('/')
  const dot = qualified.indexOf('.')
  const [plural, group] = dot < 0 ? [qualified, ''] : [qualified.slice(0, dot), qualified.slice(dot + 1)]
  return { resource: plural, group, subresource, namespace, name }
}
