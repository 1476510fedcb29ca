import { connect } from 'node:http2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtinKinds } from '../../../src/api/builtin-kinds.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { systemRandom } from '../../../src/base/random.ts'
import { ObjectRegistry } from '../../../src/registry/registry.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { eventually } from '../../support/eventually.ts'
import { rawAsk } from '../support/raw-ask.ts'

const inDefault = '/namespaces/default'
const autoscalers = (version: string) => `/apis/autoscaling/${version}${inDefault}/horizontalpodautoscalers`
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const colors = `/apis/example.com/v1${inDefault}/colors`
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io'

describe('shared components of all kinds continue', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ kinds: builtinKinds() })
  })
  afterAll(() => server?.stop())

  async function ask(method: string, url: string, object?: object, type = 'application/json') {
    const body = object === undefined ? '' : JSON.stringify(object)
    const { status, text } = await rawAsk('HTTP/2', server.port, {
      method,
      url,
      body,
      headers: [['Content-Type', type]],
    })
    return { status, answer: text === '' ? {} : JSON.parse(text) }
  }

  let written = 0
  /** A write is answered once all caches have seen it. */
  async function othersGoOn() {
    written += 1
    const url = `/api/v1${inDefault}/configmaps`
    expect((await ask('POST', url, { metadata: { name: `written-${written}` } })).status).toBe(201)
  }

  /** Stores an object that no request could write, as an earlier version or another program may have left it. */
  async function store(kind: string, plural: string, object: { readonly metadata: { readonly name: string } }) {
    const context = server.engine.registry.engine.find(plural === 'clusterrolebindings' ? rbac : 'autoscaling', kind)
    if (context === undefined) throw new Error(`${kind} is not served`)
    const namespace = context.kind.namespaced ? 'default' : ''
    const key = context.cache.storageKey({ namespace, name: object.metadata.name })
    const { outcome } = await server.engine.registry.engine.store.create(key, Buffer.from(JSON.stringify(object)))
    expect(outcome).toBe('written')
  }

  /** Resolves, when the watch ends, with everything that it received. */
  async function watch(url: string, accept: string) {
    const session = connect(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false }).on('error', () => {})
    const stream = session.request({ ':path': url, accept, authorization: 'Bearer admin-token' })
    let told = ''
    stream
      .on('error', () => {})
      .on('data', (chunk) => {
        told += chunk
      })
    const ended = new Promise<string>((resolve) => stream.once('close', () => resolve(told)))
    await new Promise((resolve) => stream.once('response', resolve))
    return { ended, stop: () => session.destroy() }
  }

  test('after an autoscaler with a truncated status in its annotations', async () => {
    const annotations = {
      'autoscaling.alpha.kubernetes.io/current-metrics': '[{"type":"Resource","resource":{"name":"cpu"}}]',
      'autoscaling.alpha.kubernetes.io/metrics': '[{"type":"Pods","pods":{}}]',
    }
    const object = { metadata: { name: 'half', annotations }, spec: { maxReplicas: 2, scaleTargetRef } }
    expect((await ask('POST', autoscalers('v1'), object)).status).toBe(422)
    const { 'autoscaling.alpha.kubernetes.io/metrics': _, ...current } = annotations
    const valid = { ...object, metadata: { name: 'half', annotations: current } }
    expect((await ask('POST', autoscalers('v1'), valid)).status).toBe(201)
    await othersGoOn()
    expect((await ask('GET', `${autoscalers('v1')}/half`)).status).toBe(200)
  })

  test('soon after an autoscaler with tens of thousands of conditions in its annotations', async () => {
    const conditions = `[${Array.from({ length: 65_000 }, () => '{}').join(',')}]`
    const annotations = { 'autoscaling.alpha.kubernetes.io/conditions': conditions }
    const object = { metadata: { name: 'many', annotations }, spec: { maxReplicas: 2, scaleTargetRef } }
    const { answer } = await ask('POST', autoscalers('v1'), object)
    expect(answer.spec.maxReplicas).toBe(2)
    const { status } = (await ask('GET', `${autoscalers('v2')}/many`)).answer
    expect(status.conditions).toBeUndefined()
  })

  test('with an object that one version of its kind cannot represent, even after a restart', async () => {
    const currentMetrics = [{ type: 'Resource', resource: { name: 'cpu' } }]
    await store('HorizontalPodAutoscaler', 'horizontalpodautoscalers', {
      metadata: { name: 'old', namespace: 'default', uid: 'old' },
      spec: { maxReplicas: 2, scaleTargetRef, metrics: [{ type: 'Pods', pods: {} }] },
      status: { currentMetrics },
    } as { readonly metadata: { readonly name: string } })
    await othersGoOn()
    const names = async (version: string) =>
      (await ask('GET', autoscalers(version))).answer.items.map(
        (item: { metadata: { name: string } }) => item.metadata.name,
      )
    expect(await names('v2')).toContain('old')
    expect(await names('v1')).not.toContain('old')
    const { store: sameStore } = server.engine.registry.engine
    const restarted = new ObjectRegistry({ store: sameStore, clock: systemClock, random: systemRandom })
    for (const kind of builtinKinds()) restarted.add(kind)
    await restarted.start()
    await restarted.stop()
  })

  test('when a row of a Table cannot be built, which ends that watch', async () => {
    const asked = { url: `${autoscalers('v2')}?watch=true`, headers: [['Accept', asTable]] as const }
    expect((await rawAsk('HTTP/2', server.port, asked)).text).toContain('the watch ended unexpectedly')
    expect(server.engine.registry.engine.find('autoscaling', 'HorizontalPodAutoscaler')?.hub.size).toBe(0)
    const { resourceVersion } = (await ask('GET', autoscalers('v2'))).answer.metadata
    const { ended, stop } = await watch(`${autoscalers('v2')}?watch=true&resourceVersion=${resourceVersion}`, asTable)
    await ask('DELETE', `${autoscalers('v2')}/old`)
    expect(await ended).toBe('')
    await othersGoOn()
    stop()
  })

  test('when a selector meets a field that is not a string, from an earlier schema', async () => {
    const definition = (color: object, selectableFields?: object) => ({
      metadata: { name: 'colors.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'colors', kind: 'Color' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { spec: { type: 'object', properties: { color } } },
              },
            },
            ...(selectableFields && { selectableFields }),
          },
        ],
      },
    })
    const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
    expect((await ask('POST', definitions, definition(anything))).status).toBe(201)
    const object = {
      apiVersion: 'example.com/v1',
      kind: 'Color',
      metadata: { name: 'odd' },
      spec: { color: { toString: 1, valueOf: 1 } },
    }
    await eventually(async () => expect((await ask('POST', colors, object)).status).toBe(201))
    const changed = definition({ type: 'string' }, [{ jsonPath: '.spec.color' }])
    await ask('PATCH', `${definitions}/colors.example.com`, changed, 'application/merge-patch+json')
    const selected = `${colors}?fieldSelector=spec.color=red`
    await eventually(async () => expect((await ask('GET', selected)).status).toBe(200))
    const { resourceVersion } = (await ask('GET', colors)).answer.metadata
    const { ended, stop } = await watch(
      `${selected}&watch=true&resourceVersion=${resourceVersion}&timeoutSeconds=1`,
      'application/json',
    )
    expect((await ask('DELETE', `${colors}/odd`)).status).toBe(200)
    await othersGoOn()
    expect(await ended).toBe('')
    stop()
  })

  test('and all other listeners are notified when one fails', async () => {
    const { cache } = server.engine.registry.engine.find('', 'ConfigMap') ?? {}
    const told: string[] = []
    const stops = [
      cache?.listen(() => {
        throw new Error('a listener failed')
      }),
      cache?.listen((events) => told.push(...events.map(({ document }) => document.name))),
    ]
    await othersGoOn()
    expect(told.filter((name) => name === `written-${written}`)).toHaveLength(1)
    for (const stop of stops) stop?.()
  })

  test('an unreadable binding grants nothing, and the next one still counts', async () => {
    const subjects = [{ kind: 'User', name: 'alice', apiGroup: rbac }]
    const bindings = `/apis/${rbac}/v1/clusterrolebindings`
    await store('ClusterRoleBinding', 'clusterrolebindings', {
      metadata: { name: 'odd', uid: 'odd' },
      roleRef: null,
      subjects,
    } as { readonly metadata: { readonly name: string } })
    const roleRef = { kind: 'ClusterRole', name: 'cluster-admin', apiGroup: rbac }
    expect((await ask('POST', bindings, { metadata: { name: 'even' }, subjects, roleRef })).status).toBe(201)
    const asAlice = { url: '/api/v1/secrets', token: 'alice-token' }
    expect((await rawAsk('HTTP/2', server.port, asAlice)).status).toBe(200)
  })
})

const rbac = 'rbac.authorization.k8s.io'
