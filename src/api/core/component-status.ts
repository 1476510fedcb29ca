import type { ComponentStatus } from '../types/core-v1.ts'
import { builtinKind } from './builtin-kind.ts'
import { column, nameColumn } from './columns.ts'

/** Old clients request it; an embedded cluster has no components besides itself, so the list is empty. */
export const componentStatus = builtinKind<ComponentStatus>({
  group: '',
  version: 'v1',
  kind: 'ComponentStatus',
  plural: 'componentstatuses',
  shortNames: ['cs'],
  namespaced: false,
  deprecation: 'v1 ComponentStatus is deprecated in v1.19+',
  withoutVerbs: ['create', 'delete', 'deletecollection', 'patch', 'update', 'watch'],
  message: 'k8s.io.api.core.v1.ComponentStatus',
  columns: [
    nameColumn,
    column('Status', 'Whether the component is healthy.', (object) => healthOf(object)?.status ?? 'Unknown'),
    column('Message', 'Message that the component reports.', (object) => healthOf(object)?.message ?? ''),
    column('Error', 'Error that the component reports.', (object) => healthOf(object)?.error ?? ''),
  ],
  strategy: {},
})

function healthOf({ conditions = [] }: ComponentStatus) {
  return conditions.find(({ type }) => type === 'Healthy')
}
