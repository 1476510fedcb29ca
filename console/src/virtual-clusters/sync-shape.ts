import { countOf, listOf, membersOf, textOf } from '../api/shape.ts'

export interface SyncedObject {
  /** `namespace/name`, or only the name. */
  readonly name: string
  readonly state: 'in-step' | 'waiting' | 'failing'
  readonly reason?: string
  readonly message?: string
}

/** Where a kind is served, on either side. */
export interface ServedType {
  /** Empty: the core group. */
  readonly group: string
  readonly version: string
  readonly resource: string
}

/** A tenant of an older release does not report where its kinds are served. */
export interface SyncedKind extends Partial<ServedType> {
  readonly kind: string
  readonly state: 'starting' | 'not served' | 'running'
  readonly reason?: string
  readonly counts: Readonly<Record<SyncedObject['state'], number>>
  readonly queueLength: number
  readonly objects: readonly SyncedObject[]
}

export interface SyncState {
  readonly kinds?: readonly SyncedKind[]
  readonly waits?: string
}

const mostKinds = 200
const mostObjects = 5_000
const objectStates: readonly SyncedObject['state'][] = ['in-step', 'waiting', 'failing']
const kindStates: readonly SyncedKind['state'][] = ['starting', 'not served', 'running']

/** A tenant's report about its sync, as far as it can be shown. */
export function syncStateOf(value: unknown): SyncState {
  const { kinds, waits } = membersOf(value, 'it')
  return {
    kinds: listOf(kinds, 'kinds', mostKinds).map(kindOf),
    ...(typeof waits === 'string' ? { waits: textOf(waits) } : {}),
  }
}

function kindOf(value: unknown): SyncedKind {
  const { kind, state, reason, counts, queueLength, objects, group, version, resource } = membersOf(value, 'a kind')
  const counted = membersOf(counts ?? {}, 'counts')
  return {
    kind: textOf(kind),
    state: kindStates.find((each) => each === state) ?? 'starting',
    ...(typeof reason === 'string' ? { reason: textOf(reason) } : {}),
    counts: {
      'in-step': countOf(counted['in-step']),
      waiting: countOf(counted.waiting),
      failing: countOf(counted.failing),
    },
    queueLength: countOf(queueLength),
    objects: listOf(objects, 'objects', mostObjects).map(objectOf),
    ...(typeof group === 'string' ? { group } : {}),
    ...(typeof version === 'string' ? { version } : {}),
    ...(typeof resource === 'string' ? { resource } : {}),
  }
}

function objectOf(value: unknown): SyncedObject {
  const { name, state, reason, message } = membersOf(value, 'an object')
  return {
    name: textOf(name),
    state: objectStates.find((each) => each === state) ?? 'waiting',
    ...(typeof reason === 'string' ? { reason: textOf(reason) } : {}),
    ...(typeof message === 'string' ? { message: textOf(message) } : {}),
  }
}
