import { describe, expect, it } from 'vitest'
import { hashProof } from '../../../auth/proofs/proof-value.ts'
import { derivedNames } from '../derived-name.ts'
import { type ClaimedPlacement, type KnownInstance, type KnownInstances, placementOf } from './placement.ts'
import { provenBy, reopened, withOffer } from './proof-result.ts'
import { type SealedIdentity, unknownIdentity } from './sealed-identity.ts'

const nowMs = 1_000_000
const place = { namespace: 'team-a', virtualCluster: 'dev' }
const elsewhere = { namespace: 'team-b', virtualCluster: 'dev' }
const [derived = ''] = derivedNames('dev', 'uid-2')
const offered = withOffer(unknownIdentity, hashProof('offer'), nowMs)

function instance(serviceUid: string, identity: SealedIdentity = unknownIdentity): KnownInstance {
  return { serviceUid, identity, place }
}

function registrant(serviceUid: string, proof = '', where = place): ClaimedPlacement {
  return { serviceUid, proof, ...where }
}

function among(instances: Record<string, KnownInstance>): KnownInstances {
  const entries = Object.entries(instances)
  const hashes = ({ identity }: KnownInstance) => [identity.proof, ...identity.offers.map(({ hash }) => hash)]
  return {
    get: (name) => instances[name],
    withProof: (hash) => entries.find(([, each]) => hashes(each).includes(hash))?.[0],
  }
}

describe('the name of a virtual cluster that registers', () => {
  it.each<[string, ClaimedPlacement, Record<string, KnownInstance>, object]>([
    ['its name is free', registrant('uid-1'), {}, { outcome: 'new', name: 'dev' }],
    ['a place was prepared for it', registrant('uid-1'), { dev: instance('') }, { outcome: 'open', name: 'dev' }],
    ['it is already registered', registrant('uid-1'), { dev: instance('uid-1') }, { outcome: 'open', name: 'dev' }],
    [
      'its proof got lost on the way',
      registrant('uid-1'),
      { dev: instance('uid-1', offered) },
      { outcome: 'open', name: 'dev' },
    ],
    [
      'it shows its proof',
      registrant('uid-1', 'mine'),
      { dev: instance('uid-1', provenBy('mine')) },
      { outcome: 'known', name: 'dev' },
    ],
    [
      'it presents the issued proof',
      registrant('uid-1', 'offer'),
      { dev: instance('uid-1', offered) },
      { outcome: 'known', name: 'dev' },
    ],
    [
      'the issued proof is too old',
      registrant('uid-1', 'offer'),
      { dev: instance('uid-1', withOffer(unknownIdentity, hashProof('offer'), -10_000_000)) },
      { outcome: 'open', name: 'dev' },
    ],
    [
      'its Service was created again',
      registrant('uid-9', 'mine'),
      { dev: instance('uid-1', provenBy('mine')) },
      { outcome: 'known', name: 'dev' },
    ],
    [
      'it was known by another name',
      registrant('uid-1', 'mine'),
      { dev: instance('uid-2', provenBy('x')), old: instance('uid-1', provenBy('mine')) },
      { outcome: 'known', name: 'old' },
    ],
    [
      'another has its name',
      registrant('uid-2'),
      { dev: instance('uid-1', provenBy('x')) },
      { outcome: 'new', name: derived },
    ],
    [
      'another from before has its name',
      registrant('uid-2'),
      { dev: instance('uid-1') },
      { outcome: 'new', name: derived },
    ],
    [
      'it is back under the derived name',
      registrant('uid-2', 'mine'),
      { dev: instance('uid-1'), [derived]: instance('uid-2', provenBy('mine')) },
      { outcome: 'known', name: derived },
    ],
    [
      'it has lost its proof',
      registrant('uid-1'),
      { dev: instance('uid-1', provenBy('x')) },
      { outcome: 'refused', name: 'dev', standing: 'missing' },
    ],
    [
      'it shows another proof',
      registrant('uid-1', 'y'),
      { dev: instance('uid-1', provenBy('x')) },
      { outcome: 'refused', name: 'dev', standing: 'wrong' },
    ],
    [
      'it does not say where it runs',
      registrant(''),
      { dev: instance('uid-1', provenBy('x')) },
      { outcome: 'refused', name: 'dev', standing: 'missing' },
    ],
    [
      'it has lost its proof and uses the derived name',
      registrant('uid-2'),
      { dev: instance('uid-1'), [derived]: instance('uid-2', provenBy('x')) },
      { outcome: 'refused', name: derived, standing: 'missing' },
    ],
    [
      'its proof was voided',
      registrant('uid-1', 'old'),
      { dev: instance('uid-1', reopened(nowMs + 1)) },
      { outcome: 'open', name: 'dev' },
    ],
    [
      'its proof was voided and its Service is new',
      registrant('uid-9'),
      { dev: instance('uid-1', reopened(nowMs + 1)) },
      { outcome: 'open', name: 'dev' },
    ],
    [
      'the proof of another was voided',
      registrant('uid-2', '', elsewhere),
      { dev: instance('uid-1', reopened(nowMs + 1)) },
      { outcome: 'new', name: derived },
    ],
    [
      'the time to get a new proof has passed',
      registrant('uid-1'),
      { dev: instance('uid-1', reopened(nowMs)) },
      { outcome: 'refused', name: 'dev', standing: 'missing' },
    ],
  ])('when %s', (_, who, known, placement) => {
    expect(placementOf('dev', who, among(known), nowMs)).toEqual(placement)
  })

  it('when all possible names are taken', () => {
    const names = ['dev', ...derivedNames('dev', 'uid-2')]
    const known = among(Object.fromEntries(names.map((name) => [name, instance('uid-1', provenBy(name))])))
    expect(placementOf('dev', registrant('uid-2'), known, nowMs)).toEqual({ outcome: 'taken' })
  })
})
