import { describe, expect, it } from 'vitest'
import type { StoredValue } from '../../storage/contract.ts'
import { instanceIn } from './any-instance.ts'
import { FirstKeySurvey } from './first-key-survey.ts'
import { restoredEntry, takesKeyOfServer } from './restored-entry.ts'
import { type AnyKey, type KnownRevocations, keyIn, readRevocations } from './revocations.ts'

const place = '/objects/management.platform.internal/ownedaccesskeys/'

interface KeyChanges {
  readonly metadata?: object
  readonly spec?: object
  readonly status?: object
}

function keyObject({ metadata, spec, status }: KeyChanges = {}) {
  return {
    metadata: { name: 'ci', uid: 'uid-1', ...metadata },
    spec: { user: 'ann', scope: { roles: [{ role: 'tenant' }] }, ...spec },
    status: { keyId: 'abc123', phase: 'Active', ...status },
  }
}

const sealed = { hash: 'h', issuedAtMs: 1, previous: { keyId: 'old', hash: 'o', validUntilMs: 9 }, connectorData: 'c' }

function stored(changes?: KeyChanges): StoredValue {
  const value = Buffer.from(`${JSON.stringify(keyObject(changes))}\n${JSON.stringify(sealed)}`)
  return { key: `${place}ci`, value, revision: 5 }
}

function live(...keys: readonly AnyKey[]): KnownRevocations {
  return { known: 'platform', keys: new Map(keys.map((key) => [key.uid, key])), instances: new Map() }
}

const refreshToken = { type: 'OIDCRefreshToken' }
const now = (changes?: KeyChanges) => keyIn(keyObject(changes))

describe('a key that was revoked since the backup stays revoked', () => {
  it.each<[string, StoredValue, KnownRevocations, 'kept' | 'disabled']>([
    ['nothing is known', stored(), { known: 'nothing' }, 'disabled'],
    ['the platform has it as it was', stored(), live(now()), 'kept'],
    ['the platform does not have it: it was deleted', stored(), live(), 'disabled'],
    ['it is disabled there', stored(), live(now({ spec: { disabled: true } })), 'disabled'],
    ['it is being deleted there', stored(), live(now({ metadata: { deletionTimestamp: 'x' } })), 'disabled'],
    ['it has expired there', stored(), live(now({ status: { phase: 'Expired' } })), 'disabled'],
    ['it has another value there: it was rotated', stored(), live(now({ status: { keyId: 'new456' } })), 'disabled'],
    ['its scope is another there', stored(), live(now({ spec: { scope: { roles: [] } } })), 'disabled'],
    ['its owner is another there', stored(), live(now({ spec: { user: 'bob' } })), 'disabled'],
    ['another key has its name there', stored(), live(now({ metadata: { uid: 'uid-2' } })), 'disabled'],
    ['the list has its name', stored(), readRevocations('# since\nci\n'), 'disabled'],
    ['the list has its uid', stored(), readRevocations('uid-1'), 'disabled'],
    ['the list has its id', stored(), readRevocations('  abc123  '), 'disabled'],
    ['the list has others', stored(), readRevocations('c\ncicd\nabc'), 'kept'],
    ['it was disabled at the time', stored({ spec: { disabled: true } }), live(now()), 'kept'],
  ])('%s', (_, entry, revocations, fate) => {
    const restored = restoredEntry(entry, { revocations, firstKey: undefined })
    expect(restored.fate).toBe(fate)
    if (restored.fate === 'left out') return
    const [shown = '', rest = ''] = Buffer.from(restored.value).toString().split('\n')
    const before = JSON.parse(Buffer.from(entry.value).toString().split('\n')[0] ?? '')
    const ended = { spec: { ...before.spec, disabled: true }, status: { ...before.status, phase: 'Disabled' } }
    expect(JSON.parse(shown)).toEqual(fate === 'disabled' ? { ...before, ...ended } : before)
    expect(shown.startsWith('{"metadata":{')).toBe(true)
    expect(JSON.parse(rest)).toEqual({ hash: 'h', issuedAtMs: 1, connectorData: 'c' })
  })
})

it.each<KnownRevocations>([{ known: 'nothing' }, readRevocations('other'), live(now({ spec: refreshToken }))])(
  'a refresh token of an application may have been used since, and is left out ($known)',
  (revocations) => {
    expect(restoredEntry(stored({ spec: refreshToken }), { revocations, firstKey: undefined }).fate).toBe('left out')
  },
)

it.each<[string, 'kept' | 'left out']>([
  ['/objects/core/configmaps/default/app', 'kept'],
  ['/objects/core/configmaps/ownedaccesskeys/app', 'kept'],
  ['/identity/keys/1', 'left out'],
  ['/sign-on/codes/1', 'left out'],
  ['/sign-on/oidc-codes/1', 'left out'],
  ['/sign-on/tickets/1', 'left out'],
  ['/sign-on/devices/1', 'left out'],
  ['/sign-on/tried/1', 'left out'],
  ['/sign-on/sealing-key', 'kept'],
  ['/sign-on/exchanged/1', 'kept'],
  ['/key-usage/1', 'kept'],
])('%s is %s', (key, fate) => {
  const value = Buffer.from('{"metadata":{}}')
  const knowledge = { revocations: { known: 'nothing' }, firstKey: undefined } as const
  expect(restoredEntry({ key, value, revision: 1 }, knowledge)).toMatchObject({ fate })
})

describe("the first administrator's key", () => {
  const record = { hash: 'aGFzaA==', keyId: 'FIRST', madeBy: 'host', madeAtMs: 1, isMade: true }
  const recordAt = (changes = {}): StoredValue => ({
    key: '/identity/admin-key',
    value: Buffer.from(JSON.stringify({ ...record, ...changes })),
    revision: 1,
  })
  const first = (changes?: KeyChanges, hash = 'aGFzaA'): StoredValue => {
    const object = keyObject({ ...changes, metadata: { name: 'admin-first', uid: 'uid-admin' } })
    const value = Buffer.from(`${JSON.stringify(object)}\n${JSON.stringify({ hash })}`)
    return { key: `${place}admin-first`, value, revision: 2 }
  }
  const nothing: KnownRevocations = { known: 'nothing' }
  const shownIn = ({ value }: StoredValue) => JSON.parse(Buffer.from(value).toString().split('\n')[0] ?? '')
  const withId = { status: { keyId: 'FIRST' } }
  const same = live(keyIn(shownIn(first(withId))))

  it.each<[string, readonly StoredValue[], KnownRevocations, readonly string[]]>([
    ['is that of the new server, where nothing is known', [recordAt(), first()], nothing, ['left out', 'left out']],
    ['so it is with a backup of an older program', [recordAt({ isMade: false })], nothing, ['left out']],
    ['stays disabled', [recordAt(), first({ spec: { disabled: true } })], nothing, ['kept', 'kept']],
    ['stays rotated', [recordAt(), first({}, 'other')], nothing, ['kept', 'disabled']],
    ['stays deleted', [recordAt()], nothing, ['kept']],
    ['lives on if the platform has it', [recordAt(), first(withId)], same, ['kept', 'kept']],
    ['ends if the platform has it no more', [recordAt(), first()], live(), ['kept', 'disabled']],
    ['ends if it is on the list', [recordAt(), first()], readRevocations('admin-first'), ['kept', 'disabled']],
  ])('%s', (_, entries, revocations, fates) => {
    const survey = new FirstKeySurvey()
    for (const entry of entries) survey.add(entry)
    const knowledge = { revocations, firstKey: survey.result() }
    expect(entries.map((entry) => restoredEntry(entry, knowledge).fate)).toEqual(fates)
  })

  const unmade = recordAt({ isMade: false, replaced: ['ci'] })
  const restoredRecord = (revocations: KnownRevocations) => {
    const restored = restoredEntry(unmade, { revocations, firstKey: undefined })
    return restored.fate === 'kept' ? JSON.parse(Buffer.from(restored.value).toString()) : restored.fate
  }

  it.each<[string, KnownRevocations, boolean]>([
    ['the platform has its key', same, false],
    ['the platform has its key no more', live(), true],
    ['the platform has its key disabled', live(keyIn(shownIn(first({ spec: { disabled: true } })))), true],
    ['the platform has another value of that name', live(keyIn(shownIn(first({ status: { keyId: 'NEW' } })))), true],
    ['the list has the name of its key', readRevocations('admin-first'), true],
    ['the list has the id of its key', readRevocations('FIRST'), true],
    ['the list has others', readRevocations('admin-other'), false],
  ])('without an access key gets none if it was revoked: %s', (_, revocations, isRevokedNow) => {
    const kept = { ...record, isMade: false, replaced: ['ci'] }
    expect(restoredRecord(revocations)).toEqual(isRevokedNow ? record : kept)
  })

  it('that it replaced does not return', () => {
    const survey = new FirstKeySurvey()
    survey.add(unmade)
    const knowledge = { revocations: live(now()), firstKey: survey.result() }
    expect(restoredEntry(stored(), knowledge).fate).toBe('left out')
  })

  it.each<[string, readonly StoredValue[], KnownRevocations, boolean]>([
    ['where nothing is known', [recordAt(), first()], nothing, true],
    ['if the backup has none', [], same, true],
    ['unless that of the backup had been revoked', [recordAt()], nothing, false],
    ['unless that of the backup is asked about', [recordAt(), first()], same, false],
  ])('is reported to be that of the new server: %s', (_, entries, revocations, isOfServer) => {
    const survey = new FirstKeySurvey()
    for (const entry of entries) survey.add(entry)
    expect(takesKeyOfServer({ revocations, firstKey: survey.result() })).toBe(isOfServer)
  })
})

describe('the proof of a virtual cluster', () => {
  const proven = (lastTransitionTime: string, status = 'True') => ({
    conditions: [
      { type: 'Online', status: 'True', lastTransitionTime: 'whenever' },
      { type: 'Proven', status, lastTransitionTime },
    ],
  })
  const instance = (status: object = proven('then'), uid = 'vc-1') => ({
    metadata: { name: 'dev', namespace: 'p-shop', uid },
    status,
  })
  const entry = (status?: object): StoredValue => ({
    key: '/objects/management.platform.internal/virtualclusterinstances/p-shop/dev',
    value: Buffer.from(`${JSON.stringify(instance(status))}\n${JSON.stringify({ proof: 'hash', offers: [] })}`),
    revision: 3,
  })
  const showing = (...shown: readonly object[]): KnownRevocations => {
    const instances = shown.map((each) => instanceIn({ ...each }))
    return { known: 'platform', keys: new Map(), instances: new Map(instances.map((each) => [each.uid, each])) }
  }

  it.each<[string, StoredValue, KnownRevocations, 'kept' | 'without proof']>([
    ['is the same if the platform has it so', entry(), showing(instance()), 'kept'],
    ['stays void if another was issued since', entry(), showing(instance(proven('later'))), 'without proof'],
    ['stays void if it was voided since', entry(), showing(instance(proven('later', 'False'))), 'without proof'],
    ['stays void if the virtual cluster was deleted', entry(), showing(), 'without proof'],
    ['stays void if another has its name', entry(), showing(instance(proven('then'), 'vc-2')), 'without proof'],
    ['is not issued again if it was shown since', entry({}), showing(instance()), 'without proof'],
    ['is issued as before if none was shown', entry({}), showing(instance({})), 'kept'],
    ['stays void if the list names the virtual cluster', entry(), readRevocations('shop/dev'), 'without proof'],
    ['stays void if the list has its uid', entry(), readRevocations('vc-1'), 'without proof'],
    ['is the same if the list has others', entry(), readRevocations('dev\nshop\nother/dev'), 'kept'],
    ['is the same where nothing is known, and no key is good', entry(), { known: 'nothing' }, 'kept'],
  ])('%s', (_, stored, revocations, fate) => {
    const restored = restoredEntry(stored, { revocations, firstKey: undefined })
    expect(restored.fate).toBe(fate)
    if (restored.fate === 'left out') return
    const [shown = '', sealed = ''] = Buffer.from(restored.value).toString().split('\n')
    expect(shown).toBe(Buffer.from(stored.value).toString().split('\n')[0])
    expect(JSON.parse(sealed)).toEqual(fate === 'kept' ? { proof: 'hash', offers: [] } : { offers: [], openUntilMs: 0 })
  })
})
