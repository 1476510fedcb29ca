import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtinKinds } from '../../../src/api/builtin-kinds.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { protocols, rawAsk } from '../support/raw-ask.ts'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

function definitionWith(pattern: string): string {
  const patterns = Array.from({ length: 300 }, (_, at) => [`p${at}`, { type: 'string', pattern: `${at}${pattern}` }])
  const openAPIV3Schema = { type: 'object', properties: Object.fromEntries(patterns) }
  const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' }
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }]
  const spec = { group: 'example.com', names, scope: 'Namespaced', versions }
  return JSON.stringify({ metadata: { name: 'things.example.com' }, spec })
}

describe.each(protocols)('patterns of few steps that take long to compile are refused, over %s', (protocol) => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ kinds: builtinKinds() })
  })

  afterAll(() => server?.stop())

  test.each([
    ['tables of Unicode', `(?i)[${'\\PL'.repeat(600)}]`],
    ['ranges of any case', `(?i)[${'B-\u{1e942}'.repeat(400)}]`],
    ['brackets', '('.repeat(900) + ')'.repeat(900)],
    ['tables that are not closed', `(?i)[${'\\PL'.repeat(600)}`],
  ])('of %s', async (_, pattern) => {
    const body = definitionWith(pattern)
    const headers: [string, string][] = [['Content-Type', 'application/json']]
    const { status, text } = await rawAsk(protocol, server.port, { method: 'POST', url: definitions, body, headers })
    expect(text).toContain('the patterns of this definition are too many or too large')
    expect(status).toBe(422)
  })
})
