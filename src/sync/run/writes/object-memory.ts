import type { KubeObject } from '../../../api/object.ts'
import type { Pair, Plan, SyncKind } from '../../contract.ts'
import { fieldsOf, holdsWanted } from '../../plan/fields.ts'
import { valueHash } from '../../plan/hash.ts'
import type { AcceptedFields } from '../../plan/host-write.ts'
import { readLastSync } from '../../plan/last-sync.ts'
import { sameMap } from '../../plan/merge.ts'
import { WriteLimit } from './write-limit.ts'
import { WritePace } from './write-pace.ts'

export interface PlannedWrites {
  /** How long the writes must wait because another client keeps undoing them. */
  pauseMs(nowMs: number): number
  /** How long the writes to the host must wait because there were many. */
  paceMs(nowMs: number): number
  wroteHost(nowMs: number): void
  wroteVirtual(written: KubeObject, nowMs: number): void
}

/** What a process knows about the objects of a kind besides their state. Losing it does no harm. */
export class ObjectMemory {
  /** The versions of both sides when they were last in step. */
  readonly #inStep = new Map<string, string>()
  readonly #accepted = new Map<string, AcceptedFields>()
  /** Versions of virtual objects that the syncer wrote, with the last one before that it did not write. */
  readonly #ownVersions = new Map<string, { readonly own: string; readonly tenants: string }>()
  /** The last report about what the policy refuses. */
  readonly #notices = new Map<string, string>()
  readonly #hostLimit = new WriteLimit()
  readonly #hostPace = new WritePace()
  readonly #virtualLimit = new WriteLimit()
  readonly #endLimit = new WriteLimit()

  isInStep(name: string, versions: string): boolean {
    return this.#inStep.get(name) === versions
  }

  setInStep(name: string, versions: string): void {
    this.#inStep.set(name, versions)
  }

  /** Whether the report differs from the last one. Undefined: there is nothing to report any more. */
  isNews(name: string, message: string | undefined): boolean {
    const before = this.#notices.get(name)
    if (message === undefined) this.#notices.delete(name)
    else this.#notices.set(name, message)
    return message !== undefined && message !== before
  }

  accepted(name: string): AcceptedFields | undefined {
    return this.#accepted.get(name)
  }

  /** The writes of one plan: whether they must wait, and the effect of those done. */
  writesOf(name: string, pair: Pair, plan: Plan): PlannedWrites {
    const tenants = this.#tenantsVersion(name, pair)
    const copys = versionOf(pair.copy)
    return {
      pauseMs: (nowMs) => {
        if (plan.action !== 'create' && plan.action !== 'update') return 0
        const host = writesHost(plan) ? this.#hostLimit.pauseMs(name, tenants, nowMs) : 0
        const isVirtual = plan.action === 'update' && plan.virtual !== undefined
        return Math.max(host, isVirtual ? this.#virtualLimit.pauseMs(name, copys, nowMs) : 0)
      },
      paceMs: (nowMs) => (writesHost(plan) ? this.#hostPace.pauseMs(name, nowMs) : 0),
      wroteHost: (nowMs) => {
        this.#hostLimit.wrote(name, tenants, nowMs)
        this.#hostPace.wrote(name, nowMs)
      },
      wroteVirtual: (written, nowMs) => {
        this.#virtualLimit.wrote(name, copys, nowMs)
        this.#ownVersions.set(name, { own: versionOf(written), tenants })
      },
    }
  }

  /** How long an object rests that its server still shows, although it was ended or released again and again. */
  restMs(name: string, { metadata: { uid = '' } }: KubeObject, nowMs: number): number {
    return this.#endLimit.pauseMs(name, uid, nowMs)
  }

  ended(name: string, { metadata: { uid = '' } }: KubeObject, nowMs: number): void {
    this.#endLimit.wrote(name, uid, nowMs)
  }

  /** A server may return fields in another form than written; that form is then remembered. */
  compare(name: string, plan: Plan, written: KubeObject, kind: SyncKind): 'as planned' | 'otherwise' {
    if ((plan.action !== 'create' && plan.action !== 'update') || plan.host === undefined) return 'otherwise'
    if (!holdsWanted(written, fieldsOf(plan.host), kind)) {
      this.#accepted.set(name, { written: readLastSync(plan.host).fields, shown: valueHash(fieldsOf(written)) })
      return 'otherwise'
    }
    this.#accepted.delete(name)
    return hasSameMaps(written, plan.host) ? 'as planned' : 'otherwise'
  }

  /** The configuration has changed, so writes under the previous one no longer count. */
  startOver(): void {
    this.#inStep.clear()
    this.#hostLimit.forgetAll()
    this.#virtualLimit.forgetAll()
    this.#endLimit.forgetAll()
  }

  /** Its circumstances have changed, although neither side has. */
  checkAgain(name: string): void {
    this.#inStep.delete(name)
  }

  forget(name: string): void {
    this.#inStep.delete(name)
    this.#accepted.delete(name)
    this.#ownVersions.delete(name)
    this.#notices.delete(name)
    this.#hostLimit.forget(name)
    this.#hostPace.forget(name)
    this.#virtualLimit.forget(name)
    this.#endLimit.forget(name)
  }

  /** The tenant's last change of the object. The syncer's own writes do not cause others. */
  #tenantsVersion(name: string, { virtual }: Pair): string {
    const version = versionOf(virtual)
    const known = this.#ownVersions.get(name)
    return known?.own === version ? known.tenants : version
  }
}

/** Deletions are never delayed. */
function writesHost(plan: Plan): boolean {
  if (plan.action === 'create') return true
  return plan.action === 'update' && (plan.host !== undefined || plan.parts !== undefined)
}

/** As long as this is the same, there is nothing to check. */
export function versionsOf(virtual: KubeObject | undefined, copy: KubeObject | undefined, isWanted: boolean): string {
  return `${versionOf(virtual)}/${versionOf(copy)}/${isWanted}`
}

function versionOf(object: KubeObject | undefined): string {
  return object?.metadata.resourceVersion ?? ''
}

function hasSameMaps({ metadata: left }: KubeObject, { metadata: right }: KubeObject): boolean {
  return sameMap(left.labels ?? {}, right.labels ?? {}) && sameMap(left.annotations ?? {}, right.annotations ?? {})
}
