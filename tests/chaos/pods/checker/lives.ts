import { type Account, marks, originOf, originUid, type Seen } from './account.ts'

/** A Pod runs once: if its copy was visibly on a node and is removed, it gets no other. */
export function runTwice({ sights, foreign, taken }: Account): readonly string[] {
  const gone = new Set<string>()
  return sights.flatMap(({ side, type, object }) => {
    if (side !== 'host' || object.kind !== 'Pod' || foreign.has(object.metadata.uid)) return []
    if (type === 'DELETED') gone.add(object.metadata.uid)
    const before = taken.get(originUid(object) ?? '')
    if (type !== 'ADDED' || before === undefined || before === object.metadata.uid || !gone.has(before)) return []
    return [`${originOf(object)} was on a node, lost its copy and got another one`]
  })
}

/** Two Pods of one name never exist on the host at once. */
export function twoAtOnce({ sights, foreign }: Account): readonly string[] {
  const there = new Map<string, string>()
  return sights.flatMap(({ side, type, object }) => {
    if (side !== 'host' || !isCopy(object) || foreign.has(object.metadata.uid)) return []
    const origin = originOf(object)
    const { uid } = object.metadata
    const other = there.get(origin)
    if (type === 'DELETED') {
      if (other === uid) there.delete(origin)
      return []
    }
    there.set(origin, uid)
    return other === undefined || other === uid ? [] : [`${origin} has two copies at once`]
  })
}

/** A virtual Pod shows only what its copy has shown. */
export function madeUp({ sights, hasGaps }: Account): readonly string[] {
  if (hasGaps) return []
  const said = new Set(
    sights.filter(({ side }) => side === 'host').flatMap(({ object }) => wordsOf(originUid(object), object)),
  )
  const told = sights.filter(({ side }) => side === 'virtual')
  const words = new Set(told.flatMap(({ object }) => wordsOf(object.metadata.uid, object)))
  return [...words]
    .filter((each) => !said.has(each))
    .map((each) => `a virtual Pod says what its copy never did: ${each}`)
}

/** Only statements that require a node: a waiting Pod reports its state itself. */
function wordsOf(uid: string | undefined, { kind, spec, status }: Seen): readonly string[] {
  if (kind !== 'Pod' || uid === undefined) return []
  const phase = status?.phase
  return [
    ...(spec?.nodeName ? [`${uid} is on ${spec.nodeName}`] : []),
    ...(phase === undefined || phase === 'Pending' ? [] : [`${uid} is ${phase}`]),
    ...(status?.podIP ? [`${uid} is at ${status.podIP}`] : []),
  ]
}

function isCopy({ kind, metadata }: Seen): boolean {
  return (
    kind === 'Pod' &&
    metadata.labels?.[marks.managedBy] !== undefined &&
    metadata.annotations?.[marks.uid] !== undefined
  )
}
