import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../../observability/support/world.ts'
import { group, management } from '../../platform/platform.ts'
import { eventually } from '../../support/eventually.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})

afterAll(() => world?.stop())

const type = { apiVersion: `${group}/v1`, kind: 'VirtualClusterInstance' }
const instances = `${management}/namespaces/p-default/virtualclusterinstances`
const secret = '/api/v1/namespaces/default/secrets/kept'

async function must(method: string, path: string, body?: object) {
  const answer = await world.platform.ask(method, path, { body })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

const identity = async () => {
  const { status, body } = await world.platform.ask('GET', `${world.inside}/api/v1/namespaces/kube-system`)
  expect(status).toBe(200)
  return body.metadata.uid
}

test('a new virtual cluster with the name of a deleted one does not get its data', async () => {
  const data = { password: Buffer.from('of another').toString('base64') }
  const kept = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'kept' }, data }
  await must('POST', `${world.inside}/api/v1/namespaces/default/secrets`, kept)
  const before = await identity()
  const { spec } = await must('GET', `${instances}/demo`)
  // As many as start at the same time: others have to wait.
  for (const name of ['busy-1', 'busy-2'])
    await must('POST', instances, {
      ...type,
      metadata: { name },
      spec: { external: false, clusterRef: { cluster: 'host' } },
    })
  await must('DELETE', `${instances}/demo`)
  await must('POST', instances, { ...type, metadata: { name: 'demo' }, spec })
  await eventually(async () => expect(await identity()).not.toBe(before))
  expect((await world.platform.ask('GET', `${world.inside}${secret}`)).status).toBe(404)
})
