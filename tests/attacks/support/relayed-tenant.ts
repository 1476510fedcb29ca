import { expect } from 'vitest'
import { inside, link, tenantKey } from '../../link/support.ts'
import { management, type TestPlatform, userNamed } from '../../platform/platform.ts'
import { type EchoApi, startEchoApi } from '../../proxy/echo-api.ts'
import { startReplicas } from '../../support/clusters/replicas.ts'
import { eventually } from '../../support/eventually.ts'

/** A virtual cluster `dev` that is linked to one of two replicas of a platform. */
export interface RelayedTenant {
  /** Holds the link. */
  readonly direct: TestPlatform
  /** Passes requests on to the first. */
  readonly relaying: TestPlatform
  /** Records the requests that reach the virtual cluster. */
  readonly echo: EchoApi
  /** The key of a user who administers the project. */
  readonly ann: string
  stop(): Promise<void>
}

/** Both replicas know the results of `prepare` when this returns. */
export async function startRelayedTenant(
  prepare: (direct: TestPlatform) => Promise<void> = async () => {},
): Promise<RelayedTenant> {
  const [replicas, echo] = await Promise.all([startReplicas(), startEchoApi()])
  const direct = await replicas.start()
  const relaying = await replicas.start()
  await prepare(direct)
  await direct.must('POST', `${management}/users`, userNamed('ann'))
  const spec = { members: [{ kind: 'User', name: 'ann', role: 'admin' }] }
  const type = 'application/merge-patch+json'
  await direct.ask('PATCH', `${management}/projects/default`, { body: { spec }, type })
  const ann = await direct.keyOf('ann')
  const { url, authority } = direct.server
  const linked = link({ accessKey: await tenantKey(direct, 'tenants'), url, authority, virtualApi: echo.virtualApi })
  await linked.linked()
  await eventually(async () => {
    expect((await relaying.ask('GET', `${inside('dev')}/version`, { token: ann })).status).toBe(200)
  })
  return {
    direct,
    relaying,
    echo,
    ann,
    stop: async () => {
      await linked.stop()
      await replicas.remove()
      await echo.stop()
    },
  }
}
