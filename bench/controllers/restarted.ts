import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Subject } from '../contract.ts'
import { populate, revisionOf, untilTrue, withApi } from './scenarios.ts'
import { launchEngine } from './subjects.ts'

export interface Restarted {
  /** From the start of the process until every Deployment and ReplicaSet was reconciled, and the queues are empty. */
  readonly inStepMs: number
  /** Since before the server was stopped. */
  readonly writes: number
}

/** A start with existing Deployments of ten Pods each that are up to date. */
export async function restarted(directory: string, deployments: number, restSeconds: number): Promise<Restarted> {
  const home = mkdtempSync(join(directory, 'restarted-'))
  const first = await launchEngine(directory, { home })()
  await populate(first, { deployments, podsEach: 10, namespaces: 10 })
  const before = await restingRevision(first)
  await first.stop()
  const startedAt = performance.now()
  const second = await launchEngine(directory, { home })()
  const inStepMs = await lookedAtAll(second, deployments, startedAt)
  await delay(restSeconds * 1_000)
  const writes = (await withApi(second, revisionOf)) - before
  await second.stop()
  return { inStepMs, writes }
}

/** The revision after two seconds without writes. */
function restingRevision(subject: Subject): Promise<number> {
  return withApi(subject, async (api) => {
    for (let before = -1; ; ) {
      const now = await revisionOf(api)
      if (now === before) return now
      before = now
      await delay(2_000)
    }
  })
}

const looks =
  /^controller_runtime_reconcile_total\{controller="(?:deployment|replicaset)-controller",result="\w+"\} (\d+)$/gm
const waiting = /^workqueue_depth\{name="[^"]+"\} (\d+)$/gm

function lookedAtAll(subject: Subject, deployments: number, startedAt: number): Promise<number> {
  return withApi(subject, async (api) => {
    await untilTrue(async () => {
      const text = await api.send('GET', '/metrics')
      return sumOf(text, looks) >= 2 * deployments && sumOf(text, waiting) === 0
    }, 20)
    return performance.now() - startedAt
  })
}

function sumOf(text: string, numbers: RegExp): number {
  return [...text.matchAll(numbers)].reduce((sum, [, number]) => sum + Number(number), 0)
}
