import { type Collection, claims, configMaps, pods, secrets, services } from '../../../sync/support/objects.ts'

export const nodes: Collection = { apiVersion: 'v1', kind: 'Node', plural: 'nodes' }
export const namespaces: Collection = { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces' }
export const deployments: Collection = { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments' }

/** The kinds that are followed on the host, and compared at the end. */
export const carriedKinds: readonly Collection[] = [pods, services, claims, secrets, configMaps]

export const virtualNamespaces = ['red', 'blue'] as const
export type VirtualNamespace = (typeof virtualNamespaces)[number]

export interface Place {
  readonly namespace: VirtualNamespace
  readonly name: string
}
