import type { ResourceType } from '../../client/contract.ts'
import type { RunningSync, ServedRun } from '../run/served-run.ts'
import type { ObjectState, SyncState } from '../run/states.ts'

/** The state of one kind, object by object, for `/debug/sync`. */
export interface DebugKind {
  /** The key in tenant.yaml; imports have the prefix `fromHost.` or `references.`. */
  readonly kind: string
  /** How the virtual cluster serves it. Absent: not known, or one of the clusters does not serve it. */
  readonly group?: string
  readonly version?: string
  readonly resource?: string
  readonly state: 'starting' | 'not served' | 'running'
  /** Why a cluster cannot be followed, or does not serve the kind. */
  readonly reason?: string
  readonly counts: Readonly<Record<SyncState, number>>
  readonly queueLength: number
  /** Objects with parts that the policy keeps from the host. */
  readonly restricted: number
  readonly objects: readonly DebugObject[]
}

export interface DebugObject {
  readonly name: string
  readonly state: SyncState
  readonly reason?: string
  readonly message?: string
  /** The number of fields, labels and annotations that the policy keeps from the host. */
  readonly refused?: number
  /** Since when it is in step. */
  readonly inStepSince?: string
  /** When it was last in step. Absent: it is in step, or never was since the process began. */
  readonly lastInStep?: string
  readonly lastWrite?: { readonly side: string; readonly verb: string; readonly at: string }
}

/** The part of a run that is shown, however it was started. */
type ShownRun = Pick<ServedRun<RunningSync>, 'running' | 'absence' | 'types'>

export function debugRun(id: string, run: ShownRun): DebugKind {
  const { running: syncer, absence, types } = run
  const reason = absence ?? syncer?.trouble
  const { states, length = 0 } = syncer?.progress ?? {}
  const objects = [...(states?.entries() ?? [])].map(([name, state]) => debugObject(name, state))
  return {
    kind: id,
    ...(types && typeOf(types.virtual)),
    state: stateOf(run),
    ...(reason !== undefined && { reason }),
    counts: {
      'in-step': states?.count('in-step') ?? 0,
      waiting: states?.count('waiting') ?? 0,
      failing: states?.count('failing') ?? 0,
    },
    queueLength: length,
    restricted: objects.filter(({ refused = 0 }) => refused > 0).length,
    objects,
  }
}

function typeOf({ group, version, resource }: ResourceType): Pick<DebugKind, 'group' | 'version' | 'resource'> {
  return { group, version, resource }
}

function stateOf({ running, absence }: ShownRun): DebugKind['state'] {
  if (running === undefined) return absence === undefined ? 'starting' : 'not served'
  return running.progress.isSettled ? 'running' : 'starting'
}

function debugObject(name: string, { state, trouble, refused, lastWrite, inStepMs }: ObjectState): DebugObject {
  const inStep = inStepMs === undefined ? undefined : new Date(inStepMs).toISOString()
  return {
    name,
    state,
    ...trouble,
    ...(refused !== undefined && { refused }),
    ...(inStep && (state === 'in-step' ? { inStepSince: inStep } : { lastInStep: inStep })),
    ...(lastWrite && {
      lastWrite: { side: lastWrite.side, verb: lastWrite.verb, at: new Date(lastWrite.atMs).toISOString() },
    }),
  }
}
