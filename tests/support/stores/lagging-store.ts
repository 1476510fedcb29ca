import type { Store } from '../../../src/storage/contract.ts'

export interface LaggingStore {
  readonly store: Store
  /** From now on changes are delivered only after `catchUp`; everything else is answered as before. */
  lag(): void
  catchUp(): void
}

/** A store whose change stream can be delayed. */
export function laggingStore(inner: Store): LaggingStore {
  let isLagging = false
  const waiting = new Set<() => void>()
  const inTime = async () => {
    while (isLagging) await new Promise<void>((resolve) => waiting.add(resolve))
  }
  const watch: Store['watch'] = async function* (prefix, options) {
    const wake = () => {
      isLagging = false
      for (const each of waiting) each()
    }
    options.signal.addEventListener('abort', wake, { once: true })
    for await (const batch of inner.watch(prefix, options)) {
      await inTime()
      yield batch
    }
  }
  const store = new Proxy(inner, {
    get: (target, property) => {
      if (property === 'watch') return watch
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return {
    store,
    lag: () => {
      isLagging = true
    },
    catchUp: () => {
      isLagging = false
      for (const each of waiting) each()
      waiting.clear()
    },
  }
}
