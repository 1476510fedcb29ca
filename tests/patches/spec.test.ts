import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KubeObject } from '../../src/api/object.ts'
import type { ExpressionEngine } from '../../src/expression/contract.ts'
import { compilePatches } from '../../src/patches/compile.ts'
import { checkRoundTrip } from '../../src/patches/round-trip/check.ts'
import { applied, apply, compiled, endpoints, names, openTestEngine, vcluster } from './support.ts'

let engine: ExpressionEngine
beforeAll(() => {
  engine = openTestEngine()
})
afterAll(() => engine.close())

/** The result of a patch of one annotation. */
async function annotation(value: string, expression: string): Promise<unknown> {
  const object = endpoints({ metadata: { name: 'web', namespace: 'default', annotations: { key: value } } })
  const after = await applied(object, [{ path: 'metadata.annotations.key', expression }], { engine })
  return after.metadata.annotations?.key
}

describe('SPEC 2.4 patch object', () => {
  it('path: metadata.annotations[*] is every annotation', async () => {
    const after = await applied(endpoints(), [{ path: 'metadata.annotations[*]', expression: 'value + "!"' }], {
      engine,
    })
    expect(after.metadata.annotations).toMatchObject({ 'example.com/owner': 'team-a!', note: 'hello!' })
  })

  it.each(['metadata.annotations[example.com/owner]', 'metadata.annotations["example.com/owner"]'])(
    'path: %s is one annotation by its key',
    async (path) => {
      const after = await applied(endpoints(), [{ path, expression: '"team-b"' }], { engine })
      expect(after.metadata.annotations).toMatchObject({ 'example.com/owner': 'team-b', note: 'hello' })
    },
  )

  it('path: one that is not found is not applied', async () => {
    const object = endpoints()
    const outcome = await apply(object, [{ path: 'metadata.annotations.missing', expression: '"x"' }], { engine })
    expect(outcome).toMatchObject({ state: 'applied', counters: [{ matched: 0, changed: 0, notFound: 1, failed: 0 }] })
    expect(outcome).toHaveProperty(
      'object',
      expect.toSatisfy((after) => after === object),
    )
  })

  it('expression: applied from virtual to host; reverseExpression: applied from host to virtual', async () => {
    const patches = [{ path: 'metadata.annotations.note', expression: '"out"', reverseExpression: '"back"' }]
    expect((await applied(endpoints(), patches, { engine })).metadata.annotations?.note).toBe('out')
    const back = await applied(endpoints(), patches, { engine, direction: 'toVirtual' })
    expect(back.metadata.annotations?.note).toBe('back')
  })
})

describe('SPEC 2.4 path wildcards', () => {
  const pod: KubeObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'default' },
    spec: {
      containers: [
        { name: 'a', volumeMounts: [{ name: 'x' }, { name: 'y' }] },
        { name: 'b', volumeMounts: [{ name: 'z' }] },
        { name: 'c' },
      ],
    },
  }

  it('spec.containers[*].name selects every element of an array', async () => {
    const after = await applied(pod, [{ path: 'spec.containers[*].name', expression: '"c-" + value' }], { engine })
    expect(after).toMatchObject({ spec: { containers: [{ name: 'c-a' }, { name: 'c-b' }, { name: 'c-c' }] } })
  })

  it('spec.containers[*].volumeMounts[*] selects through two arrays, elements without one are skipped', async () => {
    const patches = [{ path: 'spec.containers[*].volumeMounts[*]', expression: '({ ...value, readOnly: true })' }]
    const outcome = await apply(pod, patches, { engine })
    expect(outcome).toMatchObject({
      counters: [{ matched: 3, changed: 3 }],
      object: {
        spec: {
          containers: [
            {
              volumeMounts: [
                { name: 'x', readOnly: true },
                { name: 'y', readOnly: true },
              ],
            },
            { volumeMounts: [{ name: 'z', readOnly: true }] },
            { name: 'c' },
          ],
        },
      },
    })
  })

  it('an asterisk selects every member of an object, each match individually', async () => {
    const object = { ...pod, data: { a: '1', b: '2' } }
    const after = await applied(object, [{ path: 'data[*]', expression: 'context.path + "=" + value' }], { engine })
    expect(after).toMatchObject({ data: { a: 'data.a=1', b: 'data.b=2' } })
  })
})

describe('SPEC 2.4 JavaScript expression rules', () => {
  it.each([
    'if (value) { value }',
    'const x = 1',
    'value; value',
    'return value',
    'import("fs")',
    'import fs from "fs"',
    'require("fs")',
    'process.env',
    'await value',
    '',
  ])('SPEC 2.4 JavaScript rule 1: %j is refused when the configuration is read', (expression) => {
    expect(compilePatches([{ path: 'spec.a', expression }])).toMatchObject({
      ok: false,
      problems: [{ index: 0, code: 'expression', field: ['expression'] }],
    })
  })

  it.each([
    ['value.toUpperCase()', 'HELLO'],
    ['`a template`', 'a template'],
    ['((v) => { const w = v + "!"; return w })(value)', 'hello!'],
    ['[...value].reverse().join("")', 'olleh'],
    ['({ a: value }).a', 'hello'],
  ])('SPEC 2.4 JavaScript rule 1: %s is a valid ES6 expression', async (expression, result) => {
    expect(await annotation('hello', expression)).toBe(result)
  })

  it.each([
    ['value', 'hello'],
    ['value === "hello" ? "yes" : "no"', 'yes'],
    ['value?.length > 3 ? value?.slice(0, 3) : value', 'hel'],
    ['value?.missing?.deeper ?? "default"', 'default'],
  ])('SPEC 2.4 JavaScript rule 2: value, ternary and optional chaining, as in %s', async (expression, result) => {
    expect(await annotation('hello', expression)).toBe(result)
  })

  it('SPEC 2.4 JavaScript rule 3: atob decodes base64', async () => {
    expect(await annotation('bXktdmFsdWU=', 'atob(value)')).toBe('my-value')
  })

  it('SPEC 2.4 JavaScript rule 3: btoa encodes base64', async () => {
    expect(await annotation('my-value', 'btoa(value)')).toBe('bXktdmFsdWU=')
  })

  it('SPEC 2.4 JavaScript rule 3: virtualToHostDNS translates a service name', async () => {
    expect(await annotation('web.default.svc', 'virtualToHostDNS(value)')).toBe('host-of-web.default.svc')
  })

  it('SPEC 2.4 JavaScript rule 4: a missing value has to be guarded against, or the patch fails', async () => {
    const object = endpoints({ spec: { list: [{ name: 'a' }, {}] } })
    const guarded = [{ path: 'spec.list[*]', expression: 'value.name ? { name: value.name.toUpperCase() } : value' }]
    expect(await applied(object, guarded, { engine })).toMatchObject({ spec: { list: [{ name: 'A' }, {}] } })
    const bare = [{ path: 'spec.list[*]', expression: '({ name: value.name.toUpperCase() })' }]
    expect(await apply(object, bare, { engine })).toMatchObject({
      state: 'failed',
      failure: { index: 0, path: 'spec.list[*]', concretePath: 'spec.list[1]' },
    })
  })

  describe('SPEC 2.4 JavaScript rule 5: context', () => {
    const virtualObject = endpoints()
    const hostObject = endpoints({ metadata: { name: 'v-web', namespace: 'tenant-demo', uid: 'host-uid' } })

    it.each<readonly [string, unknown]>([
      ['context.vcluster.name', 'demo'],
      ['context.vcluster.namespace', 'tenant-demo'],
      ['context.vcluster.config.networking.clusterDomain', 'demo.local'],
      ['context.vcluster.config.sync.toHost.endpoints.enabled', true],
      ['context.hostObject.metadata.uid', 'host-uid'],
      ['context.virtualObject.metadata.name', 'web'],
      ['context.path', 'subsets[0].addresses[1].ip'],
    ])('%s', async (expression, result) => {
      const path = 'subsets[0].addresses[1].ip'
      const run = { context: { vcluster, hostObject, virtualObject } }
      const after = await applied(virtualObject, [{ path, expression }], { engine, run })
      expect(after).toMatchObject({ subsets: [{ addresses: [{}, { ip: result }] }, {}] })
    })

    it('context.hostObject and context.virtualObject are null where there is none', async () => {
      const patches = [
        { path: 'metadata.annotations.note', expression: 'String(context.hostObject) + String(context.virtualObject)' },
      ]
      const run = { context: { vcluster, hostObject: null, virtualObject: null } }
      expect((await applied(virtualObject, patches, { engine, run })).metadata.annotations?.note).toBe('nullnull')
    })

    it('context.path is the concrete path of each match of a wildcard', async () => {
      const patches = [{ path: 'subsets[*].addresses[*].ip', expression: 'context.path' }]
      expect(await applied(virtualObject, patches, { engine })).toMatchObject({
        subsets: [{ addresses: [{ ip: 'subsets[0].addresses[0].ip' }, { ip: 'subsets[0].addresses[1].ip' }] }, {}],
      })
      const keys = [{ path: 'metadata.annotations.*', expression: 'context.path' }]
      expect((await applied(virtualObject, keys, { engine })).metadata.annotations).toMatchObject({
        'example.com/owner': 'metadata.annotations["example.com/owner"]',
      })
    })
  })

  it('SPEC 2.4 JavaScript rule 6: without an expression for a direction that direction is untouched', async () => {
    const object = endpoints()
    const outward = { path: 'metadata.annotations.note', expression: '"out"' }
    const back = { path: 'metadata.annotations["example.com/owner"]', reverseExpression: '"back"' }
    const host = await apply(object, [outward, back], { engine })
    expect(host).toMatchObject({
      object: { metadata: { annotations: { note: 'out', 'example.com/owner': 'team-a' } } },
      counters: [{ changed: 1 }, { matched: 0, changed: 0, notFound: 0 }],
    })
    const virtual = await apply(object, [outward, back], { engine, direction: 'toVirtual' })
    expect(virtual).toMatchObject({
      object: { metadata: { annotations: { note: 'hello', 'example.com/owner': 'back' } } },
      counters: [{ matched: 0, changed: 0, notFound: 0 }, { changed: 1 }],
    })
  })

  it('SPEC 2.4 JavaScript rule 7: a pair that cancels out brings every value back', async () => {
    const patches = [
      {
        path: 'metadata.annotations[*]',
        expression: '"my-prefix-" + value',
        reverseExpression: 'value.slice("my-prefix-".length)',
      },
    ]
    const host = await applied(endpoints(), patches, { engine })
    expect(await applied(host, patches, { engine, direction: 'toVirtual' })).toEqual(endpoints())
    const [patch] = compiled(patches)
    expect(patch && (await checkRoundTrip(patch, { engine, vcluster }))).toMatchObject({ verdict: 'cancels' })
  })

  it('SPEC 2.4 JavaScript rule 7: a pair that does not is found out, with a value that shows it', async () => {
    const [patch] = compiled([
      {
        path: 'metadata.annotations[*]',
        expression: '"my-prefix-" + value',
        reverseExpression: 'value.slice("my-prefix".length)',
      },
    ])
    expect(patch && (await checkRoundTrip(patch, { engine, vcluster }))).toEqual({
      verdict: 'counter-example',
      counterExample: { value: '', sent: 'my-prefix-', returned: '-' },
    })
  })

  it('SPEC 2.4 JavaScript rule 8: a constant is a quoted string literal', async () => {
    expect(await annotation('hello', '"constant"')).toBe('constant')
    expect(await annotation('hello', "'constant'")).toBe('constant')
  })
})

describe('SPEC 2.4 reference', () => {
  const certificate: KubeObject = {
    apiVersion: 'example.com/v1',
    kind: 'Certificate',
    metadata: { name: 'c', namespace: 'team' },
    spec: {
      secretName: 'tls',
      issuers: [{ name: 'ca', group: 'example.com/v2', type: 'Issuer', in: 'other' }, { name: 'plain' }],
    },
  }
  const secret = { path: 'spec.secretName', reference: { apiVersion: 'v1', kind: 'Secret' } }
  const issuers = {
    path: 'spec.issuers[*]',
    reference: {
      apiVersion: 'example.com/v1',
      apiVersionPath: 'group',
      kind: 'ClusterIssuer',
      kindPath: 'type',
      namePath: 'name',
      namespacePath: 'in',
    },
  }

  it('apiVersion, kind: a bare name is rewritten in single-namespace mode and the reference handed on', async () => {
    expect(await apply(certificate, [secret], { engine })).toMatchObject({
      object: { spec: { secretName: 'v-tls.team' } },
      references: [{ apiVersion: 'v1', kind: 'Secret', namespace: 'team', name: 'tls', direction: 'toHost' }],
      counters: [{ matched: 1, changed: 1 }],
    })
  })

  it('apiVersionPath, kindPath, namePath, namespacePath: read from the object, with their fall-backs', async () => {
    expect(await apply(certificate, [issuers], { engine })).toMatchObject({
      object: {
        spec: {
          issuers: [
            { name: 'v-ca.other', group: 'example.com/v2', type: 'Issuer', in: 'tenant-demo' },
            { name: 'v-plain.team' },
          ],
        },
      },
      references: [
        { apiVersion: 'example.com/v2', kind: 'Issuer', namespace: 'other', name: 'ca' },
        { apiVersion: 'example.com/v1', kind: 'ClusterIssuer', namespace: 'team', name: 'plain' },
      ],
    })
  })

  it.each([
    ['inside reference', { reference: { apiVersion: 'v1', kind: 'Pod', labels: {} } }],
    ['beside reference', { labels: {} }],
  ])('labels: the value is a label selector, %s', async (_where, action) => {
    const object = endpoints({ spec: { selector: { matchLabels: { release: 'x' } } } })
    const patches = [{ path: 'spec.selector', ...action }]
    const host = await applied(object, patches, { engine })
    expect(host).toMatchObject({ spec: { selector: { matchLabels: { 'tenant.example/release': 'x' } } } })
    expect(await applied(host, patches, { engine, direction: 'toVirtual' })).toEqual(object)
  })

  it('both directions: the way back undoes the way out', async () => {
    const host = await applied(certificate, [secret, issuers], { engine })
    const hostObject = { ...host, metadata: { name: 'v-c.team', namespace: 'tenant-demo' } }
    const run = { context: { vcluster, hostObject, virtualObject: certificate } }
    expect(await applied(host, [secret, issuers], { engine, direction: 'toVirtual', run })).toMatchObject({
      spec: { secretName: 'tls', issuers: [{ name: 'ca', in: 'other' }, { name: 'plain' }] },
    })
  })

  it('multi-namespace mode: the name is not translated', async () => {
    const run = { names: { ...names, multiNamespace: true } }
    expect(await apply(certificate, [secret, issuers], { engine, run })).toMatchObject({
      object: { spec: { secretName: 'tls', issuers: [{ name: 'ca', in: 'tenant-demo' }, { name: 'plain' }] } },
    })
  })

  it('SPEC 2.4 reference rule 1: a name of the host that is not the tenant’s is handed on for import', async () => {
    const object = { ...certificate, spec: { secretName: 'shared-ca' } }
    const run = { context: { vcluster, hostObject: object, virtualObject: null } }
    expect(await apply(object, [secret], { engine, direction: 'toVirtual', run })).toMatchObject({
      object: { spec: { secretName: 'shared-ca' } },
      references: [{ kind: 'Secret', name: 'shared-ca', direction: 'toVirtual' }],
      counters: [{ matched: 1, changed: 0 }],
    })
  })

  it('SPEC 2.4 reference rule 2: a virtual object that is referred to is handed on for syncing', async () => {
    const outcome = await apply(certificate, [secret], { engine })
    expect(outcome).toMatchObject({
      references: [{ namespace: 'team', name: 'tls', translated: { namespace: 'tenant-demo', name: 'v-tls.team' } }],
    })
  })
})
