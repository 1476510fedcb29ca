import { describe, expect, test } from 'vitest'
import type { KubeObject } from '../../../src/api/object.ts'
import { configMaps } from '../../client/client-of.ts'
import { answer, type Respond, refuse } from '../../client/scripted-server.ts'
import { eventually } from '../../support/eventually.ts'
import { attackBy, deepObject, listOf, megabyte, objectNamed, pour } from './support/hostile-server.ts'
import { whileCountingTurns } from './support/turns.ts'

const outcomeOf = (asked: Promise<unknown>) => asked.catch((error: unknown) => error)
const isWatch = (path: string) => path.includes('watch=true')
const namesOf = (objects: Iterable<KubeObject>) => Array.from(objects, ({ metadata }) => metadata.name).sort()

/** Answers lists as given, and keeps watches open. */
const listing =
  (body: () => string): Respond =>
  (response, { path }) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    if (isWatch(path)) response.flushHeaders()
    else response.end(body())
  }

describe('a list that is too large', () => {
  test('60 MB are aborted after 2 MB if that is the limit of the caller', async () => {
    const sent: { bytes: number }[] = []
    const { client } = await attackBy((response) => {
      response.writeHead(200).write('{"kind":"SecretList","apiVersion":"v1","metadata":{},"items":[')
      const secret = `${JSON.stringify(objectNamed('a'))},`
      sent.push(pour(response, Buffer.from(secret.repeat(500)), 60 * megabyte))
    })
    const list = client.list(configMaps, { atMost: { bytes: 2 * megabyte } })
    await expect(list).rejects.toThrow(`larger than ${2 * megabyte} bytes`)
    expect(sent[0]?.bytes).toBeLessThan(20 * megabyte)
  })

  test('the limit applies to all pages together', async () => {
    const page = (number: number) =>
      listOf([{ ...objectNamed(`item-${number}`), data: { x: 'x'.repeat(300_000) } }], { continue: `page-${number}` })
    const { client, server } = await attackBy((response, _, number) => response.writeHead(200).end(page(number)))
    await expect(client.list(configMaps, { atMost: { bytes: megabyte } })).rejects.toThrow('larger than')
    expect(server.heard).toHaveLength(4)
  })

  test('more objects than the limit of the caller are not read', async () => {
    const { client } = await attackBy(
      listing(() => listOf(Array.from({ length: 1_000 }, (_, index) => objectNamed(`item-${index}`)))),
    )
    const list = client.list(configMaps, { atMost: { objects: 999 } })
    await expect(list).rejects.toThrow('lists more configmaps than are read here')
  })

  test('30 MB in one page do not block the event loop', async () => {
    const items = Array.from({ length: 3_000 }, (_, index) => ({
      ...objectNamed(`item-${index}`),
      data: Object.fromEntries(Array.from({ length: 100 }, (_, field) => [`field-${field}`, 'x'.repeat(80)])),
    }))
    const text = listOf(items)
    expect(text.length).toBeGreaterThan(25 * megabyte)
    const { client } = await attackBy(listing(() => text))
    const { outcome, count } = await whileCountingTurns(() => client.list(configMaps))
    expect(outcome.items).toHaveLength(3_000)
    // At once it would be one turn; the exact number depends on how the bytes arrive.
    expect(count).toBeGreaterThan(20)
  })

  test('100 MB that are not a list are discarded', async () => {
    const sent: { bytes: number }[] = []
    const { client } = await attackBy((response) => {
      response.writeHead(200).write('{"kind":"x","metadata":{"y":"')
      sent.push(pour(response, Buffer.alloc(64 * 1024, 'x'), 100 * megabyte))
    })
    await expect(client.list(configMaps)).rejects.toThrow('no list')
    expect(sent[0]?.bytes).toBeLessThan(20 * megabyte)
  })
})

describe('endless pages', () => {
  test('a repeated continue token is refused', async () => {
    const { client, server } = await attackBy(listing(() => listOf([objectNamed('a')], { continue: 'again' })))
    await expect(client.list(configMaps)).rejects.toThrow('the list of configmaps repeats a page')
    expect(server.heard).toHaveLength(2)
  })

  test('two alternating tokens are refused, too', async () => {
    const { client, server } = await attackBy((response, _, number) =>
      response.writeHead(200).end(listOf([], { continue: number % 2 === 0 ? 'even' : 'odd' })),
    )
    await expect(client.list(configMaps)).rejects.toThrow('repeats a page')
    expect(server.heard).toHaveLength(3)
  })

  test('new tokens with empty pages end at a limit', async () => {
    const { client, server } = await attackBy((response, _, number) =>
      response.writeHead(200).end(listOf([], { continue: `page-${number}` })),
    )
    await expect(client.list(configMaps, { atMost: { pages: 50 } })).rejects.toThrow('has more than 50 pages')
    expect(server.heard).toHaveLength(50)
  })

  test('a token of a megabyte is not sent back', async () => {
    const { client, server } = await attackBy(listing(() => listOf([], { continue: 'x'.repeat(100_000) })))
    await expect(client.list(configMaps)).rejects.toThrow('does not say where it ends')
    expect(server.heard).toHaveLength(1)
  })

  test.each([7, {}, ['x'], true])('a token that is not a string is refused: %j', async (token) => {
    const { client } = await attackBy(listing(() => listOf([], { continue: token })))
    await expect(client.list(configMaps)).rejects.toThrow('does not say where it ends')
  })

  test('pages that always expire are requested three times, the last time without a limit', async () => {
    const { client, server } = await attackBy((response) => refuse(response, 410))
    await expect(client.list(configMaps)).rejects.toMatchObject({ code: 410 })
    expect(server.heard.map(({ path }) => path.includes('limit='))).toEqual([true, true, false])
  })

  test('a list without pages has the same limits', async () => {
    const { client } = await attackBy((response, { path }) => {
      if (path.includes('limit=')) return refuse(response, 410)
      response.writeHead(200).write('{"metadata":{},"items":[')
      pour(response, Buffer.from(`${JSON.stringify(objectNamed('a'))},`.repeat(1_000)), 60 * megabyte)
    })
    await expect(client.list(configMaps, { atMost: { bytes: megabyte } })).rejects.toThrow('larger than')
  })

  test('an informer whose list never ends reports it, and retries less and less often', async () => {
    const at: number[] = []
    const { client } = await attackBy((response) => {
      at.push(performance.now())
      response.writeHead(200).end(listOf([objectNamed('a')], { continue: 'again' }))
    })
    const informer = client.informer(configMaps)
    await eventually(() => expect(at.length).toBeGreaterThanOrEqual(10))
    expect(informer.trouble).toContain('repeats a page')
    expect([informer.isSynced, informer.size]).toEqual([false, 0])
    const pauses = at.flatMap((ms, index) => (index > 0 && index % 2 === 0 ? [ms - (at[index - 1] ?? 0)] : []))
    expect(pauses[3]).toBeGreaterThan(350)
  })
})

describe('one object in a list', () => {
  const among = (spoiled: string) =>
    `{"metadata":{"resourceVersion":"10"},"items":[${[
      JSON.stringify(objectNamed('first')),
      spoiled,
      JSON.stringify(objectNamed('last')),
    ].join()}]}`

  test.each([
    ['nested 20,000 deep', deepObject('spoiled', 20_000), 'is nested more than 1000 levels deep'],
    ['larger than 8 MB', JSON.stringify({ ...objectNamed('spoiled'), x: 'x'.repeat(9 * megabyte) }), 'is larger than'],
    ['of 300,000 values', JSON.stringify({ ...objectNamed('spoiled'), x: Array(300_000).fill(0) }), 'holds more than'],
    [
      'with a number that would be rounded',
      `${JSON.stringify(objectNamed('spoiled')).slice(0, -1)},"x":9007199254740993}`,
      'number',
    ],
  ])('%s does not affect the others, and is reported by name', async (_, spoiled, problem) => {
    const { client } = await attackBy(listing(() => among(spoiled)))
    const unreadable: object[] = []
    const informer = client.informer(configMaps, { onUnreadable: (each) => unreadable.push(each) })
    await informer.whenSynced()
    expect(namesOf(informer.all())).toEqual(['first', 'last'])
    expect(unreadable).toEqual([
      { namespace: 'n', name: 'spoiled', uid: 'uid-spoiled', problem: expect.stringContaining(problem) },
    ])
    const error = await outcomeOf(client.list(configMaps))
    expect(error).toMatchObject({ name: 'Unreadable', message: expect.stringContaining('configmaps/spoiled') })
  })

  test('that is no longer readable is not treated as deleted', async () => {
    let lists = 0
    const { client } = await attackBy((response, { path }) => {
      if (isWatch(path)) return void refuse(response, 410)
      const second = deepObject('second', 20_000, '5')
      const items = [
        JSON.stringify(objectNamed('first')),
        lists++ === 0 ? JSON.stringify(objectNamed('second')) : second,
      ]
      response.writeHead(200).end(`{"metadata":{"resourceVersion":"10"},"items":[${items}]}`)
    })
    const informer = client.informer(configMaps)
    const gone: unknown[] = []
    await informer.whenSynced()
    informer.onChange(({ after }) => void (after === undefined && gone.push(after)))
    await eventually(() => expect(lists).toBeGreaterThan(2))
    expect(namesOf(informer.all())).toEqual(['first', 'second'])
    expect(gone).toEqual([])
  })

  test.each([
    '{}',
    '{"kind":"Status","status":"Success"}',
    '{"items":[]}',
    '{"metadata":null,"items":[]}',
    '[]',
    'null',
  ])('is kept when an answer is not a list: %s', async (text) => {
    let lists = 0
    const { client } = await attackBy((response, { path }) => {
      if (isWatch(path)) return void refuse(response, 410)
      if (lists++ === 0) return void response.writeHead(200).end(listOf([objectNamed('a')]))
      response.writeHead(200, { 'content-type': 'application/json' }).end(text)
    })
    const informer = client.informer(configMaps)
    await informer.whenSynced()
    await eventually(() => expect(informer.trouble).toContain('no list'))
    expect(namesOf(informer.all())).toEqual(['a'])
  })

  test('has no name that could contain terminal commands or a path', async () => {
    const odd = {
      ...objectNamed('a'),
      metadata: { name: '\u001b[2J', namespace: '../..', uid: 'a b', resourceVersion: '1' },
    }
    const { client } = await attackBy(listing(() => among(JSON.stringify({ ...odd, x: Array(300_000).fill(0) }))))
    const unreadable: object[] = []
    await client.informer(configMaps, { onUnreadable: (each) => unreadable.push(each) }).whenSynced()
    expect(unreadable).toMatchObject([{ namespace: '', name: '', uid: '' }])
  })
})

test('a list with an item that is not an object is refused', async () => {
  const { client } = await attackBy((response) => answer(response, 200, { metadata: {}, items: [1, null, 'x'] }))
  await expect(client.list(configMaps)).rejects.toThrow('something that is no object')
})
