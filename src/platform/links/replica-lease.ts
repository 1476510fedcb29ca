import type { KubeObject } from '../../api/object.ts'
import { microTimestamp } from '../../base/clock.ts'
import { asMembers } from '../../base/json/lenient.ts'

/** Where other replicas reach a replica. */
export interface ReplicaAddress {
  readonly url: string
  /** SHA-256 of the certificate that the replica shows. */
  readonly fingerprint: string
}

export const replicaNamespace = 'kube-system'
export const leaseSeconds = 15

const prefix = 'platform-replica-'
const addressAnnotation = 'platform.internal/replica-url'
const leavingAnnotation = 'platform.internal/replica-leaving'
const fingerprintAnnotation = 'platform.internal/replica-certificate'

export interface ReplicaAnnouncement extends ReplicaAddress {
  /** Whether the replica is stopping and accepts no more links. */
  readonly isLeaving: boolean
}

/** The Lease with which a replica announces itself and its address. */
export function replicaLease(
  replica: string,
  { url, fingerprint, isLeaving }: ReplicaAnnouncement,
  nowMs: number,
): KubeObject {
  const leaving = isLeaving ? { [leavingAnnotation]: 'true' } : {}
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name: prefix + replica,
      namespace: replicaNamespace,
      annotations: { [addressAnnotation]: url, [fingerprintAnnotation]: fingerprint, ...leaving },
    },
    spec: { holderIdentity: replica, leaseDurationSeconds: leaseSeconds, renewTime: microTimestamp(nowMs) },
  }
}

/** The lease, renewed. The replica may have another certificate by now. */
export function renewedLease(before: KubeObject, { metadata, spec }: KubeObject): KubeObject {
  const annotations = { ...before.metadata.annotations, ...metadata.annotations }
  return { ...before, metadata: { ...before.metadata, annotations }, spec }
}

export function leaseName(replica: string): string {
  return prefix + replica
}

/** Undefined for leases of anything else. */
export function replicaOfLease(namespace: string, name: string): string | undefined {
  return namespace === replicaNamespace && name.startsWith(prefix) ? name.slice(prefix.length) : undefined
}

export function isLeavingBy({ metadata }: KubeObject): boolean {
  return asMembers(metadata.annotations)[leavingAnnotation] === 'true'
}

export function addressOfLease({ metadata }: KubeObject): ReplicaAddress | undefined {
  const annotations = asMembers(metadata.annotations)
  const url = annotations[addressAnnotation]
  const fingerprint = annotations[fingerprintAnnotation]
  return typeof url === 'string' && typeof fingerprint === 'string' ? { url, fingerprint } : undefined
}
