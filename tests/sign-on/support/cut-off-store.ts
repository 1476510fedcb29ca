import { type Store, StoreUnavailable } from '../../../src/storage/contract.ts'

export interface CutOffStore {
  readonly store: Store
  /** As on a replica that cannot reach its shared store. */
  isCutOff: boolean
  /** Called before an entry is created, which waits for it. */
  beforeCreate: ((key: string) => Promise<void>) | undefined
}

/** A store that others may also write to, and that can be made to give no answer. */
export function cutOffStore(inner: Store): CutOffStore {
  const state: Omit<CutOffStore, 'store'> = { isCutOff: false, beforeCreate: undefined }
  const away: Store['currentRevision'] = () => Promise.reject(new StoreUnavailable('it is cut off'))
  const create: Store['create'] = async (key, value) => {
    await state.beforeCreate?.(key)
    return inner.create(key, value)
  }
  const store = new Proxy(inner, {
    get: (target, property) => {
      if (property === 'soleWriter') return false
      if (state.isCutOff && property === 'currentRevision') return away
      if (property === 'create') return create
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return Object.assign(state, { store })
}
