import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'
import { sendJson } from '../support/network/send-json.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ kinds: builtinKinds() })
})
afterAll(() => server.stop())

const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'
const send = (method: string, path: string, body?: object) => sendJson(server.port, method, path, body)

function policy(name: string, rule: object, expression: string) {
  const rules = [{ operations: ['*'], apiVersions: ['v1'], ...rule }]
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: { matchConstraints: { resourceRules: rules }, validations: [{ expression }] },
  }
}

async function observed(name: string, observedGeneration: number): Promise<unknown> {
  let status: unknown
  await eventually(async () => {
    status = (await send('GET', `${policies}/${name}`)).body.status
    expect(status).toMatchObject({ observedGeneration })
  })
  return status
}

it('a valid policy has only an observed generation', async () => {
  const rule = { apiGroups: ['apps'], resources: ['deployments', 'deployments/scale'] }
  expect((await send('POST', policies, policy('fine', rule, 'object.spec.replicas > 1'))).status).toBe(201)
  expect(await observed('fine', 1)).toEqual({ observedGeneration: 1, typeChecking: {} })
})

it('a policy without kinds is not type checked', async () => {
  await send('POST', policies, policy('all', { apiGroups: ['*'], resources: ['deployments'] }, 'object.wrong == 1'))
  expect(await observed('all', 1)).toEqual({ observedGeneration: 1, typeChecking: {} })
})

it('each new spec is checked again', async () => {
  const rule = { apiGroups: ['apps'], resources: ['statefulsets', 'deployments'] }
  await send('POST', policies, policy('mended', rule, 'object.spec.serviceNam != ""'))
  expect(await observed('mended', 1)).toMatchObject({
    typeChecking: { expressionWarnings: [{ fieldRef: 'spec.validations[0].expression' }] },
  })
  await send('PATCH', `${policies}/mended`, { spec: { validations: [{ expression: 'object.spec.replicas > 1' }] } })
  expect(await observed('mended', 2)).toEqual({ observedGeneration: 2, typeChecking: {} })
})

it('custom kinds are checked, too, with their formats', async () => {
  const group = 'shop.example.com'
  const spec = {
    type: 'object',
    properties: {
      size: { type: 'integer' },
      opens: { type: 'string', format: 'date-time' },
      shelves: { type: 'array', items: { type: 'object', properties: { 'a-b': { type: 'string', format: 'byte' } } } },
    },
  }
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `shops.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'shops', kind: 'Shop' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  }
  expect((await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)).status).toBe(201)
  await eventually(async () => expect((await send('GET', `/apis/${group}/v1/shops`)).status).toBe(200))
  const rule = { apiGroups: [group], resources: ['shops'] }
  const fine = [
    ...['object.spec.size > 1', "object.spec.opens > timestamp('2000-01-01T00:00:00Z')"],
    ...["object.spec.shelves.all(s, s.a__dash__b == b'x')", "object.metadata.name != ''"],
  ]
  await send('POST', policies, policy('shops', rule, fine.join(' && ')))
  expect(await observed('shops', 1)).toEqual({ observedGeneration: 1, typeChecking: {} })
  await send('POST', policies, policy('typo', rule, 'object.spec.sizes > 1'))
  const warning = `${group}/v1, Kind=Shop: ERROR: <input>:1:12: undefined field 'sizes'\n | object.spec.sizes > 1\n | ...........^\n`
  expect(await observed('typo', 1)).toMatchObject({
    typeChecking: { expressionWarnings: [{ fieldRef: 'spec.validations[0].expression', warning }] },
  })
})
