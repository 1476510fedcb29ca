import {
  closeSync,
  constants,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isDiskFull } from '../../base/files/disk-full.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { isMissingFile } from '../../base/files/missing-file.ts'
import { StoreLocked } from '../contract.ts'
import { livenessOf, ownIdentity, type ProcessIdentity } from './process-identity.ts'

export interface StoreLock {
  /** False once another process has taken a higher generation. */
  isHeld(): boolean
  /** Shows processes that cannot see this one that it is alive. */
  beat(): void
  release(): void
}

/** An owner in another container or on another machine is alive if its beat changes within this time. */
const silenceMs = 3_000
const lookEveryMs = 100

/** The file system settles races; each lost race means that another process has made progress. */
const maximumAttempts = 100

/**
 * One owner per directory. The lock is a file `owner.<generation>` that names its owner; the highest generation counts.
 * A process takes the lock by creating the next generation, which the file system grants to one process only, and a
 * lock is never removed before a higher one exists. So a process that judged an old owner dead, and then slept, cannot
 * displace the new one. Released locks remain as files that name no owner. An owner that is invisible from here, in
 * another container or on another machine with the same volume, gets time to show that it is alive.
 */
export async function lockDirectory(directory: string): Promise<StoreLock> {
  makeDirectory(directory)
  for (let attempt = 0; attempt < maximumAttempts; attempt++) {
    const highest = highestGeneration(directory)
    const owner = highest === 0 ? undefined : readOwner(directory, highest)
    if (owner !== undefined && (await isAlive(directory, highest, owner))) throw lockedBy(directory, owner)
    const generation = highest + 1
    if (!createLock(directory, generation)) continue
    if (highestGeneration(directory) === generation) return held(directory, generation)
    rmSync(lockPath(directory, generation), { force: true })
  }
  throw new StoreLocked(`the store in ${directory} could not be locked: other processes keep opening it`)
}

async function isAlive(directory: string, generation: number, owner: ProcessIdentity): Promise<boolean> {
  const liveness = livenessOf(owner)
  return liveness === 'unseen' ? beats(directory, generation) : liveness === 'running'
}

/** Compares contents, not timestamps: the clocks of two machines need not agree. */
async function beats(directory: string, generation: number): Promise<boolean> {
  const before = readBeat(directory, generation)
  for (let waitedMs = 0; waitedMs < silenceMs; waitedMs += lookEveryMs) {
    await delay(lookEveryMs)
    if (readBeat(directory, generation) !== before) return true
  }
  return false
}

function readBeat(directory: string, generation: number): string {
  try {
    return readFileSync(beatPath(directory, generation), 'utf8')
  } catch {
    return ''
  }
}

function held(directory: string, generation: number): StoreLock {
  for (const older of generations(directory)) {
    if (older >= generation) continue
    rmSync(lockPath(directory, older), { force: true })
    rmSync(beatPath(directory, older), { force: true })
  }
  let beats = 0
  // Reserves its disk space.
  overwrite(beatPath(directory, generation), String(beats))
  return {
    isHeld: () => highestGeneration(directory) === generation,
    beat() {
      beats += 1
      overwrite(beatPath(directory, generation), String(beats))
    },
    release() {
      try {
        const draft = `${lockPath(directory, generation)}.released`
        writeFileSync(draft, '')
        renameSync(draft, lockPath(directory, generation))
      } catch (error) {
        // The lock then names a process that has ended, which the next start detects.
        if (!isDiskFull(error)) throw error
      }
    },
  }
}

/**
 * Overwrites in place: a file that is truncated first may not get its space back on a full disk. The numbers only grow
 * longer.
 */
function overwrite(file: string, text: string): void {
  const descriptor = openSync(file, constants.O_WRONLY | constants.O_CREAT, 0o600)
  try {
    writeSync(descriptor, text, 0)
  } finally {
    closeSync(descriptor)
  }
}

function createLock(directory: string, generation: number): boolean {
  // Written separately and then linked, so that a partial lock is never read.
  const draft = join(directory, `draft.${process.pid}.${generation}`)
  try {
    writeFileSync(draft, JSON.stringify(ownIdentity()), { mode: 0o600 })
    linkSync(draft, lockPath(directory, generation))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** `undefined`: released, or removed because a higher generation exists by now. */
function readOwner(directory: string, generation: number): ProcessIdentity | undefined {
  try {
    return parseOwner(readFileSync(lockPath(directory, generation), 'utf8'))
  } catch (error) {
    if (isMissingFile(error)) return undefined
    throw error
  }
}

function parseOwner(text: string): ProcessIdentity | undefined {
  if (text === '') return undefined
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed !== 'object' || parsed === null) return undefined
  const field = (name: string): unknown => Object.getOwnPropertyDescriptor(parsed, name)?.value
  const pid = field('pid')
  if (typeof pid !== 'number') return undefined
  return {
    pid,
    startTime: String(field('startTime')),
    boot: String(field('boot')),
    namespace: String(field('namespace')),
  }
}

function lockedBy(directory: string, owner: ProcessIdentity): StoreLocked {
  if (livenessOf(owner) === 'unseen') {
    return new StoreLocked(
      `the store in ${directory} is in use by a process in another container or on another machine: stop it first, or choose another directory`,
    )
  }
  const who = owner.pid === process.pid ? 'this process' : `process ${owner.pid}`
  return new StoreLocked(
    `the store in ${directory} is in use by ${who}: stop it first (kill ${owner.pid}), or choose another directory`,
  )
}

function highestGeneration(directory: string): number {
  return Math.max(0, ...generations(directory))
}

function generations(directory: string): readonly number[] {
  return readdirSync(directory)
    .map((name) => /^owner\.([0-9]{1,15})$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
}

function lockPath(directory: string, generation: number): string {
  return join(directory, `owner.${generation}`)
}

function beatPath(directory: string, generation: number): string {
  return join(directory, `beat.${generation}`)
}
