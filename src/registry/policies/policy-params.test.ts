import { describe, expect, it } from 'vitest'
import { configMap as kind } from '../../api/core/config-map.ts'
import { sortedMap } from '../../base/sorted-map.ts'
import type { Engine, ResourceContext } from '../context.ts'
import { StoredDocument, toStoredBytes } from '../document.ts'
import { relativeKey } from '../storage-key.ts'
import { PolicyPace } from './policy-pace.ts'
import { type ParamsParts, policyParams } from './policy-params.ts'

const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' }
const paramRef = { namespace: 'rules', selector: { matchLabels: { of: 'policy' } } }

function stored(namespace: string, name: string, labels: Record<string, string>, text = ''): StoredDocument {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name, labels }, data: { text } }
  return new StoredDocument(kind, { namespace, name }, toStoredBytes(kind, object, undefined), 1)
}

/** A cache that others write to at every step. */
function paramsOf(
  documents: readonly StoredDocument[],
  atEachStep: (map: ReturnType<typeof mapOf>) => void = () => {},
) {
  const map = mapOf(documents)
  const cache = { get: () => undefined, current: () => map, snapshot: () => map.clone() }
  const context = { kind, cache } as unknown as ResourceContext
  const engine = { find: () => context } as unknown as Engine
  const parts: ParamsParts = { engine, equivalents: () => [], convert: (object) => object }
  const user = { name: 'alice', groups: [] }
  const pace = new PolicyPace({ user, signal: new AbortController().signal, elapsed: { now: () => 0 } })
  let steps = 0
  pace.step = async () => {
    steps += 1
    atEachStep(map)
  }
  return { found: policyParams(paramKind, paramRef, '', parts, pace), steps: () => steps }
}

function mapOf(documents: readonly StoredDocument[]) {
  const map = sortedMap<StoredDocument>()
  for (const document of documents) map.set(relativeKey(document), document)
  return map
}

const many = <T>(count: number, each: (index: number) => T) => Array.from({ length: count }, (_, index) => each(index))
const place = (index: number) => String(index).padStart(4, '0')

describe('params that a selector selects', () => {
  it('are all found, whatever others write in the meantime', async () => {
    const own = many(200, (index) => stored('rules', `x${place(index)}`, {}))
    const params = many(5, (index) => stored('rules', `y${index}`, { of: 'policy' }))
    let next = 0
    const { found } = paramsOf([...own, ...params], (map) => {
      for (let count = 0; count < 3; count += 1) map.delete(`rules/x${place(next++)}`)
      map.set(`rules/xx${place(next)}`, stored('rules', `xx${place(next)}`, {}))
    })
    expect(await found).toHaveLength(5)
  })

  it('are found without looking at other namespaces', async () => {
    const others = ['a', 'rule', 'rules-too', 'z'].flatMap((namespace) =>
      many(300, (index) => stored(namespace, place(index), { of: 'policy' })),
    )
    const { found, steps } = paramsOf([...others, stored('rules', 'one', { of: 'policy' })])
    expect(await found).toHaveLength(1)
    expect(steps()).toBe(1)
  })

  it('are read one after the other, and may take 8 MiB together', async () => {
    const large = (count: number) =>
      many(count, (index) => stored('rules', place(index), { of: 'policy' }, 'x'.repeat(1_000_000)))
    const found = await paramsOf(large(8)).found
    expect(found).toHaveLength(8)
    expect(typeof found[0]).toBe('function')
    expect(await paramsOf(large(9)).found).toBe('the params that are selected take more than 8388608 bytes')
  })
})
