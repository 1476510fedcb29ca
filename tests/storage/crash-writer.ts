import { writeSync } from 'node:fs'
import type { Store } from '../../src/storage/contract.ts'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { type Acknowledged, sealed } from './crash-record.ts'

/**
 * The process that is killed. It opens the store and writes from many places at once; each acknowledged write is
 * reported on standard output before the next one of the same place begins.
 */
const [, , directory = '', round = '0'] = process.argv
const writers = 8
const keysPerWriter = 5

try {
  const store = await openLmdbStore({ directory })
  const start = await store.currentRevision()
  tell('ready')
  await Promise.all([
    compactSlowly(store, start),
    ...Array.from({ length: writers }, (_, index) => writeForever(store, index)),
  ])
} catch (error) {
  tell(`failed ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`)
  process.exitCode = 1
}

async function writeForever(store: Store, writer: number): Promise<void> {
  for (let count = 0; ; count++) {
    const key = `/writer-${writer}/${count % keysPerWriter}`
    const value = sealed(`${round}-${writer}-${count}`)
    const current = await store.get(key)
    if (current === undefined) await told(key, 'created', value, store.create(key, Buffer.from(value)))
    else if (count % 7 === 0) await told(key, 'deleted', '', store.delete(key, current.revision))
    else await told(key, 'updated', value, store.update(key, Buffer.from(value), current.revision))
  }
}

async function told(
  key: string,
  type: Acknowledged['type'],
  value: string,
  result: ReturnType<Store['create']>,
): Promise<void> {
  const outcome = await result
  if (outcome.outcome === 'conflict') throw new Error(`${key} changed, but this process is its only writer`)
  tell(`acknowledged ${JSON.stringify({ revision: outcome.revision, key, type, value })}`)
}

/** Slow enough that some processes are killed while history is deleted, but never the history since the last round. */
async function compactSlowly(store: Store, upTo: number): Promise<void> {
  for (let revision = await store.compactedRevision(); revision < upTo; revision += 50) {
    await store.compact(Math.min(revision + 50, upTo))
  }
}

function tell(line: string): void {
  writeSync(1, `${line}\n`)
}
