import { isMainThread } from 'node:worker_threads'

/** Loaded first in every Node process that a suite starts. Threads of the product are none of them. */
if (isMainThread) {
  await import('../optimize-late.ts')
  await import('../rsa-keys/setup.ts')
  await import('../loop-watch/watch-server-process.ts')
  await import('./watch-this-process.ts')
}
