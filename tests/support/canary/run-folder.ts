import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PlaceType } from './place.ts'

/** A value of a key in a forbidden place, or a watcher that failed. */
export interface Finding {
  /** The title of the running test. */
  readonly test: string
  readonly place: string
  readonly what: string
}

/** The amount of searched data, by one thread of one process. */
export interface Counts {
  /** Numbers of searches and bytes. */
  readonly looks: Readonly<Record<PlaceType, readonly [number, number]>>
  /** Values in allowed places. */
  readonly shown: number
}

/** The folder in which the processes of a run leave their findings for the report. */
export interface RunFolder {
  add(finding: Finding): void
  /** The last counts of a process replace its earlier ones. */
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

/** Suites kill processes, even while they write. A truncated finding still counts; truncated counts do not matter. */
const cutOff: Finding = { test: '', place: 'a place that is not known', what: 'a finding of a process that was killed' }

/** Only this file writes these files. */
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
