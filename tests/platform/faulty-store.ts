import type { Store } from '../../src/storage/contract.ts'

export interface FaultyStore {
  readonly store: Store
  /** What changes of stored objects come to. */
  mode: 'works' | 'fails' | 'is stuck'
  readonly attempts: number
}

/** A store whose updates can be made to fail. */
export function faultyStore(inner: Store): FaultyStore {
  const state = { mode: 'works' as FaultyStore['mode'], attempts: 0 }
  const update: Store['update'] = (key, value, revision) => {
    if (state.mode === 'works') return inner.update(key, value, revision)
    state.attempts += 1
    return state.mode === 'fails' ? Promise.reject(new Error('the disk is full')) : new Promise(() => {})
  }
  const store = new Proxy(inner, {
    get: (target, property) => {
      if (property === 'update') return update
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return Object.assign(state, { store })
}
