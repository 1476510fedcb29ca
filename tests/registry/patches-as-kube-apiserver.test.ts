import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RunningApiServer } from '../../src/cluster/api-server/public-types.d.ts'
import { startApiServer } from '../../src/cluster/api-server/testing.ts'
import { call } from '../support/network/call.ts'
import { sendJson } from '../support/network/send-json.ts'

/** The expected answers are those of kube-apiserver 1.32.4. Its 500 for a mistake of the caller is a 400 here. */
let server: RunningApiServer
let port: number

const maps = '/api/v1/namespaces/default/configmaps'

beforeAll(async () => {
  server = await startApiServer({
    controllers: 'none',
    users: [{ token: 'admin-token', user: 'admin', groups: ['system:masters'] }],
  })
  port = Number(new URL(server.url).port)
  expect(await sendJson(port, 'POST', maps, { metadata: { name: 'c' } })).toMatchObject({ status: 201 })
})

afterAll(() => server.stop())

async function patched(type: string, body: string, query: string) {
  const headers = { Authorization: 'Bearer admin-token', 'Content-Type': `application/${type}` }
  const path = `${maps}/c?dryRun=All&${query}`
  const { status, text } = await call(port, { method: 'PATCH', path, headers, body })
  const { message } = JSON.parse(await text)
  return { status, message }
}

const strict = 'fieldValidation=Strict'

it('an operation that fails is reported before an unknown member of an operation', async () => {
  const operations = '[{"op":"test","path":"/metadata/name","value":"other","extra":1}]'
  expect(await patched('json-patch+json', operations, strict)).toEqual({
    status: 422,
    message: 'the server rejected our request due to an error in our request',
  })
})

it('unknown members of operations are reported together with unknown fields of the result', async () => {
  const operations = '[{"op":"add","path":"/bogus","value":1,"extra":1}]'
  const { status, message } = await patched('json-patch+json', operations, strict)
  expect(status).toBe(422)
  expect(message).toMatch(/: strict decoding error: json patch unknown field "\[0\]\.extra", unknown field "bogus"$/)
})

it('a configuration that cannot be applied is reported before a repeated key in it', async () => {
  const config = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"bogus":1,"data":{"a":"1","a":"2"}}'
  expect(await patched('apply-patch+yaml', config, `${strict}&fieldManager=m`)).toEqual({
    status: 400,
    message: 'failed to create typed patch object (/c; /v1, Kind=ConfigMap): .bogus: field not declared in schema',
  })
})
