import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { missingMounts, mountSmallDisk, type SmallDisk } from '../support/stores/small-disk.ts'
import type { ApiClient } from './support/api-client.ts'
import { embeddedStore, type Running, running } from './support/running.ts'

const collection = '/api/v1/namespaces/default/configmaps'
const timeout = 300_000
const missing = await missingMounts()

interface Audited extends Running {
  readonly disk: SmallDisk
  /** The lines of the audit log. */
  lines(): readonly AuditLine[]
}

interface AuditLine {
  readonly auditId: string
  readonly verb: string
  readonly stage?: string
  readonly code?: number
  readonly missed?: number
  readonly object?: { readonly name?: string }
}

async function audited(...flags: readonly string[]): Promise<Audited> {
  const disk = await mountSmallDisk(1)
  onTestFinished(() => disk.remove())
  const file = join(disk.directory, 'audit.log')
  const started = await running({ ...(await embeddedStore()), flags: ['--audit-log', file, ...flags] })
  const lines = () =>
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { ...started, disk, lines }
}

async function names(client: ApiClient): Promise<readonly (string | undefined)[]> {
  const { items = [] } = await client.must('GET', collection)
  return items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt')
}

/** The announced and completed changes to the objects. */
function changes(lines: readonly AuditLine[]): readonly string[] {
  const ids = new Map(lines.map(({ auditId, verb, object }) => [auditId, `${verb} ${object?.name ?? ''}`.trim()]))
  return lines
    .filter(({ verb }) => verb === 'create')
    .map(({ auditId, stage, code }) => `${ids.get(auditId)}: ${stage ?? code}`)
}

describe.skipIf(missing !== undefined)(`an audit log on a full disk (${missing ?? 'on a tmpfs'})`, () => {
  it('by default nothing is executed that cannot be audited, and everything works again once there is space', {
    timeout,
  }, async () => {
    const { client, disk, lines } = await audited()
    await client.must('POST', collection, { metadata: { name: 'before' } })
    disk.fill()
    const refusal = {
      status: 503,
      body: {
        reason: 'ServiceUnavailable',
        message: expect.stringContaining('the audit log of this server cannot be written (its disk is full)'),
        details: { causes: [{ reason: 'AuditUnavailable' }] },
      },
    }
    // The last page of the file has room for a few more lines, and their requests are carried out.
    let done = 0
    const create = () => client.request('POST', collection, { metadata: { name: `full-${done}` } })
    let answer = await create()
    for (; answer.status === 201 && done < 50; answer = await create()) done++
    expect(answer).toMatchObject(refusal)
    expect(answer.headers['retry-after']).toBeUndefined()
    expect(await client.request('GET', collection)).toMatchObject(refusal)
    expect((await client.request('DELETE', `${collection}/before`)).status).toBe(503)
    expect(await client.text('/readyz')).toMatchObject({
      statusCode: 500,
      text: expect.stringContaining(
        '[-]audit failed: the audit log of this server cannot be written (its disk is full)',
      ),
    })
    expect(await client.text('/livez?verbose')).toMatchObject({
      statusCode: 200,
      text: expect.stringContaining('[!]audit trouble: the audit log'),
    })
    expect((await client.text('/metrics')).text).toMatch(/^tenant_audit_failing 1$/m)

    disk.free()
    await eventually(async () => expect((await client.text('/readyz')).statusCode).toBe(200))
    const expected = ['before', ...Array.from({ length: done }, (_, index) => `full-${index}`)]
    expect(await names(client)).toEqual(expected.sort())
    await client.must('POST', collection, { metadata: { name: 'after' } })
    // Every line is whole, and each existing object was announced and recorded.
    await eventually(() => expect(changes(lines()).at(-1)).toBe('create: 201'))
    const told = changes(lines())
    expect(told.filter((line) => line === 'create: RequestReceived')).toHaveLength(done + 2)
    expect(told.filter((line) => line === 'create: 201')).toHaveLength(done + 2)
    expect(told).toContain('create: 503')
  })

  it('with --audit-on-failure=continue requests are executed, with a log line and a metric', { timeout }, async () => {
    const { client, disk, lines, server } = await audited('--audit-on-failure', 'continue')
    await client.must('POST', collection, { metadata: { name: 'before' } })
    disk.fill()
    let requests = 0
    await eventually(async () => {
      requests++
      await client.must('POST', collection, { metadata: { name: `during-${requests}` } })
      expect((await client.text('/readyz?verbose')).text).toContain('[!]audit trouble: the audit log')
    })
    expect(await client.text('/readyz')).toEqual({ statusCode: 200, text: 'ok' })
    expect((await client.text('/metrics')).text).toMatch(/^tenant_audit_failing 1$/m)
    await client.must('GET', collection)

    disk.free()
    await eventually(async () => expect((await client.text('/metrics')).text).toMatch(/^tenant_audit_failing 0$/m))
    // Lines from that time were kept.
    await eventually(() => expect(changes(lines())).toEqual(Array(requests + 1).fill('create: 201')))
    const { stderr } = await server.stop()
    expect(stderr.match(/the audit log cannot be written/g)).toHaveLength(1)
    expect(stderr.match(/the audit log is written again/g)).toHaveLength(1)
  })
})
