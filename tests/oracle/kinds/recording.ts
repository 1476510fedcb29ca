import { readFileSync } from 'node:fs'
import { parsedLines } from '../../support/network/call.ts'
import type { Routes } from './scripted-hooks.ts'

/** One recorded request. `${name}` in texts stands for a value saved from an earlier answer of the story. */
export interface Step {
  readonly id: string
  readonly prio: 'P0' | 'P1' | 'P2'
  /** Its answer is not compared. */
  readonly prep?: boolean
  /** Its story runs alone. */
  readonly solo?: boolean
  readonly method: string
  readonly path: string
  readonly as?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly sleep?: number
  /** Repeated until it is answered so: a status, or values at paths, `@set` for any. */
  readonly until?: number | Readonly<Record<string, unknown>>
  readonly within?: number
  readonly save?: Readonly<Record<string, string>>
  /** The compared part of the body: one value, or an object of values by path. */
  readonly pick?: string | readonly string[]
  readonly sortPick?: boolean
  readonly drop?: readonly string[]
  readonly sorted?: readonly string[]
  /** Which of these values are in the list at a path. */
  readonly contains?: readonly [string, readonly unknown[]]
  readonly grep?: readonly string[]
  /** Holds a watch of this many lines open under a name, and later compares them. */
  readonly live?: string
  readonly watch?: number
  readonly collect?: string
  /** Answers of webhooks and of an aggregated server from here on. */
  readonly serve?: Routes
  /** The requests to them since then that have these values. */
  readonly calls?: true
  readonly match?: Readonly<Record<string, unknown>>
  /** The name of a saved object that is sent, with other values at these paths. */
  readonly from?: string
  readonly set?: Readonly<Record<string, unknown>>
}

export interface Answer {
  readonly id: string
  readonly status: number
  readonly headers?: Readonly<Record<string, unknown>>
  readonly auditId?: boolean
  readonly body?: unknown
}

export interface Story {
  readonly name: string
  readonly steps: readonly Step[]
}

export const answers: ReadonlyMap<string, Answer> = new Map(
  lines<Answer>('answers.jsonl').map((answer) => [answer.id, answer]),
)

export const stories: readonly Story[] = grouped(lines<Step>('steps.jsonl'))

function grouped(steps: readonly Step[]): readonly Story[] {
  const byName = new Map<string, Step[]>()
  for (const step of steps) {
    const name = step.id.slice(0, step.id.indexOf('-'))
    const story = byName.get(name)
    if (story === undefined) byName.set(name, [step])
    else story.push(step)
  }
  return [...byName].map(([name, steps]) => ({ name, steps }))
}

function lines<T>(file: string): T[] {
  return parsedLines(readFileSync(new URL(`../data/kinds/${file}`, import.meta.url), 'utf8'))
}
