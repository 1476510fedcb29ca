import { ApiError, isRefusal } from '../../api/error.ts'
import { apiVersionOf, type KubeObject } from '../../api/object.ts'
import { completeEnding } from '../../backup/backup-files.ts'
import { BackupRefused } from '../../backup/backup-refused.ts'
import { openPlace } from '../../backup/places/open-place.ts'
import {
  type ChosenObject,
  ChosenObjects,
  parseObjectChoice,
  type RestoreChoice,
} from '../../backup/plan/chosen-objects.ts'
import { byNeed, restoredObject } from '../../backup/plan/restored-object.ts'
import { verifyBackup } from '../../backup/verify-backup.ts'
import { systemClock } from '../../base/clock.ts'
import { silentLog } from '../../base/log.ts'
import { packageVersion } from '../../base/package-version.ts'
import { systemRandom } from '../../base/random.ts'
import { UsageError } from '../../base/usage-error.ts'
import type { KubeClient, ResourceType } from '../../client/contract.ts'
import { createKubeClient } from '../../client/kube-client.ts'
import { say, warn } from '../output/messages.ts'
import { print } from '../output/print.ts'
import { ReportedFailure } from '../reported-failure.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { readKeyFile } from './key-file.ts'
import type { RestoreBackupOptions } from './options.ts'
import { backupTarget } from './target.ts'
import { requirePartSource } from './wanted-source.ts'

/** Recreates objects of a backup in a running cluster, with the caller's rights. Existing objects stay unchanged. */
export async function restoreObjects(options: RestoreBackupOptions, terminal: Terminal): Promise<void> {
  const choice = choiceOf(options)
  const keyring = await readKeyFile(options.key, terminal)
  const { access } = await backupTarget(options, terminal)
  const place = await openPlace(options.from, terminal.env)
  const client = createKubeClient({
    access,
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    userAgent: `tenant/${packageVersion()}`,
    env: terminal.env,
    takesLargeIntegers: true,
  })
  try {
    const chosen = new ChosenObjects(choice)
    const bytes = place.read(options.name + completeEnding)
    const { header } = await verifyBackup(options.name, bytes, keyring, (entry) => chosen.add(entry))
    if (chosen.objects.length === 0) throw new BackupRefused(`${options.name} holds no such namespace or object`)
    requirePartSource(options.name, header.source, options)
    if (options.anotherCluster !== true) await requireSameCluster(client, header.source.uid, options.name)
    await makeAll(chosen, client, terminal)
  } finally {
    place.close()
    await client.close()
  }
}

function choiceOf({ namespace, object }: RestoreBackupOptions): RestoreChoice {
  if (object === undefined) return { type: 'namespace', namespace: namespace ?? '' }
  const parsed = parseObjectChoice(object, namespace ?? '')
  if (parsed !== undefined) return { type: 'object', object: parsed }
  throw new UsageError(
    `${JSON.stringify(object)} is not an object: use PLURAL/NAME, such as configmaps/app or deployments.apps/web`,
  )
}

async function requireSameCluster(client: KubeClient, uid: string, name: string): Promise<void> {
  const type = await client.served.find('', 'namespaces')
  const system = type && (await client.get(type, { namespace: '', name: 'kube-system' }))
  if (system?.metadata.uid === uid) return
  throw new BackupRefused(
    `${name} is a backup of a cluster other than ${client.origin}: pass --another-cluster to create its objects here`,
  )
}

/** One after the other: failures are reported, and the other objects are created all the same. */
async function makeAll(chosen: ChosenObjects, client: KubeClient, terminal: Terminal): Promise<void> {
  let failures = 0
  const inOrder = chosen.objects.toSorted((left, right) => byNeed(left.kind, right.kind))
  for (const each of inOrder) {
    const name = nameOf(each)
    const outcome = await made(each, chosen.storedVersionOf(each.kind), client)
    if (outcome.state === 'failed') {
      failures += 1
      warn(terminal, `${name} was not created: ${outcome.why}`)
    } else if (outcome.state === 'left out') say(terminal, `${name} is left out: it ${outcome.why}`)
    else print(terminal, `${name} ${outcome.state}\n`)
  }
  if (failures > 0)
    throw new ReportedFailure(failures === 1 ? '1 object was not created' : `${failures} objects were not created`)
}

type Outcome =
  | { readonly state: 'created' | 'unchanged' }
  | { readonly state: 'failed' | 'left out'; readonly why: string }

async function made(chosen: ChosenObject, version: string | undefined, client: KubeClient): Promise<Outcome> {
  const restored = restoredObject(chosen.kind, chosen.object)
  if (restored.fate === 'left out') return { state: 'left out', why: restored.why }
  const type = await servedAs(chosen, version, client)
  if (type === undefined) return { state: 'failed', why: 'the cluster does not serve its kind, or not its version' }
  const object = { ...restored.object, apiVersion: apiVersionOf(type), kind: type.kind } as KubeObject
  try {
    await client.create(type, object)
    return { state: 'created' }
  } catch (error) {
    if (isRefusal(error, 409) && error.status.reason === 'AlreadyExists') return { state: 'unchanged' }
    if (error instanceof ApiError) return { state: 'failed', why: error.message }
    throw error
  }
}

async function servedAs(
  { group, plural }: ChosenObject,
  version: string | undefined,
  client: KubeClient,
): Promise<ResourceType | undefined> {
  if (version === undefined) return client.served.find(group, plural)
  return (await client.served.findVersions(group, plural)).find((each) => each.version === version)
}

function nameOf({ plural, group, object }: ChosenObject): string {
  const { name } = object.metadata as { readonly name?: unknown }
  return `${plural}${group === '' ? '' : `.${group}`}/${String(name)}`
}
