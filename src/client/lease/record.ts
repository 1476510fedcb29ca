import type { KubeObject } from '../../api/object.ts'
import { microTimestamp } from '../../base/clock.ts'
import { asMembers, asText } from '../../base/json/lenient.ts'
import type { ObjectKey } from '../contract.ts'

/** When a state of the lease was first seen here. Clocks of other machines are never compared. */
export interface Observation {
  readonly resourceVersion: string
  readonly atMs: number
}

export interface LeaseRecord {
  /** Empty: it has no holder. */
  readonly holder: string
  readonly durationMs: number
  readonly transitions: number
}

export function readLease({ spec }: KubeObject): LeaseRecord {
  const { holderIdentity, leaseDurationSeconds, leaseTransitions } = asMembers(spec)
  return {
    holder: asText(holderIdentity),
    durationMs: (typeof leaseDurationSeconds === 'number' ? leaseDurationSeconds : 0) * 1000,
    transitions: typeof leaseTransitions === 'number' ? leaseTransitions : 0,
  }
}

export function seen(lease: KubeObject, before: Observation | undefined, nowMs: number): Observation {
  const { resourceVersion = '' } = lease.metadata
  return before?.resourceVersion === resourceVersion ? before : { resourceVersion, atMs: nowMs }
}

/**
 * Whether the lease may be taken: it has no holder, or its holder has not renewed it within its duration. Any client
 * that may write leases can set the duration, so it counts only up to `longestMs`.
 */
export function isFree(lease: KubeObject, sighting: Observation, nowMs: number, longestMs: number): boolean {
  const { holder, durationMs } = readLease(lease)
  return holder === '' || nowMs - sighting.atMs >= Math.min(durationMs, longestMs)
}

export interface Holder {
  readonly identity: string
  readonly durationSeconds: number
}

export function newLease({ namespace, name }: ObjectKey, holder: Holder, nowMs: number): KubeObject {
  const empty = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { namespace, name } }
  return taken(empty, holder, nowMs)
}

export function taken(lease: KubeObject, { identity, durationSeconds }: Holder, nowMs: number): KubeObject {
  const before = readLease(lease)
  const time = microTimestamp(nowMs)
  const isNew = lease.spec === undefined
  const spec = {
    holderIdentity: identity,
    leaseDurationSeconds: durationSeconds,
    acquireTime: time,
    renewTime: time,
    leaseTransitions: isNew ? 0 : before.transitions + 1,
  }
  return { ...lease, spec }
}

export function renewed(lease: KubeObject, nowMs: number): KubeObject {
  const spec = asMembers(lease.spec)
  return { ...lease, spec: { ...spec, renewTime: microTimestamp(nowMs) } }
}

/** The next holder need not wait. Not every server allows an empty holder, but all allow none. */
export function released(lease: KubeObject, nowMs: number): KubeObject {
  const { transitions } = readLease(lease)
  const time = microTimestamp(nowMs)
  return {
    ...lease,
    spec: { leaseDurationSeconds: 1, acquireTime: time, renewTime: time, leaseTransitions: transitions },
  }
}
