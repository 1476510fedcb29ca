import type { RunningSync, ServedRun } from './served-run.ts'
import type { ObjectState, SyncState } from './states.ts'

/** How one kind is doing, object by object, as `/debug/sync` shows it. */
export interface DebugKind {
  readonly kind: string
  readonly state: 'starting' | 'not served' | 'running'
  /** Why a cluster cannot be followed, or does not serve the kind. */
  readonly reason?: string
  readonly counts: Readonly<Record<SyncState, number>>
  readonly queueLength: number
  readonly objects: readonly DebugObject[]
}

export interface DebugObject {
  readonly name: string
  readonly state: SyncState
  readonly reason?: string
  readonly message?: string
  readonly lastWrite?: { readonly side: string; readonly verb: string; readonly at: string }
}

export function debugRun(id: string, { running: syncer, absence }: ServedRun<RunningSync>): DebugKind {
  const reason = absence ?? syncer?.trouble
  const states = syncer?.states
  return {
    kind: id,
    state:
      syncer === undefined
        ? absence === undefined
          ? 'starting'
          : 'not served'
        : syncer.isSettled
          ? 'running'
          : 'starting',
    ...(reason !== undefined && { reason }),
    counts: {
      'in-step': states?.count('in-step') ?? 0,
      waiting: states?.count('waiting') ?? 0,
      failing: states?.count('failing') ?? 0,
    },
    queueLength: syncer?.queueLength ?? 0,
    objects: [...(states?.entries() ?? [])].map(([name, state]) => debugObject(name, state)),
  }
}

function debugObject(name: string, { state, trouble, lastWrite }: ObjectState): DebugObject {
  return {
    name,
    state,
    ...trouble,
    ...(lastWrite && {
      lastWrite: { side: lastWrite.side, verb: lastWrite.verb, at: new Date(lastWrite.atMs).toISOString() },
    }),
  }
}
