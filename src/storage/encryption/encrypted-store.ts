import type {
  ChangeBatch,
  ListResult,
  RangeOptions,
  Store,
  StoreChange,
  StoredValue,
  StoreWatchOptions,
  WriteResult,
} from '../contract.ts'
import type { ValueCipher } from './value-cipher.ts'

/** Wraps a store so that confidential values are encrypted at rest. */
export function encryptedStore(store: Store, cipher: ValueCipher): Store {
  return {
    soleWriter: store.soleWriter,
    get: async (key, options) => decryptedOrNone(cipher, await store.get(key, options)),
    list: (prefix, options = {}) => list(store, cipher, prefix, options),
    create: async (key, value) => settled(cipher, await store.create(key, cipher.encrypt(key, value))),
    update: async (key, value, expectedRevision) =>
      settled(cipher, await store.update(key, cipher.encrypt(key, value), expectedRevision)),
    delete: async (key, expectedRevision) => settled(cipher, await store.delete(key, expectedRevision)),
    watch: (prefix, options) => watch(store, cipher, prefix, options),
    currentRevision: () => store.currentRevision(),
    compactedRevision: () => store.compactedRevision(),
    compact: (revision) => store.compact(revision),
    ...(store.lost === undefined ? {} : { lost: store.lost }),
    close: () => store.close(),
  }
}

async function decryptedOrNone(cipher: ValueCipher, found: StoredValue | undefined): Promise<StoredValue | undefined> {
  return found && decrypted(cipher, found)
}

async function decrypted<T extends StoredValue | StoreChange>(cipher: ValueCipher, found: T): Promise<T> {
  const value = await cipher.decrypt(found.key, found.value)
  return value === found.value ? found : { ...found, value }
}

async function settled(cipher: ValueCipher, result: WriteResult): Promise<WriteResult> {
  if (result.outcome === 'written') return result
  return { ...result, current: await decryptedOrNone(cipher, result.current) }
}

async function list(store: Store, cipher: ValueCipher, prefix: string, options: RangeOptions): Promise<ListResult> {
  const { each } = options
  if (each !== undefined) return listEach(store, cipher, prefix, { ...options, each })
  const result = await store.list(prefix, options)
  const items: StoredValue[] = []
  for (const item of result.items) items.push(await decrypted(cipher, item))
  return { ...result, items }
}

interface EachOptions extends RangeOptions {
  readonly each: (item: StoredValue) => void | Promise<void>
}

function listEach(store: Store, cipher: ValueCipher, prefix: string, options: EachOptions): Promise<ListResult> {
  const { each } = options
  return store.list(prefix, {
    ...options,
    each: (item) => {
      const value = cipher.decrypt(item.key, item.value)
      if (value instanceof Promise) return value.then((found) => each({ ...item, value: found }))
      return each(value === item.value ? item : { ...item, value })
    },
  })
}

async function* watch(
  store: Store,
  cipher: ValueCipher,
  prefix: string,
  options: StoreWatchOptions,
): AsyncGenerator<ChangeBatch> {
  for await (const batch of store.watch(prefix, options)) {
    const changes: StoreChange[] = []
    for (const change of batch.changes) changes.push(await decrypted(cipher, change))
    yield { ...batch, changes }
  }
}
