import { describe, expect, it, onTestFinished } from 'vitest'
import type { Informer, InformerOptions } from '../../src/client/contract.ts'
import { eventually } from '../support/eventually.ts'
import { clientByKubeconfig, configMap, configMaps } from './client-of.ts'
import { answer, type Heard, isAboutVersion, refuse, startScriptedServer } from './scripted-server.ts'

type Step =
  /** These lines, then the end of the answer. */
  { readonly lines: readonly object[] } | { readonly refusal: number; readonly headers?: Record<string, string> }

function object(name: string, version: number, data: Readonly<Record<string, string>> = {}) {
  const { metadata, ...rest } = configMap('n', name, data)
  return { ...rest, metadata: { ...metadata, uid: `uid-${name}`, resourceVersion: String(version) } }
}

const event = (type: string, changed: object) => ({ type, object: changed })
const bookmark = (version: number) => event('BOOKMARK', { metadata: { resourceVersion: String(version) } })
const error = (code: number) => event('ERROR', { kind: 'Status', status: 'Failure', message: `ended ${code}`, code })

const latest = { version: 1_000, items: [] }

/**
 * A server whose lists and watches follow a script; the last watch stays open. A question about its version is answered
 * by the next list, or else with a later one than any.
 */
async function follow(
  lists: readonly { readonly version: number; readonly items: readonly object[] }[],
  watches: readonly Step[],
  options: InformerOptions = {},
): Promise<{ readonly informer: Informer; readonly heard: readonly Heard[]; asked(kind: 'list' | 'watch'): string[] }> {
  const remaining = { lists: [...lists], watches: [...watches] }
  const server = await startScriptedServer((response, { path }) => {
    if (!path.includes('watch=true')) {
      const next = isAboutVersion(path) ? (remaining.lists[0] ?? latest) : remaining.lists.shift()
      const { version, items } = next ?? { version: 0, items: [] }
      return answer(response, 200, { kind: 'ConfigMapList', metadata: { resourceVersion: String(version) }, items })
    }
    const step = remaining.watches.shift()
    if (step === undefined) return void response.writeHead(200).flushHeaders()
    if ('refusal' in step) return refuse(response, step.refusal, step.headers)
    response.writeHead(200).end(step.lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  })
  onTestFinished(() => server.stop())
  const client = await clientByKubeconfig(server.kubeconfig())
  onTestFinished(() => client.close())
  const informer = client.informer(configMaps, options)
  await informer.whenSynced()
  return {
    informer,
    heard: server.heard,
    asked: (kind) =>
      server.heard
        .filter(({ path }) => path.includes('watch=true') === (kind === 'watch') && !isAboutVersion(path))
        .map(({ path }) => new URL(path, 'https://x').searchParams.get('resourceVersion') ?? ''),
  }
}

const names = (informer: Informer) =>
  Array.from(informer.all(), ({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).sort()

describe('a watch', () => {
  it('resumes from the last version, including bookmarks', async () => {
    const { informer, asked } = await follow(
      [{ version: 10, items: [object('a', 5)] }],
      [
        { lines: [event('ADDED', object('b', 11)), event('DELETED', object('a', 12)), bookmark(40)] },
        { lines: [] },
        { lines: [event('MODIFIED', object('b', 41))] },
      ],
    )
    await eventually(() => expect(asked('watch')).toEqual(['10', '40', '40', '41']))
    expect(names(informer)).toEqual(['b@41'])
    expect(asked('list')).toHaveLength(1)
  })

  it('requests bookmarks and a timeout', async () => {
    const { heard } = await follow([{ version: 10, items: [] }], [], { namespace: 'n', labelSelector: 'a=b' })
    await eventually(() => expect(heard).toHaveLength(2))
    const { pathname, searchParams } = new URL(heard[1]?.path ?? '', 'https://x')
    expect(pathname).toBe('/api/v1/namespaces/n/configmaps')
    expect(searchParams.get('allowWatchBookmarks')).toBe('true')
    expect(searchParams.get('labelSelector')).toBe('a=b')
    expect(Number(searchParams.get('timeoutSeconds'))).toBeGreaterThanOrEqual(60)
  })

  it.each([
    ['an event', { lines: [error(410)] }],
    ['an answer', { refusal: 410 }],
  ])('with expired history (%s) starts again with a list', async (_, step) => {
    const lists = [
      { version: 10, items: [object('a', 5), object('b', 6)] },
      { version: 20, items: [object('b', 6), object('c', 15)] },
    ]
    const { informer, asked } = await follow(lists, [step])
    await eventually(() => expect(asked('watch')).toEqual(['10', '20']))
    expect(names(informer)).toEqual(['b@6', 'c@15'])
  })

  it.each([
    ['an error', { lines: [error(500)] }],
    ['a refusal', { refusal: 500 }],
    ['something that is not an event', { lines: [{ type: 'NEW', object: object('x', 1) }] }],
  ])('that ends with %s is resumed', async (_, step) => {
    const { informer, asked } = await follow([{ version: 10, items: [] }], [step])
    await eventually(() => expect(asked('watch')).toEqual(['10', '10']))
    await eventually(() => expect(informer.trouble).toBeUndefined())
    expect(asked('list')).toHaveLength(1)
  })

  it('that is refused for a while is retried when allowed', async () => {
    const startedMs = performance.now()
    const { informer, asked } = await follow(
      [{ version: 10, items: [] }],
      [{ refusal: 429, headers: { 'retry-after': '1' } }],
    )
    await eventually(() => expect(informer.trouble).toBe('refused 429'))
    await eventually(() => expect(asked('watch')).toEqual(['10', '10']))
    expect(performance.now() - startedMs).toBeGreaterThan(1_000)
  })

  it('of a server that went back in time starts again with its current state', async () => {
    const lists = [
      { version: 100, items: [object('a', 90), object('b', 95)] },
      { version: 21, items: [object('a', 7, { restored: 'yes' })] },
    ]
    const { informer, asked } = await follow(lists, [{ lines: [bookmark(20)] }])
    await eventually(() => expect(asked('watch')).toEqual(['100', '21']))
    expect(names(informer)).toEqual(['a@7'])
  })

  it.each<[string, readonly Step[]]>([
    ['during an outage', [{ refusal: 500 }, { refusal: 500 }]],
    ['between two watches', [{ lines: [] }]],
  ])('of a server that went back in time %s does, too, even if it reports nothing', async (_, watches) => {
    const restored = { version: 21, items: [object('a', 7, { restored: 'yes' })] }
    const { informer, asked } = await follow(
      [{ version: 100, items: [object('a', 90), object('b', 95)] }, restored],
      watches,
    )
    await eventually(() => expect(asked('watch').at(-1)).toBe('21'))
    expect(names(informer)).toEqual(['a@7'])
  })

  it('of a server that did not go back in time is resumed after an outage', async () => {
    const { informer, asked } = await follow(
      [{ version: 100, items: [object('a', 90)] }],
      [{ refusal: 500 }, { refusal: 500 }],
    )
    await eventually(() => expect(asked('watch')).toEqual(['100', '100', '100']))
    expect(asked('list')).toHaveLength(1)
    expect(names(informer)).toEqual(['a@90'])
  })
})

describe('an informer', () => {
  it('reports existing objects to a new listener, and notifies all listeners even if one fails', async () => {
    const { informer } = await follow(
      [{ version: 10, items: [object('a', 5)] }],
      [{ lines: [event('ADDED', object('b', 11))] }],
    )
    const told: (string | undefined)[] = []
    informer.onChange(() => {
      throw new Error('a listener that fails')
    })
    const stop = informer.onChange(({ after }) => told.push(after?.metadata.name))
    await eventually(() => expect(told).toEqual(['a', 'b']))
    stop()
    informer.learn(object('c', 50))
    expect(told).toEqual(['a', 'b'])
  })

  it('keeps the selected fields, and no managedFields unless requested', async () => {
    const managed = object('a', 5, { large: 'x' })
    const item = { ...managed, metadata: { ...managed.metadata, managedFields: [{ manager: 'm' }] } }
    const list = [{ version: 10, items: [item] }]
    const { informer } = await follow(list, [])
    expect(informer.get({ namespace: 'n', name: 'a' })).toEqual(managed)
    const keep: InformerOptions['keep'] = ({ data, ...rest }) => rest
    const { informer: pruned } = await follow(list, [], { keep })
    expect(pruned.get({ namespace: 'n', name: 'a' })).not.toHaveProperty('data')
  })

  it('receives nothing about other namespaces, and nothing after it is stopped', async () => {
    const { informer } = await follow([{ version: 10, items: [] }], [], { namespace: 'n' })
    const stranger = object('a', 11)
    informer.learn({ ...stranger, metadata: { ...stranger.metadata, namespace: 'other' } })
    informer.stop()
    informer.learn(object('b', 12))
    expect(informer.size).toBe(0)
  })

  it('that is stopped before its first list rejects', async () => {
    const server = await startScriptedServer(() => {})
    onTestFinished(() => server.stop())
    const client = await clientByKubeconfig(server.kubeconfig())
    const synced = client.informer(configMaps).whenSynced()
    await client.close()
    await expect(synced).rejects.toThrow('the informer of configmaps has been stopped')
  })
})

it('restarts a list whose pages have expired', async () => {
  const server = await startScriptedServer((response, { path }, number) => {
    if (number === 2) return refuse(response, 410)
    const metadata = { resourceVersion: String(number), continue: path.includes('continue=') ? '' : 'next' }
    answer(response, 200, { kind: 'ConfigMapList', metadata, items: [object(`item-${number}`, number)] })
  })
  onTestFinished(() => server.stop())
  const client = await clientByKubeconfig(server.kubeconfig())
  onTestFinished(() => client.close())
  const { items } = await client.list(configMaps)
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['item-3', 'item-4'])
})
