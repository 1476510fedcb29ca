import { afterAll, beforeAll, expect, it } from 'vitest'
import type { KubeObject } from '../../src/api/object.ts'
import type { RunningApiServer } from '../../src/cluster/api-server/public-types.d.ts'
import { startApiServer } from '../../src/cluster/api-server/testing.ts'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/network/call.ts'

const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { sum: 'yes' } }] }
const reading = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]

let server: RunningApiServer

beforeAll(async () => {
  server = await startApiServer({ users: [{ token: 'admin-token', user: 'admin', groups: ['system:masters'] }] })
})
afterAll(() => server.stop())

async function send(method: string, name: string, body?: object): Promise<KubeObject> {
  const headers = { Authorization: 'Bearer admin-token', 'Content-Type': 'application/json' }
  const sent = { method, path: `${path}${name}`, headers, body: body && JSON.stringify(body) }
  return JSON.parse(await (await call(Number(new URL(server.url).port), sent)).text)
}

const create = (name: string, role: object) => send('POST', '', { metadata: { name }, ...role })
const labelled = (name: string) => send('POST', '', { metadata: { name, labels: { sum: 'yes' } }, rules: reading })

async function rulesOf(name: string, rules: unknown): Promise<KubeObject> {
  let role: KubeObject | undefined
  await eventually(async () => {
    role = await send('GET', `/${name}`)
    expect(role.rules).toEqual(rules)
  })
  return role as KubeObject
}

it('the rules of an aggregated role are those that the controller applies, and are removed with their sources', async () => {
  await create('all', { aggregationRule, rules: [] })
  await labelled('part')
  const { metadata } = await rulesOf('all', reading)
  const applied = metadata.managedFields?.filter(({ fieldsV1 }) => Object.hasOwn(Object(fieldsV1), 'f:rules'))
  expect(applied).toMatchObject([{ manager: 'clusterrole-aggregation-controller', operation: 'Apply' }])
  await send('DELETE', '/part')
  await rulesOf('all', null)
})

it('rules written by a user into such a role are replaced', async () => {
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]
  await create('own', { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { sum: 'none' } }] }, rules })
  await rulesOf('own', null)
})
