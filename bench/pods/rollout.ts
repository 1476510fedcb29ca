import type { Round, Row } from '../contract.ts'
import { atMost, comparedRow } from '../rounds.ts'
import { deployment } from './objects.ts'
import { deploymentsPath, type Place, podsPath, untilTrue } from './place.ts'

const replicas = 20

/**
 * From the creation of a Deployment until all of its Pods are available, in the virtual cluster and on the host itself.
 */
export async function measureRollouts({ ours, peer }: Round<Place>, count: number): Promise<Row> {
  if (peer === undefined) throw new Error('there is no host to compare with')
  const rounds: Round<number>[] = []
  for (let round = 0; round < count; round++) {
    rounds.push({ ours: await rollOut(ours, `ours-${round}`), peer: await rollOut(peer, `peer-${round}`) })
  }
  const name = { scenario: `a Deployment of ${replicas} Pods, from creation to Available`, unit: 's' }
  return comparedRow(name, rounds, (seconds) => seconds, atMost(1.25))
}

async function rollOut(place: Place, name: string): Promise<number> {
  let done = () => {}
  const available = new Promise<void>((resolve) => {
    done = resolve
  })
  const stop = await place.api.watchAt(deploymentsPath(place), ({ metadata, status }) => {
    const { availableReplicas = 0 } = status as { availableReplicas?: number }
    if (metadata.name === name && availableReplicas === replicas) done()
  })
  const startedAt = performance.now()
  await place.api.send('POST', deploymentsPath(place), deployment(name, replicas))
  await available
  const seconds = (performance.now() - startedAt) / 1000
  stop()
  await place.api.send('DELETE', `${deploymentsPath(place)}/${name}`)
  await untilTrue('the Pods are gone', async () => {
    const list = JSON.parse(await place.api.send('GET', `${podsPath(place)}?labelSelector=app%3D${name}`))
    return list.items.length === 0
  })
  return seconds
}
