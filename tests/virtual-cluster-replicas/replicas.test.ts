import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rotationPath } from '../../src/api/rotation.ts'
import { inside, instances } from '../link/support.ts'
import { eventually } from '../support/eventually.ts'
import { missingEtcd } from '../support/stores/etcd.ts'
import { configMaps, secrets } from '../sync/support/objects.ts'
import { openReplicaStage, type ReplicaStage, type TenantReplica, virtualName } from './stage.ts'

const missing = missingEtcd()
const path = '/api/v1/namespaces/default/configmaps'
const patienceMs = 240_000

describe.skipIf(missing !== undefined)(`three replicas of a virtual cluster on one etcd (${missing ?? 'real'})`, () => {
  let stage: ReplicaStage
  let written = 0

  beforeAll(async () => {
    stage = await openReplicaStage()
    await Promise.all(stage.replicas.map((each) => each.start()))
    await eventually(() => linkedFrom(stage.replicas), patienceMs)
  }, 2 * patienceMs)

  afterAll(() => stage?.remove())

  const replica = (index: number): TenantReplica => {
    const found = stage.replicas[index]
    if (found === undefined) throw new Error('there are three')
    return found
  }
  const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })
  const askPlatform = (index: number, method: string, inner: string, body?: object) =>
    stage.platforms[index % 2]?.ask(method, `${inside(virtualName)}${inner}`, body === undefined ? {} : { body })
  const linkStatus = async () =>
    (await stage.platforms[0]?.ask('GET', `${instances()}/${virtualName}`))?.body.status?.link

  /** According to the replicas themselves. */
  async function linkedFrom(replicas: readonly TenantReplica[]): Promise<void> {
    for (const each of replicas) expect((await each.ask('GET', '/metrics')).text).toContain('tenant_link_up 1')
  }

  /**
   * Reads and writes through both platforms until it is stopped. Returns acknowledged writes, and unexpected answers.
   */
  function keepAsking() {
    const acknowledged: string[] = []
    const failures: string[] = []
    const rounds = [0, 0]
    let isOver = false
    const ask = async (index: 0 | 1) => {
      for (; !isOver; rounds[index] = (rounds[index] ?? 0) + 1) {
        const name = `written-${written++}`
        const created = await askPlatform(index, 'POST', path, configMap(name))
        if (created?.status === 201) acknowledged.push(name)
        else failures.push(`POST ${created?.status} ${created?.text}`)
        const read = await askPlatform(index + 1, 'GET', `${path}/${name}`)
        if (read?.status !== 200) failures.push(`GET ${read?.status} ${read?.text}`)
      }
    }
    const asking = [ask(0), ask(1)]
    return {
      /** Waits until each request that was sent before has its answer. */
      answered: async () => {
        const [first = 0, second = 0] = rounds
        await eventually(() => {
          expect(rounds[0]).toBeGreaterThan(first)
          expect(rounds[1]).toBeGreaterThan(second)
        }, patienceMs)
      },
      end: async () => {
        isOver = true
        await Promise.all(asking)
        return { acknowledged, failures }
      },
    }
  }

  async function expectAllThere(names: readonly string[]): Promise<void> {
    for (const each of stage.replicas) {
      const { body } = await each.ask('GET', path)
      const there = new Set(body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name))
      expect(names.filter((name) => !there.has(name))).toEqual([])
    }
  }

  it('have one authority and one administrator, and accept the tokens of each other', async () => {
    const shared = [
      'admin.key',
      'pki/ca.crt',
      'pki/ca.key',
      'pki/virtual/client-ca.crt',
      'pki/virtual/front-proxy-ca.key',
    ]
    for (const name of shared) {
      const texts = stage.replicas.map(({ file }) => readFileSync(file(name), 'utf8'))
      expect(new Set(texts).size, name).toBe(1)
    }
    expect((await replica(0).ask('POST', path, { body: configMap('at-one') })).status).toBe(201)
    expect((await replica(2).ask('GET', `${path}/at-one`)).status).toBe(200)
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
    const account = '/api/v1/namespaces/default/serviceaccounts/default'
    const { token } = (await replica(0).ask('POST', `${account}/token`, { body: request })).body.status
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
    for (const index of [1, 2]) {
      const answer = await replica(index).ask('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
        body: review,
        token,
      })
      expect(answer.body.status?.userInfo?.username).toBe('system:serviceaccount:default:default')
    }
  })

  it(
    'are replaced one after the other without a failed request, at either replica of the platform',
    async () => {
      const asking = keepAsking()
      for (const each of stage.replicas) {
        each.program.signal('SIGTERM')
        await eventually(async () => {
          const { process: linked, leaving } = await linkStatus()
          expect({ linked, leaving }).not.toMatchObject({ linked: each.processName })
          expect((await each.ask('GET', '/readyz')).status).toBe(500)
        }, patienceMs)
        await asking.answered()
        expect(each.program.end).toBeUndefined()
        // The second signal ends it at once, whatever it is doing.
        each.program.signal('SIGTERM')
        await each.program.ended
        await each.start()
        await eventually(() => linkedFrom([each]), patienceMs)
      }
      const { acknowledged, failures } = await asking.end()
      expect(failures).toEqual([])
      expect(acknowledged.length).toBeGreaterThan(0)
      await expectAllThere(acknowledged)
    },
    4 * patienceMs,
  )

  it(
    'continue the link and the sync without losing an acknowledged write, whichever is killed',
    async () => {
      for (const each of stage.replicas) {
        const asking = keepAsking()
        await each.program.kill()
        await eventually(async () => {
          for (const index of [0, 1]) expect((await askPlatform(index, 'GET', path))?.status).toBe(200)
        }, patienceMs)
        const { acknowledged } = await asking.end()
        await each.start()
        await eventually(() => linkedFrom([each]), patienceMs)
        await expectAllThere(acknowledged)
      }
      expect((await askPlatform(0, 'POST', path, configMap('after-all')))?.status).toBe(201)
      await eventually(async () => {
        const copies = await stage.host.client.list(configMaps, stage.hostNamespace)
        const names = copies.map(({ metadata }) => metadata.annotations?.['tenant.internal/object-name'])
        expect(names).toContain('after-all')
      }, patienceMs)
    },
    8 * patienceMs,
  )

  it(
    'have the same new authority when it is replaced, even one that was down',
    async () => {
      const away = replica(2)
      await away.program.kill()
      const before = readFileSync(replica(0).file('pki/ca.key'), 'utf8')
      const answer = await replica(1).ask('POST', `${rotationPath}?part=authority&part=service-account-keys`)
      expect(answer.body.parts).toEqual({ authority: 'replaced', 'service-account-keys': 'replaced' })
      await away.start()
      await eventually(async () => {
        const keys = stage.replicas.map(({ file }) => readFileSync(file('pki/ca.key'), 'utf8'))
        expect(keys).not.toContain(before)
        expect(new Set(keys).size).toBe(1)
      }, patienceMs)
      for (const index of [0, 1, 2]) expect((await replica(index).ask('GET', path)).status).toBe(200)
    },
    2 * patienceMs,
  )

  it('share their state with a replica that is added later', async () => {
    const [secret] = (await stage.host.client.list(secrets, stage.hostNamespace)).filter(
      ({ metadata }) => metadata.name === `tenant-${virtualName}-pki`,
    )
    expect(Object.keys(Object(secret?.data)).toSorted()).toEqual([
      'admin.key',
      'ca.crt',
      'ca.key',
      'client-ca.crt',
      'client-ca.key',
      'front-proxy-ca.crt',
      'front-proxy-ca.key',
    ])
  })
})
