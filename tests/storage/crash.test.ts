import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Store, type StoreChange, StoreLocked } from '../../src/storage/contract.ts'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { type CompiledModule, compiled } from '../support/programs/compiled.ts'
import { type Acknowledged, isWhole } from './crash-record.ts'
import { bytes, failure, takeChanges, text, written } from './helpers.ts'

const rounds = Number(process.env.CRASH_ROUNDS ?? 10)

describe('lmdb store and kill -9', () => {
  let writer: CompiledModule
  let fullDiskWriter: CompiledModule
  let directory: string
  let children: Child[] = []
  beforeAll(async () => {
    writer = await compiled('tests/storage/crash-writer.ts')
    fullDiskWriter = await compiled('tests/storage/full-disk-writer.ts')
  })
  afterAll(async () => {
    await writer?.remove()
    await fullDiskWriter?.remove()
  })
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenant-crash-'))
  })
  afterEach(async () => {
    await Promise.all(children.map((child) => child.kill()))
    children = []
    await rm(directory, { recursive: true })
  })

  function startWriter(round: number): Child {
    const child = new Child(spawn(process.execPath, [writer.file, directory, String(round)], { stdio: 'pipe' }))
    children.push(child)
    return child
  }

  test(
    `keeps every acknowledged write through ${rounds} kills under concurrent writes`,
    async () => {
      let seen = 0
      let state: ReadonlyMap<string, string> = new Map()
      for (let round = 0; round < rounds; round++) {
        const child = startWriter(round)
        expect(await child.firstLine()).toBe('ready')
        await child.untilAcknowledged((round * 3) % 10)
        await child.kill()
        const store = await openLmdbStore({ directory })
        const acknowledged = child.acknowledged()
        const current = await store.currentRevision()
        expect(current).toBeGreaterThanOrEqual(Math.max(seen, ...acknowledged.map(({ revision }) => revision)))
        const changes = current === seen ? [] : await takeChanges(store, '/', seen, current - seen)
        expect(changes.map(({ revision }) => revision)).toEqual(revisionsBetween(seen, current))
        expectTold(changes, acknowledged)
        state = applied(state, changes)
        expect(await stateOf(store)).toEqual(state)
        await store.close()
        seen = current
      }
      expect(seen).toBeGreaterThan(rounds)
    },
    60_000 + rounds * 3_000,
  )

  test('a second process gets the owner of the store, and opens it once that one is killed', async () => {
    const child = startWriter(0)
    expect(await child.firstLine()).toBe('ready')
    const error = await failure(openLmdbStore({ directory }))
    expect(error).toBeInstanceOf(StoreLocked)
    for (const part of [directory, `process ${child.pid}`, 'stop it first']) {
      expect(error).toMatchObject({ message: expect.stringContaining(part) })
    }
    await child.kill()
    const store = await openLmdbStore({ directory })
    await written(store.create('/after', bytes('x')))
    await store.close()
  })

  test('of many processes that find a stale lock, exactly one gets the store', async () => {
    const first = startWriter(0)
    expect(await first.firstLine()).toBe('ready')
    await first.kill()
    const contenders = Array.from({ length: 5 }, (_, index) => startWriter(index + 1))
    const lines = await Promise.all(contenders.map((child) => child.firstLine()))
    expect(lines.filter((line) => line === 'ready')).toHaveLength(1)
    expect(lines.filter((line) => line.startsWith('failed StoreLocked'))).toHaveLength(4)
  })

  test('a commit that the disk refuses is not applied in part, and the store must be reopened', async () => {
    const command = `ulimit -f 8000 && exec "${process.execPath}" "${fullDiskWriter.file}" "${directory}"`
    const child = new Child(spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] }))
    children.push(child)
    const lines = await child.allLines()
    const told = (outcome: string) =>
      lines.filter((each) => each.startsWith(`${outcome} `)).map((each) => each.slice(outcome.length + 1))
    expect(told('StoreUnavailable')).toHaveLength(4)
    expect(lines.at(-1)).toBe('closed')
    expect(told('StoreUnavailable')).toContain('/small')
    expect(told('written').length).toBeGreaterThan(0)
    const store = await openLmdbStore({ directory })
    expect([...(await stateOf(store)).keys()].sort()).toEqual(told('written').sort())
    await store.close()
  })
})

class Child {
  readonly #process: ChildProcess
  readonly #ended: Promise<unknown>
  #output = ''

  constructor(process: ChildProcess) {
    this.#process = process
    this.#ended = new Promise((resolve) => process.once('close', resolve))
    process.stdout?.on('data', (chunk: Buffer) => {
      this.#output += chunk.toString()
    })
    process.stderr?.on('data', (chunk: Buffer) => {
      this.#output += `stderr ${chunk.toString()}`
    })
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  async firstLine(): Promise<string> {
    while (!this.#output.includes('\n')) {
      if (this.#process.exitCode !== null) throw new Error('the writer ended without a word')
      await delay(2)
    }
    return this.#output.slice(0, this.#output.indexOf('\n'))
  }

  async untilAcknowledged(writes: number): Promise<void> {
    while (this.#output.split('\nacknowledged ').length - 1 < writes) {
      if (this.#process.exitCode !== null) throw new Error(`the writer ended after ${this.#output}`)
      await delay(2)
    }
  }

  async allLines(): Promise<readonly string[]> {
    await this.#ended
    return this.#output.trimEnd().split('\n')
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#ended
  }

  /** The last line may be truncated: then it was not reported. */
  acknowledged(): readonly Acknowledged[] {
    const lines = this.#output.split('\n').slice(0, -1)
    const unexpected = lines.filter((line) => line !== 'ready' && !line.startsWith('acknowledged '))
    expect(unexpected).toEqual([])
    return lines.slice(1).map((line) => JSON.parse(line.slice('acknowledged '.length)))
  }
}

function expectTold(changes: readonly StoreChange[], acknowledged: readonly Acknowledged[]): void {
  const told = new Map(changes.map((change) => [change.revision, change]))
  for (const write of acknowledged) {
    expect(told.get(write.revision)).toMatchObject({ key: write.key, type: write.type })
    if (write.type !== 'deleted') expect(text(told.get(write.revision)?.value)).toBe(write.value)
  }
}

function applied(state: ReadonlyMap<string, string>, changes: readonly StoreChange[]): ReadonlyMap<string, string> {
  const next = new Map(state)
  for (const change of changes) {
    const value = text(change.value) ?? ''
    expect(isWhole(value)).toBe(true)
    expect(next.has(change.key)).toBe(change.type !== 'created')
    if (change.type === 'deleted') next.delete(change.key)
    else next.set(change.key, value)
  }
  return next
}

async function stateOf(store: Store): Promise<ReadonlyMap<string, string>> {
  const { items } = await store.list('/')
  return new Map(items.map((item) => [item.key, text(item.value) ?? '']))
}

function revisionsBetween(after: number, last: number): number[] {
  return Array.from({ length: last - after }, (_, index) => after + index + 1)
}
