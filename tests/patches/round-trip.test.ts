import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { coreKinds } from '../../src/api/core/kinds.ts'
import type { Schema } from '../../src/api/schema.ts'
import type { PatchConfig } from '../../src/api/tenant-config/types.ts'
import type { ExpressionEngine } from '../../src/expression/contract.ts'
import { checkRoundTrip } from '../../src/patches/round-trip/check.ts'
import type { RoundTripVerdict } from '../../src/patches/round-trip/verdict.ts'
import { applied, compiled, endpoints, openTestEngine, vcluster } from './support.ts'

let engine: ExpressionEngine
beforeAll(() => {
  engine = openTestEngine()
})
afterAll(() => engine.close())

function schemaOf(kind: string): Schema | undefined {
  return coreKinds().find((each) => each.kind === kind)?.schema
}

async function verdictOn(
  patch: PatchConfig,
  schema?: Schema,
  realValues?: readonly unknown[],
): Promise<RoundTripVerdict> {
  const [only] = compiled([patch])
  if (only === undefined) throw new Error('There is no patch.')
  return checkRoundTrip(only, { engine, vcluster, ...(schema && { schema }), ...(realValues && { realValues }) })
}

/** Path, expression, reverseExpression. */
const canceling: readonly (readonly [string, string, string])[] = [
  ['metadata.annotations[*]', '"p-" + value', 'value.slice(2)'],
  ['metadata.annotations[*]', 'btoa(value)', 'atob(value)'],
  ['metadata.annotations[*]', 'JSON.stringify({ value })', 'JSON.parse(value).value'],
  [
    'metadata.annotations["a.b/c"]',
    'context.vcluster.name + ":" + value',
    'value.slice(context.vcluster.name.length + 1)',
  ],
  ['metadata.labels.app', 'value === "web" ? "front" : value', 'value === "front" ? "web" : value'],
  [
    'metadata.annotations.host',
    'value.replace("cluster.local", "host.local")',
    'value.replace("host.local", "cluster.local")',
  ],
  ['metadata.labels', '({ ...value, added: "x" })', '(({ added, ...rest }) => rest)(value)'],
  ['subsets[*].ports[*].port', 'value + 10000', 'value - 10000'],
  ['subsets[*].addresses[*].ip', 'value.split(".").reverse().join(".")', 'value.split(".").reverse().join(".")'],
  ['spec.count', 'value + 1', 'value - 1'],
  ['spec.flag', '!value', '!value'],
  ['spec.items', 'value.map((item) => [item])', 'value.map(([item]) => item)'],
  [
    'spec.text',
    'value?.startsWith ? value.toUpperCase() + "|" + value : value',
    'value?.split ? value.split("|").slice(value.split("|").length / 2).join("|") : value',
  ],
]

/** The same, and a value that shows the loss. */
const losing: readonly (readonly [string, string, string, unknown])[] = [
  ['metadata.annotations[*]', '"my-prefix-" + value', 'value.slice("my-prefix".length)', ''],
  ['metadata.annotations[*]', '"constant"', '"original"', ''],
  ['metadata.annotations[*]', 'value.trim()', 'value', ' blanks around '],
  ['metadata.annotations[*]', 'value.toLowerCase()', 'value', 'UPPER and lower'],
  ['metadata.annotations[*]', 'value || "default"', 'value', ''],
  ['metadata.labels.app', 'value', '"x" + value', ''],
  ['metadata.labels.app', 'value === "magic" ? "a" : value', 'value === "a" ? "b" : value', 'magic'],
  ['metadata.labels', '({})', 'value', { app: 'web' }],
  ['subsets[*].ports[*].port', 'value + 1', 'value', 0],
  ['subsets[*].addresses[*].ip', 'null', 'value', '10.0.0.1'],
  ['subsets[*].addresses[*].ip', '({ ip: value })', 'value.ip.ip.ip', '10.0.0.1'],
  [
    'spec.items',
    'typeof value === "string" ? "p" + value : value',
    'typeof value === "string" ? value.slice(2) : value',
    'web',
  ],
]

describe('the round-trip check', () => {
  it.each(canceling)('of %s accepts %s with %s', async (path, expression, reverseExpression) => {
    expect(await verdictOn({ path, expression, reverseExpression })).toMatchObject({ verdict: 'cancels' })
  })

  it.each(losing)(
    'of %s finds the value that is lost by %s with %s',
    async (path, expression, reverseExpression, value) => {
      const verdict = await verdictOn({ path, expression, reverseExpression })
      expect(verdict).toMatchObject({ verdict: 'counter-example', counterExample: { value } })
    },
  )

  it('shows what was sent and what returned, or why nothing did', async () => {
    const path = 'metadata.labels.app'
    expect(await verdictOn({ path, expression: '"x" + value', reverseExpression: 'value' })).toEqual({
      verdict: 'counter-example',
      counterExample: { value: '', sent: 'x', returned: 'x' },
    })
    expect(await verdictOn({ path, expression: '"x" + value', reverseExpression: 'null' })).toEqual({
      verdict: 'counter-example',
      counterExample: { value: '', sent: 'x' },
    })
    expect(await verdictOn({ path, expression: '"x" + value', reverseExpression: 'value.a.b' })).toMatchObject({
      counterExample: { value: '', sent: 'x', message: expect.any(String) },
    })
  })

  it.each<readonly [string, PatchConfig, string]>([
    ['no reverseExpression', { path: 'spec.a', expression: '"x"' }, 'there is no reverseExpression'],
    ['no expression', { path: 'spec.a', reverseExpression: '"x"' }, 'there is no expression'],
    [
      'a reference',
      { path: 'spec.a', reference: { apiVersion: 'v1', kind: 'Secret' } },
      'the syncer itself translates it both ways',
    ],
    [
      'nothing that changes',
      { path: 'spec.a', expression: 'value', reverseExpression: 'value' },
      'the expression changes none of the sample values',
    ],
  ])('cannot decide with %s', async (_what, patch, reason) => {
    expect(await verdictOn(patch)).toEqual({ verdict: 'not-checkable', reason })
  })

  it('is inconclusive if the expression needs more than the samples have', async () => {
    const expression = 'value + context.virtualObject.spec.deep.er'
    expect(await verdictOn({ path: 'metadata.labels.a', expression, reverseExpression: 'value' })).toMatchObject({
      verdict: 'not-checkable',
      reason: expect.stringContaining('the expression failed for every sample value'),
    })
  })

  it('uses what the kind says about a field', async () => {
    const secretData = {
      path: 'data[*]',
      expression: 'btoa(atob(value) + "!")',
      reverseExpression: 'btoa(atob(value).slice(0, -1))',
    }
    expect(await verdictOn(secretData, schemaOf('Secret'))).toMatchObject({ verdict: 'cancels' })
    const type = { path: 'spec.type', expression: '"x" + value', reverseExpression: 'value.slice(1)' }
    expect(await verdictOn(type, schemaOf('Service'))).toMatchObject({ verdict: 'cancels' })
    const port = { path: 'spec.ports[*].nodePort', expression: 'String(value)', reverseExpression: 'value' }
    expect(await verdictOn(port, schemaOf('Service'))).toMatchObject({ counterExample: { value: 0, sent: '0' } })
  })
})

describe('the round-trip check with a real object', () => {
  const patch = {
    path: 'spec.hostname',
    expression: 'value.toUpperCase()',
    reverseExpression: 'value.toLowerCase()',
  }

  it('passes if no sample contradicts it', async () => {
    expect(await verdictOn(patch, undefined, ['web'])).toMatchObject({ verdict: 'cancels' })
  })

  it('shows the value of the object that is lost', async () => {
    expect(await verdictOn(patch, undefined, ['web', 'wEb'])).toEqual({
      verdict: 'counter-example',
      counterExample: { value: 'wEb', sent: 'WEB', returned: 'web' },
    })
  })

  it('still uses the samples if the object does not contradict it', async () => {
    const tame = {
      path: 'metadata.annotations.a',
      expression: 'value.trim() + "!"',
      reverseExpression: 'value.slice(0, -1)',
    }
    expect(await verdictOn(tame, undefined, ['web'])).toMatchObject({ counterExample: { value: ' blanks around ' } })
  })
})

describe('a pair that passes the check', () => {
  it('restores objects completely', async () => {
    const pairs = canceling.filter(([path]) => path.startsWith('metadata.annotations[*]'))
    const patches = pairs
      .slice(0, 1)
      .map(([path, expression, reverseExpression]) => ({ path, expression, reverseExpression }))
    const texts = fc.dictionary(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.string({ unit: 'binary', maxLength: 20 }),
      { maxKeys: 5 },
    )
    await fc.assert(
      fc.asyncProperty(texts, async (annotations) => {
        const object = endpoints({ metadata: { name: 'web', namespace: 'default', annotations } })
        const host = await applied(object, patches, { engine })
        expect(await applied(host, patches, { engine, direction: 'toVirtual' })).toEqual(object)
      }),
      { numRuns: 40 },
    )
  })

  it('cancels out in any list of such pairs, too', async () => {
    const annotations = canceling.filter(([path]) => path === 'metadata.annotations[*]')
    const orders = fc.shuffledSubarray([0, 1, 2], { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(orders, fc.string({ maxLength: 20 }), async (order, text) => {
        const spelling = ['metadata.annotations[*]', 'metadata.annotations.note', 'metadata.*.note']
        const patches = order.flatMap((choice, position) => {
          const [, expression = '', reverseExpression = ''] = annotations[choice] ?? []
          return [{ path: spelling[position] ?? '', expression, reverseExpression }]
        })
        const object = endpoints({
          metadata: { name: 'web', namespace: 'default', annotations: { note: text, other: 'x' } },
        })
        const host = await applied(object, patches, { engine })
        expect(host).not.toEqual(object)
        expect(await applied(host, patches, { engine, direction: 'toVirtual' })).toEqual(object)
      }),
      { numRuns: 50 },
    )
  })
})
