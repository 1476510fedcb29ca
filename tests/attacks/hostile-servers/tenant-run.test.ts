import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyName } from '../../chaos/names.ts'
import { type Cluster, startCluster } from '../../sync/support/clusters.ts'
import { configMaps, endpoints, oneAddress, services } from '../../sync/support/objects.ts'
import { soon } from '../../sync/support/soon.ts'
import { deepObject, listOf, megabyte } from './support/hostile-server.ts'
import { type TamperedRun, tamperedRun } from './support/tampered-run.ts'
import type { Tamper } from './support/tampering.ts'

let virtual: Cluster
let host: Cluster

beforeAll(async () => {
  ;[virtual, host] = await Promise.all([startCluster('embedded'), startCluster('embedded')])
})

afterAll(async () => {
  await virtual?.remove()
  await host?.remove()
})

const runWith = (side: 'virtual' | 'host', tamper: Tamper) => tamperedRun({ virtual, host }, side, tamper)

/** The peak memory of a process. */
function peakMegabytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

async function beats({ statusPort }: TamperedRun): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${statusPort}/metrics`).catch(() => undefined)
  await answer?.text()
  return answer?.ok === true
}

describe('tenant run', () => {
  test('with a host that repeats a continue token keeps its memory, and syncs the other kinds', async () => {
    /** For each listed path: whether each request for a page continued from another page. */
    const goesOn = new Map<string, boolean[]>()
    const page = listOf(
      Array.from({ length: 500 }, (_, index) => ({
        metadata: { name: `x-${index}`, namespace: 'n', uid: `u-${index}`, resourceVersion: '1' },
        data: { x: 'x'.repeat(2_000) },
      })),
      { continue: 'again' },
    )
    const run = await runWith('host', (path, response) => {
      if (!/\/configmaps\?/.test(path) || path.includes('watch=')) return false
      const listed = new URL(path, 'http://host').searchParams.get('labelSelector') ?? ''
      goesOn.set(listed, [...(goesOn.get(listed) ?? []), path.includes('continue=')])
      response.writeHead(200, { 'content-type': 'application/json' }).end(page)
      return true
    })
    await virtual.client.create(services, {
      metadata: { namespace: 'default', name: 'beside' },
      spec: { ports: [{ port: 80 }] },
    })
    await soon(async () => {
      await host.client.get(
        services,
        run.tenant,
        copyName({ tenant: run.tenant, hostNamespace: run.tenant }, 'default', 'beside'),
      )
      expect([...goesOn.values()].flat().length).toBeGreaterThanOrEqual(6)
    })
    // Every list ends at the page that repeats itself; no request continues from there.
    for (const pages of goesOn.values()) {
      expect(pages.some((each, index) => each && pages[index + 1] === true)).toBe(false)
    }
    expect(await beats(run)).toBe(true)
    expect(run.syncer.unexpectedEnd).toBeUndefined()
    expect(peakMegabytes(run.syncer.pid)).toBeLessThan(400)
  })

  test('with an object nested 20,000 levels deep syncs all others of its kind, and reports that one in an Event', async () => {
    const run = await runWith('virtual', (path, response, incoming) => {
      if (incoming.method !== 'GET' || !/\/endpoints(\?|$)/.test(path) || path.includes('watch=')) return false
      // So many digits in a row make a reader look for numbers that it would round, to the end of the text.
      const labels = { digits: '1234567890123456' }
      const metadata = { namespace: 'default', name: 'plain', uid: 'u-plain', resourceVersion: '1', labels }
      const plain = { apiVersion: 'v1', kind: 'Endpoints', metadata, subsets: oneAddress('10.0.0.9') }
      const deep = deepObject('deep', 20_000).replace('"namespace":"n"', '"namespace":"default"')
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        `{"kind":"EndpointsList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[${deep},${JSON.stringify(plain)}]}`,
      )
      return true
    })
    const place = { tenant: run.tenant, hostNamespace: run.tenant }
    await soon(async () => {
      expect(await host.client.get(endpoints, run.tenant, copyName(place, 'default', 'plain'))).toBeDefined()
      const events = await virtual.client.request('GET', '/api/v1/namespaces/default/events')
      expect(JSON.stringify(events)).toContain('it is nested more than 1000 levels deep')
    })
    expect(run.syncer.unexpectedEnd).toBeUndefined()
  })

  test('with a host that answers every list with 300 MB stays small and running', async () => {
    const piece =
      `${JSON.stringify({ metadata: { name: 'x', namespace: 'n', resourceVersion: '1' }, data: { x: 'x'.repeat(60_000) } })},`.repeat(
        8,
      )
    const run = await runWith('host', (path, response) => {
      if (!/\/secrets\?/.test(path) || path.includes('watch=')) return false
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"kind":"SecretList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[')
      let sent = 0
      const more = () => {
        while (response.writable && sent < 300 * megabyte) {
          sent += piece.length
          if (!response.write(piece)) return void response.once('drain', more)
        }
        response.end('{}]}')
      }
      more()
      return true
    })
    await soon(async () => expect(await beats(run)).toBe(true))
    await virtual.client.create(configMaps, {
      metadata: { namespace: 'default', name: `alive-${run.tenant}` },
      data: {},
    })
    for (let beat = 0; beat < 20; beat++) await soon(async () => expect(await beats(run)).toBe(true))
    expect(run.syncer.unexpectedEnd).toBeUndefined()
    expect(peakMegabytes(run.syncer.pid)).toBeLessThan(1_000)
  })
})
