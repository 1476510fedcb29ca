import { Command } from 'commander'
import { platformDataDirectory } from '../../arguments/data-directory.ts'

export interface AdminResetOptions {
  /** `etcd:URL`; absent, or `file:DIR`: the server of the data directory is asked. */
  readonly store?: string
  readonly dataDir: string
}

type Reset = (options: AdminResetOptions) => Promise<void>

export function adminCommand(env: NodeJS.ProcessEnv, reset: Reset): Command {
  return new Command('admin')
    .description('Manage the first administrator of a platform, on the machine that it runs on.')
    .addCommand(resetCommand('reset', env, reset))
}

/** Also available under its former name. */
export function resetCommand(name: string, env: NodeJS.ProcessEnv, reset: Reset): Command {
  return new Command(name)
    .description('Create a new key for the first administrator, if the old one is lost, revoked or known to others.')
    .option(
      '--data-dir <dir>',
      'the data directory of the platform; the new key is written to admin.key there',
      platformDataDirectory(env),
    )
    .option('--store <url>', 'write to the store of the platform: etcd:URL[,URL]; no server needs to run')
    .addHelpText('after', examples)
    .action(reset)
}

const examples = `
The previous key is deleted with every session that it started, and the user admin is unlocked. Keys that were created with it
stay: check tenant platform keys list. A running server accepts the new key within a second, a stopped server at its next
start. Every replica records the change in its audit log. A platform of tenant platform install reads its key from a Secret:
use tenant platform upgrade --new-admin-key for it.

Examples:
  tenant platform admin reset --data-dir /var/lib/tenant
  tenant platform admin reset --data-dir ~/.tenant/data
  tenant platform admin reset --store etcd:http://10.0.0.1:2379 --data-dir /var/lib/tenant
`
