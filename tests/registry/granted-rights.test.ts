import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RunningApiServer } from '../../src/cluster/api-server/public-types.d.ts'
import { startApiServer } from '../../src/cluster/api-server/testing.ts'
import { call } from '../support/network/call.ts'
import { sendJson } from '../support/network/send-json.ts'

let server: RunningApiServer
let port: number

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const apiGroup = 'rbac.authorization.k8s.io'

beforeAll(async () => {
  server = await startApiServer({
    controllers: 'none',
    users: [
      { token: 'admin-token', user: 'admin', groups: ['system:masters'] },
      { token: 'maker-token', user: 'maker', groups: [] },
    ],
  })
  port = Number(new URL(server.url).port)
  const rules = [{ apiGroups: [apiGroup], resources: ['*'], verbs: ['create', 'update'] }]
  await sendJson(port, 'POST', `${rbac}/clusterroles`, { metadata: { name: 'maker' }, rules })
  const roleRef = { apiGroup, kind: 'ClusterRole', name: 'maker' }
  const subjects = [{ kind: 'User', name: 'maker' }]
  await sendJson(port, 'POST', `${rbac}/clusterrolebindings`, { metadata: { name: 'maker' }, roleRef, subjects })
  await sendJson(port, 'POST', `${rbac}/clusterroles`, { metadata: { name: 'empty' }, rules: [] })
})

afterAll(() => server.stop())

/** Grants rights that its maker lacks, and is invalid as well. */
const role = (name: string) => ({
  metadata: { name },
  rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['*', ''] }],
})

it.each([
  ['POST', `${rbac}/clusterroles`, role('A b')],
  ['PUT', `${rbac}/clusterroles/empty`, { ...role('empty'), aggregationRule: { clusterRoleSelectors: [] } }],
])('rights that the caller lacks are refused before the role is validated: %s %s', async (method, path, body) => {
  const headers = { Authorization: 'Bearer maker-token' }
  const { status, text } = await call(port, { method, path, headers, body: JSON.stringify(body) })
  expect([status, JSON.parse(await text).message]).toEqual([
    403,
    expect.stringContaining('is attempting to grant RBAC permissions not currently held'),
  ])
})

it('a name that is to be generated is not in the refusal', async () => {
  const headers = { Authorization: 'Bearer maker-token' }
  const body = JSON.stringify({ ...role(''), metadata: { generateName: 'x-' } })
  const { text } = await call(port, { method: 'POST', path: `${rbac}/clusterroles`, headers, body })
  expect(JSON.parse(await text).message).toMatch(
    /^clusterroles\.rbac\.authorization\.k8s\.io is forbidden: user "maker"/,
  )
})
