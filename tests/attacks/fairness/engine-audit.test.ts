import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { strangersFile } from '../../../src/platform/audit/audit.ts'
import { group, management, startPlatform, type TestPlatform } from '../../platform/platform.ts'
import { protocols, rawAsk } from '../support/raw-ask.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'

describe.each(protocols)('the audit log, over %s', (protocol) => {
  let directory: string
  let platform: TestPlatform
  const file = () => join(directory, 'audit.log')
  /** A few dozen lines of any caller push out the earlier ones. */
  const limits = { maxBytes: 20_000, maxFiles: 1 }
  const lines = async (name: string) => {
    const names = (await readdir(directory)).filter((each) => new RegExp(`^${name}(\\.\\d)?$`).test(each))
    return (await Promise.all(names.map((each) => readFile(join(directory, each), 'utf8')))).join('')
  }
  const ask = (url: string, token: string) => rawAsk(protocol, platform.server.port, { url, token })

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenant-audited-'))
    platform = await startPlatform({ platform: { domain: 'platform.internal', audit: { file: file(), ...limits } } })
    await platform.must('POST', configMaps, { metadata: { name: 'known' } })
  })
  afterAll(async () => {
    await platform?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  test('strangers with invalid tokens evict nothing from it, and are recorded in a separate file', async () => {
    for (let round = 0; round < 150; round++) await ask(`${configMaps}/${round}`, `wrong-${round}`)
    await platform.stop()
    expect(await lines('audit.log')).toContain('"user":"admin","verb":"create"')
    expect(await lines('audit.log')).not.toContain('unauthenticated')
    const told = (await lines('audit.log.strangers')).split('\n').filter((line) => line !== '')
    expect(told.length).toBeLessThanOrEqual(70)
    expect(told.at(-1)).toMatch(/"missed":\d+,"reason":"\d+ more requests of 127\.0\.0\.1 were not written down/)
    platform = await startPlatform({
      platform: { domain: 'platform.internal', audit: { file: file(), ...limits } },
    })
  })

  test('requests of strangers can be queried', async () => {
    await ask(`${configMaps}/asked-for`, 'wrong')
    const body = { apiVersion: `${group}/v1`, kind: 'AuditQuery', spec: { decision: 'unauthenticated' } }
    const answer = await platform.ask('POST', `${management}/auditqueries`, { body })
    expect(answer.text).toContain('asked-for')
    const { text } = await platform.ask('POST', `${management}/auditqueries`, { body: { ...body, spec: {} } })
    expect(text).not.toContain('asked-for')
  })

  test('the file of strangers is readable only by its owner and contains no token', async () => {
    await ask(`${configMaps}?token=secret-in-query`, 'secret-token-of-nobody')
    await platform.ask('POST', `${management}/auditqueries`, {
      body: { apiVersion: `${group}/v1`, kind: 'AuditQuery', spec: {} },
    })
    const text = await readFile(strangersFile(file()), 'utf8')
    expect(text).not.toMatch(/secret-in-query|secret-token-of-nobody/)
  })
})
