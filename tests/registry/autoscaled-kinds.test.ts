import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RunningApiServer } from '../../src/cluster/api-server/public-types.d.ts'
import { startApiServer } from '../../src/cluster/api-server/testing.ts'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/network/call.ts'

const widgets = '/apis/example.com/v1/namespaces/default/widgets'
const autoscalers = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers'

let server: RunningApiServer

beforeAll(async () => {
  server = await startApiServer({ users: [{ token: 'admin-token', user: 'admin', groups: ['system:masters'] }] })
})
afterAll(() => server.stop())

async function send(method: string, path: string, body?: object) {
  const headers = { Authorization: 'Bearer admin-token', 'Content-Type': 'application/json' }
  const sent = { method, path, headers, body: body && JSON.stringify(body) }
  const { status, text } = await call(Number(new URL(server.url).port), sent)
  return { status, object: JSON.parse(await text) }
}

const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
}

async function defineWidgets(): Promise<void> {
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const version = { name: 'v1', served: true, storage: true, subresources: { scale, status: {} } }
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ ...version, schema: { openAPIV3Schema } }],
    },
  })
  await eventually(async () => expect((await send('GET', widgets)).status).toBe(200))
}

async function autoscale(name: string, maxReplicas: number): Promise<void> {
  const type = { apiVersion: 'example.com/v1', kind: 'Widget' }
  await send('POST', widgets, { ...type, metadata: { name }, spec: { replicas: 5 } })
  const scaleTargetRef = { ...type, name }
  await send('POST', autoscalers, { metadata: { name }, spec: { scaleTargetRef, maxReplicas } })
}

it('a kind without a selector is kept within its range, and reports the selector only for metrics of Pods', async () => {
  await defineWidgets()
  await autoscale('over', 3)
  await autoscale('within', 9)
  const conditionsOf = async (name: string) => (await send('GET', `${autoscalers}/${name}`)).object.status?.conditions
  await eventually(async () => {
    expect((await send('GET', `${widgets}/over`)).object.spec).toEqual({ replicas: 3 })
    expect(await conditionsOf('within')).toMatchObject([
      { type: 'AbleToScale', status: 'True', reason: 'SucceededGetScale' },
      { type: 'ScalingActive', status: 'False', reason: 'InvalidSelector' },
    ])
  })
})
