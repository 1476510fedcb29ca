import type { Thing } from '../sync/support/objects.ts'
import { collections, contentOf, plurals, teamAnnotation } from './content.ts'
import type { ModelObject, Plural, Value } from './model.ts'
import { virtualNamespaces } from './operations.ts'
import { copyNameOf, isCopyOf, isMark, marks, type World } from './world.ts'

/** The objects of the four kinds in both clusters. */
export interface Seen {
  readonly virtual: ReadonlyMap<string, Thing>
  readonly host: ReadonlyMap<string, Thing>
}

/** Newer clusters create one in every namespace. */
const rootCertificate = 'kube-root-ca.crt'

/** Each tenant notes there which virtual cluster its copies belong to. */
const identityOf = (tenant: string) => `tenant-${tenant}-identity`

export async function look({ virtual, host, tenant }: World): Promise<Seen> {
  const seen = { virtual: new Map<string, Thing>(), host: new Map<string, Thing>() }
  for (const plural of plurals) {
    for (const namespace of virtualNamespaces) {
      for (const thing of await virtual.client.list(collections[plural], namespace)) {
        if (thing.metadata.name !== rootCertificate)
          seen.virtual.set(`${plural}/${namespace}/${thing.metadata.name}`, thing)
      }
    }
    for (const thing of await host.client.list(collections[plural], tenant.hostNamespace)) {
      const isIdentity = plural === 'secrets' && thing.metadata.name === identityOf(tenant.tenant)
      if (!isIdentity && !isNotOurs(thing)) seen.host.set(`${plural}/${thing.metadata.name}`, thing)
    }
  }
  return seen
}

/** The host's own objects, and copies from namespaces that the test does not use. */
function isNotOurs({ metadata }: Thing): boolean {
  const origin = metadata.annotations?.[marks.namespace]
  const isElsewhere = origin !== undefined && !virtualNamespaces.includes(origin)
  return isElsewhere || metadata.name === rootCertificate || metadata.annotations?.[marks.name] === rootCertificate
}

/** The differences between the worlds and the model; empty if there are none. */
export function differences(world: World, seen: Seen, teamOnHost: (team: Value) => Value): readonly string[] {
  const { model } = world
  const objects = model.objects()
  const expected = new Set(objects.map((object) => keyOnVirtual(object)))
  const copies = new Set(objects.map((object) => keyOnHost(world, object)))
  const foreign = new Set(model.foreign().map(({ plural, name }) => `${plural}/${name}`))
  return [
    ...objects.flatMap((object) => virtualDifferences(object, seen.virtual.get(keyOnVirtual(object)))),
    ...[...seen.virtual.keys()]
      .filter((key) => !expected.has(key))
      .map((key) => `virtual ${key} is there and must not be`),
    ...objects
      .filter((object) => !foreign.has(keyOnHost(world, object)))
      .flatMap((object) => copyDifferences(world, object, seen, teamOnHost)),
    ...[...seen.host.keys()]
      .filter((key) => !copies.has(key) && !foreign.has(key))
      .map(
        (key) => `host ${key} is there and must not be: ${JSON.stringify(seen.host.get(key)?.metadata.annotations)}`,
      ),
    ...foreignDifferences(world, seen),
  ]
}

function keyOnVirtual({ place }: ModelObject): string {
  return `${place.plural}/${place.namespace}/${place.name}`
}

function keyOnHost(world: World, { place }: ModelObject): string {
  return `${place.plural}/${copyNameOf(world, place)}`
}

function virtualDifferences(object: ModelObject, thing: Thing | undefined): readonly string[] {
  const who = `virtual ${keyOnVirtual(object)}`
  if (thing === undefined) return [`${who} is lost`]
  const { labels = {}, annotations = {}, uid } = thing.metadata
  const content = contentOf(object.place.plural, thing)
  return [
    ...(uid === object.uid ? [] : [`${who} has uid ${uid}, not ${object.uid}`]),
    ...(content === object.content ? [] : [`${who} holds ${content}, not ${object.content}`]),
    ...(annotations[teamAnnotation] === object.team
      ? []
      : [`${who} has team ${annotations[teamAnnotation]}, not ${object.team}`]),
    ...[...object.labels]
      .filter(([label, values]) => !values.includes(labels[label]))
      .map(([label, values]) => `${who} has ${label}=${labels[label]}, not one of ${JSON.stringify(values)}`),
    ...Object.keys(labels)
      .filter((label) => !object.labels.has(label))
      .map((label) => `${who} has an unexpected label ${label}`),
    ...Object.keys(annotations)
      .filter((key) => key !== teamAnnotation && !isMark(key))
      .map((key) => `${who} has an unexpected annotation ${key}`),
  ]
}

function copyDifferences(
  world: World,
  object: ModelObject,
  seen: Seen,
  teamOnHost: (team: Value) => Value,
): readonly string[] {
  const who = `host ${keyOnHost(world, object)} of ${keyOnVirtual(object)}`
  const copy = seen.host.get(keyOnHost(world, object))
  const virtual = seen.virtual.get(keyOnVirtual(object))
  if (copy === undefined) return [`${who} is missing`]
  if (!isCopyOf(copy, world, object.uid))
    return [`${who} bears no marks of it: ${JSON.stringify(copy.metadata.annotations)}`]
  const content = contentOf(object.place.plural, copy)
  const team = copy.metadata.annotations?.[teamAnnotation]
  const [here, there] = [unmarked(copy.metadata.labels), unmarked(virtual?.metadata.labels)]
  return [
    ...(content === object.content ? [] : [`${who} holds ${content}, not ${object.content}`]),
    ...(team === teamOnHost(object.team) ? [] : [`${who} has team ${team}, not ${teamOnHost(object.team)}`]),
    ...(here === there ? [] : [`${who} has labels ${here}, the virtual object ${there}`]),
    ...(hasSelector(object.place.plural, copy) ? [`${who} has a selector`] : []),
  ]
}

function unmarked(labels: Readonly<Record<string, string>> = {}): string {
  return JSON.stringify(
    Object.entries(labels)
      .filter(([label]) => !isMark(label))
      .toSorted(),
  )
}

function hasSelector(plural: Plural, { spec }: Thing): boolean {
  return plural === 'services' && typeof spec === 'object' && spec !== null && 'selector' in spec
}

/** Objects of others must be unchanged, including their versions. */
function foreignDifferences({ model }: World, seen: Seen): readonly string[] {
  return model.foreign().flatMap(({ plural, name, thing }) => {
    const now = seen.host.get(`${plural}/${name}`)
    if (now === undefined) return [`LOST: the foreign ${plural}/${name} is gone`]
    if (now.metadata.uid === thing.metadata.uid && now.metadata.resourceVersion === thing.metadata.resourceVersion)
      return []
    return [`LOST: the foreign ${plural}/${name} was changed: ${JSON.stringify(now)}, not ${JSON.stringify(thing)}`]
  })
}

/** The versions of all objects. They stay the same as long as nothing is written. */
export function versionsOf({ virtual, host }: Seen): string {
  const versions = (things: ReadonlyMap<string, Thing>) =>
    [...things].map(([key, { metadata }]) => `${key}@${metadata.resourceVersion}`).toSorted()
  return JSON.stringify([versions(virtual), versions(host)])
}
