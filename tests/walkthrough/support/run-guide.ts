import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pauseAfter } from '../../support/eventually.ts'
import { type GuidePart, type Step, shows, stepsOf } from './guide.ts'
import type { Shell } from './shell.ts'

export type Substitutions = Readonly<Record<string, string>>

const root = resolve(import.meta.dirname, '../../..')
const patienceMs = 240_000
const pauseMs = 100

/** Follows a guide, and compares the output with it. The first step that differs is the failure. */
export async function runGuide(
  guide: string,
  shell: Shell,
  substitutions: Substitutions,
  part?: GuidePart,
): Promise<void> {
  for (const step of stepsOf(readFileSync(resolve(root, guide), 'utf8'), part)) {
    const problem = await runStep(replaced(step, substitutions), shell)
    if (problem !== undefined) throw new Error(`${guide}:${step.line}: ${problem}`)
  }
}

/** The problem of a step, if it has one. */
async function runStep(step: Step, shell: Shell): Promise<string | undefined> {
  const start = performance.now()
  for (;;) {
    const triedAt = performance.now()
    const problem = await problemOf(step, shell)
    const now = performance.now()
    if (problem === undefined || !step.eventually || now - start > patienceMs) return problem
    await delay(Math.max(pauseMs, pauseAfter(now - start, now - triedAt)))
  }
}

async function problemOf({ commands, output: expected, exitCode }: Step, shell: Shell): Promise<string | undefined> {
  const ran = await shell.run(commands)
  const story = `\n$ ${commands}\n${ran.output}`
  if (ran.exitCode !== exitCode) return `ended with ${ran.exitCode} instead of ${exitCode}${story}`
  if (exitCode === 0 && ran.failed.length > 0) return `${ran.failed.join(', ')} failed${story}`
  if (expected !== undefined && !shows(ran.output, expected)) return `does not print\n${expected}\nbut${story}`
  return undefined
}

function replaced(step: Step, substitutions: Substitutions): Step {
  const replace = (text: string) =>
    Object.entries(substitutions).reduce((result, [from, to]) => result.replaceAll(from, to), text)
  return {
    ...step,
    commands: replace(step.commands),
    ...(step.output !== undefined && { output: replace(step.output) }),
  }
}
