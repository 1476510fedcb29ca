import { closeSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startEtcd } from '../support/stores/etcd.ts'
import { missingMounts, mountSmallDisk, type SmallDisk } from '../support/stores/small-disk.ts'
import type { ApiClient } from './support/api-client.ts'
import { keysDirectory, type Running, running } from './support/running.ts'
import { refusedStart } from './support/server-process.ts'

const collection = '/api/v1/namespaces/default/configmaps'
const timeout = 300_000
const missing = await missingMounts()

async function smallDisk(megabytes = 48): Promise<SmallDisk> {
  const disk = await mountSmallDisk(megabytes)
  onTestFinished(() => disk.remove())
  return disk
}

function configMap(name: string, bytes = 200_000): object {
  return { metadata: { name }, data: { text: 'x'.repeat(bytes) } }
}

async function namesIn(client: ApiClient): Promise<readonly (string | undefined)[]> {
  const { items = [] } = await client.must('GET', collection)
  return items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt')
}

const refusal = (message: string) => ({
  status: 503,
  body: {
    kind: 'Status',
    reason: 'ServiceUnavailable',
    message: expect.stringContaining(message),
    details: { causes: [{ reason: 'StorageFull', message: expect.stringContaining(message) }] },
  },
})

/** The health checks and metrics of the store. */
async function told({ client }: Running): Promise<readonly string[]> {
  const texts = ['/livez?verbose', '/readyz?verbose', '/readyz', '/metrics'].map(async (path) => {
    const { statusCode, text } = await client.text(path)
    return `${statusCode} ${text}`
  })
  const lines = (await Promise.all(texts)).map((text) => text.split('\n'))
  return lines.flatMap(([first = '', ...rest]) => [
    first,
    ...rest.filter((line) => /storage-writes|^tenant_store_full/.test(line)),
  ])
}

const healthy = [
  ...['200 [+]ping ok', '[+]storage-writes ok', '200 [+]ping ok', '[+]storage-writes ok', '200 ok'],
  ...[expect.stringMatching(/^200 /), 'tenant_store_full 0'],
]

function inTrouble(message: string): readonly unknown[] {
  const line = expect.stringMatching(new RegExp(`^\\[!\\]storage-writes trouble: .*${message}`))
  return [
    ...['200 [+]ping ok', line, '200 [+]ping ok', line, '200 ok'],
    ...[expect.stringMatching(/^200 /), 'tenant_store_full 1'],
  ]
}

function beatIn(store: string): number {
  const file = readdirSync(store).find((name) => name.startsWith('beat.'))
  return file === undefined ? 0 : Number(readFileSync(join(store, file), 'utf8'))
}

describe.skipIf(missing !== undefined)(`a full disk under the embedded store (${missing ?? 'on a tmpfs'})`, () => {
  it('refuses writes with the reason, still serves reads, and accepts writes again once there is space', {
    timeout,
  }, async () => {
    const disk = await smallDisk()
    const store = join(disk.directory, 'store')
    const options = { store: `file:${store}`, directory: await keysDirectory() }
    const before = await running(options)
    const { client } = before
    await client.must('POST', collection, configMap('before'))
    expect(await told(before)).toEqual(healthy)
    disk.fill()

    const answer = await client.request('POST', collection, configMap('refused'))
    expect(answer).toMatchObject(refusal('the disk of the store is full'))
    expect(answer.headers['retry-after']).toBeUndefined()
    expect(await client.request('PUT', `${collection}/before`, configMap('before', 300_000))).toMatchObject({
      status: 503,
    })
    expect(await namesIn(client)).toEqual(['before'])
    expect((await client.must('GET', `${collection}/before`)).data?.text).toHaveLength(200_000)
    expect(await client.request('POST', collection, configMap('refused', 1))).toMatchObject({ status: 503 })
    expect(await told(before)).toEqual(inTrouble('the disk of the store is full'))
    // Other files beside the store have no room either, and the server survives it.
    const beat = beatIn(store)
    await eventually(() => expect(beatIn(store)).toBeGreaterThan(beat + 2))

    disk.free()
    await client.must('POST', collection, configMap('after'))
    expect(await told(before)).toEqual(healthy)
    expect(await before.server.stop()).toMatchObject({ code: 0 })
    const after = await running(options)
    expect(await namesIn(after.client)).toEqual(['after', 'before'])
  })

  it('prevents a start, however little space is left, and nothing is lost', { timeout }, async () => {
    const disk = await smallDisk()
    const options = { store: `file:${join(disk.directory, 'store')}`, directory: await keysDirectory() }
    const first = await running(options)
    await first.client.must('POST', collection, configMap('kept'))
    await first.server.kill()
    for (const freePages of [0, 1, 2, 8, 24]) {
      disk.fill(freePages)
      for (const store of [options.store, `file:${join(disk.directory, `new-${freePages}`)}`]) {
        const exit = await refusedStart({ ...options, store })
        expect(exit).toMatchObject({ code: 1, signal: null })
        expect(exit.stderr).toContain('is full')
        expect(exit.stderr).toContain(store.slice('file:'.length))
      }
      disk.free()
    }
    const again = await running(options)
    expect(await namesIn(again.client)).toEqual(['kept'])
  })

  it('is reported with the data directory that has no space for keys and certificates', { timeout }, async () => {
    const disk = await smallDisk(1)
    const directory = join(disk.directory, 'data')
    mkdirSync(directory)
    disk.fill()
    const options = { store: `file:${join(await keysDirectory(), 'store')}`, directory }
    const exit = await refusedStart(options)
    expect(exit).toMatchObject({ code: 1, signal: null })
    expect(exit.stderr).toContain(`the disk of ${directory} is full`)
    expect(exit.stderr).toContain('free some space there, then start again')
    disk.free()
    await (await running(options)).client.must('GET', collection)
  })

  it('is survived with the log on the same disk, which continues when there is space', { timeout }, async () => {
    const disk = await smallDisk()
    const log = join(disk.directory, 'log')
    const descriptor = openSync(log, 'a')
    const options = { store: `file:${join(disk.directory, 'store')}`, directory: await keysDirectory() }
    const { server, client } = await running({ ...options, stderr: descriptor })
    closeSync(descriptor)
    disk.fill()
    expect(await client.request('POST', collection, configMap('refused'))).toMatchObject({ status: 503 })
    expect(readFileSync(log, 'utf8')).toBe('')
    disk.free()
    await eventually(() => expect(readFileSync(log, 'utf8')).toContain('"msg":"writes are refused"'))
    await client.must('POST', collection, configMap('after'))
    await eventually(() => expect(readFileSync(log, 'utf8')).toContain('"msg":"there is room for writes again"'))
    expect(await server.stop()).toMatchObject({ code: 0 })
  })
})

describe('an etcd that has used up its quota', () => {
  it('refuses writes with the reason, still serves reads, and accepts writes again once there is space', {
    timeout,
  }, async () => {
    const etcd = await startEtcd({ quotaBytes: 4 * 1024 * 1024 })
    onTestFinished(() => etcd.remove())
    const replica = await running({ store: `etcd:${etcd.endpoint}`, directory: await keysDirectory() })
    const { client } = replica
    await client.must('POST', collection, configMap('before', 400_000))
    expect(await told(replica)).toEqual(expect.arrayContaining(healthy))
    const update = (write: number) =>
      client.request('PUT', `${collection}/before`, configMap('before', 400_000 + write))
    let answer = await update(1)
    for (let write = 2; write < 20 && answer.status === 200; write++) answer = await update(write)

    expect(answer).toMatchObject(refusal('the store is full'))
    expect(answer.body.message).toContain('alarm NOSPACE')
    expect(answer.headers['retry-after']).toBeUndefined()
    expect(await namesIn(client)).toEqual(['before'])
    expect(await told(replica)).toEqual(expect.arrayContaining([...inTrouble('alarm NOSPACE')]))

    const { metadata } = await client.must('GET', collection)
    await etcd.call('/v3/kv/compaction', { revision: metadata.resourceVersion, physical: true })
    await etcd.call('/v3/maintenance/defragment', {})
    await etcd.disarm()
    await client.must('POST', collection, configMap('after'))
    expect(await told(replica)).toEqual(expect.arrayContaining(healthy))
    expect(await namesIn(client)).toEqual(['after', 'before'])
  })
})
