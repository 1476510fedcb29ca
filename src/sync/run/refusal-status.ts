import { timestamp } from '../../base/clock.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { Pair, Trouble } from '../contract.ts'
import { nameOf } from '../names/names.ts'
import type { KindRules } from '../plan/rules.ts'
import { SyncTrouble } from './failures/failure.ts'
import { refusedByHost } from './failures/refused-by-host.ts'
import { type CommitContext, writeStatus } from './writes/commit.ts'

export interface RefusedCopy {
  readonly pair: Pair
  readonly error: unknown
  readonly place: ObjectName
  readonly nowMs: number
}

/** If the kind can report it, its status says why the host refuses the copy. */
export async function reportRefused(
  { pair: { virtual }, error, place, nowMs }: RefusedCopy,
  { kind: { whenRefused } }: KindRules,
  context: CommitContext,
): Promise<SyncTrouble | undefined> {
  if (virtual === undefined || whenRefused === undefined) return undefined
  const trouble = refusedByHost(error, nameOf(virtual), place)
  if (trouble === undefined) return undefined
  const status = whenRefused(virtual, trouble, timestamp(nowMs))
  if (status !== undefined) await writeStatus(virtual, status, context)
  return new SyncTrouble(trouble)
}

/** The status of a part that has one says why the copy lacks it. */
export async function reportPartsRefused(
  { virtual, copy }: Pair,
  trouble: Trouble,
  { kind, setting }: KindRules,
  context: CommitContext,
): Promise<void> {
  if (virtual === undefined || copy === undefined) return
  const status = kind.whenPartsRefused?.({ virtual, copy }, trouble, setting)
  if (status !== undefined) await writeStatus(virtual, status, context)
}
