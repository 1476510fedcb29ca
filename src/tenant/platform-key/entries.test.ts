import { describe, expect, it } from 'vitest'
import { type Entries, readKeyEntries } from './entries.ts'
import { readLicenseVariable } from './license-variable.ts'

const source = { type: 'secret', namespace: 'a', name: 'b' } as const
const secretValue = 'my-very-secret-value'
const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'

function read(entries: Entries) {
  return readKeyEntries(source, { accessKey: secretValue, host: 'platform.example.com', ...entries })
}

describe('a key with its settings', () => {
  it.each<[string, Entries, object]>([
    ['a bare domain means https', {}, { url: 'https://platform.example.com', insecure: false }],
    ['a port', { host: 'platform.example.com:8443' }, { url: 'https://platform.example.com:8443' }],
    [
      'a scheme, a path and a slash',
      { host: 'https://example.com/platform/' },
      { url: 'https://example.com/platform' },
    ],
    ['an address', { host: '[::1]:8443' }, { url: 'https://[::1]:8443' }],
    [
      'line breaks of files',
      { host: 'a.example\n', accessKey: `${secretValue}\n` },
      { url: 'https://a.example', accessKey: secretValue },
    ],
    ['project and name', { project: 'shop', name: 'web' }, { project: 'shop', name: 'web' }],
    ['insecure', { insecure: 'true' }, { insecure: true }],
    ['insecure, said to be off', { insecure: 'false' }, { insecure: false }],
    ['an authority in PEM', { certificateAuthorityData: pem }, { certificateAuthority: pem }],
    [
      'an authority in base64',
      { certificateAuthorityData: Buffer.from(pem).toString('base64') },
      { certificateAuthority: pem },
    ],
    [
      'empty entries do not count',
      { project: '', certificateAuthorityData: ' ' },
      { url: 'https://platform.example.com' },
    ],
  ])('%s', (_name, entries, expected) => {
    expect(read(entries)).toMatchObject({ ok: true, key: { source, ...expected } })
  })

  it('has no members that were not given', () => {
    const result = read({})
    expect(result.ok && Object.keys(result.key).sort()).toEqual(['accessKey', 'insecure', 'source', 'url'])
  })

  it.each<[string, Entries, string]>([
    ['a scheme without encryption', { host: 'http://platform.example.com' }, 'https'],
    ['an invalid address', { host: 'https://' }, 'not the address of a platform'],
    ['an address with a user', { host: `https://${secretValue}@platform.example.com` }, 'user, query or fragment'],
    ['a key with blanks', { accessKey: `${secretValue} x` }, 'blanks'],
    ['a key that is cut off', { accessKey: `tpk_${secretValue}` }, 'checksum'],
    ['an invalid flag', { insecure: 'maybe' }, 'neither true nor false'],
    ['an invalid authority', { certificateAuthorityData: secretValue }, 'no certificate'],
  ])('%s is refused, and no value is shown', (_name, entries, message) => {
    const result = read(entries)
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining(message) })
    expect(JSON.stringify(result)).not.toContain(secretValue)
  })
})

describe('the environment variable LICENSE', () => {
  const plain = { host: 'https://platform.example.com', accessKey: secretValue, project: 'shop', insecure: true }
  const json = JSON.stringify(plain)

  it.each<[string, string]>([
    ['JSON', json],
    ['JSON with blanks around it', `\n ${json}\n`],
    ['base64', Buffer.from(json).toString('base64')],
    ['base64 with line breaks', Buffer.from(json).toString('base64').replace(/.{20}/g, '$&\n')],
    ['base64 for URLs', Buffer.from(json).toString('base64url')],
  ])('is read as %s', (_name, text) => {
    expect(readLicenseVariable(text)).toEqual({
      ok: true,
      key: {
        source: { type: 'environment' },
        url: 'https://platform.example.com',
        accessKey: secretValue,
        project: 'shop',
        insecure: true,
      },
    })
  })

  it.each(['', '  \n', undefined])('that is %j is not set', (text) => {
    expect(readLicenseVariable(text)).toBeUndefined()
  })

  it.each([
    secretValue,
    `{"accessKey":"${secretValue}"`,
    `["${secretValue}"]`,
    '{}',
    '{"accessKey":1,"host":{}}',
    Buffer.from('[]').toString('base64'),
  ])('that is %j is an error that shows none of it', (text) => {
    const result = readLicenseVariable(text)
    expect(result).toMatchObject({ ok: false })
    expect(JSON.stringify(result)).not.toContain(secretValue)
  })
})
