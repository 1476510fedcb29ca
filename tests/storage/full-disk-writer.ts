import { writeSync } from 'node:fs'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'

/** Runs where the size of files is limited: writes until there is no more room, tries once more, and closes. */
const [, , directory = ''] = process.argv
const store = await openLmdbStore({ directory })
const value = Buffer.alloc(100_000, 'x')

for (let batch = 0; await writeBatch(batch); batch++);
await tellOutcome('/small', store.create('/small', Buffer.from('x')))
await store.close()
tell('closed')

async function writeBatch(batch: number): Promise<boolean> {
  const keys = [0, 1, 2].map((index) => `/${batch}-${index}`)
  const outcomes = await Promise.all(keys.map((key) => tellOutcome(key, store.create(key, value))))
  return outcomes.every((outcome) => outcome === 'written')
}

async function tellOutcome(key: string, write: Promise<{ readonly outcome: string }>): Promise<string> {
  const outcome = await write.then(
    (result) => result.outcome,
    (error: Error) => error.name,
  )
  tell(`${outcome} ${key}`)
  return outcome
}

function tell(line: string): void {
  writeSync(1, `${line}\n`)
}
