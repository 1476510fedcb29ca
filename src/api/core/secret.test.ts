import { describe, expect, it } from 'vitest'
import { errorTexts, previewCreate, previewUpdate } from '../../../tests/support/strategy-steps.ts'
import { decodeText, encodeText } from './base64.ts'
import { secret } from './secret.ts'

const metadata = { name: 's', namespace: 'default' }
const text = encodeText

describe('Secret', () => {
  it('takes plain text and keeps base64', () => {
    const { object } = previewCreate(secret, {
      metadata,
      stringData: { a: 'b', u: 'ü€😀' },
      data: { a: 'eA==', c: 'ZA==' },
    })
    expect(object).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      type: 'Opaque',
      data: { a: 'Yg==', u: 'w7zigqzwn5iA', c: 'ZA==' },
    })
    expect(decodeText('w7zigqzwn5iA')).toBe('ü€😀')
  })

  it.each([
    ['no type at all', {}, []],
    ['a custom type', { type: 'example.com/any' }, []],
    [
      'tls without its files',
      { type: 'kubernetes.io/tls', data: {} },
      ['data[tls.crt]: Required value', 'data[tls.key]: Required value'],
    ],
    ['tls with empty files', { type: 'kubernetes.io/tls', data: { 'tls.crt': '', 'tls.key': '' } }, []],
    [
      'a pull secret without its file',
      { type: 'kubernetes.io/dockerconfigjson' },
      ['data[.dockerconfigjson]: Required value'],
    ],
    [
      'a pull secret with invalid JSON',
      { type: 'kubernetes.io/dockercfg', data: { '.dockercfg': text('[]') } },
      [
        'data[.dockercfg]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}',
      ],
    ],
    [
      'a pull secret',
      { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': text('{"auths":{}}') } },
      [],
    ],
    [
      'basic-auth with neither entry',
      { type: 'kubernetes.io/basic-auth' },
      ['data[username]: Required value', 'data[password]: Required value'],
    ],
    ['basic-auth with one entry', { type: 'kubernetes.io/basic-auth', data: { password: '' } }, []],
    [
      'ssh-auth with an empty key',
      { type: 'kubernetes.io/ssh-auth', data: { 'ssh-privatekey': '' } },
      ['data[ssh-privatekey]: Required value'],
    ],
    [
      'a token of no account',
      { type: 'kubernetes.io/service-account-token' },
      ['metadata.annotations[kubernetes.io/service-account.name]: Required value'],
    ],
    [
      'more than a mebibyte',
      { stringData: { a: 'x'.repeat(1024 * 1024 + 1) } },
      ['data: Too long: may not be more than 1048576 bytes'],
    ],
  ])('validates %s', (_, body, errors) => {
    expect(errorTexts(previewCreate(secret, { metadata, ...body }))).toEqual(errors)
  })

  it('never shows its content in an error', () => {
    const outcome = previewCreate(secret, {
      metadata,
      type: 'kubernetes.io/dockercfg',
      stringData: { '.dockercfg': 'hunter2' },
    })
    expect(errorTexts(outcome)).toHaveLength(1)
    expect(errorTexts(outcome).join()).not.toContain('hunter2')
  })

  it('cannot change its type, nor its data once it is immutable', () => {
    const { object: old } = previewCreate(secret, { metadata, data: { c: 'ZA==' }, immutable: true })
    expect(errorTexts(previewUpdate(secret, { metadata, type: 'foo', data: { c: 'ZQ==' } }, old))).toEqual([
      'type: Invalid value: "foo": field is immutable',
      'immutable: Forbidden: field is immutable when `immutable` is set',
      'data: Forbidden: field is immutable when `immutable` is set',
    ])
  })
})
