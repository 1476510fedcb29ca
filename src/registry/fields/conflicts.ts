import { type ApiError, applyConflict, type StatusCause } from '../../api/error.ts'
import { extendedPath } from '../../base/json/path.ts'
import { difference, type FieldSet, intersection, isEmptySet, isMember, leaf } from './field-set.ts'
import { compareIdentities, type Manager } from './managers.ts'
import { printElement, sortedElements } from './path-element.ts'

/** Fields that an apply would change although another manager owns them. */
export interface FieldConflict {
  readonly manager: Manager
  readonly fields: FieldSet
}

export function conflictsWith(managers: readonly Manager[], changed: FieldSet): readonly FieldConflict[] {
  return managers
    .map((manager) => ({ manager, fields: intersection(manager.fields, changed) }))
    .filter(({ fields }) => !isEmptySet(fields))
    .sort((left, right) => compareIdentities(left.manager, right.manager))
}

/** What is left of conflicts when some fields may be taken. */
export function conflictsBeyond(conflicts: readonly FieldConflict[], allowed: FieldSet): readonly FieldConflict[] {
  return conflicts
    .map(({ manager, fields }) => ({ manager, fields: difference(fields, allowed) }))
    .filter(({ fields }) => !isEmptySet(fields))
}

/** Of so many each is named. */
const mostNamed = 1_000

export function conflictError(conflicts: readonly FieldConflict[]): ApiError {
  const all = conflicts.map(({ manager, fields }) => ({ name: printManager(manager), paths: pathsOf(fields, '') }))
  const count = all.reduce((sum, { paths }) => sum + paths.length, 0)
  const owners = all.slice(0, mostNamed).map(({ name, paths }) => ({ name, paths: paths.slice(0, mostNamed) }))
  const causes = owners.flatMap(({ name, paths }) =>
    paths.map((field): StatusCause => ({ reason: 'FieldManagerConflict', message: `conflict with ${name}`, field })),
  )
  const [only] = causes
  if (only !== undefined && causes.length === 1) {
    return applyConflict(`Apply failed with 1 conflict: ${only.message}: ${only.field}`, causes)
  }
  const lines = owners.flatMap(({ name, paths }) => [`conflicts with ${name}:`, ...paths.map((path) => `- ${path}`)])
  return applyConflict(`Apply failed with ${count} conflicts: ${lines.join('\n')}`, causes.slice(0, mostNamed))
}

function printManager({ name, operation, apiVersion, subresource }: Manager): string {
  const through = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`
  const using = operation === 'Update' ? ` using ${apiVersion}` : ''
  return `${JSON.stringify(name)}${through}${using}`
}

/** The fields of a node come before what stands below any of them. */
function pathsOf(set: FieldSet, prefix: string): readonly string[] {
  const elements = sortedElements(Object.keys(set).filter((element) => element !== '.'))
  const members = elements.filter((element) => isMember(set[element] ?? leaf))
  return [
    ...members.map((element) => extendedPath(prefix, printElement(element))),
    ...elements.flatMap((element) => pathsOf(set[element] ?? leaf, extendedPath(prefix, printElement(element)))),
  ]
}
