import { expect } from 'vitest'
import type { ClusterClient } from './cluster-client.ts'
import type { Collection } from './objects.ts'
import { soon } from './soon.ts'

const group = 'tests.example.com'

export const certificates: Collection = { apiVersion: `${group}/v1`, kind: 'Certificate', plural: 'certificates' }
/** Cluster-scoped. */
export const issuers: Collection = { apiVersion: `${group}/v1`, kind: 'Issuer', plural: 'issuers' }

const scopes: readonly (readonly [Collection, 'Namespaced' | 'Cluster'])[] = [
  [certificates, 'Namespaced'],
  [issuers, 'Cluster'],
]

/** Whether an API serves the custom resources of these tests, after they were defined. */
export async function definesCustomResources(client: ClusterClient): Promise<boolean> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  for (const [kind, scope] of scopes) {
    if ((await client.request('POST', path, definitionOf(kind, scope))).status === 404) return false
    await soon(async () => {
      expect((await client.request('GET', `/apis/${kind.apiVersion}/${kind.plural}`)).status).toBe(200)
    })
  }
  return true
}

export function definitionOf({ plural, kind, apiVersion }: Collection, scope: string) {
  const [ownGroup = ''] = apiVersion.split('/')
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${ownGroup}` },
    spec: {
      group: ownGroup,
      scope,
      names: { plural, singular: kind.toLowerCase(), kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  }
}
