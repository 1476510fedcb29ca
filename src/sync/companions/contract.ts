import type { KubeObject } from '../../api/object.ts'
import type { ObjectName } from '../../patches/contract.ts'

/** Objects of the host that copies need and that are no copies themselves, such as a Secret with tokens. */
export interface Companions {
  /** The object is likely to get a copy: what takes time, and is of no harm if it gets none, may begin. */
  prepare(virtual: KubeObject, signal: AbortSignal): void
  /** Resolves when everything is there that the copy needs at its start. */
  provide(virtual: KubeObject, place: ObjectName, signal: AbortSignal): Promise<void>
  /** The copy is there: what belongs to it alone goes with it. */
  made(virtual: KubeObject, copy: KubeObject): void
  /** The host does not take the copy: what belongs to it alone goes, or refused copies would fill the host with it. */
  refused(virtual: KubeObject, place: ObjectName): void
}

/** An address and a port at which a server is reached. */
export interface ServerAddress {
  readonly host: string
  readonly port: number
}

/** Where Pods on the host find the virtual cluster. What is absent is not known. */
export interface PodNetwork {
  readonly api?: ServerAddress
  /** Of the DNS server of the tenant, at the usual port. */
  readonly dns?: string
}
