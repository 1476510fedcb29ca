import type { Store } from '../../src/storage/contract.ts'

export interface CountingStore {
  readonly store: Store
  /** The number of writes below a prefix. */
  writesTo(prefix: string): number
  /** The number of lists of a past state. */
  pastLists: number
  /** Writes below this prefix fail. */
  failsAt: string | undefined
  /** The number of writes that failed. */
  refused: number
}

const writing = new Set<string | symbol>(['create', 'update', 'delete'])

/** A store that counts its writes, and can be made to refuse some of them. */
export function countingStore(inner: Store): CountingStore {
  const written: string[] = []
  const state: Omit<CountingStore, 'store'> = {
    pastLists: 0,
    failsAt: undefined,
    refused: 0,
    writesTo: (prefix) => written.filter((key) => key.startsWith(prefix)).length,
  }
  const refuses = (key: string) => state.failsAt !== undefined && key.startsWith(state.failsAt)
  const store = new Proxy(inner, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      if (property === 'list') {
        return (prefix: string, options: Parameters<Store['list']>[1]) => {
          if (options?.atRevision !== undefined) state.pastLists += 1
          return inner.list(prefix, options)
        }
      }
      if (!writing.has(property)) return value.bind(target)
      return (key: string, ...rest: readonly unknown[]) => {
        if (refuses(key)) {
          state.refused += 1
          return Promise.reject(new Error('the disk is full'))
        }
        written.push(key)
        return Reflect.apply(value, target, [key, ...rest])
      }
    },
  })
  return Object.assign(state, { store })
}
