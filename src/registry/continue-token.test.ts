import { expect, it } from 'vitest'
import { parseContinueToken, printContinueToken } from './continue-token.ts'

function token(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

it.each(['', 'default'])('says where a list continues in the namespace "%s"', (namespace) => {
  const place = { afterKey: 'default/a', revision: 5, remaining: 3 }
  expect(parseContinueToken(printContinueToken(place, namespace), namespace)).toEqual(place)
})

it('is read as Kubernetes writes it', () => {
  const made = (start: string, rv = -1) => parseContinueToken(token({ v: 'meta.k8s.io/v1', rv, start, foo: 1 }), 'ns')
  expect(made('c1\0')).toEqual({ afterKey: 'ns/c1', revision: undefined })
  expect(made('/c1\0', 7)).toEqual({ afterKey: 'ns/c1', revision: 7 })
  const { afterKey } = made('c1')
  expect(afterKey < 'ns/c1' && afterKey > 'ns/c0zzzz').toBe(true)
})

it.each([
  ['!!!', 'illegal base64 data at input byte 0'],
  ['abcde', 'illegal base64 data at input byte 4'],
  ['abc', "invalid character 'i' looking for beginning of value"],
  [token('x'), 'json: cannot unmarshal string into Go value of type storage.continueToken'],
  [token(null), 'server does not recognize this encoded version '],
  [token({ v: 'x', rv: 5, start: 'a' }), 'server does not recognize this encoded version x'],
  [
    token({ v: 'meta.k8s.io/v1', rv: 0, start: 'a' }),
    'incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
  ],
  [token({ v: 'meta.k8s.io/v1', rv: 5, start: '' }), 'encoded start key empty (version meta.k8s.io/v1)'],
  [token({ v: 'meta.k8s.io/v1', rv: 5, start: '../a' }), '../a'],
  [token({ v: 'meta.k8s.io/v1', rv: 5, start: 'a//b' }), 'a//b'],
  [
    token({ v: 'meta.k8s.io/v1', rv: '5', start: 'a' }),
    'json: cannot unmarshal string into Go struct field continueToken.rv of type int64',
  ],
  [
    token({ v: 'meta.k8s.io/v1', rv: 1.5, start: 'a' }),
    'json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64',
  ],
])('%s is refused in the words of Kubernetes', (text, problem) => {
  expect(() => parseContinueToken(text, '')).toThrow(`invalid continue token: continue key is not valid: ${problem}`)
})

it('of an earlier version has expired, so that clients list again', () => {
  const earlier = token({ v: 'tenant/v1', rv: 5, start: 'default/a', left: 3 })
  expect(() => parseContinueToken(earlier, '')).toThrow(expect.objectContaining({ code: 410 }))
})
