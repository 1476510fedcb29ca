import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { protocols, type RawAnswer, type RawAsked, rawAsk } from '../support/raw-ask.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const json = 'application/json'
const yaml = 'application/yaml'
const jsonPatch = 'application/json-patch+json'
const mergePatch = 'application/merge-patch+json'
const applyPatch = 'application/apply-patch+yaml'

const many = (count: number, each: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => each(index))
const named = (name: string, more: string) => `{"metadata":{"name":"${name}"},${more}}`

/** Nested repetitions: a few lines that expand to billions. */
function multiplying(): string {
  const rows = many(11, (row) => {
    const [name, above] = [String.fromCharCode(98 + row), String.fromCharCode(97 + row)]
    return `${name}: &${name} [${`*${above},`.repeat(9)}]`
  })
  return ['a: &a [x,x,x,x,x,x,x,x,x]', ...rows].join('\n')
}

describe.each(protocols)('a small request with a high cost is refused before the work, over %s', (protocol) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
    await patchable('patched')
    const finalizers = many(10_000, (index) => `"example.com/${index}"`).join()
    await sent('POST', configMaps, `{"metadata":{"name":"listed","finalizers":[${finalizers}]}}`)
  })
  afterAll(() => server?.stop())

  const ask = (asked: RawAsked) => rawAsk(protocol, server.port, asked)
  const sent = (method: string, url: string, body: string, type = json) =>
    ask({ method, url, body, headers: [['Content-Type', type]] })
  const patchable = (name: string) => sent('POST', configMaps, `{"metadata":{"name":"${name}"}}`)
  const patched = (name: string, body: string, type: string) => sent('PATCH', `${configMaps}/${name}`, body, type)
  const operations = (count: number, each: (index: number) => object) =>
    JSON.stringify(Array.from({ length: count }, (_, index) => each(index)))

  function expectRefused({ status, text }: RawAnswer, code: number, words: string): void {
    expect(text).toContain(words)
    expect(status).toBe(code)
  }

  test.each([
    ['aliases that multiply', multiplying(), 400, 'excessive aliasing'],
    [
      'aliases that repeat a long text',
      `data:\n  a: &a "${'x'.repeat(200_000)}"\n${many(100, (index) => `  k${index}: *a`).join('\n')}`,
      400,
      'excessive aliasing',
    ],
    ['anchors without end', `a: [${many(60_000, (index) => `&a${index} 1`).join()}]`, 413, 'words'],
    ['a flow of numbers', `a: [${'1,'.repeat(100_000)}1]`, 413, 'words'],
    ['lines of nothing but errors', `a: 1\n${'\t}\n'.repeat(100_000)}`, 413, 'words'],
    ['merge keys without end', `a: &a {x: 1}\nb:\n${'  - <<: *a\n'.repeat(50_000)}`, 413, 'words'],
    ['documents without end', '---\n'.repeat(100_000), 413, 'words'],
    ['a text of megabytes', `data:\n  a: "${'\\n'.repeat(700_000)}"`, 413, 'characters'],
    ['lists in lists', '['.repeat(500_000), 400, 'exceeded max depth'],
    ['items in items', '- '.repeat(500_000), 400, 'exceeded max depth'],
  ])('YAML of %s', async (_, body, code, words) => {
    expectRefused(await sent('POST', configMaps, body, yaml), code, words)
  })

  test('an aggregating role with selectors that match against all other roles', async () => {
    const selectors = many(4_000, (index) => `{"matchLabels":{"k${index}":"v"}}`).join()
    const role = named('gathers', `"aggregationRule":{"clusterRoleSelectors":[${selectors}]}`)
    expectRefused(await sent('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', role), 422, 'Too many: 4000')
  })

  test('YAML of an apply', async () => {
    expectRefused(await patched('applied?fieldManager=a', multiplying(), applyPatch), 400, 'excessive aliasing')
  })

  test.each([
    ['a million empty objects', named('x', `"x":[${'{},'.repeat(999_999)}{}]`), 413, 'more than 25000 values'],
    ['a million empty containers', named('x', `"data":{},"x":[${'[],'.repeat(999_999)}[]]`), 413, 'values'],
    ['members that repeat', named('x', `${'"data":{},'.repeat(200_000)}"data":{}`), 413, 'values'],
    ['objects 20,000 deep', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, 400, 'exceeded max depth'],
    ['lists 1,000,000 deep', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`, 400, 'exceeded max depth'],
    [
      '200,000 labels',
      `{"metadata":{"name":"x","labels":{${many(200_000, (i) => `"${i}":""`).join()}}}}`,
      413,
      'values',
    ],
    [
      '200,000 finalizers',
      `{"metadata":{"name":"x","finalizers":[${'"a.b/c",'.repeat(200_000)}"a.b/d"]}}`,
      413,
      'values',
    ],
    ['a million owners', `{"metadata":{"name":"x","ownerReferences":[${'{},'.repeat(999_999)}{}]}}`, 413, 'values'],
  ])('JSON of %s', async (_, body, code, words) => {
    expectRefused(await sent('POST', configMaps, body), code, words)
  })

  test('JSON of repeated members at the bottom of a deep tree gives a hundred warnings at most', async () => {
    const body = `${'{"aaaaaaaaaa":'.repeat(900)}{${'"a":1,'.repeat(20_000)}"a":1}${'}'.repeat(900)}`
    const { status, text } = await sent('POST', `${configMaps}?fieldValidation=Strict`, named('x', `"x":${body}`))
    expect(status).toBe(400)
    expect(text.length).toBeLessThan(150_000)
  })

  test('a name of three megabytes is not repeated in the response', async () => {
    const { status, text } = await sent('POST', configMaps, `{"metadata":{"name":"${'a-'.repeat(1_500_000)}"}}`)
    expect(status).toBe(422)
    expect(text.length).toBeLessThan(100_000)
  })

  test('protobuf with endless empty messages', async () => {
    const owner = Buffer.from([0x6a, 0x00])
    const metadata = Buffer.concat(Array.from({ length: 200_000 }, () => owner))
    const raw = field(2, field(1, metadata))
    const type = field(1, Buffer.concat([field(1, Buffer.from('v1')), field(2, Buffer.from('ConfigMap'))]))
    const body = Buffer.concat([Buffer.from('k8s\0'), type, raw]).toString('latin1')
    const answer = await rawAsk('HTTP/1.1', server.port, {
      method: 'POST',
      url: configMaps,
      body,
      headers: [['Content-Type', 'application/vnd.kubernetes.protobuf']],
    })
    expectRefused(answer, 413, 'values')
  })

  test.each([
    [
      'insert 9,000 times at the front',
      'patched',
      [{ op: 'add', path: '/metadata/finalizers', value: [] }],
      { op: 'add', path: '/metadata/finalizers/0', value: 'a.b/c' },
    ],
    ['insert into a long list', 'listed', [], { op: 'add', path: '/metadata/finalizers/0', value: 'a.b/c' }],
    ['take out of a long list', 'listed', [], { op: 'remove', path: '/metadata/finalizers/0' }],
    [
      'move within a long list',
      'listed',
      [],
      { op: 'move', from: '/metadata/finalizers/0', path: '/metadata/finalizers/-' },
    ],
  ])('a JSON Patch of operations that %s', async (_, name, first, each) => {
    const body = JSON.stringify([...first, ...Array.from({ length: 9_000 }, () => each)])
    expectRefused(await patched(name, body, jsonPatch), 413, 'more steps than one patch may')
  })

  test('a JSON Patch that copies its copies', async () => {
    const body = operations(40, (index) => ({ op: 'copy', from: '', path: `/metadata/x${index}` }))
    expectRefused(await patched('patched', body, jsonPatch), 413, 'more steps than one patch may')
  })

  test('a JSON Patch that copies a text into more than a body may hold', async () => {
    const first = { op: 'add', path: '/x', value: 'x'.repeat(1_000_000) }
    const copies = Array.from({ length: 4 }, (_, index) => ({ op: 'copy', from: '/x', path: `/x${index}` }))
    expect((await patched('patched', JSON.stringify([first, ...copies]), jsonPatch)).status).toBe(422)
  })

  test('a JSON Patch that doubles empty objects', async () => {
    const first = { op: 'add', path: '/x', value: {} }
    const copies = Array.from({ length: 16 }, (_, index) => ({ op: 'copy', from: '/x', path: `/x/${index}` }))
    const body = JSON.stringify([first, ...copies])
    expectRefused(await patched('patched', body, jsonPatch), 413, 'more steps than one patch may')
  })

  test('a JSON Patch of more than ten thousand operations', async () => {
    const body = operations(10_001, () => ({ op: 'test', path: '/kind', value: 'ConfigMap' }))
    expectRefused(await patched('patched', body, jsonPatch), 413, 'maximum operations in a JSON patch is 10000')
  })

  test('the budget of a JSON Patch is enough for thousands of additions', async () => {
    const body = operations(5_000, (index) => ({ op: 'add', path: '/data', value: { k: `${index}` } }))
    expect((await patched('patched', body, jsonPatch)).status).toBe(200)
  })

  test('an object that grows by patches beyond the body limit', async () => {
    await patchable('growing')
    const labels = (letter: string) =>
      `{"metadata":{"labels":{${many(12_000, (index) => `"${letter}${index}":""`).join()}}}}`
    expect((await patched('growing', labels('a'), mergePatch)).status).toBe(200)
    expect((await patched('growing', labels('b'), mergePatch)).status).toBe(200)
    expectRefused(await patched('growing', labels('c'), mergePatch), 413, 'values')
    expect((await patched('growing', '{"data":{"a":"b"}}', mergePatch)).status).toBe(200)
  })

  test('managed fields with too many managers', async () => {
    const entry = (index: number) =>
      `{"manager":"m${index}","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{}}}`
    const body = `{"metadata":{"name":"x","managedFields":[${many(300, entry).join()}]}}`
    expectRefused(await sent('POST', configMaps, body), 413, 'may name 200 managers')
  })

  test.each([
    ['a label selector of 5,000 requirements', 'labelSelector', many(5_000, (index) => `!a${index}`), 'requirements'],
    [
      'a field selector of 1,000 terms',
      'fieldSelector',
      many(1_000, (index) => `metadata.name!=a${index}`),
      '50 terms, and this one has 1000',
    ],
  ])('%s', async (_, parameter, terms, words) => {
    const url = `${configMaps}?${parameter}=${encodeURIComponent(terms.join())}`
    expectRefused(await ask({ url }), 400, words)
  })

  test('a selector with thousands of values, and a query of thousands of parameters, are answered', async () => {
    const values = many(5_000, (index) => `v${index}`).join()
    const selector = encodeURIComponent(`app in (${values})`)
    expect((await ask({ url: `${configMaps}?labelSelector=${selector}&${'a=b&'.repeat(3_000)}` })).status).toBe(200)
  })

  test('a large accepted body yields to the event loop', async () => {
    const data = many(24_000, (index) => `"k${index}":"v"`).join()
    let turns = 0
    let isOver = false
    const turn = (): void => {
      turns++
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    const { status } = await sent('POST', configMaps, named('large', `"data":{${data}}`))
    isOver = true
    expect([status, turns > 3]).toEqual([201, true])
  })
})

/** A length-delimited field of protobuf. */
function field(number: number, value: Buffer): Buffer {
  const length: number[] = []
  for (let rest = value.length; ; rest = Math.floor(rest / 128)) {
    length.push(rest >= 128 ? (rest % 128) + 128 : rest)
    if (rest < 128) break
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), value])
}
