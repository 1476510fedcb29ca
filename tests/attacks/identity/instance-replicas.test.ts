import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dial, refusedFor, registerAs } from '../../link/claims.ts'
import { stopsWithTest } from '../../link/stops-with-test.ts'
import { embedded, inside, instances, keptInMemory, link, tenantKey } from '../../link/support.ts'
import { group, type TestPlatform } from '../../platform/platform.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { type Replicas, startReplicas } from '../../support/clusters/replicas.ts'
import { eventually } from '../../support/eventually.ts'
import { missingEtcd } from '../../support/stores/etcd.ts'

const withoutEtcd = missingEtcd()

describe.skipIf(withoutEtcd)('a proof counts at every replica of the platform', () => {
  let replicas: Replicas
  let virtual: TestServer
  let one: TestPlatform
  let other: TestPlatform
  let shared = ''

  beforeAll(async () => {
    ;[replicas, virtual] = await Promise.all([startReplicas(), startTestServer()])
    one = await replicas.start()
    other = await replicas.start()
    shared = await tenantKey(one, 'shared')
    await eventually(async () => expect((await other.ask('GET', '/apis', { token: shared })).status).toBe(200))
  })

  afterAll(async () => {
    await replicas?.remove()
    await virtual?.stop()
  })

  const linkTo = (platform: TestPlatform, name: string, proofs = keptInMemory(), processName = 'tenant-0') => {
    const { url, authority } = platform.server
    const options = { name, accessKey: shared, url, authority, virtualApi: embedded(virtual) }
    return stopsWithTest(link({ ...options, proofs, processName }))
  }
  const reissue = (platform: TestPlatform, name: string) =>
    platform.must('POST', `${instances()}/${name}/reissue`, {
      apiVersion: `${group}/v1`,
      kind: 'VirtualClusterReissue',
      spec: { answer: true },
    })

  test('a proof issued by one replica is required by the other', async () => {
    await linkTo(one, 'asked').linked()
    expect(refusedFor(await dial(other, { token: shared, name: 'asked' }))).toBe('ProofMissing')
    expect(refusedFor(await registerAs(other, { token: shared, name: 'asked' }))).toBe('ProofMissing')
  })

  test('of two concurrent registrations at both replicas, one succeeds', async () => {
    const claim = { token: shared, name: 'both' }
    const [first, second] = [await registerAs(one, claim), await registerAs(other, claim)]
    const answers = await Promise.all([
      registerAs(one, { ...claim, proof: first.body.status.proof }),
      registerAs(other, { ...claim, proof: second.body.status.proof }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403])
  })

  test('a proof voided at one replica cuts the link at the other', async () => {
    const linked = linkTo(one, 'voided')
    await linked.linked()
    await reissue(other, 'voided')
    await linked.waiting('Reissued')
    await linked.waiting('ProofRefused')
  })

  test('two processes of one virtual cluster stay linked to different replicas', async () => {
    const proofs = keptInMemory()
    const first = linkTo(one, 'spread', proofs, 'spread-0')
    await first.linked()
    const second = linkTo(other, 'spread', proofs, 'spread-1')
    await second.linked()
    for (const platform of [one, other]) {
      await eventually(async () => expect((await platform.ask('GET', `${inside('spread')}/version`)).status).toBe(200))
    }
    expect([first, second].flatMap(({ states }) => states).filter(({ state }) => state === 'waiting')).toEqual([])
    await second.stop()
    await eventually(async () => {
      expect((await one.must('GET', `${instances()}/spread`)).status).toMatchObject({ online: true })
      expect((await other.ask('GET', `${inside('spread')}/version`)).status).toBe(200)
    }, 240_000)
    expect(first.state.state).toBe('linked')
  })

  test('a process that moves to another replica closes its previous link', async () => {
    const proofs = keptInMemory()
    const before = linkTo(one, 'moved', proofs)
    await before.linked()
    await eventually(async () => expect((await one.must('GET', `${instances()}/moved`)).status.online).toBe(true))
    const after = linkTo(other, 'moved', proofs)
    await after.linked()
    await before.waiting('Replaced')
  })
})
