import { setTimeout as sleep } from 'node:timers/promises'
import type { Subject } from '../contract.ts'
import type { Api } from '../sync/api.ts'

const patienceMs = 120_000

/** A namespace of one of the two clusters, in which the same work is done. */
export interface Place {
  readonly subject: Subject
  readonly api: Api
  readonly namespace: string
  readonly kubeconfig: string
}

export const podsPath = ({ namespace }: Place) => `/api/v1/namespaces/${namespace}/pods`
export const deploymentsPath = ({ namespace }: Place) => `/apis/apps/v1/namespaces/${namespace}/deployments`

/** Creates a Pod and waits until it is ready. */
export async function startPod(place: Place, name: string, body: object): Promise<void> {
  await place.api.send('POST', podsPath(place), body)
  await untilTrue(`${name} runs`, async () => {
    const { status } = JSON.parse(await place.api.send('GET', `${podsPath(place)}/${name}`))
    return status.phase === 'Running'
  })
}

export async function untilTrue(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`it did not happen within ${patienceMs / 1000} s that ${what}`)
    await sleep(20)
  }
}
