import type { KubeClient } from '../../../client/contract.ts'
import { removeClaims, untilPodsAreGone, volumeClaimsOf } from '../../delete/remains.ts'
import { unrelatedObjects } from '../../delete/unrelated-objects.ts'
import { removeObject, shownObject } from '../../host/apply/objects.ts'
import { onHost } from '../../host/host-cluster.ts'
import { existing } from '../../host/objects.ts'
import { say, warn } from '../../output/messages.ts'
import { createProgress, type Progress } from '../../output/progress.ts'
import { confirmOrStop } from '../../terminal/confirm.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { leftInStore } from './left-in-store.ts'
import { platformNamespace } from './manifests/all.ts'
import { platformMetadata, platformPodLabels } from './manifests/labels.ts'
import { platformName, platformSecrets } from './names.ts'
import type { UninstallOptions } from './options.ts'
import {
  type PlatformRecord,
  platformRecordSecret,
  readPlatformRecord,
  writePlatformRecord,
} from './platform-record.ts'

export async function uninstallPlatform(options: UninstallOptions, terminal: Terminal): Promise<void> {
  const { namespace, deleteData } = options
  await onHost(options, terminal, async ({ client: host }) => {
    const record = await readPlatformRecord(host, namespace)
    if (record === undefined) {
      throw new Error(
        `there is no platform of tenant platform install in namespace ${namespace} of ${host.origin}; name its namespace with -n`,
      )
    }
    await ask(options, host.origin, terminal)
    const progress = await createProgress(terminal)
    try {
      await removeApplied(host, namespace, record, { progress, terminal })
      if (deleteData) await removeData(host, namespace, record, { progress, terminal })
      else await writePlatformRecord(host, namespace, withoutApplied(record))
    } finally {
      progress.stop()
    }
    say(terminal, 'The platform is uninstalled.')
    for (const line of await leftText(host, options, record)) say(terminal, line)
  })
}

/** Keeps the choices, except the address: the Service is gone, and its load balancer with it. */
function withoutApplied({ choices: { foundAddress: _gone, ...choices }, ...record }: PlatformRecord): PlatformRecord {
  return { ...record, choices, manifests: [] }
}

interface UninstallTools {
  readonly progress: Progress
  readonly terminal: Terminal
}

async function removeApplied(
  host: KubeClient,
  namespace: string,
  { manifests }: PlatformRecord,
  { progress, terminal }: UninstallTools,
): Promise<void> {
  for (const manifest of [...manifests].reverse()) {
    progress.step(shownObject(manifest))
    const outcome = await removeObject(host, manifest)
    if (outcome === 'not-ours')
      warn(terminal, `left alone: ${shownObject(manifest)}: another object has taken its place`)
  }
  await untilPodsAreGone(host, { namespace, podLabels: platformPodLabels }, progress)
}

async function removeData(
  host: KubeClient,
  namespace: string,
  { madeNamespace }: PlatformRecord,
  { progress, terminal }: UninstallTools,
): Promise<void> {
  progress.step('Volumes and Secrets')
  await removeClaims(host, { namespace, podLabels: platformPodLabels })
  for (const secret of ownSecrets(namespace)) await removeObject(host, secret)
  if (madeNamespace) await removeNamespace(host, namespace, terminal)
  // As long as the record exists, an uninstallation can be repeated.
  await removeObject(host, platformRecordSecret(namespace))
}

async function removeNamespace(host: KubeClient, namespace: string, terminal: Terminal): Promise<void> {
  const others = await unrelatedObjects(host, { name: platformName, namespace })
  if (others.length > 0) warn(terminal, `left alone: Namespace ${namespace}: it holds ${others.join(', ')}`)
  else await removeObject(host, platformNamespace(namespace))
}

function ownSecrets(namespace: string) {
  return Object.values(platformSecrets).map((name) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: platformMetadata(namespace, name),
  }))
}

/** What still exists, and how to remove it. */
async function leftText(
  host: KubeClient,
  { namespace, deleteData }: UninstallOptions,
  { choices }: PlatformRecord,
): Promise<readonly string[]> {
  const inStore = leftInStore(choices, deleteData)
  if (deleteData) return inStore
  const claims = await volumeClaimsOf(host, { namespace, podLabels: platformPodLabels })
  const found = await Promise.all(ownSecrets(namespace).map((secret) => existing(host, secret)))
  const kept = [...claims, ...found.flatMap((each) => each ?? []), platformRecordSecret(namespace)]
  return [
    ...inStore,
    `Kept for the next tenant platform install: ${kept.map(shownObject).join(', ')}.`,
    `Remove that, too, with: tenant platform uninstall -n ${namespace} --delete-data`,
  ]
}

async function ask(
  { yes, namespace, deleteData }: UninstallOptions,
  origin: string,
  terminal: Terminal,
): Promise<void> {
  if (yes) return
  const what = deleteData
    ? 'with all its data, certificates and encryption keys, without which an encrypted store is lost'
    : 'and keep its data'
  const question = `Uninstall the platform in namespace ${namespace} of ${origin}, ${what}?`
  await confirmOrStop(terminal, { question, purpose: 'uninstall it', refusal: 'nothing was removed' })
}
