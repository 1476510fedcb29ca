import { describe, expect, it } from 'vitest'
import { asksForClientCertificate, makesToken, withShorterLife } from './lasting-body.ts'

const type = 'kubernetes.io/service-account-token'
const account = 'kubernetes.io/service-account.name'

describe('a Secret', () => {
  it.each<readonly [string, unknown]>([
    ['its type', { type }],
    ['the type of a token for new nodes', { type: 'bootstrap.kubernetes.io/token' }],
    ['an annotation', { metadata: { annotations: { [account]: 'default' } } }],
    ['the uid of an account', { metadata: { annotations: { 'kubernetes.io/service-account.uid': 'x' } } }],
    ['a label that could become an annotation', { metadata: { labels: { [account]: 'default' } } }],
    ['a JSON Patch of the type', [{ op: 'add', path: '/type', value: type }]],
    [
      'a JSON Patch of an annotation',
      [{ op: 'add', path: '/metadata/annotations/kubernetes.io~1service-account.name', value: 'default' }],
    ],
    ['a JSON Patch of all annotations', [{ op: 'replace', path: '/metadata/annotations', value: { [account]: 'x' } }]],
    ['a JSON Patch of everything', [{ op: 'replace', path: '', value: { type } }]],
    [
      'a JSON Patch that copies',
      [{ op: 'copy', from: '/metadata/labels/a', path: '/metadata/annotations/kubernetes.io~1service-account.name' }],
    ],
  ])('concerns a token by %s', (_, written) => {
    expect(makesToken(written)).toBe(true)
  })

  it.each<readonly [string, unknown]>([
    ['is an ordinary one', { type: 'Opaque', data: { token: 'eA==' } }],
    ['is for TLS', { type: 'kubernetes.io/tls' }],
    ['holds such a text', { type: 'Opaque', stringData: { type, manifest: `type: ${type}` } }],
    ['was applied with such a text', { metadata: { annotations: { applied: `{"type":"${type}"}\n` } } }],
    ['is patched', { data: { a: null } }],
    ['is nothing', null],
  ])('does not concern a token if it %s', (_, written) => {
    expect(makesToken(written)).toBe(false)
  })
})

it.each([
  ['kubernetes.io/kube-apiserver-client', true],
  ['kubernetes.io/kube-apiserver-client-kubelet', true],
  ['kubernetes.io/legacy-unknown', true],
  [undefined, true],
  ['kubernetes.io/kubelet-serving', false],
  ['example.com/own', false],
])('a certificate of %s grants access to an API: %s', (signerName, opens) => {
  expect(asksForClientCertificate({ spec: { signerName } })).toBe(opens)
})

it.each<readonly [unknown, number, boolean]>([
  [315_360_000, 3_600, true],
  [3_600, 3_600, false],
  [600, 600, false],
  [undefined, 3_600, false],
  ['315360000', 3_600, false],
  [null, 3_600, false],
])('a token for %s seconds gets %s', (expirationSeconds, expected, isShorter) => {
  expect(withShorterLife({ spec: { audiences: ['a'], expirationSeconds } }, 3_600)).toEqual({
    request: { spec: { audiences: ['a'], expirationSeconds: expected } },
    isShorter,
  })
})
