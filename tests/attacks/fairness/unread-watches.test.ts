import { type ClientHttp2Session, connect } from 'node:http2'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { grant, type OpenWatch } from '../../platform/platform.ts'
import { eventually } from '../../support/eventually.ts'
import { type FairWorld, startFairWorld } from './support/world.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const perCaller = 1024 * 1024
const objects = 20
const size = 200_000
const held = 'tenant_watch_unread_bytes'
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'

describe('watches that their client does not read', () => {
  let world: FairWorld
  let session: ClientHttp2Session
  let bobs: OpenWatch
  beforeAll(async () => {
    world = await startFairWorld({ maxUnreadBytesPerCaller: perCaller, unreadTimeoutMs: 300_000 })
    for (let index = 0; index < objects; index += 1) {
      const object = { metadata: { name: `large-${index}` }, data: { text: 'x'.repeat(size) } }
      await world.platform.must('POST', configMaps, object)
    }
    for (const user of ['mallory', 'bob']) {
      await grant(world.platform, user, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] }])
    }
    bobs = await world.platform.watch(`${configMaps}?watch=true`, world.bob)
    // Wait for the last byte: unsent data for bob would count too.
    await eventually(async () => expect(bobs.text().length).toBeGreaterThan(objects * size))
    await world.until(held, 0)
  }, 240_000)
  afterEach(async () => {
    session.destroy()
    await world.until(held, 0)
  })
  afterAll(async () => {
    bobs.stop()
    await world.stop()
  })

  /** Counts the watches that the server has ended. */
  const watchWithoutReading = (count: number, query: string, accept = 'application/json') => {
    session = connect(`https://127.0.0.1:${world.port}`, { rejectUnauthorized: false })
    session.on('error', () => {}).setMaxListeners(0)
    let ended = 0
    const headers = { ':path': `${configMaps}?watch=true${query}`, authorization: `Bearer ${world.mallory}`, accept }
    for (let index = 0; index < count; index += 1) {
      const stream = session.request(headers)
      stream
        .on('error', () => {})
        .on('close', () => {
          ended += 1
        })
    }
    return () => ended
  }

  test.each([
    ['of plain objects', '', 'application/json'],
    ['of Tables with whole objects', '&includeObject=Object', table],
  ])('%s use no more memory than their caller may, and others continue', async (_, query, accept) => {
    const ended = watchWithoutReading(100, query, accept)
    const most = perCaller / (64 * 1024)
    await eventually(async () => expect(ended()).toBeGreaterThanOrEqual(100 - most))
    expect(await world.metric(held)).toBeLessThanOrEqual(perCaller)
    expect(await world.metric('tenant_watch_cuts_total')).toBeGreaterThanOrEqual(100 - most)
    const name = `after-${accept.length}`
    await world.platform.must('POST', configMaps, { metadata: { name } })
    await eventually(async () => expect(bobs.text()).toContain(name))
  })

  test('end when too many changes are pending, and keep no memory', async () => {
    const ended = watchWithoutReading(5, '&resourceVersion=0')
    await world.untilAtLeast('apiserver_longrunning_requests{verb="watch"}', 6)
    for (let index = 0; index < 60; index += 1) {
      const changed = { metadata: { name: 'large-0' }, data: { text: 'y'.repeat(200_000 + index) } }
      await world.platform.must('PUT', `${configMaps}/large-0`, changed)
    }
    await eventually(async () => expect(ended()).toBe(5))
  })
})
