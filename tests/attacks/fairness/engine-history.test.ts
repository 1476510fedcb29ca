import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/api-server.ts'
import { protocols, rawAsk } from '../support/raw-ask.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const large = 'x'.repeat(900_000)
const largeOnes = 20
const metadataAlone = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
const mebibyte = 1024 * 1024

describe('reading past states costs other callers little', () => {
  let server: TestServer
  const [, protocol] = protocols
  const sent = async (method: string, url: string, body: object, type = 'application/json') => {
    const headers = [['Content-Type', type] as const, ['Accept', metadataAlone] as const]
    const { status, text } = await rawAsk(protocol, server.port, { method, url, body: JSON.stringify(body), headers })
    expect(status).toBeLessThan(300)
    const { metadata } = JSON.parse(text)
    return Number(metadata.resourceVersion)
  }
  const labeled = (name: string, label: string) =>
    sent('PATCH', `${configMaps}/${name}`, { metadata: { labels: { label } } }, 'application/merge-patch+json')
  const changeAll = async (label: string) => {
    for (let index = 0; index < largeOnes; index += 1) await labeled(`large-${index}`, label)
  }
  const get = (query: string) => rawAsk(protocol, server.port, { url: `${configMaps}?${query}` })
  const exactly = (revision: number) =>
    get(`limit=1&fieldSelector=metadata.name%3Dsmall&resourceVersionMatch=Exact&resourceVersion=${revision}`)

  beforeAll(async () => {
    server = await startTestServer()
    for (const name of Array.from({ length: largeOnes }, (_, index) => `large-${index}`)) {
      await sent('POST', configMaps, { metadata: { name }, data: { large } })
    }
    await sent('POST', configMaps, { metadata: { name: 'small' } })
  })
  afterAll(() => server?.stop())

  test('states that differ in one label share memory', async () => {
    const revisions: number[] = []
    for (let index = 0; index < 24; index += 1) revisions.push(await labeled('small', `n${index}`))
    const before = process.memoryUsage().arrayBuffers
    for (const revision of revisions) expect(JSON.parse((await exactly(revision)).text).items).toHaveLength(1)
    expect((process.memoryUsage().arrayBuffers - before) / mebibyte).toBeLessThan(100)
  })

  test('a state is too old for reads and watches once nearly everything has changed', async () => {
    await changeAll('once')
    const before = await labeled('small', 'before')
    await changeAll('twice')
    expect(await exactly(before)).toMatchObject({ status: 410, text: expect.stringContaining('too old') })
    const watched = await get(`watch=1&timeoutSeconds=5&resourceVersion=${before}`)
    expect(JSON.parse(watched.text)).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } })
  })

  test('a smaller past state is still served', async () => {
    const before = await labeled('small', 'again')
    for (let index = 0; index < 10; index += 1) await labeled('large-0', `again${index}`)
    await labeled('small', 'last')
    const { items } = JSON.parse((await exactly(before)).text)
    expect(items[0].metadata.labels).toEqual({ label: 'again' })
    const watched = await get(`watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dsmall&resourceVersion=${before}`)
    expect(JSON.parse(watched.text)).toMatchObject({ type: 'MODIFIED', object: { metadata: { name: 'small' } } })
  })
})
