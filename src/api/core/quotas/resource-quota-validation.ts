import { deepEqual } from '../../../base/equal.ts'
import {
  allErrors,
  type FieldError,
  invalidField,
  invalidFieldAs,
  requiredField,
  tooManyField,
} from '../../field-error.ts'
import { goQuantity } from '../../human/go-quantity.ts'
import { quoted } from '../../human/go-syntax.ts'
import { shortened } from '../../human/shortened.ts'
import { parseQuantity } from '../../quantity.ts'
import type { ResourceQuota, ResourceQuotaSpec, ScopedResourceSelectorRequirement } from '../../types/core-v1.ts'
import { checkResourceName } from '../amounts/resource-name-check.ts'
import { countedResources, isNativeResource, isQuotaResource } from '../amounts/resource-names.ts'

type Amounts = Readonly<Record<string, string | number>>

const scopes = [
  'BestEffort',
  'CrossNamespacePodAffinity',
  'NotBestEffort',
  'NotTerminating',
  'PriorityClass',
  'Terminating',
]

/** Scopes that do not depend on values. */
const plainScopes: ReadonlySet<string> = new Set([
  'BestEffort',
  'CrossNamespacePodAffinity',
  'NotBestEffort',
  'NotTerminating',
  'Terminating',
])
const plainScopesTold =
  'ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ' +
  'ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity'

const conflicting: readonly (readonly string[])[] = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
]

/** A quota is stored with its limits three times, and each write to its namespace reads it. */
const mostNames = 1_000

/** Requests and limits of containers that a quota can limit for only some pods. */
const podCompute: ReadonlySet<string> = new Set([
  'cpu',
  'memory',
  'limits.cpu',
  'limits.memory',
  'requests.cpu',
  'requests.memory',
])

export function validateQuota({ spec }: ResourceQuota): readonly FieldError[] {
  const count = Object.keys(spec.hard ?? {}).length
  if (count > mostNames) return [tooManyField('spec.hard', count, mostNames)]
  return allErrors(validateAmounts('spec.hard', spec.hard), validateScopes(spec))
}

export function validateQuotaStatus({ status }: ResourceQuota): readonly FieldError[] {
  return allErrors(validateAmounts('status.hard', status.hard), validateAmounts('status.used', status.used))
}

export function validateQuotaUpdate(after: ResourceQuota, before: ResourceQuota): readonly FieldError[] {
  const sorted = (spec: ResourceQuotaSpec) => [...(spec.scopes ?? [])].sort()
  if (deepEqual(sorted(after.spec), sorted(before.spec))) return []
  return [invalidScopes(after.spec.scopes ?? [], 'field is immutable')]
}

function validateAmounts(field: string, amounts: Amounts = {}): readonly FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) =>
    allErrors(validateQuotaName(`${field}[${name}]`, name), validateAmount(`${field}[${name}]`, name, String(amount))),
  )
}

function validateQuotaName(field: string, name: string): readonly FieldError[] {
  return allErrors(
    checkResourceName(field, name),
    name.includes('/') || isQuotaResource(name)
      ? []
      : [invalidFieldAs(field, shortened(name), 'must be a standard resource for quota')],
  )
}

function validateAmount(field: string, name: string, amount: string): readonly FieldError[] {
  const quantity = parseQuantity(amount)
  if ('problem' in quantity) return []
  if (quantity.nanos < 0n) return [invalidField(field, amount, 'must be greater than or equal to 0')]
  const isWhole = quantity.nanos % 1_000_000_000n === 0n
  const isCounted = countedResources.has(name) || isExtended(name)
  return isCounted && !isWhole ? [invalidFieldAs(field, goQuantity(amount), 'must be an integer')] : []
}

/** What a device plugin counts. */
function isExtended(name: string): boolean {
  return !isNativeResource(name) && !name.startsWith('requests.')
}

/** There are few scopes. An error about one lists all of them, for each limit: thousands would take seconds to print. */
const mostScopes = 20

function validateScopes(spec: ResourceQuotaSpec): readonly FieldError[] {
  const { hard = {}, scopes: given = [], scopeSelector } = spec
  const limited = Object.keys(hard).filter(isQuotaResource).sort()
  if (given.length > mostScopes) return [tooManyField('spec.scopes', given.length, mostScopes)]
  return allErrors(
    given.flatMap((scope) =>
      allErrors(
        scopes.includes(scope) ? [] : [invalidScopes(given, 'unsupported scope')],
        unmeasured(scope, limited).map(() => invalidScopes(given, 'unsupported scope applied to resource')),
      ),
    ),
    conflictsAmong(given).map(() => invalidScopes(given, 'conflicting scopes')),
    validateSelector(scopeSelector?.matchExpressions ?? [], limited),
  )
}

function validateSelector(
  requirements: readonly ScopedResourceSelectorRequirement[],
  limited: readonly string[],
): readonly FieldError[] {
  const field = 'spec.scopeSelector.matchExpressions'
  if (requirements.length > mostScopes) return [tooManyField(field, requirements.length, mostScopes)]
  return allErrors(
    requirements.flatMap((requirement) =>
      allErrors(
        scopes.includes(requirement.scopeName)
          ? []
          : [invalidField(`${field}.scopeName`, requirement.scopeName, 'unsupported scope')],
        unmeasured(requirement.scopeName, limited).map(() =>
          invalidField(field, { matchExpressions: requirements }, 'unsupported scope applied to resource'),
        ),
        validateOperator(field, requirement),
      ),
    ),
    conflictsAmong(requirements.map(({ scopeName }) => scopeName)).map(() =>
      invalidField(field, { matchExpressions: requirements }, 'conflicting scopes'),
    ),
  )
}

function validateOperator(field: string, requirement: ScopedResourceSelectorRequirement): readonly FieldError[] {
  const { scopeName, operator, values = [] } = requirement
  return allErrors(
    plainScopes.has(scopeName) && operator !== 'Exists'
      ? [invalidField(`${field}.operator`, operator, `must be 'Exists' when scope is any of ${plainScopesTold}`)]
      : [],
    validateValues(field, operator, values),
  )
}

function validateValues(field: string, operator: string, values: readonly string[]): readonly FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return []
      return [
        requiredField(
          `${field}.values`,
          "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
        ),
      ]
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return []
      return [
        invalidField(
          `${field}.values`,
          values,
          "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
        ),
      ]
    default:
      return [invalidField(`${field}.operator`, operator, 'not a valid selector operator')]
  }
}

/** Resources that cannot be counted for the objects of one scope. */
function unmeasured(scope: string, limited: readonly string[]): readonly string[] {
  if (!scopes.includes(scope)) return []
  return limited.filter((name) => name !== 'pods' && (scope === 'BestEffort' || !podCompute.has(name)))
}

function conflictsAmong(given: readonly string[]): readonly (readonly string[])[] {
  return conflicting.filter((pair) => pair.every((scope) => given.includes(scope)))
}

function invalidScopes(given: readonly string[], detail: string): FieldError {
  const shown = given.map((scope) => quoted(shortened(scope))).join(', ')
  return invalidFieldAs('spec.scopes', `[]core.ResourceQuotaScope{${shown}}`, detail)
}
