import type { ResourceQuota } from '../../types/core-v1.ts'
import { builtinKind } from '../builtin-kind.ts'
import { ageColumn, column, nameColumn } from '../columns.ts'
import { validateQuota, validateQuotaStatus, validateQuotaUpdate } from './resource-quota-validation.ts'

export const resourceQuota = builtinKind<ResourceQuota>({
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  shortNames: ['quota'],
  namespaced: true,
  hasStatus: true,
  hasSealedPart: true,
  deleteAnswer: 'object',
  message: 'k8s.io.api.core.v1.ResourceQuota',
  columns: [
    nameColumn,
    ageColumn,
    column('Request', 'Used and allowed amounts of requests.', (quota) => usedText(quota, (name) => !isLimit(name))),
    column('Limit', 'Used and allowed amounts of limits.', (quota) => usedText(quota, isLimit)),
  ],
  strategy: {
    validate: validateQuota,
    validateUpdate: validateQuotaUpdate,
    validateStatusUpdate: validateQuotaStatus,
  },
})

function isLimit(name: string): boolean {
  return name.startsWith('limits.')
}

function usedText({ status }: ResourceQuota, isShown: (name: string) => boolean): string {
  const { hard = {}, used = {} } = status
  return Object.keys(hard)
    .filter(isShown)
    .sort()
    .map((name) => `${name}: ${used[name] ?? 0}/${hard[name]}`)
    .join(', ')
}
