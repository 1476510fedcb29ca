import { deepEqual } from '../../base/equal.ts'
import { type FieldError, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import { parseQuantity } from '../quantity.ts'
import type { ResourceQuota, ResourceQuotaSpec } from '../types/core-v1.ts'
import { checkQualifiedName } from './field-checks.ts'

type Amounts = Readonly<Record<string, string | number>>

const scopes = [
  'BestEffort',
  'CrossNamespacePodAffinity',
  'NotBestEffort',
  'NotTerminating',
  'PriorityClass',
  'Terminating',
]

/** Names of what is counted in whole numbers. */
const counted: ReadonlySet<string> = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
])

/** Names without a domain that quotas know. */
const ownNames: ReadonlySet<string> = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  ...counted,
])

export function validateQuota({ spec }: ResourceQuota): readonly FieldError[] {
  return [...validateAmounts('spec.hard', spec.hard), ...validateScopes(spec)]
}

export function validateQuotaStatus({ status }: ResourceQuota): readonly FieldError[] {
  return [...validateAmounts('status.hard', status.hard), ...validateAmounts('status.used', status.used)]
}

export function validateQuotaUpdate(after: ResourceQuota, before: ResourceQuota): readonly FieldError[] {
  const sorted = (spec: ResourceQuotaSpec) => [...(spec.scopes ?? [])].sort()
  if (deepEqual(sorted(after.spec), sorted(before.spec))) return []
  return [invalidField('spec.scopes', after.spec.scopes ?? [], 'field is immutable')]
}

function validateAmounts(field: string, amounts: Amounts = {}): readonly FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) => [
    ...validateResourceName(`${field}[${name}]`, name),
    ...validateAmount(`${field}[${name}]`, name, String(amount)),
  ])
}

function validateResourceName(field: string, name: string): readonly FieldError[] {
  const errors = checkQualifiedName(field, name)
  if (errors.length > 0 || name.includes('/') || ownNames.has(name) || name.startsWith('hugepages-')) return errors
  if (/^(requests|limits)\.hugepages-/.test(name)) return errors
  return [invalidField(field, name, 'must be a standard resource for quota')]
}

function validateAmount(field: string, name: string, amount: string): readonly FieldError[] {
  const quantity = parseQuantity(amount)
  if ('problem' in quantity) return []
  if (quantity.nanos < 0n) return [invalidField(field, amount, 'must be greater than or equal to 0')]
  const isWhole = quantity.nanos % 1_000_000_000n === 0n
  return counted.has(name) && !isWhole ? [invalidField(field, amount, 'must be an integer')] : []
}

function validateScopes({ scopes: given = [], scopeSelector }: ResourceQuotaSpec): readonly FieldError[] {
  const conflicts: readonly (readonly [string, string])[] = [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ]
  return [
    ...given
      .filter((scope) => !scopes.includes(scope))
      .map(() => invalidField('spec.scopes', given, 'unsupported scope')),
    ...conflicts
      .filter((pair) => pair.every((scope) => given.includes(scope)))
      .map(() => invalidField('spec.scopes', given, 'conflicting scopes')),
    ...(scopeSelector?.matchExpressions ?? []).flatMap(({ scopeName, operator, values = [] }) => [
      ...(scopes.includes(scopeName)
        ? []
        : [notSupportedField('spec.scopeSelector.matchExpressions.scopeName', scopeName, scopes)]),
      ...((operator === 'In' || operator === 'NotIn') && values.length === 0
        ? [
            requiredField(
              'spec.scopeSelector.matchExpressions.values',
              "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
            ),
          ]
        : []),
    ]),
  ]
}
