import { Refused } from '../sync/support/cluster-client.ts'
import type { Thing } from '../sync/support/objects.ts'
import { collections, contentFields, draft, teamAnnotation } from './content.ts'
import type { ModelObject, Place } from './model.ts'
import { type HostOperation, isPaired, type VirtualOperation } from './operations.ts'
import { copyNameOf, isCopyOf, markKey, marks, type World } from './world.ts'

/** `done`, or why there was nothing to do. */
export type Outcome = string

const done: Outcome = 'done'

export async function performVirtual(world: World, operation: VirtualOperation): Promise<Outcome> {
  const { model } = world
  const { place } = operation
  const existing = model.find(place)
  if (existing === undefined) {
    if (!('value' in operation)) return 'it does not exist'
    await create(world, place, operation.value)
    return 'created'
  }
  switch (operation.do) {
    case 'create':
      return 'it exists'
    case 'set content':
      await patchVirtual(world, place, contentFields(place.plural, operation.value))
      model.contentSet(place, operation.value)
      return done
    case 'set team':
      await patchVirtual(world, place, { metadata: { annotations: { [teamAnnotation]: operation.value } } })
      model.teamSet(place, operation.value)
      return done
    case 'set label':
      await patchVirtual(world, place, labelPatch(operation.label, operation.value))
      model.virtualLabelSet(place, operation.label, operation.value)
      return done
    case 'remove label':
      await patchVirtual(world, place, labelPatch(operation.label, null))
      model.virtualLabelRemoved(place, operation.label)
      return done
    case 'delete':
      await remove(world, place)
      return done
    case 'recreate':
      await remove(world, place)
      await create(world, place, operation.value)
      return done
  }
}

async function create({ virtual, model }: World, place: Place, value: string): Promise<void> {
  const created = await virtual.client.create(collections[place.plural], draft(place, value))
  const labels = new Map([['mine', [value]]])
  model.created({
    place,
    uid: created.metadata.uid ?? '',
    content: value,
    team: value,
    labels,
    hostLabels: new Map(),
  })
}

/** A real API server deletes the Endpoints of a Service together with it. */
async function remove({ virtual, model }: World, place: Place): Promise<void> {
  await virtual.client.delete(collections[place.plural], place.namespace, place.name)
  model.deleted(place)
  if (place.plural === 'services' && virtual.flavor === 'real') model.deleted({ ...place, plural: 'endpoints' })
}

function patchVirtual({ virtual }: World, { plural, namespace, name }: Place, patch: unknown): Promise<Thing> {
  return virtual.client.patch(collections[plural], namespace, name, patch)
}

function labelPatch(label: string, value: string | null) {
  return { metadata: { labels: { [label]: value } } }
}

export async function performHost(world: World, operation: HostOperation): Promise<Outcome> {
  switch (operation.do) {
    case 'take name':
      return takeName(world, operation.place, operation.value)
    case 'forge':
      return forge(world, operation)
    case 'change foreign':
      return changeForeign(world, operation.pick, operation.value)
    case 'delete foreign':
      return deleteForeign(world, operation.pick)
    default:
      return performOnCopy(world, operation)
  }
}

type CopyOperation = Extract<HostOperation, { readonly do: `${string} copy${string}` }>

async function performOnCopy(world: World, operation: CopyOperation): Promise<Outcome> {
  const { place } = operation
  if (world.model.foreignAt(place.plural, copyNameOf(world, place)) !== undefined) return 'there is no copy'
  const object = world.model.find(place)
  const copy = await world.host.client.find(
    collections[place.plural],
    world.tenant.hostNamespace,
    copyNameOf(world, place),
  )
  if (object === undefined || copy === undefined || !isCopyOf(copy, world, object.uid)) return 'there is no copy'
  const isShortLived = place.plural === 'endpoints' && isPaired(place)
  if (isShortLived && operation.do !== 'edit copy' && operation.do !== 'delete copy') return 'it goes with its Service'
  try {
    await changeCopy(world, object, copy, operation)
    return done
  } catch (error) {
    if (error instanceof Refused && (error.status === 404 || error.status === 409)) return 'the copy was replaced'
    throw error
  }
}

async function changeCopy(world: World, object: ModelObject, copy: Thing, operation: CopyOperation): Promise<void> {
  const { model } = world
  const { place } = object
  switch (operation.do) {
    case 'set copy label':
      await patchCopy(world, place, copy, { labels: { [operation.label]: operation.value } })
      if (operation.label === 'theirs') model.hostLabelSet(place, operation.label, operation.value)
      else model.contestedLabelSet(place, operation.label, operation.value)
      return
    case 'remove copy label':
      await patchCopy(world, place, copy, { labels: { [operation.label]: null } })
      if (operation.label === 'theirs') model.hostLabelSet(place, operation.label, undefined)
      else model.contestedLabelSet(place, operation.label, undefined)
      return
    case 'edit copy':
      await patchCopy(world, place, copy, {}, contentFields(place.plural, operation.value))
      return
    case 'delete copy':
      model.copyLost(place, await labelsShown(world, place))
      await world.host.client.delete(collections[place.plural], world.tenant.hostNamespace, copy.metadata.name)
      return
    case 'strip copy': {
      const shown = await labelsShown(world, place)
      const stripped = await patchCopy(world, place, copy, stripping(operation.mark))
      model.copyLost(place, shown)
      model.foreignSet({ plural: place.plural, name: copy.metadata.name, thing: stripped })
    }
  }
}

function stripping(mark: string) {
  const label = /^label (.+)$/.exec(mark)?.[1]
  return label === undefined ? { annotations: { [markKey(mark)]: null } } : { labels: { [markKey(label)]: null } }
}

/** Fails if it is no longer the object that was read. */
function patchCopy(
  world: World,
  { plural }: Place,
  copy: Thing,
  metadata: object,
  fields: object = {},
): Promise<Thing> {
  const { uid, name } = copy.metadata
  const patch = { metadata: { uid, ...metadata }, ...fields }
  return world.host.client.patch(collections[plural], world.tenant.hostNamespace, name, patch)
}

async function labelsShown({ virtual }: World, { plural, namespace, name }: Place): Promise<Record<string, string>> {
  const shown = await virtual.client.find(collections[plural], namespace, name)
  return { ...shown?.metadata.labels }
}

async function takeName(world: World, place: Place, value: string): Promise<Outcome> {
  if (place.plural === 'endpoints' && isPaired(place)) return 'it would go with its Service'
  return createForeign(world, place, copyNameOf(world, place), value, {})
}

async function forge(
  world: World,
  { place, value, wrong }: Extract<HostOperation, { readonly do: 'forge' }>,
): Promise<Outcome> {
  const { tenant, hostNamespace } = world.tenant
  const name = wrong === 'name' ? `forged-${value}` : copyNameOf(world, place)
  if (wrong !== 'name' && place.plural === 'endpoints' && isPaired(place)) return 'it would go with its Service'
  return createForeign(world, place, name, value, {
    labels: { [marks.managedBy]: wrong === 'tenant' ? 'somebody-else' : tenant },
    annotations: {
      [marks.name]: place.name,
      [marks.namespace]: place.namespace,
      [marks.uid]: world.model.find(place)?.uid ?? 'unknown',
      [marks.kind]: wrong === 'kind' ? 'Pod' : collections[place.plural].kind,
      [marks.hostName]: name,
      [marks.tenantNamespace]: wrong === 'tenant namespace' ? 'elsewhere' : hostNamespace,
    },
  })
}

async function createForeign(
  world: World,
  { plural }: Place,
  name: string,
  value: string,
  metadata: object,
): Promise<Outcome> {
  const body = {
    metadata: { namespace: world.tenant.hostNamespace, name, ...metadata },
    ...contentFields(plural, value),
  }
  try {
    const thing = await world.host.client.create(collections[plural], body)
    world.model.foreignSet({ plural, name, thing })
    return done
  } catch (error) {
    if (error instanceof Refused && error.status === 409) return 'the name is taken'
    throw error
  }
}

async function changeForeign(world: World, pick: number, value: string): Promise<Outcome> {
  const foreign = world.model.foreign()
  const chosen = foreign[Math.floor(pick * foreign.length)]
  if (chosen === undefined) return 'there is nothing foreign'
  const { plural, name } = chosen
  const namespace = world.tenant.hostNamespace
  const thing = await world.host.client.patch(collections[plural], namespace, name, contentFields(plural, value))
  world.model.foreignSet({ ...chosen, thing })
  return done
}

async function deleteForeign(world: World, pick: number): Promise<Outcome> {
  const foreign = world.model.foreign()
  const chosen = foreign[Math.floor(pick * foreign.length)]
  if (chosen === undefined) return 'there is nothing foreign'
  const existed = await world.host.client.delete(collections[chosen.plural], world.tenant.hostNamespace, chosen.name)
  world.model.foreignGone(chosen.plural, chosen.name)
  return existed ? done : 'LOST: a foreign object was gone before its owner deleted it'
}
