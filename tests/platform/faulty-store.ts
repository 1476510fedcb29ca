import type { Store } from '../../src/storage/contract.ts'

export interface FaultyStore {
  readonly store: Store
  /** How its updates, or its deletions, behave. */
  mode: 'works' | 'fails' | 'is stuck'
  readonly attempts: number
}

/** A store whose updates, or whose deletions, can be made to fail. */
export function faultyStore(inner: Store, verb: 'update' | 'delete' = 'update'): FaultyStore {
  const state = { mode: 'works' as FaultyStore['mode'], attempts: 0 }
  const attempt = (work: () => unknown): unknown => {
    if (state.mode === 'works') return work()
    state.attempts += 1
    return state.mode === 'fails' ? Promise.reject(new Error('the disk is full')) : new Promise(() => {})
  }
  const store = new Proxy(inner, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      const bound = value.bind(target)
      return property === verb ? (...args: readonly unknown[]) => attempt(() => bound(...args)) : bound
    },
  })
  return Object.assign(state, { store })
}
