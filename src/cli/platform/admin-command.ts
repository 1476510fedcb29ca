import { Command } from 'commander'
import { platformDataDirectory } from '../arguments/data-directory.ts'

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
    .description('Make a new key for the first administrator, if the old one is lost, revoked or known to others.')
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
The key before is deleted, with every session that was started with it, and the user admin is unlocked. Keys that were made
with it stay: look through tenant platform keys list. A running server takes the new key within a second; one that does not
run, with its next start. Every replica writes the change to its audit log. A platform of tenant platform install has its
key from a Secret: tenant platform upgrade --new-admin-key.

Examples:
  tenant platform admin reset --data-dir /var/lib/tenant
  tenant platform admin reset --data-dir ~/.tenant/data
  tenant platform admin reset --store etcd:http://10.0.0.1:2379 --data-dir /var/lib/tenant
`
