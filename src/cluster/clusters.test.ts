import { expect, it } from 'vitest'
import { managementKinds } from '../api/management/kinds.ts'
import { managementHooks } from '../platform/management-hooks.ts'
import { type ClusterType, clusters } from './clusters.ts'
import { nodelessRoutes } from './routes/nodeless-routes.ts'
import { simulatedNodeRoutes } from './routes/simulated-node-routes.ts'

const rows: readonly (readonly [string, ClusterType])[] = Object.entries(clusters)

/** The name in the hook table. */
const nameOf = ({ kind, group }: { readonly kind: string; readonly group: string }) =>
  group === '' ? kind : `${kind}.${group}`

it.each(rows)('%s has hooks only for kinds that it serves', (_, { kinds, hooks }) => {
  const served = kinds().map(nameOf)
  expect(Object.keys(hooks).filter((name) => !served.includes(name))).toEqual([])
})

it.each(rows)('in %s rights are granted only by users who have them', (_, { kinds, hooks }) => {
  const rbac = kinds().filter(({ group }) => group === 'rbac.authorization.k8s.io')
  expect(rbac).toHaveLength(4)
  expect(rbac.map(nameOf).filter((name) => !(name in hooks))).toEqual([])
})

it('the platform has hooks for each of its own kinds', () => {
  const own = managementKinds('platform.internal').map(({ kind }) => kind)
  expect(Object.keys(managementHooks).toSorted()).toEqual(own.toSorted())
})

it('only the embedded host has a scheduler and a simulated node', () => {
  const simulating = rows.filter(([, { controllers, routes = [] }]) => {
    return 'scheduler' in controllers || 'simulated-node' in controllers || routes.includes(simulatedNodeRoutes)
  })
  expect(simulating.map(([name]) => name)).toEqual(['host'])
})

it('the engine alone reports that it has no nodes', () => {
  const nodeless = rows.filter(([, { routes = [] }]) => routes.includes(nodelessRoutes))
  expect(nodeless.map(([name]) => name)).toEqual(['apiServer'])
})
