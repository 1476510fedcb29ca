import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Thread } from './thread-cpu.ts'

/** How long a server may compute before it serves its event loop again. The test of this watch sets less. */
export const budgetMs = Number(process.env.TENANT_LOOP_BUDGET_MS ?? 2_000)

/** Before it first serves its loop, a process may load its program: this many times as much. */
const startFactor = 5

/** How much the owner of a beat may compute before the next one, on a machine of the usual speed. */
export function allowedMs({ hasServed, isOfTests }: Pick<Beat, 'hasServed' | 'isOfTests'>): number {
  return hasServed || isOfTests ? budgetMs : startFactor * budgetMs
}

/** The last sign of life of an event loop. */
export interface Beat {
  readonly thread: Thread
  /** The processor time of its thread at that moment. */
  readonly cpuMs: number
  /** Whether the loop has been served since the process began. */
  readonly hasServed: boolean
  /** Whether it runs tests, many at once: it cannot be ended for one of them. */
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

/** The folder in which the processes of a run leave signs of life, for the process that watches them. */
export interface LoopFolder {
  beat(beat: Beat): void
  forget(thread: Thread): void
  beats(): readonly Beat[]
  add(starved: Starved): void
  starved(): readonly Starved[]
}

/** Beside the folder of the canary. */
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

/** Only this file writes these files; a file that is being written or deleted is read the next time. */
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
