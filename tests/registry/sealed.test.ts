import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configMap as plainConfigMap } from '../../src/api/core/config-map.ts'
import { namespace } from '../../src/api/core/namespace.ts'
import type { KubeObject } from '../../src/api/object.ts'
import type { Hooks } from '../../src/registry/context.ts'
import type { Resource } from '../../src/registry/contract.ts'
import {
  bodyOf,
  configMap,
  latest,
  listAll,
  namespaceNamed,
  startRegistry,
  startWatch,
  type TestRegistry,
  writeRequest,
} from '../support/registry.ts'

const kind = { ...plainConfigMap, hasSealedPart: true }
const secret = 'sesame'

/** Seals `data.word`: it is stored, and shown only to the caller that sets it. */
const hooks: Hooks = {
  admitCreate: (object) => sealed(object),
  admitUpdate: (object) => sealed(object),
}

function sealed(object: KubeObject) {
  const { word, ...data } = object.data as Record<string, string>
  if (word === undefined) return { object }
  const reveal = (shown: KubeObject): KubeObject => ({ ...shown, data: { ...(shown.data as object), word } })
  return { object: { ...object, data }, sealed: { word }, reveal }
}

let world: TestRegistry
let configMaps: Resource
const target = { namespace: 'default', name: 'a' }

beforeEach(async () => {
  world = await startRegistry([namespace, kind], { hooks: (each) => (each === kind ? hooks : {}) })
  configMaps = world.resource('configmaps')
  await world.resource('namespaces').create({ namespace: '' }, bodyOf(namespaceNamed('default')), writeRequest())
})

afterEach(() => world.stop())

const create = () => configMaps.create(target, bodyOf(configMap('a', { word: secret, color: 'blue' })), writeRequest())
const sealedNow = () => world.registry.engine.find('', 'ConfigMap')?.cache.get(target)?.sealed?.toString()

describe('the sealed part of an object', () => {
  it('is shown only in the response that set it', async () => {
    const watch = startWatch(configMaps, 'default')
    const { document } = await create()
    expect(document.object.data).toEqual({ word: secret, color: 'blue' })
    const [event] = await watch.events(1)
    if (event === undefined || !('parts' in event)) throw new Error('no event')
    const shown = [
      (await configMaps.get(target, latest)).json,
      ...(await configMaps.list({ namespace: 'default' }, listAll)).documents.map(({ itemJson }) => itemJson),
      Buffer.concat(event.parts),
    ].map(String)
    expect(shown.map((text) => text.includes(secret))).toEqual([false, false, false])
    watch.stop()
  })

  it('stays when an update does not touch it', async () => {
    await create()
    const read = (await configMaps.get(target, latest)).object
    await configMaps.update(target, bodyOf({ ...read, data: { color: 'red' } }), writeRequest())
    expect(sealedNow()).toBe('{"word":"sesame"}')
  })

  it('changes alone, with a new resourceVersion', async () => {
    const before = await create()
    const patch = { type: 'merge' as const, body: bodyOf({ data: { word: 'open' } }) }
    const after = await configMaps.patch(target, patch, writeRequest())
    expect(after.document.resourceVersion).not.toBe(before.document.resourceVersion)
    expect(sealedNow()).toBe('{"word":"open"}')
  })

  it('is returned neither by a dry run nor by a deletion', async () => {
    await create()
    const patch = { type: 'merge' as const, body: bodyOf({ data: { word: 'open', color: 'red' } }) }
    const pretended = await configMaps.patch(target, patch, writeRequest({ dryRun: true }))
    expect(pretended.document.object.data).toEqual({ color: 'red' })
    const watch = startWatch(configMaps, 'default')
    await watch.events(1)
    await configMaps.delete(target, { dryRun: false }, writeRequest())
    const deleted = (await watch.events(2))[1]
    expect(deleted !== undefined && 'line' in deleted && String(deleted.line)).not.toContain(secret)
    watch.stop()
  })
})
