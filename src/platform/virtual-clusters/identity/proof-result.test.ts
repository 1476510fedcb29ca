import { describe, expect, it } from 'vitest'
import { hashProof } from '../../../auth/proofs/proof-value.ts'
import { proofResultOf, provenBy, reopened, withOffer } from './proof-result.ts'
import { type SealedIdentity, sealedIdentityForm, sealedIdentityOf, unknownIdentity } from './sealed-identity.ts'

const nowMs = 1_000_000
const hourMs = 3_600_000
const offered = withOffer(unknownIdentity, hashProof('offer'), nowMs)

describe('the result of checking a proof', () => {
  it.each<[string, SealedIdentity, string, string]>([
    ['the right one', provenBy('a'), 'a', 'proven'],
    ['another', provenBy('a'), 'b', 'wrong'],
    ['none', provenBy('a'), '', 'missing'],
    ['its hash', provenBy('a'), hashProof('a'), 'wrong'],
    ['one of 100,000 characters', provenBy('a'), 'a'.repeat(100_000), 'wrong'],
    ['none where no proof is known', unknownIdentity, '', 'open'],
    ['any where no proof is known', unknownIdentity, 'a', 'open'],
    ['one that was issued', offered, 'offer', 'offered'],
    ['another than was issued', offered, 'other', 'open'],
    ['one that was voided', reopened(nowMs + 1), 'a', 'open'],
    ['one that was issued in its place', withOffer(reopened(nowMs + 1), hashProof('a'), nowMs), 'a', 'offered'],
    ['a replacement that is too old', withOffer(reopened(nowMs), hashProof('a'), nowMs - 9), 'a', 'wrong'],
    ['none after that time', reopened(nowMs), '', 'missing'],
  ])('%s', (_, identity, shown, standing) => {
    expect(proofResultOf(identity, shown, nowMs)).toBe(standing)
    expect(
      proofResultOf(sealedIdentityOf({ sealedText: JSON.stringify(sealedIdentityForm(identity)) }), shown, nowMs),
    ).toBe(standing)
  })

  it('accepts an offer only within an hour', () => {
    expect(proofResultOf(offered, 'offer', nowMs + hourMs - 1)).toBe('offered')
    expect(proofResultOf(offered, 'offer', nowMs + hourMs)).toBe('open')
  })

  it('accepts the last four offers', () => {
    const five = ['1', '2', '3', '4', '5'].reduce(
      (all, each) => withOffer(all, hashProof(each), nowMs),
      unknownIdentity,
    )
    expect(['1', '2', '3', '4', '5'].map((each) => proofResultOf(five, each, nowMs))).toEqual([
      'open',
      ...Array.from({ length: 4 }, () => 'offered'),
    ])
  })

  it('accepts nothing if the stored identity cannot be read', () => {
    for (const sealedText of ['[]', '{}', '{"proof":7,"offers":[]}', '{"offers":[],"openUntilMs":"x"}']) {
      expect(proofResultOf(sealedIdentityOf({ sealedText }), 'a', nowMs)).toBe('wrong')
      expect(proofResultOf(sealedIdentityOf({ sealedText }), '', nowMs)).toBe('missing')
    }
    expect(sealedIdentityOf({ sealedText: undefined })).toEqual(unknownIdentity)
  })
})
