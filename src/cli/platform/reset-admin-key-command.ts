import { Command } from 'commander'
import { platformDataDirectory } from '../arguments/data-directory.ts'

export interface ResetAdminKeyOptions {
  /** `etcd:URL`. */
  readonly store: string
  readonly dataDir: string
}

export function resetAdminKeyCommand(
  env: NodeJS.ProcessEnv,
  reset: (options: ResetAdminKeyOptions) => Promise<void>,
): Command {
  return new Command('reset-admin-key')
    .description(
      "Make a new administrator's key for all replicas of a platform, when the one it has is lost or known to others.",
    )
    .requiredOption('--store <url>', 'where the platform keeps its objects: etcd:URL[,URL]')
    .option('--data-dir <dir>', 'where the new key is kept, as admin.key', platformDataDirectory(env))
    .addHelpText('after', examples)
    .action(reset)
}

const examples = `
The command writes to the store, so it needs write access there, and no server has to run. Running replicas accept the
new key at once, refuse the old one, and record the change in their audit logs. An embedded store has one server and
needs no command: stop it, remove admin.key from its data directory, and start it again. A platform of tenant platform
install has its key from a Secret: tenant platform upgrade --new-admin-key.

Examples:
  tenant platform reset-admin-key --store etcd:http://10.0.0.1:2379 --data-dir /var/lib/tenant
`
