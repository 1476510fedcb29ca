import { afterEach, beforeEach, expect, it } from 'vitest'
import { configMap as configMapKind } from '../../src/api/core/config-map.ts'
import { namespace as namespaceKind } from '../../src/api/core/namespace.ts'
import { systemRandom } from '../../src/base/random.ts'
import { ObjectRegistry } from '../../src/registry/registry.ts'
import type { Store } from '../../src/storage/contract.ts'
import {
  bodyOf,
  configMap,
  inWords,
  namespaceNamed,
  startRegistry,
  startWatch,
  type TestRegistry,
  writeRequest,
} from '../support/registry.ts'

/** Two servers on one store. The feed of the second one can be delayed; its other reads are not. */
let first: TestRegistry
let second: ObjectRegistry
let holds: Promise<void> | undefined
let letGo: () => void = () => {}

beforeEach(async () => {
  first = await startRegistry([namespaceKind, configMapKind])
  const create = first.resource('namespaces')
  await create.create({ namespace: '' }, bodyOf(namespaceNamed('default')), writeRequest())
})
afterEach(async () => {
  letGo()
  await second.stop()
  await first.stop()
})

function holdBack(): void {
  holds = new Promise((resolve) => {
    letGo = () => {
      holds = undefined
      resolve()
    }
  })
}

/** A view of the store for a process that shares it with other writers. */
function shared(store: Store): Store {
  const watch: Store['watch'] = async function* (prefix, options) {
    for await (const batch of store.watch(prefix, options)) {
      if (options.progress === true) await holds
      yield batch
    }
  }
  return new Proxy(store, {
    get: (target, property) => {
      if (property === 'watch') return watch
      if (property === 'soleWriter') return false
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

it('a watch from the past reports each change once, even if the store is ahead of the feed', async () => {
  const configMaps = first.resource('configmaps')
  const make = (name: string) =>
    configMaps.create({ namespace: 'default' }, bodyOf(configMap(name, {}, { namespace: 'default' })), writeRequest())
  const start = await make('before')
  await make('old')
  second = new ObjectRegistry({ store: shared(first.store), clock: first.clock, random: systemRandom })
  second.add(namespaceKind, {})
  second.add(configMapKind, {})
  await second.start()
  holdBack()
  await make('ahead')
  await configMaps.delete({ namespace: 'default', name: 'ahead' }, { dryRun: false }, writeRequest())
  const found = second.resources().find(({ kind }) => kind.plural === 'configmaps')
  if (found === undefined) throw new Error('configmaps are not served')
  const watch = startWatch(found, 'default', { resourceVersion: start.document.resourceVersion })
  await watch.events(1)
  letGo()
  await make('last')
  expect(inWords(await watch.events(4))).toEqual(['ADDED old', 'ADDED ahead', 'DELETED ahead', 'ADDED last'])
  watch.stop()
})
