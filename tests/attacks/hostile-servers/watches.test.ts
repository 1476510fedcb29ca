import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { KubeObject } from '../../../src/api/object.ts'
import type { Informer, InformerOptions } from '../../../src/client/contract.ts'
import { configMaps, type TestClientOptions } from '../../client/client-of.ts'
import { answer, isAboutVersion } from '../../client/scripted-server.ts'
import { eventually } from '../../support/eventually.ts'
import { attackBy, deepObject, listOf, megabyte, objectNamed, pour } from './support/hostile-server.ts'
import { whileCountingTurns } from './support/turns.ts'

const event = (type: string, object: unknown) => `${JSON.stringify({ type, object })}\n`
const namesOf = (objects: Iterable<KubeObject>) => Array.from(objects, ({ metadata }) => metadata.name).sort()

interface Followed {
  readonly informer: Informer
  /** The time of each request. */
  readonly lists: readonly number[]
  readonly watches: readonly { readonly atMs: number; readonly path: string }[]
}

/** An informer of a server with one object; the attack answers its watches. */
async function follow(
  watch: (response: ServerResponse, number: number) => void,
  options: InformerOptions = {},
  clientOptions: TestClientOptions = {},
): Promise<Followed> {
  const lists: number[] = []
  const watches: { atMs: number; path: string }[] = []
  const { client } = await attackBy((response, { path }) => {
    if (path.includes('watch=true')) {
      watches.push({ atMs: performance.now(), path })
      return watch(response, watches.length)
    }
    if (isAboutVersion(path)) return response.writeHead(200).end(listOf([], { resourceVersion: '1000' }))
    lists.push(performance.now())
    response.writeHead(200).end(listOf([objectNamed('first', '5')]))
  }, clientOptions)
  const informer = client.informer(configMaps, options)
  await informer.whenSynced()
  return { informer, lists, watches }
}

const stayOpen = (response: ServerResponse, text = '') => void response.writeHead(200).write(text || '\n')

describe('a line of a watch', () => {
  test('of 60 MB is discarded, and the next line is read', async () => {
    const { informer } = await follow((response, number) => {
      if (number > 1) return stayOpen(response)
      const large = JSON.stringify({ ...objectNamed('large', '11'), x: '' })
      response.writeHead(200).write(`{"type":"ADDED","object":${large.slice(0, -2)}`)
      const piece = Buffer.alloc(megabyte, 'x')
      for (let count = 0; count < 60; count++) response.write(piece)
      response.write(`"}}\n${event('ADDED', objectNamed('next', '12'))}`)
    })
    await eventually(() => expect(namesOf(informer.all())).toEqual(['first', 'next']))
  })

  test('that is endless ends with its watch, and does not block the next watch', async () => {
    const { informer, watches } = await follow(
      (response, number) => {
        if (number > 1) return stayOpen(response, event('ADDED', objectNamed('next', '12')))
        response.writeHead(200)
        pour(response, Buffer.alloc(64 * 1024, 'x'))
      },
      {},
      { watchSeconds: 1 },
    )
    await eventually(() => expect(namesOf(informer.all())).toEqual(['first', 'next']))
    expect(watches.length).toBeGreaterThan(1)
  })

  test('with an object nested 20,000 levels deep is skipped, and the watch continues', async () => {
    const unreadable: object[] = []
    const { informer, watches } = await follow(
      (response) =>
        stayOpen(
          response,
          `{"type":"ADDED","object":${deepObject('deep', 20_000, '11')}}\n${event('ADDED', objectNamed('next', '12'))}`,
        ),
      { onUnreadable: (each) => unreadable.push(each) },
    )
    await eventually(() => expect(namesOf(informer.all())).toEqual(['first', 'next']))
    expect(unreadable).toMatchObject([{ name: 'deep', problem: 'is nested more than 1000 levels deep' }])
    expect(watches).toHaveLength(1)
  })

  test('with an unreadable object is not requested repeatedly', async () => {
    const { watches } = await follow((response, number) => {
      if (number > 1) return stayOpen(response)
      response.writeHead(200).end(`{"type":"MODIFIED","object":${deepObject('first', 20_000, '11')}}\n`)
    })
    await eventually(() => expect(watches).toHaveLength(2))
    expect(new URL(watches[1]?.path ?? '', 'https://x').searchParams.get('resourceVersion')).toBe('11')
  })

  test('that reports an unreadable object as deleted is trusted', async () => {
    const { informer } = await follow((response) =>
      stayOpen(response, `{"type":"DELETED","object":${deepObject('first', 20_000, '11')}}\n`),
    )
    await eventually(() => expect(informer.size).toBe(0))
  })

  test.each([
    ['is no JSON', 'x\n'],
    ['is no event', '[]\n'],
    ['is of a type of 1 MB', event('x'.repeat(megabyte), objectNamed('a'))],
    ['has no object', '{"type":"ADDED"}\n'],
    ['has a version of 1,000 digits', event('ADDED', objectNamed('a', '1'.repeat(1_000)))],
    [
      'has a version that is not a string',
      '{"type":"ADDED","object":{"kind":"x","apiVersion":"v1","metadata":{"resourceVersion":{}}}}\n',
    ],
    ['is an error nested 20,000 levels deep', `{"type":"ERROR","object":${'['.repeat(20_000)}${']'.repeat(20_000)}}\n`],
  ])('that %s ends the watch, and nothing else', async (_, text) => {
    const { informer, watches } = await follow((response, number) =>
      stayOpen(response, number === 1 ? text : event('ADDED', objectNamed('next', '12'))),
    )
    await eventually(() => expect(namesOf(informer.all())).toContain('next'))
    expect((informer.trouble ?? '').length).toBeLessThan(1_000)
    for (const { path } of watches) expect(path.length).toBeLessThan(1_000)
  })
})

describe('a flood', () => {
  test('of events yields to the event loop', async () => {
    let sent: { bytes: number } | undefined
    const { informer } = await follow((response, number) => {
      if (number > 1) return stayOpen(response)
      response.writeHead(200)
      sent = pour(response, Buffer.from(event('MODIFIED', objectNamed('first', '11')).repeat(1_000)), 30 * megabyte)
    })
    const { count } = await whileCountingTurns(() =>
      eventually(() => expect(sent?.bytes).toBeGreaterThanOrEqual(30 * megabyte), 60_000),
    )
    expect(count).toBeGreaterThan(20)
    expect(informer.size).toBe(1)
  })

  test('of objects ends at the limit, and is retried less and less often', async () => {
    let named = 0
    const { informer, lists } = await follow(
      (response) => {
        response.writeHead(200)
        const events = () =>
          Array.from({ length: 200 }, () => event('ADDED', objectNamed(`item-${named}`, String(11 + named++)))).join('')
        const more = () => void (response.writable && response.write(events(), () => setImmediate(more)))
        more()
      },
      { atMost: { objects: 1_000 } },
    )
    await eventually(() => expect(lists.length).toBeGreaterThanOrEqual(5))
    expect(informer.size).toBeLessThanOrEqual(1_001)
    expect((lists[4] ?? 0) - (lists[3] ?? 0)).toBeGreaterThan(350)
  })

  test('of bytes ends at the limit too', async () => {
    let named = 0
    const { informer } = await follow(
      (response) => {
        response.writeHead(200)
        const fat = () =>
          event('ADDED', { ...objectNamed(`item-${named}`, String(11 + named++)), x: 'x'.repeat(100_000) })
        const more = () => void (response.writable && response.write(fat(), () => setImmediate(more)))
        more()
      },
      { atMost: { bytes: megabyte } },
    )
    await eventually(() => expect(informer.trouble).toContain('more configmaps than the limit'))
    expect(informer.size).toBeLessThan(13)
  })
})

describe('a watch that never delivers', () => {
  test('and always reports expired history causes fewer and fewer lists, even with an event each time', async () => {
    const { lists } = await follow((response, number) => {
      const gone = { kind: 'Status', status: 'Failure', message: 'gone', code: 410 }
      response.writeHead(200).end(event('MODIFIED', objectNamed('first', String(10 + number))) + event('ERROR', gone))
    })
    await eventually(() => expect(lists.length).toBeGreaterThanOrEqual(6))
    expect((lists[5] ?? 0) - (lists[4] ?? 0)).toBeGreaterThan(750)
  })

  test('and goes back in time causes fewer and fewer lists', async () => {
    const { lists } = await follow((response) =>
      stayOpen(
        response,
        event('BOOKMARK', { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: '1' } }),
      ),
    )
    await eventually(() => expect(lists.length).toBeGreaterThanOrEqual(5))
    expect((lists[4] ?? 0) - (lists[3] ?? 0)).toBeGreaterThan(350)
  })

  test('and ends after one bookmark is reopened only after a pause', async () => {
    const { watches } = await follow((response, number) => {
      const metadata = { resourceVersion: String(10 + number) }
      response.writeHead(200).end(event('BOOKMARK', { kind: 'ConfigMap', apiVersion: 'v1', metadata }))
    })
    await eventually(() => expect(watches.length).toBeGreaterThanOrEqual(5))
    expect((watches[4]?.atMs ?? 0) - (watches[0]?.atMs ?? 0)).toBeGreaterThan(350)
  })

  test('and never starts is aborted in time', async () => {
    const { informer } = await follow(() => {}, {}, { limits: { answerTimeoutMs: 300 } })
    await eventually(() => expect(informer.trouble).toContain('gave no answer within 0.3 s'))
  })

  test('and starts with endless hints is aborted after a few of them', async () => {
    const { informer } = await follow(
      (response) => {
        const timer = setInterval(() => response.writeEarlyHints({ link: '</x>; rel=preload' }), 20)
        response.once('close', () => clearInterval(timer))
      },
      {},
      { limits: { answerTimeoutMs: 500 } },
    )
    await eventually(() => expect(informer.trouble).toContain('sends too many informational answers (1xx)'))
  })

  test('and refuses with an endless body is aborted in time', async () => {
    const { informer } = await follow(
      (response) => {
        response.writeHead(403)
        const timer = setInterval(() => response.write(' '), 20)
        response.once('close', () => clearInterval(timer))
      },
      {},
      { limits: { answerTimeoutMs: 500 } },
    )
    await eventually(() => expect(informer.trouble).toContain('did not end its answer within 0.5 s'))
  })
})

test('a watch that returns another object, a redirect or another protocol fails', async () => {
  const { informer } = await follow((response, number) => {
    if (number === 1) return answer(response, 302, {}, { location: 'https://127.0.0.1:1/' })
    if (number === 2) return void response.socket?.write('HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')
    stayOpen(response, event('ADDED', objectNamed('next', '12')))
  })
  await eventually(() => expect(namesOf(informer.all())).toContain('next'))
})
