import { describe, expect, it } from 'vitest'
import type { ResourceAttributes, UserInfo } from '../../api/access.ts'
import { ApiError } from '../../api/error.ts'
import type { Authorizer } from '../../auth/contract.ts'
import { impersonate } from './impersonation.ts'

const admin: UserInfo = { name: 'admin', uid: 'admin-uid', groups: ['system:masters', 'system:authenticated'] }

/** Allows impersonating what `may` accepts, and records what was asked. */
function authorizerFor(may: (asked: string) => boolean, asked: string[] = []): Authorizer {
  return {
    authorize(attributes) {
      const text = 'path' in attributes ? attributes.path : textOf(attributes)
      asked.push(text)
      return may(text) ? { verdict: 'allow', reason: '' } : { verdict: 'no-opinion', reason: '' }
    },
    rulesFor: () => ({ resourceRules: [], pathRules: [], incomplete: false }),
  }
}

function textOf({ verb, group, resource, subresource, namespace, name }: ResourceAttributes): string {
  const whole = subresource === '' ? resource : `${resource}/${subresource}`
  return [verb, group === '' ? whole : `${whole}.${group}`, namespace, name].filter((each) => each !== '').join(' ')
}

function sent(rawHeaders: readonly string[], signal = new AbortController().signal) {
  return { rawHeaders, signal }
}

function become(headers: readonly (readonly [string, string])[], may = (_asked: string) => true, asked: string[] = []) {
  return impersonate(admin, sent(headers.flat()), authorizerFor(may, asked))
}

describe('impersonation', () => {
  it('keeps the caller when no header asks for it, without an authorization check', () => {
    const asked: string[] = []
    const headers = [
      ['Host', 'x'],
      ['If-Match', 'y'],
      ['Impersonate', 'z'],
      ['Impersonate-User', ''],
    ] as const
    expect(become(headers, () => false, asked)).toBe(admin)
    expect(asked).toEqual([])
  })

  it.each<readonly [string, readonly (readonly [string, string])[], UserInfo]>([
    [
      'user, group, uid and extra',
      [
        ['Impersonate-User', 'bob'],
        ['Impersonate-Group', 'g1'],
        ['Impersonate-Extra-Scopes', 'view'],
        ['Impersonate-Uid', 'u-1'],
      ],
      { name: 'bob', uid: 'u-1', groups: ['g1', 'system:authenticated'], extra: { scopes: ['view'] } },
    ],
    [
      'a service account, with its groups',
      [['Impersonate-User', 'system:serviceaccount:default:foo']],
      {
        name: 'system:serviceaccount:default:foo',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      },
    ],
    [
      'a service account, with other groups',
      [
        ['impersonate-user', 'system:serviceaccount:default:foo'],
        ['impersonate-group', 'g'],
      ],
      { name: 'system:serviceaccount:default:foo', groups: ['g', 'system:authenticated'] },
    ],
    [
      'the anonymous user',
      [['Impersonate-User', 'system:anonymous']],
      { name: 'system:anonymous', groups: ['system:unauthenticated'] },
    ],
    [
      'an unauthenticated user',
      [
        ['Impersonate-User', 'bob'],
        ['Impersonate-Group', 'system:unauthenticated'],
      ],
      { name: 'bob', groups: ['system:unauthenticated'] },
    ],
    [
      'groups with commas, several values of an extra, and encoded keys',
      [
        ['IMPERSONATE-USER', 'bob'],
        ['Impersonate-Group', 'a, b'],
        ['Impersonate-Group', 'c'],
        ['Impersonate-Extra-Acme.com%2fProject', 'one'],
        ['Impersonate-Extra-acme.com%2Fproject', 'two'],
        ['Impersonate-Extra-Bad%zz', 'three'],
      ],
      {
        name: 'bob',
        groups: ['a, b', 'c', 'system:authenticated'],
        extra: { 'acme.com/project': ['one', 'two'], 'bad%zz': ['three'] },
      },
    ],
    [
      'a name beyond ASCII, which arrives byte by byte',
      [['Impersonate-User', Buffer.from('zoë').toString('latin1')]],
      { name: 'zoë', groups: ['system:authenticated'] },
    ],
  ])('makes %s', async (_name, headers, user) => {
    expect(await become(headers)).toEqual(user)
  })

  it('keeps the access key of the caller, and its scope with it', async () => {
    const credential = {
      keyName: 'ci',
      keyUid: 'key-uid',
      keyId: 'abcdefghijkl',
      scope: { source: {}, grant: () => ({ granted: false, reason: 'out of scope' }) as const },
      isRevoked: false,
      revoked: new AbortController().signal,
    }
    const request = sent(['Impersonate-User', 'bob', 'Impersonate-Group', 'system:masters'])
    const user = await impersonate(
      { ...admin, credential },
      request,
      authorizerFor(() => true),
    )
    expect(user.name).toBe('bob')
    expect(user.credential).toBe(credential)
  })

  it('asks for every part, each by its own name', async () => {
    const asked: string[] = []
    const sa = ['Impersonate-User', 'system:serviceaccount:ns:sa'] as const
    const rest = [
      ['Impersonate-Group', 'g'],
      ['Impersonate-Uid', 'u'],
      ['Impersonate-Extra-K', 'v'],
    ] as const
    await become([sa, ...rest], () => true, asked)
    await become([['Impersonate-User', 'system:serviceaccount:only-two']], () => true, asked)
    expect(asked).toEqual([
      'impersonate serviceaccounts ns sa',
      'impersonate groups g',
      'impersonate userextras/k.authentication.k8s.io v',
      'impersonate uids.authentication.k8s.io u',
      'impersonate users system:serviceaccount:only-two',
    ])
  })

  it.each([
    'impersonate users bob',
    'impersonate groups g',
    'impersonate userextras/k.authentication.k8s.io v',
    'impersonate uids.authentication.k8s.io u',
  ])('is refused when the caller may not "%s"', async (denied) => {
    const headers = [
      ['Impersonate-User', 'bob'],
      ['Impersonate-Group', 'g'],
      ['Impersonate-Uid', 'u'],
      ['Impersonate-Extra-K', 'v'],
    ] as const
    await expect(become(headers, (asked) => asked !== denied)).rejects.toMatchObject({ code: 403 })
  })

  it('is refused with the message of kube-apiserver', async () => {
    const alice = { name: 'alice', groups: ['dev', 'system:authenticated'] }
    const refusal = impersonate(
      alice,
      sent(['Impersonate-User', 'bob']),
      authorizerFor(() => false),
    )
    await expect(refusal).rejects.toMatchObject({
      status: {
        message:
          'users "bob" is forbidden: User "alice" cannot impersonate resource "users" in API group "" at the cluster scope',
        details: { name: 'bob', kind: 'users' },
        code: 403,
      },
    })
  })

  it.each([
    ['Impersonate-Group', 'g'],
    ['Impersonate-Uid', 'u'],
    ['Impersonate-Extra-K', 'v'],
  ] as const)('needs a user: %s alone is a 400', async (name, value) => {
    const refusal = await Promise.resolve(become([[name, value]])).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(ApiError)
    expect(refusal).toMatchObject({ code: 400, message: expect.stringMatching(/ without impersonating a user$/) })
  })

  describe('of hundreds of groups', () => {
    const groups = Array.from({ length: 900 }, (_, index) => ['Impersonate-Group', `g${index}`]).flat()
    const headers = ['Impersonate-User', 'bob', ...groups]

    it('lets other work have its turn between the decisions', async () => {
      const perTurn = [0]
      const newTurn = () => {
        perTurn.push(0)
        turn = setImmediate(newTurn)
      }
      let turn = setImmediate(newTurn)
      const counted = authorizerFor(() => {
        perTurn[perTurn.length - 1] = (perTurn.at(-1) ?? 0) + 1
        return true
      })
      await impersonate(admin, sent(headers), counted)
      clearImmediate(turn)
      expect(perTurn.reduce((sum, each) => sum + each, 0)).toBe(901)
      expect(Math.max(...perTurn)).toBeLessThanOrEqual(100)
    })

    it('ends when the caller has gone', async () => {
      const asked: string[] = []
      const caller = new AbortController()
      const leaving = authorizerFor(() => {
        caller.abort()
        return true
      }, asked)
      await expect(impersonate(admin, sent(headers, caller.signal), leaving)).rejects.toThrow()
      expect(asked.length).toBeLessThanOrEqual(50)
    })

    it('asks once for each group, however often it is named', async () => {
      const asked: string[] = []
      const repeated = [
        'Impersonate-User',
        'bob',
        ...Array.from({ length: 50 }, () => ['Impersonate-Group', 'g']).flat(),
      ]
      await impersonate(
        admin,
        sent(repeated),
        authorizerFor(() => true, asked),
      )
      expect(asked).toEqual(['impersonate users bob', 'impersonate groups g'])
    })
  })
})
