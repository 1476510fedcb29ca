import { type Account, marks, originOf, originUid, type Seen, type Side, type Sight } from './account.ts'

/** References of a Pod: claims, and Secrets and ConfigMaps of its environment. */
interface Named {
  readonly kind: string
  readonly name: string
}

type Histories = ReadonlyMap<string, readonly Sight[]>

/**
 * When the copy of a Pod appears, the copies that it names are as the virtual cluster had the objects when the Pod was
 * created, or later. A server numbers its writes in one order for all kinds.
 */
export function wrongReferences({ sights, foreign, hasGaps }: Account): readonly string[] {
  if (hasGaps) return []
  const histories = historiesOf(sights)
  const made = firstSights(sights)
  return [...made.values()].flatMap(({ side, object }) => {
    if (side !== 'host' || object.kind !== 'Pod' || foreign.has(object.metadata.uid)) return []
    const virtual = made.get(originUid(object) ?? '')?.object
    if (virtual === undefined || virtual.kind !== 'Pod') return []
    return namedBy(virtual).flatMap((named) => complaintsAbout(object, virtual, named, histories, foreign))
  })
}

function complaintsAbout(
  copy: Seen,
  virtual: Seen,
  { kind, name }: Named,
  histories: Histories,
  foreign: Account['foreign'],
): readonly string[] {
  const { namespace } = virtual.metadata
  const history = histories.get(`virtual ${kind} ${namespace}/${name}`) ?? []
  const there = at(
    (histories.get(`host ${kind} ${namespace}/${name}`) ?? []).filter(
      ({ object }) => !foreign.has(object.metadata.uid),
    ),
    copy,
  )
  if (there === undefined) return []
  const before = at(history, virtual)
  const since = history.filter(({ object }) => versionOf(object) > versionOf(virtual)).map(({ object }) => object)
  const right = [...(before ? [before] : []), ...since]
  const isRight = right.some(({ metadata, data }) => metadata.uid === originUid(there) && isSame(data, there.data))
  return isRight ? [] : [`${originOf(copy)} found a copy of ${kind} ${name} that is of before it was made`]
}

/** The state of the history when the object had the version of its first sight. */
function at(history: readonly Sight[], { metadata }: Seen): Seen | undefined {
  const last = history.findLast(({ object }) => versionOf(object) <= Number(metadata.resourceVersion))
  return last?.type === 'DELETED' ? undefined : last?.object
}

function versionOf({ metadata }: Seen): number {
  return Number(metadata.resourceVersion)
}

function isSame(left: Seen['data'], right: Seen['data']): boolean {
  return JSON.stringify(left ?? {}) === JSON.stringify(right ?? {})
}

/** Objects as they were created; later sights show changes. */
function firstSights(sights: readonly Sight[]): ReadonlyMap<string, Sight> {
  const first = new Map<string, Sight>()
  for (const sight of sights) if (!first.has(sight.object.metadata.uid)) first.set(sight.object.metadata.uid, sight)
  return new Map([...first].filter(([, { type }]) => type === 'ADDED'))
}

/** By the name in the virtual cluster, of the object or of the original of a copy. */
function historiesOf(sights: readonly Sight[]): Histories {
  const histories = new Map<string, Sight[]>()
  for (const sight of sights) {
    const key = `${sight.side} ${placeOf(sight.side, sight.object)}`
    histories.set(key, [...(histories.get(key) ?? []), sight])
  }
  for (const each of histories.values()) each.sort((left, right) => versionOf(left.object) - versionOf(right.object))
  return histories
}

function placeOf(side: Side, object: Seen): string {
  const { namespace, name, labels = {} } = object.metadata
  if (side === 'virtual') return `${object.kind} ${namespace}/${name}`
  return labels[marks.companion] === undefined ? originOf(object) : 'companion'
}

function namedBy({ spec = {} }: Seen): readonly Named[] {
  const named = (kind: string, name: string | undefined): readonly Named[] => (name ? [{ kind, name }] : [])
  return [
    ...(spec.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) =>
      named('PersistentVolumeClaim', claim?.claimName),
    ),
    ...(spec.containers ?? []).flatMap(({ envFrom = [] }) =>
      envFrom.flatMap(({ secretRef, configMapRef }) => [
        ...named('Secret', secretRef?.name),
        ...named('ConfigMap', configMapRef?.name),
      ]),
    ),
  ]
}
