import type { Chance } from '../support/chance.ts'
import type { Weather } from '../support/network/faulty-tcp.ts'
import type { Place, Plural } from './model.ts'

export type Side = 'virtual' | 'host'

/**
 * Operations of users of the virtual cluster. Every value is used once, so that each change is visible. A change of an
 * absent object creates it.
 */
export type VirtualOperation =
  | { readonly do: 'create'; readonly place: Place; readonly value: string }
  | { readonly do: 'set content'; readonly place: Place; readonly value: string }
  | { readonly do: 'set team'; readonly place: Place; readonly value: string }
  | { readonly do: 'set label'; readonly place: Place; readonly label: 'mine' | 'both'; readonly value: string }
  | { readonly do: 'remove label'; readonly place: Place; readonly label: 'mine' | 'both' }
  | { readonly do: 'delete'; readonly place: Place }
  | { readonly do: 'recreate'; readonly place: Place; readonly value: string }

/** Operations of users of the host, on copies and on their own objects. */
export type HostOperation =
  | { readonly do: 'set copy label'; readonly place: Place; readonly label: 'theirs' | 'both'; readonly value: string }
  | { readonly do: 'remove copy label'; readonly place: Place; readonly label: 'theirs' | 'both' }
  | { readonly do: 'edit copy'; readonly place: Place; readonly value: string }
  | { readonly do: 'delete copy'; readonly place: Place }
  | { readonly do: 'strip copy'; readonly place: Place; readonly mark: string }
  | { readonly do: 'take name'; readonly place: Place; readonly value: string }
  | { readonly do: 'forge'; readonly place: Place; readonly value: string; readonly wrong: Forgery }
  | { readonly do: 'change foreign'; readonly pick: number; readonly value: string }
  | { readonly do: 'delete foreign'; readonly pick: number }

/** The mark that reveals a forged copy. */
export type Forgery = 'name' | 'tenant' | 'tenant namespace' | 'kind'

/** Faults, each lasting for a number of operations. */
export type Mishap =
  | { readonly do: 'kill syncer'; readonly lasting: number }
  | { readonly do: 'kill server'; readonly side: Side; readonly lasting: number }
  | { readonly do: 'freeze server'; readonly side: Side; readonly lasting: number }
  | { readonly do: 'weather'; readonly side: Side; readonly weather: Weather; readonly lasting: number }
  | { readonly do: 'refuse'; readonly side: Side; readonly percent: number; readonly lasting: number }
  | { readonly do: 'drop connections'; readonly side: Side }
  | { readonly do: 'drop watches'; readonly side: Side }
  | { readonly do: 'jump clock'; readonly ms: number }
  | { readonly do: 'configure'; readonly variant: number }

export type Operation = VirtualOperation | HostOperation | Mishap

const namespaces = ['red', 'blue'] as const

/** Endpoints with the name of a Service are deleted with the Service, as in kube-apiserver. */
export const isPaired = ({ name }: Place) => name.startsWith('pair-')

const places: readonly Place[] = namespaces.flatMap((namespace) => [
  ...placesOf('endpoints', namespace, ['pair-0', 'pair-1', 'alone-0', 'alone-1']),
  ...placesOf('services', namespace, ['pair-0', 'pair-1']),
  ...placesOf('configmaps', namespace, ['map-0', 'map-1']),
  ...placesOf('secrets', namespace, ['secret-0', 'secret.with.dots']),
])

function placesOf(plural: Plural, namespace: string, names: readonly string[]): readonly Place[] {
  return names.map((name) => ({ plural, namespace, name }))
}

export const virtualNamespaces: readonly string[] = namespaces

const marks = ['label managed-by', 'object-name', 'object-uid', 'object-kind', 'host-name', 'tenant-namespace'] as const

/** The objects that exist before anything fails: about two thirds of all places. */
export function firstOperations(chance: Chance): readonly VirtualOperation[] {
  return places
    .filter(() => chance.next() < 0.65)
    .map((place, index) => ({ do: 'create', place, value: `first${index}` }))
}

/** The next operation in a world whose servers may be up or down. */
export function nextOperation(chance: Chance, index: number, isAway: (side: Side) => boolean): Operation {
  const kind = chance.next()
  if (kind < 0.15 || (isAway('virtual') && isAway('host'))) return mishap(chance)
  const side = (kind < 0.6 && !isAway('virtual')) || isAway('host') ? 'virtual' : 'host'
  return side === 'virtual' ? virtualOperation(chance, index) : hostOperation(chance, index)
}

function virtualOperation(chance: Chance, index: number): VirtualOperation {
  const place = anyPlace(chance)
  const value = `v${index}`
  const label = chance.pick<'mine' | 'both'>(['mine', 'both'])
  return chance.pick<VirtualOperation>([
    { do: 'set content', place, value },
    { do: 'set content', place, value },
    { do: 'set team', place, value },
    { do: 'set label', place, label, value },
    { do: 'remove label', place, label },
    { do: 'delete', place },
    { do: 'recreate', place, value },
  ])
}

function hostOperation(chance: Chance, index: number): HostOperation {
  const place = anyPlace(chance)
  const value = `h${index}`
  const label = chance.pick<'theirs' | 'both'>(['theirs', 'both'])
  return chance.pick<HostOperation>([
    { do: 'set copy label', place, label, value },
    { do: 'set copy label', place, label, value },
    { do: 'set copy label', place, label, value },
    { do: 'remove copy label', place, label },
    { do: 'edit copy', place, value },
    { do: 'edit copy', place, value },
    { do: 'delete copy', place },
    { do: 'strip copy', place, mark: chance.pick(marks) },
    { do: 'take name', place, value },
    { do: 'forge', place, value, wrong: chance.pick<Forgery>(['name', 'tenant', 'tenant namespace', 'kind']) },
    { do: 'change foreign', pick: chance.next(), value },
    { do: 'delete foreign', pick: chance.next() },
  ])
}

const weathers: readonly [Weather, ...Weather[]] = [
  { kind: 'slow', delayMs: 30 },
  { kind: 'stalled' },
  { kind: 'half-open' },
  { kind: 'cut' },
]

function mishap(chance: Chance): Mishap {
  const side = chance.pick<Side>(['virtual', 'host'])
  const lasting = 1 + Math.floor(chance.next() * 5)
  return chance.pick<Mishap>([
    { do: 'kill syncer', lasting },
    { do: 'kill syncer', lasting },
    { do: 'kill server', side, lasting },
    { do: 'freeze server', side, lasting },
    { do: 'weather', side, weather: chance.pick(weathers), lasting },
    { do: 'weather', side, weather: chance.pick(weathers), lasting },
    { do: 'refuse', side, percent: chance.pick([10, 30, 60]), lasting: lasting * 3 },
    { do: 'refuse', side, percent: chance.pick([10, 30, 60]), lasting: lasting * 3 },
    { do: 'drop connections', side },
    { do: 'drop watches', side },
    { do: 'jump clock', ms: chance.pick([-86_400_000, -5_000, 5_000, 3_600_000, 40 * 86_400_000]) },
    { do: 'configure', variant: chance.pick([0, 1, 2]) },
  ])
}

function anyPlace(chance: Chance): Place {
  const place = places[Math.floor(chance.next() * places.length)]
  if (place === undefined) throw new Error('there is no place')
  return place
}
