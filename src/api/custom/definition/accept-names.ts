import type { CustomResourceDefinition, CustomResourceDefinitionNames } from '../../types/apiextensions-v1.ts'
import { isTrue, withCondition } from './definition-conditions.ts'

/** Names that other resources of a group already have. */
export interface TakenNames {
  /** Plural, singular and short names. */
  readonly resources: ReadonlySet<string>
  /** Kinds of objects and lists. */
  readonly kinds: ReadonlySet<string>
}

/** Which of its names a definition gets. Accepted names stay. */
export function withAcceptedNames(
  definition: CustomResourceDefinition,
  taken: TakenNames,
  now: string,
): CustomResourceDefinition {
  const { names, conflict } = acceptedNames(definition.spec.names, definition.status.acceptedNames, taken)
  const named = { ...definition, status: { ...definition.status, acceptedNames: names } }
  if (conflict === undefined) {
    const condition = { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
    return withCondition(named, condition, now)
  }
  const refused = withCondition(named, { type: 'NamesAccepted', status: 'False', ...conflict }, now)
  if (isTrue(refused, 'Established')) return refused
  const message = 'not all names are accepted'
  return withCondition(refused, { type: 'Established', status: 'False', reason: 'NotAccepted', message }, now)
}

export function withEstablished(definition: CustomResourceDefinition, now: string): CustomResourceDefinition {
  const message = 'the initial names have been accepted'
  return withCondition(
    definition,
    { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message },
    now,
  )
}

interface Conflict {
  readonly reason: string
  readonly message: string
}

/** Of several conflicts the last one is reported, as in Kubernetes. */
function acceptedNames(
  wanted: CustomResourceDefinitionNames,
  had: CustomResourceDefinitionNames,
  { resources, kinds }: TakenNames,
): { readonly names: CustomResourceDefinitionNames; readonly conflict: Conflict | undefined } {
  let conflict: Conflict | undefined
  const choose = (name: string, before: string, isTaken: boolean, reason: string): string => {
    if (name === before || !isTaken) return name
    conflict = { reason, message: `"${name}" is already in use` }
    return before
  }
  const { singular = '', listKind = '', shortNames = [] } = wanted
  const plural = choose(wanted.plural, had.plural, resources.has(wanted.plural), 'PluralConflict')
  const acceptedSingular = choose(singular, had.singular ?? '', resources.has(singular), 'SingularConflict')
  const kept = new Set(had.shortNames)
  const refused = shortNames.filter((name) => resources.has(name) && !kept.has(name))
  if (refused.length > 0) {
    const message = refused.map((name) => `"${name}" is already in use`).join(', ')
    conflict = { reason: 'ShortNamesConflict', message }
  }
  const accepted = refused.length > 0 ? had.shortNames : wanted.shortNames
  const kind = choose(wanted.kind, had.kind, kinds.has(wanted.kind), 'KindConflict')
  const acceptedList = choose(listKind, had.listKind ?? '', kinds.has(listKind), 'ListKindConflict')
  const names = {
    plural,
    ...(acceptedSingular !== '' && { singular: acceptedSingular }),
    ...(accepted !== undefined && { shortNames: accepted }),
    kind,
    ...(acceptedList !== '' && { listKind: acceptedList }),
    ...(wanted.categories !== undefined && { categories: wanted.categories }),
  }
  return { names, conflict }
}
