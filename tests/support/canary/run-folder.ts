import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
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
      namesIn(directory).includes('findings.jsonl')
        ? linesOf(readFileSync(findingsFile, 'utf8')).map((line) => JSON.parse(line))
        : [],
    counts: () =>
      namesIn(directory)
        .filter((name) => name.endsWith('.counts'))
        .map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8'))),
  }
}

function namesIn(directory: string): readonly string[] {
  return readdirSync(directory)
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '')
}
