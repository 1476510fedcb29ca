import type { KubeObject } from '../object.ts'
import type { ObjectReference } from './core-v1.ts'

/** Made by `npm run generate` from the tables in src/api/facts. */

export interface Endpoint {
  readonly addresses: readonly string[] | null
  readonly conditions: EndpointConditions
  readonly hostname?: string
  readonly targetRef?: ObjectReference
  readonly deprecatedTopology?: Readonly<Record<string, string>>
  readonly nodeName?: string
  readonly zone?: string
  readonly hints?: EndpointHints
}

export interface EndpointConditions {
  readonly ready?: boolean
  readonly serving?: boolean
  readonly terminating?: boolean
}

export interface EndpointHints {
  readonly forZones?: readonly ForZone[]
}

export interface EndpointPort {
  readonly name?: string
  readonly protocol?: string
  readonly port?: number
  readonly appProtocol?: string
}

export interface EndpointSlice extends KubeObject {
  readonly addressType: string
  readonly endpoints: readonly Endpoint[] | null
  readonly ports: readonly EndpointPort[] | null
}

export interface ForZone {
  readonly name: string
}
