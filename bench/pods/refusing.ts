import type { Row } from '../contract.ts'
import { atMost } from '../rounds.ts'
import { quantile, sortedNumbers } from '../statistics.ts'
import { greedyPod } from './objects.ts'
import { type Place, podsPath, untilTrue } from './place.ts'

const count = 30
const wantedMs = 1_000

/** From the creation of a Pod that limits of the host refuse until the virtual Pod reports it in a condition. */
export async function measureRefusals(virtual: Place, host: Place): Promise<Row> {
  const limits = `/api/v1/namespaces/${host.namespace}/limitranges`
  const spec = { limits: [{ type: 'Container', max: { cpu: '1' } }] }
  await host.api.send('POST', limits, { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'small' }, spec })
  const told = new Map<string, number>()
  const stop = await virtual.api.watchAt(podsPath(virtual), ({ metadata, status }) => {
    if (JSON.stringify(status).includes('RefusedByHost') && !told.has(metadata.name)) {
      told.set(metadata.name, performance.now())
    }
  })
  const delays: number[] = []
  for (let index = 0; index < count; index++) {
    const name = `greedy-${index}`
    const startedAt = performance.now()
    await virtual.api.send('POST', podsPath(virtual), greedyPod(name))
    await untilTrue(`${name} is refused`, async () => told.has(name))
    delays.push((told.get(name) ?? Number.NaN) - startedAt)
    await virtual.api.send('DELETE', `${podsPath(virtual)}/${name}`)
  }
  stop()
  await host.api.send('DELETE', `${limits}/small`)
  const ours = quantile(sortedNumbers(delays), 0.99)
  return {
    scenario: `a Pod that the host refuses says why, p99, of ${wantedMs} ms`,
    unit: 'ms',
    ours,
    peer: undefined,
    ratio: ours / wantedMs,
    target: atMost(1),
  }
}
