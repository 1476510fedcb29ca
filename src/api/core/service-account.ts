import type { ObjectReference, ServiceAccount } from '../types/core-v1.ts'
import { builtinKind } from './builtin-kind.ts'
import { ageColumn, column, nameColumn } from './columns.ts'

const mountableSecrets = 'kubernetes.io/enforce-mountable-secrets'

export const serviceAccount = builtinKind<ServiceAccount>({
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  shortNames: ['sa'],
  namespaced: true,
  deleteAnswer: 'object',
  message: 'k8s.io.api.core.v1.ServiceAccount',
  columns: [
    nameColumn,
    column('Secrets', 'Number of secrets that pods of this account may use.', ({ secrets = [] }) => secrets.length),
    ageColumn,
  ],
  strategy: { prepareForCreate: withNamesOnly, prepareForUpdate: withNamesOnly, warnings: accountWarnings },
})

/** Secrets are those of its namespace: nothing but their names is kept. */
function withNamesOnly(account: ServiceAccount): ServiceAccount {
  const { secrets } = account
  return secrets === undefined ? account : { ...account, secrets: secrets.map(onlyName) }
}

function onlyName({ name = '' }: ObjectReference): ObjectReference {
  return name === '' ? {} : { name }
}

function accountWarnings({ metadata }: ServiceAccount, old?: ServiceAccount): readonly string[] {
  const isNew = old?.metadata.annotations?.[mountableSecrets] === undefined
  if (!isNew || metadata.annotations?.[mountableSecrets] === undefined) return []
  return [
    `metadata.annotations[${mountableSecrets}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
  ]
}
