import type { KubeObject } from '../../api/object.ts'
import type { ObjectName } from '../../patches/contract.ts'

/** Objects of the host that copies need and that are not copies themselves, such as a Secret with tokens. */
export interface Companions {
  /** The object will probably get a copy: slow work that is harmless without one may begin. */
  prepare(virtual: KubeObject, signal: AbortSignal): void
  /** Resolves when everything that the copy needs at its start exists. */
  provide(virtual: KubeObject, place: ObjectName, signal: AbortSignal): Promise<void>
  /** The copy exists: companions that only it needs are deleted with it from now on. */
  made(virtual: KubeObject, copy: KubeObject): void
  /**
   * The host refuses the copy: companions that only it needs are deleted, because refused copies would otherwise fill
   * the host with them.
   */
  refused(virtual: KubeObject, place: ObjectName): void
}

export interface ServerAddress {
  readonly host: string
  readonly port: number
}

/** Where Pods on the host reach the virtual cluster. Absent fields are not known. */
export interface PodNetwork {
  readonly api?: ServerAddress
  /** The address of the tenant's DNS server, at the usual port. */
  readonly dns?: string
}
