import { chooseDriverName, suggestingLocalDriver } from '../create/choose-driver.ts'
import { etcdAccessOf } from '../create/manifests/etcd-store.ts'
import { recordedConfig } from '../create/recorded-config.ts'
import { revokeRecordedKey } from '../create/tenant-key.ts'
import { type DeployRecord, readApplyRecord } from '../create/tenant-record.ts'
import { onHost } from '../host/host-cluster.ts'
import { findInstance, unregisterRecorded, unregisterTenant } from '../instances/registration.ts'
import { isPlacedOnHost } from '../local-platforms/host-cluster.ts'
import { say, warn } from '../output/messages.ts'
import { createProgress } from '../output/progress.ts'
import { onPlatformIfKnown, type Session } from '../platform/session.ts'
import { missingVirtualCluster } from '../project/missing-project.ts'
import { chooseProject } from '../project/project.ts'
import { confirmOrStop } from '../terminal/confirm.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { DeleteCommandOptions } from './options.ts'
import { countedKinds, remainingObjects } from './remaining-objects.ts'
import { undeploy } from './undeploy.ts'

export function deleteTenant(options: DeleteCommandOptions, terminal: Terminal): Promise<void> {
  return onPlatformIfKnown(options, terminal, async (session) => {
    const driver = await chooseDriverName(options.driver, session, terminal)
    if (driver === 'kubernetes') {
      return suggestingLocalDriver({ ...options, session }, terminal, () => deleteFromHost(options, session, terminal))
    }
    if (session === undefined)
      throw new Error('the driver local needs a platform: log in to the one that tenant up runs')
    return deleteFromPlatform(options, session, terminal)
  })
}

async function deleteFromHost(
  options: DeleteCommandOptions,
  session: Session | undefined,
  terminal: Terminal,
): Promise<void> {
  const { name, namespace, keepData } = options
  const left = await onHost(options, terminal, async ({ client: host }) => {
    const record = await readApplyRecord(host, options)
    if (record === undefined)
      throw new Error(`there is no virtual cluster ${name} in namespace ${namespace} of ${host.origin}`)
    const there = await remainingObjects(host, { tenant: options, record, keepData })
    await requirePlatform(options, record, session, terminal)
    say(terminal, `On the host, ${name} consists of: ${countedKinds(there)}.`)
    await ask(options, `Delete the virtual cluster ${name} in namespace ${namespace} of ${host.origin}`, terminal)
    const progress = await createProgress(terminal)
    const prefix = prefixInEtcd(options, record)
    try {
      const still = await undeploy(host, options, record, { progress, keepData })
      for (const each of still) warn(terminal, `left alone: ${each}`)
      await forget(options, record, session, terminal)
      if (prefix !== undefined) warn(terminal, `not deleted: its data in etcd, under ${prefix}`)
      return still
    } finally {
      progress.stop()
    }
  })
  const isClean = left.length === 0 && !keepData
  say(terminal, `${name} is deleted${isClean ? ', and nothing of it is left on the host' : ''}.`)
}

function prefixInEtcd({ name, namespace }: DeleteCommandOptions, { manifests }: DeployRecord): string | undefined {
  const config = recordedConfig(name, manifests)
  return config && etcdAccessOf({ name, namespace, config })?.prefix
}

/** Once the host has forgotten the virtual cluster, its registration and key could not be found again. */
async function requirePlatform(
  { name }: DeleteCommandOptions,
  record: DeployRecord,
  session: Session | undefined,
  terminal: Terminal,
): Promise<void> {
  if (record.project === undefined || !isOfPlatform(record, session)) return
  try {
    await findInstance(session, { project: record.project, name })
  } catch (error) {
    say(
      terminal,
      `Nothing was deleted, because the platform would keep the registration and the access key of ${name}. To delete the rest without it, log out first: tenant platform logout ${session.platform.name}`,
    )
    throw error
  }
}

function isOfPlatform({ key }: DeployRecord, session: Session | undefined): session is Session {
  return session !== undefined && (key === undefined || key.platform === session.platform.name)
}

/** Removes what the platform knows about it. A user who is not logged in is told what is left. */
async function forget(
  { name, namespace }: DeleteCommandOptions,
  record: DeployRecord,
  session: Session | undefined,
  terminal: Terminal,
): Promise<void> {
  const { key, project } = record
  if (project === undefined) return
  if (!isOfPlatform(record, session)) {
    return warn(
      terminal,
      `log in to the platform to remove ${name} from project ${project}${key ? ` and the access key ${key.name}` : ''}`,
    )
  }
  const registered = { project, name }
  if (!(await unregisterRecorded(session, { ...registered, namespace })))
    warn(terminal, `left alone: ${name} of project ${project}, which is another virtual cluster than the deleted one`)
  if (key !== undefined && !(await revokeRecordedKey(session, key, registered)))
    warn(terminal, `left alone: the access key ${key.name}, which is not limited to ${name} of project ${project}`)
}

async function deleteFromPlatform(options: DeleteCommandOptions, session: Session, terminal: Terminal): Promise<void> {
  const { name } = options
  const project = chooseProject(options.project, session)
  const found = await findInstance(session, { project, name })
  if (found === undefined) throw await missingVirtualCluster(session, project, name)
  if (options.driver === undefined && !isPlacedOnHost(found.spec)) {
    throw new Error(
      `tenant up does not run ${name}: delete it where it was created, with --driver kubernetes, or its registration alone, with --driver local`,
    )
  }
  await ask(options, `Delete the virtual cluster ${name} of project ${project}`, terminal)
  await unregisterTenant(session, { project, name })
  say(terminal, `${name} is deleted.`)
}

async function ask({ yes, keepData }: DeleteCommandOptions, what: string, terminal: Terminal): Promise<void> {
  if (yes) return
  const question = `${what}${keepData ? '' : ', with all its data'}?`
  await confirmOrStop(terminal, { question, purpose: 'delete it', refusal: 'nothing was deleted' })
}
