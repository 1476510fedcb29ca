import {
  type FieldError,
  forbiddenField,
  notSupportedField,
  requiredField,
  tooManyField,
} from '../../api/field-error.ts'
import type { AccessKeyScope, ScopeRole, ScopeRule } from '../../api/types/management.ts'
import { validateEntryName } from './entry-name.ts'
import { roleNames } from './role-grants.ts'
import { validateRule } from './validate-rule.ts'

/** Every request is compared with every entry, and a rule with every combination of its kinds and targets. */
const maxEntries = 500
const maxCombinations = 5000

/** All errors of a scope, each with its path. */
export function validateScope(scope: AccessKeyScope, field = 'spec.scope'): readonly FieldError[] {
  return [
    ...each(`${field}.roles`, scope.roles, validateRole),
    ...each(`${field}.projects`, scope.projects, (path, { project }) => validateEntryName(`${path}.project`, project)),
    ...each(`${field}.spaces`, scope.spaces, (path, { project, space }) => [
      ...validateEntryName(`${path}.project`, project),
      ...validateEntryName(`${path}.space`, space),
    ]),
    ...each(`${field}.virtualClusters`, scope.virtualClusters, (path, { project, virtualCluster }) => [
      ...validateEntryName(`${path}.project`, project),
      ...validateEntryName(`${path}.virtualCluster`, virtualCluster),
    ]),
    ...each(`${field}.clusters`, scope.clusters, (path, { cluster }) => validateEntryName(`${path}.cluster`, cluster)),
    ...each(`${field}.rules`, scope.rules, validateRule),
    ...validateCombinations(`${field}.rules`, scope.rules ?? []),
  ]
}

function validateCombinations(path: string, rules: readonly ScopeRule[]): readonly FieldError[] {
  const counts = rules.map(
    ({ resources, virtualClusters }) => ((resources ?? []).length + 1) * Math.max((virtualClusters ?? []).length, 4),
  )
  const combinations = counts.reduce((sum, count) => sum + count, 0)
  if (combinations <= maxCombinations) return []
  return [forbiddenField(path, 'the rules name too many combinations of kinds and virtual clusters')]
}

function validateRole(path: string, { role = '', projects, virtualClusters }: ScopeRole): readonly FieldError[] {
  return [
    ...validateRoleName(`${path}.role`, role),
    ...each(`${path}.projects`, projects, validateEntryName),
    ...each(`${path}.virtualClusters`, virtualClusters, validateEntryName),
  ]
}

function validateRoleName(path: string, role: string): readonly FieldError[] {
  if (role === '') return [requiredField(path, `one of ${roleNames.join(', ')}`)]
  return roleNames.includes(role) ? [] : [notSupportedField(path, role, roleNames)]
}

function each<T>(
  path: string,
  list: readonly T[] | undefined,
  validate: (path: string, entry: T) => readonly FieldError[],
): readonly FieldError[] {
  if (list === undefined) return []
  if (list.length > maxEntries) return [tooManyField(path, list.length, maxEntries)]
  return list.flatMap((entry, index) => validate(`${path}[${index}]`, entry))
}
