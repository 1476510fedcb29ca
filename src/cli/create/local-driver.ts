import { ApiError } from '../../api/error.ts'
import { systemClock } from '../../base/clock.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { pause } from '../../base/pause.ts'
import type { JsonBody } from '../../client/command/api-client.ts'
import { defaultNamespace } from '../arguments/tenant-name.ts'
import {
  findInstance,
  instancePath,
  nothingToUpgrade,
  type RegisteredInstance,
  requireProject,
  unregisterTenant,
} from '../instances/registration.ts'
import { hostCluster, isPlacedOnHost } from '../local-platforms/host-cluster.ts'
import type { Session } from '../platform/session.ts'
import { isInterruption } from '../terminal/interruption.ts'
import type { DriverTools, TenantDriver, TenantOrder } from './driver.ts'

const pollMs = 100

/**
 * `tenant up` runs the virtual clusters that are placed on its own host, so it is enough to create one on the platform.
 */
export const localDriver: TenantDriver = {
  create: async (order, { progress, signal }) => {
    const { options, platform } = order
    if (platform === undefined)
      throw new Error('the driver local needs a platform: log in to the one that tenant up runs')
    const { session, project } = platform
    const registered = { project, name: options.name }
    const found = await findInstance(session, registered)
    if (found !== undefined && !options.upgrade) {
      throw new Error(
        `the virtual cluster ${options.name} exists in project ${project} already; change it with --upgrade`,
      )
    }
    if (found === undefined && options.upgrade) throw await nothingToUpgrade(session, registered)
    if (found !== undefined && !isPlacedOnHost(found.spec)) {
      throw new Error(
        `tenant up does not run ${options.name}: upgrade it where it was created, with --driver kubernetes`,
      )
    }
    if (found === undefined) await requireProject(session, project)
    progress.step(`${found === undefined ? 'Creating' : 'Changing'} ${options.name} in project ${project}`)
    if (found !== undefined) {
      await changeInstance(session, order, registered)
      if (options.wait) await untilOnline(session, registered, options.timeoutSeconds, { progress, signal })
      return
    }
    await createInstance(session, order, registered)
    if (!options.wait) return
    try {
      await untilOnline(session, registered, options.timeoutSeconds, { progress, signal })
    } catch (error) {
      await unregisterTenant(session, registered).catch(() => undefined)
      throw isInterruption(error) ? new Error('interrupted\nNothing of it is left.', { cause: error }) : error
    }
  },
}

/** The platform knows the default place, which differs for administrators and members of a project. */
function specOf({ options, text }: TenantOrder) {
  const { namespace, name } = options
  const place = namespace === defaultNamespace(name) ? {} : { namespace, virtualCluster: name }
  return { external: true, clusterRef: { cluster: hostCluster, ...place }, config: text }
}

async function createInstance(session: Session, order: TenantOrder, registered: RegisteredInstance): Promise<void> {
  const path = instancePath(session, registered)
  const body = {
    apiVersion: session.apiVersion,
    kind: 'VirtualClusterInstance',
    metadata: { name: registered.name },
    spec: specOf(order),
  }
  await session.client.ask({ method: 'POST', path: path.slice(0, path.lastIndexOf('/')), body })
}

/** Its place cannot change; fields written by others stay. */
async function changeInstance(session: Session, order: TenantOrder, registered: RegisteredInstance): Promise<void> {
  await session.client.ask({
    method: 'PATCH',
    path: instancePath(session, registered),
    body: { spec: { config: specOf(order).config } },
    contentType: 'application/merge-patch+json',
  })
}

async function untilOnline(
  session: Session,
  registered: RegisteredInstance,
  timeoutSeconds: number,
  { progress, signal }: Pick<DriverTools, 'progress' | 'signal'>,
): Promise<void> {
  progress.step(`Waiting until ${registered.name} is linked`)
  const deadlineMs = systemClock.now() + timeoutSeconds * 1000
  for (;;) {
    const instance = await findInstance(session, registered).catch(onlyRefusals)
    if (isOnline(instance)) return
    if (systemClock.now() > deadlineMs) {
      throw new Error(
        `${registered.name} was not linked within ${timeoutSeconds} s; see its Events, and whether tenant up is running`,
      )
    }
    await pause(pollMs, signal)
  }
}

/** A platform that is temporarily unavailable is asked again. */
function onlyRefusals(error: unknown): undefined {
  if (error instanceof ApiError && error.code >= 500) return undefined
  throw error
}

function isOnline(instance: JsonBody | undefined): boolean {
  return isJsonObject(instance?.status) && instance.status.online === true
}
