import { isMainThread } from 'node:worker_threads'

/** Loaded first in every Node process that a suite starts, but not in its worker threads. */
if (isMainThread) {
  await import('../programs/optimize-late.ts')
  await import('../rsa-keys/setup.ts')
  await import('../loop-watch/watch-server-process.ts')
  await import('./watch-this-process.ts')
}
