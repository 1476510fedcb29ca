import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../../api/object.ts'
import type { Pod, ServiceAccountTokenProjection } from '../../../api/types/core-v1.ts'
import { hostName } from '../../names/host-name.ts'
import { byUrgency, planTokens, type TokenPlan } from './plan-tokens.ts'
import { isRootCertificate, tokenTrouble } from './token-limits.ts'
import { issuedAtAnnotation, refreshAtAnnotation, refreshAtMs, tokenTimes } from './token-times.ts'
import { tokenKey, tokenSecretName, wantedEntries } from './wanted-tokens.ts'

const names = { tenant: 'demo', tenantNamespace: 'tenants' }

function podWith(...tokens: readonly ServiceAccountTokenProjection[]): Pod {
  const sources = tokens.map((serviceAccountToken) => ({ serviceAccountToken }))
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', uid: 'u1' },
    spec: { containers: [], volumes: [{ name: 'a', projected: { sources } }] },
    status: {},
  }
}

describe('the tokens that a Pod wants', () => {
  it('are one for each audience and lifetime, wherever they are mounted', () => {
    const wanted = wantedEntries(
      podWith({ path: 'a' }, { path: 'b', expirationSeconds: 3_600 }, { path: 'c', audience: 'vault' }),
    )
    expect(wanted?.tokens).toEqual([
      { key: tokenKey({ path: '' }), audience: '', seconds: 3_600 },
      { key: tokenKey({ path: '', audience: 'vault' }), audience: 'vault', seconds: 3_600 },
    ])
  })

  it('do not exist without a volume that asks for one', () => {
    expect(wantedEntries(podWith())).toBeUndefined()
  })

  it('are limited in number and length', () => {
    const many = Array.from({ length: 17 }, (_, index) => ({ path: 'a', audience: `a${index}` }))
    const troubleOf = (pod: Pod) => tokenTrouble(wantedEntries(pod) ?? { tokens: [], hasRootCertificate: false })
    expect(troubleOf(podWith(...many))?.reason).toBe('TooManyTokens')
    expect(troubleOf(podWith(...many.slice(1)))).toBeUndefined()
    expect(troubleOf(podWith({ path: 'a', audience: 'a'.repeat(1_025) }))?.reason).toBe('AudienceTooLong')
  })

  it('are in a Secret whose name no virtual object and no other Pod can have', () => {
    const own = tokenSecretName(podWith(), names)
    const anew = { ...podWith(), metadata: { ...podWith().metadata, uid: 'u2' } }
    const place = { hostNamespace: 'tenants', tenant: 'demo', namespace: 'shop' }
    const others = [
      tokenSecretName(anew, names),
      tokenSecretName(podWith(), { ...names, tenant: 'other' }),
      hostName({ ...place, name: 'web-tokens-u1' }),
    ]
    expect(new Set([own, ...others]).size).toBe(4)
    expect(own).toMatch(/^v-[a-z0-9-]+$/)
  })
})

describe('the authority of a virtual cluster', () => {
  it.each<[string, unknown, boolean]>([
    ['a text', 'PEM', true],
    ['none', undefined, false],
    ['an empty one', '', false],
    ['one that is too large', 'a'.repeat(256 * 1024 + 1), false],
  ])('is not delivered unless it is one: %s', (_what, text, expected) => {
    expect(isRootCertificate(text)).toBe(expected)
  })
})

function secretWith(refreshAt: string | undefined, isOwned: boolean, issuedAt?: string): KubeObject {
  const annotations = {
    ...(refreshAt !== undefined && { [refreshAtAnnotation]: refreshAt }),
    ...(issuedAt !== undefined && { [issuedAtAnnotation]: issuedAt }),
  }
  const ownerReferences = isOwned ? [{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'b' }] : []
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: refreshAt ?? 'never', annotations, ownerReferences } }
}

const now = Date.parse('2026-01-01T12:00:00Z')
const later = '2026-01-01T12:00:01Z'
const waits: TokenPlan = { action: 'wait', untilMs: now + 1_000 }

describe('a Secret with tokens', () => {
  it.each<[string, string | undefined, boolean, TokenPlan]>([
    ['is refreshed when it is due', '2026-01-01T12:00:00Z', true, { action: 'refresh' }],
    ['is refreshed even before it belongs to a Pod', '2026-01-01T11:00:00Z', false, { action: 'refresh' }],
    ['is refreshed when it cannot be read when it is due', 'soon', true, { action: 'refresh' }],
    ['is handed over to its Pod', later, false, { action: 'hand over' }],
    ['waits until it is due', later, true, { action: 'wait', untilMs: now + 1_000 }],
    ['waits for ever if nothing in it expires', undefined, true, { action: 'wait' }],
  ])('%s', (_what, refreshAt, isOwned, plan) => {
    expect(planTokens(secretWith(refreshAt, isOwned), now)).toEqual(plan)
  })

  it.each<[string, string, string, TokenPlan]>([
    ['at once if its tokens are from a time that has not come', '2026-01-01T13:00:00Z', later, { action: 'refresh' }],
    ['not before its time if its tokens are from this minute', '2026-01-01T12:01:00Z', later, waits],
    ['not before its time if its tokens are from earlier', '2026-01-01T11:00:00Z', later, waits],
  ])('is refreshed %s', (_when, issuedAt, refreshAt, plan) => {
    expect(planTokens(secretWith(refreshAt, true, issuedAt), now)).toEqual(plan)
  })

  it('is due at four fifths of the life of the token that ends first', () => {
    const times = [tokenTimes(now, 3_600, undefined), tokenTimes(now, 600, undefined)]
    expect(refreshAtMs(times) - now).toBe(480_000)
  })

  it.each<[string, unknown, number]>([
    ['as it was asked for', '2026-01-01T13:00:00Z', 3_600_000],
    ['shorter, where the server gives less', '2026-01-01T12:10:00Z', 600_000],
    ['as it was asked for, where a clock is wrong or the server gives more', '2027-01-01T12:10:00Z', 3_600_000],
    ['of ten minutes at least, where the clock of the server is behind', '2026-01-01T10:00:00Z', 600_000],
    ['as requested, if the server returns none', 7, 3_600_000],
  ])('uses the lifetime of a token %s', (_how, told, lifeMs) => {
    const { issuedAtMs, expiresAtMs } = tokenTimes(now, 3_600, told)
    expect(expiresAtMs - issuedAtMs).toBe(lifeMs)
  })

  it('is not due at once whatever the Pod and the server state, so that the host is not written to without a pause', () => {
    const times = [0, -1, 1].map((seconds) => tokenTimes(now, seconds, '1970-01-01T00:00:00Z'))
    expect(refreshAtMs(times) - now).toBe(480_000)
  })

  it('comes before those that are due later', () => {
    const sorted = [undefined, later, 'soon', '2026-01-01T11:00:00Z', undefined].map((at) => secretWith(at, true))
    const order = sorted.sort(byUrgency).map(({ metadata }) => metadata.name)
    expect(order).toEqual(['soon', '2026-01-01T11:00:00Z', later, 'never', 'never'])
  })
})
