import type { KubeObject } from '../object.ts'
import type { ObjectReference } from './references.ts'

export interface EndpointSlice extends KubeObject {
  readonly addressType: string
  readonly endpoints: readonly Endpoint[] | null
  readonly ports: readonly SlicePort[] | null
}

export interface Endpoint {
  readonly addresses: readonly string[] | null
  readonly conditions: { readonly ready?: boolean; readonly serving?: boolean; readonly terminating?: boolean }
  readonly hostname?: string
  readonly targetRef?: ObjectReference
  readonly deprecatedTopology?: Readonly<Record<string, string>>
  readonly nodeName?: string
  readonly zone?: string
  readonly hints?: { readonly forZones?: readonly { readonly name: string }[] }
}

export interface SlicePort {
  readonly name?: string
  readonly protocol?: string
  readonly port?: number
  readonly appProtocol?: string
}
