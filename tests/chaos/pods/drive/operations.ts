import type { Chance } from '../../../support/chance.ts'
import type { Weather } from '../../../support/network/faulty-tcp.ts'
import { type Place, virtualNamespaces } from './kinds.ts'
import { claimNames, type PodShape, podShapes } from './objects.ts'

/** Operations of users of the virtual cluster. */
export type VirtualOperation =
  | { readonly do: 'create pod'; readonly place: Place; readonly shape: PodShape }
  | { readonly do: 'delete pod'; readonly place: Place; readonly graceSeconds: number | undefined }
  | { readonly do: 'make pod anew'; readonly place: Place; readonly shape: PodShape }
  | { readonly do: 'label pod'; readonly place: Place; readonly value: string }
  | { readonly do: 'scale'; readonly place: Place; readonly replicas: number }
  | { readonly do: 'roll out'; readonly place: Place; readonly value: string }
  | {
      readonly do: 'make claim anew' | 'make settings anew' | 'change settings'
      readonly place: Place
      readonly value: string
    }
  | { readonly do: 'toggle claim' | 'toggle service' | 'toggle settings'; readonly place: Place }

/** Operations on copies and nodes of the host. */
export type HostOperation =
  | { readonly do: 'delete copy'; readonly pick: number; readonly graceSeconds: number | undefined }
  | { readonly do: 'evict copy' | 'fail copy' | 'finish copy' | 'delete tokens'; readonly pick: number }
  | { readonly do: 'strip copy'; readonly pick: number; readonly mark: Mark }
  | { readonly do: 'take name'; readonly place: Place }
  | { readonly do: 'forge'; readonly place: Place; readonly wrong: Forgery; readonly value: string }
  | { readonly do: 'change foreign' | 'delete foreign'; readonly pick: number; readonly value: string }
  | { readonly do: 'add node' | 'delete node' | 'silence node' | 'revive node' | 'cordon node' | 'uncordon node' }

/** Faults, each lasting for a number of operations. */
export type Mishap =
  | { readonly do: 'kill tenant' | 'freeze tenant' | 'kill host' | 'freeze host'; readonly lasting: number }
  | { readonly do: 'weather'; readonly weather: Weather; readonly lasting: number }
  | { readonly do: 'refuse'; readonly percent: number; readonly lasting: number }
  | { readonly do: 'slow'; readonly ms: number; readonly lasting: number }
  | { readonly do: 'drop connections' | 'drop watches' }

export type Mark = 'managedBy' | 'name' | 'uid' | 'kind' | 'hostName' | 'tenantNamespace'
export type Forgery = 'name' | 'tenant' | 'tenant namespace' | 'kind'
export type Operation = VirtualOperation | HostOperation | Mishap

export interface Away {
  readonly tenant: boolean
  readonly host: boolean
}

const podNames = ['web-0', 'web-1', 'job.with.dots'] as const
const places = virtualNamespaces.flatMap((namespace) => podNames.map((name) => ({ namespace, name })))

/** The objects that exist before anything fails. */
export function firstOperations(chance: Chance): readonly VirtualOperation[] {
  const settings = virtualNamespaces.flatMap((namespace): VirtualOperation[] => [
    { do: 'toggle settings', place: { namespace, name: 'settings' } },
    { do: 'toggle claim', place: { namespace, name: 'data-0' } },
    { do: 'toggle service', place: { namespace, name: 'web-0' } },
  ])
  const pods = places.map((place): VirtualOperation => ({ do: 'create pod', place, shape: chance.pick(podShapes) }))
  return [...settings, ...pods]
}

export function nextOperation(chance: Chance, index: number, away: Away): Operation {
  const kind = chance.next()
  if (kind < 0.18 || (away.tenant && away.host)) return mishap(chance)
  const isVirtual = (kind < 0.58 && !away.tenant) || away.host
  return isVirtual ? virtualOperation(chance, index) : hostOperation(chance, index)
}

function virtualOperation(chance: Chance, index: number): VirtualOperation {
  const place = anyOf(chance, places)
  const shape = chance.pick(podShapes)
  const { namespace } = place
  const deployment = { namespace, name: 'app' }
  return chance.pick<VirtualOperation>([
    { do: 'create pod', place, shape },
    { do: 'create pod', place, shape },
    { do: 'make pod anew', place, shape },
    { do: 'make pod anew', place, shape },
    { do: 'delete pod', place, graceSeconds: chance.pick([undefined, 0, 1, 30]) },
    { do: 'make claim anew', place, value: `v${index}` },
    { do: 'make settings anew', place, value: `v${index}` },
    { do: 'change settings', place, value: `v${index}` },
    { do: 'label pod', place, value: `v${index}` },
    { do: 'scale', place: deployment, replicas: Math.floor(chance.next() * 5) },
    { do: 'roll out', place: deployment, value: `v${index}` },
    { do: 'toggle claim', place: { namespace, name: chance.pick(claimNames) } },
    { do: 'toggle service', place: { namespace, name: chance.pick(['web-0', 'web-1']) } },
    { do: 'toggle settings', place: { namespace, name: 'settings' } },
  ])
}

function hostOperation(chance: Chance, index: number): HostOperation {
  const place = anyOf(chance, places)
  const pick = chance.next()
  const value = `h${index}`
  const mark = chance.pick<Mark>(['managedBy', 'name', 'uid', 'kind', 'hostName', 'tenantNamespace'])
  const wrong = chance.pick<Forgery>(['name', 'tenant', 'tenant namespace', 'kind'])
  return chance.pick<HostOperation>([
    { do: 'delete copy', pick, graceSeconds: chance.pick([undefined, 0, 1]) },
    { do: 'delete copy', pick, graceSeconds: chance.pick([undefined, 0, 1]) },
    { do: 'evict copy', pick },
    { do: 'fail copy', pick },
    { do: 'finish copy', pick },
    { do: 'delete tokens', pick },
    { do: 'strip copy', pick, mark },
    { do: 'take name', place },
    { do: 'forge', place, wrong, value },
    { do: 'change foreign', pick, value },
    { do: 'delete foreign', pick, value },
    { do: 'add node' },
    { do: 'delete node' },
    { do: 'silence node' },
    { do: 'revive node' },
    { do: 'cordon node' },
    { do: 'uncordon node' },
  ])
}

const weathers: readonly [Weather, ...Weather[]] = [
  { kind: 'slow', delayMs: 30 },
  { kind: 'stalled' },
  { kind: 'half-open' },
  { kind: 'cut' },
]

function mishap(chance: Chance): Mishap {
  const lasting = 1 + Math.floor(chance.next() * 5)
  return chance.pick<Mishap>([
    { do: 'kill tenant', lasting: Math.min(2, lasting) },
    { do: 'kill tenant', lasting },
    { do: 'freeze tenant', lasting },
    { do: 'kill host', lasting },
    { do: 'freeze host', lasting },
    { do: 'weather', weather: chance.pick(weathers), lasting },
    { do: 'weather', weather: chance.pick(weathers), lasting },
    { do: 'refuse', percent: chance.pick([10, 30, 60]), lasting: lasting * 3 },
    { do: 'refuse', percent: chance.pick([10, 30, 60]), lasting: lasting * 3 },
    { do: 'slow', ms: chance.pick([50, 300, 1_500]), lasting: lasting * 2 },
    { do: 'drop connections' },
    { do: 'drop watches' },
  ])
}

function anyOf(chance: Chance, choices: readonly Place[]): Place {
  const chosen = choices[Math.floor(chance.next() * choices.length)]
  if (chosen === undefined) throw new Error('there is nothing to choose from')
  return chosen
}
