import { Refused } from '../../../sync/support/cluster-client.ts'
import {
  type Collection,
  claims,
  configMaps,
  type Draft,
  pods,
  secrets,
  services,
} from '../../../sync/support/objects.ts'
import { deployments, namespaces, type Place } from './kinds.ts'
import {
  claimDraft,
  claimNames,
  deploymentDraft,
  podDraft,
  serviceDraft,
  settingsDraft,
  settingsName,
} from './objects.ts'
import type { VirtualOperation } from './operations.ts'
import { done, type Scene } from './scene.ts'

/** Returns the result as text. */
export async function performVirtual(scene: Scene, operation: VirtualOperation): Promise<string> {
  const { virtual } = scene
  const { place } = operation
  switch (operation.do) {
    case 'create pod':
      return created(scene, pods, podDraft(place, operation.shape))
    case 'delete pod':
      return deleted(scene, place, operation.graceSeconds)
    case 'make pod anew':
      await deleted(scene, place, 0)
      return created(scene, pods, podDraft(place, operation.shape))
    case 'make claim anew': {
      const claim = { namespace: place.namespace, name: claimNames[0] }
      await deleted(scene, place, 0)
      await virtual.delete(claims, claim.namespace, claim.name)
      await unless(409, 'it is going', () => virtual.create(claims, claimDraft(claim)))
      return created(scene, pods, podDraft(place, 'with claim'))
    }
    case 'make settings anew': {
      const draft = settingsDraft(place, operation.value)
      await deleted(scene, place, 0)
      for (const kind of [secrets, configMaps]) {
        await virtual.delete(kind, place.namespace, settingsName)
        await unless(409, 'it is there', () => virtual.create(kind, draft))
      }
      return created(scene, pods, podDraft(place, 'with settings'))
    }
    case 'change settings': {
      const { data } = settingsDraft(place, operation.value)
      await deleted(scene, place, 0)
      const settings = { namespace: place.namespace, name: settingsName }
      for (const kind of [secrets, configMaps]) await changed(scene, kind, settings, { data })
      return created(scene, pods, podDraft(place, 'with settings'))
    }
    case 'label pod':
      return changed(scene, pods, place, { metadata: { labels: { app: operation.value } } })
    case 'scale':
      return changedOrCreated(scene, place, { spec: { replicas: operation.replicas } })
    case 'roll out': {
      const annotations = { 'example.com/version': operation.value }
      return changedOrCreated(scene, place, { spec: { template: { metadata: { annotations } } } })
    }
    case 'toggle claim':
      return toggled(scene, claims, claimDraft(place))
    case 'toggle service':
      return toggled(scene, services, serviceDraft(place))
    case 'toggle settings': {
      const draft = settingsDraft(place, 'value')
      const [outcome] = await Promise.all([toggled(scene, secrets, draft), toggled(scene, configMaps, draft)])
      return outcome
    }
  }

  /** The Deployment is created at its first use. */
  async function changedOrCreated(where: Scene, at: Place, patch: object): Promise<string> {
    if ((await virtual.find(deployments, at.namespace, at.name)) === undefined) {
      await created(where, deployments, deploymentDraft(at))
    }
    return changed(where, deployments, at, patch)
  }
}

async function created({ virtual }: Scene, kind: Collection, draft: Draft): Promise<string> {
  return unless(409, 'it is there', () => virtual.create(kind, draft))
}

function changed({ virtual }: Scene, kind: Collection, { namespace, name }: Place, patch: object): Promise<string> {
  return unless(404, 'it is not there', () => virtual.patch(kind, namespace, name, patch))
}

/** Waits for a server that has just been started. */
async function deleted({ virtual }: Scene, { namespace, name }: Place, graceSeconds?: number): Promise<string> {
  const options = graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds }
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`
  await virtual.get(namespaces, '', namespace)
  const { status } = await virtual.insist('DELETE', path, { kind: 'DeleteOptions', apiVersion: 'v1', ...options })
  return status < 300 ? done : `answered with ${status}`
}

async function toggled({ virtual }: Scene, kind: Collection, draft: Draft): Promise<string> {
  const { namespace = '', name } = draft.metadata
  if (await virtual.delete(kind, namespace, name)) return 'deleted'
  return unless(409, 'it is going', () => virtual.create(kind, draft))
}

export async function unless(status: number, text: string, action: () => Promise<unknown>): Promise<string> {
  try {
    await action()
    return done
  } catch (error) {
    if (error instanceof Refused && error.status === status) return text
    throw error
  }
}
