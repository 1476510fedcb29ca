import { Command } from 'commander'
import type { Terminal } from '../terminal/terminal.ts'
import type { MigrateStoreOptions } from './options.ts'

export function migrateStoreCommand(terminal: Terminal): Command {
  return new Command('migrate-store')
    .description('Copy a store into an empty store, embedded or etcd, and compare both.')
    .requiredOption('--from <url>', 'the store to copy: file:DIR or etcd:URL[,URL]')
    .requiredOption('--to <url>', 'the empty store: file:DIR or etcd:URL[,URL]')
    .addHelpText('after', examples)
    .action(async (flags: MigrateStoreOptions) => (await import('./migrate-store.ts')).migrateStore(flags, terminal))
}

const examples = `
Stop the servers of the store first, and start them with the new store afterward. The old store stays unchanged. Access keys
stay valid. Encrypted values stay encrypted: keep the file with the encryption keys.

Examples:
  tenant migrate-store --from file:/var/lib/tenant/platform --to etcd:https://10.0.0.1:2379
  tenant migrate-store --from etcd:http://10.0.0.1:2379 --to file:/var/lib/tenant/new
`
