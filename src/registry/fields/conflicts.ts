import { type ApiError, applyConflict } from '../../api/error.ts'
import type { StatusCause } from '../../api/types/meta-v1.ts'
import { extendedPath } from '../../base/json/path.ts'
import type { Steps } from '../../base/steps.ts'
import { difference, type FieldSet, intersectionSteps, isEmptySet, isMember, leaf } from './field-set.ts'
import { compareIdentities, type Manager } from './managers.ts'
import { printElement, sortedElements } from './path-element.ts'

/** Fields that an apply would change although another manager owns them. */
export interface FieldConflict {
  readonly manager: Manager
  readonly fields: FieldSet
}

export function* conflictsWith(managers: readonly Manager[], changed: FieldSet): Steps<readonly FieldConflict[]> {
  const conflicts: FieldConflict[] = []
  for (const manager of managers) {
    const fields = yield* intersectionSteps(manager.fields, changed)
    if (!isEmptySet(fields)) conflicts.push({ manager, fields })
    yield
  }
  return conflicts.sort((left, right) => compareIdentities(left.manager, right.manager))
}

/** The conflicts that remain when some fields may be taken. */
export function conflictsBeyond(conflicts: readonly FieldConflict[], allowed: FieldSet): readonly FieldConflict[] {
  return conflicts
    .map(({ manager, fields }) => ({ manager, fields: difference(fields, allowed) }))
    .filter(({ fields }) => !isEmptySet(fields))
}

/** At most this many fields are named. */
const mostNamed = 1_000

export function conflictError(conflicts: readonly FieldConflict[]): ApiError {
  const count = conflicts.reduce((sum, { fields }) => sum + countOf(fields), 0)
  const owners = conflicts.slice(0, mostNamed).map(({ manager, fields }) => ({
    name: printManager(manager),
    paths: firstPaths(fields),
  }))
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

function countOf(set: FieldSet): number {
  let count = 0
  for (const element in set) {
    const child = set[element]
    if (child !== undefined && element !== '.') count += (isMember(child) ? 1 : 0) + countOf(child)
  }
  return count
}

function firstPaths(set: FieldSet): readonly string[] {
  const paths: string[] = []
  addPaths(paths, set, '')
  return paths
}

/** The fields of a node come before the fields below any of them. */
function addPaths(paths: string[], set: FieldSet, prefix: string): void {
  const elements = sortedElements(Object.keys(set).filter((element) => element !== '.'))
  for (const element of elements) {
    if (paths.length >= mostNamed) return
    if (isMember(set[element] ?? leaf)) paths.push(extendedPath(prefix, printElement(element)))
  }
  for (const element of elements) {
    if (paths.length >= mostNamed) return
    const child = set[element] ?? leaf
    if (child !== leaf && !isEmptySet(child)) addPaths(paths, child, extendedPath(prefix, printElement(element)))
  }
}
