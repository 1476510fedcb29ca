import type { KubeObject } from '../api/object.ts'
import type { Pair, Plan, SyncKind } from './contract.ts'
import { fieldsOf, holdsWanted } from './fields.ts'
import { valueHash } from './hash.ts'
import type { AcceptedFields } from './host-write.ts'
import { readLastSync } from './last-sync.ts'
import { sameMap } from './merge.ts'
import { WriteLimit } from './write-limit.ts'

/** What one process knows of the objects of a kind besides what they are. It may be lost without harm. */
export class ObjectMemory {
  /** The versions of both sides when they were last in step. */
  readonly #inStep = new Map<string, string>()
  readonly #accepted = new Map<string, AcceptedFields>()
  readonly #hostLimit = new WriteLimit()
  readonly #virtualLimit = new WriteLimit()

  isInStep(name: string, versions: string): boolean {
    return this.#inStep.get(name) === versions
  }

  setInStep(name: string, versions: string): void {
    this.#inStep.set(name, versions)
  }

  accepted(name: string): AcceptedFields | undefined {
    return this.#accepted.get(name)
  }

  /** How long a plan has to wait, because somebody undoes what is written. What need not wait is counted as written. */
  pauseMs(name: string, { virtual, copy }: Pair, plan: Plan, nowMs: number): number {
    if (plan.action !== 'update') return 0
    const writes = [
      ...(plan.host === undefined ? [] : [{ limit: this.#hostLimit, version: versionOf(virtual) }]),
      ...(plan.virtual === undefined ? [] : [{ limit: this.#virtualLimit, version: versionOf(copy) }]),
    ]
    const pauseMs = Math.max(0, ...writes.map(({ limit, version }) => limit.pauseMs(name, version, nowMs)))
    if (pauseMs === 0) for (const { limit, version } of writes) limit.wrote(name, version, nowMs)
    return pauseMs
  }

  /** A server may show fields in another form than they were written; then that is what it makes of them. */
  wrote(name: string, plan: Plan, written: KubeObject, kind: SyncKind): 'as planned' | 'otherwise' {
    if ((plan.action !== 'create' && plan.action !== 'update') || plan.host === undefined) return 'otherwise'
    if (!holdsWanted(written, fieldsOf(plan.host), kind)) {
      this.#accepted.set(name, { written: readLastSync(plan.host).fields, shown: valueHash(fieldsOf(written)) })
      return 'otherwise'
    }
    this.#accepted.delete(name)
    return hasSameMaps(written, plan.host) ? 'as planned' : 'otherwise'
  }

  /** The configuration has changed. */
  forgetSteps(): void {
    this.#inStep.clear()
  }

  forget(name: string): void {
    this.#inStep.delete(name)
    this.#accepted.delete(name)
    this.#hostLimit.forget(name)
    this.#virtualLimit.forget(name)
  }
}

/** As long as this is the same, there is nothing to look at. */
export function versionsOf(virtual: KubeObject | undefined, copy: KubeObject | undefined, isWanted: boolean): string {
  return `${versionOf(virtual)}/${versionOf(copy)}/${isWanted}`
}

function versionOf(object: KubeObject | undefined): string {
  return object?.metadata.resourceVersion ?? ''
}

function hasSameMaps({ metadata: left }: KubeObject, { metadata: right }: KubeObject): boolean {
  return sameMap(left.labels ?? {}, right.labels ?? {}) && sameMap(left.annotations ?? {}, right.annotations ?? {})
}
