import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ownedAccessKeyKind } from '../../../api/management/owned-access-key.ts'
import type { JsonObject, KubeObject } from '../../../api/object.ts'
import { hashKey } from '../../../auth/keys/values/key-value.ts'
import { StoredDocument, sealedBytes, toStoredBytes } from '../../../registry/document.ts'
import { sharedMemory } from '../../../registry/memory.ts'
import { lastPartMsOf } from '../life/status.ts'
import { outlineOf } from './key-outline.ts'
import { storedKeyOf } from './key-record.ts'

const kind = ownedAccessKeyKind('platform.internal')
const memory = sharedMemory()

function documentOf(object: KubeObject, sealed: JsonObject | undefined): StoredDocument {
  const bytes = toStoredBytes(kind, object, sealed && sealedBytes(sealed))
  return new StoredDocument(kind, { namespace: '', name: object.metadata.name ?? '' }, bytes, 7, memory)
}

const text = fc.oneof(fc.string(), fc.constantFrom('', 'ann', '"uid":"x"', '\\', 'ö', '{"spec":{}}'))
const time = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => `${date.toISOString().slice(0, 19)}Z`)
const some = { requiredKeys: [] }
const metadata = fc.record(
  {
    labels: fc.dictionary(fc.constantFrom('uid', 'spec', '__proto__', 'a'), text),
    name: text,
    ownerReferences: fc.array(fc.record({ uid: text, name: text })),
    uid: fc.uuid(),
    creationTimestamp: time,
    deletionTimestamp: time,
  },
  some,
)
const spec = fc.record(
  {
    displayName: text,
    scope: fc.record({ roles: fc.array(fc.record({ role: text })) }, some),
    user: text,
    team: text,
    subject: text,
    ttl: fc.nat(1e9),
    ttlAfterLastActivity: fc.boolean(),
  },
  some,
)
const status = fc.record({ lastActivity: time, keyId: text, phase: text }, some)
const sealed = fc.record(
  {
    hash: fc.oneof(text.map(hashKey), text),
    ownerUid: text,
    issuedAtMs: fc.nat(2 ** 41),
    connectorData: text,
    previous: fc.constant({ keyId: 'k', hash: hashKey('before'), validUntilMs: 1 }),
  },
  { requiredKeys: ['hash'] },
)

it('equals the result of parsing a key, or requires parsing it', () => {
  let outlined = 0
  const property = fc.property(metadata, spec, status, sealed, fc.constantFrom(0, 3600), (m, p, t, s, cap) => {
    const document = documentOf(
      JSON.parse(JSON.stringify({ apiVersion: '', kind: '', metadata: m, spec: p, status: t })),
      s,
    )
    const outline = outlineOf(document, cap)
    if (outline === undefined) return
    outlined++
    const stored = storedKeyOf(document)
    expect(stored?.record.previous).toBeUndefined()
    expect(outline).toEqual({
      uid: stored?.record.uid,
      hash: stored?.record.hash,
      owner: stored?.record.owner,
      ownerUid: stored?.sealed.ownerUid,
      lastPartMs: stored && lastPartMsOf(stored.record, cap),
    })
  })
  fc.assert(property, { numRuns: 2_000 })
  expect(outlined).toBeGreaterThan(100)
})

it('exists for an ordinary key', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'OwnedAccessKey',
    metadata: { name: 'ci', uid: 'uid-1', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { user: 'ann', ttl: 100 },
    status: { phase: 'Active' },
  }
  const hash = hashKey('value')
  expect(outlineOf(documentOf(object, { hash, issuedAtMs: 1, ownerUid: 'uid-ann' }), 0)).toEqual({
    uid: 'uid-1',
    hash,
    owner: { kind: 'user', name: 'ann' },
    ownerUid: 'uid-ann',
    lastPartMs: Date.parse('2026-01-01T00:01:30Z'),
  })
})

it.each<[string, JsonObject | undefined]>([
  ['without a sealed part', undefined],
  ['with a value before', { hash: hashKey('a'), previous: { keyId: 'k', hash: hashKey('b'), validUntilMs: 1 } }],
  ['with a hash of another kind', { hash: 'short' }],
])('does not exist for a key %s', (_, part) => {
  const object = { apiVersion: '', kind: '', metadata: { name: 'ci', uid: 'u' }, spec: { user: 'ann' } }
  expect(outlineOf(documentOf(object, part), 0)).toBeUndefined()
})
