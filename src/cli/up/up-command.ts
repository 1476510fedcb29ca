import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { parsePort } from '../port-argument.ts'
import type { Terminal } from '../terminal.ts'
import { untilStopped } from '../until-stopped.ts'

interface UpFlags {
  readonly dataDir: string
  readonly port: number
  readonly demo: boolean
  readonly store?: string
  readonly domain: string
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
}

export function upCommand(terminal: Terminal): Command {
  return new Command('up')
    .description(
      'Start everything on this machine: the platform with its console, an embedded host cluster, and a virtual cluster.',
    )
    .option('--data-dir <dir>', 'where data, certificates and the kubeconfig are kept', join(homedir(), '.tenant/data'))
    .option('--port <number>', "the platform's HTTPS port; 0 picks a free one", parsePort, 8443)
    .option('--no-demo', 'start without a demo tenant')
    .option(
      '--store <url>',
      'where the platform keeps its objects: file:DIR or etcd:URL[,URL] (default: the data directory)',
    )
    .option('--domain <domain>', 'the platform domain; the API group is management.<domain>', 'platform.internal')
    .option('--log-level <level>', 'debug, info, warn or error', 'warn')
    .addHelpText('after', examples)
    .action((flags: UpFlags) => run(flags, terminal))
}

const examples = `
Examples:
  tenant up                                 serve on https://127.0.0.1:8443, with the virtual cluster demo
  tenant up --no-demo --port 0 --data-dir /tmp/try
  kubectl --kubeconfig ~/.tenant/data/kubeconfig --context platform get ownedaccesskeys
  kubectl --kubeconfig ~/.tenant/data/kubeconfig --context tenant_demo get services,endpoints
  kubectl --kubeconfig ~/.tenant/data/kubeconfig --context host -n tenant-demo get services,endpoints
`

/** The servers are loaded when they are to run: other commands start several times faster without them. */
async function run(flags: UpFlags, terminal: Terminal): Promise<void> {
  const [{ createLog }, { startUp }, { welcome }] = await Promise.all([
    import('../../base/log.ts'),
    import('./start-up.ts'),
    import('./welcome.ts'),
  ])
  const log = createLog({ level: flags.logLevel })
  const directory = resolve(flags.dataDir)
  const running = await startUp({
    directory,
    port: flags.port,
    domain: flags.domain,
    platformStore: flags.store ?? `file:${join(directory, 'platform')}`,
    withDemo: flags.demo,
    log,
  })
  terminal.stdout.write(`${welcome(running)}ready\n`)
  await untilStopped()
  await running.stop()
  log.flush()
}
