import type { Watcher } from './watcher.ts'

const watcherName = Symbol.for('tenant.canary.watcher')

/** The watcher of this thread, which outlives the modules of a suite; undefined outside a run. */
export function currentWatcher(): Watcher | undefined {
  const watcher: unknown = Reflect.get(globalThis, watcherName)
  // Modules are loaded again for every suite, so the class may be another one of the same name.
  return isWatcher(watcher) ? watcher : undefined
}

function isWatcher(value: unknown): value is Watcher {
  return typeof value === 'object' && value !== null && 'follow' in value
}

export function setCurrentWatcher(watcher: Watcher): void {
  Reflect.set(globalThis, watcherName, watcher)
}
