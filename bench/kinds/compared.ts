import type { Row } from '../contract.ts'
import { clients } from '../load/clients.ts'
import { atLeast, inRounds, subjectsOf } from '../rounds.ts'
import type { ScenarioInput } from '../scenarios/contract.ts'
import { loadRows } from '../scenarios/load-rows.ts'
import { deleteLabeled } from '../scenarios/populate.ts'
import { deployment, deploymentsPath } from './deployment.ts'
import { pod, podsPath } from './pod.ts'
import { create, read } from './requests.ts'

const deployments = { warmUp: 500, measured: 500 }
const podCount = 5_000
const warmUpMs = 1_500

/** Ours and kube-apiserver, without controllers: nothing acts on the Deployments. */
export async function postDeployments({ subjects, options }: ScenarioInput): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const client of clients) {
    const run = (count: number) => async (subject: Parameters<typeof create>[0]) => {
      const result = await create(subject, client, { collection: deploymentsPath, bodyAt: deployment, count })
      await deleteLabeled(subject, 'created=now', deploymentsPath)
      return result
    }
    await inRounds(subjects, 1, run(deployments.warmUp))
    const rounds = await inRounds(subjects, options.rounds, run(deployments.measured))
    rows.push(...loadRows(`POST, a Deployment of 10 KB, ${client.name}`, rounds, atLeast(2)))
  }
  return rows
}

export async function listPods({ subjects, options }: ScenarioInput): Promise<readonly Row[]> {
  const [filler] = clients
  if (filler === undefined) return []
  for (const subject of subjectsOf(subjects)) {
    await create(subject, filler, { collection: podsPath, bodyAt: pod, count: podCount })
  }
  const rows: Row[] = []
  for (const client of clients) {
    const run = (durationMs: number) => (subject: Parameters<typeof read>[0]) =>
      read(subject, client, () => podsPath, durationMs)
    await inRounds(subjects, 1, run(warmUpMs))
    const rounds = await inRounds(subjects, options.rounds, run(options.roundMs))
    rows.push(...loadRows(`LIST 5,000 Pods, ${client.name}`, rounds, atLeast(8)))
  }
  return rows
}
