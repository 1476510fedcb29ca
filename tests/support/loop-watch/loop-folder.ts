import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Thread } from './thread-cpu.ts'

/** So much may a server compute before it serves its event loop again. The test of this watch has less patience. */
export const budgetMs = Number(process.env.TENANT_LOOP_BUDGET_MS ?? 2_000)

/** Before it serves for the first time, a process may load what it needs: so many times as much. */
const startFactor = 5

/** How much the owner of a beat may compute before the next, on a machine that is as fast as it should be. */
export function allowedMs({ hasServed, isOfTests }: Pick<Beat, 'hasServed' | 'isOfTests'>): number {
  return hasServed || isOfTests ? budgetMs : startFactor * budgetMs
}

/** The last sign of life of an event loop. */
export interface Beat {
  readonly thread: Thread
  /** How long its thread had been computing then. */
  readonly cpuMs: number
  /** The loop has been served since the process began. */
  readonly hasServed: boolean
  /** Runs tests, many at once: it cannot be ended for one of them. */
  readonly isOfTests: boolean
  readonly command: string
  readonly test: string
}

export interface Starved {
  readonly command: string
  readonly test: string
  readonly cpuMs: number
  readonly how: 'for a time' | 'to its end'
}

/** Where the processes of a run leave signs of life, for the one that looks after them. */
export interface LoopFolder {
  beat(beat: Beat): void
  forget(thread: Thread): void
  beats(): readonly Beat[]
  add(starved: Starved): void
  starved(): readonly Starved[]
}

/** Beside what the canary keeps. */
export function loopFolder(canaryFolder: string): LoopFolder {
  const directory = join(dirname(canaryFolder), 'loops')
  const found = join(directory, 'starved.jsonl')
  mkdirSync(directory, { recursive: true })
  const fileOf = ({ processId, threadId }: Thread) => join(directory, `${processId}-${threadId}.beat`)
  return {
    beat: (beat) => writeFileSync(fileOf(beat.thread), JSON.stringify(beat)),
    forget: (thread) => rmSync(fileOf(thread), { force: true }),
    beats: () =>
      readdirSync(directory)
        .filter((name) => name.endsWith('.beat'))
        .flatMap((name) => parsed<Beat>(join(directory, name)) ?? []),
    add: (starved) => appendFileSync(found, `${JSON.stringify(starved)}\n`),
    starved: () => (existsSync(found) ? linesOf(found).map((line): Starved => JSON.parse(line)) : []),
  }
}

/** Only this file writes what is read; one that is just being written or removed is read the next time. */
function parsed<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function linesOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
}
