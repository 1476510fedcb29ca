import { describe, expect, it } from 'vitest'
import { filesReachedFrom } from '../../support/programs/reached-files.ts'
import { type Account, type ForeignObject, marks, type Seen, type Sight } from './checker/account.ts'
import { check } from './checker/check.ts'
import { differences, type EndState, remains } from './checker/end-state.ts'

const nowMs = Date.parse('2030-01-01T00:00:00Z')
const running = { phase: 'Running', podIP: '10.1.1.1', conditions: [{ type: 'Ready', status: 'True' }] }

interface Look {
  readonly uid?: string
  readonly version?: string
  readonly node?: string
  readonly status?: Seen['status']
  readonly isEnding?: true
}

/** A Pod of the virtual cluster. */
function pod(name: string, { uid = name, node, status = {}, isEnding }: Look = {}): Seen {
  const ending = isEnding && { deletionTimestamp: '2030-01-01T00:00:00Z' }
  return {
    kind: 'Pod',
    metadata: { namespace: 'red', name, uid, ...ending },
    spec: { ...(node && { nodeName: node }) },
    status,
  }
}

/** The host's copy of the Pod. */
function copy(of: string, { uid = `host-${of}`, version = '1', ...look }: Look = {}, origin = of): Seen {
  const { metadata, ...rest } = pod(`v-${of}`, { uid, ...look })
  const annotations = { [marks.name]: of, [marks.namespace]: 'red', [marks.uid]: origin }
  const labels = { [marks.managedBy]: 'demo' }
  return { ...rest, metadata: { ...metadata, resourceVersion: version, labels, annotations } }
}

function secret(of: string, claims: object): Seen {
  const { metadata } = copy(of, { uid: `tokens-${of}` })
  const jwt = ['{}', JSON.stringify(claims), 'x'].map((part) => Buffer.from(part).toString('base64url')).join('.')
  const labels = { ...metadata.labels, [marks.companion]: 'tokens' }
  return { kind: 'Secret', metadata: { ...metadata, labels }, data: { token: Buffer.from(jwt).toString('base64') } }
}

const seen = (side: Sight['side'], type: Sight['type'], object: Seen): Sight => ({ side, type, object, atMs: nowMs })
const on = {
  host: (type: Sight['type'], object: Seen) => seen('host', type, object),
  virtual: (type: Sight['type'], object: Seen) => seen('virtual', type, object),
}

function account(sights: readonly Sight[], more: Partial<Account> = {}): Account {
  return { sights, foreign: new Map(), taken: new Map(), endMs: nowMs, hasGaps: false, ...more }
}

describe('objects of others', () => {
  const theirs = (isDeleted = false): ReadonlyMap<string, ForeignObject> =>
    new Map([['x', { what: 'Pod theirs', versions: new Set(['1', '2']), isDeleted }]])
  const at = (version: string) => copy('theirs', { uid: 'x', version })

  it('may be changed by their owner', () => {
    const sights = [on.host('ADDED', at('1')), on.host('MODIFIED', at('2')), on.host('DELETED', at('3'))]
    expect(check(account(sights, { foreign: theirs(true) }))).toEqual([])
  })

  it('show that their owner has deleted them before they are gone', () => {
    const ending = copy('theirs', { uid: 'x', version: '3', isEnding: true })
    const sights = [on.host('ADDED', at('1')), on.host('MODIFIED', ending), on.host('DELETED', at('4'))]
    expect(check(account(sights, { foreign: theirs(true) }))).toEqual([])
    expect(check(account(sights, { foreign: theirs() }))).toHaveLength(2)
  })

  it('are reported if another client has changed or deleted them', () => {
    const changed = [on.host('ADDED', at('1')), on.host('MODIFIED', at('7'))]
    expect(check(account(changed, { foreign: theirs() }))).toEqual([expect.stringContaining('was changed')])
    const gone = [on.host('ADDED', at('1')), on.host('DELETED', at('1'))]
    expect(check(account(gone, { foreign: theirs() }))).toEqual(['Pod theirs of the host was deleted'])
  })
})

describe('the life of a Pod', () => {
  const first = copy('web', { uid: 'one', node: 'n', status: running })
  const second = copy('web', { uid: 'two' })

  it('has one copy, whose status it shows', () => {
    const shown = pod('web', { node: 'n', status: running })
    const sights = [on.host('ADDED', first), on.virtual('MODIFIED', shown), on.host('DELETED', first)]
    expect(check(account(sights, { taken: new Map([['web', 'one']]) }))).toEqual([])
  })

  it('that continues in another copy after an eviction is reported', () => {
    const sights = [on.host('ADDED', first), on.host('DELETED', first), on.host('ADDED', second)]
    expect(check(account(sights, { taken: new Map([['web', 'one']]) }))).toEqual([
      'Pod red/web was on a node, lost its copy and got another one',
    ])
    expect(check(account(sights))).toEqual([])
  })

  it('with two copies at once is reported', () => {
    expect(check(account([on.host('ADDED', first), on.host('ADDED', second)]))).toEqual([
      'Pod red/web has two copies at once',
    ])
  })

  it.each<[string, Look]>([
    ['is on n', { node: 'n' }],
    ['is Running', { status: { phase: 'Running' } }],
    ['is at 10.9.9.9', { status: { podIP: '10.9.9.9' } }],
  ])('is reported if only the virtual Pod says that it %s', (words, look) => {
    const sights = [on.host('ADDED', copy('web')), on.virtual('ADDED', pod('web', look))]
    expect(check(account(sights))).toEqual([`a virtual Pod says what its copy never did: web ${words}`])
    expect(check(account(sights, { hasGaps: true }))).toEqual([])
  })
})

describe('objects that a Pod names', () => {
  const claim = (uid: string, version: string): Seen => ({
    kind: 'PersistentVolumeClaim',
    metadata: { namespace: 'red', name: 'data', uid, resourceVersion: version },
  })
  const claimCopy = (of: string, version: string): Seen => {
    const { metadata } = copy('data', { uid: `copy-${of}`, version }, of)
    return { kind: 'PersistentVolumeClaim', metadata }
  }
  const spec = { volumes: [{ persistentVolumeClaim: { claimName: 'data' } }] }
  const web: Seen = {
    kind: 'Pod',
    metadata: { namespace: 'red', name: 'web', uid: 'web', resourceVersion: '30' },
    spec,
  }
  const before = [
    on.virtual('ADDED', claim('old', '10')),
    on.virtual('DELETED', claim('old', '20')),
    on.virtual('ADDED', web),
    on.host('ADDED', claimCopy('old', '10')),
  ]
  const gone = on.host('DELETED', claimCopy('old', '20'))
  const anew = [on.virtual('ADDED', claim('new', '40')), on.host('ADDED', claimCopy('new', '30'))]
  const podCopy = (version: string) => on.host('ADDED', copy('web', { version }))

  it('are as they were when the Pod was created, or newer', () => {
    expect(check(account([...before, gone, podCopy('25')]))).toEqual([])
    expect(check(account([...before, podCopy('35'), ...anew, gone]))).toEqual([])
  })

  it('are reported if their copies are older than the Pod', () => {
    const told = ['Pod red/web found a copy of PersistentVolumeClaim data that is of before it was made']
    expect(check(account([...before, podCopy('15'), ...anew, gone]))).toEqual(told)
    expect(check(account([...before, podCopy('15'), gone], { hasGaps: true }))).toEqual([])
  })

  it('are reported if their copies have older values', () => {
    const settings = (version: string, value: string): Seen => {
      const metadata = { namespace: 'red', name: 'settings', uid: 'settings', resourceVersion: version }
      return { kind: 'ConfigMap', metadata, data: { key: value } }
    }
    const settingsCopy = (version: string, value: string): Seen => {
      const { metadata } = copy('settings', { version })
      return { kind: 'ConfigMap', metadata, data: { key: value } }
    }
    const named: Seen = { ...web, spec: { containers: [{ envFrom: [{ configMapRef: { name: 'settings' } }] }] } }
    const sights = [
      on.virtual('ADDED', settings('10', 'a')),
      on.virtual('MODIFIED', settings('20', 'b')),
      on.virtual('ADDED', named),
      on.host('ADDED', settingsCopy('10', 'a')),
      on.host('MODIFIED', settingsCopy('20', 'b')),
    ]
    expect(check(account([...sights, podCopy('25')]))).toEqual([])
    expect(check(account([...sights, podCopy('15')]))).toEqual([
      'Pod red/web found a copy of ConfigMap settings that is of before it was made',
    ])
  })
})

describe('tokens', () => {
  const claims = (uid: string, seconds: number) => ({ 'kubernetes.io': { pod: { uid } }, exp: nowMs / 1_000 + seconds })

  it('of the Pod that have not expired are valid', () => {
    expect(check(account([on.host('ADDED', secret('web', claims('web', 1)))]))).toEqual([])
  })

  it('that have expired, or belong to another Pod, are reported', () => {
    expect(check(account([on.host('ADDED', secret('web', claims('web', -1)))]))).toEqual([
      'a token of Secret red/web was there for 1000 ms after it had expired',
    ])
    const early = secret('web', claims('web', 5))
    const late = { ...on.host('MODIFIED', secret('web', claims('web', 90))), atMs: nowMs + 6_000 }
    expect(check(account([on.host('ADDED', early), late], { endMs: nowMs + 7_000 }))).toEqual([
      'a token of Secret red/web was there for 1000 ms after it had expired',
    ])
    expect(check(account([on.host('ADDED', secret('web', claims('other', 9)))]))).toEqual([
      'a token of Secret red/web is bound to other',
    ])
  })
})

describe('at rest', () => {
  const state = (virtual: readonly Seen[], host: readonly Seen[], foreign: readonly string[] = []): EndState => ({
    virtual,
    host,
    foreign: new Set(foreign),
  })
  const deployment = (ready: number): Seen => ({
    kind: 'Deployment',
    metadata: { namespace: 'red', name: 'app', uid: 'app' },
    spec: { replicas: 2 },
    status: { readyReplicas: ready },
  })

  it('both worlds are in step', () => {
    const [shown, told] = [pod('web', { node: 'n', status: running }), copy('web', { node: 'n', status: running })]
    expect(differences(state([shown, deployment(2)], [told]))).toEqual([])
    expect(differences(state([pod('job', { status: { phase: 'Failed' } })], []))).toEqual([])
    expect(differences(state([], [copy('theirs')], ['host-theirs']))).toEqual([])
  })

  const claim = (each: Seen): Seen => ({ ...each, kind: 'PersistentVolumeClaim' })
  const naming = (each: Seen, claimName: string): Seen => ({
    ...each,
    spec: { ...each.spec, volumes: [{ persistentVolumeClaim: { claimName } }] },
  })
  const [user, userCopy] = [
    naming(pod('user', { node: 'n', status: running }), 'data'),
    naming(copy('user', { node: 'n', status: running }), 'v-data'),
  ]

  it('a claim that Pods hold may be deleted later on either side', () => {
    const held = claim(pod('data', { isEnding: true }))
    const heldCopy = claim(copy('data', { isEnding: true }))
    expect(differences(state([held, user], [userCopy]))).toEqual([])
    expect(differences(state([held, user], [heldCopy, userCopy]))).toEqual([])
    expect(differences(state([user], [heldCopy, userCopy]))).toEqual([])
    expect(differences(state([], [claim(copy('data'))]))).toEqual([
      'PersistentVolumeClaim red/data is left on the host',
    ])
    expect(remains(state([], [heldCopy]))).toHaveLength(1)
    expect(differences(state([claim(pod('data'))], []))).toEqual([
      'PersistentVolumeClaim red/data is undefined without a copy',
    ])
  })

  it('a deleted claim that no scheduled Pod names must go', () => {
    const ending = claim(pod('data', { isEnding: true }))
    const waiting = [naming(pod('web'), 'data'), naming(copy('web'), 'v-data')] as const
    expect(differences(state([ending, waiting[0]], [waiting[1]]))).toContain(
      'PersistentVolumeClaim red/data does not end',
    )
    expect(differences(state([], [claim(copy('data', { isEnding: true }))]))).toEqual([
      'PersistentVolumeClaim red/data is left on the host',
      'the copy of PersistentVolumeClaim red/data does not end',
    ])
  })

  it('a Pod waits while others hold its deleted claim', () => {
    const waiting = naming(pod('web', { status: { phase: 'Pending' } }), 'data')
    const missing = 'Pod red/web is Pending without a copy'
    const ending = claim(pod('data', { isEnding: true }))
    const endingCopy = claim(copy('data', { isEnding: true }))
    expect(differences(state([waiting, ending, user], [endingCopy, userCopy]))).toEqual([])
    expect(differences(state([waiting, user], [endingCopy, userCopy]))).toEqual([])
    expect(differences(state([waiting, ending, user], [userCopy]))).toEqual([missing])
    expect(differences(state([waiting], []))).toEqual([missing])
    expect(differences(state([waiting, claim(pod('data', { uid: 'new' })), user], [endingCopy, userCopy]))).toContain(
      missing,
    )
  })

  it('nothing remains of deleted objects', () => {
    expect(remains(state([], [copy('theirs')], ['host-theirs']))).toEqual([])
    expect(remains(state([pod('web')], [copy('web')]))).toEqual([
      'Pod red/web is still there',
      'Pod red/web is left on the host',
    ])
  })

  it.each<[string, readonly Seen[], readonly Seen[]]>([
    ['Pod red/web is left on the host', [], [copy('web')]],
    [
      'Pod red/web is left on the host',
      [pod('web', { uid: 'new' }), pod('web')],
      [copy('web', {}, 'old'), copy('web', {}, 'new'), copy('web')],
    ],
    ['Pod red/web is Running without a copy', [pod('web', { status: running })], []],
    ['Secret red/web is left on the host', [], [secret('web', {})]],
    ['Pod red/web does not end', [pod('web', { isEnding: true })], [copy('web')]],
    ['the copy of Pod red/web does not end', [pod('web')], [copy('web', { isEnding: true })]],
    ['Deployment red/app has 1 of 2 ready', [deployment(1)], []],
    [
      'Pod red/web says ["Running",null,"10.1.1.1",true], and its copy [null,null,null,false]',
      [pod('web', { status: running })],
      [copy('web')],
    ],
  ])('is reported: %s', (told, virtual, host) => {
    expect(differences(state(virtual, host))).toEqual([told])
  })
})

it('the checker shares no code with the product', () => {
  const reached = filesReachedFrom(`${import.meta.dirname}/checker`)
  expect(reached).toContain('tests/chaos/pods/checker/check.ts')
  expect(reached.filter((file) => !file.startsWith('tests/chaos/pods/checker/'))).toEqual([])
})
