import type { CommandEntry } from './command-entry.ts'

export function isCalled({ name, alias }: CommandEntry, word: string | undefined): boolean {
  return word !== undefined && (word === name || word === alias)
}

/** In listing order. */
export const commandEntries: readonly CommandEntry[] = [
  {
    name: 'up',
    description:
      'Start everything on this machine: the platform with its console, an embedded host cluster with a simulated node, and a virtual cluster.',
    load: async (terminal) => (await import('./up/up-command.ts')).upCommand(terminal),
  },
  {
    name: 'create',
    description: 'Create a virtual cluster, or upgrade one.',
    load: async (terminal) => (await import('./create/create-command.ts')).createTenantCommand(terminal),
  },
  {
    name: 'connect',
    description: 'Make a virtual cluster the current context of kubectl, or run one command in it.',
    load: async (terminal) => (await import('./connect/connect-command.ts')).connectCommand(terminal),
  },
  {
    name: 'disconnect',
    description: 'Restore the context that kubectl had before tenant connect.',
    load: async (terminal) => (await import('./connect/connect-command.ts')).disconnectCommand(terminal),
  },
  {
    name: 'token',
    description: 'Print a short-lived key for a virtual cluster, in the format of a kubectl credential plugin.',
    load: async (terminal) => (await import('./token/token-command.ts')).tokenCommand(terminal),
  },
  {
    name: 'list',
    alias: 'ls',
    description: 'List the virtual clusters of a project.',
    load: async (terminal) => (await import('./list/list-command.ts')).listTenantsCommand(terminal),
  },
  {
    name: 'logs',
    description: 'Show the log of a virtual cluster.',
    load: async (terminal) => (await import('./logs/logs-command.ts')).logsCommand(terminal),
  },
  {
    name: 'delete',
    description: 'Delete a virtual cluster and everything that was created for it.',
    load: async (terminal) => (await import('./delete/delete-command.ts')).deleteTenantCommand(terminal),
  },
  {
    name: 'doctor',
    description: 'Find out why a virtual cluster does not link to its platform, and what to do about it.',
    load: async (terminal) => (await import('./doctor/doctor-command.ts')).doctorCommand(terminal),
  },
  {
    name: 'backup',
    description: 'Back up the platform and virtual clusters, and restore them.',
    load: async (terminal) => (await import('./backup/backup-command.ts')).backupCommand(terminal),
  },
  {
    name: 'audit',
    description: 'Check that the audit log of a platform was not changed.',
    load: async (terminal) => (await import('./audit/audit-command.ts')).auditCommand(terminal),
  },
  {
    name: 'migrate-store',
    description: 'Copy a store into an empty store, embedded or etcd, and compare both.',
    load: async (terminal) => (await import('./migrate-store/migrate-store-command.ts')).migrateStoreCommand(terminal),
  },
  {
    name: 'run',
    description:
      'Run one virtual cluster: its control plane, and the sync with its host. The Pod of a virtual cluster runs this command.',
    load: async (terminal) => (await import('./run/run-command.ts')).runCommand(terminal),
  },
  {
    name: 'apiserver',
    description: 'Run only a Kubernetes API server, for tests of operators and clients: no node, no scheduler.',
    load: async (terminal) => (await import('./apiserver/apiserver-command.ts')).apiServerCommand(terminal),
  },
  {
    name: 'config',
    description: 'Check and show the configuration of a tenant.',
    load: async (terminal) => (await import('./config/config-command.ts')).configCommand(terminal),
  },
  {
    name: 'patch',
    description: 'Try out the patches of a tenant.',
    load: async (terminal) => (await import('./patch/patch-command.ts')).patchCommand(terminal),
  },
  {
    name: 'translate',
    description:
      "Print the name of a tenant's object on the host, or the tenant's object behind an object of the host.",
    load: async (terminal) => (await import('./patch/translate-command.ts')).translateCommand(terminal),
  },
  {
    name: 'platform',
    description: 'Run and install the platform, log in to it, and manage its access keys.',
    load: async (terminal) => (await import('./platform/platform-command.ts')).platformCommand(terminal),
  },
  {
    name: 'license',
    description: 'Issue and show licenses.',
    load: async (terminal) => (await import('./license/license-command.ts')).licenseCommand(terminal),
  },
  {
    name: 'completion',
    description: 'Print the completion script of a shell.',
    load: async (terminal, programFor) =>
      (await import('./completion/completion-command.ts')).completionCommand(terminal, programFor),
  },
]
