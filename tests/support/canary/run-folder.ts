import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PlaceType } from './place.ts'

/** A value of a key where none is meant to be, or a watcher that could not look. */
export interface Finding {
  /** What was being tested. */
  readonly test: string
  readonly place: string
  readonly what: string
}

/** How much was looked at, by one thread of one process. */
export interface Counts {
  /** Times and bytes. */
  readonly looks: Readonly<Record<PlaceType, readonly [number, number]>>
  /** Values that were where they are meant to be. */
  readonly shown: number
}

/** Where the processes of a run leave what they find, for the one that reports it. */
export interface RunFolder {
  add(finding: Finding): void
  /** The last ones of the same process count. */
  keep(processName: string, counts: Counts): void
  findings(): readonly Finding[]
  counts(): readonly Counts[]
}

export function runFolder(directory: string): RunFolder {
  const findingsFile = join(directory, 'findings.jsonl')
  return {
    add: (finding) => appendFileSync(findingsFile, `${JSON.stringify(finding)}\n`),
    keep: (processName, counts) => writeFileSync(join(directory, `${processName}.counts`), JSON.stringify(counts)),
    findings: () =>
      existsSync(findingsFile) ? linesOf(findingsFile).map((line) => parsed<Finding>(line) ?? cutOff) : [],
    counts: () =>
      readdirSync(directory)
        .filter((name) => name.endsWith('.counts'))
        .flatMap((name) => parsed<Counts>(readFileSync(join(directory, name), 'utf8')) ?? []),
  }
}

/** Suites kill processes, also while they write. A finding stays one then; of counts there are enough. */
const cutOff: Finding = { test: '', place: 'a place that is not known', what: 'a finding of a process that was killed' }

/** Only this file writes what is read. */
function parsed<T>(text: string): T | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function linesOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
}
