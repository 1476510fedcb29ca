import { expect, it } from 'vitest'
import { parseContinueToken, printContinueToken } from './continue-token.ts'

function token(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

it('says where a list goes on', () => {
  const place = { afterKey: 'default/a', revision: 5, remaining: 3 }
  expect(parseContinueToken(printContinueToken(place))).toEqual(place)
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
  [token({ v: 'meta.k8s.io/v1', rv: 5, start: 'a' }), 'it was not issued by this server'],
])('%s is refused in the words of Kubernetes', (text, problem) => {
  expect(() => parseContinueToken(text)).toThrow(`invalid continue token: continue key is not valid: ${problem}`)
})
