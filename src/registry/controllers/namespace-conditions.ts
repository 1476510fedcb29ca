import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import { timestamp } from '../../base/clock.ts'

export interface Remaining {
  readonly resource: Pick<Kind, 'plural' | 'group'>
  readonly finalizers: readonly string[]
}

interface Condition {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
  readonly lastTransitionTime: string
}

/**
 * Reports on the namespace what blocks its removal, so that users need not search. Undefined if the conditions are up
 * to date.
 */
export function contentConditions(
  namespace: KubeObject,
  remaining: readonly Remaining[],
  nowMs: number,
): KubeObject | undefined {
  const status = namespace.status as { readonly conditions?: readonly Condition[] } | undefined
  const present = status?.conditions ?? []
  const wanted = conditionsFor(remaining, timestamp(nowMs)).map((condition) => {
    const same = present.find((each) => each.type === condition.type && each.message === condition.message)
    return same ?? condition
  })
  if (wanted.every((condition) => present.includes(condition))) return undefined
  const others = present.filter((each) => !wanted.some(({ type }) => type === each.type))
  return { ...namespace, status: { ...status, conditions: [...others, ...wanted] } }
}

/** In the order and words of Kubernetes. Steps that cannot fail here are reported as successful. */
function conditionsFor(remaining: readonly Remaining[], time: string): readonly Condition[] {
  const resources = counted(remaining.map(({ resource: { plural, group } }) => `${plural}.${group}`))
  const finalizers = counted(remaining.flatMap((each) => each.finalizers))
  const fine = (type: string, reason: string, message: string): Condition => ({
    type,
    status: 'False',
    reason,
    message,
    lastTransitionTime: time,
  })
  return [
    fine('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    fine(
      'NamespaceDeletionGroupVersionParsingFailure',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    fine(
      'NamespaceDeletionContentFailure',
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    left('NamespaceContentRemaining', 'SomeResourcesRemain', time, [
      'Some resources are remaining: ',
      resources.map(([name, count]) => `${name} has ${count} resource instances`),
    ]),
    finalizers.length === 0
      ? fine('NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished')
      : left('NamespaceFinalizersRemaining', 'SomeFinalizersRemain', time, [
          'Some content in the namespace has finalizers remaining: ',
          finalizers.map(([name, count]) => `${name} in ${count} resource instances`),
        ]),
  ]
}

function left(
  type: string,
  reason: string,
  lastTransitionTime: string,
  [opening, parts]: readonly [string, readonly string[]],
): Condition {
  return { type, status: 'True', reason, message: opening + listed(parts), lastTransitionTime }
}

/** Users of the namespace choose the names, so the message needs a limit. */
const mostListed = 50

function listed(parts: readonly string[]): string {
  const first = parts.slice(0, mostListed).join(', ')
  return parts.length <= mostListed ? first : `${first} and ${parts.length - mostListed} more`
}

function counted(names: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([left], [right]) => (left < right ? -1 : 1))
}
