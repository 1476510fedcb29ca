import { AsyncLocalStorage } from 'node:async_hooks'
import { before } from '../canary/patch-method.ts'

const usedName = Symbol.for('tenant.async-context.used')

/** Those that were entered in this process, by whichever package, since they were last ended. */
function usedStorages(): Set<unknown> {
  const known: unknown = Reflect.get(globalThis, usedName)
  if (known instanceof Set) return known
  const used = new Set<unknown>()
  Reflect.set(globalThis, usedName, used)
  for (const method of ['run', 'enterWith']) {
    before(AsyncLocalStorage.prototype, method, (storage) => {
      used.add(storage)
    })
  }
  return used
}

/**
 * Ends the storages that were entered since the first call. Playwright and the identity provider keep one each, and from
 * the first use of it on, every promise of the process is followed: servers take about a twentieth more processor time,
 * in all suites that come later.
 */
export function endStorages(): void {
  const used = usedStorages()
  for (const storage of used) if (storage instanceof AsyncLocalStorage) storage.disable()
  used.clear()
}
